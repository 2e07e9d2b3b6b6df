"""Conversations: who may send messages, how many, and one answer at a time.

One transaction decides whether a turn may begin: the conversation is free, and the limits of the visitor and of the
service have a chat left. It saves the user's message, which is kept whatever happens later.
"""

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Protocol

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Accounts, Principal
from strategybot.bots.service import BotNotFound, Bots
from strategybot.conversations import storage
from strategybot.conversations.caller import Caller
from strategybot.conversations.consent import said_in
from strategybot.conversations.hygiene import clean_text
from strategybot.conversations.links import ConversationNotFound, Links, find_owned
from strategybot.conversations.schemas import (
    ConversationDraft,
    ConversationPage,
    ConversationSummary,
    ConversationView,
    MessageView,
    Role,
    TurnView,
    WelcomeView,
)
from strategybot.conversations.turn.calls import Calls, Journal
from strategybot.conversations.turn.heartbeat import Heartbeat
from strategybot.conversations.turn.interruptions import OpenText, interrupt
from strategybot.conversations.turn.running_turns import Interrupted, RunningTurns
from strategybot.conversations.turn.turns import Answer, Emit, Question, Surface, Turn
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import Conflict, Refused
from strategybot.kit.identifiers import is_id, new_id
from strategybot.kit.limits import RollingLimit
from strategybot.kit.paging import Paging, page_fields
from strategybot.kit.threads import run_blocking
from strategybot.runs.leases import Leases

CHATS_OF_A_VISITOR = 50
CHATS_BEFORE_THE_WARNING = 40
MOST_MESSAGES_SHOWN = 200
TURNS_REMEMBERED = 30
LONGEST_TITLE = 60


class StillAnswering(Conflict):
    message = "I am still answering your last message. Please wait a moment."


class TooManyChats(Refused):
    def __init__(self) -> None:
        super().__init__(
            f"Without an account you can send {CHATS_OF_A_VISITOR} messages.",
            "Sign up for a free account to go on; everything you made comes along.",
        )


class TooManyConversations(Refused):
    def __init__(self, limit: int) -> None:
        super().__init__(
            f"You have {limit} conversations, and cannot have more.",
            "Delete conversations that you no longer need, then begin a new one.",
        )


class Assistant(Protocol):
    async def answer(self, question: Question, calls: Calls, emit: Emit) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Admitted:
    question: Question
    remaining: int | None


@dataclass(frozen=True, slots=True)
class ChatRateLimits:
    """The rate limits of chat messages. None means that only the limit of everyone together applies."""

    everyone: RollingLimit
    owner: RollingLimit | None = None
    """Of one account or visitor."""
    visitors: RollingLimit | None = None
    """Of all visitors together."""
    visitors_of_address: RollingLimit | None = None
    """Of all visitors from one client address."""

    def admit(self, session: Session, principal: Principal, remote_address: str | None) -> None:
        """Count one message in every limit that applies, always in the same order, so that no two wait for each other.

        `remote_address` is the client's address, if it is another machine.
        """
        is_visitor = principal.standing == "anonymous"
        if self.owner is not None:
            self.owner.admit(session, principal.owner_id)
        if is_visitor and remote_address is not None and self.visitors_of_address is not None:
            self.visitors_of_address.admit(session, remote_address)
        if is_visitor and self.visitors is not None:
            self.visitors.admit(session, "visitors")
        self.everyone.admit(session, "everyone")


