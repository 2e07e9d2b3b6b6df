"""Split a message into tokens: words, numbers with their units, names and marks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from strategybot.conversations.receipts.numbers import spelled_value
from strategybot.trading.engine.instruments import INTERVAL_SECONDS

MINUTE, HOUR, DAY = 60, 3600, 86_400
INTERVALS = {seconds: name for name, seconds in INTERVAL_SECONDS.items()}
# The kind of a number with a unit, what the number is multiplied by, and the words of the unit.
_UNITS = (
    ("duration", 1, "s sec secs second seconds"),
    ("duration", MINUTE, "m min mins minute minutes minutely"),
    ("duration", HOUR, "h hr hrs hour hours hourly"),
    ("duration", DAY, "d day days daily"),
    ("duration", 7 * DAY, "w wk wks week weeks weekly"),
    ("duration", 14 * DAY, "fortnight fortnights"),
    ("duration", 30 * DAY, "mo month months monthly mth mths"),
    ("duration", 90 * DAY, "quarter quarters"),
    ("duration", 365 * DAY, "y yr yrs year years"),
    ("percent", 1, "% percent percents procent pct perc percentage"),
    ("multiple", 1, "x xs × times fold"),
    ("money", 1, "$ € £ usd usdt usdc dollar dollars buck bucks quid"),
    ("number", 1e3, "k thousand grand"),
    ("number", 1e6, "million mil"),
)
_UNIT = {word: (kind, factor) for kind, factor, words in _UNITS for word in words.split()}
UNIT_WORDS = frozenset(_UNIT)
_ALONE = {word for word, (kind, _) in _UNIT.items() if kind == "duration" and len(word) > 3 and "sec" not in word}
_COUNTED = {word for word in UNIT_WORDS if len(word) > 1} - {
    "quarter",
    "second",
    "times",
    "fold",
    "percentage",
}  # after “a” or “one”
_BEFORE = {"x": "multiple"} | {word: "money" for word, (kind, _) in _UNIT.items() if kind == "money"}
_SIGNS = {"-": "-", "−": "-", "–": "-", "minus": "-", "+": "+", "plus": "plus"}
# The types of value that a token can be, by its sign and kind.
_SLOTS = {
    "number": "VALUE SIGNED LOSS GAIN ANYNUMBER SHARE NUM INT HOUR MINUTES",
    "-number": "VALUE SIGNED LOSS NEGATIVE MINUS",
    "+number": "VALUE SIGNED GAIN PLUS",
    "percent": "VALUE SIGNED LOSS LOSSPERCENT GAIN GAINPERCENT ANYNUMBER SHARE PERCENT FRACTION",
    "-percent": "VALUE SIGNED LOSS LOSSPERCENT MINUS",
    "+percent": "VALUE SIGNED GAIN GAINPERCENT PLUS",
    "money": "VALUE ANYNUMBER NUM MONEY",
    "multiple": "VALUE ANYNUMBER MULT",
    "duration": "VALUE ANYNUMBER DUR LONGDUR INTERVAL",
}
# The least and the most of a value without a percent sign: “drops 0.02” is no percentage.
_BOUNDS = {
    "LOSS": (0.5, inf), "GAIN": (0.5, inf), "MINUS": (1, inf), "PLUS": (1, inf),
    "HOUR": (0, 24), "MINUTES": (0, 59), "LONGDUR": (HOUR, inf),
}  # fmt: skip
_LEXEME = re.compile(
    r"(?P<address>0x[0-9a-fA-F]{40}(?:-[a-z]+)?|(?=[a-zA-Z]*[0-9])[1-9A-HJ-NP-Za-km-z]{32,44}(?:-[a-z]+)?)"
    r"|[\"“”](?P<quoted>[^\"“”]{1,60})[\"“”]"
    r"|\$(?P<tag>[A-Za-z][A-Za-z0-9]{0,19})"
    r"|(?P<fraction>(?<![0-9./])[12]/[345](?![\w./])|1/2(?![\w./]))"
    r"|(?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|(?<![0-9],)[0-9]+,[0-9]+(?![0-9]*,[0-9])"
    r"|[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?|\.[0-9]+)"
    r"|(?P<symbol>(?!TP|SL|BT|EMA|SMA|MA|RSI|ADX|ATR)[A-Z]{2,}[0-9]+[A-Z]*)(?!\w)"
    r"|(?P<denial>\b(?i:(?:do not|don['’]?t|never) (?:buy|enter|trade)|not|except) (?i:if|when|while)\b)"
    r"|(?P<word>w/|(?i:and a half|per cent)\b|[^\W\d_]+(?:['’`][^\W\d_]+)*)"
    r"|(?P<mark>->|=>|>=|<=|\.\.\.|(?!(?<=\w)-[^\W\d_])\S)"  # but not the hyphen of “stop-loss” and “30-day”
)
_KINDS = {"number": "number", "word": "word", "denial": "word", "mark": "mark", "fraction": "percent"}  # others: names


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is word, mark, name, number, percent, multiple, money or duration (its value in seconds)."""

    kind: str
    text: str  # in lower case, without apostrophes and blanks: “per cent” is a percent
    written: str
    value: float = 0.0
    sign: str = ""
    start: int = 0
    end: int = 0
    is_spelled: bool = False  # a bare unit, such as "hourly", which can also be a plain word

    @property
    def has_number(self) -> bool:
        return self.kind in ("number", "percent", "multiple", "money", "duration")


