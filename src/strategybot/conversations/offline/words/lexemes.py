"""The smallest pieces of a message, in their places: numbers, money, addresses, $TAGs, quotations, words and marks."""

import re
from dataclasses import dataclass
from enum import StrEnum

from strategybot.conversations.offline.words.quantities import number_of


class Kind(StrEnum):
    """The letter by which a pattern names the kind of a token."""

    PERCENT = "%"
    MULTIPLE = "×"
    DURATION = "~"
    MONEY = "$"
    NUMBER = "#"
    SHARE = "½"
    RANGE = "↔"
    ADDRESS = "@"
    TAG = "€"
    QUOTED = "«"
    WORD = "w"
    MARK = "."


NUMERIC = frozenset({Kind.PERCENT, Kind.MULTIPLE, Kind.MONEY, Kind.NUMBER, Kind.SHARE, Kind.RANGE})


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str  # as it was written
    value: float = 0
    sign: int = 0  # -1 or 1 where one was written

    @property
    def word(self) -> str:
        return self.text.lower().replace("'", "")


_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}/\d{1,3}|\d+,\d{1,2}(?![\d,])|\d*\.\d+(?:e-?\d+)?|\d+(?:e-\d+)?)"
_TAGGED = "sl|tp|tsl|vol|stop|trail|trailing|target|cooldown|hold|size"  # "trail3" is no name of a token
STRANGE = "‰€£¥₿^°"  # signs that say something of an amount, though nobody here knows what
_LEXEME = re.compile(
    rf"""
      (?P<address>0x[0-9a-fA-F]{{40}}(?:-[a-z0-9_]+)?\b
                | \b(?=\w*\d)(?=\w*[A-Z])[1-9A-HJ-NP-Za-km-z]{{32,44}}(?:-[a-z]+)?\b)
    | (?P<quoted>"[^"]{{1,100}}" | (?<!\w)'[^']{{1,100}}'(?!\w))
    | (?P<money>\$\ ?{_NUMBER}(?:k\b|m\b)?)
    | (?P<tag>\$[A-Za-z][A-Za-z0-9]{{0,14}})
    | (?P<number>(?:(?<![\w.%])[-+]\ ?)?{_NUMBER}(?:k\b)?)
    | (?P<ticker>\b(?!(?:{_TAGGED})\d)[A-Za-z]{{3,8}}\d{{1,2}}(?![\w.%]))
    | (?P<word>[^\W\d_]+(?:'[^\W\d_]+)?|[{STRANGE}])
    | (?P<mark>[-=]>|[<>]=?|[-,.;:!?()\n&×%=/])
    """,
    re.VERBOSE,
)
_SIGNS = {"&": "and", ">": "above", ">=": "above", "<": "below", "<=": "below"}


def lexemes(text: str) -> list[Token]:
    found = [_token(match) for match in _LEXEME.finditer(text)]
    return [token for token in found if token is not None]


def _token(match: re.Match[str]) -> Token | None:
    kind, text = match.lastgroup, match[0]
    if kind == "number":
        value = number_of(text)
        return Token(Kind.NUMBER, text, abs(value), _sign(text))
    if kind == "money":
        return Token(Kind.MONEY, text, number_of(text))
    if kind in ("address", "tag"):
        return Token(Kind(("@", "€")[kind == "tag"]), text)
    if kind == "quoted":
        return Token(Kind.QUOTED, text[1:-1].strip())
    if kind == "mark" and text not in _SIGNS:
        return _mark(text)
    return Token(Kind.WORD, _SIGNS.get(text, text))


def _mark(text: str) -> Token | None:
    if text == "=":
        return None
    return Token(Kind.MARK, "->" if text == "=>" else ";" if text == "\n" else text)


def _sign(text: str) -> int:
    return {"-": -1, "+": 1}.get(text[0], 0)
