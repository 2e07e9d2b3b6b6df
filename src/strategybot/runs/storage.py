"""The columns of a run, and the statements that every kind of run shares.

A worker holds a lease on the run it works on (`leases.py`), and its writes are conditional on the lease's epoch.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, ClassVar, TypeVar

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    Select,
    String,
    bindparam,
    delete,
    func,
    select,
    text,
    true,
    update,
)
from sqlalchemy.orm import Mapped, declared_attr, defer, mapped_column

from strategybot.bots.schemas import LatestRun
from strategybot.kit.changes import Change, note
from strategybot.kit.database import Id, ModelText, Session, flush, with_total
from strategybot.kit.json_object import Json
from strategybot.kit.paging import Paging, Slice
from strategybot.runs.leases import Lease, Leased, Leases, lock_held, release
from strategybot.runs.schemas import Status
from strategybot.trading.engine.conditions import lookback_candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.language.strategy import Strategy

MOST_LOSSES = 5


class BotRun(Leased):
    """A run of a bot: whose it is, and the strategy and costs with which it began."""

    __abstract__ = True
    kind: ClassVar[str]
    """The name of the kind of run, in events, figures and notifications."""
    idle_statuses: ClassVar[tuple[str, ...]] = ()
    """The statuses of a run that has not ended, but that no worker may claim."""
    long_columns: ClassVar[tuple[str, ...]] = ("strategy",)
    """The columns that a list of runs does not read."""

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> tuple[Index, ...]:
        name, live = cls.__tablename__, text(f"status IN ({', '.join(map(repr, cls.live_statuses))})")
        return (
            Index(f"ix_{name}_live", "worker_id", sqlite_where=live, postgresql_where=live),
            Index(f"ix_{name}_owner_id_status", "owner_id", "status"),
            detailed_index(name),
        )

    bot_id: Mapped[str] = mapped_column(Id, ForeignKey("bots.id", ondelete="CASCADE"), index=True)
    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"))
    created_at: Mapped[datetime]
    kline_interval: Mapped[Interval] = mapped_column(String)
    strategy: Mapped[Strategy] = mapped_column(ModelText(Strategy))
    strategy_revision: Mapped[int | None]
    data_source: Mapped[str | None]
    details_kept: Mapped[bool] = mapped_column(default=True, server_default=true())
    """False once the retention job has deleted its details."""

    @property
    def interval_seconds(self) -> int:
        return INTERVAL_SECONDS[self.kline_interval]


class TradingRun(BotRun):
    """A run that trades: the cash and costs with which it began."""

    __abstract__ = True

    initial_cash: Mapped[float]
    fee_percent: Mapped[float]
    slippage_percent: Mapped[float]
    costs: Mapped[RunCosts | None] = mapped_column(ModelText(RunCosts))
    """None for runs of older versions, which trade without tax and price impact."""

    @property
    def traded_costs(self) -> Costs:
        """Return what the engine trades with."""
        if self.costs is None:
            return Costs(fee_percent=self.fee_percent, slippage_percent=self.slippage_percent)
        return self.costs.traded()


class TokenRun(TradingRun):
    """A run that trades one token."""

    __abstract__ = True

    token: Mapped[str]
    chain: Mapped[str]
    token_symbol: Mapped[str | None]

    @property
    def token_id(self) -> str:
        return f"{self.token}-{self.chain}"


class FollowedRun(BotRun):
    """A run that goes on until it is stopped, and that a worker steps whenever it is due."""

    __abstract__ = True

    due_at: Mapped[datetime]
    stopped_at: Mapped[datetime | None]

    @property
    def lookback(self) -> int:
        """Return on how many candles before a candle its conditions depend at most."""
        return lookback_candles(self.strategy, self.interval_seconds)


class QueuedRun(TradingRun):
    """A run over a span of history. It waits as `pending` until a worker claims it, and reports its progress."""

    __abstract__ = True
    live_statuses: ClassVar[tuple[str, ...]] = ("pending", "running")

    status: Mapped[Status] = mapped_column(String)
    progress: Mapped[float]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    error: Mapped[str | None]
    start_time: Mapped[int] = mapped_column(BigInteger)
    end_time: Mapped[int] = mapped_column(BigInteger)
    holdout: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))

    def was_stopped_under(self, lease: Lease) -> bool:
        """Return whether the run was stopped while this lease held it. Its partial result may still be written."""
        return self.status == "stopped" and self.lease == lease._replace(epoch=lease.epoch + 1)


class QueuedTokenRun(QueuedRun, TokenRun):
    """A run of one token over a span of history."""

    __abstract__ = True


def token_id_of(token: Json) -> str:
    """Return the id of a token of a portfolio."""
    return f"{token['token']}-{token['chain']}"


def detailed_index(table: str) -> Index:
    """Return the index of a table of runs by which the retention job finds those that still have their details."""
    detailed = text("details_kept")
    return Index(f"ix_{table}_detailed", "bot_id", sqlite_where=detailed, postgresql_where=detailed)


Run = TypeVar("Run", bound=BotRun)
Queued = TypeVar("Queued", bound=QueuedRun)


def change_of(run: BotRun, what: str) -> Change:
    return Change(run.owner_id, run.kind, what, run.bot_id, run.run_id)


def add(session: Session, run: BotRun) -> bool:
    """Add the run and return True; return False if its bot has just been deleted."""
    session.add(run)
    if not flush(session):
        return False
    note(session, change_of(run, "created"))
    return True


def find_run(
    session: Session,
    model: type[Run],
    owner_id: str,
    bot_id: str,
    run_id: str,
    *,
    lock: bool = False,
    without: tuple[str, ...] = (),
) -> Run | None:
    """Return the owner's run of this bot, `without` the columns of these names until they are read."""
    query = select(model).where(model.run_id == run_id, model.bot_id == bot_id, model.owner_id == owner_id)
    query = query.options(*(defer(getattr(model, name)) for name in without))
    return session.scalar(query.with_for_update(key_share=True) if lock else query)


