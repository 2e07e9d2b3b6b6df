"""The last answer, as a follow-up points to it: which parts were said, asked about, or moved on."""

import re
from dataclasses import dataclass, field

from strategybot.conversations.offline.history import Json
from strategybot.conversations.offline.turns.parts import is_alike, is_same, named_parts

LEAD = (  # what opens a retort
    r"(?:(?:no|nope|nah|ok|okay|oops|whoops|oh|hm+|sorry|actually|wait|well|yes|yeah|please|pls|on second thought)"
    r"[\s,.!]+)*"
)
REMOVING = r"(?:remove|delete|scrap|ditch|get rid of|take off|take out|drop|lose)"
JOINT = r"(?:(?:and|now|then|ok|okay|so|please|pls|also|great|cool|nice|actually|no)[\s,.!]+)"


@dataclass(frozen=True)
class Last:
    """What the last answer was about."""

    said: list[Json] = field(default_factory=list)  # parts with what they hold now and held before
    about: str | None = None  # the one part that was asked about
    move: Json = field(default_factory=dict)  # the one drop or rise to buy or sell on
    gone: str | None = None  # the one part that was removed

    def part(self, amount: str) -> str | None:
        """The one part that can take such an amount."""
        found = [each["part"] for each in self.said if each["now"] and is_alike(each["now"], amount)]
        return found[0] if len(found) == 1 else (self.about or self.gone) if not self.said else None

    def holding(self, key: str, amount: str) -> Json | None:
        """The one part that holds the amount now, or was holding it before."""
        found = [each for each in self.said if is_same(each[key] or "", amount)]
        return found[0] if len(found) == 1 else None

    @property
    def only(self) -> Json | None:
        return self.said[0] if len(self.said) == 1 else None


def last_of(memory: Json) -> Last:
    gone = memory.get("gone") or []
    about = memory.get("about") or _asked_back(memory)
    return Last(memory.get("said") or [], about, memory.get("move") or {}, gone[0] if len(gone) == 1 else None)


def _asked_back(memory: Json) -> str | None:
    """The one part of the order that we had a question about."""
    parts = {*named_parts(str((memory.get("pending") or {}).get("text") or ""))}
    return parts.pop() if len(parts) == 1 else None


def replaced(text: str, found: re.Match[str], order: str) -> str:
    return f"{text[: found.start()]}{order}{text[found.end() :]}"
