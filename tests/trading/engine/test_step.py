"""The small parts of a step, each tested alone with everything that it returns."""

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from strategybot.trading.engine.conditions import wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.filled import FILL_REASONS
from strategybot.trading.engine.inside import Candle, pass_candle
from strategybot.trading.engine.ledger import (
    DOUBTS,
    FILLS,
    GROWTH,
    MOST_FILLS,
    SIGNALS,
    Fill,
    Ledger,
    fills_from,
    new_ledger,
    with_room,
)
from strategybot.trading.engine.loop import new_control
from strategybot.trading.engine.orders import at_open, buy, entry_budget, go_down, go_up, sell
from strategybot.trading.engine.risk import (
    BREAK_EVEN,
    ENTER,
    EXACT,
    EXIT_CONDITIONS,
    LADDER,
    LEVELS,
    LONG_AGO,
    MAX_HOLDING,
    NO_PARTS,
    NOTHING,
    STEP,
    STEP_SHARE,
    STOP_LOSS,
    TAKE_PROFIT,
    TARGET,
    TARGET_SHARE,
    TRAILING_STOP,
    Parts,
    State,
    Terms,
    could_move_its_stop,
    only_raises_peak,
    quiet_prices,
    raise_peak,
    stop_level,
)
from strategybot.trading.engine.step import Filled, Wish, decision, fill, opening_state, terms_of
from strategybot.trading.language.values import Match
from tests.trading.builders import MINUTELESS, closes, drop, strategy_of

TERMS = Terms(
    share=0.5, fee=0.25, slippage=0.125, impact=0.0, buy_kept=1.0, sell_kept=1.0,
    stop_factor=0.9, trailing_factor=0.8, break_even_factor=np.inf, stop_times=0.0, trailing_times=0.0,
    amount=0.0, risk=0.0, max_holding=600, cooldown=300, interval=60, max_entries=1, entry_gap=0,
    steps=2, targets=2, levels=np.zeros(LEVELS),
)  # fmt: skip
TERMS.levels[[STEP, STEP + 1, STEP_SHARE, STEP_SHARE + 1]] = 0.75, 0.5, 0.25, 0.125
TERMS.levels[[TARGET, TARGET + 1, TARGET_SHARE, TARGET_SHARE + 1]] = 1.5, 2.0, 0.5, 0.25
WHOLE = Parts(
    bought=4.0, spent=450.0, received=0.0, first_price=100.0, first_cash=1000.0, entries=1, last_entry=1200,
    step=0, target=0, is_armed=False, stop_distance=0.0, trailing_distance=0.0,
)  # fmt: skip
HELD = State(500.0, 4.0, 450.0, 100.0, 1200, 120.0, 900, NOTHING, WHOLE)
FLAT = opening_state(1000)
Levels = list[tuple[str, float, float]]  # reason, price before slippage, level


def written(ledger: Ledger) -> Levels:
    return [(FILL_REASONS[fill.reason], fill.base, fill.level) for fill in fills_from(ledger, 0)]


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
    assert tuple(state) == (1000.0, 0.0, 0.0, 0.0, LONG_AGO, 0.0, LONG_AGO, NOTHING, NO_PARTS)
    assert isinstance(state.cash, float)


def test_a_buy_fills_with_slippage_and_the_fee_inside_its_budget() -> None:
    ledger, quantity = new_ledger(), 500 / (9 * 1.25)
    parts = Parts(quantity, 500.0, 0.0, 9.0, 1000.0, 1, 60, 0, 0, False, 0.0, 0.0)
    state = buy(TERMS, ledger, 7, 60, FLAT, ENTER, 8.0, 8.0, 500.0, FLAT.cash)
    assert tuple(state) == (500.0, quantity, 500.0, 9.0, 60, 9.0, LONG_AGO, NOTHING, parts)
    assert fills_from(ledger, 0) == [Fill(ENTER, 0, 8.0, quantity, 500.0, quantity, 8.0)]
    assert ledger.places[0].tolist() == [7, ENTER]


