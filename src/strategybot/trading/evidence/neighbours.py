"""The neighbours of a strategy: the same rules with one number a little smaller or larger.

Every number counts but the sizes of buys, which say how much is traded and not when. A duration stays a whole number
of candles, a whole number stays whole, and a value that the language refuses is left out.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from pydantic import ValidationError

from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import duration_seconds

FACTORS = (0.75, 0.9, 1.1, 1.25)
DURATIONS = {"window", "period", "max_holding", "cooldown", "entry_gap"}  # a period of candles is a number
PARTS = ("conditions", "exit_conditions", "risk_management", "ladder", "entry_gap")
SIZE = "size_percent"  # of a ladder step
NEUTRAL = {"times": 1, "plus": 0}  # with these values a series is unchanged
MINUTE = 60

Node = Any  # of a decoded JSON document
Path = tuple[str | int, ...]


class Neighbour(NamedTuple):
    path: Path
    value: float | str
    strategy: Strategy

    @property
    def label(self) -> str:
        """Return the path and the value of the number, such as `conditions.0.percent 2.7`."""
        value = self.value if isinstance(self.value, str) else f"{self.value:.4g}"
        return f"{'.'.join(map(str, self.path))} {value}"


def neighbours(strategy: Strategy, interval_seconds: int) -> list[Neighbour]:
    """Return all neighbours, each different from the strategy and from the others on its axis."""
    document = strategy.model_dump()
    found = []
    for part in PARTS:
        for path, value in _numbers(document.get(part), (part,)):
            for scaled in _scale(value, interval_seconds):
                neighbour = _with(document, path, scaled)
                if neighbour is not None:
                    found.append(Neighbour(path, scaled, neighbour))
    return found


def _numbers(value: Node, path: Path) -> Iterator[tuple[Path, float | str]]:
    """Yield every number and duration in this part of the document."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _numbers(each, (*path, key))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from _numbers(each, (*path, place))
    elif _is_number(value, path[-1]):
        yield path, value


def _is_number(value: Node, key: str | int) -> bool:
    if isinstance(value, str):
        return key in DURATIONS
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and value != NEUTRAL.get(str(key)) and key != SIZE


def _scale(value: float | str, interval_seconds: int) -> list[float | str]:
    """Return the value times each factor, without duplicates and without the value itself."""
    scaled = (_times(value, factor, interval_seconds) for factor in FACTORS)
    return [each for each in dict.fromkeys(scaled) if each != _times(value, 1, interval_seconds)]


def _times(value: float | str, factor: float, interval_seconds: int) -> float | str:
    if isinstance(value, str):
        candles = max(1, round(duration_seconds(value) * factor / interval_seconds))
        return f"{candles * interval_seconds // MINUTE}m"
    return round(value * factor) if isinstance(value, int) else value * factor


def _with(document: Node, path: Path, value: float | str) -> Strategy | None:
    changed = deepcopy(document)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    try:
        return Strategy.model_validate(changed)
    except ValidationError:
        return None
