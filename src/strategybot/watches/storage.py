"""The tables of watches: a run with the state of each of its tokens, and each time that the conditions became true."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import JSON, BigInteger, ColumnElement, ForeignKey, String, delete, insert, select, update
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.bots.service import name_of
from strategybot.kit.changes import Change, note
from strategybot.kit.database import Base, Id, Session
from strategybot.kit.json_object import Json
from strategybot.notifications.service import Occurrence, tell
from strategybot.runs.leases import release
from strategybot.runs.storage import FollowedRun, change_of, lock_unfinished
from strategybot.trading.words.numbers import price_words
from strategybot.watches.schemas import Status, StopReason

SIGNALS_KEPT = 100  # of a watch; older ones are nowhere shown


class Watch(FollowedRun):
    __tablename__ = "watches"
    kind = "watch"

    status: Mapped[Status] = mapped_column(String)
    stop_reason: Mapped[StopReason | None] = mapped_column(String)
    tokens: Mapped[list[Json]] = mapped_column(JSON)
    """Each as a `WatchedToken`."""
    total_signals: Mapped[int]


class Signal(Base):
    """The entry conditions of a token have become true. It is written with the state of the token, so never twice."""

    __tablename__ = "watches_signals"

    run_id: Mapped[str] = mapped_column(Id, ForeignKey(Watch.run_id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    time: Mapped[int] = mapped_column(BigInteger)
    token: Mapped[str]
    chain: Mapped[str]
    symbol: Mapped[str | None]
    price: Mapped[float]
    reason: Mapped[str]


def signals_of(session: Session, run_id: str) -> Sequence[Signal]:
    """Return the signals that are kept, newest first."""
    return session.scalars(select(Signal).where(Signal.run_id == run_id).order_by(Signal.number.desc())).all()


def stop(session: Session, run: Watch, reason: StopReason, now: datetime) -> None:
    run.status, run.stop_reason, run.stopped_at = "stopped", reason, now
    release(run)
    note(session, change_of(run, "status"))


def stop_each(session: Session, whose: ColumnElement[bool], reason: StopReason, now: datetime) -> None:
    for run in lock_unfinished(session, Watch, whose):
        stop(session, run, reason, now)


def save(session: Session, run: Watch, tokens: list[Json], due_at: datetime, signals: Sequence[Json]) -> None:
    """Save what the tokens have become, and the signals, of which the newest are kept. The caller holds the row."""
    total = run.total_signals + len(signals)
    numbered = [
        {**each, "run_id": run.run_id, "number": number}
        for number, each in enumerate(signals, start=run.total_signals + 1)
    ]
    values = {"tokens": tokens, "due_at": due_at, "total_signals": total}
    session.execute(update(Watch).where(Watch.run_id == run.run_id).values(**values))
    note(session, change_of(run, "signal" if signals else "step"))
    if numbered:
        session.execute(insert(Signal), numbered[-SIGNALS_KEPT:])
        session.execute(delete(Signal).where(Signal.run_id == run.run_id, Signal.number <= total - SIGNALS_KEPT))
        note(session, Change(run.owner_id, "watch.signal", "created", run.bot_id, run.run_id))


def tell_signals(session: Session, run: Watch, signals: Sequence[Json], now: datetime) -> None:
    """Notify the owner of each signal."""
    name = name_of(session, run.bot_id) if signals else ""
    tell(session, now, *(_occurrence(run, name, each) for each in signals))


def _occurrence(run: Watch, name: str, signal: Json) -> Occurrence:
    title = f"{name}: {signal['symbol'] or 'a token'} at ${price_words(signal['price'])} meets the entry conditions"
    return Occurrence(run.owner_id, "watch.signal", title, f"{signal['reason']}.", run.bot_id, run.run_id)


def trim(session: Session, run_ids: list[str]) -> None:
    """Delete the signals of these watches; their summaries stay."""
    session.execute(delete(Signal).where(Signal.run_id.in_(run_ids)))
    session.execute(update(Watch).where(Watch.run_id.in_(run_ids)).values(details_kept=False))
