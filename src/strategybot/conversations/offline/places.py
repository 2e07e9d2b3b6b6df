"""Where a part stands in a strategy: a setting by its path, a number of a condition by the condition that holds it."""

from collections.abc import Sequence
from typing import Any

from strategybot.conversations.offline.conditions import Json
from strategybot.conversations.offline.lexicon import Part


def steps_of(part: Part) -> tuple[str, ...]:
    """Where a setting stands in the strategy."""
    is_whole_path = "." in part.key or part.key in ("position_percent", "guards")
    return tuple(part.key.split(".")) if is_whole_path else ("risk_management", part.key)


def setting(strategy: Json, part: Part) -> Any:
    """The value of a setting; None if it is off."""
    value: Any = strategy
    for step in steps_of(part):
        value = (value or {}).get(step)
    return 100.0 if value is None and part.key == "position_percent" else value


def with_setting(strategy: Json, steps: Sequence[str], value: Any) -> Json:
    first, *rest = steps
    return {**strategy, first: with_setting(strategy.get(first) or {}, rest, value) if rest else value}


def holds(part: Part, condition: Json) -> bool:
    if part.kind == "*":
        return part.field in condition
    if part.kind != "compare" or condition["kind"] != "compare":
        return bool(condition["kind"] == part.kind)
    if part.field == "right":
        return condition["left"].get("series") == part.series and not isinstance(condition["right"], dict)
    return side_of(part, condition) != ""


def side_of(part: Part, condition: Json) -> str:
    """The one side of a comparison that is the part's series; empty if it is none or both."""
    sides = [side for side in ("left", "right") if isinstance(condition[side], dict)]
    found = [side for side in sides if condition[side].get("series") == part.series]
    return found[0] if len(found) == 1 else ""


def field_of(part: Part, condition: Json) -> Any:
    is_parameter = part.kind == "compare" and part.field != "right"
    return (condition[side_of(part, condition)] if is_parameter else condition).get(part.field)
