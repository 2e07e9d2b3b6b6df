"""Simulations that have traded, as they were saved."""

from datetime import UTC, datetime

from strategybot.simulations.active import COARSE_TICKS, ActiveSimulation, begin, resume
from strategybot.simulations.storage import Simulation, Step
from strategybot.trading.engine.candles import Candles, DataReport, concatenate, densify
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.packing import unpack
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import drop as price_drop
from tests.trading.builders import random_candles, strategy_of
from tests.trading.builders import rise as price_rise

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
        self._keep()

    def go_on(self) -> None:
        self.now += 60
        came = self.candles[len(self.known) : len(self.known) + 1] if self.active.live else None
        self.active.go_on(self.now, came)
        self._keep()

    def restore(self) -> None:
        self.active = resume(self.run, self.known, COARSE_TICKS)

    def _keep(self) -> None:
        for name, value in self.active.progress._asdict().items():
            setattr(self.run, name, value)
        self.steps += [Step(**step._asdict()) for step in self.active.steps]
        later = [unpack(step.candle, 60) for step in self.active.steps if step.candle]
        self.known = concatenate([self.known, *later])
        self.active.was_saved()


def traded() -> Simulated:
    strategy = strategy_of(price_drop(0.5), exit_conditions=[price_rise(0.5)], stop_loss_percent=5)
    simulated = Simulated(strategy, random_candles(3, 80), Costs(), 10, "replay")
    for _ in range(40):
        simulated.go_on()
    return simulated
