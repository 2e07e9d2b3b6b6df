"""Conditions as numbers, and whether they are true at a candle. The fast path must give the same results as this code.

A condition is unknown, and so not true, at a candle that has fewer than `window` candles before it. A NaN (an unknown
volume) fails every comparison by itself.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from strategybot.trading.candles import NO_MINUTES, Candles, Floats, Integers
from strategybot.trading.comparisons import Flags, comparison_flags, comparison_reach, comparison_warm_up
from strategybot.trading.jit import inlined, lean
from strategybot.trading.language.conditions import (
    Compare,
    Condition,
    PriceDrop,
    PriceLevel,
    PriceRise,
    VolumeSpike,
    WindowCondition,
)
from strategybot.trading.language.series import Series
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import Match, duration_seconds
from strategybot.trading.risk import Minutes

# Cheapest first: the scan evaluates them in this order.
IS_ABOVE, IS_BELOW, CROSS_ABOVE, CROSS_BELOW, DROP_FROM_CLOSE, RISE_FROM_CLOSE = 0, 1, 2, 3, 4, 5
DROP_FROM_HIGH, RISE_FROM_LOW, VOLUME_SPIKE = 6, 7, 8
COMPARE = -1  # already answered, candle by candle, in `Columns.flags`
LONG_WINDOW = 1024  # candles: the volumes of a longer window are summed by stretches of time
STRETCH_BITS = 13  # a stretch is as many seconds as two to this power


class Columns(NamedTuple):
    time: Integers
    open: Floats
    high: Floats
    low: Floats
    close: Floats
    volume: Floats
    flags: Flags  # a row a comparison: 1 at each candle where it is true
    minutes: Minutes  # that decide candles in doubt


class Conditions(NamedTuple):
    """One row per condition: its kind, its window in candles and its limit. Any one of them, or all, must be true."""

    kinds: Integers
    windows: Integers
    limits: Floats
    flag_rows: Integers  # the row of each comparison in `Columns.flags`
    any_one: bool


def comparisons_of(strategy: Strategy) -> list[Compare]:
    """Return the comparisons in the order of their rows in `Columns.flags`: those of the entry, then of the exit."""
    return [each for each in _all_conditions(strategy) if isinstance(each, Compare)]


def columns_of(candles: Candles, comparisons: Sequence[Compare] = (), minutes: Candles = NO_MINUTES) -> Columns:
    flags = np.empty((len(comparisons), len(candles)), np.uint8)
    known: dict[Series, Floats] = {}
    for row, comparison in enumerate(comparisons):
        flags[row] = comparison_flags(comparison, candles, known)
    return Columns(*candles.columns(), flags, Minutes(minutes.time, minutes.open, minutes.high, minutes.low))


def window_candles(condition: Condition, interval_seconds: int) -> int:
    """Return on how many earlier candles the condition depends at most."""
    match condition:
        case Compare():
            return comparison_reach(condition, interval_seconds)
        case PriceLevel():
            return 1 if condition.trigger == "cross" else 0
        case _:
            return max(1, -(-duration_seconds(condition.window) // interval_seconds))


def warm_up_candles(condition: Condition, interval_seconds: int) -> int:
    """Return how many earlier candles a candle needs for the condition to be known."""
    if isinstance(condition, Compare):
        return comparison_warm_up(condition, interval_seconds)
    return window_candles(condition, interval_seconds)


def lookback_candles(strategy: Strategy, interval_seconds: int) -> int:
    """Return on how many earlier candles the conditions of the strategy depend at most."""
    return max(window_candles(each, interval_seconds) for each in _all_conditions(strategy))


def known_after_candles(strategy: Strategy, interval_seconds: int) -> int:
    """Return how many earlier candles a candle needs for every condition of the strategy to be known."""
    return max(warm_up_candles(each, interval_seconds) for each in _all_conditions(strategy))


def _all_conditions(strategy: Strategy) -> list[Condition]:
    return [*strategy.conditions, *strategy.exit_conditions]


def encode(conditions: Sequence[Condition], match: Match, interval_seconds: int, first_flag_row: int = 0) -> Conditions:
    """Return the conditions for the compiled code, cheapest first. Their order does not change the result."""
    rows = []
    for each in conditions:
        if isinstance(each, Compare):
            rows.append((COMPARE, 0, 0.0, first_flag_row))
            first_flag_row += 1
        else:
            rows.append((kind_of(each), window_candles(each, interval_seconds), limit_of(each), -1))
    rows.sort()
    kinds, windows, limits, flag_rows = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Conditions(
        np.array(kinds, dtype=np.int64),
        np.array(windows, dtype=np.int64),
        np.array(limits, dtype=np.float64),
        np.array(flag_rows, dtype=np.int64),
        match == "any" and len(rows) > 1,  # of a single one both are true, and this is the faster
    )


def kind_of(condition: WindowCondition) -> int:
    match condition:
        case PriceDrop():
            return DROP_FROM_CLOSE if condition.reference == "close" else DROP_FROM_HIGH
        case PriceRise():
            return RISE_FROM_CLOSE if condition.reference == "close" else RISE_FROM_LOW
        case VolumeSpike():
            return VOLUME_SPIKE
        case PriceLevel():
            first = CROSS_ABOVE if condition.trigger == "cross" else IS_ABOVE
            return first if condition.direction == "above" else first + 1


def limit_of(condition: WindowCondition) -> float:
    match condition:
        case PriceDrop() | PriceRise():
            return condition.percent / 100
        case VolumeSpike():
            return condition.multiplier
        case PriceLevel():
            return condition.level


@inlined
def is_met(kind: int, window: int, limit: float, columns: Columns, i: int) -> bool:
    """Return whether one condition is true at candle i."""
    if i < window:
        return False
    if kind <= CROSS_BELOW:
        return level_holds(kind, limit, columns.close, i)
    if kind == VOLUME_SPIKE:
        return bool(columns.volume[i] >= limit * mean_volume(columns, window, i) > 0.0)
    change = price_change(kind, window, columns, i)
    return change >= limit


@inlined
def level_holds(kind: int, level: float, close: Floats, i: int) -> bool:
    if kind == IS_ABOVE:
        return bool(close[i] >= level)
    if kind == IS_BELOW:
        return bool(close[i] <= level)
    if kind == CROSS_ABOVE:
        return bool(close[i - 1] < level <= close[i])
    return bool(close[i - 1] > level >= close[i])


@inlined
def price_change(kind: int, window: int, columns: Columns, i: int) -> float:
    """Return the fall or rise to the close as a fraction of its reference. The window must be complete."""
    return change_from(kind, price_reference(kind, window, columns, i), float(columns.close[i]))


@inlined
def price_reference(kind: int, window: int, columns: Columns, i: int) -> float:
    if kind in (DROP_FROM_CLOSE, RISE_FROM_CLOSE):
        return float(columns.close[i - window])
    if kind == DROP_FROM_HIGH:
        return highest(columns.high, window, i)
    return lowest(columns.low, window, i)


@inlined
def change_from(kind: int, reference: float, close: float) -> float:
    if kind in (DROP_FROM_CLOSE, DROP_FROM_HIGH):
        return (reference - close) / reference
    return (close - reference) / reference


@inlined
def highest(high: Floats, window: int, i: int) -> float:
    best = float(high[i - window])
    for price in high[i - window + 1 : i]:
        best = max(best, price)
    return best


@inlined
def lowest(low: Floats, window: int, i: int) -> float:
    best = float(low[i - window])
    for price in low[i - window + 1 : i]:
        best = min(best, price)
    return best


@inlined
def mean_volume(columns: Columns, window: int, i: int) -> float:
    """Return the mean volume of the window before i, summed from the oldest candle on; NaN if one is unknown."""
    if window > LONG_WINDOW:
        return sum_by_stretches(columns.time, columns.volume, i - window, i) / window
    total = 0.0
    for amount in columns.volume[i - window : i]:
        total += amount
    return total / window


@lean
def sum_by_stretches(time: Integers, volume: Floats, first: int, end: int) -> float:
    """Return the sum of the sums of each stretch of time, so that overlapping windows can share them."""
    total, part = 0.0, 0.0
    for k in range(first, end):
        if k > first and time[k] >> STRETCH_BITS != time[k - 1] >> STRETCH_BITS:
            total += part
            part = 0.0
        part += volume[k]
    return total + part


@lean
def conditions_met(conditions: Conditions, columns: Columns, i: int) -> bool:
    """Return whether the list of conditions is met at candle i. An empty list is never met."""
    for row in range(len(conditions.kinds)):
        if conditions.kinds[row] == COMPARE:
            truth = bool(columns.flags[conditions.flag_rows[row], i])
        else:
            truth = is_met(conditions.kinds[row], conditions.windows[row], conditions.limits[row], columns, i)
        if truth == conditions.any_one:
            return truth
    return len(conditions.kinds) > 0 and not conditions.any_one
