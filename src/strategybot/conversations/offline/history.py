"""The history as a plan sees it: the last message, what the tools have done since, and what is remembered."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_core import to_jsonable_python

from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.turn.turns import OFFLINE

Json = dict[str, Any]


@dataclass(frozen=True)
class Call:
    name: str
    arguments: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """What a tool gave back, or the sentence with which it failed."""

    call: Call
    content: Any = None
    failure: str | None = None

    @property
    def facts(self) -> Json:
        return self.content if isinstance(self.content, dict) else {}

    @property
    def has_bot(self) -> bool:
        """Of a strategy that was read: whether there is a bot to which it could belong."""
        return self.failure is None and bool(self.facts.get("bot"))

    @property
    def rows(self) -> list[Json]:
        return [row for row in self.content if isinstance(row, dict)] if isinstance(self.content, list) else []


@dataclass(frozen=True)
class Turn:
    text: str
    done: list[Outcome]
    foreign: bool  # another model began this turn
    memory: Json  # what the last answer left behind: a pending question, a topic
    last_test: Json  # the arguments of the last backtest
    last_token: Json  # the token and the chain that the last run was given
    tools: dict[str, frozenset[str]]  # each tool with the arguments it takes
    grammar: Grammar
    symbols: dict[str, str] = field(default_factory=dict)  # of the tokens that were found, by address

    def remembering(self, more: Json) -> "Turn":
        return replace(self, memory={**self.memory, **more})


def turn_of(messages: list[ModelMessage], tools: dict[str, frozenset[str]], grammar: Grammar) -> Turn:
    start = next((number for number in reversed(range(len(messages))) if _prompt(messages[number]) is not None), 0)
    current, earlier = messages[start:], messages[:start]
    responses = [message for message in current if isinstance(message, ModelResponse)]
    return Turn(
        text=_prompt(messages[start]) or "" if messages else "",
        done=_outcomes(current),
        foreign=any(response.model_name != OFFLINE and _calls(response) for response in responses),
        memory=_memory(earlier) | {"simulating": _is_simulating(earlier)},
        last_test=_last_test(earlier),
        last_token=_last_token(earlier),
        tools=tools,
        grammar=grammar,
        symbols=_symbols(messages),
    )


def _prompt(message: ModelMessage) -> str | None:
    if not isinstance(message, ModelRequest):
        return None
    contents = [part.content for part in message.parts if isinstance(part, UserPromptPart)]
    if not contents:
        return None
    return " ".join(
        content if isinstance(content, str) else " ".join(item for item in content if isinstance(item, str))
        for content in contents
    )


def _calls(response: ModelResponse) -> list[ToolCallPart]:
    return [part for part in response.parts if isinstance(part, ToolCallPart)]


def _outcomes(messages: list[ModelMessage]) -> list[Outcome]:
    asked = {
        part.tool_call_id: part
        for message in messages
        if isinstance(message, ModelResponse)
        for part in _calls(message)
    }
    returned = [
        part
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]
    return [_outcome(asked.get(part.tool_call_id), part) for part in returned]


def _outcome(asked: ToolCallPart | None, part: ToolReturnPart) -> Outcome:
    call = Call(part.tool_name, asked.args_as_dict() if asked else {})
    content = to_jsonable_python(part.content)
    if part.outcome == "success":
        return Outcome(call, content)
    return Outcome(call, failure=content if isinstance(content, str) else "It did not work.")


def _memory(earlier: list[ModelMessage]) -> Json:
    """Of the last answer alone: a question is open until the next word."""
    last = next((message for message in reversed(earlier) if isinstance(message, ModelResponse)), None)
    memory = (last.metadata or {}).get(OFFLINE) if last is not None else None
    return memory if isinstance(memory, dict) else {}


def _symbols(messages: list[ModelMessage]) -> dict[str, str]:
    found = [row for outcome in _outcomes(messages) if outcome.call.name == "search_tokens" for row in outcome.rows]
    known = [(str(row["token_id"]), str(row["symbol"])) for row in found if row.get("token_id") and row.get("symbol")]
    return {token_id.rpartition("-")[0]: symbol for token_id, symbol in known}


def _last_test(earlier: list[ModelMessage]) -> Json:
    return next(_runs(earlier, ("run_backtest",)), {})


def _last_token(earlier: list[ModelMessage]) -> Json:
    """What a later run may go on with when neither it nor the bot names a token."""
    for arguments in _runs(earlier, ("run_backtest", "start_simulation")):
        if arguments.get("token"):
            return {key: arguments[key] for key in ("token", "chain") if arguments.get(key)}
    return {}


def _is_simulating(earlier: list[ModelMessage]) -> bool:
    """Whether this conversation has started a simulation, and has not ended it since."""
    named = ("start_simulation", "stop_simulation")
    ended = [outcome for outcome in _outcomes(earlier) if outcome.call.name in named and outcome.failure is None]
    return bool(ended) and ended[-1].call.name == "start_simulation"


def _runs(earlier: list[ModelMessage], tools: tuple[str, ...]) -> Iterator[Json]:
    """The arguments of the runs that were asked for, the last one first."""
    for message in reversed(earlier):
        if isinstance(message, ModelResponse):
            yield from (part.args_as_dict() for part in _calls(message) if part.tool_name in tools)
