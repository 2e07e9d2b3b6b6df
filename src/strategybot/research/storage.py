"""The tables of research: optimisations, surveys, the strategies that an owner has tried on a token, and baskets.

A worker holds a lease on the run it works on (`kit/leases.py`), and its writes are conditional on the lease's epoch.
"""

from datetime import datetime
from typing import Any, ClassVar, TypeVar

import numpy as np
from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    and_,
    case,
    delete,
    func,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.orm import Mapped, declared_attr, defer, mapped_column

from strategybot.backtests.schemas import Status
from strategybot.kit.changes import Change, ChangeKind, note
from strategybot.kit.database import Base, Id, ModelText, Session, flushed
from strategybot.kit.json_object import Json
from strategybot.kit.leases import Lease, QueuedRun, detailed_index, live_index, release
from strategybot.kit.paging import Paging, Slice
from strategybot.trading.evidence import SEARCH_BLOCKS
from strategybot.trading.instruments import Interval
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.packing import compressed, decompressed
from strategybot.trading.run_costs import RunCosts
from strategybot.trading.search import COLUMNS, Objective, Singles

FORMAT = b"\x01"  # the first byte of packed variants
NUMBERS_A_VARIANT = len(COLUMNS) + SEARCH_BLOCKS


class ResearchRun(QueuedRun):
    """The columns that optimisations and surveys have in common."""

    __abstract__ = True
    kind: ClassVar[ChangeKind]

    @declared_attr.directive
    @classmethod
    def __table_args__(cls) -> tuple[Index, ...]:
        name = cls.__tablename__
        return (
            live_index(name),
            Index(f"ix_{name}_owner_id_status", "owner_id", "status"),
            detailed_index(name),
        )

    bot_id: Mapped[str] = mapped_column(Id, ForeignKey("bots.id", ondelete="CASCADE"), index=True)
    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"))
    status: Mapped[Status] = mapped_column(String)
    created_at: Mapped[datetime]
    kline_interval: Mapped[Interval] = mapped_column(String)
    start_time: Mapped[int] = mapped_column(BigInteger)
    end_time: Mapped[int] = mapped_column(BigInteger)
    initial_cash: Mapped[float]
    fee_percent: Mapped[float]
    slippage_percent: Mapped[float]
    costs: Mapped[RunCosts | None] = mapped_column(ModelText(RunCosts))
    """None for runs of older versions, which trade without tax and price impact."""
    strategy: Mapped[Strategy] = mapped_column(ModelText(Strategy))
    strategy_revision: Mapped[int | None]
    data_source: Mapped[str | None]
    holdout: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    details_kept: Mapped[bool] = mapped_column(default=True, server_default=true())
    """False once the variants or the rows are deleted."""


class Optimisation(ResearchRun):
    __tablename__ = "research_optimisations"
    kind = "optimisation"

    token: Mapped[str]
    chain: Mapped[str]
    token_symbol: Mapped[str | None]
    parameters: Mapped[list[Json]] = mapped_column(JSON)
    objective: Mapped[Objective] = mapped_column(String)
    minimum_trades: Mapped[int]
    variants_total: Mapped[int]
    variants_done: Mapped[int]
    found: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    """The best and the recommended point, the walk-forward and `p_loss`."""
    verdict: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    data_report: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))


class PackedVariants(Base):
    """The metrics of every variant of an optimisation, packed."""

    __tablename__ = "research_variants"

    run_id: Mapped[str] = mapped_column(Id, ForeignKey(Optimisation.run_id, ondelete="CASCADE"), primary_key=True)
    rows: Mapped[bytes] = mapped_column(LargeBinary)


class Survey(ResearchRun):
    __tablename__ = "research_surveys"
    kind = "survey"

    tokens: Mapped[list[Json]] = mapped_column(JSON)
    """Empty until the provider has returned the trending tokens."""
    trending: Mapped[str | None]
    tokens_total: Mapped[int]
    tokens_done: Mapped[int]
    rows: Mapped[list[Json]] = mapped_column(JSON)
    combined: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))


Model = TypeVar("Model", bound=ResearchRun)