class Conversations:
    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        bots: Bots,
        links: Links,
        rate_limits: ChatRateLimits,
        assistant: Assistant,
        clock: Clock,
        leases: Leases,
        heartbeat_seconds: float = 10,
    ) -> None:
        self._heartbeat_seconds = heartbeat_seconds
        self._database, self._accounts, self._bots, self._links = database, accounts, bots, links
        self._rate_limits = rate_limits
        self._assistant, self._clock, self._leases = assistant, clock, leases
        self._answering: set[str] = set()
        """The turns that this process answers."""
        self._journal = Journal(database, clock)
        self.running_turns = RunningTurns()

    def begin(self, principal: Principal, draft: ConversationDraft) -> ConversationView:
        if draft.bot_id is not None:
            self._bots.bot(principal, draft.bot_id)
        now = self._clock()
        conversation = storage.Conversation(
            id=new_id(),
            owner_id=principal.owner_id,
            bot_id=draft.bot_id,
            title=draft.title,
            created_at=now,
            updated_at=now,
        )
        with self._database.write() as session:
            self._accounts.lock_owner(session, principal)
            if storage.count_conversations(session, principal.owner_id) >= principal.limits.conversations:
                raise TooManyConversations(principal.limits.conversations)
            if not storage.add(session, conversation):
                raise BotNotFound
        return _view(conversation, [])

    def welcome(self, address: str, draft: ConversationDraft) -> WelcomeView:
        """Begin a conversation for a new visitor, and return it with the visitor's token."""
        if draft.bot_id is not None:
            raise BotNotFound
        token = self._accounts.welcome_visitor(address)
        conversation = self.begin(self._accounts.visitor(token), draft)
        return WelcomeView(**conversation.model_dump(), anonymous_token=token)

    def page(self, principal: Principal, paging: Paging) -> ConversationPage:
        with self._database.read() as session:
            found = storage.page_of_conversations(session, principal.owner_id, paging)
        summaries = [ConversationSummary.model_validate(conversation) for conversation in found.rows]
        return ConversationPage(
            conversations=summaries, total_conversations=found.total, **page_fields(paging, found.total)
        )

    def conversation(self, principal: Principal, conversation_id: str) -> ConversationView:
        with self._database.read() as session:
            return _whole(session, find_owned(session, principal, conversation_id))

    def delete(self, principal: Principal, conversation_id: str) -> None:
        with self._database.write() as session:
            if not is_id(conversation_id) or not storage.delete_conversation(
                session, principal.owner_id, conversation_id
            ):
                raise ConversationNotFound

    def set_bot(self, principal: Principal, conversation_id: str, bot_id: str | None) -> ConversationView:
        self._links.link(principal, conversation_id, bot_id)
        return self.conversation(principal, conversation_id)

    async def chat(
        self,
        principal: Principal,
        defaults: UserSettings,
        conversation_id: str,
        text: str,
        surface: Surface = "api",
        remote_address: str | None = None,
    ) -> Turn:
        """Begin a turn, or raise if it is refused. The turn runs as a task of its own."""
        self.running_turns.refuse_when_closing()
        admitted = await run_blocking(self._admit, principal, defaults, conversation_id, text, surface, remote_address)
        return self.running_turns.begin(lambda emit: self._answer(admitted, emit))

    async def _answer(self, admitted: Admitted, emit: Emit) -> TurnView:
        question, heartbeat = admitted.question, Heartbeat(emit, self._heartbeat_seconds)
        text = OpenText(heartbeat.emit)
        calls = Calls(self._journal, question.caller, text.emit)
        beating = asyncio.create_task(heartbeat.beat())
        try:
            async with self.running_turns.patience():
                answer = await self._assistant.answer(question, calls, text.emit)
        except Interrupted:
            answer = interrupt(question.text, calls, text)
        except BaseException:  # also a cancellation: the conversation must be free again
            await run_blocking(self._finish, admitted, interrupt(question.text, calls, text))
            raise
        finally:
            beating.cancel()
        return await run_blocking(self._finish, admitted, answer)

    def _is_answered(self, session: Session, conversation: storage.Conversation) -> bool:
        """Return whether a living process answers the last message."""
        worker_id = conversation.worker_id
        if worker_id == self._leases.worker_id:
            return conversation.turn_id in self._answering
        return worker_id is not None and self._leases.is_alive(session, worker_id)

    def _admit(
        self,
        principal: Principal,
        defaults: UserSettings,
        conversation_id: str,
        text: str,
        surface: Surface,
        remote_address: str | None,
    ) -> Admitted:
        now = self._clock()
        with ExitStack() as unless_admitted:
            with self._database.write() as session:
                self._accounts.lock_owner(session, principal)
                conversation = find_owned(session, principal, conversation_id, lock=True)
                if self._is_answered(session, conversation):
                    raise StillAnswering
                remaining = self._take_chat(session, principal)
                self._rate_limits.admit(session, principal, remote_address)
                earlier = storage.last_messages(session, conversation_id, 2 * TURNS_REMEMBERED)
                histories = storage.last_histories(session, conversation_id, TURNS_REMEMBERED)
                message = _message(conversation_id, "user", text, self._clock)
                session.add(message)
                conversation.turn_id, conversation.worker_id = message.id, self._leases.worker_id
                self._answering.add(message.id)
                # The turn may be saved although the commit seems to fail; nobody would answer it.
                unless_admitted.callback(self._answering.discard, message.id)
                conversation.updated_at = now
                conversation.title = conversation.title or title_of(text)
            known = _known_facts(earlier)
            caller = Caller(principal, defaults, conversation_id, message.id, said_in(text, known))
            unless_admitted.pop_all()
        return Admitted(Question(caller, text, histories, known, surface), remaining)

    def _take_chat(self, session: Session, principal: Principal) -> int | None:
        """Return how many chats a visitor has left after this one; None for a user."""
        if principal.standing != "anonymous":
            return None
        taken = storage.take_chat(session, principal.owner_id, CHATS_OF_A_VISITOR)
        if taken is None:
            raise TooManyChats
        return CHATS_OF_A_VISITOR - taken

    def _finish(self, admitted: Admitted, answer: Answer) -> TurnView:
        caller = admitted.question.caller
        message = _message(caller.conversation_id, "assistant", answer.content, self._clock)
        message.tool_calls = [call.model_dump(mode="json") for call in answer.tool_calls]
        message.receipts = None if answer.receipts is None else answer.receipts.model_dump()
        message.history = answer.history
        try:
            with self._database.write() as session:
                storage.write_down_outcomes(session, answer.outcomes)
                conversation = storage.end_turn(session, caller.conversation_id, caller.turn_id, message.created_at)
                if conversation is not None:
                    session.add(message)
        finally:
            self._answering.discard(caller.turn_id)
        if conversation is None:  # raised after the transaction, which has saved how the calls ended
            raise ConversationNotFound
        with self._database.read() as session:
            shown = _whole(session, conversation)
        return TurnView(
            message=MessageView.model_validate(message),
            conversation=shown,
            warning=_warning(admitted.remaining),
            remaining_chats=admitted.remaining,
        )


