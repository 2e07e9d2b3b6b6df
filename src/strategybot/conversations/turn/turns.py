"""A turn: one answer, emitted part by part while it is made. It is finished even if the client disconnects.

The parts are those of the Vercel AI UI message stream (version 1): `start`, `text-start`, `text-delta`, `text-end`,
`tool-input-available`, `tool-output-available`, `tool-output-error`, `finish`, a `data-progress` every ten seconds with
what is being done, and a last `data-turn`, which equals the JSON answer.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Literal

from strategybot.conversations.caller import Caller
from strategybot.conversations.schemas import ReceiptsView, ToolCallView, TurnView
from strategybot.kit.errors import AppError

Surface = Literal["web", "terminal", "api"]
OFFLINE = "offline"  # the model name of the offline model, in settings and in histories
Part = dict[str, Any]
Emit = Callable[[Part], None]


@dataclass(frozen=True, slots=True)
class Question:
    """The user's message, and what the assistant may know of earlier turns."""

    caller: Caller
    text: str
    histories: list[str]
    """The last turns as the language model reads them, newest first."""
    known: list[Any]
    """Messages of the user and tool results so far: the sources of the numbers in an answer."""
    surface: Surface = "api"
    """Where the user reads the answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    content: str
    tool_calls: list[ToolCallView] = field(default_factory=list)
    receipts: ReceiptsView | None = None
    history: str | None = None
    outcomes: dict[str, str] = field(default_factory=dict)
    """How each tool call ended, by the id of its journal entry."""


class Turn:
    def __init__(self) -> None:
        self._parts: asyncio.Queue[Part | None] = asyncio.Queue()
        self.task: asyncio.Task[TurnView] | None = None

    def emit(self, part: Part) -> None:
        self._parts.put_nowait(part)

    def begin(self, work: Coroutine[Any, Any, TurnView]) -> asyncio.Task[TurnView]:
        self.task = asyncio.create_task(self._run(work))
        return self.task

    async def outcome(self) -> TurnView:
        """Wait for the end of the turn. Cancelling the wait does not cancel the turn."""
        assert self.task is not None  # noqa: S101  it has begun
        return await asyncio.shield(self.task)

    async def parts(self) -> AsyncIterator[Part]:
        while (part := await self._parts.get()) is not None:
            yield part

    async def _run(self, work: Coroutine[Any, Any, TurnView]) -> TurnView:
        self.emit({"type": "start"})
        try:
            view = await work
        except AppError as error:
            self.emit({"type": "error", "errorText": error.message})
            raise
        except BaseException:  # also a cancellation: the listener must learn that the turn has ended
            self.emit({"type": "error", "errorText": "Internal server error"})
            raise
        else:
            self.emit({"type": "data-turn", "data": view.model_dump(mode="json")})
            return view
        finally:
            self.emit({"type": "finish"})
            self._parts.put_nowait(None)


def tell_text(emit: Emit, part_id: str, text: str) -> None:
    """Emit a complete text."""
    emit({"type": "text-start", "id": part_id})
    emit({"type": "text-delta", "id": part_id, "delta": text})
    emit({"type": "text-end", "id": part_id})
