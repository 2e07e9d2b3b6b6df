"""The agent loop: sends a message to a language model, calls the tools it asks for as the caller, returns an answer.

A turn is limited in time, requests, calls, tokens and size. If it fails, the answer says in one sentence what went
wrong, and what the tools had done by then.
"""

import asyncio
import logging
import traceback
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic_ai import Agent, AgentRunResultEvent, RunContext, UsageLimits, capture_run_messages
from pydantic_ai.exceptions import AgentRunError, ModelAPIError, ModelHTTPError, UsageLimitExceeded
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelResponse,
)
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.settings import ModelSettings

from strategybot.conversations.agent.acts import Acts
from strategybot.conversations.agent.answer_stream import AnswerStream, TooLong
from strategybot.conversations.agent.language_models import failure_said, is_outage
from strategybot.conversations.agent.prompt import INSTRUCTIONS
from strategybot.conversations.agent.responses import ResponseCheck
from strategybot.conversations.agent.telling import reported
from strategybot.conversations.agent.toolset import TurnContext, toolset
from strategybot.conversations.schemas import ToolCallView
from strategybot.conversations.turn.calls import Calls, TooManyCalls
from strategybot.conversations.turn.memory import last_turn, plain_history, remembered
from strategybot.conversations.turn.turns import OFFLINE, Emit, Question
from strategybot.kit.threads import in_thread

logger = logging.getLogger("strategybot.conversations")

LIMITS = UsageLimits(request_limit=8, tool_calls_limit=8)
SECONDS_A_TURN = 60


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    history: str
    model_name: str | None


class AgentLoop:
    def __init__(self, model: Model, acts: Acts, seconds_a_turn: float = SECONDS_A_TURN) -> None:
        self._acts, self._seconds = acts, seconds_a_turn
        self._fallback = model.models[-1] if isinstance(model, FallbackModel) else None
        self._agent = Agent(
            model,
            deps_type=TurnContext,
            instructions=INSTRUCTIONS,
            toolsets=[toolset()],
            model_settings=self._patience,
            capabilities=[ResponseCheck()],
            retries=1,
        )

    async def reply(self, question: Question, calls: Calls, emit: Emit) -> Reply:
        stream = AnswerStream(calls, emit)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._run(question, calls, stream)
        except Exception as error:  # noqa: BLE001  the boundary of the agent: every failure becomes an answer
            stream.say(_apology(error))
        await calls.give_up()
        if done := _done_before(calls.made):
            stream.say(done)
        return Reply(stream.text, plain_history(question.text, stream.text), None)

    async def _run(self, question: Question, calls: Calls, stream: AnswerStream) -> Reply:
        earlier = await in_thread(remembered, question.histories)
        context = TurnContext(self._acts, calls, asyncio.get_running_loop().time() + self._seconds)
        with capture_run_messages() as told:
            try:
                return await self._told(stream, context, earlier, question.text)
            except ModelAPIError as error:
                if self._fallback is None or stream.text.strip() or not is_outage(error):
                    raise
        # The model failed while it was thinking or writing a call. The user has read nothing, so another may start.
        asked = [*earlier, *(message for message in last_turn(told) if not _is_unfinished(message))]
        return await self._told(stream, context, asked, None, self._fallback)

    async def _told(
        self,
        stream: AnswerStream,
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
                    return _reply(stream, last_turn(event.result.all_messages()))
                await stream.follow(event)
        raise AgentRunError("The run ended without a result.")

    def _patience(self, context: RunContext[TurnContext]) -> ModelSettings:
        """Return the timeout of one request with its retries. It leaves time for the offline model."""
        left = context.deps.ends_at - asyncio.get_running_loop().time()
        longest, shortest, kept = self._seconds / 2, self._seconds / 20, self._seconds / 6
        stalls = context.model is not self._fallback
        return ModelSettings(request_timeout=max(shortest, min(longest, left - kept)) if stalls else self._seconds)


def _reply(stream: AnswerStream, messages: list[ModelMessage]) -> Reply:
    names = [message.model_name for message in messages if isinstance(message, ModelResponse)]
    if not stream.text.strip():
        stream.say("I have nothing to say to that. Try `/help`.")
    history = ModelMessagesTypeAdapter.dump_json(messages).decode()
    return Reply(stream.text, history, OFFLINE if OFFLINE in names else next(reversed(names), None))


def _is_unfinished(message: ModelMessage) -> bool:
    return isinstance(message, ModelResponse) and message.state != "complete"


def _apology(error: Exception) -> str:
    """Return the sentence for the user. The error's message is not logged: a provider or a user may have written it."""
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
    """Return what the tools did before the turn failed; an empty text if nothing."""
    done = [reported(call.name, call.result) for call in calls if not _failed(call)]
    if not done:
        return ""
    return "\n".join(["Until then this was done:", *(f"- {line}" for line in done)])


def _failed(call: ToolCallView) -> bool:
    return isinstance(call.result, dict) and set(call.result) == {"error"}
