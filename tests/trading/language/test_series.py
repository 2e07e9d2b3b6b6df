"""The series of the language: what is accepted and refused, in one sentence, and by the JSON schema alike; phrases."""

from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator  # the other package builds 38 grammars when it is imported
from pydantic import ValidationError

from strategybot.kit.validation import field_errors
from strategybot.trading.language.conditions import Compare
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.strategy import Strategy, describe
from tests.trading.builders import strategy_of
from tests.trading.engine.indicators.markets import EVERY_SERIES, name_of, series_of
from tests.trading.random_series import compare

SCHEMA = Draft202012Validator(Strategy.model_json_schema())
LEFT: dict[str, Any] = {"series": "rsi"}
ONLY_DESCRIBED = "slow must be above fast"


def left(series: str, **parameters: Any) -> dict[str, Any]:
    return compare({"series": series, **parameters}, "below", 30)


def right(value: Any) -> dict[str, Any]:
    return compare(LEFT, "below", value)


NAMES = ", ".join(f"'{name}'" for name in SERIES)
INTERVALS = "'1m', '5m', '15m', '1h', '4h' or '1d'"
WRONG: list[tuple[dict[str, Any], str]] = [
    (left("obv"), f"left.series must be one of {NAMES}"),
    (compare({}, "below", 30), "left.series is required"),
    (compare(5, "below", 30), "left must be an object"),  # type: ignore[arg-type]
    (left("sma"), "left.period is required"),
    (left("ema", of="high"), "left.period is required"),
    *((left(name, period=1), "left.period must be at least 2") for name in ("sma", "ema", "rsi", "vwap", "highest")),
    *((left(name, period=501), "left.period must be at most 500") for name in ("sma", "atr", "adx", "change")),
    (left("change", period=0), "left.period must be at least 1"),
    (left("rsi", period=14.5), "left.period must be a whole number"),
    (left("rsi", period="14"), "left.period must be a whole number"),
    (left("rsi", period=True), "left.period must be a whole number"),
    (left("sma", period=9, of="vwap"), "left.of must be 'close', 'open', 'high', 'low', 'typical' or 'volume'"),
    (left("bollinger"), "left.line is required"),
    (left("bollinger", line="top"), "left.line must be 'upper', 'middle', 'lower', 'percent_b' or 'width'"),
    (left("bollinger", line="upper", deviations=0), "left.deviations must be above 0"),
    (left("bollinger", line="upper", deviations=11), "left.deviations must be at most 10"),
    (left("stochastic", line="j"), "left.line must be 'k' or 'd'"),
    (left("stochastic", smooth=0), "left.smooth must be at least 1"),
    (left("stochastic", signal=101), "left.signal must be at most 100"),
    (left("stochastic_rsi", stochastic_period=1), "left.stochastic_period must be at least 2"),
    (left("adx", line="di"), "left.line must be 'adx', 'plus_di' or 'minus_di'"),
    (left("keltner"), "left.line is required"),
    (left("keltner", line="upper", multiplier=0), "left.multiplier must be above 0"),
    (left("supertrend", multiplier=21), "left.multiplier must be at most 20"),
    (left("supertrend", line="up"), "left.line must be 'line' or 'direction'"),
    (left("parabolic_sar", step=0), "left.step must be above 0"),
    (left("parabolic_sar", maximum=1.1), "left.maximum must be at most 1"),
    (left("aroon", line="both"), "left.line must be 'up', 'down' or 'oscillator'"),
    (left("ichimoku", line="lagging"), "left.line must be 'conversion', 'base', 'span_a' or 'span_b'"),
    (left("ichimoku", line="base", displacement=0), "left.displacement must be at least 1"),
    (left("wma"), "left.period is required"),
    (left("streak", period=3), "left.period is not a known field"),
    (left("macd", line="slow"), "left.line must be 'macd', 'signal' or 'histogram'"),
    (left("macd", fast=26, slow=26), "left.slow must be above fast"),
    (left("macd", fast=100, slow=50), "left.slow must be above fast"),
    (left("macd", slow=12), "left.slow must be above fast"),
    (left("macd", fast=26), "left.slow must be above fast"),
    (left("macd", fast=101, slow=200), "left.fast must be at most 100"),
    (left("macd", signal=1), "left.signal must be at least 2"),
    (left("close", period=3), "left.period is not a known field"),
    (left("rsi", line="k"), "left.line is not a known field"),
    (left("rsi", interval="2h"), f"left.interval must be {INTERVALS}"),
    (left("rsi", offset=-1), "left.offset must be at least 0"),
    (left("rsi", offset=101), "left.offset must be at most 100"),
    (left("rsi", times=0), "left.times must be above 0"),
    (left("rsi", plus="1"), "left.plus must be a number"),
    (right("30"), "right must be a number or a series"),
    (right(None), "right must be a number or a series"),
    (right(True), "right must be a number or a series"),
    (right([]), "right must be a number or a series"),
    (right({"series": "obv"}), f"right.series must be one of {NAMES}"),
    (right({"period": 20}), "right.series is required"),
    (right({"series": "ema"}), "right.period is required"),
    (right({"series": "ema", "period": 1}), "right.period must be at least 2"),
    (right({"series": "macd", "fast": 50, "slow": 30}), "right.slow must be above fast"),
    (compare(LEFT, "equals", 30), "operator must be 'above', 'below', 'crosses_above' or 'crosses_below'"),
    (compare(LEFT, "below", 30, 0), "within_candles must be at least 1"),
    (compare(LEFT, "below", 30, 101), "within_candles must be at most 100"),
    ({**compare(LEFT, "below", 30), "window": "1h"}, "window is not a known field"),
]


