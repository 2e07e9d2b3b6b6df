"""The indicators of the language as columns, by their usual definitions. Undefined (a flat market) is NaN.

Without `textbook` a recursion is as it was in older versions: unknown until its whole reach is there.
"""

import math

import numpy as np

from strategybot.trading.engine.candles import Candles, Floats
from strategybot.trading.engine.indicators.lagged import mean_distance, share_at_most, weighted_mean
from strategybot.trading.engine.indicators.momentum import (
    ADX_LINE,
    HISTOGRAM,
    MACD_LINE,
    MINUS_DI,
    PLUS_DI,
    SIGNAL_LINE,
    TRUE_RANGE,
    fill_directions,
    fill_macd,
    fill_rsi,
    fill_textbook_directions,
    fill_textbook_macd,
    fill_textbook_rsi,
    forget_rest,
)
from strategybot.trading.engine.indicators.recursive import (
    ema,
    ema_stretch,
    ema_weight,
    read_from,
    wilder_stretch,
)
from strategybot.trading.engine.indicators.sliding import (
    sliding_highest,
    sliding_lowest,
    sliding_mean,
    sliding_mean_and_deviation,
    sliding_sum,
)
from strategybot.trading.engine.indicators.trends import candles_since_highest

MACD_LINES = {"macd": MACD_LINE, "signal": SIGNAL_LINE, "histogram": HISTOGRAM}
DIRECTIONAL_LINES = {"adx": ADX_LINE, "plus_di": PLUS_DI, "minus_di": MINUS_DI}
FLAT_RSI = 1e-9  # in a flat market the RSI changes only by rounding: a smaller range counts as none


def source(candles: Candles, name: str) -> Floats:
    """Return a column of the candles by its name, or the typical price."""
    if name == "typical":
        return typical_price(candles)
    column: Floats = getattr(candles, name) if name in ("open", "high", "low", "volume") else candles.close
    return column


def typical_price(candles: Candles) -> Floats:
    """Return the mean of high, low and close, computed around the close: a flat candle gives its exact price."""
    return candles.close + ((candles.high - candles.close) + (candles.low - candles.close)) / 3


def simple_average(candles: Candles, of: str, period: int) -> Floats:
    return sliding_mean(source(candles, of), period)


def exponential_average(candles: Candles, of: str, period: int, textbook: bool = True) -> Floats:
    values, seconds = source(candles, of), candles.interval_seconds
    return ema(candles.time, values, period, seconds, textbook, restarts_at_zero=of == "volume")


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
    return shift(sliding_highest(candles.high, period), 1)


def lowest_before(candles: Candles, period: int) -> Floats:
    return shift(sliding_lowest(candles.low, period), 1)


def vwap(candles: Candles, period: int) -> Floats:
    paid = sliding_sum(typical_price(candles) * candles.volume, period)
    return quotient(paid, sliding_sum(candles.volume, period))


def rsi(candles: Candles, period: int, textbook: bool = True) -> Floats:
    strength = np.empty(len(candles))
    stretch = wilder_stretch(period, candles.interval_seconds)
    fill_rsi(candles.time, candles.close, 1 - 1 / period, stretch, strength)
    if textbook:
        closes = (candles.close, candles.close, candles.close)
        forget_rest(candles.time, *closes, stretch, candles.interval_seconds, strength)
        fill_textbook_rsi(candles.close, _changes_end(candles, stretch), period, strength)
    return strength


def _changes_end(candles: Candles, *stretches: int) -> int:
    """Return the first candle that reads restarted recursions, each over the values of the one before.

    The first of them is over changes, which begin at the second candle.
    """
    if len(candles) < 2:
        return len(candles)
    moment = int(candles.time[1])
    for stretch in stretches:
        moment = read_from(moment, stretch)
    return int(candles.time.searchsorted(moment))


def stochastic(candles: Candles, period: int, smooth: int, signal: int, line: str) -> Floats:
    low = sliding_lowest(candles.low, period)
    place = 100 * quotient(candles.close - low, sliding_highest(candles.high, period) - low)
    return _stochastic_line(place, smooth, signal, line)


def stochastic_rsi(
    candles: Candles, period: int, stochastic_period: int, smooth: int, signal: int, line: str, textbook: bool = True
) -> Floats:
    strength = rsi(candles, period, textbook)
    low = sliding_lowest(strength, stochastic_period)
    spread = sliding_highest(strength, stochastic_period) - low
    spread[spread <= FLAT_RSI] = 0
    place = 100 * quotient(strength - low, spread)
    return _stochastic_line(place, smooth, signal, line)


def _stochastic_line(place: Floats, smooth: int, signal: int, line: str) -> Floats:
    smoothed = sliding_mean(place, smooth)
    return smoothed if line == "k" else sliding_mean(smoothed, signal)


