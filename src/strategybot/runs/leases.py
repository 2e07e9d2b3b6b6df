"""Leases: which process works on which background run, and how another process takes a run over.

Words
- A *worker* is a process that works on runs. It writes one heartbeat for itself every `SECONDS_BETWEEN_HEARTBEATS`,
  however many runs it holds, and holds a lock on a file while it lives (`presence.py`).
- A *lease* is a run id and an epoch. A worker that *claims* a run writes its own id into the row and raises the epoch.
- The epoch is a fence: every write of a worker is conditional on it, so a run that was stopped or taken over can never
  be written by its previous owner.
- A run is *unheld* if no worker has claimed it, or if its worker is dead: the lock on its file is free (another process
  on the same machine notices at the next claim), or its last heartbeat is older than `STALE_AFTER` (any machine).
  A worker that claims an unheld run takes it over.
- A worker that shuts down *abandons* its runs, so that others need not wait until it is missed.
- The turn of a conversation is held by a worker in the same way; its fence is the id of the turn.
"""

import logging
from collections.abc import AsyncIterator, Collection, Container, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, ClassVar, NamedTuple, TypeVar

import anyio
from sqlalchemy import ColumnElement, Row, Select, delete, func, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column

from strategybot.kit.clock import Clock
from strategybot.kit.database import Base, Database, DatabaseUnavailable, Id, Session
from strategybot.kit.identifiers import new_id
from strategybot.kit.threads import Sleep, repeat, run_blocking
from strategybot.runs.presence import Presence

logger = logging.getLogger("strategybot.leases")

SECONDS_BETWEEN_HEARTBEATS = 2
STALE_AFTER = timedelta(seconds=6)
FORGOTTEN_AFTER = timedelta(hours=1)
MOST_UNHELD = 1000


class Worker(Base):
    """A process that works on runs."""

    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    started_at: Mapped[datetime]
    heartbeat_at: Mapped[datetime]


class Lease(NamedTuple):
    run_id: str
    epoch: int


class Leased(Base):
    """The columns of a table whose rows are runs. While a worker holds a run, its status is `running`."""

    __abstract__ = True
    live_statuses: ClassVar[tuple[str, ...]] = ("running",)
    """The statuses of a run that has not ended; the first is that of a run which waits for a worker."""

    run_id: Mapped[str] = mapped_column(Id, primary_key=True)
    status: Mapped[str]
    epoch: Mapped[int]
    worker_id: Mapped[str | None] = mapped_column(Id)

    @property
    def lease(self) -> Lease:
        return Lease(self.run_id, self.epoch)

    def is_held_under(self, lease: Lease) -> bool:
        """Return whether this is still the lease on the run: it was neither stopped nor taken over since."""
        return self.status == "running" and self.lease == lease


Run = TypeVar("Run", bound=Leased)


@dataclass(frozen=True, slots=True)
class Held:
    """The leases that are still held, each with its row; `locked` are those whose rows this transaction may write."""

    rows: Mapping[Lease, Row[*tuple[Any, ...]]]
    locked: set[Lease]


class Leases:
    """The leases of this process, which is one worker for all kinds of runs."""

    def __init__(self, database: Database, clock: Clock, presence: Presence, sleep: Sleep = anyio.sleep) -> None:
        self._database, self._clock, self._presence, self._sleep = database, clock, presence, sleep
        self.worker_id = new_id()

    @asynccontextmanager
    async def heartbeating(self) -> AsyncIterator[None]:
        """Write heartbeats until the end of the block; from then on, all runs of this process are unheld."""
        self._presence.enter(self.worker_id)
        try:
            # The first heartbeat comes before the first claim, or the claimed run would count as unheld.
            beat, pause = partial(run_blocking, self.heartbeat), 0.0
            with suppress(DatabaseUnavailable):
                await beat()
                pause = SECONDS_BETWEEN_HEARTBEATS
            beating = partial(repeat, first_after=pause)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(beating, "heartbeat", beat, SECONDS_BETWEEN_HEARTBEATS, self._sleep)
                yield
                tasks.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await self._leave()

    def heartbeat(self) -> None:
        """Write that this process is alive, and forget the processes of this machine that have died."""
        now, dead = self._clock(), self._presence.find_gone()
        with self._database.write() as session:
            _write_heartbeat(session, self.worker_id, now)
            _forget(session, dead)
        for worker_id in dead:
            self._presence.forget(worker_id)

    def unheld(self, model: type[Leased]) -> ColumnElement[bool]:
        """Return the condition that a run is live and no living worker holds it, as far as this machine knows."""
        return unheld(model, self._clock(), self._presence.find_gone())

    def is_alive(self, session: Session, worker_id: str) -> bool:
        """Return whether this worker lives, as far as this machine knows."""
        living = _living(self._clock(), self._presence.find_gone())
        return session.scalar(living.where(Worker.id == worker_id)) is not None

    def claim(self, session: Session, model: type[Run], run_id: str) -> Run | None:
        """Claim the run and return it; return None if it has ended or is held by a living worker.

        The caller flushes, once for all changes: PostgreSQL checks the foreign keys of a row that one
        transaction updates twice, which locks the bot and could deadlock with the bot's deletion.
        """
        query = select(model).where(model.run_id == run_id, self.unheld(model))
        run = session.scalar(query.with_for_update(key_share=True))
        return None if run is None else self._claim([run])[0]

    def claim_many(self, session: Session, model: type[Run], order: InstrumentedAttribute[Any], most: int) -> list[Run]:
        """Claim up to `most` unheld runs and return them. Rows that another transaction has locked are skipped."""
        query = select(model).where(self.unheld(model)).order_by(order).limit(most)
        claimed = self._claim(session.scalars(query.with_for_update(key_share=True, skip_locked=True)))
        session.flush()
        return claimed

    def count_held(self, session: Session, model: type[Leased]) -> int:
        return session.scalar(select(func.count()).where(self._is_ours(model))) or 0

    def held_here(self, session: Session, model: type[Leased]) -> set[Lease]:
        """Return the leases that this worker holds in the database."""
        ours = session.execute(select(model.run_id, model.epoch).where(self._is_ours(model)))
        return {Lease(*each) for each in ours}

    def forgotten(self, session: Session, model: type[Leased], known: Container[str]) -> list[Lease]:
        """Return the leases that this worker holds in the database and does not work on, because the connection broke
        before the claim was confirmed. `known` is read last, so it includes what is claimed meanwhile."""
        return [lease for lease in self.held_here(session, model) if lease.run_id not in known]

    def _is_ours(self, model: type[Leased]) -> ColumnElement[bool]:
        return (model.worker_id == self.worker_id) & (model.status == "running")

    def _claim(self, runs: Iterable[Run]) -> list[Run]:
        claimed = list(runs)
        for run in claimed:
            run.worker_id, run.epoch = self.worker_id, run.epoch + 1
        return claimed

    async def _leave(self) -> None:
        try:
            await run_blocking(self.delete_worker)
        except DatabaseUnavailable:
            logger.warning("the database cannot be reached: the runs of this process wait until its heartbeat is stale")
        finally:
            self._presence.leave(self.worker_id)

    def delete_worker(self) -> None:
        with self._database.write() as session:
            _forget(session, [self.worker_id])


