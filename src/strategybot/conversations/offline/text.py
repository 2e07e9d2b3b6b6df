"""Split a message into tokens: words, numbers with their units, names and marks."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from strategybot.conversations.receipts.numbers import spelled_value
from strategybot.trading.engine.instruments import INTERVAL_SECONDS

MINUTE, HOUR, DAY = 60, 3600, 86_400
_UNITS = {
    1: "s sec secs second seconds",
    MINUTE: "m min mins minute minutes minutely",
    HOUR: "h hr hrs hour hours hourly",
    DAY: "d day days daily",
    7 * DAY: "w wk wks week weeks weekly",
    14 * DAY: "fortnight fortnights",
    30 * DAY: "mo month months monthly mth mths",
    90 * DAY: "quarter quarters",
    365 * DAY: "y yr yrs year years",
}
_SECONDS = {word: seconds for seconds, words in _UNITS.items() for word in words.split()}
_ALONE = {word for word in _SECONDS if len(word) > 3 and word not in ("secs", "mins", "second", "seconds", "quarter")}
_PERCENT = {"procent", "%", "percent", "pct", "percents", "perc", "percentage"}
_MULTIPLE = {"x", "×", "times", "fold", "xs"}
_MONEY = {"$", "usd", "usdt", "usdc", "dollar", "dollars", "buck", "bucks", "quid", "€", "£"}
_SCALES = {"k": 1e3, "thousand": 1e3, "grand": 1e3, "million": 1e6, "mil": 1e6}
_ARTICLES = ("a", "an", "one")
_COUNTED = {"thousand", "million", "dollar", "buck"} | _PERCENT | {word for word in _SECONDS if len(word) > 1}
_COUNTED -= {"quarter", "second"}
_UNITS_BEFORE = {"x": "multiple"} | dict.fromkeys(_MONEY, "money")
_SIGNS = {"-": "-", "−": "-", "–": "-", "minus": "-", "+": "+", "plus": "plus"}
INTERVALS = {seconds: name for name, seconds in INTERVAL_SECONDS.items()}
# What a percentage with this sign can be.
_SIDES = {"": ("LOSS", "GAIN"), "-": ("LOSS",), "+": ("GAIN",), "plus": ("GAIN",)}
_UNSIGNED = {
    "number": ("SHARE", "NUM"), "percent": ("SHARE", "PERCENT", "FRACTION"), "money": ("NUM", "MONEY"),
    "multiple": ("MULT",), "duration": ("DUR",),
}  # fmt: skip
_LEXEME = re.compile(
    r"(?P<address>0x[0-9a-fA-F]{40}(?:-[a-z]+)?|(?=[a-zA-Z]*[0-9])[1-9A-HJ-NP-Za-km-z]{32,44}(?:-[a-z]+)?)"
    r"|[\"“”](?P<quoted>[^\"“”]{1,60})[\"“”]"
    r"|\$(?P<tag>[A-Za-z][A-Za-z0-9]{0,19})"
    r"|(?P<fraction>(?<![0-9./])[12]/[345](?![\w./])|1/2(?![\w./]))"
    r"|(?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|(?<![0-9],)[0-9]+,[0-9]+(?![0-9]*,[0-9])"
    r"|[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?|\.[0-9]+)"
    r"|(?P<symbol>(?!TP|SL|BT|EMA|SMA|MA|RSI|ADX|ATR)[A-Z]{2,}[0-9]+[A-Z]*)(?!\w)"
    r"|(?P<denial>\b(?i:not|except) (?i:if|when|while)\b)"
    r"|(?P<word>[^\W\d_]+(?:['’`][^\W\d_]+)*)"
    r"|(?P<mark>->|=>|>=|<=|\.\.\.|\S)"
)
_HAVE = re.compile(r"(ould)['’`]?ve$", re.IGNORECASE)  # “would've”
NOTHING: dict[int, str] = {}
UNIT_WORDS = frozenset(_SECONDS) | _PERCENT | _MULTIPLE | _MONEY | frozenset(_SCALES)
_THOUSANDS = re.compile(r"(?<![0-9]{4}),(?=[0-9]{3}\b)")


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is word, mark, name, number, percent, multiple, money or duration (its value in seconds)."""

    kind: str
    text: str  # in lower case, without apostrophes
    written: str
    value: float = 0.0
    sign: str = ""
    start: int = 0
    end: int = 0
    is_spelled: bool = False  # a bare unit, such as "hourly", which can also be a plain word

    @property
    def has_number(self) -> bool:
        return self.kind in ("number", "percent", "multiple", "money", "duration")


