"""Preparation of candles: the length of the warm-up, the first traded candle, and no effect of more warm-up."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strategybot.trading.engine import candles as candles_module
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import DataReport, TooManyCandles, densify, empty_candles, tidy
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.preparation import prepare, warm_up_seconds
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import (
    MINUTE,
    START,
    closes,
    drop,
    level,
    random_candles,
    rise,
    spike,
    strategies,
    strategy_of,
)

HOUR = 3600


@pytest.mark.parametrize(
    ("conditions", "interval", "seconds"),
    [
        ([drop(5, "1h")], MINUTE, HOUR),
        ([drop(5, "1h")], HOUR, HOUR),
        ([drop(5, "20m")], 15 * MINUTE, 30 * MINUTE),
        ([drop(5, "15m")], HOUR, HOUR),
        ([drop(5, "15m"), spike(3, "2h")], 15 * MINUTE, 2 * HOUR),
        ([rise(5, "30d")], 24 * HOUR, 30 * 24 * HOUR),
        ([level(1)], HOUR, HOUR),
        ([level(1, trigger="is")], HOUR, 0),
        ([level(1, trigger="is"), level(2)], MINUTE, MINUTE),
    ],
)
def test_warm_up_is_the_longest_window_in_whole_candles(
    conditions: list[dict[str, Any]], interval: int, seconds: int
) -> None:
    assert warm_up_seconds(strategy_of(*conditions), interval) == seconds


def test_exit_conditions_are_warmed_up_too() -> None:
    assert warm_up_seconds(strategy_of(drop(5, "5m"), exit_conditions=[spike(2, "3h")]), MINUTE) == 3 * HOUR


@pytest.mark.parametrize(
    ("start", "index"),
    [
        (START - HOUR, 0),
        (START, 0),
        (START + 1, 1),
        (START + MINUTE, 1),
        (START + 3 * MINUTE, 3),
        (START + 4 * MINUTE, 4),
        (START + HOUR, 4),
    ],
)
def test_trading_begins_at_the_first_candle_not_before_the_start(start: int, index: int) -> None:
    prepared = prepare(closes(1, 2, 3, 4), DataReport(received=4), start)
    assert (prepared.start_index, prepared.candles_to_trade) == (index, 4 - index)


def test_idle_buckets_are_filled_before_the_start_is_searched() -> None:
    sparse = tidy([0, 60, 300], [1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 1, 1], interval_seconds=MINUTE)
    prepared = prepare(*sparse, start=180)
    assert prepared.candles.time.tolist() == [0, 60, 120, 180, 240, 300]
    assert prepared.candles.close.tolist() == [1, 2, 2, 2, 2, 3]
    assert (prepared.start_index, prepared.report.filled, prepared.report.received) == (3, 3, 3)


def test_no_candles_leave_nothing_to_trade() -> None:
    prepared = prepare(empty_candles(MINUTE), DataReport(), 0)
    assert (prepared.start_index, prepared.candles_to_trade) == (0, 0)


def test_more_gaps_than_any_run_may_have_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candles_module, "MOST_CANDLES", 100)
    sparse = tidy([0, 60 * 100], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], interval_seconds=MINUTE)
    with pytest.raises(TooManyCandles):
        prepare(*sparse, start=0)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(strategy=strategies(), seed=st.integers(0, 2**32), more=st.integers(1, 300))
def test_more_warm_up_than_the_windows_need_changes_nothing(strategy: Strategy, seed: int, more: int) -> None:
    needed = warm_up_seconds(strategy, MINUTE) // MINUTE
    first = needed + more
    market, _ = densify(random_candles(seed, first + 500), DataReport())
    start = int(market.time[first])
    enough = prepare(market[first - needed :], DataReport(), start)
    plenty = prepare(market, DataReport(), start)
    assert (enough.start_index, plenty.start_index) == (needed, first)
    results = [run_backtest(strategy, p.candles, Costs(), 1000, start_index=p.start_index) for p in (enough, plenty)]
    few, many = ((r.trades.page(0, 999), r.signals.page(0, 999), r.open_position, r.metrics) for r in results)
    assert few == many
    assert np.array_equal(results[0].equity_values, results[1].equity_values)
