"""The values of the language (durations, percentages), its strict base model, and the cash and costs of a run."""

import re
from decimal import Decimal
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

MINUTES = {"m": 1, "h": 60, "d": 24 * 60}
DURATION_PATTERN = (
    r"^(?:(?:[1-9][0-9]{0,3}|[1-3][0-9]{4}|4[0-2][0-9]{3}|43[01][0-9]{2}|43200)m"
    r"|(?:[1-9][0-9]?|[1-6][0-9]{2}|7[01][0-9]|720)h"
    r"|(?:[1-9]|[12][0-9]|30)d)$"
)
# At least an hour: 60m and more, and all hours and days.
LONG_DURATION_PATTERN = DURATION_PATTERN.replace("[1-9][0-9]{0,3}|", "[6-9][0-9]|[1-9][0-9]{2,3}|")
TIME_PATTERN = r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]$"
TIMEZONES = frozenset(resources.files("tzdata").joinpath("zones").read_text("utf-8").split())


def _written_as(pattern: str, kind: str, message: str) -> AfterValidator:
    form = re.compile(pattern.removesuffix("$") + r"\Z")

    def check(text: str) -> str:
        if form.match(text) is None:
            raise PydanticCustomError(kind, message)
        return text

    return AfterValidator(check)


def _known_timezone(name: str) -> str:
    if name not in TIMEZONES:
        raise PydanticCustomError("timezone", "must be a time zone such as UTC or Europe/Berlin")
    return name


def _whole(value: object) -> object:
    """Return a float without a fraction, such as 14.0, as an int: JSON schema counts it as a whole number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def duration_seconds(text: str) -> int:
    return int(text[:-1]) * MINUTES[text[-1]] * 60


def time_seconds(text: str) -> int:
    """Return the second of the day, of a time such as 09:30."""
    return int(text[:2]) * 3600 + int(text[3:]) * 60


def duration_text(seconds: float) -> str | None:
    """Return the duration as text, such as 15m; None if it is not a whole number of minutes from 1m to 30d."""
    minutes = seconds / 60
    if not 1 <= minutes <= 30 * MINUTES["d"] or minutes != int(minutes):
        return None
    unit = next(unit for unit in ("d", "h", "m") if minutes % MINUTES[unit] == 0)
    return f"{minutes / MINUTES[unit]:.0f}{unit}"


Duration = Annotated[
    str,
    _written_as(DURATION_PATTERN, "duration", "must be a duration such as 15m, 1h or 2d, from 1m to 30d"),
    Field(description="Such as 15m, 1h or 2d", json_schema_extra={"pattern": DURATION_PATTERN, "examples": ["15m"]}),
]
LongDuration = Annotated[
    str,
    _written_as(LONG_DURATION_PATTERN, "duration", "must be a duration such as 4h, 1d or 7d, from 1h to 30d"),
    Field(json_schema_extra={"pattern": LONG_DURATION_PATTERN, "examples": ["1d"]}),
]
TimeOfDay = Annotated[
    str,
    _written_as(TIME_PATTERN, "time_of_day", "must be a time such as 09:30, from 00:00 to 23:59"),
    Field(json_schema_extra={"pattern": TIME_PATTERN, "examples": ["09:30"]}),
]
Timezone = Annotated[str, AfterValidator(_known_timezone), Field(examples=["UTC"])]
WHOLE = BeforeValidator(_whole)  # listed after the bounds of a number, so that its JSON schema has them
Percent = Annotated[float, Field(gt=0, lt=100)]
CostPercent = Annotated[float, Field(ge=0, lt=100)]
Cash = Annotated[float, Field(gt=0, le=1e12)]
Growth = Annotated[float, Field(gt=0)]
Match = Literal["all", "any"]


class Language(BaseModel):
    """A part of the language: no unknown key, no number as a string, nothing infinite, never changed in place."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


def described(**fields: str) -> ConfigDict:
    """Return a configuration that describes these fields in the schema of every subclass that has them."""

    def describe(schema: dict[str, Any]) -> None:
        for name, words in fields.items():
            if name in schema.get("properties", {}):
                schema["properties"][name].setdefault("description", words)

    return ConfigDict(json_schema_extra=describe)


def with_article(number: float) -> str:
    """Return “a 5”, or “an 8”."""
    digits = plain(number)
    is_vowel = digits.startswith("8") or digits.partition(".")[0] in ("11", "18")
    return f"{'an' if is_vowel else 'a'} {digits}"


def plain(number: float) -> str:
    """Return the shortest exact digits without an exponent, such as 0.00000001; with one only beyond 1e-30 and 1e15."""
    text = repr(float(number))
    if "e" in text and -30 <= (digits := Decimal(text)).adjusted() <= 15:
        text = format(digits, "f")
    if "e" in text:
        return text
    return text.rstrip("0").rstrip(".") if "." in text else text
