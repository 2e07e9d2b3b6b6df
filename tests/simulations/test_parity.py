"""A simulation's book is that of a backtest over the candles it has seen, bit for bit, whenever one looks; and the
parity report sees every byte that is not so."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.simulations.parity import CHANGED, NOT_SEEN, NOT_STEPPED, TWICE, compare_with_backtest
from strategybot.trading.engine.candles import Candles, DataReport, densify
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.resolution import without_textbook
from strategybot.trading.language.strategy import Strategy
from tests.simulations.traded import Simulated, traded
from tests.trading.builders import cases, order_strategies, strategy_of
from tests.trading.engine.indicators.markets import wild_market
from tests.trading.random_series import compare


@pytest.mark.parametrize("mode", ["replay", "live"])
@given(case=st.one_of(cases(longest=40), cases(longest=40, kind=order_strategies)), data=st.data())
@settings(max_examples=30)
def test_at_any_moment_the_portfolio_equals_that_of_a_backtest_over_the_candles_seen(
    mode: str, case: tuple[Strategy, Candles, Costs], data: st.DataObject
) -> None:
    strategy, candles, costs = case
    if not len(candles):
        return
    count = len(densify(candles, DataReport())[0])
    warm_up = data.draw(st.integers(0, count - 1))
    simulated = Simulated(strategy, candles, costs, warm_up, mode)
    restored = data.draw(st.sets(st.integers(0, count), max_size=5))
    looked_at = data.draw(st.sets(st.integers(0, count), max_size=5)) | {count - warm_up - 2}
    for number in range(count - warm_up - 1):
        simulated.go_on()
        if number in restored:
            simulated.restore()
        if number in looked_at:
            report = compare_with_backtest(simulated.run, simulated.steps, simulated.known)
            assert report.differences == []
    assert simulated.run.candles_processed == len(simulated.steps) == count - warm_up
    assert simulated.run.status == ("running" if mode == "live" or count - warm_up == 1 else "stopped")


@pytest.mark.parametrize("mode", ["replay", "live"])
def test_a_simulation_from_before_the_textbooks_warm_up_ends_as_it_would_have(mode: str) -> None:
    """Its saved state does not name its warm-up, and its strategy is stored as any other."""
    cross = compare({"series": "ema", "period": 3}, "crosses_above", {"series": "ema", "period": 8})
    strategy = strategy_of(cross, take_profit_percent=1, stop_loss_percent=1)
    simulated = Simulated(without_textbook(strategy), wild_market(2, 400), Costs(), 5, mode)
    simulated.run.strategy = strategy
    simulated.restore()
    for number in range(394):
        simulated.go_on()
        if number % 97 == 0:
            simulated.restore()
    assert compare_with_backtest(simulated.run, simulated.steps, simulated.known).differences == []
    first = next(step.time for step in simulated.steps if step.signals)
    assert (first - simulated.candles.time[0]) // 60 > 80
    simulated.run.state = {**simulated.run.state, "warm_up": "textbook"}
    assert not compare_with_backtest(simulated.run, simulated.steps, simulated.known).equal


def change_log(simulated: Simulated) -> None:
    simulated.steps[5].log = [{**simulated.steps[5].log[0], "reason": "because"}]


def change_price(simulated: Simulated) -> None:
    sale = next(entry for step in simulated.steps for entry in step.log if entry["action"] == "SELL")
    sale["price"] *= 1 + 2**-52


def drop_signal(simulated: Simulated) -> None:
    next(step for step in simulated.steps if step.signals).signals = []


def change_cash(simulated: Simulated) -> None:
    book = simulated.run.state["book"]
    simulated.run.state = {**simulated.run.state, "book": {**book, "cash": (float.fromhex(book["cash"]) + 1).hex()}}


def change_worth(simulated: Simulated) -> None:
    simulated.run.portfolio = replace(simulated.run.portfolio, total_value=1.0)


def skip_candle(simulated: Simulated) -> None:
    simulated.steps.remove(
        next(step for step in simulated.steps if step.log[0]["action"] == "HOLD" and not step.signals)
    )


def repeat_candle(simulated: Simulated) -> None:
    simulated.steps.insert(8, simulated.steps[7])


def move_candle(simulated: Simulated) -> None:
    simulated.steps[7].time += 1


@pytest.mark.parametrize(
    ("spoil", "named", "cause"),
    [
        (change_log, {"trade_log"}, CHANGED),
        (change_price, {"trade_log", "fills"}, CHANGED),
        (drop_signal, {"signals"}, CHANGED),
        (change_cash, {"book.cash"}, CHANGED),
        (change_worth, {"portfolio.total_value"}, CHANGED),
        (skip_candle, {"candles", "trade_log"}, NOT_STEPPED),
        (repeat_candle, {"candles", "fills", "signals", "trade_log"}, TWICE),
        (move_candle, {"candles"}, NOT_SEEN),
    ],
)
def test_every_difference_is_named_with_its_cause(spoil: Callable[[Any], None], named: set[str], cause: str) -> None:
    simulated = traded()
    clean = compare_with_backtest(simulated.run, simulated.steps, simulated.known)
    assert (clean.equal, clean.candles_processed, clean.warm_up_candles) == (True, 41, 10)
    assert clean.trades > 2
    assert clean.signals > 4
    spoil(simulated)
    report = compare_with_backtest(simulated.run, simulated.steps, simulated.known)
    assert not report.equal
    assert {each.what for each in report.differences} == named
    assert cause in {each.cause for each in report.differences}
    assert all(each.simulation != each.engine for each in report.differences)
