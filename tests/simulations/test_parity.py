"""A simulation's book is that of a backtest over the candles it has seen, bit for bit, whenever one looks; and the
parity report sees every byte that is not so."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.simulations.active import ActiveSimulation, begin, resume
from strategybot.simulations.parity import CHANGED, NOT_SEEN, NOT_STEPPED, TWICE, compared
from strategybot.simulations.storage import Simulation, Step
from strategybot.trading.engine.candles import Candles, DataReport, concatenate, densify
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.packing import unpacked
from strategybot.trading.engine.resolution import without_textbook
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import cases, random_candles, strategy_of
from tests.trading.builders import drop as price_drop
from tests.trading.builders import rise as price_rise
from tests.trading.engine.indicators.markets import wild_market
from tests.trading.random_series import compare

NOW = 1_800_000_000.0
CASH = 1000.0


class Simulated:
    """A simulation without a database. It keeps what would be saved, and can be restored from it at any time."""

    def __init__(self, strategy: Strategy, candles: Candles, costs: Costs, warm_up: int, mode: str) -> None:
        self.candles, self.steps = densify(candles, DataReport())[0], list[Step]()
        self.known = self.candles[: warm_up + 1] if mode == "live" else self.candles
        self.now = NOW
        moment = datetime.fromtimestamp(NOW, UTC)
        self.run = Simulation(
            run_id="0", bot_id="1", mode=mode, token="a", chain="b", kline_interval="1m", check_interval=10,
            initial_cash=CASH, strategy=strategy, start_time=int(self.candles.time[warm_up]), candles_processed=0,
            fee_percent=costs.fee_percent, slippage_percent=costs.slippage_percent, due_at=moment, epoch=0, intrabar="auto",
            candles_total=1 if mode == "live" else len(self.candles) - warm_up, status="running",
        )  # fmt: skip
        self.active: ActiveSimulation = begin(self.run, self.known)
        self.active.first()
        self._keep()

    def go_on(self) -> None:
        self.now += 60
        came = self.candles[len(self.known) : len(self.known) + 1] if self.active.live else None
        self.active.go_on(self.now, came)
        self._keep()

    def restore(self) -> None:
        self.active = resume(self.run, self.known)

    def _keep(self) -> None:
        for name, value in self.active.progress._asdict().items():
            setattr(self.run, name, value)
        self.steps += [Step(**step._asdict()) for step in self.active.steps]
        later = [unpacked(step.candle, 60) for step in self.active.steps if step.candle]
        self.known = concatenate([self.known, *later])
        self.active.was_saved()


@pytest.mark.parametrize("mode", ["replay", "live"])
@given(case=cases(longest=40), data=st.data())
@settings(max_examples=20)
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
            report = compared(simulated.run, simulated.steps, simulated.known)
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
    assert compared(simulated.run, simulated.steps, simulated.known).differences == []
    first = next(step.time for step in simulated.steps if step.signals)
    assert (first - simulated.candles.time[0]) // 60 > 80
    simulated.run.state = {**simulated.run.state, "warm_up": "textbook"}
    assert not compared(simulated.run, simulated.steps, simulated.known).equal


def traded() -> Simulated:
    strategy = strategy_of(price_drop(0.5), exit_conditions=[price_rise(0.5)], stop_loss_percent=5)
    simulated = Simulated(strategy, random_candles(3, 80), Costs(), 10, "replay")
    for _ in range(40):
        simulated.go_on()
    return simulated


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
        (change_price, {"trade_log", "trades"}, CHANGED),
        (drop_signal, {"signals"}, CHANGED),
        (change_cash, {"book.cash"}, CHANGED),
        (change_worth, {"portfolio.total_value"}, CHANGED),
        (skip_candle, {"candles", "trade_log"}, NOT_STEPPED),
        (repeat_candle, {"candles"}, TWICE),
        (move_candle, {"candles"}, NOT_SEEN),
    ],
)
def test_every_difference_is_named_with_its_cause(spoil: Callable[[Any], None], named: set[str], cause: str) -> None:
    simulated = traded()
    clean = compared(simulated.run, simulated.steps, simulated.known)
    assert (clean.equal, clean.candles_processed, clean.warm_up_candles) == (True, 41, 10)
    assert clean.trades > 2
    assert clean.signals > 4
    spoil(simulated)
    report = compared(simulated.run, simulated.steps, simulated.known)
    assert not report.equal
    assert {each.what for each in report.differences} == named
    assert cause in {each.cause for each in report.differences}
    assert all(each.simulation != each.engine for each in report.differences)
