"""Each metric for inputs that can be checked by hand, and each null with its reason."""

import dataclasses
import itertools
import math
from typing import Any

import numpy as np
import pytest

from strategybot.trading.engine.metrics import METRICS, MetricInputs, measure
from strategybot.trading.engine.risk import STOP_LOSS, TAKE_PROFIT

DAY = 86_400
DAILY = np.array([1000 * 1.01**k * (1 if k % 2 else 0.97) for k in range(31)])
DAILY[0] = 1000

FACTS = MetricInputs(
    initial_cash=1000.0,
    final_equity=1200.0,
    daily=DAILY,
    drawdown=0.25,
    longest_drawdown_seconds=7200,
    span_seconds=100 * DAY,
    candles=200,
    candles_held=50,
    pnl=np.array([100.0, -50.0, 150.0, 0.0]),
    pnl_percent=np.array([10.0, -5.0, 15.0, 0.0]),
    holding_seconds=np.array([60, 120, 180, 0]),
    reasons=np.array([TAKE_PROFIT, STOP_LOSS, TAKE_PROFIT, STOP_LOSS]),
    fees_paid=4.0,
    slippage_paid=2.0,
    tax_paid=3.0,
    impact_paid=1.5,
    return_without_pool_costs=25.0,
    hold_cost=10.0,
    last_close=11.0,
)
MANY_DAYS = 1000 * np.exp(np.random.default_rng(1).normal(0, 0.02, 91).cumsum())
SAME_RETURNS = "Sharpe needs daily returns that differ; these are all the same."
NONE = {"pnl": np.array([]), "pnl_percent": np.array([]), "holding_seconds": np.array([]), "reasons": np.array([])}


def metric(name: str, **changes: Any) -> tuple[Any, str | None]:
    metrics, notes = measure(dataclasses.replace(FACTS, **changes))
    return metrics[name], notes.get(name)


def plain_sharpe(daily: list[float]) -> float:
    returns = [after / before - 1 for before, after in itertools.pairwise(daily)]
    mean = math.fsum(returns) / len(returns)
    deviation = math.sqrt(math.fsum((r - mean) ** 2 for r in returns) / (len(returns) - 1))
    return mean / deviation * math.sqrt(365)


def plain_sortino(daily: list[float]) -> float:
    returns = [after / before - 1 for before, after in itertools.pairwise(daily)]
    downside = math.sqrt(math.fsum(min(r, 0) ** 2 for r in returns) / len(returns))
    return math.fsum(returns) / len(returns) / downside * math.sqrt(365)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("total_return", 20),
        ("win_rate", 50),
        ("max_drawdown", 25),
        ("sharpe_ratio", plain_sharpe(DAILY.tolist())),
        ("total_trades", 4),
        ("sortino_ratio", plain_sortino(DAILY.tolist())),
        ("cagr", (1.2 ** (365 / 100) - 1) * 100),
        ("calmar_ratio", (1.2 ** (365 / 100) - 1) * 100 / 25),
        ("profit_factor", 5),
        ("expectancy_percent", 5),
        ("average_win_percent", 12.5),
        ("average_loss_percent", -5),
        ("best_trade_percent", 15),
        ("worst_trade_percent", -5),
        ("exposure_percent", 25),
        ("average_holding_seconds", 90),
        ("longest_drawdown_seconds", 7200),
        ("fees_paid", 4),
        ("slippage_paid", 2),
        ("tax_paid", 3),
        ("impact_paid", 1.5),
        ("return_without_pool_costs", 25),
        ("final_equity", 1200),
        ("buy_and_hold_return", 10),
    ],
)
def test_a_metric_has_the_value_of_its_definition(name: str, expected: float) -> None:
    value, note = metric(name)
    assert value == pytest.approx(expected, rel=1e-12)
    assert note is None


def test_exit_reasons_are_counted_by_name() -> None:
    assert metric("exit_reasons")[0] == {
        "stop_loss": 2,
        "take_profit": 2,
        "trailing_stop": 0,
        "exit_conditions": 0,
        "max_holding": 0,
    }


def test_a_limit_is_compared_with_the_number_that_is_shown() -> None:
    assert metric("cagr", span_seconds=90 * DAY - 3600)[0] is not None


def test_the_table_covers_every_metric() -> None:
    assert len(METRICS) == 27
    assert set(measure(FACTS)[0]) == set(METRICS)


def days(count: int) -> np.ndarray[Any, Any]:
    """Return inputs with these daily returns."""
    return DAILY[: count + 1]


