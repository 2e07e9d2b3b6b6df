"""The base class of request bodies, and our messages for pydantic's errors.

An error names the field by its dotted path and the rule it breaks, never its value.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import ErrorDetails, PydanticCustomError
from pydantic_core.core_schema import ErrorType

from strategybot.kit.clock import LATEST_MOMENT, parse_iso
from strategybot.kit.errors import FieldError

MOST_ERRORS_SHOWN = 20
# A name is one line without control characters or characters that reverse the text direction, and has a visible
# character.
_LINE = r"[^\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
_VISIBLE = r"[^\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
NAME_PATTERN = f"^{_LINE}*{_VISIBLE}{_LINE}*$"
_BUILT_IN = frozenset(get_args(ErrorType))
_SAFE_NAME = re.compile(r"\w{1,60}", re.ASCII)


class Body(BaseModel):
    """A request body: no unknown keys, no numbers as strings, no infinite numbers."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def _moment(value: object) -> object:
    """Return unix seconds for whole seconds or ISO 8601, which is UTC without a zone."""
    if not isinstance(value, str):
        return value
    moment = parse_iso(value)
    if moment is None:
        raise PydanticCustomError("moment", "must be ISO 8601 such as 2026-01-31T00:00:00Z, or unix seconds")
    return max(0, min(LATEST_MOMENT, int(moment.timestamp())))


_WRITTEN_MOMENT = {
    "anyOf": [
        {"type": "integer", "minimum": 0, "maximum": LATEST_MOMENT, "description": "Unix seconds"},
        {"type": "string", "format": "date-time"},
    ]
}
Moment = Annotated[int, Field(ge=0, le=LATEST_MOMENT), BeforeValidator(_moment), WithJsonSchema(_WRITTEN_MOMENT)]

Context = Mapping[str, Any]

SENTENCES: dict[str, Callable[[Context], str]] = {
    "missing": lambda _: "is required",
    "extra_forbidden": lambda _: "is not a known field",
    "greater_than": lambda context: f"must be above {_number(context['gt'])}",
    "greater_than_equal": lambda context: f"must be at least {_number(context['ge'])}",
    "less_than": lambda context: f"must be below {_number(context['lt'])}",
    "less_than_equal": lambda context: f"must be at most {_number(context['le'])}",
    "finite_number": lambda _: "must be a finite number",
    "float_type": lambda _: "must be a number",
    "float_parsing": lambda _: "must be a number",
    "int_type": lambda _: "must be a whole number",
    "int_parsing": lambda _: "must be a whole number",
    "int_parsing_size": lambda _: "must be a smaller whole number",
    "int_from_float": lambda _: "must be a whole number",
    "bool_type": lambda _: "must be true or false",
    "bool_parsing": lambda _: "must be true or false",
    "string_type": lambda _: "must be a string",
    "string_too_short": lambda context: f"must have at least {_count_words(context['min_length'], 'character')}",
    "string_too_long": lambda context: f"must have at most {_count_words(context['max_length'], 'character')}",
    "string_pattern_mismatch": lambda _: "has a form that is not allowed",
    "too_short": lambda context: f"must have at least {_count_words(context['min_length'], 'item')}",
    "too_long": lambda context: f"must have at most {_count_words(context['max_length'], 'item')}",
    "literal_error": lambda context: f"must be {context['expected']}",
    "enum": lambda context: f"must be {context['expected']}",
    "union_tag_invalid": lambda context: f"must be one of {context['expected_tags']}",
    "union_tag_not_found": lambda _: "is required",
    "list_type": lambda _: "must be a list",
    "dict_type": lambda _: "must be an object",
    "model_type": lambda _: "must be an object",
    "model_attributes_type": lambda _: "must be an object",
}


def field_errors(errors: Iterable[ErrorDetails], input_value: object) -> list[FieldError]:
    return [_field_error(error, input_value) for error in list(errors)[:MOST_ERRORS_SHOWN]]


def _field_error(error: ErrorDetails, input_value: object) -> FieldError:
    context = error.get("ctx", {})
    untagged = "discriminator" in context
    place = _path(error["loc"], input_value, ends_with_key=not untagged)
    if untagged:
        place.append(context["discriminator"].strip("'"))
    return FieldError(".".join(place) or "body", _message(error["type"], error["msg"], context))


def _message(kind: str, message: str, context: Context) -> str:
    if kind in SENTENCES:
        return SENTENCES[kind](context)
    # Our own validators have their own error types and messages. Messages of pydantic's other types may quote the
    # input.
    return "is not valid" if kind in _BUILT_IN else message


def _path(location: Sequence[int | str], input_value: object, *, ends_with_key: bool) -> list[str]:
    """Return the location in the client's input: pydantic adds the tag of a tagged union, which is no key of the input.

    The last key may be missing in the input, if that is the error.
    """
    path, here = [], input_value
    missing_key = len(location) - 1 if ends_with_key else len(location)
    for index, part in enumerate(location):
        if isinstance(here, str | int | float):
            continue
        if index < missing_key and isinstance(here, dict) and part not in here:
            continue
        path.append(str(part) if isinstance(part, int) or _SAFE_NAME.fullmatch(part) else "(unreadable name)")
        here = _below(here, part)
    return path


def _below(value: object, part: int | str) -> object:
    if isinstance(value, dict):
        return value.get(part)
    if isinstance(value, list) and isinstance(part, int) and part < len(value):
        return value[part]
    return None


def _number(value: float) -> str:
    return f"{value:.15g}"


def _count_words(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
