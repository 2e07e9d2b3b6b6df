"""The conditions of a strategy: four kinds about price and volume, the comparison of two series, and groups.

Those about time are in `moments`.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

import numpy as np
from pydantic import Discriminator, Field, Tag, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.columns import (
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
from strategybot.trading.engine.comparisons import comparison_flags, series_reach, series_values, series_warm_up
from strategybot.trading.language.condition_kind import (
    ConditionKind,
    Reading,
    SeriesColumns,
    WindowKind,
    candles_in,
)
from strategybot.trading.language.moments import Every, Time
from strategybot.trading.language.series import AnySeries
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.values import WHOLE, Duration, Growth, Percent, plain

DEEPEST_GROUP = 3
MOST_LEAVES = 30


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
    percent: Annotated[Percent, Field(description="By how many percent the price falls")]
    window: Duration = "1h"
    reference: Annotated[
        Literal["close", "high"], Field(description="Measured from the close back then, or from the high since then")
    ] = "close"

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
    percent: Annotated[Growth, Field(description="By how many percent the price rises")]
    window: Duration = "1h"
    reference: Annotated[
        Literal["close", "low"], Field(description="Measured from the close back then, or from the low since then")
    ] = "close"

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
    multiplier: Annotated[float, Field(gt=1, description="How many times the usual volume")]
    window: Duration = "1h"

    def phrase(self) -> str:
        return f"the volume is at least {plain(self.multiplier)} × its {self.window} average"

    def reach(self, interval_seconds: int) -> int:
        return candles_in(self.window, interval_seconds)

    def flags(self, candles: Candles, series: SeriesColumns) -> Flags:  # noqa: ARG002
        return spike_flags(candles, self.reach(candles.interval_seconds), self.multiplier)

    def known(self, candles: Candles, series: SeriesColumns) -> Truths:
        known, window = super().known(candles, series), self.reach(candles.interval_seconds)
        unknown = np.append(0, np.cumsum(np.isnan(candles.volume)))
        known[window:] &= unknown[window + 1 :] == unknown[: max(0, len(candles) - window)]
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
    level: Annotated[float, Field(gt=0, description="The price")]
    direction: Annotated[Literal["above", "below"], Field(description="Above or below the price")]
    trigger: Annotated[
        Literal["cross", "is"], Field(description="Whether it must cross the price, or only be beyond it")
    ] = "cross"

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
    left: Annotated[AnySeries, Field(description="The series that is compared")]
    operator: Annotated[ComparisonOperator, Field(description="How it is compared")]
    right: Annotated[RightSide, Field(description="A number, or another series")]
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

    def known(self, candles: Candles, series: SeriesColumns) -> Truths:
        left, right = self.sides(candles, series)
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


GroupMatch = Literal["all", "any", "none", "at_least"]


class Group(ConditionKind):
    """All, any, none or at least `count` of some conditions, which may be groups: at most 3 deep and 30 leaves in all.

    None of them is true only if each of them is known and false.
    """

    kind: Literal["group"]
    match: Annotated[GroupMatch, Field(description="How many of its conditions must hold")]
    conditions: Annotated[
        list["Condition"], Field(min_length=1, max_length=MOST_LEAVES, description="The conditions of the group")
    ]
    count: Annotated[
        Annotated[int, Field(ge=1, le=MOST_LEAVES), WHOLE] | None,
        Field(validate_default=True, description="Of at_least", exclude_if=lambda count: count is None),
    ] = None

    @field_validator("conditions")
    @classmethod
    def _not_too_deep(cls, conditions: list["Condition"]) -> list["Condition"]:
        if 1 + max(map(_depth, conditions)) > DEEPEST_GROUP:
            raise PydanticCustomError("group_depth", "must be groups at most three deep")
        return conditions

    @field_validator("count")
    @classmethod
    def _count_of_at_least(cls, count: int | None, others: ValidationInfo) -> int | None:
        counts = others.data.get("match") == "at_least"
        if "match" in others.data and counts != (count is not None):
            wrong = "is required with match at_least" if counts else "is only for match at_least"
            raise PydanticCustomError("group_count", wrong)
        if count is not None and count > len(others.data.get("conditions", range(count))):
            raise PydanticCustomError("group_count", "must be at most the number of conditions")
        return count

    def __hash__(self) -> int:
        return hash(self.phrase())

    @property
    def needed(self) -> int:
        """Return how many members must be true; with `none`, at most how many may be."""
        return {"all": len(self.conditions), "any": 1, "none": 0, "at_least": self.count or 0}[self.match]

    def phrase(self) -> str:
        phrases = [each.phrase() for each in self.conditions]
        if self.match in ("all", "any"):
            return f"({(' and ' if self.match == 'all' else ' or ').join(phrases)})"
        return f"{'none' if self.match == 'none' else f'at least {self.count}'} of ({'; '.join(phrases)})"

    def reach(self, interval_seconds: int) -> int:
        return max(each.reach(interval_seconds) for each in self.conditions)

    def warm_up(self, interval_seconds: int) -> int:
        return max(each.warm_up(interval_seconds) for each in self.conditions)

    def flags(self, candles: Candles, series: SeriesColumns) -> Flags:
        true = sum_of(each.flags(candles, series) for each in self.conditions)
        if self.match != "none":
            return np.asarray(true >= self.needed, np.uint8)
        for each in self.conditions:
            true |= ~each.known(candles, series)
        return np.asarray(true == 0, np.uint8)

    def known(self, candles: Candles, series: SeriesColumns) -> Truths:
        """Return where its members that are known decide it, whatever the others are."""
        flags = [each.flags(candles, series) for each in self.conditions]
        unknown = sum_of(
            (own == 0) & ~each.known(candles, series) for own, each in zip(flags, self.conditions, strict=True)
        )
        true, needed = sum_of(flags), max(1, self.needed)
        decided: Truths = (true >= needed) | (true + unknown < needed)
        return decided

    def read(self, candles: Candles, places: Integers) -> Reading:
        """Return where it is true, and how many of its members are."""
        if len(places) == 0:
            return Reading(np.empty(0, np.bool_), (np.empty(0),))
        first = max(0, int(places[0]) - self.reach(candles.interval_seconds))
        fired = self.flags(candles[first : places[-1] + 1], {})[places - first] != 0
        return Reading(fired, (sum_of(each.read(candles, places).fired for each in self.conditions).astype(float),))

    def measured(self, candles: Candles, places: Integers) -> list[Floats]:
        """Return how many members are true, and the numbers of each member."""
        fired, (true,) = self.read(candles, places)
        members = [number for each in self.conditions for number in each.measured(candles, places)]
        return [np.where(fired, number, np.nan) for number in (true, *members)]

    def numbers(self) -> int:
        return 1 + sum(each.numbers() for each in self.conditions)


Condition = Annotated[
    PriceDrop | PriceRise | VolumeSpike | PriceLevel | Compare | Time | Every | Group, Field(discriminator="kind")
]
Group.model_rebuild()


def sum_of(columns: Iterable[Flags | Truths]) -> Flags:
    """Return how many of these columns are set at each candle."""
    total: Flags = np.sum(list(columns), axis=0, dtype=np.uint8)
    return total


def leaves(conditions: Iterable[Condition]) -> Iterator[Condition]:
    """Yield the conditions that are no groups, in their order."""
    for each in conditions:
        if isinstance(each, Group):
            yield from leaves(each.conditions)
        else:
            yield each


def few_leaves(conditions: list[Condition], others: Iterable[Condition]) -> list[Condition]:
    """Return the conditions if a strategy may have so many beside the others."""
    if sum(1 for _ in leaves([*conditions, *others])) > MOST_LEAVES:
        raise PydanticCustomError("leaves", "must be at most 30 in all, without groups but with their members")
    return conditions


def _depth(condition: Condition) -> int:
    return 1 + max(map(_depth, condition.conditions)) if isinstance(condition, Group) else 0