def tokens_of(text: str, corrected: Mapping[int, str] = NOTHING) -> tuple[Token, ...]:
    """Split the message; `corrected` has the words that stand for mistyped ones, by where these start."""
    lexemes = _lexemes(text, corrected)
    result: list[Token] = []
    at = 0
    while at < len(lexemes):
        token, used = _measure(lexemes, at)
        at += used
        if token.has_number:
            token = _with_what_is_before(result, replace(token, end=lexemes[at - 1].end))
            token = replace(token, written=text[token.start : token.end])
        result.append(token)
    return tuple(result)


def _lexemes(text: str, corrected: Mapping[int, str]) -> list[Token]:
    tokens = []
    for match in _LEXEME.finditer(text):
        group = match.lastgroup or "mark"
        if match[0] == "-" and text[: match.start()][-1:].isalpha() and text[match.end() :][:1].isalpha():
            continue  # stop-loss
        written = _HAVE.sub(r"\1 have", corrected.get(match.start(), match[group]))
        kind = {"fraction": "percent"}.get(group, group if group in ("number", "word", "mark") else "name")
        digits = _THOUSANDS.sub("", written).replace(",", ".")  # “2,500” and “2,5”
        value = min(float(digits), 1e18) if kind == "number" else 0.0
        value = round(100 * int(written[0]) / int(written[2]), 2) if group == "fraction" else value  # “1/4 of the cash”
        written, kind = ("unless", "word") if group == "denial" else (written, kind)
        words = written.split() if kind == "word" else [written]  # two words may have been written as one
        tokens += [Token(kind, re.sub("['’`]", "", word.lower()), word, value, "", *match.span()) for word in words]
    return tokens


def _number(tokens: list[Token], at: int) -> tuple[Token, int]:
    """Read number words as a number, and before a unit also “a”, “one” and “half an”."""
    texts = [token.text if token.kind == "word" else "" for token in tokens[at : at + 8]]
    value, used = spelled_value(texts)
    needs_unit = used < 2 and texts[0] in (*_ARTICLES, "half")
    if needs_unit:
        value, used = 0.5 if texts[0] == "half" else 1.0, 2 if texts[:2] in (["half", "a"], ["half", "an"]) else 1
    unit = tokens[at + used].text if at + used < len(tokens) else ""
    if not used or (needs_unit and unit not in _COUNTED):
        return tokens[at], 1
    words = " ".join(token.text for token in tokens[at : at + used])
    return replace(tokens[at], kind="number", text=words, value=value), used


def _measure(tokens: list[Token], at: int) -> tuple[Token, int]:
    """Return the token that begins here, with its unit, and how many tokens it takes."""
    token, used = _number(tokens, at)
    texts = [token.text, *(each.text for each in tokens[at + used : at + used + 5]), *[""] * 6]
    if token.text in _UNITS_BEFORE and len(tokens) > at + 1 and tokens[at + 1].kind == "number":
        amount, more = _measure(tokens, at + 1)
        amount, more = _number(tokens, at + 1) if amount.kind == "duration" else (amount, more)  # “$100 daily”
        return replace(amount, kind=_UNITS_BEFORE[token.text], start=token.start), more + 1
    if token.text in ("quarter", "day") and at and tokens[at - 1].text in ("last", "past", "previous"):
        return replace(token, kind="duration", value=float(_SECONDS[token.text])), 1
    if token.kind == "word" and token.text in _ALONE:
        return replace(token, kind="duration", value=float(_SECONDS[token.text]), is_spelled=True), 1
    amount, more = _number_with_unit(token, texts) if token.kind == "number" else (token, 1)
    return amount, used - 1 + more


