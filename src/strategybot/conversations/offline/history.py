"""The history of a conversation for a plan, and its two kinds of steps: call a tool, or say something and end."""

from collections.abc import Collection, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolReturnPart, UserPromptPart
from pydantic_core import to_jsonable_python

from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.questions import NeedsClarification
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


Found = TypeVar("Found")
Finding = Generator[Call, Outcome, Found]  # what is found out by calling tools
Plan = Finding[Say]


def calling(tool: str, hint: str = "", pending: Json | None = None, /, **arguments: object) -> Finding[Outcome]:
    """Call a tool once. Raise `NeedsClarification` if it fails: with the words of the tool, and a hint."""
    outcome = yield Call(tool, arguments)
    if outcome.failure is not None:
        raise NeedsClarification(f"{outcome.failure} {hint}".rstrip(), pending)
    return outcome


def asking(question: NeedsClarification, said: str = "") -> Say:
    """Ask, and keep how an answer completes the message. A value is also read as said of the part it was asked for."""
    pending = question.pending
    if "part" in pending:
        return Say(said + question.text, {"last": {"part": pending["part"]}, "pending": fill("make it {answer}")})
    return Say(said + question.text, {"pending": pending} if pending else {})


def fill(order: str) -> Json:
    """Return what makes the next message the missing part of an order."""
    return {"kind": "fill", "order": order}


@dataclass(frozen=True)
class Turn:
    text: str
    done: list[Outcome]
    foreign: bool  # another model began this turn
    memory: Json  # what the last answer left behind: a question, a topic, the last change, token and test
    tools: Collection[str]
    grammar: Grammar


def turn_of(messages: list[ModelMessage], tools: Collection[str], grammar: Grammar) -> Turn:
    start = max((number for number, message in enumerate(messages) if _prompt(message)), default=0)
    earlier, current = messages[:start], messages[start:]
    left = next(((answer.metadata or {}).get(OFFLINE) for answer in reversed(_responses(earlier))), None)
    return Turn(
        text=_prompt(messages[start]) if messages else "",
        done=_outcomes(current),
        foreign=any(response.model_name != OFFLINE and response.tool_calls for response in _responses(current)),
        memory=left if isinstance(left, dict) else {},
        tools=tools,
        grammar=grammar,
    )


def _responses(messages: list[ModelMessage]) -> list[ModelResponse]:
    return [message for message in messages if isinstance(message, ModelResponse)]


def _prompt(message: ModelMessage) -> str:
    contents = [part.content for part in message.parts if isinstance(part, UserPromptPart)]
    items = [item for content in contents for item in ([content] if isinstance(content, str) else content)]
    return " ".join(item for item in items if isinstance(item, str))


def _outcomes(messages: list[ModelMessage]) -> list[Outcome]:
    asked = {part.tool_call_id: part.args_as_dict() for each in _responses(messages) for part in each.tool_calls}
    outcomes = []
    for part in (part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)):
        content, is_done = to_jsonable_python(part.content), part.outcome == "success"
        failure = None if is_done else content if isinstance(content, str) else "It did not work."
        call = Call(part.tool_name, asked.get(part.tool_call_id, {}))
        outcomes.append(Outcome(call, content if is_done else None, failure))
    return outcomes
