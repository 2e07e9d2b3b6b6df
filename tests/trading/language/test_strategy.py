"""Every rule of the language, accepted and refused; invalid JSON gives a validation error and nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from strategybot.trading.language.strategy import EXAMPLE_STRATEGY, Strategy, content_digest, describe
from strategybot.trading.language.values import duration_seconds, plain
from tests.trading.builders import drop, level, rise, spike, strategies, strategy_of

GOOD = drop(5, "15m")


def valid(document: Any) -> bool:
    try:
        Strategy.model_validate(document)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("change", "accepted"),
    [
        *(({"percent": value}, True) for value in (0.0001, 5, 99.9)),
        *(({"percent": value}, False) for value in (0, -1, 100, 101, "5", None, True, float("nan"), float("inf"))),
        *(({"window": value}, True) for value in ("1m", "15m", "43200m", "1h", "720h", "1d", "30d")),
        *(({"window": value}, False) for value in ("0m", "43201m", "721h", "31d", "1", "m", "1s", "1w", "01m", " 1m")),
        *(({"window": value}, False) for value in ("1m\n", "1.5h", "-1m", "", 15, None, "1M", "１m")),
        ({"reference": "high"}, True),
        *(({"reference": value}, False) for value in ("low", "open", None)),
        *(({"kind": value}, False) for value in ("price_fall", None, 1, "PRICE_DROP")),
        ({"extra": 1}, False),
        ({"multiplier": 3}, False),
    ],
)
def test_price_drop(change: dict[str, Any], accepted: bool) -> None:
    assert valid({"conditions": [{**GOOD, **change}]}) is accepted


@pytest.mark.parametrize(
    ("condition", "accepted"),
    [
        (rise(0.1), True),
        (rise(1000), True),
        (rise(0), False),
        (rise(5, reference="low"), True),
        (rise(5, reference="high"), False),
        (spike(1.01), True),
        (spike(1), False),
        (spike(0.5), False),
        (level(1e-12), True),
        (level(0), False),
        (level(-1), False),
        *((without_end(float("inf")), False) for without_end in (rise, spike, level)),
        (level(1, "below", "is"), True),
        (level(1, "up"), False),
        (level(1, "above", "touch"), False),
        ({"kind": "price_level", "level": 1}, False),
        ({"kind": "price_drop"}, False),
        ({}, False),
        ([], False),
        ("price_drop", False),
    ],
)
def test_a_condition_is_accepted_or_refused(condition: Any, accepted: bool) -> None:
    assert valid({"conditions": [condition]}) is accepted


@pytest.mark.parametrize(
    ("change", "accepted"),
    [
        ({"conditions": []}, False),
        ({"conditions": [GOOD] * 10}, True),
        ({"conditions": [GOOD] * 11}, False),
        ({"exit_conditions": [GOOD] * 10}, True),
        ({"exit_conditions": [GOOD] * 11}, False),
        ({"exit_conditions": None}, False),
        *(({"match": value}, True) for value in ("all", "any")),
        *(({"match": value}, False) for value in ("none", None, "ALL")),
        ({"exit_match": "all"}, True),
        ({"exit_match": "both"}, False),
        *(({"position_percent": value}, True) for value in (0.1, 50, 100)),
        *(({"position_percent": value}, False) for value in (0, -5, 100.1, "50", None)),
        ({"risk_management": {}}, True),
        ({"risk_management": None}, False),
        *(({"risk_management": {"stop_loss_percent": value}}, True) for value in (0.1, 99.9, None)),
        *(({"risk_management": {"stop_loss_percent": value}}, False) for value in (0, 100, -1, "3")),
        *(({"risk_management": {"trailing_stop_percent": value}}, False) for value in (0, 100)),
        *(({"risk_management": {"take_profit_percent": value}}, True) for value in (0.1, 5000)),
        *(({"risk_management": {"take_profit_percent": value}}, False) for value in (0, -1)),
        *(({"risk_management": {"max_holding": value}}, True) for value in ("1m", "30d", None)),
        *(({"risk_management": {"max_holding": value}}, False) for value in ("0m", "31d", 60)),
        *(({"risk_management": {"cooldown": value}}, False) for value in ("0h", "later")),
        ({"risk_management": {"stop_loss": 3}}, False),
        *(({"guards": value}, True) for value in (None, {}, {"losing_streak": {"losses": 3, "pause": "1d"}})),
        ({"guards": []}, False),
        ({"guards": {"max_loss": 3}}, False),
        *(({"guards": {"max_drawdown_percent": value}}, True) for value in (0.1, 99.9, None)),
        *(({"guards": {"max_drawdown_percent": value}}, False) for value in (0, 100, -1, "3")),
        *(({"guards": {"max_trades_per_day": value}}, True) for value in (1, 4.0, 1000, None)),
        *(({"guards": {"max_trades_per_day": value}}, False) for value in (0, 1001, 2.5, "3")),
        *(({"guards": {"losing_streak": {"losses": value, "pause": "1h"}}}, True) for value in (1, 100)),
        *(({"guards": {"losing_streak": {"losses": value, "pause": "1h"}}}, False) for value in (0, 101, None)),
        *(({"guards": {"losing_streak": value}}, False) for value in ({"losses": 3}, {"pause": "1h"}, {}, 3)),
        ({"guards": {"losing_streak": {"losses": 3, "pause": "0h"}}}, False),
        ({"name": "x"}, False),
    ],
)
def test_a_strategy_is_accepted_or_refused(change: dict[str, Any], accepted: bool) -> None:
    assert valid({"conditions": [GOOD], **change}) is accepted


def test_only_conditions_are_required_and_the_rest_has_its_defaults() -> None:
    assert Strategy.model_validate({"conditions": [{"kind": "price_drop", "percent": 5}]}).model_dump() == {
        "conditions": [{"kind": "price_drop", "percent": 5.0, "window": "1h", "reference": "close"}],
        "match": "all",
        "exit_conditions": [],
        "exit_match": "any",
        "risk_management": {
            "stop_loss_percent": None,
            "take_profit_percent": None,
            "trailing_stop_percent": None,
            "max_holding": None,
            "cooldown": None,
        },
        "position_percent": 100,
    }


@pytest.mark.parametrize("guards", [None, {}, {"max_drawdown_percent": None, "losing_streak": None}])
def test_a_strategy_without_guards_is_written_as_if_there_were_none(guards: dict[str, Any] | None) -> None:
    bare = Strategy.model_validate({"conditions": [GOOD]})
    strategy = Strategy.model_validate({"conditions": [GOOD], "guards": guards})
    assert strategy == bare
    assert strategy.model_dump_json() == bare.model_dump_json()
    assert "guards" not in strategy.model_dump()
    # The digest of this strategy from before there were guards: tries of the same content still count as one.
    assert content_digest(strategy) == "c1562df616ea74ee00d5ea02926c1af8"


def test_guards_change_the_digest_of_a_strategy() -> None:
    bare = Strategy.model_validate({"conditions": [GOOD]})
    guarded = Strategy.model_validate({"conditions": [GOOD], "guards": {"max_trades_per_day": 2}})
    assert guarded.model_dump()["guards"] == {
        "max_drawdown_percent": None,
        "losing_streak": None,
        "max_trades_per_day": 2,
    }
    assert content_digest(guarded) != content_digest(bare)
    assert Strategy.model_validate_json(guarded.model_dump_json()) == guarded


def test_the_example_is_a_strategy() -> None:
    assert valid(EXAMPLE_STRATEGY)


def test_a_strategy_is_never_changed_in_place() -> None:
    strategy = strategy_of(GOOD)
    for part, name in ((strategy, "match"), (strategy.conditions[0], "window"), (strategy.risk_management, "cooldown")):
        with pytest.raises(ValidationError, match="frozen"):
            setattr(part, name, "any")


@pytest.mark.parametrize(("text", "expected"), [("1m", 60), ("15m", 900), ("2h", 7200), ("30d", 2_592_000)])
def test_a_duration_is_converted_to_seconds(text: str, expected: int) -> None:
    assert duration_seconds(text) == expected


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        (
            strategy_of(drop(5, "15m"), spike(3, "1h"), stop_loss_percent=3, take_profit_percent=10),
            (
                "Buy when the price falls at least 5 % within 15m and the volume is at least 3 × its 1h average. "
                "Sell at a 3 % loss (stop loss), or at a 10 % gain (take profit)."
            ),
        ),
        (
            strategy_of(rise(2.5, "1h", "low"), level(0.00000001), match="any", position_percent=25),
            (
                "Buy with 25 % of the cash when the price rises at least 2.5 % from its low within 1h or "
                "the price crosses above 0.00000001. Nothing tells it to sell: a position stays open."
            ),
        ),
        (
            strategy_of(rise(20), take_profit_percent=40),
            "Buy when the price rises at least 20 % within 1m. Sell at a 40 % gain (take profit).",
        ),
        (
            strategy_of(
                drop(5, "2d", "high"),
                exit_conditions=[level(2, "below", "is")],
                trailing_stop_percent=4,
                max_holding="2d",
                cooldown="1h",
            ),
            (
                "Buy when the price falls at least 5 % from its high within 2d. Sell when the price is at or below 2, "
                "or 4 % under its peak (trailing stop), or after 2d at the latest. "
                "After a sale, wait 1h before buying again."
            ),
        ),
        (
            strategy_of(
                rise(20),
                take_profit_percent=40,
                guards={"max_drawdown_percent": 12.5, "losing_streak": {"losses": 1, "pause": "2h"}},
            ),
            (
                "Buy when the price rises at least 20 % within 1m. Sell at a 40 % gain (take profit). "
                "Once the equity has fallen 12.5 % from its highest, buy no more. After a loss, buy nothing for 2h."
            ),
        ),
        (
            strategy_of(rise(20), take_profit_percent=40, guards={"max_trades_per_day": 1}),
            (
                "Buy when the price rises at least 20 % within 1m. Sell at a 40 % gain (take profit). "
                "Buy at most once a day (UTC)."
            ),
        ),
    ],
)
def test_a_strategy_is_described_in_plain_english(strategy: Strategy, sentence: str) -> None:
    assert describe(strategy) == strategy.summary == sentence


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (5, "5"),
        (0.1, "0.1"),
        (1e-8, "0.00000001"),
        (100.0, "100"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
        (1e-30, f"0.{'0' * 29}1"),
        (1e-31, "1e-31"),
        (-2.50, "-2.5"),
    ],
)
def test_a_number_is_written_without_an_exponent(number: float, text: str) -> None:
    assert plain(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_plain_is_exact(number: float) -> None:
    assert float(plain(number)) == number


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
MEMBERS = tuple(Strategy.model_fields)


@given(json_values | st.dictionaries(st.sampled_from(MEMBERS), json_values), strategies(), st.data())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_json_is_a_strategy_or_a_validation_error(junk: Any, good: Strategy, data: st.DataObject) -> None:
    document = good.model_dump()
    document[data.draw(st.sampled_from(MEMBERS))] = data.draw(json_values)
    for candidate in (junk, document):
        if valid(candidate):
            assert describe(Strategy.model_validate(candidate))


@given(strategies(), st.floats(min_value=5e-324, max_value=1.7e308))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_describe_never_fails_and_json_round_trips(strategy: Strategy, number: float) -> None:
    odd = strategy.model_copy(update={"conditions": [*strategy.conditions, *strategy_of(level(number)).conditions]})
    assert describe(odd).startswith("Buy")
    assert Strategy.model_validate(json.loads(odd.model_dump_json())) == odd


@pytest.mark.parametrize(
    ("portfolio", "accepted"),
    [
        ({}, True),
        *(({"max_open": value}, True) for value in (1, 50.0)),
        *(({"max_open": value}, False) for value in (0, 51, 2.5, "5", None)),
        *(({"prefer": value}, value != "luck") for value in ("fall", "rise", "luck")),
        ({"places": 3}, False),
        ([], False),
        (5, False),
    ],
)
def test_places_of_a_portfolio(portfolio: Any, accepted: bool) -> None:
    assert valid({"conditions": [GOOD], "portfolio": portfolio}) is accepted


def test_a_strategy_without_a_portfolio_keeps_its_document_and_its_digest() -> None:
    plain_one, with_one = strategy_of(GOOD), strategy_of(GOOD, portfolio={})
    assert "portfolio" not in plain_one.model_dump()
    assert with_one.model_dump()["portfolio"] == {"max_open": 5, "prefer": "volume"}
    assert content_digest(plain_one) != content_digest(with_one)
    assert plain_one.summary != with_one.summary


@pytest.mark.parametrize(
    ("portfolio", "sentence"),
    [
        ({"max_open": 1}, "hold at most one token at a time and prefer the highest volume of the last 24 hours."),
        ({"prefer": "rise"}, "hold at most 5 tokens at a time and prefer the largest rise of the last 24 hours."),
    ],
)
def test_the_summary_says_how_many_tokens_are_held(portfolio: dict[str, Any], sentence: str) -> None:
    assert strategy_of(GOOD, portfolio=portfolio).summary.endswith(f"With many tokens, {sentence}")
