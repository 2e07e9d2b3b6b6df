"""A runner of queued runs: claims a run when its job comes up, works on it, and gives it back at shutdown.

The database says what there is to do. The queue only saves time: a run whose job was lost, and a run whose worker died,
is asked for again. `leases.py` explains the words.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Generic, TypeVar

import anyio

from strategybot.kit.changes import note
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, DatabaseUnavailable, Session
from strategybot.kit.errors import AppError
from strategybot.kit.jobs import JobsFactory
from strategybot.kit.threads import repeat, run_blocking
from strategybot.runs import leases, storage
from strategybot.runs.leases import Lease, Leases
from strategybot.runs.storage import Queued, change_of
from strategybot.trading.engine.candles import Integers
from strategybot.trading.engine.loop import STOP_REQUESTED, new_control

logger = logging.getLogger("strategybot.runs")

SECONDS_BETWEEN_SAVES = 0.5  # progress is seen live, and a stop in another process is noticed
SECONDS_BETWEEN_RECONCILIATIONS = 5

DEFECT = "Something went wrong inside the service; the run was not finished."
"""The error of a run that a defect has ended."""


class LiveRun:
    """A run while this process works on it. `stop` and `abandon` may be called from any thread."""

    def __init__(self) -> None:
        self.stopped = self.abandoned = False
        self.control: Integers = new_control()
        """Shared with the compiled loop that computes the run."""
        self.follow: Callable[[], float] = lambda: 1.0
        """Returns the progress in percent."""
        self._fetching = anyio.CancelScope()
        self._loop = asyncio.get_running_loop()

    @property
    def percent(self) -> float:
        """Return how far it is."""
        return self.follow()

    def fetching(self) -> anyio.CancelScope:
        """Return a scope that `stop` cancels. Each part of the fetching has its own."""
        self._fetching = anyio.CancelScope()
        if self.stopped:
            self._fetching.cancel()
        return self._fetching

    def stop(self) -> None:
        """End the work soon. What was done may be kept."""
        self.stopped = True
        self.control[STOP_REQUESTED] = 1
        with suppress(RuntimeError):  # the loop is closed, so nothing is being fetched
            self._loop.call_soon_threadsafe(self._cancel_fetching)

    def abandon(self) -> None:
        """End the work soon. Nothing of it is kept."""
        self.abandoned = True
        self.stop()

    def _cancel_fetching(self) -> None:
        self._fetching.cancel()


Live = TypeVar("Live", bound=LiveRun)


class Failing:
    """A block that may end a run: what is raised in it becomes `error`, a message for the owner.

    An unreachable database ends no run: it is claimed again.
    """

    def __init__(self, run_id: str) -> None:
        self._run_id = run_id
        self.error: str | None = None

    def __enter__(self) -> "Failing":
        return self

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> bool:
        if not isinstance(error, Exception) or isinstance(error, DatabaseUnavailable):
            return False
        self.error = error.message if isinstance(error, AppError) else DEFECT
        if self.error == DEFECT:  # the boundary of a job: a defect must end the run with a message
            logger.error("run %s failed", self._run_id, exc_info=error)
        return True


class QueuedRunner(ABC, Generic[Queued, Live]):
    """The lifecycle of one kind of queued runs in this process."""

    model: type[Queued]
    live: type[Live]
    queue: str

    def __init__(self, database: Database, clock: Clock, leases: Leases, jobs: JobsFactory) -> None:
        self._database, self._clock, self._leases = database, clock, leases
        self.live_runs: dict[Lease, Live] = {}
        self._runs: dict[Lease, Queued] = {}
        self._noted_percents: dict[Lease, float] = {}
        self._executing: list[str] = []  # may hold a run twice: the queue may deliver a job twice
        self._loop: asyncio.AbstractEventLoop | None = None
        self.jobs = jobs(self.queue, self.execute)

    @abstractmethod
    async def work_on(self, run: Queued, live: Live) -> None:
        """Work on the run, and write its outcome if its lease is still held."""

    async def work(self) -> None:
        """Run jobs until cancelled; then abandon the runs in progress."""
        self._loop = asyncio.get_running_loop()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self.jobs.work)
            tasks.start_soon(
                repeat, "saving progress", partial(run_blocking, self.save_progress), SECONDS_BETWEEN_SAVES
            )
            tasks.start_soon(repeat, "reconciling", self.reconcile, SECONDS_BETWEEN_RECONCILIATIONS)

    async def start(self, run_id: str) -> None:
        """Queue a saved run, for this process or any other that shares the queue."""
        await self.jobs.ask(run_id)

    def start_from_thread(self, run_id: str) -> None:
        """Queue a saved run, from any thread. Before `work` has begun, nothing is queued."""
        if self._loop is not None:
            asyncio.run_coroutine_threadsafe(self.start(run_id), self._loop)

    def stop(self, run_id: str) -> None:
        """Stop the run if this process works on it. Another process notices the stop when it saves progress."""
        for lease, live in list(self.live_runs.items()):
            if lease.run_id == run_id:
                live.stop()

    async def reconcile(self) -> None:
        """Queue the runs that no worker holds: after a crash, or an outage of the queue or the database."""
        for run_id in await run_blocking(self.unheld):
            await self.jobs.ask(run_id)

    def unheld(self) -> list[str]:
        """Return the ids of the runs that no worker holds."""
        with self._database.read() as session:
            unheld = leases.unheld_ids(session, self.model, self._leases.unheld(self.model))
            forgotten = self._leases.forgotten(session, self.model, self._executing)
        if forgotten:
            self._abandon(*forgotten)
        return [*unheld, *(lease.run_id for lease in forgotten)]

    def save_progress(self) -> None:
        """Save the progress of our runs, and stop those whose lease was lost."""
        live = dict(list(self.live_runs.items()))  # copied at once, because the event loop changes it meanwhile
        if not live:
            return
        with self._database.write() as session:
            percents = {lease: run.percent for lease, run in live.items()}
            ours = storage.save_progress(session, self.model, percents)
            self._note_progress(session, {lease: percents[lease] for lease in ours})
        for lease in live.keys() - ours:
            live[lease].stop()

    def _note_progress(self, session: Session, percents: dict[Lease, float]) -> None:
        moved = [lease for lease, percent in percents.items() if self._noted_percents.get(lease) != percent]
        self._noted_percents = percents
        runs = [run for lease in moved if (run := self._runs.get(lease)) is not None]
        note(session, *(change_of(run, "progress") for run in runs))

    async def execute(self, run_id: str) -> None:
        """Work on the run, unless another worker holds it."""
        self._executing.append(run_id)
        try:
            await self._claim_and_follow(run_id)
        finally:
            self._executing.remove(run_id)

    async def _claim_and_follow(self, run_id: str) -> None:
        # The claim is shielded: a run that is claimed must be worked on or abandoned.
        claiming = asyncio.ensure_future(run_blocking(self._claim, run_id))
        try:
            run = await asyncio.shield(claiming)
            if run is not None:
                await self._follow(run)
        except asyncio.CancelledError:
            with anyio.CancelScope(shield=True):
                if (run := await claiming) is not None:
                    await run_blocking(self._abandon, run.lease)
            raise

    def _claim(self, run_id: str) -> Queued | None:
        with self._database.write() as session:
            return storage.claim_queued(session, self._leases, self.model, run_id, self._clock())

    def _abandon(self, *given_up: Lease) -> None:
        with self._database.write() as session:
            leases.abandon(session, self.model, given_up)

    async def _follow(self, run: Queued) -> None:
        lease = run.lease
        self._runs[lease] = run
        live = self.live_runs[lease] = self.live()
        try:
            await self.work_on(run, live)
        except asyncio.CancelledError:
            live.abandon()
            raise
        finally:
            del self.live_runs[lease], self._runs[lease]