def ids(row: Any) -> str | None:
    return row if isinstance(row, str) else None


@pytest.mark.parametrize(("condition", "sentence"), WRONG, ids=ids)
def test_a_wrong_value_gets_one_sentence_and_a_schema_catches_it_too(condition: dict[str, Any], sentence: str) -> None:
    document = {"conditions": [condition]}
    with pytest.raises(ValidationError) as caught:
        Strategy.model_validate(document)
    told = [str(error) for error in field_errors(caught.value.errors(), document)]
    assert told == [f"conditions.0.{sentence}"]
    assert SCHEMA.is_valid(document) == sentence.endswith(ONLY_DESCRIBED)


@pytest.mark.parametrize("number", [float("inf"), float("nan")])
def test_a_number_must_be_finite(number: float) -> None:
    document = {"conditions": [right(number)]}
    with pytest.raises(ValidationError) as caught:
        Strategy.model_validate(document)
    told = [str(error) for error in field_errors(caught.value.errors(), document)]
    assert told == ["conditions.0.right must be a finite number"]


RIGHT = [
    *(compare(document, "below", document) for document in EVERY_SERIES),
    *(left("macd", fast=fast, slow=slow) for fast, slow in ((2, 3), (99, 100), (100, 101), (100, 500), (25, 26))),
    left("macd", fast=25),
    left("macd", slow=13),
    left("rsi", period=500, interval="1d", offset=100, times=0.001, plus=-1e9),
    left("change", period=1),
    compare(LEFT, "crosses_below", -5, 100),
]


@pytest.mark.parametrize("condition", RIGHT)
def test_what_is_accepted_the_schema_accepts_too(condition: dict[str, Any]) -> None:
    document = {"conditions": [condition]}
    strategy = Strategy.model_validate(document)
    assert SCHEMA.is_valid(document)
    assert Strategy.model_validate_json(strategy.model_dump_json()) == strategy


def test_every_series_is_in_the_table_and_tested() -> None:
    assert {document["series"] for document in EVERY_SERIES} == set(SERIES)
    for name, kind in SERIES.items():
        assert name in kind.model_fields["series"].annotation.__args__  # type: ignore[union-attr]


