"""Jobs in a Redis queue. Any process that shares it runs them; if that process dies, another one does."""

import asyncio
import logging
from collections import deque
from datetime import timedelta
from typing import Any

import anyio
from docket import Docket, Worker

from strategybot.kit.jobs import MOST_WAITING, Handler, ended

logger = logging.getLogger("strategybot.jobs")

LEASE = timedelta(seconds=10)
SECONDS_BEFORE_RECONNECTING = 5
SECONDS_TO_PUSH = 2
SECONDS_TO_LEAVE, TRIES_TO_LEAVE = 1, 4


class QueuedJobs:
    def __init__(
        self,
        url: str,
        name: str,
        handler: Handler,
        *,
        slots: int,
        check_interval: timedelta,
        seconds_before_reconnecting: float = SECONDS_BEFORE_RECONNECTING,
    ) -> None:
        self._url, self._name, self._slots, self._check_interval = url, name, slots, check_interval
        self._seconds_before_reconnecting = seconds_before_reconnecting
        self._handler = handler
        self._docket: Docket | None = None
        self._waiting: deque[str] = deque(maxlen=MOST_WAITING)
        """Jobs requested before the queue was connected, which takes a moment at every start."""
        self._doing: set[asyncio.Task[None]] = set()
        self.failures = 0

        async def job(key: str) -> None:
            await self._do(key)

        # The queue finds a task by its name, which must be the same in every process.
        job.__name__ = job.__qualname__ = f"{name}_job"
        self._job = job

    async def ask(self, key: str) -> None:
        """Request the job. It neither raises nor waits if the queue does not respond."""
        if self._docket is None:
            self._waiting.append(key)
            return
        try:
            with anyio.fail_after(SECONDS_TO_PUSH):
                await self._docket.add(self._job, key=key)(key)
        except Exception:  # the queue raises many kinds of errors, and none may reach the caller
            self.failures += 1
            logger.warning("could not push %s", key, exc_info=True)

    async def work(self) -> None:
        """Connect and run jobs until cancelled. If the queue fails, reconnect.

        On cancellation, every running job is cancelled once and may clean up.
        """
        working = asyncio.create_task(self._work_and_reconnect())
        try:
            await asyncio.shield(working)
        finally:
            with anyio.CancelScope(shield=True):
                await ended(*self._doing)
                await self._leave(working)

    async def _leave(self, working: asyncio.Task[None]) -> None:
        """Disconnect without waiting for a queue that does not respond: it notices the missing heartbeat itself."""
        for _ in range(TRIES_TO_LEAVE):
            working.cancel()
            if (await asyncio.wait([working], timeout=SECONDS_TO_LEAVE))[0]:
                return
        logger.warning("the queue %s does not answer: disconnected without waiting for it", self._name)

    async def _work_and_reconnect(self) -> None:
        while True:
            try:
                await self._work_while_connected()
            except Exception:  # for the same reason; it is retried
                self.failures += 1
                logger.exception("the queue %s failed", self._name)
                await anyio.sleep(self._seconds_before_reconnecting)
            else:
                return  # the worker was asked to stop

    async def _work_while_connected(self) -> None:
        async with Docket(name=f"strategybot-{self._name}", url=self._url, execution_ttl=timedelta(0)) as docket:
            docket.register(self._job)
            async with Worker(docket, **self._worker_options()) as worker:
                self._docket = docket
                try:
                    await self._ask_what_waited()
                    await worker.run_forever()
                finally:
                    self._docket = None

    async def _ask_what_waited(self) -> None:
        for _ in range(len(self._waiting)):
            await self.ask(self._waiting.popleft())

    async def _do(self, key: str) -> None:
        """Run the job in its own task: the queue may cancel its task more than once, and the clean-up must survive
        that.
        """
        doing = asyncio.create_task(self._handler(key))
        self._doing.add(doing)
        doing.add_done_callback(self._doing.discard)
        try:
            await asyncio.shield(doing)
        except asyncio.CancelledError:
            await ended(doing)
            raise

    def _worker_options(self) -> dict[str, Any]:
        return {
            "concurrency": self._slots,
            "redelivery_timeout": LEASE,
            "minimum_check_interval": self._check_interval,
            "scheduling_resolution": self._check_interval,
        }
