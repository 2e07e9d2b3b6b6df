"""The schemas of the tools as a provider wants them, made once.

The library makes them twice for each request, and that takes longer than all the rest of it.
"""

from typing import Any

from pydantic_ai import JsonSchemaTransformer, ModelProfile
from typing_extensions import override

Schema = dict[str, Any]


def transformed_once(profile: ModelProfile) -> ModelProfile:
    """Return the profile with a transformer that keeps what it has made of each schema."""
    transformer = profile.get("json_schema_transformer")
    if transformer is None:
        return profile
    return {**profile, "json_schema_transformer": _once(transformer)}


def _once(transformer: type[JsonSchemaTransformer]) -> type[JsonSchemaTransformer]:
    """Return the transformer for schemas that nobody changes and that live as long as the process, as a tool's does."""
    kept: dict[tuple[int, bool | None], tuple[Schema, JsonSchemaTransformer]] = {}

    class Once(JsonSchemaTransformer):
        def __init__(self, schema: Schema, *, strict: bool | None = None) -> None:
            super().__init__({}, strict=strict)
            key = id(schema), strict
            if key not in kept:
                first = transformer(schema, strict=strict)  # which refers to the schema, so its id stays its own
                kept[key] = first.walk(), first
            self._made, first = kept[key]
            self.is_strict_compatible = first.is_strict_compatible

        @override
        def walk(self) -> Schema:
            return self._made

        @override
        def transform(self, schema: Schema) -> Schema:
            return schema

    return Once
