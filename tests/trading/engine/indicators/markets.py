"""Markets for the tests of indicators, and a series written as JSON."""

from dataclasses import replace
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from strategybot.trading.engine.candles import Candles, tidy
from strategybot.trading.language.series import AnySeries
from strategybot.trading.language.series_kind import Series
from tests.trading.builders import MINUTE, START

_SERIES: TypeAdapter[Series] = TypeAdapter(AnySeries)

# One document for every series, and one for every line of it.
EVERY_SERIES: list[dict[str, Any]] = [
    *({"series": name} for name in ("open", "high", "low", "close", "volume")),
    *({"series": "sma", "period": 20, "of": of} for of in ("close", "open", "high", "low", "typical", "volume")),
    *({"series": "ema", "period": 12, "of": of} for of in ("close", "typical", "volume")),
    *({"series": "bollinger", "line": line} for line in ("upper", "middle", "lower", "percent_b", "width")),
    *({"series": name} for name in ("highest", "lowest", "vwap", "rsi", "atr", "change")),
    *({"series": "stochastic", "line": line} for line in ("k", "d")),
    *({"series": "stochastic_rsi", "line": line} for line in ("k", "d")),
    *({"series": "macd", "line": line} for line in ("macd", "signal", "histogram")),
    *({"series": "adx", "line": line} for line in ("adx", "plus_di", "minus_di")),
    *({"series": name, "period": 9} for name in ("wma", "hma")),
    *({"series": name} for name in ("vwma", "cci", "mfi", "williams_r", "parabolic_sar", "deviation", "rank")),
    *({"series": name} for name in ("streak", "body", "range", "age")),
    *({"series": "keltner", "line": line} for line in ("upper", "middle", "lower")),
    *({"series": "supertrend", "line": line} for line in ("line", "direction")),
    *({"series": "aroon", "line": line} for line in ("up", "down", "oscillator")),
    *({"series": "ichimoku", "line": line} for line in ("conversion", "base", "span_a", "span_b")),
]


def series_of(document: dict[str, Any]) -> Series:
    return _SERIES.validate_python(document)


def name_of(document: dict[str, Any]) -> str:
    return " ".join(str(value) for value in document.values())


def wild_market(seed: int, count: int, *, scale: float = 1.0, start: int = START) -> Candles:
    """Dense candles of a walk with fat tails whose volatility comes in clusters."""
    chance = np.random.default_rng(seed)
    clusters = np.repeat(chance.lognormal(0, 0.7, count // 50 + 1), 50)[:count]
    close = scale * np.exp(np.cumsum(chance.standard_t(4, count) * 0.002 * clusters))
    opens = np.concatenate((close[:1], close[:-1]))
    high = np.maximum(opens, close) * (1 + np.abs(chance.normal(0, 0.001, count)))
    low = np.minimum(opens, close) * (1 - np.abs(chance.normal(0, 0.001, count)))
    time = start + MINUTE * np.arange(count)
    candles = tidy(time, opens, high, low, close, chance.lognormal(5, 1, count), interval_seconds=MINUTE)[0]
    return replace(candles, born=start - 90 * MINUTE)


def flat_market(price: float, count: int, *, volume: float = 3.0) -> Candles:
    prices = np.full(count, price)
    time = START + MINUTE * np.arange(count)
    candles = tidy(time, prices, prices, prices, prices, np.full(count, volume), interval_seconds=MINUTE)[0]
    return replace(candles, born=START)
