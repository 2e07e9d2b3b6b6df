"""Random comparisons of every series. Both sides have one unit: two prices, two volumes, two distances or two shares.

The periods are small, so that a few hundred candles are enough for every series to be known.
"""

from functools import cache
from typing import Any

from hypothesis import strategies as st

Document = dict[str, Any]
Documents = st.SearchStrategy[Document]

SHARES = {"rsi", "stochastic", "stochastic_rsi", "adx", "change", "cci", "mfi", "williams_r", "aroon", "deviation"}
SHARES |= {"rank", "streak", "body", "range"}  # values that do not grow with the price
OPERATORS = ("above", "below", "crosses_above", "crosses_below")


def compare(left: Document, operator: str, right: float | Document, within_candles: int = 1) -> Document:
    return {
        "kind": "compare",
        "left": left,
        "operator": operator,
        "right": right,
        "within_candles": within_candles,
    }


def _one(*names: str, **parameters: Any) -> Documents:
    """A series of one of these names; each parameter is a list of the values it may have."""
    choices = {name: st.sampled_from(values) for name, values in parameters.items()}
    return st.fixed_dictionaries({"series": st.sampled_from(names), **choices})


WINDOWS = [2, 3, 5, 8]
PRICE_SOURCES = ["close", "open", "high", "low", "typical"]
WINDOWED = {
    "price": [
        _one("open", "high", "low", "close"),
        _one("sma", period=WINDOWS, of=PRICE_SOURCES),
        _one("bollinger", period=WINDOWS, deviations=[0.5, 2], line=["upper", "middle", "lower"]),
        _one("highest", "lowest", period=WINDOWS),
        _one("vwap", "vwma", period=WINDOWS),
        _one("wma", "hma", period=WINDOWS, of=PRICE_SOURCES),
        _one(
            "ichimoku",
            conversion=[2, 3],
            base=[3, 5],
            span=[4],
            displacement=[1, 4],
            line=["conversion", "base", "span_a", "span_b"],
        ),
    ],
    "volume": [_one("volume"), _one("sma", period=WINDOWS, of=["volume"])],
    "share": [
        _one("bollinger", period=WINDOWS, line=["percent_b", "width"]),
        _one("stochastic", period=WINDOWS, smooth=[1, 2, 3], signal=[1, 3], line=["k", "d"]),
        _one("change", period=[1, 2, 7]),
        _one("cci", "mfi", "williams_r", "deviation", "rank", period=WINDOWS),
        _one("aroon", period=WINDOWS, line=["up", "down", "oscillator"]),
        _one("streak", "body", "range"),
    ],
}
RECURSIVE = {
    "price": [
        _one("ema", period=[2, 3, 4], of=PRICE_SOURCES),
        _one("keltner", period=[2, 3], atr_period=[2, 3], multiplier=[1, 2.5], line=["upper", "middle", "lower"]),
    ],
    "volume": [_one("ema", period=[2, 3], of=["volume"])],
    "distance": [
        _one("atr", period=[2, 3]),
        _one("macd", fast=[2], slow=[3, 4], signal=[2], line=["macd", "signal", "histogram"]),
    ],
    "share": [
        _one("rsi", period=[2, 3]),
        _one("stochastic_rsi", period=[2], stochastic_period=[2, 3], smooth=[1, 2], signal=[1, 2], line=["k", "d"]),
        _one("adx", period=[2], line=["adx", "plus_di", "minus_di"]),
    ],
}
UNITS = ("price", "volume", "distance", "share")
TRENDS = _one("supertrend", period=[2, 3], multiplier=[1, 3], line=["line", "direction"]) | _one("parabolic_sar")


@st.composite
def _changed(draw: st.DrawFn, series: Documents, intervals: list[str | None], step: float) -> Document:
    """The series with an interval, an offset, `times` and `plus`, each of them now and then."""
    return {
        **draw(series),
        "interval": draw(st.sampled_from(intervals)),
        "offset": draw(st.sampled_from([0, 0, 0, 1, 3])),
        "times": draw(st.sampled_from([1, 1, 1, 0.98, 1.03])),
        "plus": draw(st.sampled_from([0, 0, 0, step, -step])),
    }


@cache
def series_of(unit: str, scale: float) -> Documents:
    step = {"price": 0.01 * scale, "distance": 0.01 * scale}.get(unit, 1.5)
    return st.one_of(
        *(_changed(each, [None, None, "5m", "15m"], step) for each in WINDOWED.get(unit, [])),
        *(_changed(each, [None, None, None, "5m"], step) for each in RECURSIVE[unit]),
    )


@cache
def numbers_of(unit: str, scale: float) -> st.SearchStrategy[float]:
    if unit == "price":
        return st.sampled_from([0.7, 0.9, 1.0, 1.1, 1.5]).map(lambda factor: factor * scale)
    if unit == "distance":
        return st.sampled_from([0.0, 0.005, 0.02]).map(lambda factor: factor * scale)
    return st.sampled_from([0.0, 5.0, 20.0] if unit == "volume" else [0.5, 5.0, 20.0, 50.0, 80.0])


@cache
def _right_of(unit: str, scale: float) -> st.SearchStrategy[float | Document]:
    return numbers_of(unit, scale) | series_of(unit, scale)


@st.composite
def comparisons(draw: st.DrawFn, scale: float = 1.0) -> Document:
    unit = draw(st.sampled_from(UNITS))
    right = draw(_right_of(unit, scale))
    within = draw(st.sampled_from([1, 1, 1, 2, 7]))
    return compare(draw(series_of(unit, scale)), draw(st.sampled_from(OPERATORS)), right, within)


def rescaled(comparison: Document, factor: float) -> Document:
    """The comparison for a market in which every price and volume is so many times as large."""
    if is_share(comparison["left"]):
        return comparison
    left, right = comparison["left"], comparison["right"]
    scaled = {**right, "plus": right["plus"] * factor} if isinstance(right, dict) else right * factor
    return {**comparison, "left": {**left, "plus": left["plus"] * factor}, "right": scaled}


def is_share(series: Document) -> bool:
    return series["series"] in SHARES or series.get("line") in ("percent_b", "width")
