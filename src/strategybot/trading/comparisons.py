"""The values of a series over candles, and where a comparison of two series is true.

Both are computed as whole columns once a run, before any candle is traded: the plain path, the fast path and paper
trading read the same columns.
"""

import numpy as np
from numpy.typing import NDArray

from strategybot.trading.candles import Candles, Floats
from strategybot.trading.indicators.columns import shifted
from strategybot.trading.indicators.longer import last_closed, longer_candles
from strategybot.trading.instruments import INTERVAL_SECONDS
from strategybot.trading.jit import lean
from strategybot.trading.language.conditions import Compare
from strategybot.trading.language.series import Series

Flags = NDArray[np.uint8]


def series_values(series: Series, candles: Candles) -> Floats:
    """Return the series at each candle, with its interval, offset, `times` and `plus`; NaN where it is unknown."""
    with np.errstate(over="ignore", invalid="ignore"):
        if series.interval is not None and _factor(series, candles.interval_seconds) > 1:
            column = _longer_column(series, candles, INTERVAL_SECONDS[series.interval])
        else:
            column = shifted(series.column(candles), series.offset)
        return column if series.times == 1 and series.plus == 0 else column * series.times + series.plus


def series_reach(series: Series, interval_seconds: int) -> int:
    """Return on how many earlier candles of the run a value depends at most."""
    return _candles_of_run(series, series.reach(), interval_seconds)


def series_warm_up(series: Series, interval_seconds: int) -> int:
    """Return how many earlier candles of the run a value needs to be known."""
    return _candles_of_run(series, series.warm_up(), interval_seconds)


def comparison_reach(condition: Compare, interval_seconds: int) -> int:
    """Return on how many earlier candles the comparison depends at most."""
    furthest = max(series_reach(each, interval_seconds) for each in series_of(condition))
    return furthest + condition.within_candles - 1 + (1 if condition.crosses else 0)


def comparison_warm_up(condition: Compare, interval_seconds: int) -> int:
    """Return how many earlier candles a candle needs for the comparison to be known."""
    if not condition.left.is_textbook:
        return comparison_reach(condition, interval_seconds)
    longest = max(series_warm_up(each, interval_seconds) for each in series_of(condition))
    return longest + (1 if condition.crosses else 0)


def last_known(condition: Compare, interval_seconds: int) -> Series:
    """Return the series that needs the most candles to be known; older versions named the left one."""
    if not condition.left.is_textbook:
        return condition.left
    return max(series_of(condition), key=lambda each: series_warm_up(each, interval_seconds))


def series_of(condition: Compare) -> list[Series]:
    return [each for each in (condition.left, condition.right) if isinstance(each, Series)]


def sides(
    condition: Compare, candles: Candles, known: dict[Series, Floats] | None = None
) -> tuple[Floats, Floats | float]:
    """Return the values of the left and the right side at each candle; a number stays a number.

    Values are taken from `known` where they are in it, and kept there: comparisons of one run often share a series.
    """
    known = {} if known is None else known
    for each in series_of(condition):
        if each not in known:
            known[each] = series_values(each, candles)
    right = condition.right
    return known[condition.left], known[right] if isinstance(right, Series) else float(right)


def comparison_flags(condition: Compare, candles: Candles, known: dict[Series, Floats] | None = None) -> Flags:
    """Return 1 at each candle where the comparison is true, otherwise 0."""
    left, right = sides(condition, candles, known)
    flags = np.empty(len(candles), np.uint8)
    fill_flags(left, np.atleast_1d(right), 1.0 if condition.upward else -1.0, condition.crosses, flags)
    return flags if condition.within_candles == 1 else _within(flags, condition.within_candles)


def _within(flags: Flags, candles: int) -> Flags:
    """Return 1 where any of the last `candles` flags is set, otherwise 0."""
    length = 1
    while length < candles:
        shift = min(length, candles - length)
        extended = flags.copy()
        extended[shift:] |= flags[:-shift] if shift < len(flags) else 0
        flags, length = extended, length + shift
    return flags


def _factor(series: Series, interval_seconds: int) -> int:
    return 1 if series.interval is None else max(1, INTERVAL_SECONDS[series.interval] // interval_seconds)


def _candles_of_run(series: Series, own: int, interval_seconds: int) -> int:
    """Return how many candles of the run hold so many earlier candles of the series, and those of its offset."""
    own, factor = own + series.offset, _factor(series, interval_seconds)
    return own if factor == 1 else (own + 2) * factor - 1


def _longer_column(series: Series, candles: Candles, interval_seconds: int) -> Floats:
    longer = longer_candles(candles, interval_seconds)
    places = last_closed(candles, longer) - series.offset
    column: Floats = np.append(series.column(longer), np.nan)[np.maximum(places, -1)]  # -1 reads the NaN at the end
    return column


@lean
def fill_flags(left: Floats, right: Floats, sign: float, crosses: bool, flags: Flags) -> None:
    """Write the flags. `right` has a value for each candle, or one for all. The sign of a float difference is exact."""
    single, before = len(right) == 1, np.nan
    for i in range(len(left)):
        gap = sign * (left[i] - (right[0] if single else right[i]))
        flags[i] = (gap > 0.0) & ((not crosses) | (before <= 0.0))
        before = gap
