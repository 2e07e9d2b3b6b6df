"""The indicators of the language as columns, by their usual definitions. Undefined (a flat market) is NaN."""

import numpy as np

from strategybot.trading.candles import Candles, Floats
from strategybot.trading.indicators.recursive import ema, volume_ema, wilder
from strategybot.trading.indicators.sliding import (
    sliding_highest,
    sliding_lowest,
    sliding_mean,
    sliding_mean_and_deviation,
    sliding_sum,
)
from strategybot.trading.jit import lean


def source(candles: Candles, name: str) -> Floats:
    """A column of the candles by its name, or the typical price."""
    if name == "typical":
        return typical_price(candles)
    column: Floats = getattr(candles, name) if name in ("open", "high", "low", "volume") else candles.close
    return column


def typical_price(candles: Candles) -> Floats:
    return (candles.high + candles.low + candles.close) / 3


def simple_average(candles: Candles, of: str, period: int) -> Floats:
    return sliding_mean(source(candles, of), period)


def exponential_average(candles: Candles, of: str, period: int) -> Floats:
    average = volume_ema if of == "volume" else ema
    return average(candles.time, source(candles, of), period, candles.interval_seconds)


def bollinger(candles: Candles, period: int, deviations: float, line: str) -> Floats:
    mean, deviation = sliding_mean_and_deviation(candles.close, period)
    if line == "middle":
        return mean
    if line == "upper":
        return mean + deviations * deviation
    if line == "lower":
        return mean - deviations * deviation
    width = 2 * deviations * deviation
    if line == "width":
        return 100 * width / mean
    return quotient(candles.close - (mean - deviations * deviation), width)


def highest_before(candles: Candles, period: int) -> Floats:
    return shifted(sliding_highest(candles.high, period), 1)


def lowest_before(candles: Candles, period: int) -> Floats:
    return shifted(sliding_lowest(candles.low, period), 1)


def vwap(candles: Candles, period: int) -> Floats:
    paid = sliding_sum(typical_price(candles) * candles.volume, period)
    return quotient(paid, sliding_sum(candles.volume, period))


def rsi(candles: Candles, period: int) -> Floats:
    gains, losses = np.empty(len(candles)), np.empty(len(candles))
    fill_gains(candles.close, gains, losses)
    gain, loss = (wilder(candles.time, each, period, candles.interval_seconds) for each in (gains, losses))
    return 100 * quotient(gain, gain + loss)


def stochastic(candles: Candles, period: int, smooth: int, signal: int, line: str) -> Floats:
    low = sliding_lowest(candles.low, period)
    place = 100 * quotient(candles.close - low, sliding_highest(candles.high, period) - low)
    return _stochastic_line(place, smooth, signal, line)


def stochastic_rsi(
    candles: Candles, period: int, stochastic_period: int, smooth: int, signal: int, line: str
) -> Floats:
    strength = rsi(candles, period)
    low = sliding_lowest(strength, stochastic_period)
    place = 100 * quotient(strength - low, sliding_highest(strength, stochastic_period) - low)
    return _stochastic_line(place, smooth, signal, line)


def _stochastic_line(place: Floats, smooth: int, signal: int, line: str) -> Floats:
    smoothed = sliding_mean(place, smooth)
    return smoothed if line == "k" else sliding_mean(smoothed, signal)


def macd(candles: Candles, fast: int, slow: int, signal: int, line: str) -> Floats:
    time, seconds = candles.time, candles.interval_seconds
    difference = ema(time, candles.close, fast, seconds) - ema(time, candles.close, slow, seconds)
    if line == "macd":
        return difference
    average = ema(time, difference, signal, seconds)
    return average if line == "signal" else difference - average


def atr(candles: Candles, period: int) -> Floats:
    return wilder(candles.time, _movements(candles)[0], period, candles.interval_seconds)


def adx(candles: Candles, period: int, line: str) -> Floats:
    time, seconds = candles.time, candles.interval_seconds
    ranges, up, down = (wilder(time, each, period, seconds) for each in _movements(candles))
    if line == "plus_di":
        return 100 * quotient(up, ranges)
    if line == "minus_di":
        return 100 * quotient(down, ranges)
    return wilder(time, 100 * quotient(np.abs(up - down), up + down), period, seconds)


def change(candles: Candles, period: int) -> Floats:
    """The change of the close over `period` candles, in percent."""
    before = shifted(candles.close, period)
    return 100 * ((candles.close - before) / before)


def shifted(column: Floats, candles: int) -> Floats:
    """The column as it was so many candles before."""
    if candles == 0:
        return column
    moved = np.full(len(column), np.nan)
    moved[candles:] = column[:-candles] if candles < len(column) else []
    return moved


def quotient(above: Floats, below: Floats) -> Floats:
    """above / below, unknown where below is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below == 0, np.nan, above / below)


def _movements(candles: Candles) -> tuple[Floats, Floats, Floats]:
    """True range, upward and downward directional movement of each candle; unknown for the first."""
    ranges, up, down = (np.empty(len(candles)) for _ in range(3))
    fill_movements(candles.high, candles.low, candles.close, ranges, up, down)
    return ranges, up, down


@lean
def fill_gains(close: Floats, gains: Floats, losses: Floats) -> None:
    if len(close) > 0:
        gains[0] = losses[0] = np.nan
    for i in range(1, len(close)):
        difference = close[i] - close[i - 1]
        gains[i] = max(difference, 0.0)
        losses[i] = max(-difference, 0.0)


@lean
def fill_movements(high: Floats, low: Floats, close: Floats, ranges: Floats, up: Floats, down: Floats) -> None:
    if len(close) > 0:
        ranges[0] = up[0] = down[0] = np.nan
    for i in range(1, len(close)):
        rise, fall = high[i] - high[i - 1], low[i - 1] - low[i]
        ranges[i] = max(high[i], close[i - 1]) - min(low[i], close[i - 1])
        up[i] = rise if rise > fall and rise > 0.0 else 0.0
        down[i] = fall if fall > rise and fall > 0.0 else 0.0
