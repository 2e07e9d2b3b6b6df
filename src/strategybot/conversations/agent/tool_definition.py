"""A tool: the function that a language model calls, and how the agent and MCP take it over."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, Literal, get_origin

from strategybot.conversations.agent.acts import SECONDS_TO_WAIT, Acts
from strategybot.conversations.hygiene import clean
from strategybot.kit.json_object import Json

LONGEST_TEXT = 1000


def cleaned(answer: Any) -> Any:
    """Return what a tool answered as JSON, with every text visible, on one line and of a bounded length."""
    return clean(answer, LONGEST_TEXT)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What a tool needs: the acts, and the caller."""

    acts: Acts
    caller: Any  # an `Actor`; a `Caller` in a conversation, which alone can link a bot
    seconds_to_wait: float = SECONDS_TO_WAIT


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool, for the agent of a conversation and for MCP clients."""

    function: Callable[..., Awaitable[Any]]
    effect: Literal["reads", "adds", "changes"]
    """Whether it changes nothing, adds something new, or changes or ends what is there."""
    mcp_name: str | None = None
    """Its name for MCP clients, where that is not the function's; empty where it makes sense in a conversation only."""

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def for_mcp(self) -> str:
        return self.name if self.mcp_name is None else self.mcp_name

    def adapted(self, first: Parameter, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """Return `call` with this tool's signature and documentation, and another first parameter."""
        own = signature(self.function)
        # What a caller gets is the JSON of the facts, made by `cleaned`.
        returned = list[Json] if get_origin(own.return_annotation) is list else Json
        adapted = own.replace(parameters=[first, *list(own.parameters.values())[1:]], return_annotation=returned)
        call.__signature__ = adapted  # type: ignore[attr-defined]  # a function takes one, typeshed knows none
        call.__annotations__ = {each.name: each.annotation for each in adapted.parameters.values()} | {
            "return": returned
        }
        call.__name__, call.__doc__ = self.name, self.function.__doc__
        return call
