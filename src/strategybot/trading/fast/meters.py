"""What the conditions measured at the candles where something was decided: the numbers behind the reasons."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from strategybot.trading.candles import Candles, Floats, Integers
from strategybot.trading.comparisons import Flags, comparison_flags, series_values
from strategybot.trading.conditions import (
    DROP_FROM_CLOSE,
    DROP_FROM_HIGH,
    LONG_WINDOW,
    RISE_FROM_CLOSE,
    STRETCH_BITS,
    VOLUME_SPIKE,
    Columns,
    Conditions,
    columns_of,
    encode,
)
from strategybot.trading.fast.readings import (
    compare_all,
    extreme_prices,
    mean_volumes,
    means_of_stretches,
    plain_references,
    sum_stretches,
)
from strategybot.trading.fast.windows import SHORT_WINDOW, Sliding, new_sliding
from strategybot.trading.language.conditions import Compare, Condition, WindowCondition
from strategybot.trading.language.series import Series


@dataclass(frozen=True, eq=False)
class Meter:
    """A condition of the four kinds, read at many candles."""

    condition: WindowCondition
    candles: Candles

    @cached_property
    def _row(self) -> Conditions:
        return encode([self.condition], "all", self.candles.interval_seconds)

    @cached_property
    def _columns(self) -> Columns:
        return columns_of(self.candles)

    @cached_property
    def _stretches(self) -> tuple[Floats, Integers]:
        time, volume = self._columns.time, self._columns.volume
        sums = np.empty(len(time))
        sum_stretches(time, volume, sums)
        return sums, np.append(np.flatnonzero(np.diff(time >> STRETCH_BITS)), len(time) - 1)

    @cached_property
    def _sliding(self) -> Sliding:
        return new_sliding(self._row, len(self.candles))

    def read(self, places: Integers) -> Floats:
        """Return what was measured at each of these ascending candles where the condition is true, otherwise NaN."""
        kind, window, limit = int(self._row.kinds[0]), int(self._row.windows[0]), float(self._row.limits[0])
        measured = np.full(len(places), np.nan)
        known = int(np.searchsorted(places, window))
        late, references = np.ascontiguousarray(places[known:]), np.empty(len(places) - known)
        self._find_references(kind, window, late, references)
        compare_all(kind, limit, self._columns, late, references, measured[known:])
        return measured

    def _find_references(self, kind: int, window: int, places: Integers, references: Floats) -> None:
        columns = self._columns
        if window <= SHORT_WINDOW or kind in (DROP_FROM_CLOSE, RISE_FROM_CLOSE):
            plain_references(kind, window, columns, places, references)
        elif kind == VOLUME_SPIKE and window > LONG_WINDOW:
            means_of_stretches(columns.volume, window, places, *self._stretches, references)
        elif kind == VOLUME_SPIKE:
            mean_volumes(columns, window, places, references)
        else:
            column = columns.high if kind == DROP_FROM_HIGH else columns.low
            extreme_prices(kind, column, window, places, self._sliding, references)


@dataclass(frozen=True, eq=False)
class SideMeter:
    """One side of a comparison, read at many candles."""

    series: Series
    condition: Compare
    candles: Candles

    @cached_property
    def _values(self) -> Floats:
        return series_values(self.series, self.candles)

    @cached_property
    def _flags(self) -> Flags:
        return comparison_flags(self.condition, self.candles)

    def read(self, places: Integers) -> Floats:
        """Return the value where the comparison is true (infinite if the value is unknown there), otherwise NaN."""
        values = self._values[places]
        values[np.isnan(values)] = np.inf
        return np.where(self._flags[places] != 0, values, np.nan)


def meters_of(conditions: Iterable[Condition], candles: Candles) -> list[Meter | SideMeter]:
    """Return one meter for each number in the reasons: two for a comparison of two series, otherwise one."""
    meters: list[Meter | SideMeter] = []
    for condition in conditions:
        if isinstance(condition, Compare):
            both = (condition.left, condition.right)
            meters += [SideMeter(each, condition, candles) for each in both if isinstance(each, Series)]
        else:
            meters.append(Meter(condition, candles))
    return meters
