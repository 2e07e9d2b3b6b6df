"""A run whose entries come late reads them one candle late; costs are multiplied."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.conditions import one_later, wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.loop import market_of, new_control
from strategybot.trading.engine.step import rules_of
from strategybot.trading.evidence.stress import total_return, with_costs
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import MINUTE, drop, random_candles, strategies, strategy_of


@settings(max_examples=30)
@given(strategies(), st.integers(0, 2**32 - 1), st.integers(0, 150))
def test_a_late_entry_is_the_same_entry_one_candle_later(strategy: Strategy, seed: int, count: int) -> None:
    on_time = wanted_of(strategy, random_candles(seed, count))
    late = one_later(on_time)
    assert late.entry.tolist() == [0, *on_time.entry.tolist()][: len(on_time.entry)]
    assert np.array_equal(late.entry, late.entry_words.view(np.uint8)[: len(late.entry)])
    assert np.array_equal(late.exit, on_time.exit)


def test_costs_are_multiplied_and_never_exceed_the_amount() -> None:
    strategy = strategy_of(drop(2))
    rules = rules_of(strategy, Costs(fee_percent=60, slippage_percent=1), MINUTE)
    twice = with_costs(rules, 2).terms
    assert twice.fee < 1
    assert twice.slippage == 0.02
    candles = random_candles(2, 300)
    market, wanted = market_of(candles), wanted_of(strategy, candles)
    free = total_return(with_costs(rules, 0), market, wanted, 0, 1.0, new_control())
    assert free >= total_return(rules, market, wanted, 0, 1.0, new_control())
