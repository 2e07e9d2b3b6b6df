"""The type of a decoded JSON object, and a quick encoder."""

import json
from collections.abc import Callable
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

Json = dict[str, Any]


def json_text(value: object, fallback: Callable[[Any], Any] | None = None) -> str:
    """Return the value as JSON, several times faster than `json`. `fallback` converts a value of an unknown type."""
    try:
        return to_json(value, fallback=fallback).decode()
    except PydanticSerializationError:  # text with half a surrogate pair, which only `json` can escape
        return json.dumps(value, default=fallback)
