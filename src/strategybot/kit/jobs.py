"""Background jobs by key, run in this process or in any process that shares a queue.

A queue only makes jobs start sooner. The database holds what there is to do, and callers ask again for jobs that were
lost, so a process that dies or a queue that fails never causes an error for the user.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import anyio

logger = logging.getLogger("strategybot.jobs")

Handler = Callable[[str], Coroutine[Any, Any, None]]

MOST_WAITING = 1000


class Jobs(Protocol):
    failures: int
    """How often the connection to the workers has failed."""

    async def ask(self, key: str) -> None:
        """Request the job of this key. A key that is pending or running is not started again."""

    async def work(self) -> None:
        """Run jobs until cancelled. Running jobs are then cancelled once, and may clean up."""


JobsFactory = Callable[[str, Handler], Jobs]
"""Returns the jobs of a queue, given its name and the function that runs a job."""


class LocalJobs:
    """Jobs for a single process, without a queue server and without polling."""

    def __init__(self, handler: Handler, *, slots: int) -> None:
        self.failures = 0
        self._handler, self._slots = handler, asyncio.Semaphore(slots)
        self._waiting: deque[str] = deque(maxlen=MOST_WAITING)
        """Jobs requested before `work` has started."""
        self._working = False
        self._jobs: dict[str, asyncio.Task[None]] = {}

    async def ask(self, key: str) -> None:
        if not self._working:
            self._waiting.append(key)
        elif key not in self._jobs:
            job = self._jobs[key] = asyncio.create_task(self._do(key))
            job.add_done_callback(lambda _: self._jobs.pop(key))

    async def work(self) -> None:
        self._working = True
        for _ in range(len(self._waiting)):
            await self.ask(self._waiting.popleft())
        try:
            await asyncio.Event().wait()
        finally:
            self._working = False
            with anyio.CancelScope(shield=True):
                await ended(*self._jobs.values())

    async def _do(self, key: str) -> None:
        try:
            async with self._slots:
                await self._handler(key)
        except Exception:  # the boundary of a job: a defect in one must not stop the others
            logger.exception("the job %s failed", key)


async def ended(*tasks: asyncio.Task[None]) -> None:
    """Cancel the tasks once and wait until they have ended."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
