"""The JSON schema of a tool's arguments in few tokens: a language model reads it with every request.

What it leaves out (patterns, which parameter belongs to which series) the server checks, and explains in a sentence.
"""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]
LEFT_OUT = frozenset({"title", "pattern", "format", "examples", "not", "discriminator", "additionalProperties"})
LEFT_OUT |= {"exclusiveMinimum", "exclusiveMaximum"}  # Google's API does not take them
LEFT_OUT |= {"minLength", "maxLength"}  # a model counts no letters
DEFINITIONS = "#/$defs/"
# Fields of a strategy whose names tell a language model enough; the API describes them all.
NAMED_WELL = frozenset(
    {
        "conditions",
        "match",
        "exit_conditions",
        "exit_match",
        "risk_management",
        "guards",
        "ladder",
        "take_profits",
        "stop_loss_percent",
        "take_profit_percent",
        "trailing_stop_percent",
        "stop_loss_atr",
        "trailing_stop_atr",
        "losing_streak",
        "losses",
        "max_trades_per_day",
        "max_drawdown_percent",
        "position_percent",
    }
)


def compact(schema: Schema) -> Schema:
    """Return the schema without titles, patterns and nulls, and with each tagged union as one flat object."""
    compacting = _Compacting(schema.get("$defs", {}))
    shortened: Schema = compacting.shorten({key: value for key, value in schema.items() if key != "$defs"})
    return {**shortened, "$defs": compacting.used} if compacting.used else shortened


class _Compacting:
    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions
        self.used: dict[str, Schema] = {}

    def shorten(self, schema: Any) -> Any:
        if isinstance(schema, list):
            return [self.shorten(each) for each in schema]
        if not isinstance(schema, dict):
            return schema
        if "$ref" in schema:
            return self._reference(schema)
        if "propertyName" in schema.get("discriminator", ()):
            return self._tagged_union(schema)
        shortened = {
            "anyOf" if key == "oneOf" else key: self._value(key, value)
            for key, value in schema.items()
            if key not in LEFT_OUT
        }
        if shortened.get("default", ...) in (None, []):
            del shortened["default"]
        return _without_null(shortened)

    def _value(self, key: str, value: Any) -> Any:
        if key == "properties":
            return {name: self._property(name, inner) for name, inner in value.items()}
        return value if key in ("enum", "required", "default") else self.shorten(value)

    def _property(self, name: str, schema: Schema) -> Any:
        left_out = ("description",) if name in NAMED_WELL else ()
        return self.shorten({key: value for key, value in schema.items() if key not in left_out})

    def _reference(self, schema: Schema) -> Schema:
        name = str(schema["$ref"]).removeprefix(DEFINITIONS)
        if name not in self.used:
            self.used[name] = {}  # a schema may refer to itself
            self.used[name] = self.shorten(self._definitions[name])
        kept = {key: schema[key] for key in ("description",) if key in schema}
        return {"$ref": DEFINITIONS + name, **kept}

    def _tagged_union(self, schema: Schema) -> Schema:
        """Return a reference to one object with the properties of all variants."""
        tag = str(schema["discriminator"]["propertyName"])
        if tag not in self.used:
            self.used[tag] = {}
            references = dict.fromkeys(each["$ref"].removeprefix(DEFINITIONS) for each in schema["oneOf"])
            self.used[tag] = self._flat_object(tag, [self._definitions[name] for name in references])
        return {"$ref": DEFINITIONS + tag}

    def _flat_object(self, tag: str, variants: list[Schema]) -> Schema:
        shared = set.intersection(*(set(variant["properties"]) for variant in variants))
        names: list[str] = []
        properties: dict[str, Schema] = {}
        for variant in variants:
            names += _tags(variant["properties"][tag])
            for name, rules in variant["properties"].items():
                if name != tag:
                    shortened = self.shorten(rules)
                    properties[name] = _merge(properties[name], shortened) if name in properties else shortened
        for name in properties.keys() - shared:
            properties[name].pop("default", None)  # it stands in the signatures, and may differ
            if properties[name].get("type") != "string" or "enum" in properties[name]:
                properties[name].pop("description", None)  # the name says it; only texts need to be explained
        return {
            "type": "object",
            "description": "\n".join(_signature(tag, variant, shared) for variant in variants),
            "properties": {tag: {"type": "string", "enum": names}, **properties},
            "required": [tag],
        }


def _without_null(schema: Schema) -> Schema:
    """Return a schema that is one or null as that one; that null means nothing is given goes without saying."""
    choices = [each for each in schema.get("anyOf", []) if each != {"type": "null"}]
    if len(choices) != 1:
        return {**schema, "anyOf": choices} if choices else schema
    return {**choices[0], **{key: value for key, value in schema.items() if key != "anyOf"}}


def _merge(one: Schema, other: Schema) -> Schema:
    """Return what both schemas say; of choices, all."""
    kept = {key: value for key, value in one.items() if other.get(key) == value}
    if "enum" in one and "enum" in other:
        kept["enum"] = list(dict.fromkeys((*one["enum"], *other["enum"])))
    return kept


def _tags(schema: Schema) -> list[str]:
    return [str(schema["const"])] if "const" in schema else list(map(str, schema["enum"]))


def _signature(tag: str, variant: Schema, shared: set[str]) -> str:
    """Return a variant as a line, such as `bollinger(line: upper|lower, period=20)`; a default stands behind a `=`."""
    required = variant.get("required", [])
    arguments = [
        name + _usual(rules, name in required)
        for name, rules in variant["properties"].items()
        if name != tag and name not in shared
    ]
    line = ", ".join(_tags(variant["properties"][tag])) + (f"({', '.join(arguments)})" if arguments else "")
    return f"{line}: {variant['description']}" if "description" in variant else line


def _usual(rules: Schema, required: bool) -> str:
    choices = list(map(str, rules.get("enum", [])))
    if not required and rules.get("default") is not None:
        return "=" + "|".join(dict.fromkeys((str(rules["default"]), *choices)))
    return f": {'|'.join(choices)}" if choices else ""
