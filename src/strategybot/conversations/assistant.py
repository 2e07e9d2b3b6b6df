"""Answers a message: a slash command by its function, anything else by the agent. Then its numbers are looked up."""

from strategybot.conversations.agent.loop import AgentLoop
from strategybot.conversations.commands import Commands, is_command
from strategybot.conversations.receipts.checking import Receipts, check
from strategybot.conversations.schemas import ReceiptsView
from strategybot.conversations.turn.calls import Calls
from strategybot.conversations.turn.memory import history_of
from strategybot.conversations.turn.turns import OFFLINE, Answer, Emit, Question, tell_text
from strategybot.kit.threads import run_blocking

ANSWERED_OFFLINE = "*Answered offline: the language model could not be reached.*"


class Respondent:
    def __init__(self, loop: AgentLoop, commands: Commands, *, has_language_model: bool) -> None:
        self._loop, self._commands, self._has_language_model = loop, commands, has_language_model

    async def answer(self, question: Question, calls: Calls, emit: Emit) -> Answer:
        if is_command(question.text):
            content = await self._commands.answer(question.text, calls)
            tell_text(emit, "1", content)
            history, notes = history_of(question.text, calls.made, content), []
        else:
            reply = await self._loop.reply(question, calls, emit)
            content, history = reply.text, reply.history
            notes = [ANSWERED_OFFLINE] if self._has_language_model and reply.model_name == OFFLINE else []
        # In a thread: looking up the numbers of a long answer in many results would block the event loop.
        receipts = await run_blocking(check, content, [*question.known, question.text, *map(dict, calls.made)])
        return _with_receipts(receipts, calls, emit, content, history, notes)


def _with_receipts(
    receipts: Receipts, calls: Calls, emit: Emit, content: str, history: str, notes: list[str]
) -> Answer:
    # The user must have seen what they are asked, whatever a language model says about it.
    notes = [*notes, *(f"*{question}*" for question in calls.questions if question not in content)]
    if receipts.note is not None:
        notes = [*notes, receipts.note]
    for number, note in enumerate(notes):
        tell_text(emit, f"note-{number}", f"\n\n{note}")
    view = ReceiptsView(checked=receipts.checked, unverified=receipts.unverified) if receipts.checked else None
    return Answer("\n\n".join([content, *notes]), calls.made, view, history, calls.outcomes)