@pytest.mark.parametrize(("reason", "number", "entries", "last"), [(ENTER, 0, 2, 60), (LADDER, 1, 1, 1200)])
def test_a_later_buy_moves_the_average_and_only_an_entry_is_counted(
    reason: int, number: int, entries: int, last: int
) -> None:
    ledger, quantity = new_ledger(), 225 / (90 * 1.25)
    state = buy(TERMS, ledger, 7, 60, HELD, reason, 80.0, 85.0, 225.0, HELD.cash)
    parts = WHOLE._replace(bought=4 + quantity, spent=675.0, entries=entries, last_entry=last)
    average = (4 * 100 + quantity * 90) / (4 + quantity)
    assert tuple(state) == (275.0, 4 + quantity, 675.0, average, 1200, 120.0, 900, NOTHING, parts)
    assert fills_from(ledger, 0) == [Fill(reason, number, 80.0, quantity, 225.0, 4 + quantity, 85.0)]


def test_less_than_one_piece_is_bought_as_well() -> None:
    bare = TERMS._replace(stop_factor=0.0, trailing_factor=0.0)
    candle = Candle(0, 60, 8000.0, 8000.0, 8000.0, 8000.0)
    done = fill(bare, MINUTELESS, new_ledger(), FLAT._replace(pending=ENTER), candle, True)
    assert done.bought
    assert 0 < done.state.quantity < 1


@pytest.mark.parametrize(
    ("changes", "cash", "held", "budget"),
    [
        ({}, 1000, False, 500),
        ({}, 0.5, False, 0.25),
        ({}, 800, True, 500),
        ({}, 300, True, 300),
        ({}, 0.9, True, 0),
        ({"amount": 200.0}, 1000, False, 200),
        ({"amount": 200.0}, 150, True, 150),
        ({"amount": 200.0}, 0.99, False, 0),
        ({"amount": 200.0}, 1, False, 1),
        # the stop is at 0.9 of the price, and slippage and fee leave 0.875 × 0.75 / 1.25 of that
        ({"risk": 0.1}, 1000, False, 100 / (1 - 0.9 * 0.875 * 0.75 / 1.25)),
        ({"risk": 0.1}, 1000, True, (100 + 0.1 * 4 * 80) / (1 - 0.9 * 0.875 * 0.75 / 1.25)),
        ({"risk": 0.9}, 1000, False, 1000),
        ({"risk": 0.0001, "stop_factor": 0.0, "trailing_factor": 0.0}, 1000, False, 0),
        ({"risk": 0.1, "fee": 0.0, "slippage": 0.0, "stop_factor": 1.0}, 1000, False, 1000),
    ],
)
def test_the_money_of_an_entry(changes: dict[str, Any], cash: float, held: bool, budget: float) -> None:
    state = (HELD if held else FLAT)._replace(cash=float(cash))
    equity = state.cash + state.quantity * 80.0
    assert entry_budget(TERMS._replace(**changes), state, 80.0, state.cash, equity) == pytest.approx(budget)


@pytest.mark.parametrize("match", ["all", "any"])
def test_an_empty_list_of_conditions_is_never_met(match: Match) -> None:
    strategy = strategy_of(drop(10), exit_match=match)
    assert not wanted_of(strategy, closes(1, 2, 3)).exit.any()


@pytest.mark.parametrize("base", [1e-300, 1.7e308])
def test_a_refused_buy_leaves_the_state_and_writes_nothing(base: float) -> None:
    ledger, waiting = new_ledger(), FLAT._replace(cash=1e300, ready_time=77)
    assert tuple(buy(TERMS, ledger, 0, 60, waiting, ENTER, base, base, 5e299, waiting.cash)) == tuple(waiting)
    assert ledger.counts[FILLS] == 0
    done = fill(TERMS, MINUTELESS, ledger, waiting._replace(pending=ENTER), Candle(0, 60, base, base, base, base), True)
    assert done == Filled(waiting, False, EXACT)