def macd(candles: Candles, fast: int, slow: int, signal: int, line: str, textbook: bool = True) -> Floats:
    values, seconds = np.empty(len(candles)), candles.interval_seconds
    weights = (ema_weight(fast), ema_weight(slow), ema_weight(signal))
    stretches = (ema_stretch(fast, seconds), ema_stretch(slow, seconds), ema_stretch(signal, seconds))
    fill_macd(candles.time, candles.close, weights, stretches, MACD_LINES[line], values)
    if textbook and len(candles):
        moment = max(read_from(int(candles.time[0]), stretch) for stretch in stretches[:2])
        moment = moment if line == "macd" else read_from(moment, stretches[2])
        end = int(candles.time.searchsorted(moment))
        fill_textbook_macd(candles.close, end, (fast, slow, signal), weights, MACD_LINES[line], values)
    return values


def atr(candles: Candles, period: int, textbook: bool = True) -> Floats:
    return _directional(candles, period, TRUE_RANGE, textbook)


def adx(candles: Candles, period: int, line: str, textbook: bool = True) -> Floats:
    return _directional(candles, period, DIRECTIONAL_LINES[line], textbook)


def _directional(candles: Candles, period: int, line: int, textbook: bool) -> Floats:
    values, stretch = np.empty(len(candles)), wilder_stretch(period, candles.interval_seconds)
    prices = (candles.high, candles.low, candles.close)
    fill_directions(candles.time, *prices, 1 / period, stretch, line, values)
    if textbook:
        if line != TRUE_RANGE:
            forget_rest(candles.time, *prices, stretch, candles.interval_seconds, values)
        end = _changes_end(candles, *((stretch, stretch) if line == ADX_LINE else (stretch,)))
        fill_textbook_directions(*prices, end, period, line, values)
    return values


def weighted_average(candles: Candles, of: str, period: int) -> Floats:
    return weighted_mean(source(candles, of), period)


def hull_average(candles: Candles, of: str, period: int) -> Floats:
    """Return a weighted average of twice the one of half the period minus the one of the period."""
    values = source(candles, of)
    return weighted_mean(2 * weighted_mean(values, period // 2) - weighted_mean(values, period), math.isqrt(period))


def volume_weighted_average(candles: Candles, period: int) -> Floats:
    return quotient(sliding_sum(candles.close * candles.volume, period), sliding_sum(candles.volume, period))


def cci(candles: Candles, period: int) -> Floats:
    typical = typical_price(candles)
    mean = sliding_mean(typical, period)
    return quotient(typical - mean, 0.015 * mean_distance(typical, mean, period))


def mfi(candles: Candles, period: int) -> Floats:
    typical = typical_price(candles)
    flow, before = typical * candles.volume, shift(typical, 1)
    unknown = np.isnan(before)
    rising = np.where(unknown, np.nan, np.where(typical > before, flow, 0 * flow))
    falling = np.where(unknown, np.nan, np.where(typical < before, flow, 0 * flow))
    up = sliding_sum(rising, period)
    return 100 * quotient(up, up + sliding_sum(falling, period))


def williams_r(candles: Candles, period: int) -> Floats:
    high = sliding_highest(candles.high, period)
    return -100 * quotient(high - candles.close, high - sliding_lowest(candles.low, period))


def keltner(
    candles: Candles, period: int, atr_period: int, multiplier: float, line: str, textbook: bool = True
) -> Floats:
    middle = exponential_average(candles, "close", period, textbook)
    distance = multiplier * atr(candles, atr_period, textbook)
    return middle + {"upper": 1, "middle": 0, "lower": -1}[line] * distance


def aroon(candles: Candles, period: int, line: str) -> Floats:
    since_high, since_low = candles_since_highest(candles.high, period), candles_since_highest(-candles.low, period)
    if line == "oscillator":
        return 100 * (since_low - since_high) / period
    return 100 * (period - (since_high if line == "up" else since_low)) / period


def middle_of(candles: Candles, period: int) -> Floats:
    """Return the middle between the highest high and the lowest low of the window."""
    low = sliding_lowest(candles.low, period)
    return low + (sliding_highest(candles.high, period) - low) / 2


def ichimoku_span(candles: Candles, conversion: int, base: int) -> Floats:
    one, other = middle_of(candles, conversion), middle_of(candles, base)
    return one + (other - one) / 2


def deviation(candles: Candles, period: int) -> Floats:
    """Return the standard deviation in percent of the mean."""
    mean, spread = sliding_mean_and_deviation(candles.close, period)
    return 100 * spread / mean


def rank(candles: Candles, period: int) -> Floats:
    return share_at_most(candles.close, period)


def change(candles: Candles, period: int) -> Floats:
    """Return the change of the close over `period` candles, in percent."""
    before = shift(candles.close, period)
    return 100 * ((candles.close - before) / before)


def shift(column: Floats, candles: int) -> Floats:
    """Return the column moved by this many candles; NaN where there is no value."""
    if candles == 0:
        return column
    moved = np.full(len(column), np.nan)
    moved[candles:] = column[:-candles] if candles < len(column) else []
    return moved


def quotient(above: Floats, below: Floats) -> Floats:
    """Return above / below, unknown where below is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below == 0, np.nan, above / below)