def bot_of_run(session: Session, model: type[BotRun], owner_id: str, run_id: str) -> str | None:
    return session.scalar(select(model.bot_id).where(model.run_id == run_id, model.owner_id == owner_id))


def page_of_runs(session: Session, model: type[Run], bot_id: str, paging: Paging) -> Slice[Run]:
    """Return a page of the bot's runs, newest first, without their long columns."""
    rows = _brief(model).where(model.bot_id == bot_id).order_by(model.run_id.desc())
    found = session.scalars(rows.offset(paging.offset).limit(paging.per_page)).all()
    return with_total(session, found, select(func.count()).where(model.bot_id == bot_id), paging)


def _brief(model: type[Run]) -> Select[Run]:
    return select(model).options(*(defer(getattr(model, name)) for name in model.long_columns))


def is_unfinished(model: type[BotRun]) -> ColumnElement[bool]:
    """Return the condition that a run has not ended."""
    return model.status.in_(model.live_statuses + model.idle_statuses)


def count_unfinished(session: Session, model: type[BotRun], owner_id: str) -> int:
    """Return how many runs of the owner have not ended."""
    return session.scalar(select(func.count()).where(model.owner_id == owner_id, is_unfinished(model))) or 0


def lock_unfinished(session: Session, model: type[Run], *conditions: ColumnElement[bool]) -> Iterator[Run]:
    """Yield the unfinished runs that meet the conditions, locked, so that the caller can end them."""
    query = select(model).where(*conditions, is_unfinished(model))
    yield from session.scalars(query.with_for_update(key_share=True))
    session.flush()


def count_live_by_status(session: Session, model: type[BotRun]) -> dict[str, int]:
    """Return the number of live runs of all users, by their status."""
    counted = select(model.status, func.count()).where(model.status.in_(model.live_statuses)).group_by(model.status)
    found = dict(session.execute(counted).all())
    return {status: found.get(status, 0) for status in model.live_statuses}