count_conversations = storage.count_conversations
transfer_conversations = storage.transfer
conversation_of_bot = storage.newest_of_bot


def title_of(text: str) -> str | None:
    """Return the first line of the text, cut at a word."""
    line = clean_text(next((line for line in text.splitlines() if line.strip()), ""), 200)
    if len(line) <= LONGEST_TITLE:
        return line or None
    cut = line[:LONGEST_TITLE]
    return (cut.rpartition(" ")[0] or cut) + "…"


def _warning(remaining: int | None) -> str | None:
    if remaining is None or remaining > CHATS_OF_A_VISITOR - CHATS_BEFORE_THE_WARNING:
        return None
    messages = "1 message is" if remaining == 1 else f"{remaining} messages are"
    return f"{messages} left without an account. Sign up for a free account to go on; what you made comes along."


def _message(conversation_id: str, role: Role, content: str, clock: Clock) -> storage.Message:
    return storage.Message(
        id=new_id(),
        conversation_id=conversation_id,
        role=role,
        content=content,
        tool_calls=[],
        receipts=None,
        created_at=clock(),
    )


def _known_facts(messages: list[storage.Message]) -> list[Any]:
    """Return the user's messages and the tool calls with their results, without the assistant's own words."""
    return [
        entry for message in messages for entry in ([message.content] if message.role == "user" else message.tool_calls)
    ]


def _whole(session: Session, conversation: storage.Conversation) -> ConversationView:
    messages = storage.last_messages(session, conversation.id, MOST_MESSAGES_SHOWN)
    return _view(conversation, [MessageView.model_validate(message) for message in messages])


def _view(conversation: storage.Conversation, messages: list[MessageView]) -> ConversationView:
    return ConversationView(**dict(ConversationSummary.model_validate(conversation)), messages=messages)
