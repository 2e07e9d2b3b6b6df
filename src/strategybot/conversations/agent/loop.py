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

from strategybot.conversations.agent.answer_stream import AnswerStream, TooLong
from strategybot.conversations.agent.language_models import failure_said, is_outage
from strategybot.conversations.agent.limits import TurnLimits
from strategybot.conversations.agent.prompt import SURFACES, instructions
from strategybot.conversations.agent.responses import ResponseCheck
from strategybot.conversations.agent.telling import reported
from strategybot.conversations.agent.tools import ToolServices
from strategybot.conversations.agent.toolset import TurnContext, toolset
from strategybot.conversations.hygiene import clean_text
from strategybot.conversations.schemas import ToolCallView
from strategybot.conversations.turn.calls import MOST_CALLS, Calls, TooManyCalls, is_failure
from strategybot.conversations.turn.memory import history_of, last_turn, remember
from strategybot.conversations.turn.turns import OFFLINE, Emit, Question
from strategybot.kit.threads import run_blocking

logger = logging.getLogger("strategybot.conversations")

RETRIES = 3  # of a call of a tool that does not exist
GO_ON = "Say “go on” and I continue from there."


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    history: str
    model_name: str | None


class AgentLoop:
    def __init__(
        self, model: Model, services: ToolServices, limits: TurnLimits, *, invented_prices: bool = False
    ) -> None:
        self._services, self._limits = services, limits
        self._fallback = model.models[-1] if isinstance(model, FallbackModel) else None
        # One each, because many servers take only one system message, and it must not change.
        self._agents = {
            surface: Agent(
                model,
                deps_type=TurnContext,
                instructions=instructions(surface, invented_prices),
                toolsets=[toolset()],
                model_settings=self._patience,
                capabilities=[ResponseCheck()],
                retries=RETRIES,
            )
            for surface in SURFACES
        }

    async def reply(self, question: Question, calls: Calls, emit: Emit) -> Reply:
        stream = AnswerStream(calls, emit)
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._run(question, calls, stream)
        except Exception as error:  # noqa: BLE001  the boundary of the agent: every failure becomes an answer
            stream.say(_apology(error))
        left = await calls.give_up()
        if account := _account(calls.made, left):
            stream.say(account)
        return Reply(stream.text, history_of(question.text, calls.made, stream.text), None)

    async def _run(self, question: Question, calls: Calls, stream: AnswerStream) -> Reply:
        earlier = await run_blocking(remember, question.histories)
        ends_at = asyncio.get_running_loop().time() + self._limits.seconds
        context = TurnContext(self._services, calls, self._limits, ends_at, question.surface)
        with capture_run_messages() as told:
            try:
                return await self._run_model(stream, context, earlier, question.text)
            except ModelAPIError as error:
                if self._fallback is None or stream.text.strip() or not is_outage(error):
                    raise
        # The model failed while it was thinking or writing a call. The user has read nothing, so another may start.
        asked = [*earlier, *(message for message in last_turn(told) if not _is_unfinished(message))]
        return await self._run_model(stream, context, asked, None, self._fallback)

    async def _run_model(
        self,
        stream: AnswerStream,
        context: TurnContext,
        earlier: list[ModelMessage],
        asked: str | None,
        model: Model | None = None,
    ) -> Reply:
        limits = UsageLimits(request_limit=self._limits.requests, tool_calls_limit=MOST_CALLS)
        async with self._agents[context.surface].run_stream_events(
            asked, message_history=earlier, deps=context, usage_limits=limits, model=model
        ) as events:
            async for event in events:
                if isinstance(event, AgentRunResultEvent):
                    return _reply(stream, last_turn(event.result.all_messages()))
                await stream.follow(event)
        raise AgentRunError("The run ended without a result.")

    def _patience(self, context: RunContext[TurnContext]) -> ModelSettings:
        """Return the timeouts of one request with its retries: to its first token, between two parts, and in all."""
        if context.model is self._fallback:
            return ModelSettings(request_timeout=self._limits.seconds)
        left = context.deps.ends_at - asyncio.get_running_loop().time() - self._limits.seconds_for_the_end
        whole = max(self._limits.seconds / 20, left)
        silence = min(self._limits.first_token_seconds, whole)
        return ModelSettings(request_timeout=whole, first_event_timeout=silence, timeout=silence)


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
            return f"I stop here: that took more steps than one message may take. {GO_ON}"
        case TimeoutError():
            return f"I stop here: that took too long. {GO_ON}"
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


def _account(calls: Sequence[ToolCallView], left: Sequence[str]) -> str:
    """Return what the tools did before the turn ended and what is left to do; an empty text if neither is known."""
    done = [reported(call.name, call.result) for call in calls if not is_failure(call.result)]
    undone = ", ".join(dict.fromkeys(name.replace("_", " ") for name in left))
    lines = ["Until then this was done:", *(f"- {line}" for line in done)] if done else []
    return "\n".join([*lines, *([f"Not done: {clean_text(undone)}."] if undone else [])])
