"""A message as a line of named items: concepts in capitals, signs for numbers, plain words for the rest.

"Buy when it dumps 5% in an hour" reads `BUY when it DROP % in an ~`, and patterns are written on that.
"""

import re
from dataclasses import dataclass, field, replace
from functools import cache

from strategybot.conversations.offline.words.lexemes import NUMERIC, Kind, Token

UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    text: str
    token: Token | None = None  # of a number, an address, a tag or a quotation
    past: bool = False
    was: str = ""  # the name of what is said to stay

    @property
    def is_number(self) -> bool:
        return self.name in NUMERIC

    @property
    def is_duration(self) -> bool:
        return self.name == Kind.DURATION


@dataclass(frozen=True)
class Line:
    items: tuple[Item, ...]
    text: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", " ".join(item.name for item in self.items))

    def has(self, pattern: str) -> bool:
        return _compiled(pattern).search(self.text) is not None

    def spans(self, pattern: str) -> list[tuple[int, int]]:
        """First and last item of each match."""
        compiled = _compiled(pattern)
        if compiled.search(self.text) is None:
            return []
        found = compiled.finditer(self.text)
        return [(self._index(match.start()), self._index(match.end() - 1)) for match in found if match[0]]

    def _index(self, offset: int) -> int:
        return self.text.count(" ", 0, offset)

    def renamed(self, first: int, last: int, name: str) -> "Line":
        items = list(self.items)
        for position in range(first, last + 1):
            items[position] = replace(items[position], name=name)
        return Line(tuple(items))

    def part(self, first: int, last: int) -> "Line":
        return Line(self.items[first:last])

    @property
    def unknown(self) -> list[str]:
        return [item.text for item in self.items if item.name == UNKNOWN]


def some(words: str) -> str:
    """A pattern of any number of these words, each with a blank before it."""
    return rf"(?: (?:{'|'.join(words.split())}))*"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")
