"""Exponential averages with a fixed reach.

The recursion restarts at every stretch of unix time and is read in the next stretch: each value is that of a recursion
which started one to two stretches before. A stretch of 11 periods (EMA) or 22 periods (Wilder) leaves what came before
the start a weight of at most e^-22.

Until the candles hold a whole stretch, no restarted recursion can be read. There the average is the textbook's: it
starts at the first candle with the plain mean of the first `period` values. Where the first restarted recursion is read
follows from the time of the first candle alone, so candles that hold the whole reach always give restarted values.
"""

import numpy as np

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.jit import inlined, lean

EMA_PERIODS, WILDER_PERIODS = 11, 22  # periods in a stretch
Pair = tuple[float, float]  # the recursion that is read now, and the one that is read in the next stretch


def ema_reach(period: int) -> int:
    """Return on how many earlier candles a value depends."""
    return 2 * EMA_PERIODS * period - 1


def wilder_reach(period: int) -> int:
    return 2 * WILDER_PERIODS * period - 1


def ema(
    time: Integers,
    values: Floats,
    period: int,
    interval_seconds: int,
    textbook: bool,
    *,
    restarts_at_zero: bool = False,
) -> Floats:
    """Return the average with weight 2 / (period + 1).

    It restarts at the first value of a stretch, so that a flat line stays exact; or at zero, if a first value that is a
    spike would weigh more than the truncated past. Without `textbook` it is unknown until a restarted value is read.
    """
    averages, weight = np.empty(len(values)), ema_weight(period)
    stretch = ema_stretch(period, interval_seconds)
    fill_averages(time, values, weight, stretch, not restarts_at_zero, averages)
    if textbook and len(time):
        end = int(time.searchsorted(read_from(int(time[0]), stretch)))
        fill_textbook_averages(values, end, period, weight, averages)
    return averages


def ema_weight(period: int) -> float:
    return 2 / (period + 1)


def ema_stretch(period: int, interval_seconds: int) -> int:
    return EMA_PERIODS * period * interval_seconds


def wilder_stretch(period: int, interval_seconds: int) -> int:
    """Wilder's averages have the weight 1 / period and start at zero."""
    return WILDER_PERIODS * period * interval_seconds


def read_from(begin: int, stretch: int) -> int:
    """Return the time from which restarted recursions are read if their values begin at `begin`.

    The first stretch that is whole is the first in which a recursion restarts; it is read in the next one.
    """
    return (-(-begin // stretch) + 1) * stretch


@lean
def fill_averages(
    time: Integers, values: Floats, weight: float, stretch: int, from_first: bool, averages: Floats
) -> None:
    pair, end = (np.nan, np.nan), 0
    for i in range(len(values)):
        value = values[i]
        if i == 0 or time[i] >= end:
            pair = restart(pair, value if from_first else 0.0, i, time[i], end, stretch)
            end = stretch_end(time[i], stretch)
        pair = advance(pair, value, weight)
        averages[i] = pair[0]


@inlined
def restart(pair: Pair, start: float, i: int, time: int, end: int, stretch: int) -> Pair:
    """Return the recursions at candle i, the first of a stretch; `end` is the end of the stretch before it."""
    whole = i > 0 or time % stretch == 0  # the candles may begin in the middle of a stretch
    follows = i > 0 and time < end + stretch
    return pair[1] if follows else np.nan, start if whole else np.nan


@inlined
def stretch_end(time: int, stretch: int) -> int:
    return (time // stretch + 1) * stretch


@inlined
def advance(pair: Pair, value: float, weight: float) -> Pair:
    return pair[0] + (value - pair[0]) * weight, pair[1] + (value - pair[1]) * weight


@inlined
def add(pair: Pair, value: float, decay: float) -> Pair:
    """Return the sums with the value, after all earlier values have lost a part of their weight."""
    return pair[0] * decay + value, pair[1] * decay + value


@lean
def fill_textbook_averages(values: Floats, end: int, period: int, weight: float, averages: Floats) -> None:
    """Write the textbook's average of values[:end], and NaN before it is known.

    The mean of the first `period` values starts it; it starts again after an unknown value.
    """
    average, count = 0.0, 0
    for i in range(end):
        count = count + 1 if values[i] == values[i] else 0
        if count == 0:
            average = 0.0
        else:
            average += (values[i] - average) * (weight if count > period else 1.0 / count)
        averages[i] = average if count >= period else np.nan
