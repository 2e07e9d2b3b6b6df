"""The small parts of a step, each tested alone with everything that it returns."""

import numpy as np
import pytest
from pydantic import ValidationError

from strategybot.trading.engine.conditions import wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.ledger import DOUBTS, SIGNALS, TRADES, new_ledger, with_room
from strategybot.trading.engine.loop import new_control
from strategybot.trading.engine.risk import (
    ENTER,
    EXACT,
    LONG_AGO,
    NOTHING,
    STOP_LOSS,
    TAKE_PROFIT,
    TRAILING_STOP,
    State,
    Terms,
    raised,
    risk_exit,
    stop_level,
)
from strategybot.trading.engine.step import (
    Candle,
    Filled,
    Sale,
    buy,
    filled,
    no_sale,
    opening_state,
    sell,
    terms_of,
)
from strategybot.trading.language.values import Match
from tests.trading.builders import MINUTELESS, closes, drop, strategy_of

TERMS = Terms(0.5, 0.25, 0.125, 0.0, 1.0, 1.0, 0.9, 0.8, 1.5, 600, 300, 60)
HELD = State(500.0, 4.0, 450.0, 100.0, 1200, 120.0, 900, NOTHING)
FLAT = opening_state(1000)


@pytest.mark.parametrize("name", ["fee_percent", "slippage_percent"])
def test_a_cost_is_a_share_of_the_price_and_never_all_of_it(name: str) -> None:
    for percent in (0, 99.9):
        assert getattr(Costs.model_validate({name: percent}), name) == percent
    for percent in (-0.1, 100, np.nan, np.inf):
        with pytest.raises(ValidationError):
            Costs.model_validate({name: percent})


def test_costs_have_defaults_and_no_other_fields_and_are_immutable() -> None:
    free_of_pool = {"buy_tax_percent": 0.0, "sell_tax_percent": 0.0, "liquidity_usd": None}
    assert Costs().model_dump() == {"fee_percent": 0.1, "slippage_percent": 0.05, **free_of_pool}
    with pytest.raises(ValidationError, match="Extra"):
        Costs.model_validate({"tax_percent": 1})
    with pytest.raises(ValidationError, match="frozen"):
        setattr(Costs(), "fee_percent", 0.2)  # noqa: B010 - the type checker knows it, too


def test_an_opening_state_is_flat_and_ready() -> None:
    state = opening_state(1000)
    assert tuple(state) == (1000.0, 0.0, 0.0, 0.0, LONG_AGO, 0.0, LONG_AGO, NOTHING)
    assert isinstance(state.cash, float)


def test_a_buy_fills_with_slippage_and_the_fee_inside_its_budget() -> None:
    assert tuple(buy(TERMS, FLAT, 60, 8.0)) == (500.0, 500 / (9 * 1.25), 500.0, 9.0, 60, 9.0, LONG_AGO, NOTHING)


def test_less_than_one_piece_is_bought_as_well() -> None:
    bare = TERMS._replace(stop_factor=0.0, trailing_factor=0.0)
    candle = Candle(60, 8000.0, 8000.0, 8000.0, 8000.0)
    done = filled(bare, MINUTELESS, FLAT._replace(pending=ENTER), candle)
    assert done.bought
    assert 0 < done.state.quantity < 1


@pytest.mark.parametrize("match", ["all", "any"])
def test_an_empty_list_of_conditions_is_never_met(match: Match) -> None:
    strategy = strategy_of(drop(10), exit_match=match)
    assert not wanted_of(strategy, closes(1, 2, 3)).exit.any()


@pytest.mark.parametrize("base", [1e-300, 1.7e308])
def test_a_refused_buy_leaves_the_cash_and_nothing_pending(base: float) -> None:
    waiting = FLAT._replace(cash=1e300, pending=6, ready_time=77)
    assert tuple(buy(TERMS, waiting, 60, base)) == (1e300, 0.0, 0.0, 0.0, LONG_AGO, 0.0, 77, NOTHING)


