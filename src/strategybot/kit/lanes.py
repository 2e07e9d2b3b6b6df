"""Lanes run blocking work in threads of their own, one piece or a few at a time. Work that waits can be cancelled.

In a `Lane` urgent work runs before other waiting work; in a `FairLane` owners take turns.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar, TypeVarTuple

import anyio
import anyio.to_thread

from strategybot.kit.owner_queue import OwnerQueue

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class Lane:
    def __init__(self) -> None:
        self._busy = False
        self._urgent: deque[asyncio.Future[None]] = deque()
        self._others: deque[asyncio.Future[None]] = deque()
        # A thread of its own: all threads of the common pool may be waiting for the database.
        self._thread = anyio.CapacityLimiter(1)

    async def run(self, work: Callable[[*Arguments], Result], *arguments: *Arguments, urgent: bool = False) -> Result:
        async with self._turn(urgent=urgent):
            return await anyio.to_thread.run_sync(work, *arguments, limiter=self._thread)

    @asynccontextmanager
    async def _turn(self, *, urgent: bool) -> AsyncIterator[None]:
        await self._wait(self._urgent if urgent else self._others)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, queue: deque[asyncio.Future[None]]) -> None:
        if not self._busy:
            self._busy = True
            return
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # its waiter was cancelled just after the lane was assigned to it
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        for queue in (self._urgent, self._others):
            while queue:
                turn = queue.popleft()
                if not turn.done():
                    turn.set_result(None)
                    return
        self._busy = False


class FairLane:
    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: OwnerQueue[asyncio.Future[None]] = OwnerQueue()
        self._threads = anyio.CapacityLimiter(places)

    async def run(self, owner: str, work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        await self._wait(owner)
        try:
            return await anyio.to_thread.run_sync(work, *arguments, limiter=self._threads)
        finally:
            self._pass_on()

    async def _wait(self, owner: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.join(owner, turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._waiting.leave(owner, turn)
            if not turn.cancelled():  # its waiter was cancelled just after the place was assigned to it
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._waiting:
            turn = self._waiting.take()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
