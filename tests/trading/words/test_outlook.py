"""How far a rule is from acting: the stated move is enough, and a smaller one is not."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.candles import Candles, concatenate
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.risk import NO_PARTS
from strategybot.trading.engine.saved_sessions import outlook_of
from strategybot.trading.engine.step import opening_state
from strategybot.trading.language.conditions import PriceDrop, PriceRise
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.explain import entry_reading
from strategybot.trading.words.outlook import needed_change, outlook
from tests.trading.builders import (
    CASH,
    FREE,
    START,
    candles_of,
    cases,
    closes,
    drop,
    level,
    random_candles,
    rise,
    spike,
    strategy_of,
)

FLAT = opening_state(CASH)
BOUGHT = NO_PARTS._replace(bought=10.0, spent=1000.0, first_price=100.0, first_cash=1000.0, entries=1, last_entry=START)
HELD = FLAT._replace(
    cash=0.0, quantity=10.0, budget=1000.0, entry_price=100.0, entry_time=START, peak=110.0, parts=BOUGHT
)


def sentences(strategy: Strategy, candles: Candles, book: Any = FLAT) -> list[str]:
    return [each.sentence for part in outlook(strategy, FREE, candles, book) for each in part]


def later(candles: Candles, count: int, price: float) -> Candles:
    """Return the candles with some more: the price stays the same until the last one, which closes at this price."""
    now = float(candles.close[-1])
    rows = [(now, now, now, now)] * (count - 1) + [(now, max(now, price), min(now, price), price)]
    return concatenate([candles, candles_of(rows, start=int(candles.time[-1]) + 60)])


@given(
    st.integers(0, 10**6),
    st.sampled_from([0.5, 3.0, 20.0]),
    st.sampled_from(["2m", "7m", "30m"]),
    st.sampled_from([(drop, "close"), (drop, "high"), (rise, "close"), (rise, "low")]),
)
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_stated_move_is_enough_in_time_and_a_smaller_one_is_not(
    seed: int, percent: float, window: str, kind: tuple[Any, str]
) -> None:
    builder, reference = kind
    strategy = strategy_of(builder(percent, window, reference))
    candles = random_candles(seed, 60, calm=0.01)
    condition = strategy.conditions[0]
    assert isinstance(condition, PriceDrop | PriceRise)
    needed = needed_change(condition, candles)
    sign = -1 if builder is drop else 1
    close = float(candles.close[-1])
    enough = close * (1 + sign * (needed.percent + 1e-9) / 100)
    then = later(candles, needed.candles, enough)
    assert entry_reading(strategy, then, len(then) - 1).fired
    if needed.percent > 0.01:
        short = close * (1 + sign * (needed.percent - 0.01) / 100)
        for count in range(1, int(window[:-1]) + 1):
            then = later(candles, count, short)
            assert not entry_reading(strategy, then, len(then) - 1).fired


@pytest.mark.parametrize(
    ("condition", "prices", "said"),
    [
        (drop(10, "5m"), (100, 100, 100, 100, 100, 100, 95), "needs a 5.26 % fall within 4m"),
        (drop(10, "2m", "high"), (100, 100, 99), "needs a 9.09 % fall within 2m"),
        (drop(10, "2m"), (100, 110, 110), "needs a 10 % fall within 2m"),
        (drop(10, "3m"), (90, 100, 120, 100), "is met within 2m if the price stays"),
        (rise(10, "2m"), (100, 100, 105), "needs a 4.76 % rise within 1m"),
        (drop(10, "5m"), (100, 95), "price_drop needs 5 candles before it, has 1"),
        (level(120), (100, 100), "needs a 20 % rise to 120"),
        (level(80, "below"), (100, 100), "needs a 20 % fall to 80"),
        (level(90), (100, 100), "the price must first come back below 90, then cross it"),
        (level(110, "below"), (100, 100), "the price must first come back above 110, then cross it"),
        (level(90, "above", "is"), (100, 100), "price 100 is at or above 90"),
        (spike(3, "2m"), (100, 100, 100), "needs a volume of 3 in one candle (3 × its 2m average); the last had 1"),
        (
            {"kind": "compare", "left": {"series": "close"}, "operator": "below", "right": 90},
            (100, 100),
            "the price is 100: must fall 10 to be below 90",
        ),
    ],
)
def test_what_is_missing_is_stated_in_a_sentence(
    condition: dict[str, Any], prices: tuple[float, ...], said: str
) -> None:
    assert sentences(strategy_of(condition), closes(*prices)) == [said]


def test_an_open_position_states_how_far_its_exits_are() -> None:
    candles = closes(100, 100, 104)
    risk = {"stop_loss_percent": 5, "take_profit_percent": 25, "max_holding": "1h"}
    strategy = strategy_of(drop(10, "2m"), exit_conditions=[rise(10, "2m")], **risk)
    said = outlook(strategy, FREE, candles, HELD)
    assert said.entry == []
    assert [(each.condition, each.sentence) for each in said.exit] == [
        ("the price rises at least 10 % within 2m", "needs a 5.77 % rise within 1m"),
        ("stop loss", "needs a 8.65 % fall to 95"),
        ("take profit", "needs a 20.2 % rise to 125"),
        ("longest holding", "sells in 57m at the latest"),
    ]
    trailing = strategy_of(drop(10, "2m"), trailing_stop_percent=10)
    assert [each.condition for each in outlook(trailing, FREE, candles, HELD).exit] == ["trailing stop"]


def test_a_position_in_parts_states_its_next_buys_and_its_next_target() -> None:
    targets = [{"gain_percent": 10, "sell_percent": 50}, {"gain_percent": 30, "sell_percent": 50}]
    strategy = strategy_of(
        drop(10, "2m"),
        take_profits=targets,
        break_even_after_percent=4,
        position_percent=50,
        ladder=[{"drop_percent": 2, "size_percent": 10}, {"drop_percent": 9, "size_percent": 20}],
        max_entries=2,
        entry_gap="1h",
    )
    sold_one = HELD._replace(parts=BOUGHT._replace(target=1, step=1, is_armed=True))
    said = outlook(strategy, FREE, closes(100, 100, 104), sold_one)
    assert [(each.condition, each.sentence) for each in said.exit] == [
        ("break even", "needs a 3.85 % fall to 100"),
        ("take profit", "needs a 25 % rise to 130"),
        ("ladder", "needs a further 12.5 % fall to add 20 %"),
    ]
    assert [(each.condition, each.sentence) for each in said.entry] == [
        ("the price falls at least 10 % within 2m", "needs a 10 % fall within 2m"),
        ("entry gap", "It has just bought, and waits another 57m before it buys more."),
    ]
    unarmed = HELD._replace(parts=BOUGHT)
    arms = outlook(strategy, FREE, closes(100, 100, 102), unarmed).exit[0]
    assert arms.condition == "arms break even"
    assert arms.sentence == "needs a 1.96 % rise to 104; from then on the stop is at least 100"
    twice = sold_one._replace(parts=sold_one.parts._replace(entries=2))
    assert outlook(strategy, FREE, closes(100, 100, 104), twice).entry == []


def test_a_cooldown_and_a_guard_are_named_beside_the_conditions() -> None:
    strategy = strategy_of(
        level(1, "above", "is"), stop_loss_percent=10, cooldown="5m", guards={"max_trades_per_day": 1}
    )
    candles = candles_of([(100, 100, 100, 100), (100, 100, 80, 100), (100, 100, 100, 100)])
    session = PaperSession(strategy, FREE, CASH, 60)
    session.advance(candles)
    said = outlook_of(strategy, FREE, session.state(), candles).entry
    assert [(each.condition, each.met) for each in said] == [
        ("the price is at or above 1", True),
        ("cooldown", False),
        ("guards", False),
    ]
    assert said[1].sentence == "cooling down for another 4m"
    assert said[2].sentence == "not buying: the daily guard allows 1 buy a day (UTC)"


@given(cases(longest=80))
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_figure_is_finite_and_met_conditions_agree_with_the_engine(
    case: tuple[Strategy, Candles, Costs],
) -> None:
    strategy, candles, costs = case
    session = PaperSession(strategy, costs, CASH, 60)
    session.advance(candles)
    said = outlook_of(strategy, costs, session.state(), candles)
    json.dumps([each.model_dump() for part in said for each in part], allow_nan=False)
    assert not (said.entry and said.exit)
    if not len(candles) or session.portfolio().entry_price is not None:
        assert said.entry == []
        return
    reading = entry_reading(strategy, candles, len(candles) - 1)
    assert [each.met for each in said.entry][: len(reading.conditions)] == [each.fired for each in reading.conditions]
    assert np.all([each.sentence for each in said.entry])
