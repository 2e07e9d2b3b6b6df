"""Simulations on a database, with a market that a test controls and runners that it drives step by step."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from strategybot.accounts.schemas import Registration, UserSettings
from strategybot.accounts.service import Principal
from strategybot.app import Services
from strategybot.bots.schemas import BotDraft
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, DatabaseUnavailable, Session
from strategybot.kit.limits import RollingLimit
from strategybot.kit.paging import Paging
from strategybot.market.service import Market
from strategybot.runs.leases import Leases
from strategybot.runs.presence import Presence
from strategybot.settings import Settings
from strategybot.simulations.runner import Runner
from strategybot.simulations.schemas import SimulationRequest, SimulationView
from strategybot.simulations.service import Simulations
from strategybot.trading.engine.candles import Candles, tidy
from tests.market.scripted import TOKEN_ID, ScriptedProvider
from tests.servers import SECRET
from tests.simulations.driving import LIVELY
from tests.support import PASSWORD

Later = Callable[..., Coroutine[Any, Any, None]]
FIRST_CANDLE = 1_767_225_600  # the day before the manual clock begins


def walk(minutes: int = 2 * 1440, seed: int = 5) -> Candles:
    """Return a market that moves enough for the lively bot to trade."""
    close = np.exp(np.cumsum(np.random.default_rng(seed).normal(0, 0.001, minutes)))
    opened = np.concatenate([[1.0], close[:-1]])
    high, low = np.maximum(opened, close), np.minimum(opened, close)
    time = FIRST_CANDLE + 60 * np.arange(minutes)
    return tidy(time, opened, high, low, close, np.ones(minutes), interval_seconds=60)[0]


class FlakyDatabase(Database):
    """A database that fails on request: before a write, or after its commit and before the caller knows of it."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.away: list[str] = []

    @contextmanager
    def write(self) -> Iterator[Session]:
        fault = self.away.pop(0) if self.away else "none"
        if fault == "before":
            raise DatabaseUnavailable
        with super().write() as session:
            yield session
        if fault == "after":
            raise DatabaseUnavailable


class Stage:
    def __init__(self, folder: Path, database_url: str, clock: Clock, provider: ScriptedProvider | None = None) -> None:
        self.clock, self.provider = clock, provider or ScriptedProvider(walk())
        self.presence = Presence(folder / "workers")
        settings = Settings(_env_file=None, data_dir=folder / "data", database_url=database_url, secret_key=SECRET)
        self.services = Services(settings, clock)
        self.database = FlakyDatabase(database_url)
        self.market = Market(self.provider, self.database, clock, lambda *_: None)
        starts = RollingLimit(self.database, clock, "simulation", settings.simulation_limit)
        accounts, bots = self.services.accounts, self.services.bots
        self.simulations = Simulations(self.database, accounts, bots, self.market, clock, starts)

    def close(self) -> None:
        self.database.close()
        self.services.database.close()

    async def user(self, email: str = "ada@example.com") -> Principal:
        token = await self.services.accounts.register(Registration(email=email, password=PASSWORD), "stage", None)
        self.services.operator.set_tier(email, "pro")
        return self.services.accounts.identity(token.access_token).principal

    def bot(self, who: Principal, name: str = "Dip buyer", strategy: dict[str, Any] = LIVELY) -> str:
        draft = BotDraft.model_validate({"name": name, "strategy": strategy, "token": TOKEN_ID})
        return self.services.bots.create(who, draft).id

    def runner(self) -> Runner:
        """Return a runner with its own leases, like a separate process."""
        return Runner(self.database, self.market, self.clock, Leases(self.database, self.clock, self.presence))

    async def start(self, who: Principal, bot_id: str, **request: Any) -> SimulationView:
        wanted = SimulationRequest.model_validate({"check_interval": 10, **request})
        return await self.simulations.start(who, UserSettings(), bot_id, wanted)

    def read(self, who: Principal, run: SimulationView) -> SimulationView:
        return self.simulations.run(who, run.bot_id, run.run_id)

    def running(self, who: Principal, bot_id: str) -> int:
        return sum(run.status == "running" for run in self.simulations.page(who, bot_id, Paging(1, 100)).simulations)


async def proven(stage: Stage, who: Principal, run: SimulationView) -> SimulationView:
    """Return the run. Assert that its portfolio equals the engine's and its log has every candle once."""
    report = await stage.simulations.parity(who, run.bot_id, run.run_id)
    assert report.differences == []
    seen = stage.read(who, run)
    assert [entry.number for entry in seen.trade_log] == list(range(1, len(seen.trade_log) + 1))
    return seen
