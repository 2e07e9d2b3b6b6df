"""Positions in parts: every strategy with targets, ladders, sizes and ATR stops, on every set of candles."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.candles import NO_MINUTES, Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.filled import FILL_REASONS
from strategybot.trading.engine.ledger import (
    AMOUNT,
    BASE,
    BUDGET,
    CANDLE,
    DOUBTS,
    ENTRY_PRICE,
    EXIT_PRICE,
    FILLS,
    MONEY,
    PROCEEDS,
    QUANTITY,
    SIGNALS,
    WHAT,
    reasons_of,
)
from strategybot.trading.engine.log_entries import LogEntry
from strategybot.trading.engine.loop import Run
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import (
    CASH,
    MINUTE,
    cases,
    costs,
    engine,
    identical,
    order_strategies,
    put_together,
    random_candles,
    trades_of,
)
from tests.trading.reference_orders import OrderBook, OrdersReference

Case = tuple[Strategy, Candles, Costs]
Minuted = tuple[Strategy, Candles, Candles, Costs]
modest = settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
few = settings(modest, max_examples=60)
order_cases = cases(longest=400, kind=order_strategies)


@st.composite
def minuted_cases(draw: st.DrawFn, longest: int = 900) -> Minuted:
    """Draw longer candles with the minutes that they consist of, or with those of their first half."""
    minutes = random_candles(draw(st.integers(0, 2**32)), draw(st.integers(2, longest)), calm=0.02)
    minutes.time[:] += MINUTE * draw(st.integers(0, 10**6))
    candles = put_together(minutes, draw(st.sampled_from([5, 15, 60])) * MINUTE)
    known = minutes if draw(st.booleans()) else minutes.between(0, int(candles.time[len(candles) // 2]))
    return draw(order_strategies()), candles, known, draw(costs)


def fills_of(run: Run) -> tuple[list[tuple[int, str]], list[list[float]]]:
    """Return the candle and reason of each fill, and its price before slippage, quantity and money."""
    count = int(run.ledger.counts[FILLS])
    places, amounts = run.ledger.places[:count], run.ledger.amounts[:count]
    reasons = reasons_of(places[:, WHAT]).tolist()
    events = [(candle, FILL_REASONS[each]) for candle, each in zip(places[:, CANDLE].tolist(), reasons, strict=True)]
    return events, amounts[:, [BASE, AMOUNT, MONEY]].tolist()


def second_reading(strategy: Strategy, candles: Candles, fees: Costs, minutes: Candles = NO_MINUTES) -> OrderBook:
    reference = OrdersReference(strategy, candles, fees, minutes)
    book = reference.run(CASH)
    assume(not reference.close_call)
    return book


def agrees(book: OrderBook, run: Run, fees: Costs) -> None:
    """Assert that the engine makes the fills, trades and decisions of the second reading, and has its doubts."""
    events, amounts = fills_of(run)
    assert events == [(fill.candle, fill.reason) for fill in book.fills]
    expected = [(fill.base, fill.quantity, fill.money) for fill in book.fills]
    assert amounts == [pytest.approx(row, rel=1e-9) for row in expected]
    assert run.ledger.signals[: run.ledger.counts[SIGNALS], 0].tolist() == [i for i, _ in book.signals]
    trades = [(t.quantity, t.budget, t.entry_price, t.exit_price, t.proceeds) for t in book.trades]
    columns = [QUANTITY, BUDGET, ENTRY_PRICE, EXIT_PRICE, PROCEEDS]
    found = trades_of(run, fees).amounts[:, columns].tolist()
    assert found == [pytest.approx(row, rel=1e-9) for row in trades]
    doubts = [i for i, is_decided in book.doubts if not is_decided]
    assert run.ledger.doubts[: run.ledger.counts[DOUBTS]].tolist() == doubts


@given(order_cases, st.integers(0, 10**6))
@modest
def test_a_second_reading_of_the_rules_agrees_fill_by_fill(case: Case, shift: int) -> None:
    strategy, candles, fees = case
    candles.time[:] += MINUTE * shift
    agrees(second_reading(strategy, candles, fees), engine(strategy, candles, fees), fees)


@given(minuted_cases())
@few
def test_a_second_reading_agrees_where_minutes_decide(case: Minuted) -> None:
    strategy, candles, minutes, fees = case
    agrees(second_reading(strategy, candles, fees, minutes), engine(strategy, candles, fees, minutes=minutes), fees)


@given(cases(longest=2000, kind=order_strategies), st.floats(0, 0.5))
@modest
def test_the_skipping_run_equals_the_loop_of_steps_bit_for_bit(case: Case, warm: float) -> None:
    strategy, candles, fees = case
    start = int(len(candles) * warm)
    identical(engine(strategy, candles, fees, start=start), engine(strategy, candles, fees, start=start, plain=True))


@given(minuted_cases(longest=3000))
@few
def test_the_skipping_run_equals_the_loop_of_steps_with_minutes(case: Minuted) -> None:
    strategy, candles, minutes, fees = case
    one = engine(strategy, candles, fees, minutes=minutes)
    identical(one, engine(strategy, candles, fees, minutes=minutes, plain=True))


@given(minuted_cases(longest=600), st.integers(0, 120), st.integers(0, 20))
@few
def test_paper_trading_equals_the_backtest_also_after_a_restore(case: Minuted, cut: int, warm: int) -> None:
    strategy, candles, minutes, fees = case
    warm = min(warm, len(candles))
    result = run_backtest(strategy, candles, fees, CASH, start_index=warm, minutes=minutes)
    session = PaperSession(strategy, fees, CASH, candles.interval_seconds)
    session.warm_up(candles[:warm])
    log: list[LogEntry] = []
    for i in range(warm, len(candles)):
        if i == cut:
            saved = json.loads(json.dumps(session.state(), allow_nan=False))
            kept = candles[max(0, i - max(1, session.lookback)) : i]
            session = PaperSession.restore(strategy, fees, saved, kept)
        log += session.advance(candles[i : i + 1], minutes).log
    filled = [entry for entry in log if entry["action"] != "HOLD"]
    assert [(entry["time"], entry["action"], entry["price"], entry["quantity"]) for entry in filled] == sold_and_bought(
        result
    )
    assert all(entry["reason"] for entry in log)
    assert tuple(session.book) == tuple(result.state)
    assert session.fills == result.trades.fills
    assert session.portfolio().total_value == result.metrics["final_equity"]


def sold_and_bought(result: BacktestResult) -> list[tuple[int, str, float, float]]:
    fills = result.fills
    times = result.trades.candles.time[fills.places[:, CANDLE]].tolist()
    actions = np.where(fills.are_buys, "BUY", "SELL").tolist()
    prices, quantities = fills.prices.tolist(), fills.amounts[:, AMOUNT].tolist()
    return list(zip(times, actions, prices, quantities, strict=True))


@given(order_cases)
@few
def test_a_trade_is_the_sum_of_its_fills(case: Case) -> None:
    strategy, candles, fees = case
    result = run_backtest(strategy, candles, fees, CASH)
    rows = result.trades.page(0, 1000)
    fills = [fill for row in rows for fill in row.fills]
    assert [(each.time, each.action, each.price, each.quantity) for each in fills] == sold_and_bought(result)[
        : result.fills.open_since
    ]
    for row, amounts in zip(rows, result.trades.amounts.tolist(), strict=True):
        buys = [each for each in row.fills if each.action == "BUY"]
        sales = [each for each in row.fills if each.action == "SELL"]
        sizes = [[each.quantity or 0.0 for each in side] for side in (buys, sales)]
        values = [[each.value or 0.0 for each in side] for side in (buys, sales)]
        assert row.quantity == pytest.approx(sum(sizes[0]))
        assert sum(sizes[1]) == pytest.approx(sum(sizes[0]))
        assert row.entry_price == pytest.approx(sum(values[0]) / sum(sizes[0]))
        assert row.exit_price == pytest.approx(sum(values[1]) / sum(sizes[1]))
        assert row.exit_reason == sales[-1].reason
        paid = sum((each.fee or 0.0) + (each.tax or 0.0) + (each.impact or 0.0) for each in row.fills)
        gain = sum(values[1]) - sum(values[0]) - paid
        assert row.pnl == pytest.approx(gain, rel=1e-6, abs=1e-6 * amounts[BUDGET])
        for name, column in (("fees", "fee"), ("slippage", "slippage"), ("tax", "tax"), ("impact", "impact")):
            total = sum(getattr(each, column) for each in row.fills)
            assert getattr(row, name) == pytest.approx(total, rel=1e-9, abs=1e-12)


@given(order_cases)
@modest
def test_money_and_tokens_are_never_negative_and_every_fill_lies_inside_its_candle(case: Case) -> None:
    strategy, candles, fees = case
    result = run_backtest(strategy, candles, fees, CASH)
    place, base = result.fills.places[:, CANDLE], result.fills.amounts[:, BASE]
    assert np.all(base >= candles.low[place])
    assert np.all(base <= candles.high[place])
    table = result.fills.table(0, len(result.fills))
    assert np.all(table["cash"] >= -1e-9 * CASH)
    assert np.all(table["held"] >= 0)
    json.dumps([result.trades.page(0, 20), result.signals.page(0, 20), result.open_position], allow_nan=False)
    json.dumps([result.metrics, result.equity_curve()], allow_nan=False)


def test_the_random_cases_reach_every_kind_of_fill() -> None:
    """The properties above are worth little for what the random strategies never do."""
    reached: Counter[str] = Counter()

    @given(cases(longest=400, kind=order_strategies))
    @settings(modest, database=None)
    def count(case: Case) -> None:
        strategy, candles, fees = case
        events, _ = fills_of(engine(strategy, candles, fees))
        reached.update(reason for _, reason in events)
        steps = {(i, reason) for i, reason in events if reason in ("entry", "ladder", "take_profit")}
        reached["several parts in one candle"] += len(events) > len(set(events))
        reached["a candle that buys and sells"] += len({i for i, _ in steps}) < len(steps)

    count()
    alone = [reason for reason in FILL_REASONS.values() if reason != "stopped_trading"]  # which needs other tokens
    kinds = [*alone, "several parts in one candle", "a candle that buys and sells"]
    assert {kind: reached[kind] for kind in kinds if reached[kind] < 3} == {}
