"""TA-Lib agrees with every series to 1e-9, from the first candle on at which both have a value.

Its MACD starts the fast average later, with the slow one, so there from where the start has decayed.

The error is measured against the value itself, except where a value may be near zero: an oscillator against its range
of 100, the MACD against the price (it is a difference of averages), an EMA of the volume against its own mean.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, get_args

import numpy as np
import pytest
import talib

from strategybot.trading.engine.candles import Candles, Floats
from strategybot.trading.engine.comparisons import series_values
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.series_kind import Series
from tests.trading.engine.indicators.markets import series_of, wild_market

DECAYED = {"macd": 400}
AS_EARLY = (
    "sma",
    "ema",
    "rsi",
    "stochastic_rsi",
    "adx",
    "atr",
    "wma",
    "hma",
    "mfi",
    "parabolic_sar",
    "aroon",
)  # it has a value as early as the textbook
AGREES = 1e-9
Column = Callable[[Candles], Floats]


def itself(_: Candles, expected: Floats) -> Floats:
    return np.abs(expected)


def hundred(_: Candles, expected: Floats) -> Floats:
    return np.full(len(expected), 100.0)


def price(candles: Candles, _: Floats) -> Floats:
    return candles.close


def its_mean(_: Candles, expected: Floats) -> Floats:
    return np.full(len(expected), np.nanmean(expected))


def bands(k: Candles, line: int, period: int = 20, deviations: float = 2) -> Floats:
    column: Floats = talib.BBANDS(k.close, period, deviations, deviations)[line]
    return column


def typical(k: Candles) -> Floats:
    return (k.high + k.low + k.close) / 3


def before(column: Floats) -> Floats:
    return np.concatenate(([np.nan], column[:-1]))


def slow_stochastic(k: Candles, line: int, period: int = 14, smooth: int = 3, signal: int = 3) -> Floats:
    column: Floats = talib.STOCH(k.high, k.low, k.close, period, slowk_period=smooth, slowd_period=signal)[line]
    return column


def stochastic_rsi(k: Candles) -> Floats:
    column: Floats = talib.STOCHRSI(k.close, 14, 14, 3)[1]
    return column


def hull(k: Candles, period: int, half: int, root: int) -> Floats:
    column: Floats = talib.WMA(2 * talib.WMA(k.close, half) - talib.WMA(k.close, period), root)
    return column


def keltner(k: Candles, side: int) -> Floats:
    column: Floats = talib.EMA(k.close, 20) + side * 2 * talib.ATR(k.high, k.low, k.close, 10)
    return column


def supertrend(k: Candles, line: str, period: int = 10, multiplier: float = 3) -> Floats:
    """Read from the first candle on, as charts do."""
    ranges, middle = talib.ATR(k.high, k.low, k.close, period), (k.high + k.low) / 2
    lows, highs = middle - multiplier * ranges, middle + multiplier * ranges
    lower, upper, below = lows[period], highs[period], True
    found = np.full(len(k), np.nan)
    for i in range(period, len(k)):
        if i > period:
            lower = max(lower, lows[i]) if k.close[i - 1] >= lower else lows[i]
            upper = min(upper, highs[i]) if k.close[i - 1] <= upper else highs[i]
            below = k.close[i] <= upper if below else k.close[i] < lower
        found[i] = (upper if below else lower) if line == "line" else (-1 if below else 1)
    return found


def later(column: Floats, candles: int) -> Floats:
    return np.concatenate((np.full(candles, np.nan), column[:-candles]))


def middle(k: Candles, period: int) -> Floats:
    column: Floats = talib.MIDPRICE(k.high, k.low, period)
    return column


def rank(k: Candles, period: int) -> Floats:
    found = np.full(len(k), np.nan)
    for i in range(period, len(k)):
        found[i] = 100 * np.mean(k.close[i - period : i] <= k.close[i])
    return found


def streak(k: Candles) -> Floats:
    found, signs = np.full(len(k), np.nan), np.sign(np.diff(k.close, prepend=np.nan))
    for i in range(1, len(k)):
        found[i] = signs[i] * next(n for n in range(1, i + 1) if n == i or signs[i - n] != signs[i])
    return found


ORACLE: list[tuple[dict[str, Any], Column, Callable[[Candles, Floats], Floats]]] = [
    ({"series": "open"}, lambda k: k.open, itself),
    ({"series": "high"}, lambda k: k.high, itself),
    ({"series": "low"}, lambda k: k.low, itself),
    ({"series": "close"}, lambda k: k.close, itself),
    ({"series": "volume"}, lambda k: k.volume, itself),
    ({"series": "sma", "period": 20}, lambda k: talib.SMA(k.close, 20), itself),
    ({"series": "sma", "period": 500}, lambda k: talib.SMA(k.close, 500), itself),
    ({"series": "sma", "period": 7, "of": "typical"}, lambda k: talib.SMA(typical(k), 7), itself),
    ({"series": "sma", "period": 33, "of": "volume"}, lambda k: talib.SMA(k.volume, 33), itself),
    ({"series": "ema", "period": 50}, lambda k: talib.EMA(k.close, 50), itself),
    ({"series": "ema", "period": 2, "of": "high"}, lambda k: talib.EMA(k.high, 2), itself),
    ({"series": "ema", "period": 20, "of": "volume"}, lambda k: talib.EMA(k.volume, 20), its_mean),
    ({"series": "bollinger", "line": "upper"}, lambda k: bands(k, 0), itself),
    ({"series": "bollinger", "line": "middle"}, lambda k: bands(k, 1), itself),
    ({"series": "bollinger", "line": "lower"}, lambda k: bands(k, 2), itself),
    ({"series": "bollinger", "line": "lower", "period": 31, "deviations": 0.5}, lambda k: bands(k, 2, 31, 0.5), itself),
    (
        {"series": "bollinger", "line": "percent_b"},
        lambda k: (k.close - bands(k, 2)) / (bands(k, 0) - bands(k, 2)),
        hundred,
    ),
    (
        {"series": "bollinger", "line": "width"},
        lambda k: 100 * (bands(k, 0) - bands(k, 2)) / bands(k, 1),
        hundred,
    ),
    ({"series": "highest", "period": 20}, lambda k: before(talib.MAX(k.high, 20)), itself),
    ({"series": "lowest", "period": 5}, lambda k: before(talib.MIN(k.low, 5)), itself),
    (
        {"series": "vwap", "period": 20},
        lambda k: talib.SUM(typical(k) * k.volume, 20) / talib.SUM(k.volume, 20),
        itself,
    ),
    ({"series": "rsi"}, lambda k: talib.RSI(k.close, 14), hundred),
    ({"series": "rsi", "period": 2}, lambda k: talib.RSI(k.close, 2), hundred),
    ({"series": "stochastic", "line": "k"}, lambda k: slow_stochastic(k, 0), hundred),
    ({"series": "stochastic", "line": "d"}, lambda k: slow_stochastic(k, 1), hundred),
    (
        {"series": "stochastic", "period": 5, "smooth": 2, "signal": 4, "line": "d"},
        lambda k: slow_stochastic(k, 1, 5, 2, 4),
        hundred,
    ),
    ({"series": "stochastic_rsi", "line": "k"}, stochastic_rsi, hundred),
    ({"series": "stochastic_rsi", "line": "d"}, lambda k: talib.SMA(stochastic_rsi(k), 3), hundred),
    ({"series": "macd", "line": "macd"}, lambda k: talib.MACD(k.close, 12, 26, 9)[0], price),
    ({"series": "macd", "line": "signal"}, lambda k: talib.MACD(k.close, 12, 26, 9)[1], price),
    ({"series": "macd", "line": "histogram"}, lambda k: talib.MACD(k.close, 12, 26, 9)[2], price),
    ({"series": "adx", "line": "adx"}, lambda k: talib.ADX(k.high, k.low, k.close, 14), hundred),
    ({"series": "adx", "line": "plus_di"}, lambda k: talib.PLUS_DI(k.high, k.low, k.close, 14), hundred),
    ({"series": "adx", "line": "minus_di"}, lambda k: talib.MINUS_DI(k.high, k.low, k.close, 14), hundred),
    ({"series": "atr"}, lambda k: talib.ATR(k.high, k.low, k.close, 14), itself),
    ({"series": "change", "period": 24}, lambda k: talib.ROC(k.close, 24), hundred),
    ({"series": "wma", "period": 20}, lambda k: talib.WMA(k.close, 20), itself),
    ({"series": "wma", "period": 500, "of": "high"}, lambda k: talib.WMA(k.high, 500), itself),
    ({"series": "hma", "period": 16}, lambda k: hull(k, 16, 8, 4), price),
    ({"series": "hma", "period": 55}, lambda k: hull(k, 55, 27, 7), price),
    ({"series": "vwma"}, lambda k: talib.SUM(k.close * k.volume, 20) / talib.SUM(k.volume, 20), itself),
    ({"series": "cci"}, lambda k: talib.CCI(k.high, k.low, k.close, 20), hundred),
    ({"series": "mfi"}, lambda k: talib.MFI(k.high, k.low, k.close, k.volume, 14), hundred),
    ({"series": "williams_r"}, lambda k: talib.WILLR(k.high, k.low, k.close, 14), hundred),
    ({"series": "keltner", "line": "upper"}, lambda k: keltner(k, 1), itself),
    ({"series": "keltner", "line": "middle"}, lambda k: talib.EMA(k.close, 20), itself),
    ({"series": "keltner", "line": "lower"}, lambda k: keltner(k, -1), itself),
    ({"series": "supertrend", "line": "line"}, lambda k: supertrend(k, "line"), itself),
    ({"series": "supertrend", "line": "direction"}, lambda k: supertrend(k, "direction"), itself),
    ({"series": "supertrend", "period": 5, "multiplier": 1.5}, lambda k: supertrend(k, "line", 5, 1.5), itself),
    ({"series": "parabolic_sar"}, lambda k: talib.SAR(k.high, k.low, 0.02, 0.2), itself),
    ({"series": "parabolic_sar", "step": 0.05, "maximum": 0.3}, lambda k: talib.SAR(k.high, k.low, 0.05, 0.3), itself),
    ({"series": "aroon", "line": "up"}, lambda k: talib.AROON(k.high, k.low, 14)[1], hundred),
    ({"series": "aroon", "line": "down"}, lambda k: talib.AROON(k.high, k.low, 14)[0], hundred),
    ({"series": "aroon", "line": "oscillator"}, lambda k: talib.AROONOSC(k.high, k.low, 14), hundred),
    ({"series": "ichimoku", "line": "conversion"}, lambda k: middle(k, 9), itself),
    ({"series": "ichimoku", "line": "base"}, lambda k: middle(k, 26), itself),
    ({"series": "ichimoku", "line": "span_a"}, lambda k: later((middle(k, 9) + middle(k, 26)) / 2, 26), itself),
    ({"series": "ichimoku", "line": "span_b"}, lambda k: later(middle(k, 52), 26), itself),
    ({"series": "deviation"}, lambda k: 100 * talib.STDDEV(k.close, 20) / talib.SMA(k.close, 20), hundred),
    ({"series": "rank", "period": 50}, lambda k: rank(k, 50), hundred),
    ({"series": "streak"}, streak, hundred),
    ({"series": "body"}, lambda k: 100 * (k.close / k.open - 1), hundred),
    ({"series": "age"}, lambda k: 1.5 + (1 + np.arange(len(k))) / 60, itself),
    ({"series": "range"}, lambda k: 100 * (k.high - k.low) / k.open, hundred),
]


@cache
def market(scale: float) -> Candles:
    return wild_market(1, 6000, scale=scale)


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9], ids=["one", "tiny", "huge"])
@pytest.mark.parametrize(("document", "oracle", "size"), ORACLE, ids=[str(row[0].values()) for row in ORACLE])
def test_talib_agrees(
    document: dict[str, Any], oracle: Column, size: Callable[[Candles, Floats], Floats], scale: float
) -> None:
    candles, series = market(scale), series_of(document)
    expected, found = oracle(candles), series_values(series, candles)
    assert np.isnan(found).tolist() == [i < series.warm_up() for i in range(len(candles))]
    error = np.abs(found - expected) / size(candles, expected)
    assert np.nanmax(error[DECAYED.get(document["series"], 0) :]) < AGREES
    if document["series"] in AS_EARLY:
        assert np.isnan(expected).argmin() <= series.warm_up()


def lines_of(kind: type[Series]) -> tuple[str | None, ...]:
    line = kind.model_fields.get("line")
    return (None,) if line is None else get_args(line.annotation)


def test_the_oracle_knows_every_series_and_every_line() -> None:
    told = {(document["series"], series_of(document).model_dump().get("line")) for document, _, _ in ORACLE}
    assert told == {(name, line) for name, kind in SERIES.items() for line in lines_of(kind)}
