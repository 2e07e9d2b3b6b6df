"""When a request to the provider may be sent: `SharedPace` keeps to the rate of the plan, `FairPace` to an order.

The plan allows a fixed number of requests per second, which all processes share. Without an order, one user with a long
download would take all of them. So the requests of this process queue in `FairPace`, runs before browsing and within
each the owners in turn, and each slot of the plan goes to the next owner.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import timedelta

import anyio

from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.logs import account_of_request
from strategybot.kit.owner_queue import OwnerQueue
from strategybot.kit.threads import run_blocking
from strategybot.market import rate_tables
from strategybot.market.provider import NotAdmitted

PATIENCE = timedelta(seconds=5)
NO_SLOT = "our share of the provider's plan is used up for the moment"
RUNS_IN_A_ROW = 4
"""After this many requests of runs, one waiting browsing request is served, so that a long download cannot block the
market page.
"""


class SharedPace:
    def __init__(self, database: Database, clock: Clock, provider: str, spacing: timedelta, burst: int = 1) -> None:
        self._database, self._clock, self._provider = database, clock, provider
        self._spacing, self._burst = spacing, burst

    async def __call__(self) -> None:
        """Wait until the call may be made. Raise NotAdmitted if that is later than `PATIENCE`."""
        wait = await run_blocking(self.take_turn)
        if wait is None:
            raise NotAdmitted(NO_SLOT)
        await anyio.sleep(wait.total_seconds())

    def take_turn(self) -> timedelta | None:
        with self._database.write() as session:
            self._database.exclusive(session, f"pace:{self._provider}")
            return rate_tables.take_turn(session, self._provider, self._clock(), self._spacing, self._burst, PATIENCE)


_running_for: ContextVar[str | None] = ContextVar("running_for", default=None)


@contextmanager
def running_for(owner_id: str | None) -> Iterator[None]:
    """Queue the requests of this block, and of the tasks it starts, as requests of a run of this owner."""
    mark = _running_for.set(owner_id)
    try:
        yield
    finally:
        _running_for.reset(mark)


@dataclass(eq=False, slots=True)
class Waiting:
    """A waiting request. It is woken when it is admitted, or when it becomes the leader."""

    woken: asyncio.Event = field(default_factory=asyncio.Event)
    has_turn: bool = False


class FairPace:
    """Distributes the slots of a pace to the waiting requests. One of them, the leader, acquires the slots for all."""

    def __init__(self, pace: Callable[[], Awaitable[None]], patience: timedelta = PATIENCE) -> None:
        self._pace, self._patience = pace, patience
        self._runs: OwnerQueue[Waiting] = OwnerQueue()
        self._browsing: OwnerQueue[Waiting] = OwnerQueue()
        self._runs_in_a_row, self._is_led = 0, False

    async def __call__(self) -> None:
        """Wait until this request is admitted. Raise NotAdmitted after `patience`."""
        run_owner_id = _running_for.get()
        line, owner = (self._browsing, account_of_request()) if run_owner_id is None else (self._runs, run_owner_id)
        waiting = Waiting()
        line.join(owner, waiting)
        try:
            with anyio.fail_after(self._patience.total_seconds()):
                await self._turn_of(waiting)
        except TimeoutError:
            raise NotAdmitted(NO_SLOT) from None
        finally:
            line.leave(owner, waiting)
            # it was made the leader, but was cancelled or timed out
            if waiting.woken.is_set() and not waiting.has_turn:
                self._hand_over()

    async def _turn_of(self, waiting: Waiting) -> None:
        if self._is_led:
            await waiting.woken.wait()
        if not waiting.has_turn:
            await self._lead(waiting)

    async def _lead(self, waiting: Waiting) -> None:
        """Acquire slots for the first request in the queue until this request itself is admitted."""
        self._is_led = True
        try:
            while not waiting.has_turn:
                await self._pace()
                self._give_turn()
        finally:
            waiting.woken.clear()
            self._hand_over()

    def _give_turn(self) -> None:
        is_runs = bool(self._runs) and not (self._browsing and self._runs_in_a_row >= RUNS_IN_A_ROW)
        self._runs_in_a_row = self._runs_in_a_row + 1 if is_runs else 0
        following = (self._runs if is_runs else self._browsing).take()
        following.has_turn = True
        following.woken.set()

    def _hand_over(self) -> None:
        """Make the next waiting request the leader, if there is one."""
        line = self._runs or self._browsing
        self._is_led = bool(line)
        if line:
            line.first().woken.set()
