"""Who calls, what they may do, and which tools they see."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp.server.mcpserver import Context

from strategybot.conversations.agent.tools import TOOLSETS, Actor, Toolset
from strategybot.kit.errors import FieldError, InvalidInput

ALL_TOOLSETS = frozenset(TOOLSETS)


@dataclass(frozen=True, slots=True)
class Asker:
    """The user who calls a tool. Cancelling the scope ends the call, and with it the run that it waits for."""

    actor: Actor
    may_write: bool
    toolsets: frozenset[Toolset] = ALL_TOOLSETS
    base_url: str = ""
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope, compare=False)


Who = Callable[[Context[Any, Any]], Asker]


def toolsets_in(text: str | None, allowed: Collection[Toolset] = ALL_TOOLSETS) -> frozenset[Toolset]:
    """Return the toolsets that a text such as `read,research` names, as far as they are allowed; all for no text."""
    if not text:
        return frozenset(allowed)
    names = [name.strip() for name in text.split(",")]
    if not set(names) <= ALL_TOOLSETS:
        raise InvalidInput([FieldError("tools", f"must be some of {', '.join(TOOLSETS)}, separated by commas")])
    return frozenset(toolset for toolset in allowed if toolset in names)
