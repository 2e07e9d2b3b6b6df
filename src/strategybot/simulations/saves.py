"""The reads and writes of a worker: the runs it claims, with their candles, and the steps it saves.

A worker holds a lease on each run it works on (`runs/leases.py`), and its writes are conditional on the lease's epoch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, func, insert, select, update

from strategybot.kit.changes import Change, note
from strategybot.kit.database import Session
from strategybot.kit.json_object import Json
from strategybot.runs.leases import Lease, count_workers, has_worker_since, lock_held, unheld
from strategybot.simulations.notices import Notice, Subject, tell_all
from strategybot.simulations.schemas import Status, StopReason
from strategybot.simulations.storage import Fetched, History, Simulation, Step, join, stop
from strategybot.trading.engine.log_entries import LogEntry
from strategybot.trading.engine.paper import Portfolio


class Progress(NamedTuple):
    """The columns of a run that a step changes."""

    status: Status
    stop_reason: StopReason | None
    stopped_at: datetime | None
    candles_processed: int
    candles_total: int
    portfolio: Portfolio
    state: Json
    waiting: str | None
    pool_notes: list[Json] | None
    asked_tokens: list[Json] | None
    listing: Json | None
    due_at: datetime


class NewStep(NamedTuple):
    """The columns of a `Step`."""

    run_id: str
    number: int
    time: int
    late: bool
    log: list[LogEntry]
    signals: list[Json]
    candle: bytes | None
    minutes: bytes | None


@dataclass(frozen=True, slots=True)
class Save:
    """The progress of a run since it was last saved."""

    lease: Lease
    owner_id: str
    bot_id: str
    processed_before: int
    progress: Progress
    steps: Sequence[NewStep]
    notices: Sequence[Notice] = ()


@dataclass(frozen=True, slots=True)
class Saved:
    """Run ids by result. A run in neither set is locked by another transaction and must be retried."""

    done: set[str]
    lost: set[str]


@dataclass(frozen=True, slots=True)
class Pulse:
    """The state of all simulations, for monitoring."""

    running: int
    workers: int
    seconds_late: float


def pulse(session: Session, now: datetime) -> Pulse:
    """Return the state of all simulations. A live run is never late: it waits for the market."""
    running = Simulation.status == "running"
    count = session.scalar(select(func.count()).where(running)) or 0
    first_due = session.scalar(select(func.min(Simulation.due_at)).where(running, Simulation.mode == "replay"))
    seconds_late = max(0.0, (now - (first_due or now)).total_seconds())
    return Pulse(count, count_workers(session, now), seconds_late)


def with_history(session: Session, runs: Sequence[Simulation]) -> list[tuple[Simulation, History]]:
    """Return each run with the candles it began with; a live run also with later ones, as far as it looks back."""
    of_these = select(Fetched).where(Fetched.run_id.in_([run.run_id for run in runs]))
    began = {each.run_id: each for each in session.scalars(of_these)} if runs else {}
    return [(run, join(run, began[run.run_id], _later(session, run))) for run in runs]


def _later(session: Session, run: Simulation) -> list[bytes]:
    if run.mode == "replay":
        return []
    query = select(Step.candle).where(Step.run_id == run.run_id, Step.candle.is_not(None))
    newest = session.scalars(query.order_by(Step.number.desc()).limit(run.steps_kept))
    return [candle for candle in newest if candle is not None][::-1]


def stop_unheld_of(session: Session, owner_id: str, now: datetime, long_ago: datetime) -> None:
    """Stop the owner's runs that no worker holds although one has been alive since `long_ago`."""
    if not has_worker_since(session, now, long_ago):
        return
    query = select(Simulation).where(
        Simulation.owner_id == owner_id, unheld(Simulation, now), Simulation.due_at < long_ago
    )
    for run in session.scalars(query.with_for_update(key_share=True, skip_locked=True)):
        stop(session, run, "stale", now)
    session.flush()


def give_up(session: Session, lease: Lease, now: datetime) -> None:
    """Stop a run that cannot be restored, if its lease is still held."""
    run = session.scalar(select(Simulation).where(Simulation.run_id == lease.run_id).with_for_update(key_share=True))
    if run is not None and run.is_held_under(lease):
        stop(session, run, "stale", now)


def save(session: Session, saves: Sequence[Save], now: datetime) -> Saved:
    """Write the saves whose leases are still held. A save that was committed before the connection broke is not
    repeated.
    """
    still = lock_held(session, Simulation, [each.lease for each in saves], Simulation.candles_processed)
    ours = [each for each in saves if each.lease in still.rows]
    fresh = [each for each in ours if still.rows[each.lease].candles_processed == each.processed_before]
    writable = [each for each in fresh if each.lease in still.locked]
    _write(session, writable)
    told = [
        (Subject(each.owner_id, each.bot_id, each.lease.run_id), notice) for each in writable for notice in each.notices
    ]
    tell_all(session, now, told)
    repeated = _ids(ours) - _ids(fresh)
    return Saved(_ids(writable) | repeated, _ids(saves) - _ids(ours))


def _ids(saves: Sequence[Save]) -> set[str]:
    return {each.lease.run_id for each in saves}


_SAVE = (
    update(Simulation.__table__)  # type: ignore[arg-type]  # the table itself: one statement, executed many times
    .where(Simulation.run_id == bindparam("this_run"))
    .values({name: bindparam(name) for name in Progress._fields})
)
_ADD_STEPS = insert(Step.__table__)  # type: ignore[arg-type]  # likewise


def _write(session: Session, saves: Sequence[Save]) -> None:
    if saves:
        session.connection().execute(
            _SAVE, [{"this_run": each.lease.run_id, **each.progress._asdict()} for each in saves]
        )
    if steps := [step._asdict() for each in saves for step in each.steps]:
        session.connection().execute(_ADD_STEPS, steps)
    note(session, *map(_change_of, saves))


def _change_of(save: Save) -> Change:
    what = "status" if save.progress.status == "stopped" else "step"
    return Change(save.owner_id, "simulation", what, save.bot_id, save.lease.run_id)
