"""The highest, the lowest or the sum of the window before each candle, for many candles at once.

Loops are written so that the compiler turns them into vector instructions. A short window is built from shorter ones,
doubling each time. A long window is built from the end of one chunk and the start of the next; a chunk is as long as
the window. Nothing is subtracted, so a sum is as accurate as that of the plain rule. It is added in another order,
so it may differ in its last digits.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.conditions import DROP_FROM_HIGH, VOLUME_SPIKE, Conditions
from strategybot.trading.jit import compiled, inlined, lean

BLOCK = 1024  # candles at once
SHORT_WINDOW = 128  # up to this length doubling is faster


class Sliding(NamedTuple):
    """Working memory for one list of conditions."""

    values: Floats  # the highest, lowest or sum of each window, as last computed
    spare: Floats
    tables: Floats  # for each condition with a long window: the ends and the starts of its chunk
    offsets: Integers
    chunks: Integers  # the number of the chunk in each table


@compiled
def new_sliding(conditions: Conditions, candles: int) -> Sliding:
    rows = len(conditions.kinds)
    offsets = np.zeros(rows + 1, np.int64)
    for row in range(rows):
        window = conditions.windows[row]
        needed = conditions.kinds[row] >= DROP_FROM_HIGH and SHORT_WINDOW < window < candles
        offsets[row + 1] = offsets[row] + (2 * window if needed else 0)
    return Sliding(
        np.empty(BLOCK + SHORT_WINDOW, np.float64),
        np.empty(BLOCK + SHORT_WINDOW, np.float64),
        np.empty(offsets[rows], np.float64),
        offsets,
        np.full(rows, -1, np.int64),
    )


@lean
def find_values(kind: int, column: Floats, window: int, first: int, high: int, sliding: Sliding, row: int) -> None:
    """Write the highest, lowest or sum of the window before each candle from `first` to `high` to `sliding.values`."""
    if window <= SHORT_WINDOW:
        grow(kind, column[first - window : high - 1], window, sliding.values, sliding.spare)
    else:
        join_chunks(kind, column, window, first, high, sliding, row)


@lean
def grow(kind: int, column: Floats, window: int, values: Floats, spare: Floats) -> None:
    """Write the result of every window of the column to `values`, doubling by the bits of the window's length."""
    bits = 0
    while window >> (bits + 1) > 0:
        bits += 1
    source, into, other = column, values, spare
    if bits % 2 == 0:
        into, other = spare, values
    if bits == 0:
        copy(column, values)
    span = 1
    while bits > 0:
        bits -= 1
        odd = (window >> bits) & 1
        length = len(column) + 1 - 2 * span - odd
        merge(kind, source[:length], source[span : span + length], into[:length])
        if odd == 1:
            add_to(kind, into[:length], column[2 * span : 2 * span + length])
        source, into, other = into, other, into
        span = 2 * span + odd


@lean
def join_chunks(kind: int, column: Floats, window: int, first: int, high: int, sliding: Sliding, row: int) -> None:
    ends = sliding.tables[sliding.offsets[row] : sliding.offsets[row] + window]
    starts = sliding.tables[sliding.offsets[row] + window : sliding.offsets[row + 1]]
    i = first
    while i < high:
        chunk = i // window
        if sliding.chunks[row] != chunk:
            sliding.chunks[row] = chunk
            load_chunk(kind, column, chunk * window, ends, starts)
        stop = min(high, (chunk + 1) * window)
        low, top = i - chunk * window, stop - chunk * window
        merge(kind, ends[low:top], starts[low:top], sliding.values[i - first : stop - first])
        i = stop


@lean
def load_chunk(kind: int, column: Floats, middle: int, ends: Floats, starts: Floats) -> None:
    """Fill ends[j] with the last (window − j) candles before `middle`, and starts[j] with the j candles from it on.

    Both are filled in one loop: each result depends on the one before it, so two chains at once are faster.
    """
    last = len(ends) - 1
    end = column[middle - 1]
    start = 0.0 if kind == VOLUME_SPIKE else end
    ends[last], starts[0] = end, start
    known = min(last, len(column) - middle)
    for j in range(known):
        end = merged(kind, end, column[middle - 2 - j])
        start = merged(kind, start, column[middle + j])
        ends[last - 1 - j], starts[j + 1] = end, start
    for j in range(known, last):
        end = merged(kind, end, column[middle - 2 - j])
        ends[last - 1 - j] = end


@lean
def copy(source: Floats, into: Floats) -> None:
    for k in range(len(source)):
        into[k] = source[k]


@lean
def merge(kind: int, one: Floats, other: Floats, into: Floats) -> None:
    for k in range(len(into)):
        into[k] = merged(kind, one[k], other[k])


@lean
def add_to(kind: int, values: Floats, others: Floats) -> None:
    for k in range(len(values)):
        values[k] = merged(kind, values[k], others[k])


@inlined
def merged(kind: int, one: float, other: float) -> float:
    if kind == VOLUME_SPIKE:
        return one + other
    if kind == DROP_FROM_HIGH:
        return one if one > other else other
    return one if one < other else other
