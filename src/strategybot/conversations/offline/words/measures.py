"""Numbers with their units: "5 pct", "half an hour", "a couple of days", "twice", "a quarter"."""

from dataclasses import replace

from strategybot.conversations.offline.words.lexemes import Kind, Token
from strategybot.conversations.offline.words.plain_words import words_of
from strategybot.conversations.offline.words.quantities import (
    ADJECTIVES,
    FRACTION_WORDS,
    MULTIPLE_WORDS,
    PARTS,
    PERCENT_UNITS,
    TIME_UNITS,
    mended_unit,
)

_BEFORE_UNIT = words_of(
    "a an the last past per each every one previous this single full whole entire same another extra additional"
)
WHOLE = words_of("whole full entire")
_IMPLIED = {("percent", "a"): Token(Kind.PERCENT, "1%", 1.0)} | {
    ("quarter", before): Token(Kind.DURATION, "1 quarter", 90 * TIME_UNITS["day"])
    for before in ("last", "past", "previous")
}
_PARTS_OF = {"quarters": 4, "thirds": 3, "fifths": 5, "tenths": 10}
_DOLLARS = words_of("usd dollar dollars bucks usdt usdc")


def measured(given: list[Token], position: int) -> tuple[Token, int]:
    """The token at the position together with its unit, and how many tokens that took."""
    token = given[position]
    following = [item.word for item in given[position + 1 : position + 5]] + ["", "", "", ""]
    if token.kind is Kind.NUMBER:
        return _number_with_unit(token, following)
    if token.kind is Kind.WORD:
        return _worded(token, following, given[position - 1].word if position else "")
    return token, 1


def _number_with_unit(token: Token, following: list[str]) -> tuple[Token, int]:
    skipped = 1 if following[0] in WHOLE | {"-"} and following[1] in TIME_UNITS else 0
    unit = mended_unit(following[skipped])
    if unit in ("a", "of") and following[1] in ("percent", "pct"):  # "half a percent", spelled
        skipped, unit = 1, following[1]
    if unit in PERCENT_UNITS:
        more = 1 if following[skipped : skipped + 2] == ["per", "cent"] else 0
        more += following[1 + skipped + more] in ("point", "points")  # "2 percent points"
        return replace(token, kind=Kind.PERCENT, value=token.value * PERCENT_UNITS[unit]), 2 + skipped + more
    if following[:2] == ["per", "cent"]:
        return replace(token, kind=Kind.PERCENT), 3
    if unit in ("x", "×", "times", "fold"):
        return replace(token, kind=Kind.MULTIPLE), 2 + skipped
    if unit in TIME_UNITS:
        return replace(token, kind=Kind.DURATION, value=token.value * TIME_UNITS[unit]), 2 + skipped
    if unit in _DOLLARS:
        return replace(token, kind=Kind.MONEY), 2
    return _counted(token, unit, following)


def _counted(token: Token, unit: str, following: list[str]) -> tuple[Token, int]:
    if unit in ("cent", "cents", "¢"):
        return replace(token, kind=Kind.MONEY, value=token.value / 100), 2
    if following[:2] == ["quarters", "of"] and following[3] in TIME_UNITS:  # "three quarters of an hour"
        return replace(token, kind=Kind.DURATION, value=token.value * TIME_UNITS[following[3]] / 4), 5
    if unit in _PARTS_OF and token.value < _PARTS_OF[unit]:  # "three quarters of the cash"
        return replace(token, kind=Kind.SHARE, value=round(100 * token.value / _PARTS_OF[unit], 2)), 2
    if "/" in token.text and token.value < 1:  # "1/4 of my cash"
        return replace(token, kind=Kind.SHARE, value=round(100 * token.value, 2)), 1
    return token, 1


def _worded(token: Token, following: list[str], before: str) -> tuple[Token, int]:
    word = mended_unit(token.word) if mended_unit(token.word) in ADJECTIVES else token.word
    if word in PARTS or word == "couple":
        part = _part_of_unit(word, following)
        if part is not None:
            return part
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
    """Half an hour, a quarter of an hour, a couple of days, half a percent."""
    if word == "couple":
        skipped = 1 if following[0] == "of" else 0
        unit = following[skipped]
        return (Token(Kind.DURATION, f"2 {unit}", 2 * TIME_UNITS[unit]), 2 + skipped) if unit in TIME_UNITS else None
    skipped = 1 if following[0] == "of" and word != "half" else 1 if following[0] == "-" else 0
    skipped += 1 if following[skipped] in ("a", "an") else 0
    unit, share = mended_unit(following[skipped]), PARTS[word]
    if unit in PERCENT_UNITS:
        return Token(Kind.PERCENT, f"{share:g}%", share), 2 + skipped
    if unit in TIME_UNITS and len(unit) > 1:
        return Token(Kind.DURATION, f"{share:g} {unit}", share * TIME_UNITS[unit]), 2 + skipped
    return None
