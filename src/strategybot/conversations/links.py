"""Finds conversations of their owner, and links them to bots."""

from strategybot.accounts.service import Principal
from strategybot.bots.service import BotNotFound, Bots
from strategybot.conversations import storage
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session, flush
from strategybot.kit.errors import NotFound
from strategybot.kit.identifiers import is_id


class ConversationNotFound(NotFound):
    message = "Conversation not found."


class Links:
    def __init__(self, database: Database, bots: Bots, clock: Clock) -> None:
        self._database, self._bots, self._clock = database, bots, clock

    def bot_of(self, principal: Principal, conversation_id: str) -> str | None:
        with self._database.read() as session:
            return find_owned(session, principal, conversation_id).bot_id

    def link(self, principal: Principal, conversation_id: str, bot_id: str | None) -> None:
        if bot_id is not None:
            self._bots.bot(principal, bot_id)
        with self._database.write() as session:
            conversation = find_owned(session, principal, conversation_id, lock=True)
            conversation.bot_id, conversation.updated_at = bot_id, self._clock()
            if not flush(session):
                raise BotNotFound


def find_owned(
    session: Session, principal: Principal, conversation_id: str, *, lock: bool = False
) -> storage.Conversation:
    known = is_id(conversation_id)
    found = storage.conversation_of(session, principal.owner_id, conversation_id, lock=lock) if known else None
    if found is None:
        raise ConversationNotFound
    return found
