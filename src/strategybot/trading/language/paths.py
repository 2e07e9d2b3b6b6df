"""Paths into a strategy, such as `conditions.0.percent`: its numbers and durations, and other values in their place.

A path is followed through the declared fields of the language's classes, never through the attributes of an object.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from strategybot.trading.language.strategy import RiskManagement, Strategy
from strategybot.trading.language.values import DURATION_PATTERN, LONG_DURATION_PATTERN, Language

Kind = Literal["number", "duration"]
Step = str | int
Value = float | str
LONGEST_PATH = 100


class PathError(ValueError):
    """The rule that a path, or a value in its place, breaks. It never quotes what was sent."""


class Place(NamedTuple):
    """A number or a duration of a strategy, or a field that could have one, such as a stop loss that is not set."""

    steps: tuple[Step, ...]
    kind: Kind
    value: Value | None

    @property
    def path(self) -> str:
        return ".".join(map(str, self.steps))


def place_of(strategy: Strategy, path: str) -> Place:
    """Return the place; `risk_management.` may be left out. Raises `PathError`."""
    steps = _steps(path)
    if steps[0] == "portfolio":
        raise PathError("is about many tokens, and a search trades one")
    part: object = strategy
    kind: Kind | None = None
    for depth, step in enumerate(steps):
        if isinstance(part, list):
            kind, part = None, _item(part, step, str(steps[depth - 1]))
        elif isinstance(part, Language) and step in type(part).model_fields:
            kind, part = _kinds(type(part)).get(str(step)), dict(part)[str(step)]
        else:
            raise PathError("leads nowhere: the strategy has no such part")
    if kind is None or isinstance(part, Language):
        raise PathError("is neither a number nor a duration")
    return Place(steps, kind, part)  # type: ignore[arg-type]  # its kind says so


def places(strategy: Strategy) -> Iterator[Place]:
    """Yield every number and duration of the strategy, in the order of the language."""
    return _places(strategy, ())


def with_values(strategy: Strategy, values: Mapping[str, Value]) -> Strategy:
    """Return the strategy with these values, by path, in place of its own. Raises `PathError`."""
    document = strategy.model_dump()
    for path, value in values.items():
        place = place_of(strategy, path)
        if isinstance(value, str) != (place.kind == "duration"):
            example = "a duration such as 15m" if place.kind == "duration" else "a number"
            raise PathError(f"{place.path} takes {example}")
        part: Any = document
        for step in place.steps[:-1]:
            part = part[step]
        part[place.steps[-1]] = value
    try:
        return Strategy.model_validate(document)
    except ValidationError as error:
        changed = " and ".join(place_of(strategy, path).path for path in values)
        raise PathError(f"a value of {changed} does not fit: {error.errors()[0]['msg']}") from None


def _steps(path: str) -> tuple[Step, ...]:
    words = path[: LONGEST_PATH + 1].split(".")
    if words[0] in RiskManagement.model_fields:
        words.insert(0, "risk_management")
    return tuple(int(word) if word.isascii() and word.isdigit() else word for word in words)


def _item(items: list[Any], step: Step, name: str) -> object:
    if isinstance(step, int) and step < len(items):
        return items[step]
    raise PathError(f"leads nowhere: the strategy has {len(items)} {name}, counted from 0")


def _places(part: object, steps: tuple[Step, ...]) -> Iterator[Place]:
    if isinstance(part, list):
        for number, each in enumerate(part):
            yield from _places(each, (*steps, number))
    elif isinstance(part, Language):
        kinds = _kinds(type(part))
        for name, value in part:
            kind = kinds.get(name)
            if kind is not None and value is not None and not isinstance(value, Language):
                yield Place((*steps, name), kind, value)
            else:
                yield from _places(value, (*steps, name))


@cache
def _kinds(model: type[Language]) -> dict[str, Kind]:
    """Return which fields may hold a number and which a duration, by the model's JSON schema."""
    found: dict[str, Kind] = {}
    schema = model.model_json_schema()
    schema = schema.get("$defs", {}).get(model.__name__, schema)  # a group refers to itself
    for name, rules in schema["properties"].items():
        for choice in (rules, *rules.get("anyOf", ()), *rules.get("oneOf", ())):
            if choice.get("pattern") in (DURATION_PATTERN, LONG_DURATION_PATTERN):
                found[name] = "duration"
            elif choice.get("type") in ("number", "integer"):
                found[name] = "number"
    return found
