"""Background work by key: asked for here, done in this process or by any that shares a queue.

Whoever does it only pushes. What there is to do stands in the database, and whoever asks for a job must be ready to
ask again: a process that died, or a queue that is away or lost everything, is never an error for the person who waits.
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
    """How often the way to those who do the jobs was broken."""

    async def ask(self, key: str) -> None:
        """Have the job of this key done; a key that is waiting or under way already is not done twice."""

    async def work(self) -> None:
        """Do jobs until cancelled; then those under way are cancelled too, once, and have the time to tidy up."""


class LocalJobs:
    """For one process alone: nothing to connect to, nothing to look for while there is nothing to do."""

    def __init__(self, handler: Handler, *, slots: int) -> None:
        self.failures = 0
        self._handler, self._slots = handler, asyncio.Semaphore(slots)
        self._waiting: deque[str] = deque(maxlen=MOST_WAITING)
        """Asked for before anybody worked."""
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
        except Exception:  # the edge of a job: a defect in one must not be the end of another
            logger.exception("the job %s failed", key)


async def ended(*tasks: asyncio.Task[None]) -> None:
    """Cancel them, once, and wait for their end."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