def test_a_sale_reports_everything_and_leaves_a_flat_state_with_a_cooldown() -> None:
    ledger, proceeds = new_ledger(), 4 * 70 * 0.75
    state = sell(TERMS, ledger, 9, 1800, HELD, STOP_LOSS, 80.0, 90.0, 4.0)
    parts = WHOLE._replace(received=proceeds)
    assert tuple(state) == (500 + proceeds, 0.0, 0.0, 0.0, LONG_AGO, 0.0, 2100, NOTHING, parts)
    assert fills_from(ledger, 0) == [Fill(STOP_LOSS, 0, 80.0, 4.0, proceeds, 0.0, 90.0)]


def test_a_sale_of_a_part_leaves_the_average_and_its_share_of_the_budget() -> None:
    ledger, proceeds = new_ledger(), 1 * 140 * 0.75
    state = sell(TERMS, ledger, 9, 1800, HELD, TAKE_PROFIT, 160.0, 150.0, 1.0)
    parts = WHOLE._replace(received=proceeds, target=1)
    assert tuple(state) == (500 + proceeds, 3.0, 337.5, 100.0, 1200, 120.0, 900, NOTHING, parts)
    assert fills_from(ledger, 0) == [Fill(TAKE_PROFIT, 1, 160.0, 1.0, proceeds, 3.0, 150.0)]


def test_the_higher_stop_counts_and_the_fixed_one_when_they_are_equal() -> None:
    assert stop_level(TERMS, HELD) == (96.0, TRAILING_STOP)
    assert stop_level(TERMS, HELD._replace(peak=110.0)) == (90.0, STOP_LOSS)
    assert stop_level(TERMS._replace(stop_factor=0.96), HELD) == (96.0, STOP_LOSS)


@pytest.mark.parametrize(
    ("peak", "parts", "expected"),
    [
        (120, {"is_armed": True}, (100, BREAK_EVEN)),
        (125, {"is_armed": True}, (100, BREAK_EVEN)),
        (130, {"is_armed": True}, (104, TRAILING_STOP)),
        (110, {"stop_distance": 5.0}, (88, TRAILING_STOP)),
        (120, {"trailing_distance": 10.0}, (90, STOP_LOSS)),
    ],
)
def test_the_highest_of_all_stops_counts(peak: float, parts: dict[str, Any], expected: tuple[float, int]) -> None:
    state = HELD._replace(peak=float(peak), parts=WHOLE._replace(**parts))
    assert stop_level(TERMS, state) == expected


@pytest.mark.parametrize(
    ("open_", "expected"),
    [
        (97, []),
        (96, [("trailing_stop", 96, 96)]),
        (75, [("trailing_stop", 75, 96)]),
    ],
)
def test_an_open_at_the_stop_sells_everything(open_: float, expected: Levels) -> None:
    ledger = new_ledger()
    at_open(TERMS, ledger, 0, 60, HELD, float(open_), True)
    assert written(ledger) == expected


LOOSE = TERMS._replace(stop_factor=0.0, trailing_factor=0.0)


@pytest.mark.parametrize(
    ("open_", "may_add", "expected"),
    [
        (76, True, []),
        (75, True, [("ladder", 75, 75)]),
        (40, True, [("ladder", 40, 75), ("ladder", 40, 50)]),
        (40, False, []),
    ],
)
def test_an_open_under_ladder_levels_buys_them(open_: float, may_add: bool, expected: Levels) -> None:
    ledger = new_ledger()
    state = at_open(LOOSE, ledger, 0, 60, HELD, float(open_), may_add)
    assert written(ledger) == expected
    assert state.parts.step == len(expected)


