"""The conditions of a strategy: the four kinds about price and volume, and the comparison of two series.

The engine, paper trading, the search and the reasons ask a condition for nothing but the methods of `ConditionKind`.
"""

from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Discriminator, Field, Tag

from strategybot.trading.candles import Candles, Floats, Integers
from strategybot.trading.columns import (
    Change,
    Flags,
    Truths,
    change_flags,
    change_references,
    is_spike,
    level_flags,
    mean_volumes,
    spike_flags,
)
from strategybot.trading.comparisons import comparison_flags, series_reach, series_values, series_warm_up
from strategybot.trading.language.series import AnySeries, Series
from strategybot.trading.language.values import WHOLE, Duration, Growth, Language, Percent, duration_seconds, plain

SeriesColumns = dict[Series, Floats]


def candles_in(window: str, interval_seconds: int) -> int:
    """Return how many candles a window has, rounded up."""
    return max(1, -(-duration_seconds(window) // interval_seconds))


class Reading(NamedTuple):
    """A condition at some candles: whether it is true, and the numbers behind it; NaN where one is unknown."""

    fired: Truths
    values: tuple[Floats, ...]


class ConditionKind(Language):
    """What every kind of condition has. `kind` is its name in the language."""

    kind: str

    def phrase(self) -> str:
        """Return the condition in words, after "when"."""
        raise NotImplementedError

    def reach(self, interval_seconds: int) -> int:
        """Return on how many earlier candles it depends at most."""
        raise NotImplementedError

    def warm_up(self, interval_seconds: int) -> int:
        """Return how many earlier candles a candle needs for it to be known."""
        return self.reach(interval_seconds)

    def flags(self, candles: Candles, series: SeriesColumns) -> Flags:
        """Return 1 at each candle where it is true. Values of series are taken from `series`, and kept there."""
        raise NotImplementedError

    def known(self, candles: Candles) -> Truths:
        """Return where it is known: elsewhere it is neither true nor false."""
        return np.arange(len(candles)) >= self.reach(candles.interval_seconds)

    def read(self, candles: Candles, places: Integers) -> Reading:
        """Return the condition at these ascending candles. Only candles up to them are read."""
        raise NotImplementedError

    def numbers(self) -> int:
        """Return how many numbers a reading has."""
        return 1


class WindowKind(ConditionKind):
    """A condition about the time before a candle."""

    def read(self, candles: Candles, places: Integers) -> Reading:
        """Return what is measured where the window is complete."""
        early = int(np.searchsorted(places, self.reach(candles.interval_seconds)))
        fired, values = self.measure(candles, places[early:])
        nothing = np.full(early, np.nan)
        return Reading(np.append(np.zeros(early, np.bool_), fired), (np.append(nothing, values),))

    def measure(self, candles: Candles, places: Integers) -> tuple[Truths, Floats]:
        """Return whether it is true, and what it measures, at ascending candles with a complete window."""
        raise NotImplementedError


class ChangeKind(WindowKind):
    """A change of the price by at least a number of percent."""

    def change(self, interval_seconds: int) -> Change:
        raise NotImplementedError

    def flags(self, candles: Candles, series: SeriesColumns) -> Flags:  # noqa: ARG002
        return change_flags(candles, self.change(candles.interval_seconds))

    def measure(self, candles: Candles, places: Integers) -> tuple[Truths, Floats]:
        change = self.change(candles.interval_seconds)
        references = change_references(candles, change, places)
        with np.errstate(over="ignore"):
            moves = candles.close[places] - references if change.sign > 0 else references - candles.close[places]
            changes = moves / references
            return changes >= change.limit, 100.0 * changes


class PriceDrop(ChangeKind):
    """The price fell at least `percent` within `window`, from the close back then or from the high since then."""

    kind: Literal["price_drop"]
    percent: Percent
    window: Duration = "1h"
    reference: Literal["close", "high"] = "close"

    def phrase(self) -> str:
        origin = "" if self.reference == "close" else " from its high"
        return f"the price falls at least {plain(self.percent)} %{origin} within {self.window}"

    def reach(self, interval_seconds: int) -> int:
        return candles_in(self.window, interval_seconds)

    def change(self, interval_seconds: int) -> Change:
        return Change(-1.0, self.percent / 100, self.reach(interval_seconds), self.reference == "high")


class PriceRise(ChangeKind):
    """The price rose at least `percent` within `window`, from the close back then or from the low since then."""

    kind: Literal["price_rise"]
    percent: Growth
    window: Duration = "1h"
    reference: Literal["close", "low"] = "close"

    def phrase(self) -> str:
        origin = "" if self.reference == "close" else " from its low"
        return f"the price rises at least {plain(self.percent)} %{origin} within {self.window}"

    def reach(self, interval_seconds: int) -> int:
        return candles_in(self.window, interval_seconds)

    def change(self, interval_seconds: int) -> Change:
        return Change(1.0, self.percent / 100, self.reach(interval_seconds), self.reference == "low")


class VolumeSpike(WindowKind):
    """The volume of the candle is at least `multiplier` times the average of `window`."""

    kind: Literal["volume_spike"]
    multiplier: Annotated[float, Field(gt=1)]
    window: Duration = "1h"

    def phrase(self) -> str:
        return f"the volume is at least {plain(self.multiplier)} × its {self.window} average"

    def reach(self, interval_seconds: int) -> int:
        return candles_in(self.window, interval_seconds)

    def flags(self, candles: Candles, series: SeriesColumns) -> Flags:  # noqa: ARG002
        return spike_flags(candles, self.reach(candles.interval_seconds), self.multiplier)

    def known(self, candles: Candles) -> Truths:
        known, window = super().known(candles), self.reach(candles.interval_seconds)
        unknown = np.append(0, np.cumsum(np.isnan(candles.volume)))
        known[window:] &= unknown[window + 1 :] == unknown[: len(unknown) - window - 1]
        return known

    def measure(self, candles: Candles, places: Integers) -> tuple[Truths, Floats]:
        volume = candles.volume[places]
        means = mean_volumes(candles, self.reach(candles.interval_seconds), places)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            multiples = np.where(means > 0.0, volume / means, np.nan)
            return is_spike(volume, means, self.multiplier), multiples


class PriceLevel(ConditionKind):
    """The price crosses `level`, or is on that side of it."""

    kind: Literal["price_level"]
    level: Annotated[float, Field(gt=0)]
    direction: Literal["above", "below"]
    trigger: Literal["cross", "is"] = "cross"

    def phrase(self) -> str:
        if self.trigger == "cross":
            return f"the price crosses {self.direction} {plain(self.level)}"
        return f"the price is at or {self.direction} {plain(self.level)}"

    def reach(self, interval_seconds: int) -> int:  # noqa: ARG002  it counts candles
        return 1 if self.trigger == "cross" else 0

    def flags(self, candles: Candles, series: SeriesColumns) -> Flags:  # noqa: ARG002
        sign = 1.0 if self.direction == "above" else -1.0
        return level_flags(candles.close, self.level, sign, crosses=self.trigger == "cross")

    def read(self, candles: Candles, places: Integers) -> Reading:
        first = max(0, int(places[0]) - 1) if len(places) else 0
        fired = self.flags(candles[first:], {})[places - first] != 0
        return Reading(fired, (np.where(places >= self.reach(0), candles.close[places], np.nan),))


ComparisonOperator = Literal["above", "below", "crosses_above", "crosses_below"]
VERBS: dict[ComparisonOperator, tuple[str, str]] = {  # now, and within the last candles
    "above": ("is above", "was above"),
    "below": ("is below", "was below"),
    "crosses_above": ("crosses above", "crossed above"),
    "crosses_below": ("crosses below", "crossed below"),
}


def _right_kind(value: object) -> str | None:
    """Return the tag of a right side, so that a mistake gives one error. No tag may be the name of a field."""
    if isinstance(value, dict | Series):
        return "any_series"
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else None


RightSide = Annotated[
    Annotated[float, Tag("number")] | Annotated[AnySeries, Tag("any_series")],
    Discriminator(_right_kind, custom_error_type="right_side", custom_error_message="must be a number or a series"),
]


class Compare(ConditionKind):
    """Two series, or a series and a number, are compared. Strict, and never true of an unknown value."""

    kind: Literal["compare"]
    left: AnySeries
    operator: ComparisonOperator
    right: RightSide
    within_candles: Annotated[int, Field(ge=1, le=100, description="Or in one of the last so many candles"), WHOLE] = 1

    @property
    def crosses(self) -> bool:
        return self.operator in ("crosses_above", "crosses_below")

    @property
    def upward(self) -> bool:
        return self.operator in ("above", "crosses_above")

    def right_phrase(self) -> str:
        return self.right.phrase() if isinstance(self.right, Series) else plain(self.right)

    def phrase(self) -> str:
        now, before = VERBS[self.operator]
        if self.within_candles == 1:
            return f"{self.left.phrase()} {now} {self.right_phrase()}"
        return f"{self.left.phrase()} {before} {self.right_phrase()} within the last {self.within_candles} candles"

    def series(self) -> list[Series]:
        return [each for each in (self.left, self.right) if isinstance(each, Series)]

    def reach(self, interval_seconds: int) -> int:
        furthest = max(series_reach(each, interval_seconds) for each in self.series())
        return furthest + self.within_candles - 1 + (1 if self.crosses else 0)

    def warm_up(self, interval_seconds: int) -> int:
        if not self.left.is_textbook:
            return self.reach(interval_seconds)
        longest = max(series_warm_up(each, interval_seconds) for each in self.series())
        return longest + (1 if self.crosses else 0)

    def last_known(self, interval_seconds: int) -> Series:
        """Return the series that needs the most candles to be known; older versions named the left one."""
        if not self.left.is_textbook:
            return self.left
        return max(self.series(), key=lambda each: series_warm_up(each, interval_seconds))

    def sides(self, candles: Candles, series: SeriesColumns) -> tuple[Floats, Floats | float]:
        """Return the values of the left and the right side at each candle; a number stays a number."""
        for each in self.series():
            if each not in series:
                series[each] = series_values(each, candles)
        return series[self.left], series[self.right] if isinstance(self.right, Series) else float(self.right)

    def flags(self, candles: Candles, series: SeriesColumns) -> Flags:
        left, right = self.sides(candles, series)
        return comparison_flags(
            left, right, upward=self.upward, crosses=self.crosses, within_candles=self.within_candles
        )

    def known(self, candles: Candles) -> Truths:
        left, right = self.sides(candles, {})
        both: Truths = ~(np.isnan(left) | np.isnan(right))
        return both & np.append(False, both[:-1]) if self.crosses else both

    def read(self, candles: Candles, places: Integers) -> Reading:
        if len(places) == 0:
            return Reading(np.empty(0, np.bool_), (np.empty(0),) * self.numbers())
        first = max(0, int(places[0]) - self.reach(candles.interval_seconds))  # no value depends on an earlier candle
        seen, rows, series = candles[first : places[-1] + 1], places - first, dict[Series, Floats]()
        fired = self.flags(seen, series)[rows] != 0
        return Reading(fired, tuple(series[each][rows] for each in self.series()))

    def numbers(self) -> int:
        return len(self.series())


Condition = Annotated[PriceDrop | PriceRise | VolumeSpike | PriceLevel | Compare, Field(discriminator="kind")]
