"""The registry of runs: one entry for each kind. `app`, `retention`, the figures and `get_run` read it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from fastapi import APIRouter

import strategybot.backtests.api
import strategybot.searches.api
import strategybot.simulations.api
import strategybot.surveys.api
import strategybot.watches.api
from strategybot.accounts.service import Accounts
from strategybot.accounts.tiers import MOST_DETAILED_BACKTESTS, MOST_DETAILED_SEARCHES, MOST_DETAILED_SIMULATIONS
from strategybot.backtests import runner as backtest_runner
from strategybot.backtests import storage as backtests
from strategybot.backtests.service import Backtests
from strategybot.bots.service import Bots
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.jobs import JobsFactory
from strategybot.market.service import Market
from strategybot.rates import RateLimits
from strategybot.runs.leases import Leases
from strategybot.runs.service import Runs
from strategybot.runs.storage import BotRun
from strategybot.searches import storage as searches
from strategybot.searches.runner import Optimiser
from strategybot.searches.service import Optimisations
from strategybot.simulations import runner as simulation_runner
from strategybot.simulations import storage as simulations
from strategybot.simulations.service import Simulations
from strategybot.surveys import storage as surveys
from strategybot.surveys.runner import Surveyor
from strategybot.surveys.service import Surveys
from strategybot.verdicts.service import Verdicts
from strategybot.watches import storage as watches
from strategybot.watches.runner import Watcher
from strategybot.watches.service import Watches


@dataclass(frozen=True)
class Parts:
    """What the services and workers of runs are made of."""

    database: Database
    accounts: Accounts
    bots: Bots
    market: Market
    clock: Clock
    leases: Leases
    jobs: JobsFactory
    verdicts: Verdicts
    rates: RateLimits

    @property
    def of_service(self) -> tuple[Database, Accounts, Bots, Market, Clock]:
        return self.database, self.accounts, self.bots, self.market, self.clock

    @property
    def of_worker(self) -> tuple[Database, Market, Clock, Leases]:
        return self.database, self.market, self.clock, self.leases


class Worker(Protocol):
    """Works on the runs of one kind in this process."""

    async def work(self) -> None: ...


class BuiltKind(NamedTuple):
    """How to show the runs of a kind, and how to work on them."""

    service: Runs[Any, Any, Any]
    worker: Worker


@dataclass(frozen=True)
class RunKind:
    """A kind of run."""

    row: type[BotRun]
    router: APIRouter
    build: Callable[[Parts], BuiltKind]
    trim: Callable[[Session, list[str]], None]
    """Deletes the details of runs; their summaries stay."""
    detailed: int
    """So many of the newest runs of a bot keep their details."""
    kept_first: Any = None
    """Orders runs so that those which are deleted last come first; by default the newest."""

    @property
    def name(self) -> str:
        return self.row.kind


def _build_backtests(parts: Parts) -> BuiltKind:
    worker = backtest_runner.Runner(*parts.of_worker, parts.jobs, parts.verdicts)
    return BuiltKind(Backtests(*parts.of_service, worker, parts.rates.visitor_backtests), worker)


def _build_searches(parts: Parts) -> BuiltKind:
    worker = Optimiser(*parts.of_worker, parts.jobs, parts.verdicts)
    return BuiltKind(Optimisations(*parts.of_service, worker), worker)


def _build_surveys(parts: Parts) -> BuiltKind:
    worker = Surveyor(*parts.of_worker, parts.jobs, parts.verdicts.tries)
    return BuiltKind(Surveys(*parts.of_service, worker), worker)


def _build_simulations(parts: Parts) -> BuiltKind:
    service = Simulations(*parts.of_service, parts.rates.simulation_starts)
    return BuiltKind(service, simulation_runner.Runner(*parts.of_worker))


def _build_watches(parts: Parts) -> BuiltKind:
    return BuiltKind(Watches(*parts.of_service), Watcher(*parts.of_worker))


RUN_KINDS: tuple[RunKind, ...] = (
    RunKind(
        backtests.Backtest,
        strategybot.backtests.api.router,
        _build_backtests,
        backtests.trim,
        MOST_DETAILED_BACKTESTS,
        backtests.SPECIAL_FIRST,
    ),
    RunKind(
        searches.Optimisation,
        strategybot.searches.api.router,
        _build_searches,
        searches.trim,
        MOST_DETAILED_SEARCHES,
    ),
    RunKind(surveys.Survey, strategybot.surveys.api.router, _build_surveys, surveys.trim, MOST_DETAILED_SEARCHES),
    RunKind(
        simulations.Simulation,
        strategybot.simulations.api.router,
        _build_simulations,
        simulations.trim,
        MOST_DETAILED_SIMULATIONS,
    ),
    RunKind(watches.Watch, strategybot.watches.api.router, _build_watches, watches.trim, MOST_DETAILED_SEARCHES),
)
