"""The values of a series over candles, and where one series is above or below another, as whole columns."""

import numpy as np

from strategybot.trading.engine.candles import Candles, Floats
from strategybot.trading.engine.columns import Flags
from strategybot.trading.engine.indicators.columns import shift
from strategybot.trading.engine.indicators.longer import last_closed, longer_candles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.engine.jit import lean
from strategybot.trading.language.series_kind import Series


def series_values(series: Series, candles: Candles) -> Floats:
    """Return the series at each candle, with its interval, offset, `times` and `plus`; NaN where it is unknown."""
    with np.errstate(over="ignore", invalid="ignore"):
        if series.interval is not None and _factor(series, candles.interval_seconds) > 1:
            column = _longer_column(series, candles, INTERVAL_SECONDS[series.interval])
        else:
            column = shift(series.column(candles), series.offset)
        return column if series.times == 1 and series.plus == 0 else column * series.times + series.plus


def series_reach(series: Series, interval_seconds: int) -> int:
    """Return on how many earlier candles of the run a value depends at most."""
    return _candles_of_run(series, series.reach(), interval_seconds)


def series_warm_up(series: Series, interval_seconds: int) -> int:
    """Return how many earlier candles of the run a value needs to be known."""
    return _candles_of_run(series, series.warm_up(), interval_seconds)


def comparison_flags(left: Floats, right: Floats | float, *, upward: bool, crosses: bool, within_candles: int) -> Flags:
    """Return 1 at each candle where the comparison is true, or was in one of the last so many; otherwise 0."""
    flags = np.empty(len(left), np.uint8)
    fill_flags(left, np.atleast_1d(right), 1.0 if upward else -1.0, crosses, flags)
    return flags if within_candles == 1 else _within(flags, within_candles)


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
