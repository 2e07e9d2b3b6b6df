"""The running turns of this process. Each is a task of its own, independent of its listener, and can be interrupted."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from strategybot.conversations.schemas import TurnView
from strategybot.conversations.turn.turns import Emit, Turn
from strategybot.kit.errors import ShuttingDown

logger = logging.getLogger("strategybot.conversations")

SECONDS_TO_FINISH = 6  # of the 10 in which the whole service must stop


class Interrupted(Exception):
    """The time for this answer is over."""


class RunningTurns:
    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[TurnView]] = set()
        self._patience: set[asyncio.Timeout] = set()
        self._ends_at: float | None = None

    def refuse_when_closing(self) -> None:
        if self._ends_at is not None:
            raise ShuttingDown

    def begin(self, answer: Callable[[Emit], Coroutine[Any, Any, TurnView]]) -> Turn:
        turn = Turn()
        task = turn.begin(answer(turn.emit))
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return turn

    @asynccontextmanager
    async def patience(self) -> AsyncIterator[None]:
        """Raise `Interrupted` in the body once its time is over."""
        patience = asyncio.timeout_at(self._ends_at)
        try:
            async with patience:
                self._patience.add(patience)
                try:
                    yield
                finally:
                    self._patience.discard(patience)
        except TimeoutError:
            if patience.expired():
                raise Interrupted from None
            raise

    def interrupt(self, seconds: float = 0) -> None:
        """Interrupt all running turns after this many seconds."""
        when = asyncio.get_running_loop().time() + seconds
        while self._patience:
            patience = self._patience.pop()
            if not patience.expired():
                patience.reschedule(when)

    async def close(self, seconds: float = SECONDS_TO_FINISH) -> None:
        async with self.closing(seconds):
            pass

    @asynccontextmanager
    async def closing(self, seconds: float = SECONDS_TO_FINISH) -> AsyncIterator[None]:
        """Refuse new turns in the body, and interrupt running ones after this many seconds. At the end none is left."""
        self._ends_at = asyncio.get_running_loop().time() + seconds
        self.interrupt(seconds)
        try:
            yield
        finally:
            while self._tasks:
                await asyncio.wait(self._tasks)
            self._ends_at = None

    def _forget(self, task: asyncio.Task[TurnView]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            logger.warning("a turn failed: %s", error)  # reading the exception also keeps asyncio from logging it
