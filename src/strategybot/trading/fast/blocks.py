"""Evaluates a list of conditions for a block of candles at once, with the same result as `conditions_met`.

If all conditions must be true, a block is first filtered by quick tests that never reject a true candle. Candles that
pass are checked with the plain rule only when the run reaches them, which it seldom does. If one condition is enough,
or the plain rule would have to read a long window, the flags of the block are exact.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.candles import Integers
from strategybot.trading.comparisons import Flags
from strategybot.trading.conditions import (
    COMPARE,
    CROSS_BELOW,
    DROP_FROM_HIGH,
    VOLUME_SPIKE,
    Columns,
    Conditions,
    is_met,
)
from strategybot.trading.fast.judges import (
    change_in_doubt,
    far_below,
    judge_change,
    judge_comparison,
    judge_level,
    judge_volume,
    settle_change,
    settle_volume,
    surely_changed,
    volume_in_doubt,
)
from strategybot.trading.fast.windows import BLOCK, SHORT_WINDOW, Sliding, find_values, new_sliding
from strategybot.trading.jit import compiled, inlined, lean

FEW = 4 * BLOCK  # up to this many reads, the plain rule is as fast as filtering the block
BLOCK_NUMBER, FLAGS_SET = 0, 1  # cells of `block`
PERHAPS, CERTAIN = 1, 3  # values of a flag that is set


class Scratch(NamedTuple):
    """Working memory for one list of conditions, and what it holds at the moment."""

    flags: Flags  # one for each candle of the current block
    words: Integers  # the same memory, eight flags a word
    truths: Flags  # the same for a single condition
    block: Integers  # two cells: the number of the block in `flags`, and how many of its flags are set
    loose: Flags  # 1 for each condition that must still be checked where a flag is set
    sliding: Sliding


@compiled
def new_scratch(conditions: Conditions, candles: int) -> Scratch:
    words = np.zeros(BLOCK // 8, np.int64)
    return Scratch(
        words.view(np.uint8),
        words,
        np.zeros(BLOCK, np.uint8),
        np.full(2, -1, np.int64),
        np.zeros(len(conditions.kinds), np.uint8),
        new_sliding(conditions, candles),
    )


@inlined
def flagged(conditions: Conditions, columns: Columns, scratch: Scratch, i: int) -> bool:
    """Return whether the list of conditions is true at candle i."""
    if len(conditions.kinds) == 0:
        return False
    if scratch.block[BLOCK_NUMBER] != i // BLOCK:
        load_block(conditions, columns, scratch, i // BLOCK)
    flag = scratch.flags[i % BLOCK]
    return bool(flag == CERTAIN or (flag == PERHAPS and confirmed(conditions, columns, scratch, i)))


@inlined
def first_flag(conditions: Conditions, columns: Columns, scratch: Scratch, i: int, end: int) -> int:
    """Return the first candle from i on, in one block, at which the list is true, or `end`."""
    if scratch.block[BLOCK_NUMBER] != i // BLOCK:
        load_block(conditions, columns, scratch, i // BLOCK)
    if scratch.block[FLAGS_SET] == 0:
        return end
    base = i - i % BLOCK
    at, last = (i - base) >> 3, (end - 1 - base) >> 3
    word = scratch.words[at] & (-1 << (8 * (i & 7)))
    while at < last or word != 0:
        if word == 0:
            at += 1
            word = scratch.words[at]
            continue
        k = 8 * at + lowest_flag(word)
        if base + k >= end:
            return end
        if confirmed(conditions, columns, scratch, base + k):
            scratch.flags[k] = CERTAIN
            return base + k
        word &= word - 1
    return end


@inlined
def lowest_flag(word: int) -> int:
    """Return the index of the first set flag: one bit per lower flag remains, and modulo 255 counts those bits."""
    return (((word & -word) - 1) & 0x0101010101010101) % 255


@inlined
def confirmed(conditions: Conditions, columns: Columns, scratch: Scratch, i: int) -> bool:
    for row in range(len(conditions.kinds)):
        if scratch.loose[row] != 0 and not is_met_quickly(
            conditions.kinds[row], conditions.windows[row], conditions.limits[row], columns, i
        ):
            return False
    return True


@inlined
def is_met_quickly(kind: int, window: int, limit: float, columns: Columns, i: int) -> bool:
    """Return the result of the plain rule, which is called only if quick tests cannot decide."""
    if kind < DROP_FROM_HIGH and surely_changed(kind, limit, columns.close[i - window], columns.close[i]):
        return True
    if kind == VOLUME_SPIKE and i >= window and far_below(limit, columns.volume[i - window : i], columns.volume[i]):
        return False
    return is_met(kind, window, limit, columns, i)


@lean
def load_block(conditions: Conditions, columns: Columns, scratch: Scratch, block: int) -> None:
    """Compute `scratch.flags` for this block of candles."""
    low, high = block * BLOCK, min((block + 1) * BLOCK, len(columns.time))
    scratch.flags[:] = 0 if conditions.any_one else PERHAPS
    scratch.flags[high - low :] = 0
    alive = high - low
    for row in range(len(conditions.kinds)):
        scratch.loose[row] = may_be_loose(conditions, row)
        if leave_to_the_rule(conditions, row, alive):
            scratch.loose[row] = 1
        else:
            judge_block(conditions, row, columns, scratch, low, high)
            combine(conditions.any_one, scratch.flags, scratch.truths)
            alive = count(scratch.words)
    scratch.block[BLOCK_NUMBER] = block
    scratch.block[FLAGS_SET] = alive


@lean
def may_be_loose(conditions: Conditions, row: int) -> bool:
    """Return whether the condition has a quick filter, and a plain rule that is cheap enough to check afterwards."""
    kind, window = conditions.kinds[row], conditions.windows[row]
    return bool(not conditions.any_one and kind > CROSS_BELOW and (kind < DROP_FROM_HIGH or window <= SHORT_WINDOW))


@lean
def leave_to_the_rule(conditions: Conditions, row: int, alive: int) -> bool:
    """Return whether so few candles are left that the plain rule is faster than another filter."""
    windowed = conditions.kinds[row] >= DROP_FROM_HIGH
    return bool(not conditions.any_one and windowed and alive * conditions.windows[row] <= FEW)


@lean
def count(words: Integers) -> int:
    """Return how many flags are set. Four sums are computed at once, each in 16 bits of a word."""
    pairs = 0
    for k in range(len(words)):
        pairs += (words[k] & 0x00FF00FF00FF00FF) + ((words[k] >> 8) & 0x00FF00FF00FF00FF)
    fours = pairs + (pairs >> 16)
    return (fours + (fours >> 32)) & 0xFFFF


@lean
def combine(any_one: bool, flags: Flags, truths: Flags) -> None:
    if any_one:
        for k in range(len(flags)):
            flags[k] |= truths[k]
    else:
        for k in range(len(flags)):
            flags[k] &= truths[k]


@lean
def judge_block(conditions: Conditions, row: int, columns: Columns, scratch: Scratch, low: int, high: int) -> None:
    """Write where one condition is true in the block to `scratch.truths`; an unknown value is not true."""
    kind, window, limit = conditions.kinds[row], conditions.windows[row], conditions.limits[row]
    exact = scratch.loose[row] == 0
    scratch.truths[:] = 0
    if kind == COMPARE:
        judge_comparison(columns.flags[conditions.flag_rows[row], low:high], scratch.truths)
        return
    first = max(low, window)
    if first >= high:
        return
    truths = scratch.truths[first - low : high - low]
    close = columns.close[first:high]
    values = scratch.sliding.values[: high - first]
    if kind <= CROSS_BELOW:
        judge_level(kind, limit, columns.close[first - window : high - window], close, truths)
    elif kind == VOLUME_SPIKE:
        find_values(kind, columns.volume, window, first, high, scratch.sliding, row)
        judge_volume(limit, window, values, columns.volume[first:high], truths)
        if exact and volume_in_doubt(limit, window, values, columns.volume[first:high], truths):
            settle_volume(limit, window, columns, first, values, truths)
    else:
        reference = columns.close[first - window : high - window]
        if kind >= DROP_FROM_HIGH:
            column = columns.high if kind == DROP_FROM_HIGH else columns.low
            find_values(kind, column, window, first, high, scratch.sliding, row)
            reference = values
        judge_change(kind, limit, reference, close, truths)
        if exact and change_in_doubt(kind, limit, reference, close, truths):
            settle_change(kind, limit, reference, close, truths)
