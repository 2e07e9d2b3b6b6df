"""Starts many workers: `python -m tests.simulations.nursery URL ANCHOR SPEED FOLDER` forks one for each line it reads.

Everything is imported and compiled before the first fork, so that a worker is at work after some milliseconds and a
test can kill many. A worker is the real runner on the real database; only its clock runs faster, in all processes alike.
"""

import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import anyio

from strategybot.kit.database import Database
from strategybot.kit.leases import Leases
from strategybot.kit.presence import Presence
from strategybot.market.service import Market
from strategybot.simulations.runner import Runner
from strategybot.trading.candles import Candles
from strategybot.trading.kernel import Costs
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.paper import PaperSession
from tests.market.scripted import ScriptedProvider
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
        values = [url, str(clock.anchor), str(clock.speed), str(folder)]
        command = [sys.executable, "-m", "tests.simulations.nursery", *values]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()  # it ends with its input

    def worker(self) -> int:
        """Fork a worker and return its process id."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    @staticmethod
    def kill(worker: int) -> None:
        os.kill(worker, signal.SIGKILL)


def main(url: str, anchor: str, speed: str, folder: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended children need not be waited for
    candles, workers, presence = walk(), [], Presence(Path(folder))
    PaperSession(Strategy.model_validate(LIVELY), Costs(), 1.0, 60).advance(candles[:100])
    for _ in sys.stdin:
        worker = os.fork()
        if not worker:
            anyio.run(work, url, QuickClock(float(anchor), float(speed)), candles, presence)
        workers.append(worker)
        sys.stdout.write(f"{worker}\n")
        sys.stdout.flush()
    for worker in workers:
        try:
            os.kill(worker, signal.SIGKILL)
        except ProcessLookupError:
            continue


async def work(url: str, clock: QuickClock, candles: Candles, presence: Presence) -> None:
    database = Database(url)
    market = Market(ScriptedProvider(candles), database, clock, lambda *_: None)
    leases = Leases(database, clock, presence, clock.sleep)
    async with leases.kept():
        await Runner(database, market, clock, leases, clock.sleep).work()


if __name__ == "__main__":
    main(*sys.argv[1:])
