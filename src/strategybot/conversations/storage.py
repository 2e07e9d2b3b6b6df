"""Conversations, their messages, what visitors have used up, and the journal of tool calls, in the database.

`worker_id` is the process that answers the turn `turn_id`: no other turn begins while it does and lives
(`runs/leases.py`). The writes of a turn are conditional on its `turn_id`.
"""

from datetime import datetime

from sqlalchemy import (
    JSON,
    ColumnElement,
    ForeignKey,
    Index,
    Text,
    bindparam,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.conversations.schemas import Role
from strategybot.kit.database import Base, Id, Session, flush, rows_and_total
from strategybot.kit.identifiers import new_id
from strategybot.kit.json_object import Json
from strategybot.kit.paging import Paging, Slice


class Conversation(Base):
    __tablename__ = "conversations"
    __table_args__ = (Index("ix_conversations_bot_id_updated_at", "bot_id", "updated_at"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"), index=True)
    bot_id: Mapped[str | None] = mapped_column(Id, ForeignKey("bots.id", ondelete="SET NULL"))
    title: Mapped[str | None]
    turn_id: Mapped[str | None] = mapped_column(Id)
    worker_id: Mapped[str | None] = mapped_column(Id)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class Message(Base):
    """A message as the user reads it. An answer also has `history`: its turn as the language model reads it."""

    __tablename__ = "conversations_messages"
    __table_args__ = (Index("ix_conversations_messages_conversation_id_id", "conversation_id", "id"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    conversation_id: Mapped[str] = mapped_column(Id, ForeignKey(Conversation.id, ondelete="CASCADE"))
    role: Mapped[Role] = mapped_column(Text)
    content: Mapped[str] = mapped_column(Text)
    tool_calls: Mapped[list[Json]] = mapped_column(JSON)
    receipts: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))
    history: Mapped[str | None] = mapped_column(Text, deferred=True)
    created_at: Mapped[datetime]


class Allowance(Base):
    """How many chats a visitor has used, in all conversations."""

    __tablename__ = "conversations_allowances"

    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"), primary_key=True)
    chats: Mapped[int]


class ToolCall(Base):
    """An entry of the journal. It is written before the tool acts, its `outcome` when the turn ends.

    It is kept when the conversation is deleted.
    """

    __tablename__ = "conversations_tool_calls"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"), index=True)
    conversation_id: Mapped[str] = mapped_column(Id)
    turn_id: Mapped[str] = mapped_column(Id)
    name: Mapped[str]
    arguments: Mapped[Json] = mapped_column(JSON)
    outcome: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]


def add(session: Session, conversation: Conversation) -> bool:
    """Add the conversation and return True; return False if its bot has just been deleted."""
    session.add(conversation)
    return flush(session)


def conversation_of(
    session: Session, owner_id: str, conversation_id: str, *, lock: bool = False
) -> Conversation | None:
    query = select(Conversation).where(Conversation.id == conversation_id, Conversation.owner_id == owner_id)
    return session.scalar(query.with_for_update() if lock else query)


_PAGE = (
    select(Conversation)
    .where(Conversation.owner_id == bindparam("owner_id"))
    .order_by(Conversation.id.desc())
    .offset(bindparam("offset"))
    .limit(bindparam("limit"))
)
_COUNT = select(func.count()).select_from(Conversation).where(Conversation.owner_id == bindparam("owner_id"))


def page_of_conversations(session: Session, owner_id: str, paging: Paging) -> Slice[Conversation]:
    return rows_and_total(session, _PAGE, _COUNT, paging, owner_id=owner_id)


def count_conversations(session: Session, owner_id: str) -> int:
    return session.scalar(_COUNT, {"owner_id": owner_id}) or 0


def delete_old_calls(session: Session, before: datetime, most: int) -> int:
    """Delete entries of the journal that are older than this moment; return how many."""
    # Ids sort by time: the oldest entries come first, without an index on the time.
    oldest = session.execute(select(ToolCall.id, ToolCall.created_at).order_by(ToolCall.id).limit(most))
    old = [entry for entry, created_at in oldest if created_at < before]
    if old:
        session.execute(delete(ToolCall).where(ToolCall.id.in_(old)))
    return len(old)


def delete_conversation(session: Session, owner_id: str, conversation_id: str) -> bool:
    mine = delete(Conversation).where(Conversation.id == conversation_id, Conversation.owner_id == owner_id)
    return session.execute(mine.returning(Conversation.id)).first() is not None


def newest_of_bot(bot_id: ColumnElement[str]) -> ColumnElement[str | None]:
    """Return a subquery: the id of the most recently active conversation that is linked to the bot."""
    linked = select(Conversation.id).where(Conversation.bot_id == bot_id)
    return linked.order_by(Conversation.updated_at.desc(), Conversation.id.desc()).limit(1).scalar_subquery()


def last_messages(session: Session, conversation_id: str, most: int) -> list[Message]:
    """Return the last messages, oldest first."""
    newest = select(Message).where(Message.conversation_id == conversation_id).order_by(Message.id.desc()).limit(most)
    return list(session.scalars(newest))[::-1]


def last_histories(session: Session, conversation_id: str, most: int) -> list[str]:
    """Return the histories of the last turns, newest first."""
    turns = select(Message.history).where(Message.conversation_id == conversation_id, Message.history.is_not(None))
    return [text for text in session.scalars(turns.order_by(Message.id.desc()).limit(most)) if text is not None]


def take_chat(session: Session, owner_id: str, most: int) -> int | None:
    """Count a visitor's chat and return their number; return None if none is left. The owner is locked already."""
    allowance = session.get(Allowance, owner_id) or Allowance(owner_id=owner_id, chats=0)
    if allowance.chats >= most:
        return None
    allowance.chats += 1
    session.add(allowance)
    return allowance.chats


def end_turn(session: Session, conversation_id: str, turn_id: str, now: datetime) -> Conversation | None:
    """Free the conversation and return it; return None if it was deleted or another turn has begun."""
    turn = select(Conversation).where(Conversation.id == conversation_id, Conversation.turn_id == turn_id)
    conversation = session.scalar(turn.with_for_update())
    if conversation is not None:
        conversation.worker_id, conversation.updated_at = None, now
    return conversation


def write_down_call(
    session: Session, conversation_id: str, turn_id: str, name: str, arguments: Json, now: datetime
) -> str | None:
    """Add an entry for the present owner of the conversation and return its id; return None if it was deleted."""
    entry = new_id()
    columns = ["id", "owner_id", "conversation_id", "turn_id", "name", "arguments", "created_at"]
    values = select(
        literal(entry, Id),
        Conversation.owner_id,
        Conversation.id,
        literal(turn_id, Id),
        literal(name),
        literal(arguments, JSON),
        literal(now, ToolCall.created_at.type),
    ).where(Conversation.id == conversation_id)
    added = session.execute(insert(ToolCall).from_select(columns, values).returning(ToolCall.id))
    return entry if added.first() is not None else None


def write_down_outcomes(session: Session, outcomes: dict[str, str]) -> None:
    for entry, outcome in outcomes.items():
        session.execute(update(ToolCall).where(ToolCall.id == entry).values(outcome=outcome))


def transfer(session: Session, from_owner: str, to_owner: str) -> None:
    for table in (Conversation, ToolCall):
        session.execute(update(table).where(table.owner_id == from_owner).values(owner_id=to_owner))
