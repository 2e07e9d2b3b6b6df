"""Exponential averages with a fixed reach.

The recursion restarts at every stretch of unix time and is read in the next stretch: each value is that of a recursion
which started one to two stretches before. A stretch of 11 periods (EMA) or 22 periods (Wilder) leaves what came before
the start a weight of at most e^-22. The average of the first stretch of the candles is unknown.
"""

import numpy as np

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.jit import inlined, lean

EMA_PERIODS, WILDER_PERIODS = 11, 22  # periods in a stretch
Pair = tuple[float, float]  # the recursion that is read now, and the one that is read in the next stretch


def ema_reach(period: int) -> int:
    """Return on how many earlier candles a value depends."""
    return 2 * EMA_PERIODS * period - 1


def wilder_reach(period: int) -> int:
    return 2 * WILDER_PERIODS * period - 1


def ema(time: Integers, values: Floats, period: int, interval_seconds: int) -> Floats:
    """Return the average with weight 2 / (period + 1). It starts at the first value: a flat line stays exact."""
    averages = np.empty(len(values))
    fill_averages(time, values, ema_weight(period), ema_stretch(period, interval_seconds), True, averages)
    return averages


def volume_ema(time: Integers, values: Floats, period: int, interval_seconds: int) -> Floats:
    """Like `ema`, but starts at zero: a first value that is a spike would weigh more than the truncated past."""
    averages = np.empty(len(values))
    fill_averages(time, values, ema_weight(period), ema_stretch(period, interval_seconds), False, averages)
    return averages


def ema_weight(period: int) -> float:
    return 2 / (period + 1)


def ema_stretch(period: int, interval_seconds: int) -> int:
    return EMA_PERIODS * period * interval_seconds


def wilder_stretch(period: int, interval_seconds: int) -> int:
    """Wilder's averages have the weight 1 / period and start at zero."""
    return WILDER_PERIODS * period * interval_seconds


@lean
def fill_averages(
    time: Integers, values: Floats, weight: float, stretch: int, from_first: bool, averages: Floats
) -> None:
    pair, end = (np.nan, np.nan), 0
    for i in range(len(values)):
        value = values[i]
        if i == 0 or time[i] >= end:
            pair = restarted(pair, value if from_first else 0.0, i, time[i], end, stretch)
            end = stretch_end(time[i], stretch)
        pair = advanced(pair, value, weight)
        averages[i] = pair[0]


@inlined
def restarted(pair: Pair, start: float, i: int, time: int, end: int, stretch: int) -> Pair:
    """Return the recursions at candle i, the first of a stretch; `end` is the end of the stretch before it."""
    whole = i > 0 or time % stretch == 0  # the candles may begin in the middle of a stretch
    follows = i > 0 and time < end + stretch
    return pair[1] if follows else np.nan, start if whole else np.nan


@inlined
def stretch_end(time: int, stretch: int) -> int:
    return (time // stretch + 1) * stretch


@inlined
def advanced(pair: Pair, value: float, weight: float) -> Pair:
    return pair[0] + (value - pair[0]) * weight, pair[1] + (value - pair[1]) * weight


@inlined
def added(pair: Pair, value: float, decay: float) -> Pair:
    """Return the sums with the value, after all earlier values have lost a part of their weight."""
    return pair[0] * decay + value, pair[1] * decay + value
