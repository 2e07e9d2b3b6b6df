"""Tables of bots and the revisions of their strategies."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime

from sqlalchemy import JSON, ColumnElement, ForeignKey, UniqueConstraint, bindparam, delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.database import AnyRow, Base, Id, ModelText, Session, rows_and_total, window, with_total
from strategybot.kit.errors import Conflict
from strategybot.kit.json_object import Json
from strategybot.kit.paging import Paging, Slice
from strategybot.trading.language.strategy import Strategy

ConversationOf = Callable[[ColumnElement[str]], ColumnElement[str | None]]
"""Returns the query expression for the conversation that is linked to the bot with this id."""


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
    universe: Mapped[Json | list[Json] | None] = mapped_column(JSON(none_as_null=True))
    strategy: Mapped[Strategy | None] = mapped_column(ModelText(Strategy))
    revision: Mapped[int]
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]
    holdout_from: Mapped[datetime | None]
    holdout_sealed_at: Mapped[datetime | None]
    holdout_opened_at: Mapped[datetime | None]
    tags: Mapped[list[str]] = mapped_column(JSON, default=list)


class Revision(Base):
    __tablename__ = "bots_revisions"

    bot_id: Mapped[str] = mapped_column(Id, ForeignKey(Bot.id, ondelete="CASCADE"), primary_key=True)
    revision: Mapped[int] = mapped_column(primary_key=True)
    strategy: Mapped[Strategy | None] = mapped_column(ModelText(Strategy))
    created_at: Mapped[datetime]
    undo_to: Mapped[int | None]
    """The revision that an undo brings back; 0 for a bot without a strategy, None if there was nothing before."""


@contextmanager
def unique_name(session: Session) -> Iterator[None]:
    """Flush the changes of the block at its end. The unique index decides whether the name is free."""
    try:
        yield
        session.flush()
    except IntegrityError:
        raise BotNameTaken from None


def bot_of(session: Session, owner_id: str, bot_id: str, *, lock: bool = False) -> Bot | None:
    query = select(Bot).where(Bot.id == bot_id, Bot.owner_id == owner_id)
    return session.scalar(query.with_for_update() if lock else query)


_COUNT_OF_BOTS = select(func.count()).select_from(Bot).where(Bot.owner_id == bindparam("owner_id"))


class BotQueries:
    """Queries for one bot and for all bots of an owner, each with its linked conversation."""

    def __init__(self, conversation_of: ConversationOf) -> None:
        column = Bot.__table__.columns
        linked = conversation_of(column.id).label("conversation_id")
        shown = select(Bot.__table__, linked).where(column.owner_id == bindparam("owner_id"))
        self._one = shown.where(column.id == bindparam("bot_id"))
        self._page = shown.order_by(column.id.desc()).offset(bindparam("offset")).limit(bindparam("limit"))

    def bot(self, session: Session, owner_id: str, bot_id: str) -> AnyRow | None:
        return session.connection().execute(self._one, {"owner_id": owner_id, "bot_id": bot_id}).first()

    def page(self, session: Session, owner_id: str, paging: Paging) -> Slice[AnyRow]:
        found = session.connection().execute(self._page, {"owner_id": owner_id, **window(paging)}).all()
        return with_total(session, found, _COUNT_OF_BOTS, paging, owner_id=owner_id)


def count_bots(session: Session, owner_id: str) -> int:
    return session.scalar(_COUNT_OF_BOTS, {"owner_id": owner_id}) or 0


def names_of_bots(session: Session, owner_id: str) -> set[str]:
    return set(session.scalars(select(Bot.name).where(Bot.owner_id == owner_id)))


_NAMES = select(Bot.id, Bot.name).where(Bot.id.in_(bindparam("bot_ids", expanding=True)))


def names_by_id(session: Session, bot_ids: Collection[str]) -> dict[str, str]:
    """Return the names of these bots. It writes nothing that the session holds."""
    rows = session.connection().execute(_NAMES, {"bot_ids": list(bot_ids)})
    return {row.id: row.name for row in rows}


def bots_of(session: Session, owner_id: str) -> list[Bot]:
    return list(session.scalars(select(Bot).where(Bot.owner_id == owner_id)))


def delete_bot(session: Session, owner_id: str, bot_id: str) -> bool:
    deleted = session.execute(delete(Bot).where(Bot.id == bot_id, Bot.owner_id == owner_id).returning(Bot.id))
    return deleted.first() is not None


def add_revision(session: Session, bot: Bot, undo_to: int | None) -> None:
    made = {"revision": bot.revision, "strategy": bot.strategy, "created_at": bot.updated_at}
    session.add(Revision(bot_id=bot.id, **made, undo_to=undo_to))


def delete_old_revisions(session: Session, bot: Bot, kept: int) -> None:
    """Delete all but the newest `kept` revisions of the bot."""
    old = delete(Revision).where(Revision.bot_id == bot.id, Revision.revision <= bot.revision - kept)
    session.execute(old)


def revision_of(session: Session, bot_id: str, revision: int) -> Revision | None:
    return session.get(Revision, (bot_id, revision))


_PAGE_OF_REVISIONS = (
    select(Revision)
    .where(Revision.bot_id == bindparam("bot_id"))
    .order_by(Revision.revision.desc())
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)
_COUNT_OF_REVISIONS = select(func.count()).select_from(Revision).where(Revision.bot_id == bindparam("bot_id"))


def page_of_revisions(session: Session, bot_id: str, paging: Paging) -> Slice[Revision]:
    return rows_and_total(session, _PAGE_OF_REVISIONS, _COUNT_OF_REVISIONS, paging, bot_id=bot_id)


def chains_in_use(session: Session) -> list[str]:
    """Return the chains that bots name, themselves or for their universe."""
    universes = session.scalars(select(Bot.universe).where(Bot.universe.is_not(None)))
    trending = {each["trending"] for each in universes if isinstance(each, dict)}
    return sorted(trending | {chain for chain in session.scalars(select(Bot.chain).distinct()) if chain})
