"""The entry table equals stepping the engine from every candle; the late run equals a plain implementation."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.trading.candles import Candles
from strategybot.trading.conditions import columns_of, comparisons_of, conditions_met
from strategybot.trading.costs import Costs
from strategybot.trading.entry_table import STRIDES, entry_returns, entry_table, exit_decisions
from strategybot.trading.fast.scan import STOP_REQUESTED, new_control
from strategybot.trading.kernel import decided, decision, opening_state, rules_of, step, trade
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.risk import ENTER, NOTHING
from strategybot.trading.stress import run_entering_late, total_return, with_costs
from tests.trading.builders import MINUTE, drop, random_candles, strategies, strategy_of

COSTS = Costs()


def stepped(strategy: Strategy, candles: Candles, entry: int) -> float:
    """Return the value of one unit bought at this candle, computed step by step; NaN if it stays open."""
    rules = rules_of(strategy, COSTS, candles.interval_seconds)
    whole = rules._replace(terms=rules.terms._replace(share=1.0))
    columns, state = columns_of(candles, comparisons_of(strategy)), decided(opening_state(1.0), ENTER)
    for i in range(entry, len(candles)):
        outcome = step(whole, columns, i, state)
        if outcome.sale.reason != NOTHING:
            return float(outcome.sale.proceeds - outcome.sale.budget)
        state = outcome.state
    return float("nan")


@settings(max_examples=40)
@given(strategies(), st.integers(0, 2**32 - 1), st.integers(1, 150), st.integers(0, 20))
def test_the_table_equals_stepping_from_every_candle(strategy: Strategy, seed: int, count: int, start: int) -> None:
    candles = random_candles(seed, count)
    start = min(start, count - 1)
    rules = rules_of(strategy, COSTS, candles.interval_seconds)
    table = entry_table(rules, columns_of(candles, comparisons_of(strategy)), start, new_control())
    assert table.stride == 1
    expected = [stepped(strategy, candles, entry) for entry in range(start, count)]
    assert np.array_equal(table.values, np.array(expected), equal_nan=True)


def test_a_coarse_table_is_a_part_of_the_fine_one() -> None:
    strategy = strategy_of(drop(2), stop_loss_percent=5, trailing_stop_percent=3, max_holding="3h")
    candles, control = random_candles(7, 9000), new_control()
    rules = rules_of(strategy, COSTS, MINUTE)
    rules = rules._replace(terms=rules.terms._replace(share=1.0))
    due = exit_decisions(rules, columns_of(candles), 3, control)
    tables = [
        entry_returns(rules, columns_of(candles), due, 3, stride, np.zeros(1, np.int64), control) for stride in STRIDES
    ]
    for stride, values in zip(STRIDES, tables, strict=True):
        assert np.array_equal(values, tables[-1][::stride], equal_nan=True)


def test_positions_that_never_close_make_the_table_coarser_and_not_slower() -> None:
    strategy = strategy_of(drop(2), stop_loss_percent=99)
    candles = random_candles(9, 60_000, calm=0.0001)
    table = entry_table(rules_of(strategy, COSTS, MINUTE), columns_of(candles), 0, new_control())
    assert table.stride > 1


def test_a_stop_ends_the_table_at_once() -> None:
    control = new_control()
    control[STOP_REQUESTED] = 1
    rules = rules_of(strategy_of(drop(2), stop_loss_percent=1), COSTS, MINUTE)
    assert entry_table(rules, columns_of(random_candles(1, 500)), 0, control).average is None


@settings(max_examples=30)
@given(strategies(), st.integers(0, 2**32 - 1), st.integers(2, 150))
def test_a_late_entry_reads_its_conditions_one_candle_late(strategy: Strategy, seed: int, count: int) -> None:
    candles = random_candles(seed, count)
    columns, rules = columns_of(candles, comparisons_of(strategy)), rules_of(strategy, COSTS, candles.interval_seconds)
    state = opening_state(1.0)
    for i in range(count):
        prices = (columns.open[i], columns.high[i], columns.low[i])
        done = trade(rules.terms, columns.minutes, state, int(columns.time[i]), *prices)
        if done.state.quantity == 0:
            wanted = i > 0 and conditions_met(rules.entry, columns, i - 1)
        else:
            wanted = conditions_met(rules.exit, columns, i)
        state = decided(done.state, decision(rules.terms, done.state, int(columns.time[i]), wanted))
    late = run_entering_late(rules, columns, 0, opening_state(1.0), False, new_control())
    assert tuple(late) == tuple(state)


def test_costs_are_multiplied_and_never_exceed_the_amount() -> None:
    rules = rules_of(strategy_of(drop(2)), Costs(fee_percent=60, slippage_percent=1), MINUTE)
    twice = with_costs(rules, 2).terms
    assert twice.fee < 1
    assert twice.slippage == 0.02
    candles = random_candles(2, 300)
    free = total_return(with_costs(rules, 0), columns_of(candles), 0, 1.0, new_control())
    assert free >= total_return(rules, columns_of(candles), 0, 1.0, new_control())
