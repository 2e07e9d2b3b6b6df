"""Simulations in the database, which is the truth about them: what each has seen, its book, and who works on it.

A worker is a process that is seen to be alive. It claims runs that no living worker has, which raises their epoch;
what it writes is conditional on that epoch, so that a run that was stopped or taken over is never written by its old
owner. A step is a row of its own, one a candle: the key alone forbids a candle twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, defer, mapped_column

from strategybot.kit.database import Base, Id, ModelText, Session, rows_and_total
from strategybot.kit.paging import Paging, Slice
from strategybot.simulations.schemas import KlineInterval, Mode, Status, StopReason
from strategybot.trading.candles import Candles, concatenate
from strategybot.trading.conditions import window_candles
from strategybot.trading.instruments import INTERVAL_SECONDS
from strategybot.trading.packing import packed, unpacked
from strategybot.trading.strategy import Strategy

Json = dict[str, Any]
_RUNNING = text("status = 'running'")


class Simulation(Base):
    __tablename__ = "simulations"
    __table_args__ = (
        Index("uq_simulations_running_bot", "bot_id", unique=True, sqlite_where=_RUNNING, postgresql_where=_RUNNING),
        Index("ix_simulations_running", "worker_id", sqlite_where=_RUNNING, postgresql_where=_RUNNING),
        Index("ix_simulations_owner_id_status", "owner_id", "status"),
    )

    run_id: Mapped[str] = mapped_column(Id, primary_key=True)
    bot_id: Mapped[str] = mapped_column(Id, ForeignKey("bots.id", ondelete="CASCADE"), index=True)
    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"))
    status: Mapped[Status] = mapped_column(String)
    stop_reason: Mapped[StopReason | None] = mapped_column(String)
    mode: Mapped[Mode] = mapped_column(String)
    token: Mapped[str]
    chain: Mapped[str]
    check_interval: Mapped[int]
    kline_interval: Mapped[KlineInterval] = mapped_column(String)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime]
    stopped_at: Mapped[datetime | None]
    initial_cash: Mapped[float]
    fee_percent: Mapped[float]
    slippage_percent: Mapped[float]
    strategy: Mapped[Strategy] = mapped_column(ModelText(Strategy))
    start_time: Mapped[int] = mapped_column(BigInteger)
    """The first candle it trades; those before it only warm the windows up."""
    chart_time: Mapped[int] = mapped_column(BigInteger)
    """The first candle it shows."""
    candles_processed: Mapped[int]
    candles_total: Mapped[int]
    portfolio: Mapped[Json] = mapped_column(JSON)
    state: Mapped[Json] = mapped_column(JSON)
    waiting: Mapped[str | None]
    due_at: Mapped[datetime]
    epoch: Mapped[int]
    worker_id: Mapped[str | None] = mapped_column(Id)

    @property
    def interval_seconds(self) -> int:
        return INTERVAL_SECONDS[self.kline_interval]

    @property
    def lookback(self) -> int:
        """So many candles before it a candle needs for every condition to be known."""
        conditions = (*self.strategy.conditions, *self.strategy.exit_conditions)
        return max(window_candles(each, self.interval_seconds) for each in conditions)


class Fetched(Base):
    """The candles with which a run began, apart from the row that every step writes anew."""

    __tablename__ = "simulations_candles"

    run_id: Mapped[str] = mapped_column(Id, ForeignKey(Simulation.run_id, ondelete="CASCADE"), primary_key=True)
    candles: Mapped[bytes] = mapped_column(LargeBinary)


class Step(Base):
    """What came of one candle."""

    __tablename__ = "simulations_steps"

    run_id: Mapped[str] = mapped_column(Id, ForeignKey(Simulation.run_id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    time: Mapped[int] = mapped_column(BigInteger)
    late: Mapped[bool]
    log: Mapped[list[Json]] = mapped_column(JSON)
    signals: Mapped[list[Json]] = mapped_column(JSON)
    candle: Mapped[bytes | None] = mapped_column(LargeBinary)
    """Itself, where it came after the ones with which the run began."""


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
    fields: Json  # of the run, `candles_processed` among them
    steps: Sequence[Json]


@dataclass(frozen=True, slots=True)
class Saved:
    done: set[str]
    lost: set[str]
    """No longer ours. What is in neither is being written by somebody else at the moment: try again."""


def add(session: Session, run: Simulation, candles: Candles, steps: Sequence[Json]) -> bool:
    """Whether it could be added: not when its bot was deleted a moment ago."""
    session.add(run)
    try:
        session.flush()
    except IntegrityError:
        return False
    session.add(Fetched(run_id=run.run_id, candles=packed(candles)))
    session.execute(insert(Step), steps)
    return True


def run_of(session: Session, owner_id: str, bot_id: str, run_id: str, *, lock: bool = False) -> Simulation | None:
    query = select(Simulation).where(
        Simulation.run_id == run_id, Simulation.bot_id == bot_id, Simulation.owner_id == owner_id
    )
    return session.scalar(query.with_for_update(key_share=True) if lock else query)


_PAGE_OF_RUNS = (
    select(Simulation)
    .options(defer(Simulation.strategy), defer(Simulation.state))
    .where(Simulation.bot_id == bindparam("bot_id"))
    .order_by(Simulation.run_id.desc())
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)
_COUNT_OF_RUNS = select(func.count()).select_from(Simulation).where(Simulation.bot_id == bindparam("bot_id"))


def page_of_runs(session: Session, bot_id: str, paging: Paging) -> Slice[Simulation]:
    return rows_and_total(session, _PAGE_OF_RUNS, _COUNT_OF_RUNS, paging, bot_id=bot_id)


def count_running(session: Session, owner_id: str) -> int:
    query = select(func.count()).where(Simulation.owner_id == owner_id, Simulation.status == "running")
    return session.scalar(query) or 0


def steps_of(session: Session, run_id: str, since: int | None = None, most: int | None = None) -> list[Step]:
    """In order: the first ones since then, or the last ones of all."""
    query = select(Step).where(Step.run_id == run_id)
    if since is not None:
        query = query.where(Step.time >= since)
    newest_first = since is None and most is not None
    query = query.order_by(Step.number.desc() if newest_first else Step.number)
    found = list(session.scalars(query if most is None else query.limit(most)))
    return found[::-1] if newest_first else found


def candles_of(session: Session, run: Simulation, steps: Sequence[Step]) -> Candles:
    """Those with which the run began, and those of these steps that came later."""
    began = session.scalars(select(Fetched.candles).where(Fetched.run_id == run.run_id)).one()
    return _joined(run, [began, *(step.candle for step in steps if step.candle is not None)])


def stop(run: Simulation, reason: StopReason, now: datetime) -> None:
    run.status, run.stop_reason, run.stopped_at = "stopped", reason, now
    run.epoch, run.worker_id = run.epoch + 1, None


def stop_running_of(session: Session, bot_id: str, now: datetime) -> None:
    query = select(Simulation).where(Simulation.bot_id == bot_id, Simulation.status == "running")
    for run in session.scalars(query.with_for_update(key_share=True)):
        stop(run, "replaced", now)
    session.flush()


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


def _of_nobody(alive_since: datetime) -> ColumnElement[bool]:
    alive = select(Worker.id).where(Worker.heartbeat_at >= alive_since)
    nobody = or_(Simulation.worker_id.is_(None), Simulation.worker_id.not_in(alive))
    return (Simulation.status == "running") & nobody


def beat(session: Session, worker_id: str, now: datetime, forgotten_before: datetime) -> None:
    """Say that the worker is alive; one that has not been for long is forgotten."""
    known = session.execute(update(Worker).where(Worker.id == worker_id).values(heartbeat_at=now).returning(Worker.id))
    if known.first() is None:
        session.add(Worker(id=worker_id, started_at=now, heartbeat_at=now))
        session.execute(delete(Worker).where(Worker.heartbeat_at < forgotten_before))
    session.flush()


def farewell(session: Session, worker_id: str) -> None:
    """What the worker had is free from now on."""
    session.execute(delete(Worker).where(Worker.id == worker_id))


def claim(session: Session, worker_id: str, alive_since: datetime, most: int) -> list[Simulation]:
    """Take up runs that no living worker has, the most urgent first."""
    query = select(Simulation).where(_of_nobody(alive_since)).order_by(Simulation.due_at).limit(most)
    claimed = list(session.scalars(query.with_for_update(key_share=True, skip_locked=True)))
    for run in claimed:
        run.worker_id, run.epoch = worker_id, run.epoch + 1
    session.flush()
    return claimed


def with_candles(session: Session, runs: Sequence[Simulation]) -> list[tuple[Simulation, Candles]]:
    """Each with the candles it began with; a live one with as many of the later ones as it may look back on."""
    of_these = select(Fetched).where(Fetched.run_id.in_([run.run_id for run in runs]))
    began = {each.run_id: each.candles for each in session.scalars(of_these)} if runs else {}
    return [(run, _joined(run, [began[run.run_id], *_later(session, run)])) for run in runs]


def _later(session: Session, run: Simulation) -> list[bytes]:
    if run.mode == "replay":
        return []
    query = select(Step.candle).where(Step.run_id == run.run_id, Step.candle.is_not(None))
    newest = session.scalars(query.order_by(Step.number.desc()).limit(run.lookback + 1))
    return [candle for candle in newest if candle is not None][::-1]


def _joined(run: Simulation, parts: Sequence[bytes]) -> Candles:
    return concatenate([unpacked(part, run.interval_seconds) for part in parts])


def give_up(session: Session, run_id: str, epoch: int, now: datetime) -> None:
    """It cannot be revived."""
    run = session.scalar(select(Simulation).where(Simulation.run_id == run_id).with_for_update(key_share=True))
    if run is not None and (run.status, run.epoch) == ("running", epoch):
        stop(run, "stale", now)


def save(session: Session, saves: Sequence[Save]) -> Saved:
    """Write all that are still ours. Whatever was written before a connection broke is not written again."""
    ids = [each.run_id for each in saves]
    of_these = Simulation.run_id.in_(ids)
    # To wait for one row while holding others could deadlock: what is locked is left for the next time.
    free = set(
        session.scalars(select(Simulation.run_id).where(of_these).with_for_update(key_share=True, skip_locked=True))
    )
    columns = (Simulation.run_id, Simulation.epoch, Simulation.candles_processed, Simulation.status)
    known = {run_id: tuple(rest) for run_id, *rest in session.execute(select(*columns).where(of_these))}
    ours = [each for each in saves if known.get(each.run_id, ())[0::2] == (each.epoch, "running")]
    fresh = [each for each in ours if each.run_id in free and known[each.run_id][1] == each.processed_before]
    _write(session, fresh)
    before = {each.run_id for each in ours if known[each.run_id][1] > each.processed_before}
    return Saved({each.run_id for each in fresh} | before, set(ids) - {each.run_id for each in ours})


_UPDATES: dict[frozenset[str], Any] = {}


def _write(session: Session, saves: Sequence[Save]) -> None:
    connection = session.connection()
    by_fields: dict[frozenset[str], list[Json]] = {}
    for each in saves:
        by_fields.setdefault(frozenset(each.fields), []).append({"this_run": each.run_id, **each.fields})
    for names, rows in by_fields.items():
        connection.execute(_update_of(names), rows)
    steps = [step for each in saves for step in each.steps]
    if steps:
        connection.execute(insert(Step.__table__), steps)


def _update_of(names: frozenset[str]) -> Any:
    """One statement for all runs that have the same to say, put together once."""
    if names not in _UPDATES:
        values = {name: bindparam(name) for name in names}
        table = Simulation.__table__
        _UPDATES[names] = update(table).where(table.c.run_id == bindparam("this_run")).values(values)
    return _UPDATES[names]
