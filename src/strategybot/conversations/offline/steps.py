"""The two steps a plan can take: call a tool, or say something and be done."""

from collections.abc import Generator
from dataclasses import dataclass, field

from strategybot.conversations.offline.history import Call, Json, Outcome


@dataclass(frozen=True)
class Say:
    text: str
    memory: Json = field(default_factory=dict)  # what the next turn has to know


Plan = Generator[Call, Outcome, Say]
Part = Generator[Call, Outcome, Outcome]


def saying(text: str, memory: Json | None = None) -> Plan:
    yield from ()
    return Say(text, memory or {})


def calling(tool: str, /, **arguments: object) -> Part:
    """One call, without the arguments that nobody gave."""
    outcome = yield Call(tool, {key: value for key, value in arguments.items() if value is not None})
    return outcome
