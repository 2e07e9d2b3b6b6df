"""Supertrend, parabolic SAR, Aroon and streaks: what they are depends on the course of the price, step by step.

Like the averages of `recursive` the first two restart at every stretch of unix time and are read one stretch later, so
that a value depends on a fixed number of candles. Until a restarted one can be read they start at the first candle.
"""

import numpy as np

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.indicators.recursive import WILDER_PERIODS, read_from
from strategybot.trading.engine.jit import lean

SAR_STRETCH = 500  # candles
LONGEST_STREAK = 100


def supertrend(candles: Candles, average_range: Floats, period: int, multiplier: float, line: str) -> Floats:
    """Return the line, or 1 where the price is above it and -1 where it is below; it starts below."""
    values = np.full(len(candles), np.nan)
    stretch = WILDER_PERIODS * period * candles.interval_seconds
    begins = _read_from(candles, 1, stretch)  # the range restarts too
    middle = candles.low + (candles.high - candles.low) / 2
    bands = middle - multiplier * average_range, middle + multiplier * average_range
    fill_supertrend(_runs(candles, begins, stretch), candles.close, *bands, line == "line", values)
    return values


def parabolic_sar(candles: Candles, step: float, most: float) -> Floats:
    values = np.full(len(candles), np.nan)
    stretch = SAR_STRETCH * candles.interval_seconds
    runs = _runs(candles, int(candles.time[0]) if len(candles) else 0, stretch)
    fill_sar(runs, candles.high, candles.low, step, most, values)
    return values


def _read_from(candles: Candles, first: int, stretch: int) -> int:
    return read_from(int(candles.time[first]), stretch) if len(candles) > first else 0


def _runs(candles: Candles, begins: int, stretch: int) -> Integers:
    """Return rows of three candles: where a recursion starts, and from where up to where it is read.

    `begins` is when the values begin that do not depend on the first candle. A start of -1 is unknown: after a gap as
    long as a stretch.
    """
    time = candles.time
    if len(time) == 0:
        return np.empty((0, 3), np.int64)
    settled = int(time.searchsorted(read_from(begins, stretch)))
    firsts = np.flatnonzero(np.diff(time // stretch, prepend=-1))
    ends = np.append(firsts[1:], len(time))
    follows = np.diff(time[firsts] // stretch, prepend=-1) == 1
    starts = np.where(follows, np.append(-1, firsts[:-1]), -1)
    restarted = np.column_stack((starts, firsts, ends))[firsts >= settled]
    return np.vstack(([[0, 0, settled]], restarted)).astype(np.int64)


@lean
def fill_supertrend(
    runs: Integers, close: Floats, lows: Floats, highs: Floats, wants_line: bool, values: Floats
) -> None:
    """Write the line or the direction. A band moves only towards the price, until a close is beyond it."""
    for run in range(len(runs)):
        start, first, end = runs[run, 0], runs[run, 1], runs[run, 2]
        lower, upper, rising = np.nan, np.nan, False
        for i in range(start, end if start >= 0 else start):
            if lows[i] != lows[i]:
                continue
            known = lower == lower
            lower = lows[i] if not known or lows[i] > lower or close[i - 1] < lower else lower
            upper = highs[i] if not known or highs[i] < upper or close[i - 1] > upper else upper
            rising = known and (close[i] >= lower if rising else close[i] > upper)
            if i >= first:
                values[i] = (lower if rising else upper) if wants_line else (1.0 if rising else -1.0)


@lean
def fill_sar(runs: Integers, high: Floats, low: Floats, step: float, most: float, values: Floats) -> None:
    """Write the parabolic SAR as TA-Lib does. In a falling trend the prices are negated, so that it is a rising one."""
    for run in range(len(runs)):
        start, first, end = runs[run, 0], runs[run, 1], runs[run, 2]
        sign, sar, extreme, pace = 1.0, 0.0, 0.0, step
        for i in range(start + 1, end if start >= 0 else start):
            before = max(i - 1, start + 1)
            if i == start + 1:
                fall = low[start] - low[i]
                sign = -1.0 if fall > 0.0 and fall > high[i] - high[start] else 1.0
                sar, extreme = (low[start], high[i]) if sign > 0.0 else (-high[start], -low[i])
            near, near_before = (low[i], low[before]) if sign > 0.0 else (-high[i], -high[before])
            far, far_before = (high[i], high[before]) if sign > 0.0 else (-low[i], -low[before])
            if near <= sar:  # the trend turns
                turn = max(extreme, far, far_before)
                value, sign, extreme, sar, pace = sign * turn, -sign, -near, -turn, step
                near, near_before = -far, -far_before
            else:
                value = sign * sar
                if far > extreme:
                    extreme, pace = far, min(pace + step, most)
            sar = min(sar + pace * (extreme - sar), near, near_before)
            if i >= first:
                values[i] = value


def candles_since_highest(values: Floats, window: int) -> Floats:
    """Return how many candles ago the highest of the last `window` + 1 values was; of equal ones the last counts."""
    since = np.full(len(values), np.nan)
    fill_since_highest(values, window, since)
    return since


@lean
def fill_since_highest(values: Floats, window: int, since: Floats) -> None:
    place = -1
    for i in range(window, len(values)):
        if place < i - window:
            place = i - window
            for k in range(i - window + 1, i + 1):
                place = k if values[k] >= values[place] else place
        elif values[i] >= values[place]:
            place = i
        since[i] = i - place


def streak(close: Floats) -> Floats:
    """Return how many closes in a row rose, or as a negative number fell, at most 100; 0 where one is unchanged."""
    lengths = np.full(len(close), np.nan)
    fill_streaks(close, lengths)
    return lengths


@lean
def fill_streaks(close: Floats, lengths: Floats) -> None:
    length = 0
    for i in range(1, len(close)):
        sign = 1 if close[i] > close[i - 1] else -1 if close[i] < close[i - 1] else 0
        length = sign * min(LONGEST_STREAK, length * sign + 1) if length * sign > 0 else sign
        lengths[i] = length
