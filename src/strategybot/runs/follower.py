"""A runner of runs that go on for days: claims runs that no process holds, and steps each when it is due.

One loop serves thousands of runs. `leases.py` decides who holds a run and when another process takes it over. While
the database or the provider cannot be reached, runs wait and nothing is lost.
"""

import asyncio
import heapq
import itertools
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Generic, Protocol, TypeVar

import anyio

from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.errors import AppError
from strategybot.kit.threads import Sleep, run_blocking
from strategybot.market.service import Market
from strategybot.runs.leases import Lease, Leases, abandon
from strategybot.runs.storage import FollowedRun
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.instruments import Interval

logger = logging.getLogger("strategybot.runs")

POLL_SECONDS = 2
LONGEST_PAUSE_SECONDS = 0.1
SECONDS_BEFORE_TRYING_AGAIN = 1
CLAIMS_AT_ONCE, STEPS_AT_ONCE = 250, 1000
QUESTIONS_AT_ONCE = 16
DEFECT = "Something went wrong inside the service; it is tried again."


class Active(Protocol):
    """A run that this process works on."""

    due: float
    """The unix seconds of its next step."""

    @property
    def run_id(self) -> str: ...

    @property
    def lease(self) -> Lease: ...


Run = TypeVar("Run", bound=FollowedRun)
Act = TypeVar("Act", bound=Active)


class Follower(ABC, Generic[Run, Act]):
    """The lifecycle of one kind of followed runs in this process."""

    model: type[Run]

    def __init__(
        self, database: Database, market: Market, clock: Clock, leases: Leases, sleep: Sleep = anyio.sleep
    ) -> None:
        self._database, self._market, self._clock = database, market, clock
        self.leases, self._sleep = leases, sleep
        self.active: dict[str, Act] = {}
        self._is_complete = False
        """Whether all runs that the last look has claimed are active."""
        self._due: list[tuple[float, int, Act]] = []
        self._scheduled = itertools.count()
        self._next_look = 0.0
        self._following: set[asyncio.Task[None]] = set()
        self._questions = asyncio.Semaphore(QUESTIONS_AT_ONCE)

    @abstractmethod
    def resume(self, runs: Sequence[Run]) -> list[Act]:
        """Return the claimed runs as they were saved, ready to be stepped. It may read the database."""

    @abstractmethod
    async def step(self, due: Sequence[Act]) -> None:
        """Step the runs that are due, and schedule or drop each. What takes long goes `in_background`."""

    async def work(self) -> None:
        """Claim and step runs until cancelled."""
        try:
            async with anyio.create_task_group() as tasks:
                # Two loops, so that no step waits for a claim to be committed.
                tasks.start_soon(self._go_round, self.look, self._until_next_look)
                tasks.start_soon(self._go_round, self.turn, self._until_next_step)
        finally:
            with anyio.CancelScope(shield=True):
                for task in self._following:
                    task.cancel()
                await self.finish_background_work()

    async def look(self) -> None:
        """Claim runs that no process holds."""
        claimed, lost = await run_blocking(self._claim)
        for active in lost:
            self.drop(active)
        resumed = await run_blocking(self.resume, claimed)
        for active in resumed:
            self.active[active.run_id] = active
            self.schedule(active)
        self._is_complete = len(resumed) == len(claimed)
        # In batches, so that due steps do not wait.
        self._next_look = self.now() + (0 if len(claimed) == CLAIMS_AT_ONCE else POLL_SECONDS)

    async def turn(self) -> None:
        """Step the runs that are due."""
        if due := self._taken_due():
            await self.step(due)

    async def finish_background_work(self) -> None:
        """Wait for the end of all work in the background."""
        while self._following:
            await asyncio.wait(self._following)

    def now(self) -> float:
        return self._clock().timestamp()

    def schedule(self, active: Act, moment: float | None = None) -> None:
        """Step the run when it is due, or at another moment."""
        heapq.heappush(self._due, (active.due if moment is None else moment, next(self._scheduled), active))

    def drop(self, active: Act) -> None:
        """Work no longer on the run: it has ended, or another process has it."""
        if self.is_ours(active):
            del self.active[active.run_id]

    def is_ours(self, active: Act) -> bool:
        """Return False if the run was lost to another process, also if this process has claimed it again since."""
        return self.active.get(active.run_id) is active

    def in_background(self, work: Coroutine[Any, Any, None]) -> None:
        following = asyncio.create_task(work)
        self._following.add(following)
        following.add_done_callback(self._following.discard)

    async def candles_after(
        self,
        token_id: str,
        interval: Interval,
        last_time: int,
        owner_id: str,
        end: int | None = None,
        traded_from: int = 0,
    ) -> Candles | str:
        """Return the candles after the last one, or the error message of the provider. Those before `traded_from` only
        warm the run up.
        """
        try:
            async with self._questions:
                span = (last_time + 1, end or int(self.now()))
                candles, _ = await self._market.candles(
                    token_id, interval, *span, run_owner_id=owner_id, traded_from=traded_from
                )
        except AppError as error:
            return error.message
        except Exception:  # the boundary of a run: a defect must not end the others; the next check may succeed
            logger.exception("no candles for %s", token_id)
            return DEFECT
        return candles

    def _claim(self) -> tuple[list[Run], list[Act]]:
        """Return newly claimed runs, and those of ours that were stopped or are held by another process."""
        with self._database.write() as session:
            active = dict(self.active)
            lost: list[Act] = []
            was_complete, self._is_complete = self._is_complete, False
            # Equal counts alone say little: one run may have been stopped while the claim of another was not confirmed.
            if not was_complete or self.leases.count_held(session, self.model) != len(active):
                ours = self.leases.held_here(session, self.model)
                abandon(session, self.model, [lease for lease in ours if lease.run_id not in self.active])
                lost = [each for each in active.values() if each.lease not in ours]
            return self.leases.claim_many(session, self.model, self.model.due_at, CLAIMS_AT_ONCE), lost

    async def _go_round(self, work: Callable[[], Awaitable[None]], pause: Callable[[], float]) -> None:
        while True:
            try:
                await work()
                seconds = pause()
            except Exception:  # the boundary of a background loop: it must survive a database outage
                logger.exception("following runs failed")
                seconds = SECONDS_BEFORE_TRYING_AGAIN
            await self._sleep(seconds)

    def _until_next_look(self) -> float:
        return max(0.0, self._next_look - self.now())

    def _until_next_step(self) -> float:
        """Return the seconds until the next step, at most a limit: a run claimed meanwhile may be due sooner."""
        next_due = self._due[0][0] if self._due else float("inf")
        return min(LONGEST_PAUSE_SECONDS, max(0.0, next_due - self.now()))

    def _taken_due(self) -> list[Act]:
        due: list[Act] = []
        now = self.now()
        while self._due and self._due[0][0] <= now and len(due) < STEPS_AT_ONCE:
            *_, active = heapq.heappop(self._due)
            if self.is_ours(active):
                due.append(active)
        return due
