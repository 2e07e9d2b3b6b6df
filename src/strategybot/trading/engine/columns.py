"""Columns of flags: where a change of the price, a price level or a volume is as a condition wants it.

A column has a flag for each candle. It is 0 where the window before the candle is not complete or a volume in it is
unknown. What a window is compared with is computed for all candles at once; nothing in it is ever subtracted.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.jit import inlined, lean

Flags = NDArray[np.uint8]
Truths = NDArray[np.bool_]

BLOCK = 65_536  # candles at once: what they are compared with stays in the processor's cache
SHORT_WINDOW = 128  # candles: up to this length windows are made by doubling, some of them at once
SOME = 1024
LONG_WINDOW = 1024  # candles: the volumes of a longer window are summed by stretches of time
STRETCH_BITS = 13  # a stretch is as many seconds as two to this power
SLACK = 2.0**-50  # more than the rounding of a product and of a quotient
TINY, HUGE = 1e-280, 1e300  # beyond these a relative error bound says nothing
HIGHEST, LOWEST, SUM = 0, 1, 2
IN_DOUBT = 2  # a flag that depends on the order in which the volumes are added


class Change(NamedTuple):
    """A fall (sign -1) or a rise (sign 1) of at least `limit`, from an earlier close or from the extreme since then."""

    sign: float
    limit: float
    window: int
    from_extreme: bool


def change_flags(candles: Candles, change: Change) -> Flags:
    """Return 1 where the close has changed at least so much, as a fraction of the price it is compared with."""
    flags, close, window = _unset(len(candles), change.window), candles.close, change.window
    if change.from_extreme:
        blocks = _windows(_extreme_column(candles, change), _extreme(change), window)
    else:
        blocks = (
            (rows, close[rows.start - window : rows.stop - window]) for rows in _blocks(len(close), window, BLOCK)
        )
    for rows, references in blocks:
        compare_changes(references, close[rows], change.sign, change.limit, flags[rows])
    return flags


def change_references(candles: Candles, change: Change, places: Integers) -> Floats:
    """Return the prices from which the change is measured at these ascending candles; their windows are complete."""
    if not change.from_extreme:
        return candles.close[places - change.window]
    return _window_values(_extreme_column(candles, change), _extreme(change), change.window, places)


def spike_flags(candles: Candles, window: int, multiplier: float) -> Flags:
    """Return 1 where the volume is at least so many times the mean of the window before it, which is above zero."""
    flags, volume = _unset(len(candles), window), candles.volume
    for rows, sums in _windows(volume, SUM, window):
        if compare_volumes(volume[rows], sums, multiplier, window, flags[rows]):
            places = rows.start + np.flatnonzero(flags[rows] == IN_DOUBT)
            flags[places] = is_spike(volume[places], mean_volumes(candles, window, places), multiplier)
    return flags


def is_spike(volume: Floats, mean: Floats, multiplier: float) -> Truths:
    bar = multiplier * mean
    return (volume >= bar) & (bar > 0.0)


def mean_volumes(candles: Candles, window: int, places: Integers) -> Floats:
    """Return the mean volumes of the windows before these ascending candles, each summed from its oldest candle on."""
    means = np.empty(len(places))
    if window <= LONG_WINDOW:
        fill_means(candles.volume, window, places, means)
    elif len(places):
        first = int(places[0]) - window
        time, volume = candles.time[first : places[-1]], candles.volume[first : places[-1]]
        lasts = np.append(np.flatnonzero(np.diff(time >> STRETCH_BITS)), len(time) - 1)
        fill_means_by_stretches(volume, window, places - first, lasts, np.empty(len(time)), means)
    return means


def level_flags(close: Floats, level: float, sign: float, *, crosses: bool) -> Flags:
    """Return 1 where the close is at the level or beyond it; with `crosses`, only if the close before was not."""
    first = 1 if crosses else 0
    flags = _unset(len(close), first)
    compare_levels(close[: len(close) - first], close[first:], level, sign, crosses, flags[first:])
    return flags


def _unset(count: int, early: int) -> Flags:
    """Return a column whose first flags are 0; the others are to be written."""
    flags = np.empty(count, np.uint8)
    flags[:early] = 0
    return flags


def _extreme(change: Change) -> int:
    return HIGHEST if change.sign < 0 else LOWEST


def _extreme_column(candles: Candles, change: Change) -> Floats:
    return candles.high if change.sign < 0 else candles.low


def _windows(column: Floats, kind: int, window: int) -> Iterator[tuple[slice, Floats]]:
    """Yield blocks of candles, and the highest, lowest or sum of the window before each; the windows are complete."""
    block = max(BLOCK, 4 * window)
    values = np.empty(min(block, len(column)))
    room = np.empty((2, SOME + SHORT_WINDOW if window <= SHORT_WINDOW else min(window, len(column))))
    for rows in _blocks(len(column), window, block):
        FILLS[kind](column[rows.start - window : rows.stop], window, room, values)
        yield rows, values[: rows.stop - rows.start]


def _blocks(count: int, window: int, block: int) -> Iterator[slice]:
    """Yield blocks of the candles whose window is complete."""
    for low in range(window, count, block):
        yield slice(low, min(low + block, count))


def _window_values(column: Floats, kind: int, window: int, places: Integers) -> Floats:
    if len(places) == 0:
        return np.empty(0)
    first, last = int(places[0]) - window, int(places[-1])
    values = np.empty(last + 1 - first - window)
    for rows, found in _windows(column[first : last + 1], kind, window):
        values[rows.start - window : rows.stop - window] = found
    chosen: Floats = values[places - places[0]]
    return chosen


@lean
def compare_changes(references: Floats, close: Floats, sign: float, limit: float, flags: Flags) -> None:
    """Write where the quotient reaches the limit. A product decides faster, unless one is closer than rounding."""
    least, most, doubts = limit * (1.0 - SLACK), limit * (1.0 + SLACK) if limit > TINY else np.inf, 0
    for k in range(len(flags)):
        change = sign * (close[k] - references[k])
        may_be = change >= least * references[k]
        flags[k] = may_be
        doubts |= may_be & (change < most * references[k] + TINY)
    for k in range(len(flags) if doubts != 0 else 0):
        flags[k] = sign * (close[k] - references[k]) / references[k] >= limit


@lean
def compare_levels(before: Floats, close: Floats, level: float, sign: float, crosses: bool, flags: Flags) -> None:
    for k in range(len(flags)):
        flags[k] = (sign * (close[k] - level) >= 0.0) & ((not crosses) | (sign * (before[k] - level) < 0.0))


@lean
def compare_volumes(volume: Floats, sums: Floats, multiplier: float, window: int, flags: Flags) -> bool:
    """Write the flags, IN_DOUBT where another order of the sum could change them. Return whether any is in doubt.

    The bounds hold for the rounding of a sum in any order and of the operations that follow it.
    """
    error = (2.0 * window + 16.0) * 2.0**-52
    least, most, doubts = multiplier / window * (1.0 - error), multiplier / window * (1.0 + error), 0
    for k in range(len(flags)):
        bar = least * (sums[k] - TINY)
        may_be = (volume[k] >= (bar if bar < HUGE else HUGE)) & (sums[k] > 0.0)
        is_sure = (volume[k] >= most * sums[k]) & (sums[k] > TINY) & (sums[k] < HUGE)
        flags[k] = may_be
        doubts |= may_be & (not is_sure)
    for k in range(len(flags) if doubts != 0 else 0):  # in a loop of its own: blocks with a doubt are rare
        is_sure = volume[k] >= most * sums[k] and TINY < sums[k] < HUGE
        flags[k] = IN_DOUBT if flags[k] != 0 and not is_sure else flags[k]
    return doubts != 0


@lean
def fill_means(volume: Floats, window: int, places: Integers, means: Floats) -> None:
    for k in range(len(places)):
        total = 0.0
        for amount in volume[places[k] - window : places[k]]:
            total += amount
        means[k] = total / window


@lean
def fill_means_by_stretches(
    volume: Floats, window: int, places: Integers, lasts: Integers, sums: Floats, means: Floats
) -> None:
    """Write the means as sums of the sums of stretches, which windows share; `lasts` are the stretches' last candles.

    `sums` has room for the volume of each candle's stretch up to the candle.
    """
    begin = 0
    for stretch in range(len(lasts)):
        total = 0.0
        for k in range(begin, lasts[stretch] + 1):
            total += volume[k]
            sums[k] = total
        begin = lasts[stretch] + 1
    head = 0
    for k in range(len(places)):
        first, end = places[k] - window, places[k]
        while lasts[head] < first:
            head += 1
        done = min(end, lasts[head] + 1)
        total = 0.0
        for amount in volume[first:done]:
            total += amount
        stretch = head
        while done < end:
            stretch += 1
            done = min(end, lasts[stretch] + 1)
            total += sums[done - 1]
        means[k] = total / window


@lean
def fill_highest(column: Floats, window: int, room: Floats, values: Floats) -> None:
    fill_windows(HIGHEST, column, window, room, values)


@lean
def fill_lowest(column: Floats, window: int, room: Floats, values: Floats) -> None:
    fill_windows(LOWEST, column, window, room, values)


@lean
def fill_sums(column: Floats, window: int, room: Floats, values: Floats) -> None:
    fill_windows(SUM, column, window, room, values)


FILLS = (fill_highest, fill_lowest, fill_sums)


@inlined
def fill_windows(kind: int, column: Floats, window: int, room: Floats, values: Floats) -> None:
    """Write the result of the window before each candle from `window` on."""
    if window > SHORT_WINDOW:
        join_chunks(kind, column, window, room, values)
    else:
        for low in range(window, len(column), SOME):
            high = min(low + SOME, len(column))
            double_windows(kind, column[low - window : high - 1], window, room, values[low - window : high - window])


@inlined
def double_windows(kind: int, column: Floats, window: int, room: Floats, values: Floats) -> None:
    """Write the result of every window of the column: by the bits of its length, from windows of half the length."""
    bits = 0
    while window >> (bits + 1) > 0:
        bits += 1
    source, span, spare = column, 1, 0
    while bits > 0:
        bits -= 1
        odd = (window >> bits) & 1
        count = len(column) + 1 - 2 * span - odd
        into = values[:count] if bits == 0 else room[spare, :count]
        one, other, last = source[:count], source[span : span + count], column[2 * span : 2 * span + count]
        if odd == 0:
            for k in range(count):
                into[k] = merge(kind, one[k], other[k])
        else:
            for k in range(count):
                into[k] = merge(kind, merge(kind, one[k], other[k]), last[k])
        source, span, spare = into, 2 * span + odd, 1 - spare
    if window == 1:
        for k in range(len(column)):
            values[k] = column[k]


@inlined
def join_chunks(kind: int, column: Floats, window: int, room: Floats, values: Floats) -> None:
    """Write the same, whatever the length of the window in the same time.

    The column is cut into chunks as long as the window. A window is the end of one chunk and the start of the next.
    """
    ends, starts = room[0], room[1]
    for middle in range(window, len(column), window):
        end = column[middle - 1]
        start = 0.0 if kind == SUM else end
        ends[window - 1], starts[0] = end, start
        both = min(window - 1, len(column) - middle)
        for j in range(both):  # in one loop: each result waits for the one before it
            end = merge(kind, end, column[middle - 2 - j])
            start = merge(kind, start, column[middle + j])
            ends[window - 2 - j], starts[j + 1] = end, start
        for j in range(both, window - 1):
            end = merge(kind, end, column[middle - 2 - j])
            ends[window - 2 - j] = end
        into = values[middle - window : middle - window + min(window, len(column) - middle)]
        for j in range(len(into)):
            into[j] = merge(kind, ends[j], starts[j])


@inlined
def merge(kind: int, one: float, other: float) -> float:
    if kind == SUM:
        return one + other
    if kind == HIGHEST:
        return one if one > other else other
    return one if one < other else other
