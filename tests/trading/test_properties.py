"""Properties of every strategy on every set of candles."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.equity import equity_at, holdings_of
from strategybot.trading.engine.ledger import (
    AMOUNT,
    BASE,
    BUDGET,
    CANDLE,
    CASH,
    ENTRY,
    ENTRY_PRICE,
    EXIT,
    EXIT_BASE,
    EXIT_PRICE,
    FILLS,
    PROCEEDS,
    QUANTITY,
    SIGNALS,
    WHAT,
    WHY,
    reasons_of,
)
from strategybot.trading.engine.loop import Run, market_of
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.risk import STOPPED_TRADING, TAKE_PROFIT
from strategybot.trading.engine.step import EXIT_REASONS
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import CASH as START_CASH
from tests.trading.builders import (
    cases,
    engine,
    identical,
    order_strategies,
    random_candles,
    scales,
    strategies,
    trades_of,
)
from tests.trading.random_series import rescaled
from tests.trading.reference import Reference

Case = tuple[Strategy, Candles, Costs]
modest = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
few = settings(modest, max_examples=60)


def all_cases(longest: int = 700) -> st.SearchStrategy[Case]:
    """Draw cases of strategies that trade at once, and of those that trade in parts."""
    return st.one_of(cases(longest), cases(longest, order_strategies))


def equity(run: Run, candles: Candles, start: int = 0) -> list[float]:
    holdings = holdings_of(run.ledger, start, run.end, START_CASH)
    return [float(mark) for mark in equity_at(holdings, candles.close, np.arange(start, run.end))]


@given(cases(longest=3000), st.floats(0, 1))
@modest
def test_the_skipping_run_equals_the_loop_of_steps_bit_for_bit(case: Case, warm: float) -> None:
    strategy, candles, costs = case
    start = int(len(candles) * warm * 0.5)
    identical(engine(strategy, candles, costs, start=start), engine(strategy, candles, costs, start=start, plain=True))


@given(strategies(), st.integers(0, 10**6))
@settings(modest, max_examples=30)
def test_the_skipping_run_equals_the_loop_of_steps_over_many_blocks(strategy: Strategy, seed: int) -> None:
    candles = random_candles(seed, 20_000, calm=0.001)
    identical(engine(strategy, candles), engine(strategy, candles, plain=True))


@given(cases(longest=400), st.integers(0, 10**6))
@modest
def test_a_second_reading_of_the_rules_agrees_trade_by_trade(case: Case, shift: int) -> None:
    strategy, candles, costs = case
    candles.time[:] += 60 * shift
    run = engine(strategy, candles, costs)
    reference = Reference(strategy, candles, costs)
    book = reference.run(START_CASH)
    assume(not reference.close_call)
    places, amounts, _, _ = trades_of(run, costs)
    assert [(t.entry, t.exit, t.reason) for t in book.trades] == [
        (entry, exit_, EXIT_REASONS[reason]) for entry, exit_, reason in places[:, [ENTRY, EXIT, WHY]].tolist()
    ]
    expected = [(t.quantity, t.budget, t.entry_price, t.exit_base, t.exit_price, t.proceeds) for t in book.trades]
    columns = [QUANTITY, BUDGET, ENTRY_PRICE, EXIT_BASE, EXIT_PRICE, PROCEEDS]
    assert amounts[:, columns].tolist() == [pytest.approx(row, rel=1e-12) for row in expected]
    assert [i for i, _ in book.signals] == run.ledger.signals[: run.ledger.counts[SIGNALS], 0].tolist()
    assert equity(run, candles) == pytest.approx(book.equity, rel=1e-9)


@given(cases(longest=120), st.integers(0, 120), st.integers(0, 20), st.integers(0, 10**6))
@few
def test_paper_trading_equals_the_backtest_also_after_a_restore(case: Case, cut: int, warm: int, shift: int) -> None:
    """Wherever the candles begin: stretches of the recursions may begin before, in and after them."""
    strategy, candles, costs = case
    candles.time[:] += 60 * shift
    warm = min(warm, len(candles))
    run = engine(strategy, candles, costs, start=warm)
    marks = equity(run, candles, warm)
    session = PaperSession(strategy, costs, START_CASH, candles.interval_seconds)
    session.warm_up(candles[:warm])
    sold, signalled = 0, 0
    for i in range(warm, len(candles)):
        if i == cut:
            saved = json.loads(json.dumps(session.state(), allow_nan=False))
            kept = candles[max(0, i - max(1, session.lookback)) : i]
            session = PaperSession.restore(strategy, costs, saved, kept)
        log, signals = session.advance(candles[i : i + 1])
        sold += sum(entry["action"] == "SELL" for entry in log)
        signalled += len(signals)
        assert session.portfolio().total_value == marks[i - warm]
        assert all(entry["reason"] for entry in log)
        json.dumps([log, signals, asdict(session.portfolio())], allow_nan=False)
    assert (sold, signalled) == (len(trades_of(run).places), int(run.ledger.counts[SIGNALS]))
    assert tuple(session.book) == tuple(run.state)


@given(all_cases(), st.floats(0, 1), st.integers(0, 2**32), scales)
@modest
def test_later_candles_never_change_earlier_results(case: Case, share: float, seed: int, scale: float) -> None:
    strategy, candles, costs = case
    cut = int(len(candles) * share)
    part = engine(strategy, candles[:cut], costs)
    fills, signals = int(part.ledger.counts[FILLS]), int(part.ledger.counts[SIGNALS])
    for future in (candles, with_future(candles, cut, random_candles(seed, len(candles) + 1, scale=scale))):
        whole = engine(strategy, future, costs)
        assert equity(whole, future)[:cut] == equity(part, candles[:cut])
        assert np.array_equal(whole.ledger.places[:fills], part.ledger.places[:fills])
        assert np.array_equal(whole.ledger.amounts[:fills], part.ledger.amounts[:fills])
        assert np.array_equal(whole.ledger.signals[:signals], part.ledger.signals[:signals])
        assert np.all(whole.ledger.places[fills : whole.ledger.counts[FILLS], CANDLE] >= cut)
        assert np.all(whole.ledger.signals[signals : whole.ledger.counts[SIGNALS], 0] >= cut)


@given(cases(longest=40), st.integers(0, 40), st.integers(0, 2**32), scales)
@settings(few, max_examples=40)
def test_a_paper_session_does_not_use_later_candles_that_are_passed_with_a_candle(
    case: Case, cut: int, seed: int, scale: float
) -> None:
    strategy, candles, costs = case
    cut = min(cut, len(candles))
    futures = (candles[:cut], candles, with_future(candles, cut, random_candles(seed, len(candles) + 1, scale=scale)))
    told = [PaperSession(strategy, costs, START_CASH, 60).advance(future) for future in futures]
    last = candles.time[cut - 1] if cut else 0
    logs = [[entry for entry in log if entry["time"] <= last] for log, _ in told]
    decisions = [[signal for signal in signals if signal.time <= last] for _, signals in told]
    assert logs[0] == logs[1] == logs[2] == told[0].log
    assert decisions[0] == decisions[1] == decisions[2] == told[0].signals


def with_future(candles: Candles, cut: int, other: Candles) -> Candles:
    """Return the same candles up to the cut, followed by the prices and volumes of the other ones."""
    numbers = zip(candles.columns()[1:], other.columns()[1:], strict=True)
    joined = [np.concatenate((one[:cut], another[cut : len(candles)])) for one, another in numbers]
    return Candles(candles.interval_seconds, candles.time, *joined)


@given(all_cases(longest=200), st.integers(0, 199), st.floats(0.5, 2))
@modest
def test_prices_inside_a_candle_do_not_change_what_happens_at_its_open(case: Case, k: int, factor: float) -> None:
    strategy, candles, costs = case
    if len(candles) == 0:
        return
    k %= len(candles)
    changed = copied(candles)
    changed.close[k] *= factor
    changed.high[k] = max(changed.open[k], changed.close[k]) * (1 + abs(factor - 1))
    changed.low[k] = min(changed.open[k], changed.close[k]) / (1 + abs(factor - 1))
    was, is_ = engine(strategy, candles, costs), engine(strategy, changed, costs)
    assert fills_at_open(was, candles, k) == fills_at_open(is_, changed, k)


def copied(candles: Candles, factor: float = 1.0) -> Candles:
    numbers = (candles.open, candles.high, candles.low, candles.close, candles.volume)
    return Candles(candles.interval_seconds, candles.time, *(column * factor for column in numbers))


def fills_at_open(run: Run, candles: Candles, k: int) -> list[tuple[int, float]]:
    """Return every fill before candle k and at its open, with its price before slippage: buys, decided exits and gaps to the stop.

    Not a gap to the target: a stop inside the candle comes before it.
    """
    count = int(run.ledger.counts[FILLS])
    places, amounts = run.ledger.places[:count], run.ledger.amounts[:count]
    at_open = amounts[:, BASE] == candles.open[places[:, CANDLE]]
    known = (places[:, CANDLE] < k) | (
        (places[:, CANDLE] == k) & at_open & (reasons_of(places[:, WHAT]) != TAKE_PROFIT)
    )
    return list(zip(places[known, CANDLE].tolist(), amounts[known, BASE].tolist(), strict=True))


@given(all_cases())
@modest
def test_only_the_four_costs_reduce_the_money(case: Case) -> None:
    strategy, candles, costs = case
    result = run_backtest(strategy, candles, costs, START_CASH)
    moved = gross_result(result, candles)
    metrics = result.metrics
    names = ("fees_paid", "slippage_paid", "tax_paid", "impact_paid")
    paid = sum(metrics[name] for name in names)  # type: ignore[misc]
    assert metrics["final_equity"] == pytest.approx(START_CASH + moved - paid, rel=1e-9)
    assert all(metrics[name] >= 0 for name in names)  # type: ignore[operator]


def gross_result(result: BacktestResult, candles: Candles) -> float:
    """Return the result of the price changes alone, at prices before slippage."""
    fills = result.fills
    moved = fills.amounts[:, AMOUNT] * fills.amounts[:, BASE] * np.where(fills.are_buys, -1, 1)
    held = 0.0 if result.open_position is None else result.state.quantity * candles.close[-1]
    return float(moved.sum() + held)


@given(cases())
@modest
def test_every_fill_before_slippage_lies_inside_its_candle(case: Case) -> None:
    strategy, candles, costs = case
    result = run_backtest(strategy, candles, costs, START_CASH)
    exits, bases = result.trades.places[:, EXIT], result.trades.amounts[:, EXIT_BASE]
    assert np.all(bases >= candles.low[exits])
    assert np.all(bases <= candles.high[exits])
    entries = result.trades.amounts[:, ENTRY_PRICE]
    assert np.array_equal(entries, candles.open[result.trades.places[:, ENTRY]] * (1 + costs.slippage_percent / 100))


@given(cases(), st.sampled_from([0.01, 0.5, 3]), st.booleans())
@modest
def test_raising_a_cost_never_helps_a_fixed_list_of_trades(case: Case, more: float, is_fee: bool) -> None:
    strategy, candles, costs = case
    result = run_backtest(strategy, candles, costs, START_CASH)
    dearer = costs.model_copy(update={"fee_percent": costs.fee_percent + more * is_fee})
    dearer = dearer.model_copy(update={"slippage_percent": costs.slippage_percent + more * (not is_fee)})
    assert replay(result, candles, dearer) <= replay(result, candles, costs) * (1 + 1e-12)


def replay(result: BacktestResult, candles: Candles, costs: Costs) -> float:
    """Return the growth of the same fills with other costs."""
    fee, slippage = costs.fee_percent / 100, costs.slippage_percent / 100
    bought = candles.open[result.trades.places[:, ENTRY]] * (1 + slippage) * (1 + fee)
    sold = result.trades.amounts[:, EXIT_BASE] * (1 - slippage) * (1 - fee)
    return float(np.prod(sold / bought))


@given(st.integers(0, 10**6), st.integers(-20, 20), st.data())
@modest
def test_scaling_all_prices_by_a_power_of_two_changes_no_decision(seed: int, power: int, data: st.DataObject) -> None:
    factor = 2.0**power
    strategy = data.draw(strategies())
    candles = random_candles(seed, 500)
    scaled = copied(candles, factor)
    plan = strategy.model_dump()
    rescale(plan["conditions"] + plan["exit_conditions"], factor)
    one, other = engine(strategy, candles), engine(Strategy.model_validate(plan), scaled)
    trades, others = trades_of(one), trades_of(other)
    assert np.array_equal(trades.places, others.places)
    assert np.array_equal(trades.amounts[:, PROCEEDS], others.amounts[:, PROCEEDS])
    assert equity(one, candles) == equity(other, scaled)


def rescale(conditions: list[dict[str, Any]], factor: float) -> None:
    for condition in conditions:
        rescale(condition.get("conditions", []), factor)
        if condition["kind"] == "price_level":
            condition["level"] *= factor
        if condition["kind"] == "compare":
            condition.update(rescaled(condition, factor))


@given(cases(longest=1500))
@few
def test_nothing_that_leaves_the_engine_is_nan_or_infinite(case: Case) -> None:
    strategy, candles, costs = case
    result = run_backtest(strategy, candles, costs, START_CASH)
    rows = [result.trades.page(0, 20), result.signals.page(0, 20), result.equity_curve(), result.open_position]
    json.dumps([rows, result.metrics, result.metric_notes, candles.records()], allow_nan=False)
    assert {name for name, value in result.metrics.items() if value is None} == set(result.metric_notes)
    assert np.all(result.trades.amounts[:, CASH] >= 0)


@pytest.mark.parametrize("reason", [each for each in EXIT_REASONS if each != STOPPED_TRADING])  # of a portfolio
def test_the_random_cases_reach_every_kind_of_exit(reason: int) -> None:
    strategy = Strategy.model_validate(
        {
            "conditions": [{"kind": "price_drop", "percent": 1, "window": "3m"}],
            "exit_conditions": [{"kind": "price_rise", "percent": 9, "window": "5m"}],
            "risk_management": {
                "stop_loss_percent": 5,
                "take_profit_percent": 12,
                "trailing_stop_percent": 8,
                "max_holding": "30m",
                "break_even_after_percent": 3,
            },
        }
    )
    run = engine(strategy, random_candles(3, 3000))
    assert reason in trades_of(run).places[:, WHY]


def test_columns_are_contiguous_and_writable_so_that_one_compilation_serves_all() -> None:
    market = market_of(random_candles(1, 50)[10:20])
    for column in (*market[:5], *market.minutes, *market.groups):
        assert column.flags.c_contiguous
        assert column.flags.writeable