def _write_heartbeat(session: Session, worker_id: str, now: datetime) -> None:
    known = session.execute(update(Worker).where(Worker.id == worker_id).values(heartbeat_at=now).returning(Worker.id))
    if known.first() is None:
        session.add(Worker(id=worker_id, started_at=now, heartbeat_at=now))
        session.execute(delete(Worker).where(Worker.heartbeat_at < now - FORGOTTEN_AFTER))
    session.flush()


def _forget(session: Session, worker_ids: Collection[str]) -> None:
    if worker_ids:
        session.execute(delete(Worker).where(Worker.id.in_(worker_ids)))


def unheld(model: type[Leased], now: datetime, dead: Collection[str] = ()) -> ColumnElement[bool]:
    """Return the condition that a run is live and its worker is none, silent for too long, or one of the dead."""
    lost = or_(model.worker_id.is_(None), model.worker_id.not_in(_living(now, dead)))
    return model.status.in_(model.live_statuses) & lost


def _living(now: datetime, dead: Collection[str]) -> Select[str]:
    """Return the ids of the workers that live, without those of this machine that have just died."""
    alive = select(Worker.id).where(Worker.heartbeat_at >= now - STALE_AFTER)
    return alive.where(Worker.id.not_in(dead)) if dead else alive


def held_under(model: type[Leased], lease: Lease) -> ColumnElement[bool]:
    """Return the condition for `Leased.is_held_under`."""
    return (model.run_id == lease.run_id) & (model.epoch == lease.epoch) & (model.status == "running")


def unheld_ids(session: Session, model: type[Leased], condition: ColumnElement[bool]) -> list[str]:
    """Return the ids of the oldest runs for which the condition of `unheld` holds."""
    return list(session.scalars(select(model.run_id).where(condition).order_by(model.run_id).limit(MOST_UNHELD)))


def count_workers(session: Session, now: datetime) -> int:
    """Return the number of living workers."""
    return session.scalar(select(func.count()).where(Worker.heartbeat_at >= now - STALE_AFTER)) or 0


def has_worker_since(session: Session, now: datetime, moment: datetime) -> bool:
    """Return whether a worker lives that started before the moment."""
    living = select(Worker.id).where(Worker.heartbeat_at >= now - STALE_AFTER, Worker.started_at <= moment)
    return session.scalar(living.limit(1)) is not None


def lock_held(session: Session, model: type[Leased], leases: Collection[Lease], *columns: Any) -> Held:
    """Check which of these leases are still held, and lock their rows; each row has these columns.

    A row that another transaction locks is not waited for: to wait for one row while holding others could deadlock.
    """
    run_ids = {lease.run_id for lease in leases}
    query = select(model.run_id, model.epoch, *columns).where(model.status == "running")
    free = _rows(session, query.with_for_update(key_share=True, skip_locked=True), model, run_ids)
    rest = run_ids - free.keys()
    rows = free | _rows(session, query, model, rest) if rest else free
    ours = {lease: row for lease in leases if (row := rows.get(lease.run_id)) is not None and row.epoch == lease.epoch}
    return Held(ours, {lease for lease in ours if lease.run_id in free})


def _rows(session: Session, query: Any, model: type[Leased], run_ids: Collection[str]) -> dict[str, Any]:
    found = session.connection().execute(query.where(model.run_id.in_(run_ids)))
    return {row.run_id: row for row in found}


def abandon(session: Session, model: type[Leased], leases: Iterable[Lease]) -> None:
    """Give up the leases that are still held, so that another worker can claim the runs at once."""
    for lease in leases:
        ours = update(model).where(held_under(model, lease))
        session.execute(ours.values(status=model.live_statuses[0], worker_id=None))


def write_under(session: Session, model: type[Leased], lease: Lease, **columns: Any) -> None:
    """Set columns of the run if the lease is still held."""
    session.execute(update(model).where(held_under(model, lease)).values(**columns))


def release(run: Leased) -> None:
    """End the lease on a run that has ended or was stopped, whichever worker holds it."""
    run.epoch, run.worker_id = run.epoch + 1, None