def test_a_sale_reports_everything_and_leaves_a_flat_state_with_a_cooldown() -> None:
    outcome = sell(TERMS, HELD, 1800, STOP_LOSS, 80.0, 90.0)
    proceeds = 4 * 70 * 0.75
    assert tuple(outcome.state) == (500 + proceeds, 0.0, 0.0, 0.0, LONG_AGO, 0.0, 2100, NOTHING)
    assert tuple(outcome.sale) == (STOP_LOSS, 80.0, 70.0, 90.0, 4.0, 100.0, 450.0, 500.0, proceeds)
    assert not outcome.bought


def test_no_sale_is_nothing_and_zeros() -> None:
    assert tuple(no_sale()) == (NOTHING, *[0.0] * 8)


def test_the_higher_stop_counts_and_the_fixed_one_when_they_are_equal() -> None:
    assert stop_level(TERMS, HELD) == (96.0, TRAILING_STOP)
    assert stop_level(TERMS, HELD._replace(peak=110.0)) == (90.0, STOP_LOSS)
    assert stop_level(TERMS._replace(stop_factor=0.96), HELD) == (96.0, STOP_LOSS)


@pytest.mark.parametrize(
    ("candle", "expected"),
    [
        ((100, 110, 97), (NOTHING, 0.0, 0.0)),
        ((96, 110, 90), (TRAILING_STOP, 96.0, 96.0)),
        ((95, 110, 90), (TRAILING_STOP, 95.0, 96.0)),
        ((97, 160, 96), (TRAILING_STOP, 96.0, 96.0)),
        ((97, 150, 97), (TAKE_PROFIT, 150.0, 150.0)),
        ((155, 160, 97), (TAKE_PROFIT, 155.0, 150.0)),
        ((150, 160, 97), (TAKE_PROFIT, 150.0, 150.0)),
        ((149, 149, 97), (NOTHING, 0.0, 0.0)),
    ],
)
def test_a_risk_exit_has_its_reason_its_price_and_its_level(
    candle: tuple[float, float, float], expected: tuple[int, float, float]
) -> None:
    open_, high, low = map(float, candle)
    assert risk_exit(TERMS, HELD, open_, high, low) == expected


def test_the_peak_is_kept_only_for_a_trailing_stop() -> None:
    assert tuple(raised(TERMS, HELD, 120.0)) == tuple(HELD)
    assert tuple(raised(TERMS, HELD, 121.0)) == tuple(HELD._replace(peak=121.0))
    assert tuple(raised(TERMS._replace(trailing_factor=0.0), HELD, 121.0)) == tuple(HELD)


def test_a_flat_candle_with_nothing_pending_changes_nothing() -> None:
    same = Filled(FLAT, False, Sale(NOTHING, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), EXACT)
    assert filled(TERMS, MINUTELESS, FLAT, Candle(60, 1.0, 2.0, 0.5, 1.0)) == same


def test_settings_that_are_off_become_factors_that_nothing_reaches() -> None:
    terms = terms_of(strategy_of(drop(10)), Costs(fee_percent=1, slippage_percent=2), 300)
    assert tuple(terms) == (1.0, 0.01, 0.02, 0.0, 1.0, 1.0, 0.0, 0.0, np.inf, 2**61, 0, 300)


@pytest.mark.parametrize("full", [TRADES, SIGNALS, DOUBTS])
def test_a_full_ledger_doubles_only_what_is_full_and_keeps_its_rows(full: int) -> None:
    ledger = new_ledger()
    assert ledger.counts.tolist() == [0, 0, -1, 0, EXACT]
    tables = {TRADES: ("places", "amounts"), SIGNALS: ("signals",), DOUBTS: ("doubts",)}
    for names in tables.values():
        for name in names:
            getattr(ledger, name)[:] = 7
    rows = {each: len(getattr(ledger, names[0])) for each, names in tables.items()}
    ledger.counts[full] = rows[full]
    wider = with_room(ledger)
    for each, names in tables.items():
        for name in names:
            table = getattr(wider, name)
            assert len(table) == rows[each] * (2 if each == full else 1)
            assert np.all(table[: rows[each]] == 7)
    assert wider.counts.tolist() == ledger.counts.tolist()


def test_a_control_is_two_whole_numbers_at_zero() -> None:
    control = new_control()
    assert control.dtype == np.int64
    assert control.tolist() == [0, 0]
