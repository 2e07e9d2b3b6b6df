"""The answer of a language model while it is written: its text for the user, and limits on its size."""

from pydantic_ai import AgentStreamEvent
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    PartDeltaEvent,
    PartEndEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)

from strategybot.conversations.agent.thoughts import ThoughtFilter
from strategybot.conversations.hygiene import without_controls
from strategybot.conversations.turn.calls import Calls
from strategybot.conversations.turn.turns import Emit

LONGEST_ANSWER = 12_000
LONGEST_ARGUMENTS = 20_000
MOST_UNSEEN = 200_000


class TooLong(Exception):
    """The model wrote more than the limits allow."""


class AnswerStream:
    """Emits an answer part by part, keeps its text, and raises `TooLong` past its limits."""

    def __init__(self, calls: Calls, emit: Emit) -> None:
        self.text = ""
        self._calls, self._emit, self._parts, self._open, self._unseen = calls, emit, 0, False, 0
        self._thoughts, self._part_begins_at = ThoughtFilter(), 0

    def say(self, text: str) -> None:
        """Add a text part that no model wrote."""
        self._begin()
        self._add(text)
        self._end()

    async def follow(self, event: AgentStreamEvent) -> None:
        match event:
            case PartStartEvent(part=TextPart(content=content)):
                self._end()
                self._thoughts = ThoughtFilter()
                self._grow(content)
            case PartDeltaEvent(delta=TextPartDelta(content_delta=content)):
                self._grow(content)
            case PartEndEvent(part=TextPart()):
                self._show(self._thoughts.end())
                self._end()
            case FunctionToolCallEvent(part=call, args_valid=False):
                await self._calls.refuse(call.tool_call_id, "The model called it wrongly.")
            case _:
                self._count(event)

    def _begin(self) -> None:
        self._end()
        self._parts, self._open, self._part_begins_at = self._parts + 1, True, len(self.text)
        self._emit({"type": "text-start", "id": str(self._parts)})
        if self.text:
            self._add("\n\n")

    def _grow(self, text: str) -> None:
        self._unseen += len(text)
        shown = self._thoughts.take(text)
        if self._thoughts.retracts and self._open:
            self.text = self.text[: self._part_begins_at]
            self._end()
        self._show(shown)
        self._check_unseen()

    def _show(self, text: str) -> None:
        if text and not self._open:
            self._begin()
        room = LONGEST_ANSWER - len(self.text)
        self._add(without_controls(text[:room]))
        if len(text) > room:
            raise TooLong

    def _count(self, event: AgentStreamEvent) -> None:
        """Count arguments and thoughts: they are not shown, but a model that does not stop would fill the memory."""
        match event:
            case PartStartEvent(part=ToolCallPart() as call):
                self._unseen += _weight(call)
            case PartEndEvent(part=ToolCallPart() as call) if _weight(call) > LONGEST_ARGUMENTS:
                raise TooLong
            case PartStartEvent(part=ThinkingPart(content=unseen)):
                self._unseen += len(unseen)
            case PartDeltaEvent(
                delta=ToolCallPartDelta(args_delta=str(unseen)) | ThinkingPartDelta(content_delta=str(unseen))
            ):
                self._unseen += len(unseen)
        self._check_unseen()

    def _check_unseen(self) -> None:
        if self._unseen > MOST_UNSEEN:
            raise TooLong

    def _add(self, text: str) -> None:
        if text:
            self.text += text
            self._emit({"type": "text-delta", "id": str(self._parts), "delta": text})

    def _end(self) -> None:
        if self._open:
            self._emit({"type": "text-end", "id": str(self._parts)})
            self._open = False


def _weight(call: ToolCallPart) -> int:
    return len(call.args_as_json_str()) + len(call.tool_name) + len(call.tool_call_id)
