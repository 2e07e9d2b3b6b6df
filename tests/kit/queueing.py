"""Queues whose work is noted."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from strategybot.kit.jobs import Jobs
from strategybot.kit.queue import QueuedJobs

PATIENCE = 30


class Handler:
    """Records its calls; waits or raises as the test says."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.done: list[str] = []
        self.tidied: list[str] = []
        self.may_end = asyncio.Event()
        self.may_end.set()

    async def __call__(self, key: str) -> None:
        self.begun.append(key)
        if key == "bad":
            raise ValueError("a defect")
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0.1)  # the clean-up takes time and must not be cancelled again
            self.tidied.append(key)
            raise
        self.done.append(key)


def queued(url: str, handler: Handler, slots: int = 2, name: str = "test") -> QueuedJobs:
    often = timedelta(milliseconds=10)
    return QueuedJobs(url, name, handler, slots=slots, check_interval=often, seconds_before_reconnecting=0.2)


@asynccontextmanager
async def working(jobs: Jobs) -> AsyncIterator[Jobs]:
    worker = asyncio.create_task(jobs.work())
    try:
        yield jobs
    finally:
        worker.cancel()
        await asyncio.wait_for(asyncio.wait([worker]), PATIENCE)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - any condition
            await asyncio.sleep(0.01)
