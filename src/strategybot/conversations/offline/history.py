"""The history of a conversation for a plan, and its two kinds of steps: call a tool, or say something and end."""

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolReturnPart, UserPromptPart
from pydantic_core import to_jsonable_python

from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.turn.turns import OFFLINE
from strategybot.kit.json_object import Json


@dataclass(frozen=True)
class Call:
    name: str
    arguments: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    call: Call
    content: Any = None
    failure: str | None = None

    @property
    def facts(self) -> Json:
        return self.content if isinstance(self.content, dict) else {}

    @property
    def bot(self) -> Json:
        return self.facts.get("bot") or {}

    @property
    def rows(self) -> list[Json]:
        return [row for row in self.content if isinstance(row, dict)] if isinstance(self.content, list) else []


@dataclass(frozen=True)
class Say:
    text: str
    memory: Json = field(default_factory=dict)  # what the next turn has to know


Plan = Generator[Call, Outcome, Say]


def saying(text: str, memory: Json | None = None) -> Plan:
    yield from ()
    return Say(text, memory or {})


def calling(tool: str, /, **arguments: object) -> Generator[Call, Outcome, Outcome]:
    """Call a tool once, without the arguments that nobody gave."""
    outcome = yield Call(tool, {key: value for key, value in arguments.items() if value is not None})
    return outcome


@dataclass(frozen=True)
class Turn:
    text: str
    done: list[Outcome]
    foreign: bool  # another model began this turn
    memory: Json  # what the last answer alone left behind: a pending question, a topic; and if a simulation runs
    last_test: Json  # the arguments of the last backtest
    last_token: Json  # the token and the chain that the last run was given
    tools: Collection[str]
    grammar: Grammar


def turn_of(messages: list[ModelMessage], tools: Collection[str], grammar: Grammar) -> Turn:
    start = max((number for number, message in enumerate(messages) if _prompts(message)), default=0)
    earlier, current = messages[:start], messages[start:]
    before, done = _outcomes(earlier), _outcomes(current)
    tests = _arguments_of(before, "run_backtest")
    return Turn(
        text=" ".join(_prompts(messages[start])) if messages else "",
        done=done,
        foreign=any(response.model_name != OFFLINE and response.tool_calls for response in _responses(current)),
        memory=_memory_left_by(earlier) | {"simulating": _is_simulating(before)},
        last_test=tests[-1] if tests else {},
        last_token=_last_token(before),
        tools=tools,
        grammar=grammar,
    )


def _arguments_of(outcomes: Sequence[Outcome], *tools: str) -> list[Json]:
    return [outcome.call.arguments for outcome in outcomes if outcome.call.name in tools]


def _memory_left_by(earlier: list[ModelMessage]) -> Json:
    """Return what the last answer left for the next message."""
    answers = _responses(earlier)
    left = (answers[-1].metadata or {}).get(OFFLINE) if answers else None
    return left if isinstance(left, dict) else {}


def _is_simulating(before: Sequence[Outcome]) -> bool:
    done = [outcome.call.name for outcome in before if outcome.failure is None]
    return [name for name in done if name in ("start_simulation", "stop_simulation")][-1:] == ["start_simulation"]


def _last_token(before: Sequence[Outcome]) -> Json:
    """Return the token and the chain of the last run that named them."""
    runs = [each for each in _arguments_of(before, "run_backtest", "start_simulation") if each.get("token")]
    return {key: runs[-1][key] for key in ("token", "chain") if runs[-1].get(key)} if runs else {}


def _responses(messages: list[ModelMessage]) -> list[ModelResponse]:
    return [message for message in messages if isinstance(message, ModelResponse)]


def _prompts(message: ModelMessage) -> list[str]:
    contents = [part.content for part in message.parts if isinstance(part, UserPromptPart)]
    items = [[content] if isinstance(content, str) else content for content in contents]
    return [item for each in items for item in each if isinstance(item, str)]


def _outcomes(messages: list[ModelMessage]) -> list[Outcome]:
    asked = {part.tool_call_id: part for response in _responses(messages) for part in response.tool_calls}
    returned = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
    outcomes = []
    for part in returned:
        call = Call(part.tool_name, asked[part.tool_call_id].args_as_dict() if part.tool_call_id in asked else {})
        content, is_done = to_jsonable_python(part.content), part.outcome == "success"
        failure = None if is_done else content if isinstance(content, str) else "It did not work."
        outcomes.append(Outcome(call, content if is_done else None, failure))
    return outcomes
