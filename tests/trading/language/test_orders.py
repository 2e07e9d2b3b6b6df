"""The fields of orders and sizes: what is accepted, what is refused, how they are written and said."""

from typing import Any

import pytest
from hypothesis import given, settings
from pydantic import ValidationError

from strategybot.trading.language.paths import PathError, place_of, places, with_values
from strategybot.trading.language.strategy import Strategy, content_digest, describe
from tests.trading.builders import drop, order_strategies, strategy_of

GOOD = drop(5, "15m")
STOP = {"stop_loss_percent": 3}


def target(gain: Any, share: Any = 10) -> dict[str, Any]:
    return {"gain_percent": gain, "sell_percent": share}


def step(fall: Any, share: Any = 5) -> dict[str, Any]:
    return {"drop_percent": fall, "size_percent": share}


def refusal(**change: Any) -> str:
    """Return why a strategy is refused; no words if it is accepted."""
    try:
        Strategy.model_validate({"conditions": [GOOD], **change})
    except ValidationError as error:
        return "; ".join(each["msg"] for each in error.errors())
    return ""


@pytest.mark.parametrize(
    "risk",
    [
        {"take_profits": [target(10, 100)]},
        {"take_profits": [target(10, 50), target(20, 50)]},
        {"take_profits": [target(10, 33.3), target(20, 33.3), target(30, 33.4)]},
        {"take_profits": [target(each) for each in range(1, 6)]},
        {"take_profits": None, "take_profit_percent": 5},
        {"break_even_after_percent": 0.1},
        {"break_even_after_percent": 5000},
        {"stop_loss_atr": {"period": 2, "times": 0.1}},
        {"stop_loss_atr": {"times": 1000}, "trailing_stop_percent": 5},
        {"trailing_stop_atr": {"period": 500, "times": 2}, "stop_loss_percent": 5},
    ],
)
def test_ways_to_sell_that_are_accepted(risk: dict[str, Any]) -> None:
    assert refusal(risk_management=risk) == ""


@pytest.mark.parametrize(
    ("risk", "why"),
    [
        ({"take_profits": []}, "at least 1"),
        ({"take_profits": [target(each) for each in range(1, 7)]}, "at most 5"),
        ({"take_profits": [target(10), target(10)]}, "gain_percent must rise"),
        ({"take_profits": [target(10), target(9)]}, "gain_percent must rise"),
        ({"take_profits": [target(10, 60), target(20, 50)]}, "more than 100 %"),
        ({"take_profits": [target(0)]}, "greater than 0"),
        ({"take_profits": [target(10, 0)]}, "greater than 0"),
        ({"take_profits": [target(10, 100.1)]}, "less than or equal to 100"),
        ({"take_profits": [{"gain_percent": 10}]}, "required"),
        ({"take_profits": [{**target(10), "price": 3}]}, "Extra"),
        ({"take_profits": [target(10)], "take_profit_percent": 5}, "take_profit_percent and take_profits exclude"),
        ({"break_even_after_percent": 0}, "greater than 0"),
        ({"stop_loss_atr": {"period": 1, "times": 2}}, "greater than or equal to 2"),
        ({"stop_loss_atr": {"period": 501, "times": 2}}, "less than or equal to 500"),
        ({"stop_loss_atr": {"period": 14, "times": 0}}, "greater than 0"),
        ({"stop_loss_atr": {"period": 14}}, "required"),
        ({"stop_loss_atr": {"times": 2}, **STOP}, "stop_loss_percent and stop_loss_atr exclude"),
        (
            {"trailing_stop_atr": {"times": 2}, "trailing_stop_percent": 5},
            "trailing_stop_percent and trailing_stop_atr exclude",
        ),
    ],
)
def test_ways_to_sell_that_are_refused(risk: dict[str, Any], why: str) -> None:
    assert why in refusal(risk_management=risk)


