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
from strategybot.trading.language.series import SERIES, Series
from tests.trading.engine.indicators.markets import series_of, wild_market

DECAYED = {"macd": 400}
AS_EARLY = ("sma", "ema", "rsi", "stochastic_rsi", "adx", "atr")  # it has a value as early as the textbook
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
    told = {(document["series"], document.get("line")) for document, _, _ in ORACLE}
    assert told == {(name, line) for name, kind in SERIES.items() for line in lines_of(kind)}
