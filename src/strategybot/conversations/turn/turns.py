"""A turn: one answer in the making, told part by part to whoever listens, finished whether anybody does or not.

The parts are those of the Vercel AI UI message stream (version 1): `start`, `text-start`, `text-delta`, `text-end`,
`tool-input-available`, `tool-output-available`, `tool-output-error`, `finish`, and a last `data-turn`, which has what
the JSON answer has.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from strategybot.conversations.caller import Caller
from strategybot.conversations.schemas import ReceiptsView, ToolCallView, TurnView
from strategybot.kit.errors import AppError

OFFLINE = "offline"  # the model name of the offline model, in settings and in histories
Part = dict[str, Any]
Emit = Callable[[Part], None]


@dataclass(frozen=True, slots=True)
class Question:
    """What the assistant is asked, and what it may know of the turns before."""

    caller: Caller
    text: str
    histories: list[str]
    """Of the last turns as the language model reads them, newest first."""
    known: list[Any]
    """What was said and found before: where the numbers of an answer may come from."""


@dataclass(frozen=True, slots=True)
class Answer:
    content: str
    tool_calls: list[ToolCallView] = field(default_factory=list)
    receipts: ReceiptsView | None = None
    history: str | None = None
    outcomes: dict[str, str] = field(default_factory=dict)
    """By the journal's entry, how each tool call ended."""


class Turn:
    def __init__(self) -> None:
        self._parts: asyncio.Queue[Part | None] = asyncio.Queue()
        self.task: asyncio.Task[TurnView] | None = None

    def emit(self, part: Part) -> None:
        self._parts.put_nowait(part)

    def begin(self, work: Coroutine[Any, Any, TurnView]) -> asyncio.Task[TurnView]:
        self.task = asyncio.create_task(self._told(work))
        return self.task

    async def outcome(self) -> TurnView:
        """Whoever waits for it may go away without ending it."""
        assert self.task is not None  # noqa: S101  it has begun
        return await asyncio.shield(self.task)

    async def parts(self) -> AsyncIterator[Part]:
        while (part := await self._parts.get()) is not None:
            yield part

    async def _told(self, work: Coroutine[Any, Any, TurnView]) -> TurnView:
        self.emit({"type": "start"})
        try:
            view = await work
        except AppError as error:
            self.emit({"type": "error", "errorText": error.message})
            raise
        except BaseException:  # whoever listens is told of every end, and it goes on to whoever waits
            self.emit({"type": "error", "errorText": "Internal server error"})
            raise
        else:
            self.emit({"type": "data-turn", "data": view.model_dump(mode="json")})
            return view
        finally:
            self.emit({"type": "finish"})
            self._parts.put_nowait(None)


def tell_text(emit: Emit, part_id: str, text: str) -> None:
    """A text that is there at once."""
    emit({"type": "text-start", "id": part_id})
    emit({"type": "text-delta", "id": part_id, "delta": text})
    emit({"type": "text-end", "id": part_id})