@pytest.mark.parametrize(
    ("stop", "low", "may_add", "expected"),
    [
        (0.0, 76, True, []),
        (0.0, 75, True, [("ladder", 75, 75)]),
        (0.0, 10, True, [("ladder", 75, 75), ("ladder", 50, 50)]),
        (0.0, 10, False, []),
        (0.75, 10, True, [("stop_loss", 75, 75)]),
        (0.9, 10, True, [("stop_loss", 90, 90)]),
        (0.7, 71, True, [("ladder", 75, 75)]),
    ],
)
def test_a_fall_meets_steps_and_the_stop_from_the_top(stop: float, low: float, may_add: bool, expected: Levels) -> None:
    ledger = new_ledger()
    go_down(LOOSE._replace(stop_factor=stop), ledger, 0, 60, HELD, float(low), may_add)
    assert written(ledger) == expected


def test_a_step_without_cash_is_used_up() -> None:
    ledger = new_ledger()
    state = go_down(LOOSE, ledger, 0, 60, HELD._replace(cash=0.9), 60.0, True)
    assert (state.parts.step, written(ledger)) == (1, [])


@pytest.mark.parametrize(
    ("open_", "high", "expected", "left"),
    [
        (100, 149, [], 4),
        (100, 150, [("take_profit", 150, 150)], 2),
        (160, 170, [("take_profit", 160, 150)], 2),
        (160, 200, [("take_profit", 160, 150), ("take_profit", 200, 200)], 1),
    ],
)
def test_a_rise_meets_its_targets_one_after_the_other(open_: float, high: float, expected: Levels, left: float) -> None:
    ledger = new_ledger()
    state = go_up(TERMS, ledger, 0, 60, HELD, float(open_), float(high))
    assert written(ledger) == expected
    assert (state.quantity, state.parts.target) == (left, len(expected))


@pytest.mark.parametrize(
    ("share", "bought", "left"),
    [(0.5, 10.0, 0.0), (0.25, 8.0, 2.0), (0.9999999999, 0.5, 0.0)],
    ids=["no more than is held", "of everything bought", "all of it"],
)
def test_a_target_sells_a_share_of_everything_bought(share: float, bought: float, left: float) -> None:
    levels = TERMS.levels.copy()
    levels[TARGET_SHARE] = share
    state = HELD._replace(parts=WHOLE._replace(bought=bought))
    assert go_up(TERMS._replace(levels=levels), new_ledger(), 0, 60, state, 100.0, 150.0).quantity == left


ONE_TARGET = TERMS.levels.copy()
ONE_TARGET[TARGET_SHARE] = 1.0
PLAIN = TERMS._replace(steps=0, targets=1, levels=ONE_TARGET)


@pytest.mark.parametrize(
    ("candle", "expected", "in_doubt"),
    [
        ((100, 110, 97), [], False),
        ((96, 110, 90), [("trailing_stop", 96.0, 96.0)], False),
        ((95, 110, 90), [("trailing_stop", 95.0, 96.0)], False),
        ((97, 160, 96), [("trailing_stop", 96.0, 96.0)], True),
        ((97, 150, 97), [("take_profit", 150.0, 150.0)], True),
        ((155, 160, 129), [("take_profit", 155.0, 150.0)], False),
        ((150, 160, 129), [("take_profit", 150.0, 150.0)], False),
        ((149, 149, 120), [], False),
    ],
)
def test_a_risk_exit_has_its_reason_its_price_and_its_level(
    candle: tuple[float, float, float], expected: Levels, in_doubt: bool
) -> None:
    open_, high, low = map(float, candle)
    ledger = new_ledger()
    passed = pass_candle(PLAIN, ledger, Candle(0, 60, open_, high, low, low), HELD, True)
    assert written(ledger) == expected
    assert passed.is_in_doubt == in_doubt


def test_the_peak_is_kept_only_for_a_trailing_stop() -> None:
    assert tuple(raise_peak(TERMS, HELD, 120.0, 100.0)) == tuple(HELD)
    assert tuple(raise_peak(TERMS, HELD, 121.0, 100.0)) == tuple(HELD._replace(peak=121.0))
    assert tuple(raise_peak(TERMS._replace(trailing_factor=0.0), HELD, 121.0, 100.0)) == tuple(HELD)


