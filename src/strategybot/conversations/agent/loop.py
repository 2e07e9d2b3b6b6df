"""The agent loop: one message in, tools called as the caller, an answer out, whatever the model does.

A turn ends within its bounds of time, requests, calls, tokens and sizes. A failure is an answer too: it says in one
sentence what went wrong, and what had been done by then, which stays done.
"""

import asyncio
import logging
import traceback
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic_ai import Agent, AgentRunResultEvent, AgentStreamEvent, RunContext, UsageLimits, capture_run_messages
from pydantic_ai.exceptions import AgentRunError, ModelAPIError, ModelHTTPError, UsageLimitExceeded
from pydantic_ai.messages import (
    FunctionToolCallEvent,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelResponse,
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
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.settings import ModelSettings

from strategybot.conversations.agent.acts import Acts
from strategybot.conversations.agent.language_models import failure_said, is_outage
from strategybot.conversations.agent.prompt import INSTRUCTIONS
from strategybot.conversations.agent.responses import Reading
from strategybot.conversations.agent.telling import reported
from strategybot.conversations.agent.toolset import TurnContext, toolset
from strategybot.conversations.hygiene import without_controls
from strategybot.conversations.schemas import ToolCallView
from strategybot.conversations.turn.calls import Calls, TooManyCalls
from strategybot.conversations.turn.memory import last_turn, plain_history, remembered
from strategybot.conversations.turn.turns import OFFLINE, Emit, Question
from strategybot.kit.threads import in_thread

logger = logging.getLogger("strategybot.conversations")

LIMITS = UsageLimits(request_limit=8, tool_calls_limit=8)
SECONDS_A_TURN = 60
LONGEST_ANSWER = 12_000
LONGEST_ARGUMENTS = 20_000
MOST_UNSEEN = 200_000


class TooLong(Exception):
    """The model writes more than anybody would read."""


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    history: str
    model_name: str | None


class AgentLoop:
    def __init__(self, model: Model, acts: Acts, seconds_a_turn: float = SECONDS_A_TURN) -> None:
        self._acts, self._seconds = acts, seconds_a_turn
        self._understudy = model.models[-1] if isinstance(model, FallbackModel) else None
        self._agent = Agent(
            model,
            deps_type=TurnContext,
            instructions=INSTRUCTIONS,
            toolsets=[toolset()],
            model_settings=self._patience,
            capabilities=[Reading()],
            retries=1,
        )

    async def reply(self, question: Question, calls: Calls, emit: Emit) -> Reply:
        script = Script(calls, emit)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._run(question, calls, script)
        except Exception as error:  # noqa: BLE001  the edge of the agent: whatever a model does, there is an answer
            script.say(_apology(error))
        await calls.give_up()
        if done := _done_before(calls.made):
            script.say(done)
        return Reply(script.text, plain_history(question.text, script.text), None)

    async def _run(self, question: Question, calls: Calls, script: "Script") -> Reply:
        earlier = await in_thread(remembered, question.histories)
        context = TurnContext(self._acts, calls, asyncio.get_running_loop().time() + self._seconds)
        with capture_run_messages() as told:
            try:
                return await self._told(script, context, earlier, question.text)
            except ModelAPIError as error:
                if self._understudy is None or script.text.strip() or not is_outage(error):
                    raise
        # It had begun to think or to write a call. As long as nobody has read a word, another may begin anew.
        asked = [*earlier, *(message for message in last_turn(told) if not _is_unfinished(message))]
        return await self._told(script, context, asked, None, self._understudy)

    async def _told(
        self,
        script: "Script",
        context: TurnContext,
        earlier: list[ModelMessage],
        asked: str | None,
        model: Model | None = None,
    ) -> Reply:
        async with self._agent.run_stream_events(
            asked, message_history=earlier, deps=context, usage_limits=LIMITS, model=model
        ) as events:
            async for event in events:
                if isinstance(event, AgentRunResultEvent):
                    return _reply(script, last_turn(event.result.all_messages()))
                await script.follow(event)
        raise AgentRunError("The run ended without a result.")

    def _patience(self, context: RunContext[TurnContext]) -> ModelSettings:
        """For one request, retries included: when a model stalls, there is time left for the offline one."""
        left = context.deps.ends_at - asyncio.get_running_loop().time()
        longest, shortest, kept = self._seconds / 2, self._seconds / 20, self._seconds / 6
        stalls = context.model is not self._understudy
        return ModelSettings(request_timeout=max(shortest, min(longest, left - kept)) if stalls else self._seconds)


class Script:
    """The answer as it grows: told part by part, and kept."""

    def __init__(self, calls: Calls, emit: Emit) -> None:
        self.text = ""
        self._calls, self._emit, self._parts, self._open, self._unseen = calls, emit, 0, False, 0

    def say(self, text: str) -> None:
        """A part of its own, in our own words."""
        self._begin()
        self._add(text)
        self._end()

    async def follow(self, event: AgentStreamEvent) -> None:
        match event:
            case PartStartEvent(part=TextPart(content=content)):
                self._begin()
                self._grow(content)
            case PartDeltaEvent(delta=TextPartDelta(content_delta=content)):
                self._grow(content)
            case PartEndEvent(part=TextPart()):
                self._end()
            case FunctionToolCallEvent(part=call, args_valid=False):
                await self._calls.refused(call.tool_call_id, "The model called it wrongly.")
            case _:
                self._bear(event)

    def _begin(self) -> None:
        self._end()
        self._parts, self._open = self._parts + 1, True
        self._emit({"type": "text-start", "id": str(self._parts)})
        if self.text:
            self._add("\n\n")

    def _grow(self, text: str) -> None:
        room = LONGEST_ANSWER - len(self.text)
        self._add(without_controls(text[:room]))
        if len(text) > room:
            raise TooLong

    def _bear(self, event: AgentStreamEvent) -> None:
        """Arguments and thoughts are not shown, but they fill the memory: a model may not go on with them for ever."""
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


def _reply(script: Script, messages: list[ModelMessage]) -> Reply:
    names = [message.model_name for message in messages if isinstance(message, ModelResponse)]
    if not script.text.strip():
        script.say("I have nothing to say to that. Try `/help`.")
    history = ModelMessagesTypeAdapter.dump_json(messages).decode()
    return Reply(script.text, history, OFFLINE if OFFLINE in names else next(reversed(names), None))


def _is_unfinished(message: ModelMessage) -> bool:
    return isinstance(message, ModelResponse) and message.state != "complete"


def _weight(call: ToolCallPart) -> int:
    return len(call.args_as_json_str()) + len(call.tool_name) + len(call.tool_call_id)


def _apology(error: Exception) -> str:
    """What an error says is in no log either: it may be what a provider or a user wrote."""
    match error:
        case TooManyCalls() | UsageLimitExceeded():
            return "I stop here: that took more steps than one message may take. Please ask for less at once."
        case TimeoutError():
            return "I stop here: that took too long. Please try again, or ask for less at once."
        case TooLong():
            return "I stop here: the answer became too long."
        case ModelAPIError():
            status = error.status_code if isinstance(error, ModelHTTPError) else None
            logger.warning("the language model failed: %s", type(error).__name__, extra={"status": status})
            return failure_said(error)
        case _:
            where = "".join(traceback.format_tb(error.__traceback__))
            logger.warning("a turn failed: %s", type(error).__name__, extra={"where": where})
            return "I could not finish this answer. Please try again, perhaps in other words."


def _done_before(calls: Sequence[ToolCallView]) -> str:
    """What stays done although the turn broke off; empty when nothing was."""
    done = [reported(call.name, call.result) for call in calls if not _failed(call)]
    if not done:
        return ""
    return "\n".join(["Until then this was done:", *(f"- {line}" for line in done)])


def _failed(call: ToolCallView) -> bool:
    return isinstance(call.result, dict) and set(call.result) == {"error"}
