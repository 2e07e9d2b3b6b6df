"""A message as typed tokens: percent, multiple, duration, money, number, address, $TAG, quoted, word, mark.

"five pct", "5 %" and "half of" come out as numbers; "an hour and a half" as 5400 seconds. Nothing is lost: what is no
number is a word or a mark, in its place.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from strategybot.conversations.offline.quantities import (
    ADJECTIVES,
    FRACTION_WORDS,
    MULTIPLE_WORDS,
    PERCENT_UNITS,
    SPELLED_ONES,
    SPELLED_TENS,
    TIME_UNITS,
    mended_unit,
    number_of,
)
from strategybot.conversations.offline.spelling import plainly


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


FINEST = 60  # "1 day 30m" is one duration, "1 week 15m" are two
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
_LEXEME = re.compile(
    rf"""
      (?P<address>0x[0-9a-fA-F]{{40}}(?:-[a-z0-9_]+)?\b
                | \b(?=\w*\d)(?=\w*[A-Z])[1-9A-HJ-NP-Za-km-z]{{32,44}}(?:-[a-z]+)?\b)
    | (?P<quoted>"[^"]{{1,100}}" | (?<!\w)'[^']{{1,100}}'(?!\w))
    | (?P<money>\$\ ?{_NUMBER}(?:k\b|m\b)?)
    | (?P<tag>\$[A-Za-z][A-Za-z0-9]{{0,14}})
    | (?P<number>(?:(?<![\w.%])[-+]\ ?)?{_NUMBER}(?:k\b)?)
    | (?P<ticker>\b(?!(?:sl|tp|tsl|vol|stop)\d)[A-Za-z]{{3,8}}\d{{1,2}}(?![\w.%]))
    | (?P<word>[^\W\d_]+(?:'[^\W\d_]+)?)
    | (?P<mark>->|[<>]=?|[-,.;:!?()\n&×%=/])
    """,
    re.VERBOSE,
)
_SIGNS = {"&": "and", "->": "to", ">": "above", ">=": "above", "<": "below", "<=": "below"}


def tokens(text: str) -> list[Token]:
    lexemes = [_token(match) for match in _LEXEME.finditer(plainly(text))]
    return _with_units(_with_spelled_numbers([token for token in lexemes if token is not None]))


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
        return None if text in "=" else Token(Kind.MARK, ";" if text == "\n" else text)
    return Token(Kind.WORD, _SIGNS.get(text, text))


def _sign(text: str) -> int:
    return {"-": -1, "+": 1}.get(text[0], 0)


def _with_spelled_numbers(given: list[Token]) -> list[Token]:
    """ "twenty five" as 25, "two and a half" as 2.5."""
    result: list[Token] = []
    for position, token in enumerate(given):
        before = result[-1] if result else None
        if token.kind is not Kind.WORD or _is_pronoun(given, position):
            result.append(token)
        elif token.word in SPELLED_TENS or token.word in SPELLED_ONES:
            value = SPELLED_TENS.get(token.word) or SPELLED_ONES[token.word]
            if before and before.kind is Kind.NUMBER and before.word in SPELLED_TENS and value < 10:
                result[-1] = replace(before, text=f"{before.text} {token.text}", value=before.value + value)
            else:
                result.append(Token(Kind.NUMBER, token.text, value))
        elif token.word == "half" and _ends(result, "and", "a") and len(result) > 2 and result[-3].kind is Kind.NUMBER:
            result[-3:] = [replace(result[-3], value=result[-3].value + 0.5)]
        else:
            result.append(token)
    return result


def _is_pronoun(given: list[Token], position: int) -> bool:
    """The one of "either one" and "one of them" counts nothing."""
    if given[position].word != "one":
        return False
    before = given[position - 1].word if position else ""
    after = given[position + 1].word if position + 1 < len(given) else ""
    return before in ("either", "any", "another", "this", "that", "which", "each", "new", "last", "old") or after in (
        "of",
        "alone",
    )


def _ends(result: list[Token], *words: str) -> bool:
    return [token.word for token in result[-len(words) :]] == list(words)


def _with_units(given: list[Token]) -> list[Token]:
    result: list[Token] = []
    position = 0
    while position < len(given):
        token, used = _quantity(given, position)
        position += used
        if token.kind is Kind.DURATION and _continues(result, token):
            token = replace(token, text=f"{result[-1].text} {token.text}", value=result[-1].value + token.value)
            result.pop()
        elif token.kind in NUMERIC and _ranges(result):
            result[-2:] = [Token(Kind.RANGE, f"{result[-2].text}-{token.text}")]
            continue
        result.append(token)
    return [token for token in result if token.text != "-"]


def _continues(result: list[Token], token: Token) -> bool:
    """1h 30m, 1 hour and 30 minutes: one duration."""
    if result and result[-1].word == "and" and len(result) > 1 and result[-2].kind is Kind.DURATION:
        if token.value < result[-2].value and token.value < 3600:
            result.pop()
            return True
        return False
    if not result or result[-1].kind is not Kind.DURATION:
        return False
    return token.value < result[-1].value < FINEST * token.value


def _ranges(result: list[Token]) -> bool:
    return len(result) > 1 and result[-1].text == "-" and result[-2].kind in NUMERIC


def _quantity(given: list[Token], position: int) -> tuple[Token, int]:
    """The token at the position together with its unit, and how many tokens that took."""
    token = given[position]
    following = [item.word for item in given[position + 1 : position + 4]] + ["", "", ""]
    if token.kind is Kind.NUMBER:
        return _number_with_unit(token, following)
    if token.kind is Kind.WORD:
        return _worded(token, following, given[position - 1].word if position else "")
    return token, 1


def _number_with_unit(token: Token, following: list[str]) -> tuple[Token, int]:
    skipped = 1 if following[0] == "-" and following[1] in TIME_UNITS else 0
    unit = mended_unit(following[skipped])
    if unit in ("a", "of") and following[1] in ("percent", "pct"):  # "half a percent", spelled
        skipped, unit = 1, following[1]
    if unit in PERCENT_UNITS:
        more = 1 if unit == "percentage" or following[skipped : skipped + 2] == ["per", "cent"] else 0
        return replace(token, kind=Kind.PERCENT, value=token.value * PERCENT_UNITS[unit]), 2 + skipped + more
    if following[:2] == ["per", "cent"]:
        return replace(token, kind=Kind.PERCENT), 3
    if unit in ("x", "×", "times", "fold"):
        return replace(token, kind=Kind.MULTIPLE), 2 + skipped
    if unit in TIME_UNITS and not (unit == "m" and token.text.startswith("$")):
        return replace(token, kind=Kind.DURATION, value=token.value * TIME_UNITS[unit]), 2 + skipped
    if unit in ("usd", "dollar", "dollars", "bucks", "usdt", "usdc"):
        return replace(token, kind=Kind.MONEY), 2
    if unit in ("cent", "cents", "¢"):
        return replace(token, kind=Kind.MONEY, value=token.value / 100), 2
    return token, 1


_BEFORE_UNIT = frozenset(
    {
        "a",
        "an",
        "the",
        "last",
        "past",
        "per",
        "each",
        "every",
        "one",
        "previous",
        "this",
        "single",
        "full",
        "whole",
        "entire",
    }
)


_IMPLIED = {("percent", "a"): Token(Kind.PERCENT, "1%", 1.0)} | {
    ("quarter", before): Token(Kind.DURATION, "1 quarter", 90 * TIME_UNITS["day"])
    for before in ("last", "past", "previous")
}


def _worded(token: Token, following: list[str], before: str) -> tuple[Token, int]:
    word = token.word
    if word in ("half", "couple"):
        measured = _part_of_unit(word, following)
        if measured is not None:
            return measured
    if word in TIME_UNITS and before in _BEFORE_UNIT and len(word) > 2 and word != "second" and not word.endswith("s"):
        more, used = (0.5, 4) if following[:3] == ["and", "a", "half"] else (0.0, 1)
        return Token(Kind.DURATION, f"{1 + more:g} {word}", (1 + more) * TIME_UNITS[word]), used
    if (word, before) in _IMPLIED:
        return _IMPLIED[word, before], 1
    if word in ADJECTIVES:
        return Token(Kind.DURATION, f"1 {word}", ADJECTIVES[word]), 1
    if word in MULTIPLE_WORDS:
        return Token(Kind.MULTIPLE, token.text, MULTIPLE_WORDS[word]), 1
    if word in FRACTION_WORDS:
        return Token(Kind.SHARE, token.text, FRACTION_WORDS[word]), 1
    return token, 1


def _part_of_unit(word: str, following: list[str]) -> tuple[Token, int] | None:
    """Half an hour, a couple of days, half a percent."""
    if word == "couple":
        if following[0] == "of" and following[1] in TIME_UNITS:
            return Token(Kind.DURATION, f"2 {following[1]}", 2 * TIME_UNITS[following[1]]), 3
        return None
    if following[0] in PERCENT_UNITS:
        return Token(Kind.PERCENT, "0.5%", 0.5), 2
    if following[0] in ("a", "an") and following[1] in PERCENT_UNITS:
        return Token(Kind.PERCENT, "0.5%", 0.5), 3
    if following[0] in ("a", "an") and following[1] in TIME_UNITS and len(following[1]) > 1:
        return Token(Kind.DURATION, f"0.5 {following[1]}", TIME_UNITS[following[1]] / 2), 3
    return None
