"""Values measured at many candles at once, and the reasons made from them later, equal those of the plain rule."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles, tidy
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.filled import fills_of_whole_trades
from strategybot.trading.engine.tables import measured_at, signal_fields, trade_fields, trade_rows, why_met
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.explain import entry_reading, explain
from strategybot.trading.words.reasons import max_holding_words
from tests.trading.builders import (
    CASH,
    FREE,
    START,
    cases,
    closes,
    drop,
    level,
    random_candles,
    rise,
    spike,
    strategy_of,
)

Case = tuple[Strategy, Candles, Costs]
LONG_WINDOW = random_candles(4, 1300, calm=0.004)
LONG_WINDOW.volume[np.isnan(LONG_WINDOW.volume)] = 1.0  # one that is unknown would make a long window unknown as well
KINDS: list[Callable[[str], dict[str, Any]]] = [
    lambda window: drop(1, window),
    lambda window: drop(4, window, "high"),
    lambda window: rise(1, window),
    lambda window: rise(4, window, "low"),
    lambda window: spike(1.3, window),
]


@pytest.mark.parametrize("window", ["1m", "20m", "129m", "600m"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("every", [1, 7])
def test_many_candles_read_at_once_have_the_values_of_each(
    kind: Callable[[str], dict[str, Any]], window: str, every: int
) -> None:
    conditions = strategy_of(kind(window)).conditions
    places = np.arange(3, len(LONG_WINDOW), every)
    found = measured_at(conditions, LONG_WINDOW, places)[:, 0]
    pages = [measured_at(conditions, LONG_WINDOW, places[first : first + 500])[:, 0] for first in range(0, 1300, 500)]
    each = [measured_at(conditions, LONG_WINDOW[: i + 1], np.array([i]))[0, 0] for i in places.tolist()]
    assert np.array_equal(found, each, equal_nan=True)
    assert np.array_equal(found, np.concatenate(pages), equal_nan=True)
    assert np.count_nonzero(~np.isnan(found)) > 5


@given(cases(longest=300))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_words_of_a_page_are_those_of_the_explanation_at_the_close_that_decided(case: Case) -> None:
    strategy, candles, costs = case
    result = run_backtest(strategy, candles, costs, CASH)
    at = {int(time): i for i, time in enumerate(candles.time)}
    for trade in result.trades.page(0, 1000):
        bought = entry_reading(strategy, candles, at[trade.entry_time] - 1).why()
        assert (trade.entry_reason, trade.entry_reasons) == bought
    for signal in result.signals.page(0, 1000):
        said = explain(strategy, candles, at[signal.time])
        side = said.entry if signal.side == "buy" else said.exit
        too_long = max_holding_words(strategy, 0).removeprefix("held 0s")
        told = signal.reason, signal.reasons
        assert told == side.why() if side.fired else signal.reason.endswith(too_long)
        assert signal.price == said.close


def test_a_table_is_as_wide_as_its_words_need() -> None:
    strategy = strategy_of(drop(5), spike(2), exit_conditions=[level(7), rise(3), rise(9)])
    assert trade_fields(strategy)["measured"].shape == (2,)
    assert signal_fields(strategy)["measured"].shape == (3,)
    assert signal_fields(strategy_of(drop(5), spike(2)))["measured"].shape == (2,)


def test_only_true_conditions_are_reasons_and_infinite_values_have_words() -> None:
    conditions = strategy_of(drop(5), spike(2), level(7)).conditions
    assert why_met(conditions, [math.nan, 2.5, 8.0]).words == (
        "volume 2.5 × its 1m average, threshold 2 ×; price 8 crossed above 7"
    )
    assert why_met(conditions, [7.0, math.nan, math.nan]).words == "price fell 7 % in 1m, threshold 5 %"
    assert why_met(conditions, [math.nan, math.inf, math.nan]).words == "volume_spike is beyond any number"


def test_amounts_that_are_not_finite_are_null_in_a_row() -> None:
    strategy = strategy_of(drop(5))
    table = np.zeros(1, trade_fields(strategy))
    table["pnl"], table["entry_time"], table["exit_reason"] = math.inf, START, 1
    [row] = trade_rows(strategy, Costs(), table, fills_of_whole_trades(table), 9)
    assert (row.number, row.entry_time, row.pnl, row.fees) == (9, START, None, 0.0)
    assert isinstance(row.entry_time, int)
    assert row.exit_reason == "stop_loss"


def test_an_infinite_change_is_a_signal_in_words() -> None:
    prices = np.array([1e-300, 1e-300, 1e300, 1e300])
    candles = tidy(START + 60 * np.arange(4), prices, prices, prices, prices, np.ones(4), interval_seconds=60)[0]
    result = run_backtest(strategy_of(rise(5)), candles, FREE, CASH)
    assert [signal.reason for signal in result.signals.page(0, 9)] == ["price_rise is beyond any number"]
    assert run_backtest(strategy_of(drop(5)), closes(1, 1), FREE, CASH).signals.page(0, 9) == []
