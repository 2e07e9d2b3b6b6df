"""RSI, MACD, ATR and ADX, each computed in one pass without intermediate columns.

The textbook's values, for candles that do not hold the whole reach, have loops of their own: see `recursive`.
"""

import numpy as np

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.indicators.recursive import add, advance, restart, stretch_end
from strategybot.trading.engine.jit import inlined, lean

MACD_LINE, SIGNAL_LINE, HISTOGRAM = 0, 1, 2
ADX_LINE, PLUS_DI, MINUS_DI, TRUE_RANGE = 0, 1, 2, 3


@inlined
def ratio(above: float, below: float) -> float:
    """Return above / below, unknown where below is zero."""
    return above / below if below != 0.0 else np.nan


@lean
def fill_rsi(time: Integers, close: Floats, decay: float, stretch: int, strength: Floats) -> None:
    """Write the share of the rises in all changes, both as sums: the weight of an average would cancel out."""
    rises, changes, end = (np.nan, np.nan), (np.nan, np.nan), 0
    before = np.nan
    for i in range(len(close)):
        change = close[i] - before
        before = close[i]
        if i == 0 or time[i] >= end:
            rises = restart(rises, 0.0, i, time[i], end, stretch)
            changes = restart(changes, 0.0, i, time[i], end, stretch)
            end = stretch_end(time[i], stretch)
        size = abs(change)
        rises = add(rises, size + change, decay)  # twice the rise, exactly; to choose between two values is slower
        changes = add(changes, size, decay)
        strength[i] = 50.0 * (rises[0] / changes[0])  # 0 / 0 in a flat market: unknown, without a branch


@lean
def fill_textbook_rsi(close: Floats, end: int, period: int, strength: Floats) -> None:
    """Write the textbook's RSI to strength[:end]: the plain sums of the first `period` changes start it."""
    rises, changes, decay = 0.0, 0.0, 1.0 - 1.0 / period
    strength[:1] = np.nan
    for i in range(1, end):
        kept = 1.0 if i <= period else decay
        change = close[i] - close[i - 1]
        size = abs(change)
        rises, changes = rises * kept + (size + change), changes * kept + size
        strength[i] = 50.0 * (rises / changes) if i >= period else np.nan


@lean
def fill_macd(
    time: Integers,
    close: Floats,
    weights: tuple[float, float, float],
    stretches: tuple[int, int, int],
    line: int,
    values: Floats,
) -> None:
    """Write the line of the MACD to `values`; weights and stretches are those of the fast, slow and signal average."""
    fast, slow, signal = (np.nan, np.nan), (np.nan, np.nan), (np.nan, np.nan)
    fast_end, slow_end, signal_end = 0, 0, 0
    for i in range(len(close)):
        if i == 0 or time[i] >= fast_end:
            fast = restart(fast, close[i], i, time[i], fast_end, stretches[0])
            fast_end = stretch_end(time[i], stretches[0])
        if i == 0 or time[i] >= slow_end:
            slow = restart(slow, close[i], i, time[i], slow_end, stretches[1])
            slow_end = stretch_end(time[i], stretches[1])
        fast, slow = advance(fast, close[i], weights[0]), advance(slow, close[i], weights[1])
        difference = fast[0] - slow[0]
        if i == 0 or time[i] >= signal_end:
            signal = restart(signal, difference, i, time[i], signal_end, stretches[2])
            signal_end = stretch_end(time[i], stretches[2])
        signal = advance(signal, difference, weights[2])
        values[i] = difference if line == MACD_LINE else signal[0] if line == SIGNAL_LINE else difference - signal[0]


@lean
def fill_textbook_macd(
    close: Floats,
    end: int,
    periods: tuple[int, int, int],
    weights: tuple[float, float, float],
    line: int,
    values: Floats,
) -> None:
    """Write the textbook's MACD to values[:end]: a plain mean starts each of its three averages by itself."""
    fast, slow, signal = 0.0, 0.0, 0.0
    for i in range(end):
        fast += (close[i] - fast) * (weights[0] if i >= periods[0] else 1.0 / (i + 1))
        slow += (close[i] - slow) * (weights[1] if i >= periods[1] else 1.0 / (i + 1))
        difference, count = fast - slow, i + 2 - periods[1]
        if count > 0:
            signal += (difference - signal) * (weights[2] if count > periods[2] else 1.0 / count)
        value = difference if line == MACD_LINE else signal if line == SIGNAL_LINE else difference - signal
        values[i] = value if count >= (1 if line == MACD_LINE else periods[2]) else np.nan


