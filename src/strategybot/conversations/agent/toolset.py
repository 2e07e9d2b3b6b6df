"""The tools as the agent calls them: through the turn's calls, which limit, journal and emit each one."""

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from pydantic_ai import FunctionToolset, RunContext, Tool, ToolFailed
from pydantic_ai.messages import INVALID_JSON_KEY

from strategybot.conversations.agent.limits import TokenMeter, TurnLimits
from strategybot.conversations.agent.tools import CHAT_TOOLS, ToolContext, ToolDefinition, ToolServices, slim
from strategybot.conversations.turn.calls import CallFailed, Calls
from strategybot.conversations.turn.turns import Surface
from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.json_object import Json

RETRIES_A_TOOL = 5  # of arguments that are no JSON; everything else that is wrong is an ordinary result


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What the tools of a turn need: the services, and the calls of this turn, which know the caller."""

    services: ToolServices
    calls: Calls
    limits: TurnLimits
    ends_at: float  # by the clock of the event loop
    surface: Surface
    meter: TokenMeter = field(default_factory=TokenMeter)


@cache
def toolset() -> FunctionToolset[TurnContext]:
    """Return the tools. Calls run one at a time, because one may depend on the one before it."""
    return FunctionToolset([_for_the_agent(each) for each in CHAT_TOOLS], max_retries=RETRIES_A_TOOL, sequential=True)


def _for_the_agent(definition: ToolDefinition) -> Tool[TurnContext]:
    async def make(context: RunContext[TurnContext], /, **given: Any) -> Any:
        calls = context.deps.calls
        work = ToolContext(context.deps.services, calls.caller)
        call = _no_json if INVALID_JSON_KEY in given else definition.call
        try:
            return await calls.make(definition.name, given, lambda: call(work, given), context.tool_call_id)
        except CallFailed as failure:
            choices = slim(failure.result.get("choices"))
            told = (
                json.dumps({"error": str(failure), "choices": choices}, ensure_ascii=False) if choices else str(failure)
            )
            raise ToolFailed(told) from failure

    return Tool.from_schema(
        make, definition.name, definition.description, definition.schema, takes_ctx=True, sequential=True
    )


async def _no_json(_work: ToolContext, _given: Json) -> Any:
    raise InvalidInput([FieldError("arguments", "must be one JSON object with finite numbers")])
