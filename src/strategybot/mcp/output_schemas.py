"""The JSON schema of what a tool returns, in few tokens: its fields with their types.

What lies deeper is only said to be an object.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

Schema = dict[str, Any]
DEFINITIONS = "#/$defs/"


def output_schema(returned: Any) -> Schema:
    """Return the schema of the structured content for a function that returns this type."""
    schema = TypeAdapter(returned).json_schema(mode="serialization")
    shaping = _Shaping(schema.get("$defs", {}))
    if schema.get("type") == "array":
        rows = {"type": "array", "items": shaping.shape(schema["items"], is_first=True)}
        return {"type": "object", "properties": {"result": rows}, "required": ["result"]}
    return shaping.shape(schema, is_first=True)


class _Shaping:
    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions

    def shape(self, schema: Schema, *, is_first: bool = False) -> Schema:
        schema = self._resolve(schema)
        choices = [self._resolve(each) for each in schema.get("anyOf", []) if each != {"type": "null"}]
        if len(choices) == 1:
            return self.shape(choices[0], is_first=is_first)
        if choices:
            return self._merge(choices, is_first=is_first)
        if schema.get("type") == "array":
            return {"type": "array", "items": self.shape(schema.get("items", {}))}
        if "properties" in schema:
            return self._object(schema, is_first=is_first)
        kept: Schema = {name: schema[name] for name in ("type", "format") if name in schema}
        return kept or ({"type": "string"} if "const" in schema or "enum" in schema else {})

    def _object(self, schema: Schema, *, is_first: bool) -> Schema:
        if not is_first:
            return {"type": "object"}
        properties = {name: self.shape(inner) for name, inner in schema["properties"].items()}
        # A null is left out of a result, so what may be null is not required.
        always = [name for name in schema.get("required", ()) if not _may_be_null(schema["properties"][name])]
        return {"type": "object", "properties": properties, "required": always}

    def _merge(self, choices: list[Schema], *, is_first: bool) -> Schema:
        """Return what has the fields of any of these; of plain types, all of them."""
        if any("properties" in each for each in choices):
            properties = {name: inner for each in choices for name, inner in each.get("properties", {}).items()}
            shared = set.intersection(*(set(each.get("required", ())) for each in choices))
            return self._object({"properties": properties, "required": sorted(shared)}, is_first=is_first)
        types = sorted({str(each["type"]) for each in choices if "type" in each})
        return {"type": types[0] if len(types) == 1 else types} if types else {}

    def _resolve(self, schema: Schema) -> Schema:
        reference = schema.get("$ref")
        return self._definitions[str(reference).removeprefix(DEFINITIONS)] if reference else schema


def _may_be_null(schema: Schema) -> bool:
    return {"type": "null"} in schema.get("anyOf", ())
