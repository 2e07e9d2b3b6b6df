"""The type of a decoded JSON object, a quick encoder and decoder, and values by their path."""

import json
from collections.abc import Callable
from typing import Any

from pydantic_core import PydanticSerializationError, from_json, to_json

Json = dict[str, Any]
JsonPath = tuple[str | int, ...]


def json_text(value: object, fallback: Callable[[Any], Any] | None = None) -> str:
    """Return the value as JSON, several times faster than `json`. `fallback` converts a value of an unknown type."""
    try:
        return to_json(value, fallback=fallback).decode()
    except PydanticSerializationError:  # text with half a surrogate pair, which only `json` can escape
        return json.dumps(value, default=fallback)


def json_value(text: str | bytes) -> Any:
    """Return what the JSON text says."""
    try:
        return from_json(text)
    except ValueError:  # half a surrogate pair, which only `json` can read
        return json.loads(text)


def value_at(node: Any, path: JsonPath) -> Any:
    """Return the value at the path; None where there is no such key."""
    for step in path:
        node = node[step] if isinstance(step, int) else (node or {}).get(step)
    return node


def with_value(node: Any, path: JsonPath, value: Any) -> Any:
    """Return a copy of the node with the value at the path."""
    if not path:
        return value
    step, *rest = path
    if isinstance(step, int):
        return [*node[:step], with_value(node[step], tuple(rest), value), *node[step + 1 :]]
    return {**(node or {}), step: with_value((node or {}).get(step), tuple(rest), value)}
