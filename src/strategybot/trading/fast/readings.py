"""The values that a condition measures, at one candle or, faster and equal to the bit, at many candles.

A long window is not read again for every candle. The highest and lowest price do not depend on the order of reading.
Sums do, so they are added in the order of the plain rule: several at once, or from sums of stretches that they share.
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

SUMS_AT_ONCE = 4


@inlined
def reference_of(kind: int, window: int, columns: Columns, i: int) -> float:
    """Return what the candle is compared with. The window before it must be complete."""
    if kind <= CROSS_BELOW:
        return 0.0
    if kind == VOLUME_SPIKE:
        return mean_volume(columns, window, i)
    return price_reference(kind, window, columns, i)


@inlined
def compared(kind: int, limit: float, columns: Columns, i: int, reference: float) -> tuple[bool, float]:
    """Return whether the condition is true, and the measured price, multiple or percentage; NaN if undefined."""
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
    """Write to `measured` what was measured where the condition is true, and NaN elsewhere."""
    for k in range(len(candles)):
        fired, value = compared(kind, limit, columns, candles[k], references[k])
        measured[k] = value if fired else np.nan


@lean
def plain_references(kind: int, window: int, columns: Columns, candles: Integers, references: Floats) -> None:
    for k in range(len(candles)):
        references[k] = reference_of(kind, window, columns, candles[k])


@lean
def mean_volumes(columns: Columns, window: int, candles: Integers, means: Floats) -> None:
    """Write `mean_volume` of each candle. Four sums at once are faster, because the additions of one sum must wait."""
    volume, alone = columns.volume, len(candles) % SUMS_AT_ONCE
    for k in range(alone):
        means[k] = mean_volume(columns, window, candles[k])
    for k in range(alone, len(candles), SUMS_AT_ONCE):
        one, two = volume[candles[k] - window : candles[k]], volume[candles[k + 1] - window : candles[k + 1]]
        three, four = volume[candles[k + 2] - window : candles[k + 2]], volume[candles[k + 3] - window : candles[k + 3]]
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for j in range(window):
            a, b, c, d = a + one[j], b + two[j], c + three[j], d + four[j]
        means[k], means[k + 1], means[k + 2], means[k + 3] = a / window, b / window, c / window, d / window


@lean
def sum_stretches(time: Integers, volume: Floats, sums: Floats) -> None:
    """Write to `sums` the total volume of each candle's stretch of time, up to and including the candle."""
    for k in range(len(time)):
        same = k > 0 and time[k] >> STRETCH_BITS == time[k - 1] >> STRETCH_BITS
        sums[k] = sums[k - 1] + volume[k] if same else volume[k]


@lean
def means_of_stretches(
    volume: Floats, window: int, candles: Integers, sums: Floats, lasts: Integers, means: Floats
) -> None:
    """Write `mean_volume` of each candle for a long window; `lasts` are the last candles of the stretches."""
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
    """Write the highest or lowest price of the window before each of these candles, block by block."""
    k = 0
    while k < len(candles):
        first, high = candles[k], min(candles[k] - candles[k] % BLOCK + BLOCK, len(column))
        find_values(kind, column, window, first, high, sliding, 0)
        while k < len(candles) and candles[k] < high:
            references[k] = sliding.values[candles[k] - first]
            k += 1