def tokens_of(text: str, corrected: Mapping[int, str] | None = None) -> tuple[Token, ...]:
    """Split the message; `corrected` has the words that stand for mistyped ones, by where these start."""
    lexemes = [*_lexemes(text, corrected or {}), Token("end", "", "")]  # so that behind each token there is one
    result: list[Token] = []
    at = 0
    while at < len(lexemes) - 1:
        token, at = _measure(lexemes, at)
        if token.has_number:
            token = _with_sign(result, replace(token, end=lexemes[at - 1].end))
            token = replace(token, written=text[token.start : token.end])
        result.append(token)
    return tuple(result)


def _lexemes(text: str, corrected: Mapping[int, str]) -> Iterator[Token]:
    for match in _LEXEME.finditer(text):
        group, value = match.lastgroup or "mark", 0.0
        written = "unless" if group == "denial" else corrected.get(match.start(), match[group])
        if group == "number":  # “2,500” and “2,5”
            value = min(float(re.sub(r"(?<![0-9]{4}),(?=[0-9]{3}\b)", "", written).replace(",", ".")), 1e18)
        elif group == "fraction":  # “1/4 of the cash”
            value = round(100 * int(written[0]) / int(written[2]), 2)
        kind = _KINDS.get(group, "name")
        yield Token(kind, re.sub("['’` ]", "", written.lower()), written, value, "", *match.span())


def _measure(tokens: Sequence[Token], at: int) -> tuple[Token, int]:
    """Return the token that begins here, with its unit, and where the next one begins."""
    token, end = _number(tokens, at)
    if token.kind == "number" and tokens[end].text == "andahalf":
        token, end = replace(token, value=token.value + 0.5), end + 1
    while token.kind == "number" and (unit := _UNIT.get(tokens[end].text)):  # “2k dollars”
        token, end = replace(token, kind=unit[0], value=token.value * unit[1]), end + 1
        if token.kind == "duration" and tokens[end].text == "andahalf":  # “an hour and a half”
            token, end = replace(token, value=token.value + unit[1] / 2), end + 1
    if token.kind == "duration" and HOUR <= token.value < DAY and tokens[end].kind == "number":  # “1h 30m”
        more, after = _measure(tokens, end)
        is_part = more.kind == "duration" and more.value < HOUR
        token, end = (replace(token, value=token.value + more.value), after) if is_part else (token, end)
    if token.has_number:
        return token, end
    if token.text in _BEFORE and tokens[end].kind == "number":
        amount, after = _measure(tokens, end)
        amount, after = _number(tokens, end) if amount.kind == "duration" else (amount, after)  # “$100 daily”
        return replace(amount, kind=_BEFORE[token.text], start=token.start), after
    if token.kind == "word" and token.text in _ALONE:
        return replace(token, kind="duration", value=float(_UNIT[token.text][1]), is_spelled=True), end
    return token, end


def _number(tokens: Sequence[Token], at: int) -> tuple[Token, int]:
    """Read number words as a number, and before a unit also “a”, “one” and “half an”."""
    texts = [token.text if token.kind == "word" else "" for token in tokens[at : at + 8]]
    value, used = spelled_value(texts)
    needs_unit = used < 2 and texts[0] in ("a", "an", "one", "half")
    if needs_unit:
        value, used = 0.5 if texts[0] == "half" else 1.0, 2 if texts[:2] in (["half", "a"], ["half", "an"]) else 1
    if not used or (needs_unit and tokens[at + used].text not in _COUNTED):
        return tokens[at], at + 1
    return replace(tokens[at], kind="number", text=" ".join(texts[:used]), value=value), at + used


def _with_sign(before: list[Token], token: Token) -> Token:
    """Join the number with a sign right before it that is not that of “5-7”."""
    last = before[-1] if before else token
    is_apart = last.kind == "mark" and last.start + 1 != token.start
    if last.text not in _SIGNS or token.kind == "multiple" or is_apart or (len(before) > 1 and before[-2].has_number):
        return token
    return replace(token, sign=_SIGNS[before.pop().text], start=last.start)


def slots_of(token: Token) -> Iterator[tuple[str, Any]]:
    """Return the types of value that the token can be: `LOSS` and `GAIN` percentages, `DUR`, `MULT` and so on."""
    if not token.has_number:
        return
    number, sign = token.value, "+" if token.sign == "plus" else token.sign
    signed, whole = -number if sign == "-" else number, int(number) if number.is_integer() else None
    values: dict[str, Any] = {
        "VALUE": None if token.is_spelled else token, "ANYNUMBER": token, "SIGNED": signed, "NEGATIVE": signed,
        "INT": whole, "HOUR": whole, "MINUTES": whole, "INTERVAL": INTERVALS.get(whole or 0),
    }  # fmt: skip
    for slot in _SLOTS.get(sign + token.kind, "VALUE").split():
        least, most = _BOUNDS.get(slot, (0, inf)) if token.kind != "percent" else (0, inf)
        value = values.get(slot, number)
        if value is not None and least <= number <= most:
            yield slot, value