@lean
def fill_directions(
    time: Integers,
    high: Floats,
    low: Floats,
    close: Floats,
    weight: float,
    stretch: int,
    line: int,
    values: Floats,
) -> None:
    """Write the ADX, +DI, −DI or average true range to `values`. It is unknown at the first candle."""
    unknown = (np.nan, np.nan)
    ranges, up, down, spread, end = unknown, unknown, unknown, unknown, 0
    for i in range(len(close)):
        if i == 0 or time[i] >= end:
            ranges = restart(ranges, 0.0, i, time[i], end, stretch)
            up = restart(up, 0.0, i, time[i], end, stretch)
            down = restart(down, 0.0, i, time[i], end, stretch)
            spread = restart(spread, 0.0, i, time[i], end, stretch)
            end = stretch_end(time[i], stretch)
        last = max(i - 1, 0)
        rise, fall = high[i] - high[last], low[last] - low[i]
        true_range = max(high[i], close[last]) - min(low[i], close[last]) if i > 0 else np.nan
        ranges = advance(ranges, true_range, weight)
        up = advance(up, (rise if rise > fall and rise > 0.0 else 0.0) if i > 0 else np.nan, weight)
        down = advance(down, (fall if fall > rise and fall > 0.0 else 0.0) if i > 0 else np.nan, weight)
        spread = advance(spread, 100.0 * ratio(abs(up[0] - down[0]), up[0] + down[0]), weight)
        values[i] = directional_line(line, ranges[0], up[0], down[0], spread[0])


@lean
def fill_textbook_directions(
    high: Floats, low: Floats, close: Floats, end: int, period: int, line: int, values: Floats
) -> None:
    """Write the textbook's ADX, +DI, −DI or average true range to values[:end].

    The plain mean of the first `period` true ranges starts the ATR. The directions start as in TA-Lib, with the plain
    sums of `period` − 1 movements. The plain mean of the first `period` spreads of the directions starts the ADX.
    """
    average, ranges, up, down, trend, count, weight = 0.0, 0.0, 0.0, 0.0, 0.0, 0, 1.0 / period
    values[:1] = np.nan
    for i in range(1, end):
        rise, fall = high[i] - high[i - 1], low[i - 1] - low[i]
        true_range = max(high[i], close[i - 1]) - min(low[i], close[i - 1])
        average += (true_range - average) * (weight if i >= period else 1.0 / i)
        kept = 1.0 if i < period else 1.0 - weight
        ranges = ranges * kept + true_range
        up = up * kept + (rise if rise > fall and rise > 0.0 else 0.0)
        down = down * kept + (fall if fall > rise and fall > 0.0 else 0.0)
        if line == ADX_LINE and i >= period and up + down > 0.0:
            count += 1
            spread = 100.0 * abs(up - down) / (up + down)
            trend += (spread - trend) * (weight if count >= period else 1.0 / count)
        known = count >= period if line == ADX_LINE else i >= period
        values[i] = (
            directional_line(line, average if line == TRUE_RANGE else ranges, up, down, trend) if known else np.nan
        )


@inlined
def directional_line(line: int, ranges: float, up: float, down: float, spread: float) -> float:
    if line == ADX_LINE:
        return spread
    if line == TRUE_RANGE:
        return ranges
    return 100.0 * ratio(up if line == PLUS_DI else down, ranges)


@lean
def forget_rest(
    time: Integers, high: Floats, low: Floats, close: Floats, stretch: int, interval: int, values: Floats
) -> None:
    """Write NaN to `values` where the market has not moved since the recursion that is read there restarted.

    What the recursion knows there is one change, that of the candle at which it restarted.
    """
    began, start, count = 0, 0, len(time)
    while start < count:
        end = stretch_end(time[start], stretch)
        following = min(start + stretch // interval, count)
        if time[following - 1] >= end:  # candles are missing, or it is the first stretch
            following = start + int(np.searchsorted(time[start:following], end))
        i = start - 1
        while i > began and not has_moved(high, low, close, i):
            i -= 1
        if i <= began:
            i = max(start, 1)
            while i < following and not has_moved(high, low, close, i):
                values[i] = np.nan
                i += 1
        began, start = start, following


@inlined
def has_moved(high: Floats, low: Floats, close: Floats, i: int) -> bool:
    return bool(high[i] != close[i - 1] or low[i] != close[i - 1])