class Try(Base):
    """What its owner has tried on a token in a span of time (`tries.py`).

    It is kept when the bot is deleted: the strategy was tried nevertheless.
    """

    __tablename__ = "research_tries"

    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"), primary_key=True)
    token_id: Mapped[str] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(primary_key=True)
    start_time: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    end_time: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    strategies: Mapped[int] = mapped_column(default=1, server_default="1")
    """How many strategies the row stands for: 1, or the number of variants that an optimisation ran."""
    rules: Mapped[str | None]
    """The digest of the rules alone; None in rows from when interval, span and costs did not count."""
    tokens: Mapped[int] = mapped_column(default=1, server_default="1")
    """The number of tokens of the survey it was part of, which counts for these rules."""
    length: Mapped[int | None] = mapped_column(BigInteger)
    """In seconds, of a run that reached to the newest candle; start and end then enclose all its repetitions."""


class Basket(Base):
    """The tokens of a chain on which every strategy is also tested. Users cannot choose them."""

    __tablename__ = "research_baskets"

    provider: Mapped[str] = mapped_column(primary_key=True)
    chain: Mapped[str] = mapped_column(primary_key=True)
    tokens: Mapped[list[str]] = mapped_column(JSON)
    made_at: Mapped[datetime]


def record_try(session: Session, attempt: Try, candle_seconds: int = 0) -> Try:
    """Save the attempt as one row with its repetitions, and return that row."""
    for known in session.scalars(select(Try).where(*_repeated(attempt, candle_seconds))).all():
        attempt.start_time = min(attempt.start_time, known.start_time)
        attempt.end_time = max(attempt.end_time, known.end_time)
        attempt.strategies = max(attempt.strategies, known.strategies)
        attempt.tokens = max(attempt.tokens, known.tokens)
        session.delete(known)
    session.flush()
    session.add(attempt)
    session.flush()
    return attempt


def _repeated(attempt: Try, candle_seconds: int) -> list[ColumnElement[bool]]:
    """Return which rows are the same try: of the same span, or both up to their newest candle with the same length
    (to a candle) or start.
    """
    same_start = Try.start_time == attempt.start_time
    repeated = and_(same_start, Try.end_time == attempt.end_time)
    if attempt.length is not None:
        as_long = Try.length.between(attempt.length - candle_seconds, attempt.length + candle_seconds)
        repeated = or_(repeated, as_long, and_(same_start, Try.length.is_not(None)))
    same = (Try.owner_id == attempt.owner_id, Try.token_id == attempt.token_id, Try.digest == attempt.digest)
    return [*same, repeated]


def count_tries(session: Session, attempt: Try) -> int:
    """Return how often something different was tried on this token in spans that overlap this one."""
    overlapping = (
        Try.owner_id == attempt.owner_id,
        Try.token_id == attempt.token_id,
        Try.start_time < attempt.end_time,
        Try.end_time > attempt.start_time,
    )
    surveyed = and_(Try.rules == attempt.rules, Try.tokens > Try.strategies)
    tried = select(func.sum(case((surveyed, Try.tokens), else_=Try.strategies)))
    known_rules = select(Try.rules).where(*overlapping, Try.rules.is_not(None))
    older = (
        select(func.max(Try.strategies).label("strategies"))
        .where(*overlapping, Try.rules.is_(None), Try.digest.not_in(known_rules))
        .group_by(Try.digest)
        .subquery()
    )
    counts = (tried.where(*overlapping, Try.rules.is_not(None)), select(func.sum(older.c.strategies)))
    return sum(int(session.scalar(each) or 0) for each in counts)


def transfer_tries(session: Session, from_owner: str, to_owner: str) -> None:
    theirs = select(Try).where(Try.owner_id == from_owner)
    for each in session.scalars(theirs).all():
        columns = {column.key: getattr(each, column.key) for column in Try.__mapper__.columns}
        record_try(session, Try(**{**columns, "owner_id": to_owner}))
        session.delete(each)


def basket_of(session: Session, provider: str, chain: str) -> Basket | None:
    return session.get(Basket, (provider, chain))


def save_basket(session: Session, provider: str, chain: str, tokens: list[str], now: datetime) -> None:
    known = basket_of(session, provider, chain)
    if known is None:
        session.add(Basket(provider=provider, chain=chain, tokens=tokens, made_at=now))
    else:
        session.execute(
            update(Basket).where(Basket.provider == provider, Basket.chain == chain).values(tokens=tokens, made_at=now)
        )


