"""What a condition measures: at one candle, and at many candles sooner, to the same bit.

A long window is not walked for every candle that asks: highest and lowest are the same in whatever order they are
found, and sums, which are not, are taken in the plain order but many beside each other, or made of shared stretches.
"""

import numpy as np

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.conditions import (
    CROSS_BELOW,
    STRETCH_BITS,
    VOLUME_SPIKE,
    Columns,
    change_from,
    level_holds,
    mean_volume,
    price_reference,
)
from strategybot.trading.fast.windows import BLOCK, Sliding, find_values
from strategybot.trading.jit import inlined, lean

BESIDE = 4  # sums taken beside each other


@inlined
def reference_of(kind: int, window: int, columns: Columns, i: int) -> float:
    """What the candle is compared with; needs a full window."""
    if kind <= CROSS_BELOW:
        return 0.0
    if kind == VOLUME_SPIKE:
        return mean_volume(columns, window, i)
    return price_reference(kind, window, columns, i)


@inlined
def compared(kind: int, limit: float, columns: Columns, i: int, reference: float) -> tuple[bool, float]:
    """Is the condition true, and what was measured: a price, a multiple or a percentage; NaN when there is none."""
    if kind <= CROSS_BELOW:
        return level_holds(kind, limit, columns.close, i), columns.close[i]
    if kind == VOLUME_SPIKE:
        multiple = columns.volume[i] / reference if reference > 0.0 else np.nan
        return bool(columns.volume[i] >= limit * reference > 0.0), multiple
    change = change_from(kind, reference, columns.close[i])
    return bool(change >= limit), 100.0 * change


@lean
def read_one(kind: int, window: int, limit: float, columns: Columns, i: int) -> tuple[bool, float]:
    if i < window:
        return False, np.nan
    return compared(kind, limit, columns, i, reference_of(kind, window, columns, i))


@lean
def compare_all(
    kind: int, limit: float, columns: Columns, candles: Integers, references: Floats, measured: Floats
) -> None:
    """Into `measured` what was measured where the condition is true, and NaN where it is not."""
    for k in range(len(candles)):
        fired, value = compared(kind, limit, columns, candles[k], references[k])
        measured[k] = value if fired else np.nan


@lean
def plain_references(kind: int, window: int, columns: Columns, candles: Integers, references: Floats) -> None:
    for k in range(len(candles)):
        references[k] = reference_of(kind, window, columns, candles[k])


@lean
def mean_volumes(columns: Columns, window: int, candles: Integers, means: Floats) -> None:
    """`mean_volume` of each, four beside each other: one sum alone would wait for every addition."""
    volume, alone = columns.volume, len(candles) % BESIDE
    for k in range(alone):
        means[k] = mean_volume(columns, window, candles[k])
    for k in range(alone, len(candles), BESIDE):
        one, two = volume[candles[k] - window : candles[k]], volume[candles[k + 1] - window : candles[k + 1]]
        three, four = volume[candles[k + 2] - window : candles[k + 2]], volume[candles[k + 3] - window : candles[k + 3]]
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for j in range(window):
            a, b, c, d = a + one[j], b + two[j], c + three[j], d + four[j]
        means[k], means[k + 1], means[k + 2], means[k + 3] = a / window, b / window, c / window, d / window


@lean
def sum_stretches(time: Integers, volume: Floats, sums: Floats) -> None:
    """Into `sums`, for every candle, the volumes of its stretch of time up to it."""
    for k in range(len(time)):
        same = k > 0 and time[k] >> STRETCH_BITS == time[k - 1] >> STRETCH_BITS
        sums[k] = sums[k - 1] + volume[k] if same else volume[k]


@lean
def means_of_stretches(
    volume: Floats, window: int, candles: Integers, sums: Floats, lasts: Integers, means: Floats
) -> None:
    """`mean_volume` of each, over a long window; `lasts` are the last candles of the stretches."""
    head = 0
    for k in range(len(candles)):
        first, end = candles[k] - window, candles[k]
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
def extreme_prices(
    kind: int, column: Floats, window: int, candles: Integers, sliding: Sliding, references: Floats
) -> None:
    """The highest or lowest of a long window before each of these candles, block by block."""
    k = 0
    while k < len(candles):
        first, high = candles[k], min(candles[k] - candles[k] % BLOCK + BLOCK, len(column))
        find_values(kind, column, window, first, high, sliding, 0)
        while k < len(candles) and candles[k] < high:
            references[k] = sliding.values[candles[k] - first]
            k += 1
