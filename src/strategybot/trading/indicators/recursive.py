"""Exponential averages with a fixed reach.

The recursion restarts at every stretch of unix time and is read in the next stretch: each value is that of a recursion
which started one to two stretches before. A stretch of 11 periods (EMA) or 22 periods (Wilder) leaves what came before
the start a weight of at most e^-22. The average of the first stretch of the candles is unknown.
"""

import numpy as np

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.jit import lean

EMA_PERIODS, WILDER_PERIODS = 11, 22  # periods in a stretch


def ema_reach(period: int) -> int:
    """Number of candles before it that a value depends on."""
    return 2 * EMA_PERIODS * period - 1


def wilder_reach(period: int) -> int:
    return 2 * WILDER_PERIODS * period - 1


def ema(time: Integers, values: Floats, period: int, interval_seconds: int) -> Floats:
    """The average with weight 2 / (period + 1). It starts at the first value, so that a flat line stays exact."""
    averages = np.empty(len(values))
    fill_from_first(time, values, 2 / (period + 1), EMA_PERIODS * period * interval_seconds, averages)
    return averages


def volume_ema(time: Integers, values: Floats, period: int, interval_seconds: int) -> Floats:
    """Like `ema`, but starts at zero: a first value that is a spike would weigh more than the truncated past."""
    averages = np.empty(len(values))
    fill_from_zero(time, values, 2 / (period + 1), EMA_PERIODS * period * interval_seconds, averages)
    return averages


def wilder(time: Integers, values: Floats, period: int, interval_seconds: int) -> Floats:
    """Wilder's average: weight 1 / period, started at zero."""
    averages = np.empty(len(values))
    fill_from_zero(time, values, 1 / period, WILDER_PERIODS * period * interval_seconds, averages)
    return averages


@lean
def fill_from_first(time: Integers, values: Floats, weight: float, stretch: int, averages: Floats) -> None:
    older, newer, boundary = np.nan, np.nan, 0
    for i in range(len(values)):
        value = values[i]
        if i == 0 or time[i] >= boundary:
            whole = i > 0 or time[i] % stretch == 0  # the candles may begin in the middle of a stretch
            older = newer if i > 0 and time[i] < boundary + stretch else np.nan
            newer = value if whole else np.nan
            boundary = (time[i] // stretch + 1) * stretch
        else:
            newer += (value - newer) * weight
        older += (value - older) * weight
        averages[i] = older


@lean
def fill_from_zero(time: Integers, values: Floats, weight: float, stretch: int, averages: Floats) -> None:
    older, newer, boundary = np.nan, np.nan, 0
    for i in range(len(values)):
        value = values[i]
        if i == 0 or time[i] >= boundary:
            whole = i > 0 or time[i] % stretch == 0
            older = newer if i > 0 and time[i] < boundary + stretch else np.nan
            newer = 0.0 if whole else np.nan
            boundary = (time[i] // stretch + 1) * stretch
        older += (value - older) * weight
        newer += (value - newer) * weight
        averages[i] = older
