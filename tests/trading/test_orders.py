"""Positions in parts: every strategy with targets, ladders, sizes and ATR stops, on every set of candles."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.filled import FILL_REASONS
from strategybot.trading.engine.ledger import AMOUNT, BASE, CANDLE, FILLS, MONEY, PRICE, REASON, SIGNALS
from strategybot.trading.engine.loop import Run
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import CASH, cases, engine, order_strategies, put_together
from tests.trading.reference_orders import OrdersReference

Case = tuple[Strategy, Candles, Costs]
modest = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
few = settings(modest, max_examples=60)


def fills_of(run: Run) -> tuple[list[tuple[int, str]], list[list[float]]]:
    """Return the candle and reason of each fill, and its base, price, quantity and money."""
    count = int(run.ledger.counts[FILLS])
    places, amounts = run.ledger.places[:count], run.ledger.amounts[:count]
    events = [(candle, FILL_REASONS[reason]) for candle, reason in places[:, [CANDLE, REASON]].tolist()]
    return events, amounts[:, [BASE, PRICE, AMOUNT, MONEY]].tolist()


def agrees(strategy: Strategy, candles: Candles, costs: Costs, minutes: Candles | None = None) -> None:
    """Assert that the engine makes the fills and decisions of the second reading."""
    reference = OrdersReference(strategy, candles, costs, minutes)
    book = reference.run(CASH)
    assume(not reference.close_call)
    run = engine(strategy, candles, costs, **({} if minutes is None else {"minutes": minutes}))
    events, amounts = fills_of(run)
    assert events == [(fill.candle, fill.reason) for fill in book.fills]
    expected = [(fill.base, fill.price, fill.quantity, fill.money) for fill in book.fills]
    assert amounts == [pytest.approx(row, rel=1e-9) for row in expected]
    assert run.ledger.signals[: run.ledger.counts[SIGNALS], 0].tolist() == [i for i, _ in book.signals]
    doubts = [i for i, is_resolved in book.doubts if not is_resolved]
    assert run.ledger.doubts[: run.ledger.counts[2]].tolist() == doubts


@given(cases(longest=400, kind=order_strategies), st.integers(0, 10**6))
@modest
def test_a_second_reading_of_the_rules_agrees_fill_by_fill(case: Case, shift: int) -> None:
    strategy, candles, costs = case
    candles.time[:] += 60 * shift
    agrees(strategy, candles, costs)
