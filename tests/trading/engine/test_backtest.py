"""Results of a run: pages, the equity curve, drawdown, daily samples, and following a run from another thread."""

import threading
import time
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles, Floats
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.equity import (
    MOST_POINTS,
    Fall,
    Holdings,
    Piece,
    daily_equity,
    equity_at,
    fall_and_curve,
    holdings_of,
    nothing_new,
)
from strategybot.trading.engine.loop import new_control
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import (
    CASH,
    FREE,
    START,
    candles_of,
    cases,
    closes,
    drop,
    engine,
    level,
    random_candles,
    rise,
    strategy_of,
)

DAY = 86_400
BUSY = strategy_of(drop(1, "3m"), stop_loss_percent=2, take_profit_percent=2, position_percent=80)
ALWAYS = strategy_of(level(1e-12, "above", "is"))
Case = tuple[Strategy, Candles, Costs]


def held(strategy: Strategy, candles: Candles, costs: Costs = FREE, start: int = 0) -> tuple[Holdings, Floats]:
    run = engine(strategy, candles, costs, start=start)
    holdings = holdings_of(run.ledger, start, run.end, CASH)
    return holdings, equity_at(holdings, candles.close, np.arange(start, run.end))


def naive_fall(marks: list[float], times: list[int], interval: int) -> tuple[float, int]:
    """Return the drawdown and its longest stretch, computed directly from the definitions."""
    peak, peak_time, deepest, longest, under = CASH, times[0] if times else 0, 0.0, 0, False
    for mark, moment in zip(marks, times, strict=True):
        if mark >= peak:
            longest = max(longest, moment + interval - peak_time) if under else longest
            peak, peak_time, under = mark, moment + interval, False
        else:
            under = True
            deepest = max(deepest, 1 - mark / peak)
    return deepest, max(longest, times[-1] + interval - peak_time) if under else longest


@given(cases(longest=1200))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_drawdown_from_the_pieces_equals_drawdown_from_every_mark(case: Case) -> None:
    strategy, candles, costs = case
    holdings, marks = held(strategy, candles, costs)
    fall, _ = fall_and_curve(holdings, candles, CASH)
    expected = naive_fall(marks.tolist(), candles.time.tolist(), candles.interval_seconds)
    assert (fall.deepest, fall.longest) == expected


@pytest.mark.parametrize(
    ("cash", "closes_", "skipped"),
    [(80.0, [10.0, 19.9], True), (80.0, [10.0, 20.0], False), (30.0, [20.1, 69.0], True), (30.0, [69.0, 19.9], False)],
    ids=["under the peak", "at the peak", "less deep than before", "deeper than before"],
)
def test_marks_without_a_new_peak_or_fall_are_skipped(cash: float, closes_: list[float], skipped: bool) -> None:
    fall = Fall(peak=100.0, peak_time=0, deepest=0.5, longest=0, under=True)
    assert nothing_new(fall, Piece(9, cash, 1.0, 0), np.array(closes_)) == skipped


def test_drawdown_is_measured_from_the_initial_cash_on() -> None:
    strategy = strategy_of(level(100, "above", "is"))
    result = run_backtest(strategy, candles_of([(100,) * 4, (100, 100, 50, 50), (50, 50, 50, 50)]), FREE, CASH)
    assert result.metrics["max_drawdown"] == 50
    assert result.metrics["longest_drawdown_seconds"] == 120


@pytest.mark.parametrize("price", [100, CASH], ids=["many pieces", "just one"])
def test_a_lesser_fall_later_does_not_hide_the_deepest(price: float) -> None:
    result = run_backtest(ALWAYS, closes(*(price * share for share in (1, 1, 0.5, 0.8, 1.2, 0.9))), FREE, CASH)
    assert result.metrics["max_drawdown"] == pytest.approx(50)


def test_the_longest_drawdown_ends_when_the_peak_is_reached_again() -> None:
    prices = (100, 100, 90, 80, 100, 100, 95, 100)
    result = run_backtest(ALWAYS, closes(*prices), FREE, CASH)
    assert result.metrics["longest_drawdown_seconds"] == 180


def test_a_run_that_never_trades_has_no_drawdown() -> None:
    result = run_backtest(strategy_of(level(1e9)), closes(3, 2, 1), FREE, CASH)
    assert result.metrics["max_drawdown"] == 0
    assert result.metrics["longest_drawdown_seconds"] == 0
    assert result.metrics["exposure_percent"] == 0
    assert [point.equity for point in result.equity_curve()] == [CASH] * 3