def test_break_even_is_armed_from_the_average_at_the_open_and_stays() -> None:
    terms, armed = TERMS._replace(break_even_factor=1.25), HELD._replace(parts=WHOLE._replace(is_armed=True))
    assert tuple(raise_peak(terms, HELD, 119.0, 96.0)) == tuple(HELD)
    assert tuple(raise_peak(terms, HELD, 120.0, 96.0)) == tuple(armed)
    assert tuple(raise_peak(terms, armed, 101.0, 100.0)) == tuple(armed)


@pytest.mark.parametrize(
    ("changes", "armed", "high", "low", "moved"),
    [
        ({}, False, 121, 96, True),
        ({}, False, 120, 96, False),
        ({}, False, 121, 97, False),
        ({"trailing_factor": 0.0, "break_even_factor": 1.25}, False, 125, 100, True),
        ({"trailing_factor": 0.0, "break_even_factor": 1.25}, False, 124, 100, False),
        ({"trailing_factor": 0.0, "break_even_factor": 1.25}, False, 125, 101, False),
        ({"trailing_factor": 0.0, "break_even_factor": 1.25}, True, 125, 100, False),
    ],
)
def test_a_high_may_move_a_stop_above_the_low(
    changes: dict[str, Any], armed: bool, high: float, low: float, moved: bool
) -> None:
    state = HELD._replace(parts=WHOLE._replace(is_armed=armed))
    assert could_move_its_stop(TERMS._replace(**changes), state, float(high), float(low)) == moved


@pytest.mark.parametrize(
    ("changes", "high", "low", "only"),
    [
        ({}, 130, 105, True),
        ({}, 130, 104, False),  # its own high could have moved the stop to its low
        ({}, 121, 96, False),
        ({}, 150, 125, False),  # the target
        ({"break_even_factor": 1.25}, 125, 110, False),
        ({"break_even_factor": 1.25}, 124, 110, True),
        ({"trailing_factor": 0.0}, 130, 105, False),
        ({"max_holding": TERMS.interval}, 130, 105, False),
        ({"max_holding": TERMS.interval + 1}, 130, 105, True),
    ],
)
def test_a_candle_may_only_raise_the_peak(changes: dict[str, Any], high: float, low: float, only: bool) -> None:
    assert only_raises_peak(TERMS._replace(**changes), HELD, HELD.entry_time, float(high), float(low)) == only


@pytest.mark.parametrize(
    ("changes", "parts", "expected"),
    [
        ({}, {}, (96.0, 120.0)),
        ({"trailing_factor": 0.0}, {}, (90.0, 150.0)),
        ({"trailing_factor": 0.0, "break_even_factor": 1.25}, {}, (90.0, 125.0)),
        ({"trailing_factor": 0.0, "break_even_factor": 1.25}, {"is_armed": True}, (100.0, 150.0)),
        ({"trailing_factor": 0.0, "stop_factor": 0.0}, {}, (75.0, 150.0)),
        ({"trailing_factor": 0.0, "stop_factor": 0.0}, {"step": 2, "target": 2}, (0.0, np.inf)),
        ({"trailing_factor": 0.0}, {"step": 2, "stop_distance": 95.0}, (0.0, 150.0)),
    ],
)
def test_nothing_happens_between_the_quiet_prices(
    changes: dict[str, Any], parts: dict[str, Any], expected: tuple[float, float]
) -> None:
    assert quiet_prices(TERMS._replace(**changes), HELD._replace(parts=WHOLE._replace(**parts))) == expected


@pytest.mark.parametrize(
    ("time", "enter", "leave", "changes", "expected"),
    [
        (1260, True, False, {}, NOTHING),
        (1260, True, False, {"max_entries": 2}, ENTER),
        (1260, False, False, {"max_entries": 2}, NOTHING),
        (1260, True, True, {"max_entries": 2}, EXIT_CONDITIONS),
        (1740, True, False, {"max_entries": 2}, MAX_HOLDING),
        (1260, True, False, {"max_entries": 2, "entry_gap": 120}, ENTER),
        (1260, True, False, {"max_entries": 2, "entry_gap": 180}, NOTHING),
    ],
)
def test_a_close_decides_an_exit_before_a_further_entry(
    time: int, enter: bool, leave: bool, changes: dict[str, Any], expected: int
) -> None:
    assert decision(TERMS._replace(**changes), HELD, time, Wish(enter, leave, 0.0, 0.0)) == expected


