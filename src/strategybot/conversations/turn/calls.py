"""The tool calls of one turn: each is journalled before it acts, limited in time and number, and emitted to the client.

The agent's tools and the slash commands both go through here, so that the journal has every act.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

from strategybot.conversations import storage
from strategybot.conversations.caller import Caller
from strategybot.conversations.consent import NEEDS_YES
from strategybot.conversations.hygiene import clean
from strategybot.conversations.schemas import ToolCallView
from strategybot.conversations.turn.turns import Emit
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.errors import AppError
from strategybot.kit.json_object import Json
from strategybot.kit.threads import run_blocking

logger = logging.getLogger("strategybot.conversations")

MOST_CALLS = 40
SECONDS_A_CALL = 60
LONGEST_ARGUMENT = 1000
LONGEST_REASON = 500
LONGEST_NAME = 60
MOST_WRITTEN_AT_ONCE = 100

BEGUN, DONE = "begun", "done"  # the outcomes of a call that goes on, and of one that succeeded


class CallFailed(Exception):
    """The tool failed. The message says why, for the user; `result` says it in data too, for the model."""

    def __init__(self, reason: str, details: Json | None = None) -> None:
        super().__init__(reason)
        self.result: Json = {"error": reason, **(details or {})}


class TooManyCalls(Exception):
    """The turn has made `MOST_CALLS` calls."""


@dataclass(slots=True)
class Call:
    """A call that was begun, and how it ended: `outcome` goes into the journal, `result` to the user."""

    name: str
    arguments: Json
    result: Any = None
    outcome: str = BEGUN

    def view(self) -> ToolCallView:
        return ToolCallView(name=self.name, arguments=self.arguments, result=self.result)


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that the model asks for. The id is the model's own and may not be unique."""

    id: str
    name: str
    arguments: Json


class Journal:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    def write_down(self, caller: Caller, calls: Iterable[tuple[str, Json]]) -> list[str]:
        """Return the ids of the new entries. None are added if the conversation was deleted; then no tool may act."""
        with self._database.write() as session:
            entries = [
                storage.write_down_call(session, caller.conversation_id, caller.turn_id, name, arguments, self._clock())
                for name, arguments in calls
            ]
        return [entry for entry in entries if entry is not None]


class Calls:
    def __init__(self, journal: Journal, caller: Caller, emit: Emit) -> None:
        self.caller = caller
        self.by_id: dict[str, Call] = {}
        self._journal, self._emit = journal, emit
        self._open: list[Asked] = []
        self._never_begun: dict[str, str] = {}

    @property
    def questions(self) -> list[str]:
        """Return the questions of the acts that need the user's yes."""
        results = [call.result for call in self.by_id.values() if isinstance(call.result, dict)]
        return [str(result["error"]) for result in results if NEEDS_YES in result]

    @property
    def made(self) -> list[ToolCallView]:
        """Return the calls that have ended, oldest first."""
        return [call.view() for call in self.by_id.values() if call.outcome != BEGUN]

    @property
    def outcomes(self) -> dict[str, str]:
        """Return how each call ended, by journal entry."""
        return {call_id: call.outcome for call_id, call in self.by_id.items()} | self._never_begun

    def note(self, asked: Iterable[Asked]) -> None:
        """Remember what the model asks for, so that it is journalled even if it is never called."""
        self._open.extend(asked)

    async def make(
        self, name: str, arguments: Json, act: Callable[[], Awaitable[Any]], asked_id: str | None = None
    ) -> Any:
        """Return what the tool answers. Raise `CallFailed` if it fails."""
        arguments = clean(arguments, LONGEST_ARGUMENT)
        call_id = await self._begin(name, arguments)
        self._open = [asked for asked in self._open if asked.id != asked_id]
        try:
            async with asyncio.timeout(SECONDS_A_CALL):
                result = clean(await act(), LONGEST_ARGUMENT)
        except AppError as error:
            raise self._fail(call_id, error.advice, getattr(error, "details", {})) from error
        except TimeoutError as error:
            raise self._fail(call_id, f"It took longer than {SECONDS_A_CALL} seconds.") from error
        except Exception as error:  # the boundary of a tool: a defect in it must not end the conversation
            logger.exception("the tool %s failed", name)
            raise self._fail(call_id, "Something went wrong on our side.") from error
        self._end(call_id, result, DONE)
        self._emit({"type": "tool-output-available", "toolCallId": call_id, "output": result})
        return result

    async def refuse(self, asked_id: str, reason: str) -> None:
        """Journal a call that cannot be made: its tool is unknown or its arguments are invalid."""
        for asked in [asked for asked in self._open if asked.id == asked_id]:
            name, arguments = _name_and_arguments(asked)
            call_id = await self._begin(name, arguments)
            self._open.remove(asked)
            self._fail(call_id, reason)

    async def give_up(self) -> list[str]:
        """Journal the calls that were asked for and never begun, up to a limit; return the names of their tools."""
        written, self._open = self._open[:MOST_WRITTEN_AT_ONCE], []
        if written:
            entries = await run_blocking(self._journal.write_down, self.caller, map(_name_and_arguments, written))
            self._never_begun.update(dict.fromkeys(entries, "failed: The turn ended before it."))
        return [asked.name for asked in written]

    async def _begin(self, name: str, arguments: Json) -> str:
        if len(self.by_id) >= MOST_CALLS:
            raise TooManyCalls
        entries = await run_blocking(self._journal.write_down, self.caller, [(name, arguments)])
        if not entries:
            raise CallFailed("This conversation was deleted.")
        (call_id,) = entries
        self.by_id[call_id] = Call(name, arguments)
        self._emit({"type": "tool-input-available", "toolCallId": call_id, "toolName": name, "input": arguments})
        return call_id

    def _end(self, call_id: str, result: Any, outcome: str) -> None:
        self.by_id[call_id].result, self.by_id[call_id].outcome = result, outcome

    def _fail(self, call_id: str, reason: str, details: Json | None = None) -> CallFailed:
        failure = CallFailed(clean(reason, LONGEST_REASON), clean(details, LONGEST_ARGUMENT))
        self._end(call_id, failure.result, f"failed: {failure}")
        self._emit({"type": "tool-output-error", "toolCallId": call_id, "errorText": str(failure)})
        return failure


def is_failure(result: Any) -> bool:
    """Return whether this is the result of a call that failed. That of a run has a status beside its `error`."""
    return isinstance(result, dict) and isinstance(result.get("error"), str) and "status" not in result


def _name_and_arguments(asked: Asked) -> tuple[str, Json]:
    return clean(asked.name, LONGEST_NAME), clean(asked.arguments, LONGEST_ARGUMENT)