@pytest.mark.parametrize(
    "change",
    [
        {"ladder": [step(3, 50)], "position_percent": 50},
        {"ladder": [step(each, 9) for each in range(1, 11)], "position_percent": 10},
        {"ladder": [step(3, 33.3), step(5, 33.3)], "position_percent": 33.4},
        {"ladder": [step(3, 50), step(99.9, 50)], "position_amount": 100},
        {"ladder": None},
        {"max_entries": 1},
        {"max_entries": 10_000, "entry_gap": "30d"},
        {"position_amount": 1, "position_percent": 100},
        {"risk_percent": 0.01, "risk_management": STOP},
        {"risk_percent": 100, "risk_management": {"trailing_stop_percent": 5}},
        {"risk_percent": 1, "risk_management": {"stop_loss_atr": {"times": 2}}},
        {"risk_percent": 1, "risk_management": {"trailing_stop_atr": {"times": 2}}, "max_entries": 3},
    ],
)
def test_ways_to_buy_that_are_accepted(change: dict[str, Any]) -> None:
    assert refusal(**change) == ""


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"ladder": []}, "at least 1"),
        ({"ladder": [step(each, 1) for each in range(1, 12)], "position_percent": 10}, "at most 10"),
        ({"ladder": [step(3), step(3)], "position_percent": 50}, "drop_percent must rise"),
        ({"ladder": [step(3), step(2)], "position_percent": 50}, "drop_percent must rise"),
        ({"ladder": [step(0)], "position_percent": 50}, "greater than 0"),
        ({"ladder": [step(100)], "position_percent": 50}, "less than 100"),
        ({"ladder": [step(3, 0)], "position_percent": 50}, "greater than 0"),
        ({"ladder": [step(3)]}, "more than 100 % of the cash: lower position_percent"),
        ({"ladder": [step(3, 30), step(4, 30)], "position_percent": 50}, "more than 100 %"),
        (
            {"ladder": [step(3, 60), step(4, 50)], "position_amount": 100},
            "the ladder takes more than 100 % of the cash: lower its",
        ),
        ({"ladder": [step(3)], "risk_percent": 1, "risk_management": STOP}, "a ladder and risk_percent exclude"),
        ({"max_entries": 0}, "greater than or equal to 1"),
        ({"max_entries": 10_001}, "less than or equal to 10000"),
        ({"max_entries": 2.5}, "integer"),
        ({"entry_gap": "31d"}, "must be a duration"),
        ({"position_amount": 0.99}, "greater than or equal to 1"),
        ({"position_amount": 100, "position_percent": 50}, "the size is one of"),
        ({"position_amount": 100, "risk_percent": 1, "risk_management": STOP}, "the size is one of"),
        ({"risk_percent": 1, "position_percent": 50, "risk_management": STOP}, "the size is one of"),
        ({"risk_percent": 1}, "risk_percent needs a stop"),
        ({"risk_percent": 1, "risk_management": {"break_even_after_percent": 5}}, "risk_percent needs a stop"),
        ({"risk_percent": 0.009, "risk_management": STOP}, "greater than or equal to 0.01"),
        ({"risk_percent": 100.1, "risk_management": STOP}, "less than or equal to 100"),
    ],
)
def test_ways_to_buy_that_are_refused(change: dict[str, Any], why: str) -> None:
    assert why in refusal(**change)


NOTHING_SET = {
    **dict.fromkeys(("position_amount", "risk_percent", "ladder", "entry_gap")),
    "max_entries": 1,
    "risk_management": dict.fromkeys(
        ("take_profits", "break_even_after_percent", "stop_loss_atr", "trailing_stop_atr")
    ),
}


def test_fields_that_are_not_set_are_not_written_and_change_no_digest() -> None:
    bare = Strategy.model_validate({"conditions": [GOOD]})
    unset = Strategy.model_validate({"conditions": [GOOD], **NOTHING_SET})
    assert unset == bare
    assert unset.model_dump_json() == bare.model_dump_json()
    assert not {"ladder", "max_entries"} & bare.model_dump().keys()
    # The digest of this strategy from before there were orders.
    assert content_digest(unset) == "c1562df616ea74ee00d5ea02926c1af8"


@given(order_strategies())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_strategy_with_orders_is_read_as_it_was_written(strategy: Strategy) -> None:
    assert Strategy.model_validate_json(strategy.model_dump_json()) == strategy
    assert "null" not in describe(strategy)
    for each in places(strategy):
        assert place_of(strategy, each.path) == each