BELOW = {"rsi", "stochastic", "stochastic_rsi", "macd", "adx", "atr", "change", "cci", "mfi", "williams_r", "aroon"}
BELOW |= {"deviation", "rank", "streak", "body", "range", "age"}
PHRASES: list[tuple[dict[str, Any], str]] = [
    ({"series": "close"}, "the price"),
    ({"series": "open"}, "the open"),
    ({"series": "high"}, "the high"),
    ({"series": "low"}, "the low"),
    ({"series": "volume"}, "the volume"),
    ({"series": "ema", "period": 50}, "EMA(50)"),
    ({"series": "sma", "period": 20, "of": "volume"}, "SMA(20) of the volume"),
    ({"series": "sma", "period": 20, "of": "typical"}, "SMA(20) of the typical price"),
    ({"series": "bollinger", "line": "lower"}, "lower Bollinger band (20, 2)"),
    ({"series": "bollinger", "line": "percent_b", "deviations": 2.5}, "Bollinger %B (20, 2.5)"),
    ({"series": "bollinger", "line": "width"}, "Bollinger width (20, 2) in %"),
    ({"series": "highest"}, "the highest high of the 20 candles before"),
    ({"series": "lowest", "period": 5}, "the lowest low of the 5 candles before"),
    ({"series": "vwap"}, "VWAP(20)"),
    ({"series": "rsi"}, "RSI(14)"),
    ({"series": "stochastic"}, "Stochastic(14, 3, 3) %K"),
    ({"series": "stochastic_rsi", "line": "d"}, "Stochastic RSI(14, 14, 3, 3) %D"),
    ({"series": "macd"}, "MACD(12, 26, 9)"),
    ({"series": "macd", "line": "histogram"}, "MACD(12, 26, 9) histogram"),
    ({"series": "adx"}, "ADX(14)"),
    ({"series": "adx", "line": "plus_di"}, "+DI(14)"),
    ({"series": "adx", "line": "minus_di"}, "−DI(14)"),
    ({"series": "atr"}, "ATR(14)"),
    ({"series": "change", "period": 24}, "the change over 24 candles, %"),
    ({"series": "change"}, "the change over 1 candle, %"),
    ({"series": "wma", "period": 9, "of": "low"}, "WMA(9) of the low"),
    ({"series": "hma", "period": 9}, "HMA(9)"),
    ({"series": "vwma"}, "VWMA(20)"),
    ({"series": "cci"}, "CCI(20)"),
    ({"series": "mfi"}, "MFI(14)"),
    ({"series": "williams_r"}, "Williams %R(14)"),
    ({"series": "keltner", "line": "lower", "multiplier": 1.5}, "lower Keltner band (20, 10, 1.5)"),
    ({"series": "supertrend"}, "Supertrend(10, 3)"),
    ({"series": "supertrend", "line": "direction"}, "Supertrend(10, 3) direction"),
    ({"series": "parabolic_sar"}, "parabolic SAR(0.02, 0.2)"),
    ({"series": "aroon", "line": "up"}, "Aroon up (14)"),
    ({"series": "ichimoku", "line": "span_a"}, "Ichimoku span A (9, 26, 52, 26)"),
    ({"series": "deviation"}, "the standard deviation of 20 candles, %"),
    ({"series": "rank"}, "the rank of the price in 100 candles, %"),
    ({"series": "streak"}, "the streak of closes"),
    ({"series": "body"}, "the body of the candle, %"),
    ({"series": "range"}, "the range of the candle, %"),
    ({"series": "age"}, "the age of the token in hours"),
    ({"series": "close", "offset": 1}, "the price 1 candle ago"),
    (
        {"series": "rsi", "interval": "1h", "offset": 3, "times": 0.98, "plus": -2},
        "RSI(14) on 1h candles 3 candles ago × 0.98 − 2",
    ),
    ({"series": "volume", "plus": 5}, "the volume + 5"),
]


@pytest.mark.parametrize(("document", "phrase"), PHRASES, ids=ids)
def test_a_series_has_a_phrase(document: dict[str, Any], phrase: str) -> None:
    assert series_of(document).phrase() == phrase


@pytest.mark.parametrize("document", EVERY_SERIES, ids=name_of)
def test_a_series_is_drawn_over_the_price_the_volume_or_below(document: dict[str, Any]) -> None:
    series = series_of(document)
    if "volume" in document.values():
        assert series.drawn_in() == "volume"
    elif document["series"] in BELOW:
        assert series.drawn_in() == "below"
    else:
        assert series.drawn_in() == (
            "below" if document.get("line") in ("percent_b", "width", "direction") else "price"
        )


@pytest.mark.parametrize(
    ("condition", "phrase"),
    [
        (compare(LEFT, "below", 30), "RSI(14) is below 30"),
        (compare(LEFT, "above", 70), "RSI(14) is above 70"),
        (
            compare({"series": "ema", "period": 50}, "crosses_above", {"series": "ema", "period": 200}),
            "EMA(50) crosses above EMA(200)",
        ),
        (
            compare({"series": "close"}, "crosses_below", {"series": "bollinger", "line": "lower", "times": 0.98}),
            "the price crosses below lower Bollinger band (20, 2) × 0.98",
        ),
        (compare(LEFT, "below", 30, 10), "RSI(14) was below 30 within the last 10 candles"),
        (compare(LEFT, "crosses_above", 30, 2), "RSI(14) crossed above 30 within the last 2 candles"),
    ],
)
def test_a_comparison_is_described_in_plain_english(condition: dict[str, Any], phrase: str) -> None:
    assert Compare.model_validate(condition).phrase() == phrase
    assert (
        describe(strategy_of(condition, stop_loss_percent=5)) == f"Buy when {phrase}. Sell at a 5 % loss (stop loss)."
    )
