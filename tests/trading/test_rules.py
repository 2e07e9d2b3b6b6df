"""Candles in, trades out: one row a rule. Prices are round, and costs are zero unless the row is about costs."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.conditions import wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import (
    CASH,
    FREE,
    START,
    candles_of,
    closes,
    drop,
    level,
    rise,
    spike,
    strategy_of,
    true_places,
)

BUY = [drop(10), level(90, "below", "is")]  # true at a close of 90 or less that is 10 % under the close before
CALM = (100, 100, 100, 100)
FALL = (100, 100, 90, 90)  # its close decides to buy at the next open


class Row(NamedTuple):
    rule: str
    settings: dict[str, Any]
    candles: list[tuple[float, ...]]
    trades: list[tuple[int, float, int, float, str]]  # entry candle and price, exit candle and price, reason
    open_entry: int | None = None


ROWS = [
    Row("an entry fills at the next open", {}, [CALM, FALL, (95, 99, 94, 96)], [], 2),
    Row("a decision at the last candle stays unfilled", {}, [CALM, FALL], []),
    Row(
        "the stop fills at its level when the candle trades through it",
        {"stop_loss_percent": 10},
        [CALM, FALL, (90, 95, 88, 92), (92, 92, 80, 85)],
        [(2, 90, 3, 81, "stop_loss")],
    ),
    Row(
        "the stop fills exactly when the low touches it",
        {"stop_loss_percent": 10},
        [CALM, FALL, (90, 95, 88, 92), (92, 92, 81, 85)],
        [(2, 90, 3, 81, "stop_loss")],
    ),
    Row(
        "the stop fills at the open when the candle gaps through it",
        {"stop_loss_percent": 10},
        [CALM, FALL, (90, 95, 88, 92), (70, 75, 60, 72)],
        [(2, 90, 3, 70, "stop_loss")],
    ),
    Row(
        "the stop works on the entry candle",
        {"stop_loss_percent": 10},
        [CALM, FALL, (90, 91, 80, 82)],
        [(2, 90, 2, 81, "stop_loss")],
    ),
    Row(
        "the target works on the entry candle",
        {"take_profit_percent": 10},
        [CALM, FALL, (90, 120, 89, 110)],
        [(2, 90, 2, 99, "take_profit")],
    ),
    Row(
        "the stop comes before the target when both are inside one candle",
        {"stop_loss_percent": 10, "take_profit_percent": 10},
        [CALM, FALL, (90, 91, 89, 90.5), (90, 120, 70, 100)],
        [(2, 90, 3, 81, "stop_loss")],
    ),
    Row(
        "the stop comes first even when the candle opens above the target",
        {"stop_loss_percent": 10, "take_profit_percent": 10},
        [CALM, FALL, (90, 91, 89, 90.5), (110, 120, 70, 100)],
        [(2, 90, 3, 81, "stop_loss")],
    ),
    Row(
        "the target fills exactly when the high touches it",
        {"take_profit_percent": 12.5},
        [CALM, FALL, (90, 91, 89, 90.5), (91, 101.25, 91, 95)],
        [(2, 90, 3, 101.25, "take_profit")],
    ),
    Row(
        "the target fills at the open when the candle gaps over it",
        {"take_profit_percent": 10},
        [CALM, FALL, (90, 91, 89, 90.5), (105, 110, 104, 106)],
        [(2, 90, 3, 105, "take_profit")],
    ),
    Row(
        "neither level reached: the position stays open",
        {"stop_loss_percent": 10, "take_profit_percent": 10},
        [CALM, FALL, (90, 98.9, 81.1, 90.5)],
        [],
        2,
    ),
    Row(
        "a trailing stop follows the highest high of the candles before",
        {"trailing_stop_percent": 10},
        [CALM, FALL, (90, 95, 89, 94), (94, 120, 94, 118), (118, 119, 107, 110)],
        [(2, 90, 4, 108, "trailing_stop")],
    ),
    Row(
        "a new high does not raise the trailing stop inside its own candle",
        {"trailing_stop_percent": 10},
        [CALM, FALL, (90, 95, 89, 94), (94, 200, 90, 150)],
        [],
        2,
    ),
    Row(
        "the trailing stop starts from the entry price",
        {"trailing_stop_percent": 10},
        [CALM, FALL, (90, 90, 80, 85)],
        [(2, 90, 2, 81, "trailing_stop")],
    ),
    Row(
        "the higher stop decides: the fixed one while the price has not risen",
        {"stop_loss_percent": 5, "trailing_stop_percent": 10},
        [CALM, FALL, (90, 91, 80, 85)],
        [(2, 90, 2, 85.5, "stop_loss")],
    ),
    Row(
        "the higher stop decides: the trailing one after a rise",
        {"stop_loss_percent": 5, "trailing_stop_percent": 10},
        [CALM, FALL, (90, 100, 89, 99), (99, 99, 85, 86)],
        [(2, 90, 3, 90, "trailing_stop")],
    ),
    Row(
        "two stops at one level are the stop loss",
        {"stop_loss_percent": 10, "trailing_stop_percent": 10},
        [CALM, FALL, (90, 90, 80, 85)],
        [(2, 90, 2, 81, "stop_loss")],
    ),
    Row(
        "an exit condition sells at the next open",
        {"exit_conditions": [level(95)]},
        [CALM, FALL, (90, 97, 90, 96), (97, 98, 96, 97)],
        [(2, 90, 3, 97, "exit_conditions")],
    ),
    Row(
        "an exit condition on the entry candle counts",
        {"exit_conditions": [level(85, "above", "is")]},
        [CALM, FALL, (90, 90, 85, 86), (87, 87, 87, 87)],
        [(2, 90, 3, 87, "exit_conditions")],
    ),
    Row(
        "any exit condition is enough by default",
        {"exit_conditions": [level(95), level(1000)]},
        [CALM, FALL, (90, 97, 90, 96), (97, 98, 96, 97)],
        [(2, 90, 3, 97, "exit_conditions")],
    ),
    Row(
        "all exit conditions must hold when the match says so",
        {"exit_conditions": [level(95), level(1000)], "exit_match": "all"},
        [CALM, FALL, (90, 97, 90, 96), (97, 98, 96, 97)],
        [],
        2,
    ),
    Row(
        "an exit decided at the last candle stays unfilled",
        {"exit_conditions": [level(95)]},
        [CALM, FALL, (90, 97, 90, 96)],
        [],
        2,
    ),
    Row(
        "a pending exit fills at the open before the stop is looked at",
        {"exit_conditions": [level(95)], "stop_loss_percent": 10},
        [CALM, FALL, (90, 97, 90, 96), (70, 98, 60, 97)],
        [(2, 90, 3, 70, "exit_conditions")],
    ),
    Row(
        "max holding counts from the entry candle to the end of this one",
        {"max_holding": "2m"},
        [CALM, FALL, (90, 91, 90, 91), (91, 92, 91, 92), (93, 94, 93, 94), CALM],
        [(2, 90, 4, 93, "max_holding")],
    ),
    Row(
        "max holding of one candle sells at the open after the entry candle",
        {"max_holding": "1m"},
        [CALM, FALL, (90, 91, 90, 91), (92, 92, 91, 92)],
        [(2, 90, 3, 92, "max_holding")],
    ),
    Row(
        "exit conditions are named before max holding when both want out",
        {"max_holding": "1m", "exit_conditions": [level(85, "above", "is")]},
        [CALM, FALL, (90, 91, 90, 91), (92, 92, 91, 92)],
        [(2, 90, 3, 92, "exit_conditions")],
    ),
    Row(
        "without a cooldown the exit candle itself may decide to buy again",
        {"stop_loss_percent": 10},
        [CALM, FALL, (90, 90, 60, 60), (60, 61, 60, 61)],
        [(2, 90, 2, 81, "stop_loss")],
        3,
    ),
    Row(
        "a cooldown forbids decisions until that long after the exit candle",
        {"stop_loss_percent": 10, "cooldown": "2m"},
        [CALM, FALL, (90, 90, 60, 60), (60, 60, 50, 50), (50, 50, 40, 40), (40, 42, 40, 41)],
        [(2, 90, 2, 81, "stop_loss")],
        5,
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.rule)
def test_a_trade_follows_the_rules_of_the_engine(row: Row) -> None:
    strategy = strategy_of(*BUY, **row.settings)
    result = run_backtest(strategy, candles_of(row.candles), FREE, CASH)
    trades = [
        (minute(t.entry_time), t.entry_price, minute(t.exit_time), t.exit_price, t.exit_reason)
        for t in result.trades.page(0, 100)
    ]
    assert trades == [near(*expected) for expected in row.trades]
    position = result.open_position
    assert (None if position is None else minute(position.entry_time)) == row.open_entry


def minute(time: int) -> int:
    return (time - START) // 60


def near(entry: int, entry_price: float, exit_: int, exit_price: float, reason: str) -> Any:
    return (entry, pytest.approx(entry_price, rel=1e-12), exit_, pytest.approx(exit_price, rel=1e-12), reason)


def fires(candles: Candles, *conditions: dict[str, Any], match: str = "all") -> list[int]:
    """Return the candles at which the conditions are true together."""
    strategy = strategy_of(*conditions, match=match)
    true: list[int] = np.flatnonzero(wanted_of(strategy, candles).entry).tolist()
    if len(conditions) == 1:
        assert true_places(strategy.conditions[0], candles) == true
    return true


@pytest.mark.parametrize(
    ("condition", "prices", "expected"),
    [
        (drop(10), (100, 90, 81.1, 72), [1, 2 + 1]),
        (drop(10, "2m"), (100, 95, 90, 95), [2]),
        (drop(50), (0.00000002, 0.00000001), [1]),
        (rise(10), (100, 110, 120, 132), [1, 3]),
        (rise(100, "2m"), (1, 1, 2, 2), [2, 3]),
        (rise(900), (1, 9.9, 100), [2]),
        (level(100), (99, 100, 101, 99, 101), [1, 4]),
        (level(100, "below"), (101, 100, 99, 101, 99), [1, 4]),
        (level(100, "above", "is"), (99, 100, 101), [1, 2]),
        (level(100, "below", "is"), (101, 100, 99), [1, 2]),
        (level(100), (100, 100), []),
        (level(100, "above", "is"), (100,), [0]),
    ],
)
def test_a_price_condition_is_true_exactly_where_the_table_says(
    condition: dict[str, Any], prices: tuple[float, ...], expected: list[int]
) -> None:
    assert fires(closes(*prices), condition) == expected


def test_the_reference_may_be_the_extreme_of_the_window_without_the_candle_itself() -> None:
    candles = candles_of([(100, 120, 80, 100), CALM, (100, 500, 96, 96), (96, 96, 10, 96), (96, 96, 96, 96)])
    assert fires(candles, drop(20, "2m", "high")) == [2, 3, 4]
    assert fires(candles, drop(20, "1m", "high")) == [3]
    assert fires(candles, rise(20, "2m", "low")) == [2, 4]
    assert fires(candles, rise(20, "3m", "low")) == [3, 4]


@pytest.mark.parametrize(
    ("volumes", "expected"),
    [
        ((10, 10, 20, 10), [2]),
        ((10, 10, 19.9, 10), []),
        ((0, 0, 20, 10), []),
        ((0, 10, 10, 10), [2]),
        ((np.nan, 10, 90, 90), []),
        ((10, 10, np.nan, 90), []),
        ((0, 0, 0, 0), []),
    ],
    ids=["twice the mean", "just less", "a mean of zero", "a mean of half", "unknown before", "unknown now", "none"],
)
def test_a_volume_spike_is_true_exactly_where_the_table_says(volumes: tuple[float, ...], expected: list[int]) -> None:
    candles = closes(1, 1, 1, 1, volumes=volumes)
    assert fires(candles, spike(2, "2m")) == expected


def test_a_condition_is_unknown_before_its_window_is_full() -> None:
    candles = closes(100, 50, 25, 12, volumes=[1, 5, 25, 125])
    assert fires(candles, drop(10, "3m")) == [3]
    assert fires(candles, drop(10, "3m", "high")) == [3]
    assert fires(candles, spike(2, "3m")) == [3]
    assert fires(candles, drop(10, "4m")) == []


def test_a_window_is_rounded_up_to_whole_candles_and_is_at_least_one() -> None:
    candles = closes(100, 80, 64, 51, 40, interval=3600)
    assert fires(candles, drop(10, "1m")) == [1, 2, 3, 4]
    assert fires(candles, drop(30, "61m")) == [2, 3, 4]
    assert fires(candles, drop(30, "2h")) == [2, 3, 4]


def test_all_and_any_join_conditions() -> None:
    candles = closes(100, 90, 100, 90, volumes=[1, 1, 5, 25])
    assert fires(candles, drop(10), spike(5)) == [3]
    assert fires(candles, drop(10), spike(5), match="any") == [1, 2, 3]


def test_a_volume_too_close_to_call_is_summed_the_plain_way() -> None:
    third = np.full(200, 0.1)
    third[100:] = 0.3
    candles = closes(*([1.0] * 200), volumes=third.tolist())
    for multiplier in (1.5, 2.0, 2.9999999999999996, 3.0, 3.0000000000000004):
        fires(candles, spike(multiplier, "33m"))
        fires(candles, spike(multiplier, "5m"))


def test_costs_are_taken_as_the_rules_say() -> None:
    strategy = strategy_of(*BUY, take_profit_percent=10, position_percent=50)
    candles = candles_of([CALM, FALL, (100, 101, 99, 100), (100, 200, 100, 150)])
    result = run_backtest(strategy, candles, Costs(fee_percent=1, slippage_percent=2), CASH)
    [trade] = result.trades.page(0, 10)
    entry = 100 * 1.02
    quantity = 500 / (entry * 1.01)
    exit_price = entry * 1.1 * 0.98
    proceeds = quantity * exit_price * 0.99
    assert trade.entry_price == pytest.approx(entry)
    assert trade.quantity == pytest.approx(quantity)
    assert trade.exit_price == pytest.approx(exit_price)
    assert trade.pnl == pytest.approx(proceeds - 500)
    assert trade.pnl_percent == pytest.approx((proceeds / 500 - 1) * 100)
    assert trade.fees == pytest.approx(quantity * entry * 0.01 + quantity * exit_price * 0.01)
    assert result.metrics["fees_paid"] == pytest.approx(trade.fees)
    assert result.metrics["slippage_paid"] == pytest.approx(quantity * 2 + quantity * entry * 1.1 * 0.02)
    assert result.metrics["final_equity"] == pytest.approx(CASH + proceeds - 500)


def test_the_whole_cash_leaves_no_remainder() -> None:
    for cash in (0.1, 1 / 3, 999.99, 123456.789):
        result = run_backtest(strategy_of(*BUY), candles_of([CALM, FALL, CALM]), Costs(), cash)
        assert result.open_position is not None
        assert result.metrics["final_equity"] == result.open_position.value


def test_warm_up_candles_are_seen_and_trade_nothing() -> None:
    candles = candles_of([CALM, FALL, (90, 90, 80, 80), (80, 81, 79, 80)])
    strategy = strategy_of(*BUY)
    assert run_backtest(strategy, candles, FREE, CASH).signals.page(0, 9)[0].time == candles.time[1]
    late = run_backtest(strategy, candles, FREE, CASH, start_index=2)
    assert [signal.time for signal in late.signals.page(0, 9)] == [candles.time[2]]
    assert late.open_position is not None
    assert late.open_position.entry_time == candles.time[3]
    assert late.candles_processed == 2


def test_an_entry_whose_quantity_is_not_finite_is_refused() -> None:
    tiny = candles_of([(1e-305,) * 4, (1e-306,) * 4, (5e-324,) * 4])
    strategy = strategy_of(drop(10))
    result = run_backtest(strategy, tiny, FREE, 1e10)
    assert result.open_position is None
    assert len(result.trades) == 0
    assert len(result.signals) == 2
    assert result.metrics["final_equity"] == 1e10


def test_an_equity_that_is_not_finite_becomes_null_with_a_note() -> None:
    candles = candles_of([(1e-200,) * 4, (1e-201,) * 4, (1e-201, 1e200, 1e-201, 1e200)])
    result = run_backtest(strategy_of(drop(10)), candles, FREE, 1e10)
    assert result.metrics["final_equity"] is None
    assert result.metric_notes["final_equity"] == "The number is too large."
    assert result.open_position is not None
    assert result.open_position.value is None
    assert result.equity_curve()[-1].equity is None


def test_a_strategy_without_any_way_to_sell_holds() -> None:
    result = run_backtest(Strategy(conditions=strategy_of(*BUY).conditions), candles_of([CALM, FALL, CALM]), FREE, CASH)
    assert len(result.trades) == 0
    assert result.metrics["total_trades"] == 0
    assert result.open_position is not None


def test_the_worked_example_of_the_documentation_is_computed_so() -> None:
    candles = candles_of([CALM, FALL, (90, 95, 88, 92), (92, 92, 80, 85)])
    result = run_backtest(strategy_of(drop(10), stop_loss_percent=10), candles, Costs(), CASH)
    [trade] = result.trades.page(0, 1)
    assert trade.quantity == pytest.approx(11.094464, abs=1e-6)
    assert trade.exit_price == pytest.approx(80.99998, abs=1e-6)
    assert trade.pnl == pytest.approx(-102.25, abs=0.005)
    assert trade.pnl_percent == pytest.approx(-10.225, abs=0.0005)
    assert [point.equity for point in result.equity_curve()] == pytest.approx([1000, 1000, 1020.69, 897.75], abs=0.005)


def test_a_trade_that_differs_from_zero_by_rounding_is_neither_won_nor_lost() -> None:
    """Bought and sold at the same price without costs: the quantity is rounded, and with it what comes back."""
    price, cash = 0.6666, 870.6553534880047
    assert cash / price * price < cash
    prices = [(price,) * 4] * 5
    strategy = strategy_of(
        level(1e-9, trigger="is"), max_holding="1m", guards={"losing_streak": {"losses": 1, "pause": "1d"}}
    )
    result = run_backtest(strategy, candles_of(prices), FREE, cash)
    assert len(result.trades) == 2
    assert result.trades.pnl.tolist() == [0.0, 0.0]
    assert (result.metrics["win_rate"], result.metrics["average_loss_percent"]) == (0.0, None)
