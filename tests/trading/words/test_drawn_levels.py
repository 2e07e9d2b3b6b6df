"""The lines of a chart: at each candle the stop, average, target and ladder step that the engine had."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.ledger import ENTRY, EXIT, FIRST_FILL, LAST_FILL
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.risk import State, ladder_level, stop_level, target_level
from strategybot.trading.engine.step import terms_of
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.drawn_rules import PositionLevels, position_levels
from tests.trading.builders import CASH, FREE, candles_of, cases, order_strategies, strategies, strategy_of
from tests.trading.random_series import compare


def states(strategy: Strategy, candles: Candles, costs: Costs) -> list[State]:
    """Return the state of the engine after each candle."""
    session, found = PaperSession(strategy, costs, CASH, candles.interval_seconds), []
    for i in range(len(candles)):
        session.advance(candles[i : i + 1])
        found.append(session.book)
    return found


def at(steps: Sequence[Any], time: int) -> float | None:
    """Return the price of the last step until this time."""
    prices = [step.price for step in steps if step.time <= time]
    return prices[-1] if prices else None


def drawn(strategy: Strategy, candles: Candles, costs: Costs) -> list[tuple[int, int, PositionLevels]]:
    """Return the levels of each closed trade, with its first and last candle."""
    result = run_backtest(strategy, candles, costs, CASH)
    found = []
    for place in result.trades.places.tolist():
        fills = result.fills.table(place[FIRST_FILL], place[LAST_FILL] + 1 - place[FIRST_FILL])
        levels = position_levels(strategy, candles, place[ENTRY], place[EXIT], fills)
        found.append((place[ENTRY], place[EXIT], levels))
    return found


@given(st.one_of(cases(150, strategies), cases(150, order_strategies), cases(150, order_strategies)))
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_lines_are_at_the_levels_of_the_engine(case: tuple[Strategy, Candles, Costs]) -> None:
    strategy, candles, costs = case
    terms, after = terms_of(strategy, costs, candles.interval_seconds), states(strategy, candles, costs)
    for entry, out, levels in drawn(strategy, candles, costs):
        for i in range(entry + 1, out):
            state, time = after[i - 1], int(candles.time[i])
            changed = after[i].parts
            if (changed.bought, changed.target, changed.step) != (
                state.parts.bought,
                state.parts.target,
                state.parts.step,
            ):
                continue  # the lines of a candle with fills are those after them
            stop = float(stop_level(terms, state)[0])
            assert at(levels.stop, time) == (pytest.approx(stop) if stop > 0 else None)
            if strategy.trades_in_parts:
                target, ladder = float(target_level(terms, state)), float(ladder_level(terms, state))
                assert at(levels.average, time) == pytest.approx(state.entry_price)
                assert at(levels.target, time) == (pytest.approx(target) if target < np.inf else None)
                if strategy.guards is None:  # a halted run buys no more steps, and does not count them either
                    assert at(levels.ladder, time) == (pytest.approx(ladder) if ladder > 0 else None)


def test_a_cheaper_average_does_not_arm_break_even_by_an_earlier_high() -> None:
    strategy = strategy_of(
        compare({"series": "volume"}, "above", 5),
        break_even_after_percent=5,
        stop_loss_percent=50,
        position_percent=50,
        ladder=[{"drop_percent": 5, "size_percent": 50}],
    )
    rows = [(100, 100, 100, 100, 9), (100, 104, 100, 100), (100, 100, 94, 96), (97, 98, 97, 97), (97, 103, 97, 102)]
    rows += [(102, 102, 101, 101), (101, 101, 96, 96)]
    [(_, _, levels)] = drawn(strategy, candles_of(rows), FREE)
    average = 1000 / (5 + 500 / 95)
    start = int(candles_of(rows).time[0])
    assert [(step.time - start) // 60 for step in levels.stop] == [1, 2, 5]
    assert [step.price for step in levels.stop] == pytest.approx([50, average / 2, average])
