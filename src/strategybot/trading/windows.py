"""The truth of a list of conditions for a block of candles at once, equal to `all_hold` candle by candle.

Loops over a block are written so that the compiler turns them into vector instructions. A window's highest, lowest or
sum is put together from the end of one chunk and the beginning of the next, a chunk being as long as the window: two
operations a candle for any window, and nothing is ever subtracted. That sum may differ from the plain one in its last
digits, so a volume too close to call is summed again the plain way.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.conditions import (
    CROSS_ABOVE,
    CROSS_BELOW,
    DROP_FROM_CLOSE,
    DROP_FROM_HIGH,
    IS_ABOVE,
    RISE_FROM_CLOSE,
    VOLUME_SPIKE,
    Columns,
    Conditions,
    holds,
)
from strategybot.trading.jit import compiled, lean

Flags = NDArray[np.uint8]

BLOCK = 512
FEW = 2 * BLOCK  # candles read one by one cost about as much as so many in a vector loop
SHORT = 16  # a window this short is read whole for each candle
SURE, DOUBT = 1, 2
BLOCK_NUMBER, FLAGS_SET = 0, 1
TINY, HUGE = 1e-280, 1e300  # beyond these a relative error bound says nothing: the plain sum decides


class Scratch(NamedTuple):
    """Working memory for one list of conditions, and what it holds at the moment."""

    flags: Flags  # the verdict for each candle of the block at hand
    truths: Flags  # the same for a single condition
    values: Floats  # a window's highest, lowest or sum
    block: Integers  # two cells: which block the flags are of, and how many of them are set
    tables: Floats  # for each windowed condition its two halves of a chunk
    offsets: Integers
    chunks: Integers  # which chunk the tables are of


@compiled
def new_scratch(conditions: Conditions, candles: int) -> Scratch:
    rows = len(conditions.kinds)
    offsets = np.zeros(rows + 1, np.int64)
    for row in range(rows):
        needed = conditions.kinds[row] >= DROP_FROM_HIGH and conditions.windows[row] < candles
        offsets[row + 1] = offsets[row] + (2 * conditions.windows[row] if needed else 0)
    return Scratch(
        np.zeros(BLOCK, np.uint8),
        np.zeros(BLOCK, np.uint8),
        np.empty(BLOCK, np.float64),
        np.full(2, -1, np.int64),
        np.empty(offsets[rows], np.float64),
        offsets,
        np.full(rows, -1, np.int64),
    )


@lean
def load_block(conditions: Conditions, columns: Columns, scratch: Scratch, block: int) -> None:
    """Make `scratch.flags` the verdicts of this block of candles."""
    scratch.flags[:] = not conditions.any_one
    low, high = block * BLOCK, min((block + 1) * BLOCK, len(columns.time))
    alive = high - low
    for row in range(len(conditions.kinds)):
        few = not conditions.any_one and alive * conditions.windows[row] <= FEW
        if few and conditions.kinds[row] >= DROP_FROM_HIGH:
            judge_survivors(conditions, row, columns, scratch, low, high)
        else:
            judge_block(conditions, row, columns, scratch, low, high)
            combine(conditions.any_one, scratch.flags, scratch.truths)
        alive = count(scratch.flags[: high - low])
        if alive == 0 and not conditions.any_one:
            break
    scratch.block[BLOCK_NUMBER] = block
    scratch.block[FLAGS_SET] = alive


@lean
def count(flags: Flags) -> int:
    total = 0
    for k in range(len(flags)):
        total += flags[k]
    return total


@lean
def combine(any_one: bool, flags: Flags, truths: Flags) -> None:
    if any_one:
        for k in range(len(flags)):
            flags[k] |= truths[k]
    else:
        for k in range(len(flags)):
            flags[k] &= truths[k]


@lean
def judge_survivors(conditions: Conditions, row: int, columns: Columns, scratch: Scratch, low: int, high: int) -> None:
    """Where few candles are left, ask for each of them alone."""
    for i in range(low, high):
        if scratch.flags[i - low] != 0:
            scratch.flags[i - low] = holds(
                conditions.kinds[row], conditions.windows[row], conditions.limits[row], columns, i
            )


@lean
def judge_block(conditions: Conditions, row: int, columns: Columns, scratch: Scratch, low: int, high: int) -> None:
    """One condition over the block, into `scratch.truths`; unknown is not true."""
    kind, window, limit = conditions.kinds[row], conditions.windows[row], conditions.limits[row]
    scratch.truths[:] = 0
    first = max(low, window)
    if first >= high:
        return
    truths = scratch.truths[first - low : high - low]
    close = columns.close[first:high]
    if kind <= CROSS_BELOW:
        judge_level(kind, limit, columns.close[first - window : high - window], close, truths)
    elif kind in (DROP_FROM_CLOSE, RISE_FROM_CLOSE):
        judge_change(kind, limit, columns.close[first - window : high - window], close, truths)
    elif kind == VOLUME_SPIKE:
        find_values(kind, columns.volume, window, first, high, scratch, row)
        if judge_volume(limit, window, scratch.values, columns.volume[first:high], truths):
            settle_doubts(limit, window, columns, first, truths)
    else:
        column = columns.high if kind == DROP_FROM_HIGH else columns.low
        find_values(kind, column, window, first, high, scratch, row)
        judge_change(kind, limit, scratch.values, close, truths)


@lean
def judge_level(kind: int, level: float, before: Floats, close: Floats, truths: Flags) -> None:
    if kind == CROSS_ABOVE:
        for k in range(len(truths)):
            truths[k] = (before[k] < level) & (close[k] >= level)
    elif kind == CROSS_BELOW:
        for k in range(len(truths)):
            truths[k] = (before[k] > level) & (close[k] <= level)
    elif kind == IS_ABOVE:
        for k in range(len(truths)):
            truths[k] = close[k] >= level
    else:
        for k in range(len(truths)):
            truths[k] = close[k] <= level


@lean
def judge_change(kind: int, limit: float, reference: Floats, close: Floats, truths: Flags) -> None:
    if kind in (DROP_FROM_CLOSE, DROP_FROM_HIGH):
        for k in range(len(truths)):
            truths[k] = (reference[k] - close[k]) / reference[k] >= limit
    else:
        for k in range(len(truths)):
            truths[k] = (close[k] - reference[k]) / reference[k] >= limit


@lean
def judge_volume(limit: float, window: int, sums: Floats, volume: Floats, truths: Flags) -> bool:
    """SURE is beyond the rounding of any order of summing, and so is 0; is any candle in DOUBT?"""
    error = (2.0 * window + 16.0) * 2.0**-52
    doubts = 0
    for k in range(len(truths)):
        bar = limit * (sums[k] / window)
        wild = (bar < TINY) | (bar > HUGE)
        sure = (volume[k] >= bar * (1.0 + error)) & (not wild)
        doubt = (sums[k] > 0.0) & (wild | (volume[k] >= bar * (1.0 - error))) & (not sure)
        truths[k] = sure * SURE + doubt * DOUBT
        doubts += doubt
    return doubts > 0


@lean
def settle_doubts(limit: float, window: int, columns: Columns, first: int, truths: Flags) -> None:
    for k in range(len(truths)):
        if truths[k] == DOUBT:
            truths[k] = holds(VOLUME_SPIKE, window, limit, columns, first + k)


@lean
def find_values(kind: int, column: Floats, window: int, first: int, high: int, scratch: Scratch, row: int) -> None:
    """For candles first to high, into `scratch.values`, the highest, lowest or sum of the window before each."""
    values = scratch.values[: high - first]
    if window <= SHORT:
        copy(column[first - window : high - window], values)
        for back in range(window - 1, 0, -1):
            merge(kind, values, column[first - back : high - back])
        return
    ends = scratch.tables[scratch.offsets[row] : scratch.offsets[row] + window]
    starts = scratch.tables[scratch.offsets[row] + window : scratch.offsets[row + 1]]
    i = first
    while i < high:
        chunk = i // window
        if scratch.chunks[row] != chunk:
            scratch.chunks[row] = chunk
            load_chunk(kind, column, chunk * window, ends, starts)
        stop = min(high, (chunk + 1) * window)
        within = i - chunk * window
        part = values[i - first : stop - first]
        copy(ends[within : within + stop - i], part)
        merge(kind, part, starts[within : within + stop - i])
        i = stop


@lean
def load_chunk(kind: int, column: Floats, middle: int, ends: Floats, starts: Floats) -> None:
    """Around `middle`, ends[j] covers the last window − j candles before it and starts[j] the j candles from it on."""
    window = len(ends)
    ends[window - 1] = column[middle - 1]
    for j in range(window - 2, -1, -1):
        ends[j] = merged(kind, column[middle - window + j], ends[j + 1])
    starts[0] = 0.0 if kind == VOLUME_SPIKE else ends[window - 1]
    for j in range(1, min(window, len(column) - middle)):
        starts[j] = merged(kind, starts[j - 1], column[middle + j - 1])


@lean
def copy(source: Floats, into: Floats) -> None:
    for k in range(len(source)):
        into[k] = source[k]


@lean
def merged(kind: int, one: float, other: float) -> float:
    if kind == VOLUME_SPIKE:
        return one + other
    if kind == DROP_FROM_HIGH:
        return one if one > other else other
    return one if one < other else other


@lean
def merge(kind: int, values: Floats, others: Floats) -> None:
    if kind == VOLUME_SPIKE:
        for k in range(len(values)):
            values[k] += others[k]
    elif kind == DROP_FROM_HIGH:
        for k in range(len(values)):
            values[k] = values[k] if values[k] > others[k] else others[k]
    else:
        for k in range(len(values)):
            values[k] = values[k] if values[k] < others[k] else others[k]
