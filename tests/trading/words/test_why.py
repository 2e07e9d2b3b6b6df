"""Reasons as data: the code and the figures that a program reads, and the sentence that a person reads."""

import json
import math
from typing import Any, get_args

import pytest

from strategybot.trading.engine.ledger import Fill
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.risk import (
    ASSUMED,
    BREAK_EVEN,
    EXACT,
    LADDER,
    NO_PARTS,
    RESOLVED,
    STOP_LOSS,
    TAKE_PROFIT,
    TRAILING_STOP,
)
from strategybot.trading.engine.step import opening_state, rules_of
from strategybot.trading.words.reason_data import ReasonCode
from strategybot.trading.words.why import (
    cooling_why,
    holding_why,
    ladder_why,
    met_reason,
    risk_why,
    unknown_reason,
    unmet_reason,
)
from tests.trading.builders import CASH, FREE, closes, drop, level, random_candles, rise, spike, strategy_of
from tests.trading.random_series import compare

Conditions = dict[str, Any]
PARTS = strategy_of(
    drop(5),
    take_profits=[{"gain_percent": 18, "sell_percent": 50}],
    position_percent=50,
    ladder=[{"drop_percent": 5, "size_percent": 20}],
)
ASSUMPTION = "This is assumed: the order of the prices inside this candle is unknown."


@pytest.mark.parametrize(
    ("condition", "measured", "text"),
    [
        (drop(2, "4h"), 0.601, "Not yet: the price fell 0.601% in 4h, it takes a fall of 2%."),
        (drop(2, "4h"), -0.3, "Not yet: the price rose 0.3% in 4h, it takes a fall of 2%."),
        (drop(5, "1d", "high"), 4.2, "Not yet: the price fell 4.2% from its high of 1d, it takes a fall of 5%."),
        (rise(1.5, "1h"), -1, "Not yet: the price fell 1% in 1h, it takes a rise of 1.5%."),
        (rise(7, "1h"), 1, "Not yet: the price rose 1% in 1h, it takes a rise of 7%."),
        (spike(3, "2h"), 1.2, "Not yet: the volume is 1.2× its 2h average, it takes 3×."),
        (level(6), 5.1, "Not yet: the price is $5.1, not above $6."),
        (level(5), 5.1, "Not yet: the price is $5.1 and was already above $5: it has to cross it again."),
    ],
)
def test_an_unmet_condition_says_what_it_takes(condition: Conditions, measured: float, text: str) -> None:
    [parsed] = strategy_of(condition).conditions
    reason = unmet_reason(parsed, measured)
    assert (reason["code"], reason["text"]) == ("condition_unmet", text)
    assert reason["values"]["kind"] == condition["kind"]
    assert reason["values"]["measured"] == measured
    assert reason["values"]["threshold"] == next(
        condition[name] for name in ("percent", "multiplier", "level") if name in condition
    )
    assert reason["values"]["condition"] == parsed.phrase()


def test_a_comparison_names_both_sides() -> None:
    [parsed] = strategy_of(compare({"series": "close"}, "above", {"series": "open"})).conditions
    met, unmet = met_reason(parsed, 3.0, 2.0), unmet_reason(parsed, 2.0, 3.0)
    assert [(each["values"]["measured"], each["values"]["threshold"]) for each in (met, unmet)] == [(3, 2), (2, 3)]
    assert unmet["text"] == "Not yet: the price is 2, it must rise 1 to be above the open 3."
    [number] = strategy_of(compare({"series": "close"}, "above", 9)).conditions
    assert met_reason(number, 10.0)["values"]["threshold"] == 9


@pytest.mark.parametrize(
    ("condition", "i", "text"),
    [
        (drop(2, "4m"), 2, "Not yet: it has to see 4 candles first, and has seen 2."),
        (drop(2, "1m"), 0, "Not yet: it has to see 1 candle first, and has seen 0."),
        (spike(3, "2m"), 3, "Not yet: nothing was traded in the 2m before."),
    ],
)
def test_an_unknown_condition_says_what_is_missing(condition: Conditions, i: int, text: str) -> None:
    [parsed] = strategy_of(condition).conditions
    candles = closes(1, 2, 3, 4, volumes=[0, 0, 0, 5])
    reason = unknown_reason(parsed, candles, i)
    assert (reason["code"], reason["text"]) == ("condition_unknown", text)
    assert reason["values"].get("candles_seen") == (None if condition["kind"] == "volume_spike" else i)


def sale(reason: int, base: float, level_: float, number: int = 0) -> Fill:
    return Fill(reason, number, base, 1.0, 1.0, 0.0, level_)