def transfer(model: type[BotRun], session: Session, from_owner: str, to_owner: str) -> None:
    session.execute(update(model).where(model.owner_id == from_owner).values(owner_id=to_owner))


def delete_run(session: Session, model: type[BotRun], owner_id: str, bot_id: str, run_id: str) -> bool:
    """Delete the run with everything that belongs to it; return whether it existed."""
    these = delete(model).where(model.run_id == run_id, model.bot_id == bot_id, model.owner_id == owner_id)
    if session.execute(these.returning(model.run_id)).first() is None:
        return False
    note(session, Change(owner_id, model.kind, "deleted", bot_id, run_id))
    return True


def claim_queued(session: Session, leases: Leases, model: type[Queued], run_id: str, now: datetime) -> Queued | None:
    """Claim the run and mark it as running. A run that was lost with its worker `MOST_LOSSES` times is failed instead,
    because it may be the cause."""
    run = leases.claim(session, model, run_id)
    if run is None:
        return None
    if run.status == "running" and run.epoch > MOST_LOSSES:
        run.error = f"The service stopped in the middle of this run {MOST_LOSSES} times; it was given up."
        end(session, run, "failed", now)
        return None
    run.status, run.started_at = "running", run.started_at or now
    session.flush()
    note(session, change_of(run, "status"))
    return run


def save_progress(session: Session, model: type[QueuedRun], percents: Mapping[Lease, float]) -> set[Lease]:
    """Save how far these runs are; return the leases that are still held. A locked row is saved the next time."""
    still = lock_held(session, model, percents.keys())
    values = [{"this_run": lease.run_id, "percent": percents[lease]} for lease in still.locked]
    table: Any = model.__table__
    if values:
        ours = update(table).where(table.c.run_id == bindparam("this_run"))
        session.connection().execute(ours.values(progress=bindparam("percent")), values)
    return set(still.rows)


def run_to_write(session: Session, model: type[Queued], lease: Lease) -> Queued | None:
    """Return the run, locked, if its lease is still held, or if it was stopped under the lease: its partial result
    may then be saved."""
    query = _brief(model).where(model.run_id == lease.run_id)
    run = session.scalar(query.with_for_update(key_share=True))
    if run is None or not (run.is_held_under(lease) or run.was_stopped_under(lease)):
        return None
    return run


def end(session: Session, run: QueuedRun, status: Status, now: datetime) -> None:
    """End the run, whichever worker holds it."""
    run.status, run.finished_at = status, now
    run.progress = 100 if status == "completed" else run.progress
    release(run)
    note(session, change_of(run, "status"))


def tested_span(rows: Iterable[type[BotRun]], session: Session, bot_id: str) -> tuple[int | None, int | None]:
    """Return from when to when the bot's runs over history have seen it; None if there was none."""
    spans = [
        session.execute(select(func.min(row.start_time), func.max(row.end_time)).where(row.bot_id == bot_id)).one()
        for row in rows
        if issubclass(row, QueuedRun)
    ]
    begun, ended = ([moment for moment in moments if moment is not None] for moments in zip(*spans, strict=True))
    return min(begun, default=None), max(ended, default=None)


def latest_runs(rows: Iterable[type[BotRun]], session: Session, owner_id: str) -> dict[str, list[LatestRun]]:
    """Return the owner's newest run of each kind, by the ids of their bots."""
    found: dict[str, list[LatestRun]] = {}
    for row in rows:
        ended = getattr(row, "finished_at" if issubclass(row, QueuedRun) else "stopped_at")
        newest = func.row_number().over(partition_by=row.bot_id, order_by=row.run_id.desc())
        ranked = (
            select(row.bot_id, row.run_id, row.status, row.created_at, ended.label("ended_at"), newest.label("place"))
            .where(row.owner_id == owner_id)
            .subquery()
        )
        for run in session.execute(select(ranked).where(ranked.c.place == 1)):
            facts = {"run_id": run.run_id, "status": run.status, "created_at": run.created_at}
            found.setdefault(run.bot_id, []).append(LatestRun(kind=row.kind, ended_at=run.ended_at, **facts))
    return found