@pytest.mark.parametrize(
    "change",
    [
        {"max_entries": 2},
        {"entry_gap": "1h"},
        {"position_amount": 100},
        {"risk_percent": 1},
        {"ladder": [step(3, 50)], "position_percent": 50},
        {"risk_management": {**STOP, "take_profits": [target(10)]}},
        {"risk_management": {**STOP, "break_even_after_percent": 5}},
        {"risk_management": {"stop_loss_atr": {"times": 2}}},
        {"risk_management": {**STOP, "trailing_stop_atr": {"times": 2}}},
    ],
)
def test_each_order_changes_the_digest(change: dict[str, Any]) -> None:
    plan = {"conditions": [GOOD], "risk_management": STOP}
    bare, other = Strategy.model_validate(plan), Strategy.model_validate({**plan, **change})
    assert content_digest(other) != content_digest(bare)
    assert other != bare


@pytest.mark.parametrize(
    ("rest", "sentences"),
    [
        (
            {"take_profits": [target(10, 50), target(20, 50)]},
            (
                "Buy when the price falls at least 5 % within 15m. "
                "Sell 50 % of what was bought at a 10 % gain (take profit 1 of 2), "
                "or 50 % of what was bought at a 20 % gain (take profit 2 of 2)."
            ),
        ),
        (
            {"take_profits": [target(10, 50)], "break_even_after_percent": 5, "stop_loss_atr": {"times": 2}},
            (
                "Buy when the price falls at least 5 % within 15m. Sell 2 × ATR(14) under the average price "
                "(stop loss), or at what it paid once it was 5 % up (break even), "
                "or 50 % of what was bought at a 10 % gain (take profit)."
            ),
        ),
        (
            {"trailing_stop_atr": {"period": 7, "times": 1.5}, "risk_percent": 1},
            (
                "Buy so much that the stop loses 1 % of the account when the price falls at least 5 % within 15m. "
                "Sell 1.5 × ATR(7) under its peak (trailing stop)."
            ),
        ),
        (
            {
                "position_amount": 100,
                "max_entries": 4,
                "entry_gap": "1d",
                "ladder": [step(3, 20), step(6, 30)],
                "take_profit_percent": 9,
            },
            (
                "Buy for $100 when the price falls at least 5 % within 15m. "
                "Buy up to 4 times for one position, at least 1d apart. After the first buy, add on the way down, "
                "in parts of the cash before it: 20 % when it is 3 % lower, 30 % when it is 6 % lower. "
                "Sell at a 9 % gain (take profit)."
            ),
        ),
        (
            {"max_entries": 3},
            (
                "Buy when the price falls at least 5 % within 15m. Buy up to 3 times for one position. "
                "Nothing tells it to sell: a position stays open."
            ),
        ),
    ],
)
def test_orders_are_described_in_plain_english(rest: dict[str, Any], sentences: str) -> None:
    assert describe(strategy_of(GOOD, **rest)) == sentences


LADDERED = strategy_of(
    GOOD,
    take_profits=[target(10, 50), target(20, 30)],
    stop_loss_atr={"times": 2},
    position_percent=40,
    ladder=[step(3, 20), step(6, 30)],
    max_entries=2,
    entry_gap="1h",
)


@pytest.mark.parametrize(
    ("path", "kind", "value"),
    [
        ("ladder.0.drop_percent", "number", 3),
        ("ladder.1.size_percent", "number", 30),
        ("take_profits.1.gain_percent", "number", 20),
        ("risk_management.take_profits.0.sell_percent", "number", 50),
        ("stop_loss_atr.times", "number", 2),
        ("break_even_after_percent", "number", None),
        ("max_entries", "number", 2),
        ("entry_gap", "duration", "1h"),
    ],
)
def test_a_path_leads_to_a_number_of_an_order(path: str, kind: str, value: object) -> None:
    place = place_of(LADDERED, path)
    assert (place.kind, place.value) == (kind, value)


@pytest.mark.parametrize(
    "values",
    [
        {"ladder.0.drop_percent": 6},
        {"ladder.1.size_percent": 41},
        {"take_profits.0.gain_percent": 20},
        {"take_profits.0.sell_percent": 71},
        {"ladder.2.drop_percent": 9},
        {"ladder": 3},
        {"max_entries": 1.5},
    ],
)
def test_a_value_that_breaks_a_rule_of_an_order_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(PathError):
        with_values(LADDERED, values)
