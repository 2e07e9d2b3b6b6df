"""Changes as rows: a writer adds them in its own transaction, and every process can read them.

Writers call `note`. It adds rows only for owners whom a process watches, because most owners have no stream of events
open. A process that serves a stream calls `watch`. `Database.on_change` is called after the commit of such rows.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Index,
    Integer,
    bindparam,
    delete,
    func,
    insert,
    literal,
    select,
    tuple_,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.clock import steady_clock
from strategybot.kit.database import Base, Id, Session

KEPT = timedelta(hours=1)
WATCHED_FOR = timedelta(minutes=3)
MOST_READ = 2000
FIRST_NUMBER = 1  # both databases count ids from 1
LARGEST_NUMBER = 2**63 - 1


class ChangeRow(Base):
    """No foreign keys: they would lock the owner's row, and a row outlives its owner by an hour at most."""

    __tablename__ = "changes"
    __table_args__ = (
        Index("ix_changes_commit_order_id", "commit_order", "id"),
        {"sqlite_autoincrement": True},  # so that an id is not used again after its row was deleted
    )

    id: Mapped[int] = mapped_column(BigInteger().with_variant(Integer(), "sqlite"), primary_key=True)
    commit_order: Mapped[int] = mapped_column(BigInteger)
    """On PostgreSQL the number of the transaction: ids are assigned before the commit, so a reader that asks only for
    larger ids would miss rows that are committed late. On SQLite 0, because one transaction writes at a time."""
    owner_id: Mapped[str] = mapped_column(Id)
    kind: Mapped[str]
    bot_id: Mapped[str | None] = mapped_column(Id)
    run_id: Mapped[str | None] = mapped_column(Id)
    what: Mapped[str]
    at: Mapped[datetime] = mapped_column(index=True)


class OwnerWatch(Base):
    """An owner who has a stream open, or had one a moment ago."""

    __tablename__ = "changes_watches"

    owner_id: Mapped[str] = mapped_column(Id, primary_key=True)
    until: Mapped[datetime]


class ChangePosition(NamedTuple):
    """A place in the order of all changes; written, it is the id of an event."""

    commit_order: int
    id: int

    @classmethod
    def parse(cls, text: str) -> "ChangePosition | None":
        """Return the position of an event's id; None if the text is no such id."""
        parts = text.split(".")
        if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 20 for part in parts):
            return None
        found = cls(*map(int, parts))
        return found if max(found) <= LARGEST_NUMBER else None

    def __str__(self) -> str:
        return f"{self.commit_order}.{self.id}"


START = ChangePosition(0, 0)


@dataclass(frozen=True, slots=True)
class Change:
    owner_id: str
    kind: str
    """`bot`, `notification`, the name of a kind of run, or `session`: tokens of the owner may have been revoked. That
    one is for the server, not for the client."""
    what: str
    """`created`, `changed`, `deleted`, `status`, `progress`, `verdict`, `pool` or `step`."""
    bot_id: str | None = None
    run_id: str | None = None


class Noted(NamedTuple):
    """A change that was committed."""

    position: ChangePosition
    owner_id: str
    kind: str
    what: str
    bot_id: str | None
    run_id: str | None


def note(session: Session, *changes: Change) -> None:
    """Add those of the changes whose owners are watched to the transaction."""
    watched = watched_among(session, {change.owner_id for change in changes})
    now = steady_clock()
    rows = [_row(change, now) for change in changes if change.owner_id in watched]
    if rows:
        session.connection().execute(insert(ChangeRow).values(commit_order=_commit_order(session)), rows)
        session.info["has_changes"] = True


def _row(change: Change, now: datetime) -> dict[str, Any]:
    return {
        "owner_id": change.owner_id,
        "kind": change.kind,
        "bot_id": change.bot_id,
        "run_id": change.run_id,
        "what": change.what,
        "at": now,
    }


# Built once, because every write that notes a change asks it.
_WATCHED = select(OwnerWatch.owner_id).where(
    OwnerWatch.owner_id.in_(bindparam("owner_ids", expanding=True)), OwnerWatch.until > bindparam("now")
)


