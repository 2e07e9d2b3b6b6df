"""Examples of values that a schema of the API accepts."""

from typing import Any


def example_of(schema: dict[str, Any], part: dict[str, Any]) -> Any:
    if "$ref" in part:
        return example_of(schema, schema["components"]["schemas"][part["$ref"].rpartition("/")[2]])
    if "anyOf" in part:
        return example_of(schema, part["anyOf"][0])
    if "examples" in part:
        return part["examples"][0]
    return {name: example_of(schema, part["properties"][name]) for name in part["required"]}