def test_a_flat_candle_with_nothing_pending_changes_nothing() -> None:
    ledger = new_ledger()
    same = Filled(FLAT, False, EXACT)
    assert fill(TERMS, MINUTELESS, ledger, FLAT, Candle(0, 60, 1.0, 2.0, 0.5, 1.0), True) == same
    assert ledger.counts[FILLS] == 0


def test_settings_that_are_off_become_factors_that_nothing_reaches() -> None:
    terms = terms_of(strategy_of(drop(10)), Costs(fee_percent=1, slippage_percent=2), 300)
    off, sizes = (0.0, 0.0, np.inf, 0.0, 0.0), (0.0, 0.0)
    assert tuple(terms)[:-1] == (1.0, 0.01, 0.02, 0.0, 1.0, 1.0, *off, *sizes, 2**61, 0, 300, 1, 0, 0, 0)
    assert terms.levels.tolist() == [0.0] * LEVELS


def test_orders_become_factors_shares_and_counts() -> None:
    strategy = strategy_of(
        drop(10),
        stop_loss_atr={"period": 5, "times": 2},
        trailing_stop_atr={"times": 3},
        break_even_after_percent=25,
        take_profits=[{"gain_percent": 50, "sell_percent": 25}, {"gain_percent": 100, "sell_percent": 75}],
        ladder=[{"drop_percent": 25, "size_percent": 50}],
        position_amount=70,
        max_entries=4,
        entry_gap="2m",
    )
    terms = terms_of(strategy, Costs(fee_percent=0, slippage_percent=0), 60)
    assert (terms.stop_factor, terms.stop_times, terms.trailing_factor, terms.trailing_times) == (1, 2, 1, 3)
    assert (terms.break_even_factor, terms.amount, terms.risk) == (1.25, 70, 0)
    assert (terms.max_entries, terms.entry_gap, terms.steps, terms.targets) == (4, 120, 1, 2)
    assert (terms.levels[STEP], terms.levels[STEP_SHARE]) == (0.75, 0.5)
    assert terms.levels[TARGET : TARGET + 2].tolist() == [1.5, 2.0]
    assert terms.levels[TARGET_SHARE : TARGET_SHARE + 2].tolist() == [0.25, 0.75]
    assert terms_of(strategy_of(drop(10), stop_loss_percent=5, risk_percent=2), Costs(), 60).risk == 0.02


@pytest.mark.parametrize("full", [FILLS, SIGNALS, DOUBTS])
def test_a_full_ledger_widens_only_what_is_full_and_keeps_its_rows(full: int) -> None:
    ledger = new_ledger()
    assert ledger.counts.tolist() == [0, 0, 0, EXACT]
    tables = {FILLS: ("places", "amounts"), SIGNALS: ("signals",), DOUBTS: ("doubts",)}
    for names in tables.values():
        for name in names:
            getattr(ledger, name)[:] = 7
    rows = {each: len(getattr(ledger, names[0])) for each, names in tables.items()}
    # fills are full when those of one more candle may not fit
    ledger.counts[full] = rows[full] - (MOST_FILLS - 1 if full == FILLS else 0)
    kept = int(ledger.counts[full])
    wider = with_room(ledger)
    for each, names in tables.items():
        for name in names:
            table = getattr(wider, name)
            assert len(table) == rows[each] * (GROWTH if each == full else 1)
            assert np.all(table[: kept if each == full else rows[each]] == 7)
    assert wider.counts.tolist() == ledger.counts.tolist()


def test_a_control_is_two_whole_numbers_at_zero() -> None:
    control = new_control()
    assert control.dtype == np.int64
    assert control.tolist() == [0, 0]