def watched_among(session: Session, owner_ids: Collection[str]) -> set[str]:
    """Return those of the owners who have a stream open, or had one a moment ago."""
    if not owner_ids:
        return set()
    return set(session.connection().scalars(_WATCHED, {"owner_ids": list(owner_ids), "now": steady_clock()}))


def watch(session: Session, owner_id: str) -> bool:
    """Watch the owner for some minutes; return whether the owner was watched until now without a gap."""
    now = steady_clock()
    known = session.scalar(select(OwnerWatch.until).where(OwnerWatch.owner_id == owner_id))
    if known is None:
        try:
            with session.begin_nested():
                session.add(OwnerWatch(owner_id=owner_id, until=now + WATCHED_FOR))
        except IntegrityError:  # another process has just added the row
            return False
        return False
    session.execute(update(OwnerWatch).where(OwnerWatch.owner_id == owner_id).values(until=now + WATCHED_FOR))
    return known > now


def keep_watching(session: Session, owner_ids: Collection[str]) -> None:
    """Watch these owners for some more minutes."""
    until = steady_clock() + WATCHED_FOR
    rows = [{"this_owner": owner_id} for owner_id in sorted(owner_ids)]
    if rows:
        table: Any = OwnerWatch.__table__
        these = update(table).where(table.c.owner_id == bindparam("this_owner")).values(until=until)
        session.connection().execute(these, rows)


def newest(session: Session) -> ChangePosition:
    """Return the position of the newest change; every change that is not committed yet will come after it."""
    query = select(ChangeRow.commit_order, ChangeRow.id).where(_is_settled(session))
    found = session.execute(query.order_by(ChangeRow.commit_order.desc(), ChangeRow.id.desc()).limit(1)).first()
    return ChangePosition(*found) if found else START


def read_after(
    session: Session, position: ChangePosition, owner_id: str | None = None, until: ChangePosition | None = None
) -> list[Noted]:
    """Return the first changes after the position, of all owners or of one, up to a second position."""
    row = ChangeRow
    place = tuple_(row.commit_order, row.id)
    query = select(row.commit_order, row.id, row.owner_id, row.kind, row.what, row.bot_id, row.run_id)
    query = query.where(place > tuple_(*map(literal, position)), _is_settled(session))
    if owner_id is not None:
        query = query.where(row.owner_id == owner_id)
    if until is not None:
        query = query.where(place <= tuple_(*map(literal, until)))
    found = session.connection().execute(query.order_by(row.commit_order, row.id).limit(MOST_READ))
    return [
        Noted(ChangePosition(each.commit_order, each.id), each.owner_id, each.kind, each.what, each.bot_id, each.run_id)
        for each in found
    ]


def is_kept(session: Session, position: ChangePosition) -> bool:
    """Return whether all changes after the position are still there. The oldest are deleted first."""
    if position == START:
        return session.scalar(select(func.min(ChangeRow.id))) in (None, FIRST_NUMBER)
    place = tuple_(ChangeRow.commit_order, ChangeRow.id)
    older = select(ChangeRow.id).where(place <= tuple_(*map(literal, position))).limit(1)
    return session.scalar(older) is not None


def prune(session: Session, now: datetime, most: int) -> int:
    """Delete up to `most` old changes, and watches that have ended. The newest change stays, so that `newest` has a
    position. Return the number of changes deleted."""
    session.execute(delete(OwnerWatch).where(OwnerWatch.until < now - KEPT))
    last = select(func.max(ChangeRow.id)).scalar_subquery()
    old = select(ChangeRow.id).where(ChangeRow.at < now - KEPT, ChangeRow.id < last).order_by(ChangeRow.id).limit(most)
    deleted = session.execute(delete(ChangeRow).where(ChangeRow.id.in_(old)).returning(ChangeRow.id))
    return len(deleted.all())


def _is_sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"


def _commit_order(session: Session) -> ColumnElement[int]:
    return literal(0) if _is_sqlite(session) else func.txid_current()


def _is_settled(session: Session) -> ColumnElement[bool]:
    """Return the condition that every transaction up to the row's own has ended."""
    if _is_sqlite(session):
        return literal(value=True)
    oldest_running = func.txid_snapshot_xmin(func.txid_current_snapshot())
    return ChangeRow.commit_order < oldest_running
