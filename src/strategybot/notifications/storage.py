"""Notification tables: events, targets, and messages that are not delivered yet."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    ForeignKey,
    Index,
    LargeBinary,
    String,
    bindparam,
    column,
    delete,
    func,
    insert,
    select,
    table,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.database import Base, Id, Session
from strategybot.notifications.schemas import BellEvent, EventName, KindName

MOST_KEPT = 100


_OWNERS = table("accounts_owners", column("id", Id))


class Notification(Base):
    """An event in the list of notifications.

    No foreign key: it would lock the owner's row while the writer holds rows of runs, and a request that starts a run
    locks them in the other order. `trim` deletes what belongs to a deleted owner.
    """

    __tablename__ = "notifications"
    __table_args__ = (Index("ix_notifications_owner_id_id", "owner_id", "id"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    owner_id: Mapped[str] = mapped_column(Id)
    event: Mapped[BellEvent] = mapped_column(String)
    title: Mapped[str]
    text: Mapped[str]
    bot_id: Mapped[str | None] = mapped_column(Id)
    run_id: Mapped[str | None] = mapped_column(Id)
    created_at: Mapped[datetime]
    read: Mapped[bool]


class Target(Base):
    __tablename__ = "notifications_targets"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"), index=True)
    name: Mapped[str]
    kind: Mapped[KindName | None] = mapped_column(String)
    """None if `sealed_fields` is the URL that the target had in an older version, or empty."""
    masked_url: Mapped[str]
    sealed_fields: Mapped[bytes] = mapped_column(LargeBinary)
    events: Mapped[list[EventName]] = mapped_column(JSON)
    enabled: Mapped[bool]
    created_at: Mapped[datetime]
    last_sent_at: Mapped[datetime | None]
    last_error: Mapped[str | None]


class Delivery(Base):
    """A message to a target that has not been delivered yet. No foreign key, as above."""

    __tablename__ = "notifications_deliveries"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    target_id: Mapped[str] = mapped_column(Id, index=True)
    message: Mapped[dict[str, Any]] = mapped_column(JSON)
    attempts: Mapped[int]
    admitted: Mapped[bool]
    """Whether it has a place under the target's rate limit; until then it may become part of a summary."""
    due_at: Mapped[datetime] = mapped_column(index=True)


def add(session: Session, notifications: Sequence[dict[str, Any]], deliveries: Sequence[dict[str, Any]]) -> None:
    session.connection().execute(insert(Notification), notifications)
    if deliveries:
        session.connection().execute(insert(Delivery), deliveries)


_ENABLED_TARGETS = select(Target.id, Target.owner_id, Target.events).where(
    Target.owner_id.in_(bindparam("owner_ids", expanding=True)), Target.enabled
)


def enabled_targets(session: Session, owner_ids: Collection[str]) -> list[Any]:
    """Return id, owner and events of the targets that these owners have switched on."""
    return list(session.connection().execute(_ENABLED_TARGETS, {"owner_ids": list(owner_ids)}))


def newest(session: Session, owner_id: str) -> list[Notification]:
    query = select(Notification).where(Notification.owner_id == owner_id)
    return list(session.scalars(query.order_by(Notification.id.desc()).limit(MOST_KEPT)))


def mark_read(session: Session, owner_id: str, until: str | None) -> bool:
    """Mark the owner's notifications as read; return whether any was unread."""
    unread = update(Notification).where(Notification.owner_id == owner_id, Notification.read.is_(False))
    unread = unread if until is None else unread.where(Notification.id <= until)
    return session.execute(unread.values(read=True).returning(Notification.id)).first() is not None


def targets_of(session: Session, owner_id: str) -> list[Target]:
    return list(session.scalars(select(Target).where(Target.owner_id == owner_id).order_by(Target.id)))


def find_target(session: Session, owner_id: str, target_id: str, *, lock: bool = False) -> Target | None:
    query = select(Target).where(Target.id == target_id, Target.owner_id == owner_id)
    return session.scalar(query.with_for_update() if lock else query)


def delete_target(session: Session, owner_id: str, target_id: str) -> bool:
    """Delete the target and return whether it existed."""
    chosen = delete(Target).where(Target.id == target_id, Target.owner_id == owner_id)
    return session.execute(chosen.returning(Target.id)).first() is not None


def transfer(session: Session, from_owner: str, to_owner: str) -> None:
    session.execute(update(Notification).where(Notification.owner_id == from_owner).values(owner_id=to_owner))


def targets_with_urls(session: Session) -> list[Target]:
    """Lock and return the targets whose address is still the URL of an older version."""
    old = select(Target).where(Target.kind.is_(None), func.length(Target.sealed_fields) > 0)
    return list(session.scalars(old.with_for_update(skip_locked=True)))


def due_deliveries(session: Session, now: datetime, most: int, most_of_an_owner: int) -> list[str]:
    """Return the deliveries that are due, the oldest first, and only a few of each owner."""
    place = func.row_number().over(partition_by=Target.owner_id, order_by=Delivery.due_at).label("place")
    due = select(Delivery.id, Delivery.due_at, place).join(Target, Target.id == Delivery.target_id, isouter=True)
    found = due.where(Delivery.due_at <= now).subquery()
    return list(
        session.scalars(
            select(found.c.id).where(found.c.place <= most_of_an_owner).order_by(found.c.due_at).limit(most)
        )
    )


def owner_of_delivery(session: Session, delivery_id: str) -> str | None:
    """Return the owner of the delivery's target; None if there is none any more."""
    owner = select(Target.owner_id).join(Delivery, Delivery.target_id == Target.id)
    return session.scalar(owner.where(Delivery.id == delivery_id))


def due_delivery(session: Session, delivery_id: str, now: datetime) -> tuple[Delivery, Target] | None:
    """Lock the delivery and return it with its target; return None if it is not due, is delivered, or is locked by
    another process. A delivery whose target was deleted or switched off is deleted."""
    query = select(Delivery).where(Delivery.id == delivery_id, Delivery.due_at <= now)
    delivery = session.scalar(query.with_for_update(skip_locked=True))
    if delivery is None:
        return None
    target = session.get(Target, delivery.target_id)
    if target is None or not target.enabled:
        session.delete(delivery)
        return None
    return delivery, target


def take_waiting(session: Session, delivery: Delivery, least: int) -> list[dict[str, Any]]:
    """Delete the target's other deliveries that wait for a place, and return their messages and that of this one.
    Nothing is deleted if there are fewer than `least` in all."""
    waiting = Delivery.target_id == delivery.target_id, Delivery.admitted.is_(False)
    count = session.scalar(select(func.count()).select_from(Delivery).where(*waiting)) or 0
    if count < least:
        return [delivery.message]
    others = delete(Delivery).where(*waiting, Delivery.id != delivery.id)
    return [delivery.message, *session.scalars(others.returning(Delivery.message))]


def trim(session: Session, most: int) -> int:
    """Delete the notifications of deleted owners, and all but the newest of up to `most` other owners. Return how many
    owners had too many."""
    session.execute(delete(Notification).where(Notification.owner_id.not_in(select(_OWNERS.c.id))))
    crowded = select(Notification.owner_id).group_by(Notification.owner_id).having(func.count() > MOST_KEPT).limit(most)
    owners = list(session.scalars(crowded))
    for owner_id in owners:
        of_owner = select(Notification.id).where(Notification.owner_id == owner_id).order_by(Notification.id.desc())
        oldest_kept = of_owner.offset(MOST_KEPT - 1).limit(1).scalar_subquery()
        session.execute(delete(Notification).where(Notification.owner_id == owner_id, Notification.id < oldest_kept))
    return len(owners)