def test_a_run_over_no_candles_has_an_empty_result() -> None:
    result = run_backtest(BUSY, closes(1.0)[:0], FREE, CASH)
    assert result.metrics["final_equity"] == CASH
    assert result.metrics["total_return"] == 0
    assert result.equity_curve() == []
    assert result.metric_notes["buy_and_hold_return"] == "There are no candles."
    assert result.metric_notes["cagr"] == "CAGR needs 90 days, has 0."


def test_a_run_that_starts_at_the_end_processes_nothing() -> None:
    result = run_backtest(BUSY, closes(1, 2), FREE, CASH, start_index=2)
    assert result.candles_processed == 0
    assert not result.stopped


def test_daily_samples_are_the_last_marks_and_idle_days_repeat() -> None:
    candles = candles_of([(p,) * 4 for p in (100, 100, 110, 120, 90)], interval=DAY // 2, start=DAY * 10)
    later = candles_of([(150,) * 4], interval=DAY // 2, start=DAY * 14)
    joined = Candles(
        DAY // 2, np.append(candles.time, later.time), *(np.append(a, b) for a, b in paired(candles, later))
    )
    holdings, _ = held(strategy_of(level(100, "above", "is")), joined)
    daily = daily_equity(holdings, joined, CASH)
    assert daily.tolist() == pytest.approx([CASH, 1000, 1200, 900, 900, 1500])


def test_daily_samples_of_a_warmed_up_run_begin_with_its_first_day() -> None:
    candles = candles_of([(p,) * 4 for p in (100, 100, 110, 120, 90, 60)], interval=DAY // 2, start=DAY * 10)
    holdings, _ = held(ALWAYS, candles, start=2)
    daily = daily_equity(holdings, candles, CASH)
    assert daily.tolist() == pytest.approx([CASH, 1000, 500])


def paired(one: Candles, other: Candles) -> list[tuple[Floats, Floats]]:
    return [(getattr(one, name), getattr(other, name)) for name in ("open", "high", "low", "close", "volume")]


def test_daily_samples_before_any_candle_are_the_initial_cash() -> None:
    empty = closes(1.0)[:0]
    holdings, _ = held(BUSY, empty)
    assert daily_equity(holdings, empty, CASH).tolist() == [CASH]


@given(cases(longest=3500))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_the_curve_has_at_most_a_thousand_points_and_keeps_the_extremes(case: Case) -> None:
    strategy, candles, costs = case
    holdings, marks = held(strategy, candles, costs)
    _, points = fall_and_curve(holdings, candles, CASH)
    assert len(points) <= MOST_POINTS
    assert np.all(np.diff(points) > 0)
    if len(candles):
        assert (points[0], points[-1]) == (0, len(candles) - 1)
        drawn = marks[points]
        assert (drawn.min(), drawn.max()) == (marks.min(), marks.max())


def test_each_stretch_of_the_curve_keeps_its_own_extremes() -> None:
    candles = random_candles(5, 20_000, scale=60_000.0)  # less than one piece is held
    holdings, marks = held(BUSY, candles)
    points = set(fall_and_curve(holdings, candles, CASH)[1].tolist())
    stretches = MOST_POINTS // 2 - 1
    for stretch in range(stretches):
        first, last = 20_000 * stretch // stretches, 20_000 * (stretch + 1) // stretches
        part = marks[first:last]
        kept = [marks[i] for i in range(first, last) if i in points]
        assert (min(kept), max(kept)) == (part.min(), part.max())


def test_up_to_a_thousand_candles_are_all_drawn() -> None:
    candles = random_candles(6, 1000)
    assert len(run_backtest(BUSY, candles, FREE, CASH).equity_curve()) == 1000
    assert len(run_backtest(BUSY, random_candles(6, 1001), FREE, CASH).equity_curve()) <= 1000
    warmed_up = run_backtest(BUSY, random_candles(6, 1500), FREE, CASH, start_index=500)
    assert len(warmed_up.equity_curve()) == 1000


def test_pages_of_trades_are_rows_of_the_contract() -> None:
    result = run_backtest(BUSY, random_candles(7, 2000), Costs(), CASH)
    assert len(result.trades) > 10
    everything = result.trades.page(0, 10_000)
    assert [row.number for row in everything] == list(range(1, len(result.trades) + 1))
    assert result.trades.page(5, 3) == everything[5:8]
    assert result.trades.page(len(everything), 5) == []
    assert list(everything[0]._fields) == [
        *("number", "entry_time", "entry_price", "exit_time", "exit_price"),
        *("quantity", "pnl", "pnl_percent", "fees", "slippage", "tax", "impact", "entry_reason", "exit_reason"),
        *("entry_reasons", "fills"),
    ]
    assert sum(row.pnl or 0 for row in everything) == pytest.approx(float(result.trades.pnl.sum()))
    assert all(row.entry_reason.startswith("price fell ") for row in everything)
    assert result.metrics["average_holding_seconds"] == pytest.approx(
        sum(row.exit_time - row.entry_time for row in everything) / len(everything)
    )


def test_signals_are_decisions_at_the_close() -> None:
    strategy = strategy_of(drop(10), exit_conditions=[rise(10)], max_holding="3m")
    candles = closes(100, 90, 90, 99, 99, 80, 80, 80, 80, 80, 80)
    result = run_backtest(strategy, candles, FREE, CASH)
    assert [row[:4] for row in result.signals.page(0, 10)] == [
        signal(1, "buy", 90, "price fell 10 % in 1m, threshold 10 %"),
        signal(3, "sell", 99, "price rose 10 % in 1m, threshold 10 %"),
        signal(5, "buy", 80, "price fell 19.2 % in 1m, threshold 10 %"),
        signal(8, "sell", 80, "held 3m, the longest allowed is 3m"),
    ]
    assert len(result.signals) == 4
    assert result.signals.page(3, 1) == result.signals.page(0, 10)[3:]


def test_a_signal_of_the_open_position_counts_from_its_own_entry() -> None:
    candles = closes(100, 90, 90, 90)
    result = run_backtest(strategy_of(drop(10), max_holding="2m"), candles, FREE, CASH)
    assert [row[:4] for row in result.signals.page(1, 1)] == [
        signal(3, "sell", 90, "held 2m, the longest allowed is 2m")
    ]
    assert result.open_position is not None


def signal(i: int, side: Literal["buy", "sell"], price: float, reason: str) -> tuple[object, ...]:
    return START + 60 * i, side, price, reason


def test_an_open_position_is_marked_to_market_and_counts_in_no_trade() -> None:
    result = run_backtest(
        strategy_of(drop(10)), closes(100, 90, 90, 99), Costs(fee_percent=1, slippage_percent=0), CASH
    )
    quantity = CASH / 90 / 1.01
    assert result.open_position is not None
    held = result.open_position._asdict()
    assert [each["code"] for each in held.pop("entry_reasons")] == ["condition_met"]
    [bought] = held.pop("fills")
    assert bought == {
        "time": START + 120,
        "action": "BUY",
        "reason": "entry",
        "price": 90,
        "quantity": held["quantity"],
        "value": pytest.approx(CASH / 1.01),
        "fee": pytest.approx(CASH / 101),
        "slippage": 0,
        "tax": 0,
        "impact": 0,
        "number": None,
    }
    assert held == {
        "entry_time": START + 120,
        "entry_price": 90,
        "quantity": pytest.approx(quantity),
        "current_price": 99,
        "value": pytest.approx(quantity * 99),
        "unrealized_pnl": pytest.approx(quantity * 99 - CASH),
        "unrealized_pnl_percent": pytest.approx((quantity * 99 / CASH - 1) * 100),
        "entry_reason": "price fell 10 % in 1m, threshold 10 %",
    }
    assert result.metrics["total_trades"] == 0
    assert result.metrics["win_rate"] is None
    assert result.metrics["total_return"] == pytest.approx((quantity * 99 / CASH - 1) * 100)
    assert result.metrics["fees_paid"] == pytest.approx(quantity * 90 * 0.01)
    assert result.metrics["exposure_percent"] == 50


def test_buy_and_hold_pays_slippage_and_fee_once() -> None:
    candles = candles_of([(100, 130, 90, 120), (120, 130, 90, 110)])
    result = run_backtest(BUSY, candles, Costs(fee_percent=1, slippage_percent=2), CASH)
    assert result.metrics["buy_and_hold_return"] == pytest.approx(100 * (110 / (100 * 1.02 * 1.01) - 1))
    later = run_backtest(BUSY, candles, FREE, CASH, start_index=1)
    assert later.metrics["buy_and_hold_return"] == pytest.approx(100 * (110 / 120 - 1))


def test_progress_is_written_and_a_stop_before_the_start_stops_at_once() -> None:
    candles = random_candles(8, 3000)
    control = new_control()
    run_backtest(BUSY, candles, FREE, CASH, start_index=100, control=control)
    assert control.tolist() == [2900, 0]
    control = np.array([0, 1])
    result = run_backtest(BUSY, candles, FREE, CASH, control=control)
    assert result.stopped
    assert result.candles_processed == 0
    assert result.metrics["final_equity"] == CASH


def test_another_thread_can_stop_a_run_and_the_part_done_is_the_result() -> None:
    count = 4_000_000
    ones = np.ones(count)
    long_run = Candles(60, np.arange(count) * 60, ones, ones * 2, ones / 2, ones, ones)
    endless = strategy_of(level(1, "above", "is"), stop_loss_percent=10)
    run_backtest(endless, long_run[:10], FREE, CASH)
    control = new_control()
    results: list[Any] = []
    thread = threading.Thread(
        target=lambda: results.append(run_backtest(endless, long_run, FREE, CASH, control=control))
    )
    thread.start()
    while control[0] == 0 and thread.is_alive():
        time.sleep(0.0001)
    control[1] = 1
    thread.join(timeout=30)
    [result] = results
    assert result.stopped
    assert 0 < result.candles_processed < count
    assert result.candles_processed == control[0]
    assert len(result.trades) > 0


def test_every_point_of_the_curve_is_a_candle_and_its_mark() -> None:
    candles = closes(100, 90, 90, 99)
    points = run_backtest(strategy_of(drop(10)), candles, FREE, CASH).equity_curve()
    assert [point._asdict() for point in points] == [
        {"time": START, "equity": CASH},
        {"time": START + 60, "equity": CASH},
        {"time": START + 120, "equity": pytest.approx(CASH)},
        {"time": START + 180, "equity": pytest.approx(CASH * 1.1)},
    ]


def test_exit_reasons_count_what_the_pages_show() -> None:
    plan = strategy_of(drop(1, "3m"), stop_loss_percent=5, take_profit_percent=5, max_holding="20m")
    result = run_backtest(plan, random_candles(9, 3000), FREE, CASH)
    shown = [row.exit_reason for row in result.trades.page(0, 10_000)]
    assert result.metrics["exit_reasons"] == {
        reason: shown.count(reason)
        for reason in ("stop_loss", "take_profit", "trailing_stop", "exit_conditions", "max_holding")
    }
    assert len(set(shown)) == 3


def test_the_span_of_a_run_is_from_its_first_open_to_its_last_close() -> None:
    days = candles_of([(100 + k % 7,) * 4 for k in range(92)], interval=DAY, start=DAY * 20_000)
    enough = run_backtest(ALWAYS, days, FREE, CASH, start_index=2)
    growth = enough.metrics["final_equity"] / CASH  # type: ignore[operator]
    assert enough.metrics["cagr"] == pytest.approx((growth ** (365 / 90) - 1) * 100)
    assert run_backtest(ALWAYS, days, FREE, CASH, start_index=3).metric_notes["cagr"] == "CAGR needs 90 days, has 89."


def test_an_open_position_smaller_than_one_piece_pays_its_costs() -> None:
    candles = closes(5000, 4500, 4500, 4500)
    result = run_backtest(strategy_of(drop(10)), candles, Costs(fee_percent=1, slippage_percent=2), CASH)
    quantity = CASH / (4500 * 1.02 * 1.01)
    assert quantity < 1
    assert result.metrics["slippage_paid"] == pytest.approx(quantity * 90)
    assert result.metrics["fees_paid"] == pytest.approx(quantity * 4590 * 0.01)


def test_each_max_holding_signal_counts_from_its_own_entry() -> None:
    result = run_backtest(strategy_of(rise(10), max_holding="3m"), closes(*(1.2**k for k in range(30))), FREE, CASH)
    sales = [row for row in result.signals.page(0, 100) if row.side == "sell"]
    assert len(sales) > 4
    assert {row.reason for row in sales} == {"held 3m, the longest allowed is 3m"}
