"""Who works on which simulation, and what they write.

A worker is a process that is seen to be alive. It claims runs that no living worker has, which raises their epoch;
what it writes is conditional on that epoch, so that a run that was stopped or taken over is never written by its old
owner.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.database import Base, Id, Session
from strategybot.simulations.storage import Fetched, History, Json, Simulation, Step, joined, stop

SAVED_FIELDS = (
    "status", "stop_reason", "stopped_at", "candles_processed", "candles_total", "portfolio", "state", "waiting",
    "due_at",
)  # fmt: skip
"""What a step changes in the row of its run."""


class Worker(Base):
    """A process that works on simulations."""

    __tablename__ = "simulations_workers"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    started_at: Mapped[datetime]
    heartbeat_at: Mapped[datetime]


@dataclass(frozen=True, slots=True)
class Save:
    """How far a run of ours has come since it was saved last."""

    run_id: str
    epoch: int
    processed_before: int
    fields: Json  # `SAVED_FIELDS` of the run
    steps: Sequence[Json]


@dataclass(frozen=True, slots=True)
class Saved:
    done: set[str]
    lost: set[str]
    """No longer ours. What is in neither is being written by somebody else at the moment: try again."""


@dataclass(frozen=True, slots=True)
class Pulse:
    """How all simulations are."""

    running: int
    workers: int
    seconds_late: float


def pulse(session: Session, now: datetime, alive_since: datetime) -> Pulse:
    """A live run is not late: it waits for the market, and is saved when that has news."""
    running = Simulation.status == "running"
    count = session.scalar(select(func.count()).where(running)) or 0
    first_due = session.scalar(select(func.min(Simulation.due_at)).where(running, Simulation.mode == "replay"))
    workers = session.scalar(select(func.count()).where(Worker.heartbeat_at >= alive_since)) or 0
    return Pulse(count, workers, max(0.0, (now - (first_due or now)).total_seconds()))


def beat(session: Session, worker_id: str, now: datetime, forgotten_before: datetime) -> None:
    """Say that the worker is alive; one that has not been for long is forgotten."""
    known = session.execute(update(Worker).where(Worker.id == worker_id).values(heartbeat_at=now).returning(Worker.id))
    if known.first() is None:
        session.add(Worker(id=worker_id, started_at=now, heartbeat_at=now))
        session.execute(delete(Worker).where(Worker.heartbeat_at < forgotten_before))
    session.flush()


def farewell(session: Session, *worker_ids: str) -> None:
    """What these workers had is free from now on."""
    if worker_ids:
        session.execute(delete(Worker).where(Worker.id.in_(worker_ids)))


def claim(session: Session, worker_id: str, alive_since: datetime, most: int) -> list[Simulation]:
    """Take up runs that no living worker has, the most urgent first."""
    query = select(Simulation).where(_of_nobody(alive_since)).order_by(Simulation.due_at).limit(most)
    claimed = list(session.scalars(query.with_for_update(key_share=True, skip_locked=True)))
    for run in claimed:
        run.worker_id, run.epoch = worker_id, run.epoch + 1
    session.flush()
    return claimed


def _of_nobody(alive_since: datetime) -> ColumnElement[bool]:
    alive = select(Worker.id).where(Worker.heartbeat_at >= alive_since)
    nobody = or_(Simulation.worker_id.is_(None), Simulation.worker_id.not_in(alive))
    return (Simulation.status == "running") & nobody


def with_history(session: Session, runs: Sequence[Simulation]) -> list[tuple[Simulation, History]]:
    """Each with the candles it began with; a live one with as many of the later ones as it may look back on."""
    of_these = select(Fetched).where(Fetched.run_id.in_([run.run_id for run in runs]))
    began = {each.run_id: each for each in session.scalars(of_these)} if runs else {}
    return [(run, joined(run, began[run.run_id], _later(session, run))) for run in runs]


def _later(session: Session, run: Simulation) -> list[bytes]:
    if run.mode == "replay":
        return []
    query = select(Step.candle).where(Step.run_id == run.run_id, Step.candle.is_not(None))
    newest = session.scalars(query.order_by(Step.number.desc()).limit(run.lookback + 1))
    return [candle for candle in newest if candle is not None][::-1]


def stop_stale_of(session: Session, owner_id: str, now: datetime, alive_since: datetime, grown_up: datetime) -> None:
    """Runs of nobody, while a worker who would have taken them up has long been there."""
    somebody = select(Worker.id).where(Worker.heartbeat_at >= alive_since, Worker.started_at <= grown_up)
    if session.scalar(somebody.limit(1)) is None:
        return
    query = select(Simulation).where(
        Simulation.owner_id == owner_id, _of_nobody(alive_since), Simulation.due_at < grown_up
    )
    for run in session.scalars(query.with_for_update(key_share=True, skip_locked=True)):
        stop(run, "stale", now)
    session.flush()


def give_up(session: Session, run_id: str, epoch: int, now: datetime) -> None:
    """It cannot be revived."""
    run = session.scalar(select(Simulation).where(Simulation.run_id == run_id).with_for_update(key_share=True))
    if run is not None and (run.status, run.epoch) == ("running", epoch):
        stop(run, "stale", now)


_RUNS = select(Simulation.run_id, Simulation.epoch, Simulation.status, Simulation.candles_processed).where(
    Simulation.run_id.in_(bindparam("run_ids", expanding=True))
)
# To wait for one row while holding others could deadlock: what is locked is left for the next time.
_FREE_RUNS = _RUNS.with_for_update(key_share=True, skip_locked=True)


def save(session: Session, saves: Sequence[Save]) -> Saved:
    """Write all that are still ours. Whatever was written before a connection broke is not written again."""
    ids = {each.run_id for each in saves}
    free = _rows(session, _FREE_RUNS, ids)
    rows = free if len(free) == len(ids) else free | _rows(session, _RUNS, ids - free.keys())
    ours = [each for each in saves if each.run_id in rows and _is_at(rows[each.run_id], each.epoch)]
    fresh = [each for each in ours if rows[each.run_id].candles_processed == each.processed_before]
    writable = [each for each in fresh if each.run_id in free]
    _write(session, writable)
    kept = {each.run_id for each in ours} - {each.run_id for each in fresh}
    return Saved({each.run_id for each in writable} | kept, ids - {each.run_id for each in ours})


def _rows(
    session: Session, query: Select[*tuple[Any, ...]], run_ids: Collection[str]
) -> dict[str, Row[*tuple[Any, ...]]]:
    return {row.run_id: row for row in session.connection().execute(query, {"run_ids": list(run_ids)})}


def _is_at(row: Row[*tuple[Any, ...]], epoch: int) -> bool:
    return bool(row.epoch == epoch and row.status == "running")


_SAVE = (
    update(Simulation.__table__)  # type: ignore[arg-type]  # the table itself: one statement, executed many times
    .where(Simulation.run_id == bindparam("this_run"))
    .values({name: bindparam(name) for name in SAVED_FIELDS})
)
_ADD_STEPS = insert(Step.__table__)  # type: ignore[arg-type]  # likewise


def _write(session: Session, saves: Sequence[Save]) -> None:
    if saves:
        session.connection().execute(_SAVE, [{"this_run": each.run_id, **each.fields} for each in saves])
    if steps := [step for each in saves for step in each.steps]:
        session.connection().execute(_ADD_STEPS, steps)