def _number_with_unit(token: Token, texts: list[str]) -> tuple[Token, int]:
    gap = 2 if texts[1] == "-" else 1
    unit = texts[gap]
    for place in (1, 2):  # “two and a half percent”, “an hour and a half”
        if texts[place : place + 3] == ["and", "a", "half"] and (place == 1 or unit in _SECONDS):
            more = replace(token, value=token.value + 0.5)
            amount, used = _number_with_unit(more, [*texts[:place], *texts[place + 3 :], "", ""])
            return amount, used + 3
    if texts[1:3] == ["per", "cent"]:
        return replace(token, kind="percent"), 3
    if unit in _SCALES:
        scaled = replace(token, value=token.value * _SCALES[unit])
        return (replace(scaled, kind="money"), gap + 2) if texts[gap + 1] in _MONEY else (scaled, gap + 1)
    if unit in _SECONDS and texts[gap : gap + 2] != ["w", "/"]:  # “0.02 w/ 3x volume”
        return replace(token, kind="duration", value=token.value * _SECONDS[unit]), gap + 1
    kinds = (("percent", _PERCENT), ("multiple", _MULTIPLE), ("money", _MONEY))
    kind = next((kind for kind, units in kinds if unit in units), "")
    return (replace(token, kind=kind), gap + 1) if kind else (token, 1)


def _with_what_is_before(before: list[Token], token: Token) -> Token:
    """Join the number with the hours of “1h 30m”, or with a sign right before it that is not that of “5-7”."""
    last = before[-1] if before else token
    is_minutes = token.kind == "duration" and not token.is_spelled and token.value < HOUR
    if is_minutes and last.kind == "duration" and HOUR <= last.value < DAY:
        return replace(token, value=before.pop().value + token.value, start=last.start)
    is_apart = last.kind == "mark" and last.start + 1 != token.start
    if last.text not in _SIGNS or is_apart or (len(before) > 1 and before[-2].has_number):
        return token
    return replace(token, sign=_SIGNS[before.pop().text], start=last.start)


def slots_of(token: Token) -> Iterator[tuple[str, Any]]:
    """Return the types of value that the token can be: `LOSS` and `GAIN` percentages, `DUR`, `MULT` and so on."""
    if not token.has_number:
        return
    if not token.is_spelled:
        yield "VALUE", token
    if token.kind in ("percent", "number"):
        yield from _share_slots(token)
    yield from _signed_slots(token) if token.sign else _unsigned_slots(token)


def _share_slots(token: Token) -> Iterator[tuple[str, float]]:
    value, is_percent = token.value, token.kind == "percent"
    yield "SIGNED", -value if token.sign == "-" else value
    sides = _SIDES[token.sign] if is_percent or value >= 0.5 else ()  # “drops 0.02” is no percentage
    yield from ((side, value) for side in sides)
    yield from ((f"{side}PERCENT", value) for side in sides if is_percent)


def _signed_slots(token: Token) -> Iterator[tuple[str, float]]:
    is_percent, is_minus = token.kind == "percent", token.sign == "-"
    if is_minus and not is_percent:
        yield "NEGATIVE", -token.value
    if is_percent or (token.kind == "number" and token.value >= 1):
        yield "MINUS" if is_minus else "PLUS", token.value


def _unsigned_slots(token: Token) -> Iterator[tuple[str, Any]]:
    value = token.value
    yield "ANYNUMBER", token
    yield from ((slot, value) for slot in _UNSIGNED[token.kind])
    if token.kind == "number" and value == int(value):
        yield "INT", int(value)
        yield from ((slot, int(value)) for slot, most in (("HOUR", 24), ("MINUTES", 59)) if value <= most)
    if token.kind == "duration" and value >= HOUR:
        yield "LONGDUR", value
    if token.kind == "duration" and value in INTERVALS:
        yield "INTERVAL", INTERVALS[int(value)]
