"""Starts many workers: a process forks one for each message that it receives.

Everything is imported and compiled before the first fork, so that a worker is at work after some milliseconds and a
test can kill many. A worker is the real runner on the real database; only its clock runs faster, in all processes alike.
"""

import os
import signal
import time
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

import anyio

from strategybot.kit.database import Database
from strategybot.market.service import Market
from strategybot.runs.leases import Leases
from strategybot.runs.presence import Presence
from strategybot.simulations.runner import Runner
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.language.strategy import Strategy
from tests.market.scripted import ScriptedProvider
from tests.servers import preloaded
from tests.simulations.driving import LIVELY
from tests.simulations.stage import walk
from tests.support import ManualClock

BEGINNING = ManualClock().now.timestamp()


class QuickClock:
    """A clock that starts at the anchor, like the manual clock, and runs `speed` times as fast."""

    def __init__(self, anchor: float, speed: float) -> None:
        self.anchor, self.speed = anchor, speed

    def __call__(self) -> datetime:
        return datetime.fromtimestamp(BEGINNING + (time.time() - self.anchor) * self.speed, UTC)

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds / self.speed)


class Nursery:
    def __init__(self, url: str, clock: QuickClock, folder: Path) -> None:
        self._orders, received = preloaded().Pipe()
        self._process = preloaded().Process(target=fork_workers, args=(received, url, clock, folder))
        self._process.start()
        received.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._orders.close()  # the process ends then
        self._process.join()

    def worker(self) -> int:
        """Fork a worker and return its process id."""
        self._orders.send("fork")
        worker: int = self._orders.recv()
        return worker

    @staticmethod
    def kill(worker: int) -> None:
        os.kill(worker, signal.SIGKILL)


def fork_workers(orders: Connection, url: str, clock: QuickClock, folder: Path) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended children need not be waited for
    candles, workers, presence = walk(), [], Presence(folder)
    PaperSession(Strategy.model_validate(LIVELY), Costs(), 1.0, 60).advance(candles[:100])
    while has_order(orders):
        worker = os.fork()
        if not worker:
            anyio.run(work, url, clock, candles, presence)
        workers.append(worker)
        orders.send(worker)
    for worker in workers:
        try:
            os.kill(worker, signal.SIGKILL)
        except ProcessLookupError:
            continue


def has_order(orders: Connection) -> bool:
    """Wait for an order; return whether there is one, and not the end."""
    try:
        orders.recv()
    except EOFError:
        return False
    return True


async def work(url: str, clock: QuickClock, candles: Candles, presence: Presence) -> None:
    database = Database(url)
    market = Market(ScriptedProvider(candles), database, clock, lambda *_: None)
    leases = Leases(database, clock, presence, clock.sleep)
    async with leases.heartbeating():
        await Runner(database, market, clock, leases, clock.sleep).work()