@pytest.mark.parametrize(
    ("name", "changes", "note"),
    [
        ("win_rate", NONE, "No trade was closed."),
        ("profit_factor", NONE, "No trade was closed."),
        ("expectancy_percent", NONE, "No trade was closed."),
        ("best_trade_percent", NONE, "No trade was closed."),
        ("worst_trade_percent", NONE, "No trade was closed."),
        ("average_holding_seconds", NONE, "No trade was closed."),
        ("average_win_percent", NONE, "No trade was won."),
        ("average_loss_percent", NONE, "No trade was lost."),
        ("profit_factor", {"pnl": np.array([1.0, 0, 2, 3])}, "Profit factor needs a losing trade; there was none."),
        ("sharpe_ratio", {"daily": days(19)}, "Sharpe needs 20 daily returns, has 19."),
        ("sortino_ratio", {"daily": days(6)}, "Sortino needs 20 daily returns, has 6."),
        (
            "sharpe_ratio",
            {"daily": np.full(30, 5.0)},
            SAME_RETURNS,
        ),
        ("sortino_ratio", {"daily": np.arange(1.0, 31)}, "Sortino needs a losing day; there was none."),
        ("sharpe_error", {"daily": days(19)}, "Sharpe needs 20 daily returns, has 19."),
        ("sharpe_error", {"daily": MANY_DAYS}, "It is said of fewer than 90 days."),
        ("sortino_error", {"daily": MANY_DAYS}, "It is said of fewer than 90 days."),
        ("cagr", {"span_seconds": 89.9 * DAY}, "CAGR needs 90 days, has 89.9."),
        ("calmar_ratio", {"span_seconds": 45 * DAY}, "Calmar needs 90 days, has 45."),
        ("calmar_ratio", {"drawdown": 0.0}, "Calmar needs a drawdown; there was none."),
        ("exposure_percent", {"candles": 0}, "There are no candles."),
        ("buy_and_hold_return", {"candles": 0}, "There are no candles."),
        ("total_return", {"final_equity": math.inf}, "The number is too large."),
        ("final_equity", {"final_equity": math.nan}, "The number is too large."),
        ("cagr", {"final_equity": 1e300}, "The number is too large."),
        ("calmar_ratio", {"final_equity": 1e300}, "The number is too large."),
    ],
)
def test_a_null_says_why(name: str, changes: dict[str, Any], note: str) -> None:
    assert metric(name, **changes) == (None, note)


@pytest.mark.parametrize("name", ["sharpe", "sortino"])
def test_the_error_of_a_ratio_is_the_spread_of_the_ratios_of_many_such_stretches(name: str) -> None:
    chance, errors, ratios = np.random.default_rng(2), [], []
    for _ in range(2000):
        daily = np.concatenate(([1000], 1000 * np.cumprod(1 + chance.normal(0.004, 0.03, 60))))
        errors.append(metric(f"{name}_error", daily=daily)[0])
        ratios.append(metric(f"{name}_ratio", daily=daily)[0])
    assert np.mean(errors) == pytest.approx(np.std(ratios), rel=0.1)


def test_twenty_days_leave_a_ratio_open_by_more_than_four() -> None:
    assert metric("sharpe_error", daily=MANY_DAYS[:21])[0] == pytest.approx(math.sqrt(365 / 20), rel=0.1)
    assert metric("sharpe_error", daily=MANY_DAYS[:90])[0] == pytest.approx(math.sqrt(365 / 89), rel=0.1)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("sharpe_ratio", {"daily": days(20)}),
        ("sortino_ratio", {"daily": days(20)}),
        ("cagr", {"span_seconds": 90 * DAY}),
        ("calmar_ratio", {"span_seconds": 90 * DAY}),
    ],
)
def test_a_metric_is_known_from_the_least_data_that_is_enough(name: str, changes: dict[str, Any]) -> None:
    value, note = metric(name, **changes)
    assert isinstance(value, float)
    assert note is None


def test_a_total_loss_has_a_value() -> None:
    assert metric("total_return", final_equity=0.0)[0] == -100
    assert metric("cagr", final_equity=0.0)[0] == -100


def test_a_trade_without_gain_or_loss_is_not_won() -> None:
    assert metric("win_rate", pnl=np.array([1.0, 2.0, 3.0, 0.0]))[0] == 75


def test_a_gain_or_a_loss_of_less_than_one_counts() -> None:
    small = {"pnl": np.array([0.5, -0.25]), "pnl_percent": np.array([5.0, -2.5])}
    assert metric("win_rate", **small)[0] == 50
    assert metric("profit_factor", **small)[0] == 2
    assert metric("average_win_percent", **small)[0] == 5
    assert metric("average_loss_percent", **small)[0] == -2.5
