"""A run that enters one candle late equals a plain implementation; costs are multiplied."""

from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.trading.conditions import columns_of, comparisons_of, conditions_met
from strategybot.trading.costs import Costs
from strategybot.trading.fast.scan import new_control
from strategybot.trading.kernel import decided, decision, opening_state, rules_of, trade
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.stress import run_entering_late, total_return, with_costs
from tests.trading.builders import MINUTE, drop, random_candles, strategies, strategy_of

COSTS = Costs()


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
