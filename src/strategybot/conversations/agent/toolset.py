"""The tools as the agent calls them: through the turn's calls, which limit, journal and emit each one."""

from dataclasses import dataclass
from functools import cache
from inspect import Parameter
from typing import Any

from pydantic_ai import FunctionToolset, RunContext, ToolFailed
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset
from pydantic_core import to_jsonable_python

from strategybot.conversations.agent.acts import Acts
from strategybot.conversations.agent.tools import TOOLS, ToolContext, ToolDefinition
from strategybot.conversations.turn.calls import CallFailed, Calls

RETRIES_A_TOOL = 2


@dataclass(frozen=True, slots=True)
class TurnContext:
    """What the tools of a turn need: the acts, and the calls of this turn, which know the caller."""

    acts: Acts
    calls: Calls
    ends_at: float  # by the clock of the event loop


@dataclass
class Recorded(WrapperToolset[TurnContext]):
    """Makes every call through the turn's calls."""

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[TurnContext], tool: ToolsetTool[TurnContext]
    ) -> Any:
        arguments = to_jsonable_python(tool_args)
        call = super().call_tool
        try:
            return await ctx.deps.calls.make(
                name, arguments, lambda: call(name, tool_args, ctx, tool), ctx.tool_call_id
            )
        except CallFailed as failure:
            raise ToolFailed(str(failure)) from failure


@cache
def toolset() -> Recorded:
    """Return the tools. Calls run one at a time, because one may depend on the one before it."""
    tools = [_for_the_agent(definition) for definition in TOOLS]
    return Recorded(FunctionToolset(tools, max_retries=RETRIES_A_TOOL, sequential=True))


def _for_the_agent(definition: ToolDefinition) -> Any:
    async def call(context: RunContext[TurnContext], **arguments: Any) -> Any:
        return await definition.function(ToolContext(context.deps.acts, context.deps.calls.caller), **arguments)

    first = Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=RunContext[TurnContext])
    return definition.adapted(first, call)
