"""Background work by key: asked for here, done by any process that shares the queue, given to another if that one dies.

The queue only pushes. What there is to do stands in the database, and whoever asks for a job must be ready to ask
again: a queue that is away, or that lost everything, is never an error for the person who waits.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import anyio
from docket import Docket, Worker

logger = logging.getLogger("strategybot.jobs")

Handler = Callable[[str], Awaitable[None]]

LEASE = timedelta(seconds=10)
SECONDS_BEFORE_RECONNECTING = 5


class Jobs:
    def __init__(self, url: str, name: str, handler: Handler, *, slots: int, check_interval: timedelta) -> None:
        self._url, self._name, self._slots, self._check_interval = url, name, slots, check_interval
        self._docket: Docket | None = None

        async def job(key: str) -> None:
            await handler(key)

        # The queue finds a task by its name, in every process the same.
        job.__name__ = job.__qualname__ = f"{name}_job"
        self._job = job

    async def ask(self, key: str) -> None:
        """Have the job of this key done; a key that is waiting or under way already is not done twice."""
        if self._docket is None:
            logger.info("the queue is away: %s waits", key)
            return
        try:
            await self._docket.add(self._job, key=key)(key)
        except Exception:  # the queue's own errors are of many kinds, and none of them may reach the caller
            logger.warning("could not push %s", key, exc_info=True)

    async def work(self) -> None:
        """Connect and do jobs until cancelled; a queue that goes away is waited for."""
        while True:
            try:
                await self._work_while_connected()
            except Exception:  # likewise: whatever it is, it is tried again
                logger.exception("the queue %s failed", self._name)
                await anyio.sleep(SECONDS_BEFORE_RECONNECTING)
            else:
                return  # it was asked to stop

    async def _work_while_connected(self) -> None:
        async with Docket(name=f"strategybot-{self._name}", url=self._url, execution_ttl=timedelta(0)) as docket:
            docket.register(self._job)
            async with Worker(docket, **self._worker_options()) as worker:
                self._docket = docket
                try:
                    await worker.run_forever()
                finally:
                    self._docket = None

    def _worker_options(self) -> dict[str, Any]:
        return {
            "concurrency": self._slots,
            "redelivery_timeout": LEASE,
            "minimum_check_interval": self._check_interval,
            "scheduling_resolution": self._check_interval,
        }