@pytest.mark.parametrize(
    ("sold", "certainty", "code", "text"),
    [
        (sale(STOP_LOSS, 110, 110), EXACT, "stop_loss", "The price fell to its stop loss, $110."),
        (sale(TRAILING_STOP, 109, 110), EXACT, "trailing_stop", "The price jumped past its trailing stop, $110."),
        (sale(TAKE_PROFIT, 118, 118), EXACT, "take_profit", "The price rose to its take profit, $118."),
        (sale(BREAK_EVEN, 110, 110), EXACT, "break_even", "The price fell to its break even, $110."),
        (
            sale(STOP_LOSS, 110, 110),
            RESOLVED,
            "stop_loss",
            "The price fell to its stop loss, $110. This was decided on 1-minute candles.",
        ),
        (
            sale(STOP_LOSS, 110, 110),
            ASSUMED,
            "stop_loss",
            f"The price fell to its stop loss, $110. {ASSUMPTION}",
        ),
    ],
)
def test_a_risk_exit_names_its_level(sold: Fill, certainty: int, code: str, text: str) -> None:
    [reason] = risk_why(strategy_of(drop(5)), sold, certainty, 112.0, 118.2, 109.0).reasons
    assert (reason["code"], reason["text"]) == (code, text)
    assert reason["values"]["level"] == sold.level
    assert reason["values"]["gap"] == (sold.base != sold.level)


def test_a_target_and_a_ladder_step_name_their_part() -> None:
    [sold] = risk_why(PARTS, sale(TAKE_PROFIT, 118, 118, 1), EXACT, 112.0, 118.2, 109.0).reasons
    assert sold["text"] == "The price rose to its take profit 1 of 1, $118. It sells half of what it bought."
    assert (sold["values"]["target"], sold["values"]["quantity"]) == (1, 1.0)
    [added] = ladder_why(PARTS, sale(LADDER, 95, 95, 1)).reasons
    assert (added["code"], added["text"]) == ("ladder", "The price fell to step 1 of its ladder, $95: it buys more.")
    assert added["values"] == {"step": 1, "level": 95, "price": 95}


@pytest.mark.parametrize(
    ("rest", "close", "text"),
    [
        ({}, 99.5, "It holds, 0.5% below what it paid."),
        (
            {"stop_loss_percent": 10, "take_profit_percent": 18},
            101.2,
            "It holds, 1.2% above what it paid. It sells when the price falls to $90 or rises to $118.",
        ),
    ],
)
def test_a_held_position_says_what_ends_it(rest: dict[str, float], close: float, text: str) -> None:
    state = opening_state(0)._replace(quantity=1.0, entry_price=100.0, peak=100.0)
    [reason] = holding_why(rules_of(strategy_of(drop(5), **rest), FREE, 60).terms, state, close).reasons
    assert (reason["code"], reason["text"]) == ("holding", text)
    assert (reason["values"]["stop"] is None) == (rest == {})
    assert (reason["values"]["target"] is None) == (rest == {})


def test_a_held_position_says_how_far_its_next_ladder_step_is() -> None:
    parts = NO_PARTS._replace(first_price=100.0)
    state = opening_state(0)._replace(quantity=1.0, entry_price=100.0, peak=100.0, parts=parts)
    [reason] = holding_why(rules_of(PARTS, FREE, 60).terms, state, 96.15).reasons
    assert reason["text"].endswith("rises to $118. It needs a further 1.2 % fall to add 20 %.")
    assert (reason["values"]["target"], reason["values"]["ladder"]) == (118, 95)


def test_an_unknown_range_is_the_reason_of_an_entry_that_is_not_decided() -> None:
    stops = {"stop_loss_atr": {"period": 5, "times": 2}, "trailing_stop_atr": {"period": 9, "times": 2}}
    [waits, *_] = PaperSession(strategy_of(level(1, trigger="is"), **stops), FREE, CASH, 60).advance(closes(2, 3)).log
    assert waits["reason"] == "waiting: its conditions are met, but ATR(5) and ATR(9) of its stop is not known yet"
    assert [each["code"] for each in waits["reasons"]] == ["stop_unknown"]


def test_a_cooldown_says_how_long_it_lasts() -> None:
    [reason] = cooling_why(5400).reasons
    assert reason["values"] == {"seconds": 5400}
    assert reason["text"] == "It has just sold, and waits another 1h 30m before it buys again."


def test_every_entry_of_a_log_has_reasons_that_json_can_hold() -> None:
    strategy = strategy_of(
        drop(1),
        exit_conditions=[rise(2)],
        stop_loss_percent=1,
        max_holding="9m",
        cooldown="2m",
        guards={"max_trades_per_day": 5},
    )
    log = PaperSession(strategy, FREE, CASH, 60).advance(random_candles(3, 800)).log
    codes = {reason["code"] for entry in log for reason in entry["reasons"]}
    expected = {"condition_met", "condition_unmet", "condition_unknown", "decided", "holding", "cooling_down"}
    assert expected | {"stop_loss", "guard_max_trades_per_day"} <= codes <= set(get_args(ReasonCode))
    assert json.loads(json.dumps(log, allow_nan=False)) == log


def test_a_price_beyond_any_number_is_null() -> None:
    [parsed] = strategy_of(spike(2)).conditions
    assert met_reason(parsed, math.inf)["values"]["measured"] is None


def test_a_session_of_an_older_version_keeps_the_words_of_its_decision() -> None:
    candles = closes(100, 90, 91)
    session = PaperSession(strategy_of(drop(5)), FREE, CASH, 60)
    session.advance(candles[:2])
    state = session.state()
    assert [each["code"] for each in state.pop("pending_reasons")] == ["condition_met"]
    [bought] = PaperSession.restore(strategy_of(drop(5)), FREE, state, candles[:2]).advance(candles[2:]).log
    assert bought["reason"] == "price fell 10 % in 1m, threshold 5 %"
    assert "reasons" not in bought
