"""What a plan knows of the conversation, and its two kinds of steps: call a tool, or say something and end."""

from collections.abc import Collection, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.questions import NeedsClarification
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
