"""Bots and the revisions of their strategies in the database."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, UniqueConstraint, Uuid, delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.database import Base, Session
from strategybot.kit.errors import Conflict
from strategybot.kit.http.paging import Paging, Slice

Id = Uuid(as_uuid=False)
StrategyJson = dict[str, Any]


class BotNameTaken(Conflict):
    message = "You have a bot of this name already."


class Bot(Base):
    __tablename__ = "bots"
    __table_args__ = (UniqueConstraint("owner_id", "name"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"))
    name: Mapped[str]
    description: Mapped[str]
    token: Mapped[str | None]
    chain: Mapped[str | None]
    strategy: Mapped[StrategyJson | None] = mapped_column(JSON(none_as_null=True))
    revision: Mapped[int]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class Revision(Base):
    __tablename__ = "bots_revisions"

    bot_id: Mapped[str] = mapped_column(Id, ForeignKey(Bot.id, ondelete="CASCADE"), primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)
    strategy: Mapped[StrategyJson | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime]


@contextmanager
def unique_name(session: Session) -> Iterator[None]:
    """Changes in this block are written at its end; the index decides whether the name is free."""
    try:
        yield
        session.flush()
    except IntegrityError:
        raise BotNameTaken from None


def bot_of(session: Session, owner_id: str, bot_id: str, *, lock: bool = False) -> Bot | None:
    query = select(Bot).where(Bot.id == bot_id, Bot.owner_id == owner_id)
    return session.scalar(query.with_for_update() if lock else query)


def page_of_bots(session: Session, owner_id: str, paging: Paging) -> Slice[Bot]:
    query = select(Bot).where(Bot.owner_id == owner_id).order_by(Bot.id.desc())
    rows = session.scalars(query.offset(paging.offset).limit(paging.per_page)).all()
    return Slice(list(rows), count_bots(session, owner_id))


def count_bots(session: Session, owner_id: str) -> int:
    return session.scalar(select(func.count()).select_from(Bot).where(Bot.owner_id == owner_id)) or 0


def names_of_bots(session: Session, owner_id: str) -> set[str]:
    return set(session.scalars(select(Bot.name).where(Bot.owner_id == owner_id)))


def bots_of(session: Session, owner_id: str) -> list[Bot]:
    return list(session.scalars(select(Bot).where(Bot.owner_id == owner_id)))


def delete_bot(session: Session, owner_id: str, bot_id: str) -> bool:
    deleted = session.execute(delete(Bot).where(Bot.id == bot_id, Bot.owner_id == owner_id).returning(Bot.id))
    return deleted.first() is not None


def add_revision(session: Session, bot: Bot) -> None:
    session.add(Revision(bot_id=bot.id, revision=bot.revision, strategy=bot.strategy, created_at=bot.updated_at))


def revision_of(session: Session, bot_id: str, revision: int) -> Revision | None:
    return session.get(Revision, (bot_id, revision))


def page_of_revisions(session: Session, bot_id: str, paging: Paging) -> Slice[Revision]:
    query = select(Revision).where(Revision.bot_id == bot_id).order_by(Revision.revision.desc())
    rows = session.scalars(query.offset(paging.offset).limit(paging.per_page)).all()
    total = session.scalar(select(func.count()).select_from(Revision).where(Revision.bot_id == bot_id)) or 0
    return Slice(list(rows), total)
