"""The sentences for comparisons that are true, false or unknown, in a table and in backtests and paper sessions."""

import math
from typing import Any

import numpy as np
import pytest

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.language.conditions import Compare
from strategybot.trading.words.explain import explain
from strategybot.trading.words.reasons import fired_words, waiting_words
from tests.trading.builders import CASH, FREE, closes, strategy_of
from tests.trading.engine.indicators.markets import flat_market
from tests.trading.random_series import compare

NAN = math.nan
RSI: dict[str, Any] = {"series": "rsi"}
FAST, SLOW = {"series": "ema", "period": 50}, {"series": "ema", "period": 200}
VOLUME: dict[str, Any] = {"series": "volume"}
ATR: dict[str, Any] = {"series": "atr"}


@pytest.mark.parametrize(
    ("condition", "left", "right", "words"),
    [
        (compare(RSI, "below", 30), 27.43, NAN, "RSI(14) was 27.4, below 30"),
        (compare(RSI, "below", 30), 29.9999, NAN, "RSI(14) was 29.9999, below 30"),
        (compare(RSI, "crosses_above", 30), 31.2, NAN, "RSI(14) 31.2 crossed above 30"),
        (
            compare(FAST, "crosses_above", SLOW),
            0.001596,
            0.001592,
            "EMA(50) 0.001596 crossed above EMA(200) 0.001592",
        ),
        (compare(FAST, "below", SLOW), 1.5, 1.6, "EMA(50) 1.5 was below EMA(200) 1.6"),
        (compare({"series": "close"}, "above", FAST), 7, 6.5, "the price 7 was above EMA(50) 6.5"),
        (compare(RSI, "below", 30, 10), 44, NAN, "RSI(14) was below 30 within the last 10 candles, now 44"),
        (compare(RSI, "below", 30, 10), NAN, NAN, "RSI(14) was below 30 within the last 10 candles, now unknown"),
        (compare(VOLUME, "above", 5), 1234.5, NAN, "the volume was 1230, above 5"),
    ],
)
def test_a_comparison_that_is_true_says_why(condition: dict[str, Any], left: float, right: float, words: str) -> None:
    assert fired_words(Compare.model_validate(condition), left, right) == words


@pytest.mark.parametrize(
    ("condition", "left", "right", "words"),
    [
        (compare(RSI, "below", 30), 34.2, 30, "RSI(14) is 34.2: must fall 4.2 to be below 30"),
        (compare(RSI, "above", 70), 34.2, 70, "RSI(14) is 34.2: must rise 35.8 to be above 70"),
        (compare(RSI, "below", 30), 30, 30, "RSI(14) is 30: must fall to be below 30"),
        (compare(RSI, "crosses_above", 30), 20, 30, "RSI(14) is 20: must rise 10 to cross above 30"),
        (compare(RSI, "crosses_above", 30), 40, 30, "RSI(14) 40 is already above 30, no cross"),
        (
            compare(FAST, "crosses_below", SLOW),
            0.0000012,
            0.000001,
            "EMA(50) is 0.0000012: must fall 0.0000002 to cross below EMA(200) 0.000001",
        ),
        (compare(ATR, "above", 2), 1.5, 2, "ATR(14) is 1.5: must rise 0.5 to be above 2"),
    ],
)
def test_a_comparison_that_is_false_says_what_is_missing(
    condition: dict[str, Any], left: float, right: float, words: str
) -> None:
    assert waiting_words(Compare.model_validate(condition), left, right) == words


SMA: dict[str, Any] = {"series": "sma", "period": 3}


@pytest.mark.parametrize(
    ("condition", "candles", "sentence"),
    [
        (compare(SMA, "above", 1), closes(1, 2), "SMA(3) needs 2 candles before it, has 1"),
        (compare(SMA, "crosses_above", 1), closes(1, 2), "SMA(3) needs 3 candles before it, has 1"),
        (compare({"series": "close"}, "above", SMA), closes(5), "SMA(3) needs 2 candles before it, has 0"),
        (
            compare({"series": "stochastic", "period": 2, "smooth": 1}, "below", 20),
            flat_market(5, 9),
            "Stochastic(2, 1, 3) %K is undefined here: the market does not move, or volumes are unknown",
        ),
    ],
)
def test_a_comparison_that_is_unknown_says_why(condition: dict[str, Any], candles: Any, sentence: str) -> None:
    [answer] = explain(strategy_of(condition), candles, len(candles) - 1).entry.conditions
    assert (answer.known, answer.fired, answer.distance) == (False, False, None)
    assert answer.sentence == sentence


def test_a_condition_that_was_true_lately_is_known_though_its_value_is_not() -> None:
    candles = closes(1, 1, 1, volumes=[5, 20, math.nan])
    [answer] = explain(strategy_of(compare(VOLUME, "above", 10, 2)), candles, 2).entry.conditions
    assert (answer.known, answer.fired, answer.measured, answer.distance) == (True, True, None, 0)
    assert answer.sentence == "the volume was above 10 within the last 2 candles, now unknown"


def test_a_backtest_and_a_paper_session_say_the_same() -> None:
    candles = closes(*(10 + np.sin(np.arange(60) / 3)).tolist())
    strategy = strategy_of(
        compare({"series": "change"}, "below", 0),
        compare({"series": "close"}, "crosses_below", {"series": "sma", "period": 4}, 2),
        exit_conditions=[compare({"series": "close"}, "crosses_above", {"series": "sma", "period": 4})],
    )
    result = run_backtest(strategy, candles, FREE, CASH)
    told = PaperSession(strategy, FREE, CASH, 60).advance(candles)
    assert len(result.signals) > 5
    assert result.signals.page(0, 99) == told.signals
    bought = [entry["reason"] for entry in told.log if entry["action"] == "BUY"]
    assert [trade.entry_reason for trade in result.trades.page(0, 99)] == bought[: len(result.trades)]
    assert bought[0].startswith("the change over 1 candle, % was -")
    assert "the price crossed below SMA(4) within the last 2 candles, now" in bought[0]