def change_of(run: ResearchRun, what: str) -> Change:
    return Change(run.owner_id, run.kind, what, run.bot_id, run.run_id)


def add(session: Session, run: ResearchRun) -> bool:
    """Add the run and return True; return False if its bot has just been deleted."""
    session.add(run)
    if not flushed(session):
        return False
    note(session, change_of(run, "created"))
    return True


def find_run(
    session: Session, model: type[Model], owner_id: str, bot_id: str, run_id: str, *, lock: bool = False
) -> Model | None:
    query = select(model).where(model.run_id == run_id, model.bot_id == bot_id, model.owner_id == owner_id)
    return session.scalar(query.with_for_update() if lock else query)


_LONG: dict[type[ResearchRun], list[Any]] = {
    Optimisation: [Optimisation.found, Optimisation.verdict, Optimisation.strategy],
    Survey: [Survey.rows, Survey.strategy],
}


def page_of_runs(session: Session, model: type[Model], bot_id: str, paging: Paging) -> Slice[Model]:
    """Return a page of the bot's runs, newest first, without their long columns."""
    of_bot = model.bot_id == bot_id
    rows = select(model).options(*map(defer, _LONG[model])).where(of_bot).order_by(model.run_id.desc())
    window = rows.offset(paging.offset).limit(paging.per_page)
    total = session.scalar(select(func.count()).select_from(model).where(of_bot)) or 0
    return Slice(session.scalars(window).all(), total)


def count_live(session: Session, model: type[ResearchRun], owner_id: str) -> int:
    return (
        session.scalar(select(func.count()).where(model.owner_id == owner_id, model.status.in_(model.live_statuses)))
        or 0
    )


def transfer_runs(session: Session, from_owner: str, to_owner: str) -> None:
    for model in (Optimisation, Survey):
        session.execute(update(model).where(model.owner_id == from_owner).values(owner_id=to_owner))


def stop(session: Session, run: ResearchRun, now: datetime) -> None:
    run.status, run.finished_at = "stopped", now
    release(run)
    note(session, change_of(run, "status"))


def finish(session: Session, model: type[Model], lease: Lease, status: Status, now: datetime) -> Model | None:
    """End the run, if the lease is still held, and return it. A run that was stopped under this lease is also returned,
    so that its partial result can be saved."""
    run = session.scalar(select(model).where(model.run_id == lease.run_id).with_for_update())
    if run is None:
        return None
    if run.is_held_under(lease):
        run.status, run.finished_at = status, now
        run.progress = 100 if status == "completed" else run.progress
        release(run)
        note(session, change_of(run, "status"))
        return run
    return run if run.was_stopped_under(lease) else None


def save_verdict(session: Session, run_id: str, verdict: Json) -> None:
    run = session.get(Optimisation, run_id)
    if run is not None:
        run.verdict = verdict
        note(session, change_of(run, "verdict"))


def trim_optimisations(session: Session, run_ids: list[str]) -> None:
    """Delete the variants of these searches; their summaries stay."""
    session.execute(delete(PackedVariants).where(PackedVariants.run_id.in_(run_ids)))
    session.execute(update(Optimisation).where(Optimisation.run_id.in_(run_ids)).values(details_kept=False))


def trim_surveys(session: Session, run_ids: list[str]) -> None:
    """Delete the rows of these surveys; their summaries stay."""
    session.execute(update(Survey).where(Survey.run_id.in_(run_ids)).values(details_kept=False, rows=[]))


def packed(rows: Singles) -> bytes:
    return FORMAT + compressed(rows)


def keep_variants(session: Session, run_id: str, chunk: bytes) -> None:
    session.add(PackedVariants(run_id=run_id, rows=chunk))


def variants_of(session: Session, run_id: str) -> Singles:
    chunk = session.scalar(select(PackedVariants.rows).where(PackedVariants.run_id == run_id))
    if chunk is None:
        return np.empty((0, NUMBERS_A_VARIANT), np.float32)
    return decompressed(chunk[len(FORMAT) :], np.dtype(np.float32)).reshape(-1, NUMBERS_A_VARIANT)
