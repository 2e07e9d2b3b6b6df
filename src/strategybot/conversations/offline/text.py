"""A message as tokens: words, numbers with their units, names and marks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from strategybot.conversations.receipts.numbers import spelled_value
from strategybot.trading.instruments import INTERVAL_SECONDS

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
_MONEY = {"$", "usd", "usdt", "usdc", "dollar", "dollars", "bucks", "quid", "€", "£"}
_SCALES = {"k": 1e3, "thousand": 1e3, "grand": 1e3, "million": 1e6, "mil": 1e6}
_ARTICLES = {"a", "an", "one"}
INTERVALS = {seconds: name for name, seconds in INTERVAL_SECONDS.items()}
SHARES = {
    "half": 50.0, "third": 33.33, "quarter": 25.0, "fifth": 20.0, "tenth": 10.0, "all": 100.0, "everything": 100.0,
}  # fmt: skip
MULTIPLES = {
    "double": 2.0, "doubles": 2.0, "twice": 2.0, "doubled": 2.0, "triple": 3.0, "triples": 3.0, "thrice": 3.0,
    "quadruple": 4.0, "quadruples": 4.0, "tripled": 3.0,
}  # fmt: skip
_LEXEME = re.compile(
    r"(?P<address>0x[0-9a-fA-F]{40}(?:-[a-z]+)?|(?=[a-zA-Z]*[0-9])[1-9A-HJ-NP-Za-km-z]{32,44}(?:-[a-z]+)?)"
    r"|[\"“”](?P<quoted>[^\"“”]{1,60})[\"“”]"
    r"|\$(?P<tag>[A-Za-z][A-Za-z0-9]{0,19})"
    r"|(?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|(?<![0-9],)[0-9]+,[0-9]+(?![0-9]*,[0-9])"
    r"|[0-9]+(?:\.[0-9]+)?(?:[eE]-?[0-9]+)?|\.[0-9]+)"
    r"|(?P<symbol>(?!TP|SL|BT|EMA|SMA|MA|RSI|ADX|ATR)[A-Z]{2,}[0-9]+[A-Z]*)(?!\w)"
    r"|(?P<word>[^\W\d_]+(?:['’`][^\W\d_]+)*)"
    r"|(?P<mark>->|=>|>=|<=|\.\.\.|\S)"
)


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


def tokens_of(text: str) -> tuple[Token, ...]:
    tokens = _with_units(_with_spelled_numbers(_lexemes(text)))
    return tuple(replace(each, written=text[each.start : each.end]) if each.has_number else each for each in tokens)


def _lexemes(text: str) -> list[Token]:
    tokens = []
    for match in _LEXEME.finditer(text):
        kind = match.lastgroup or "mark"
        if match[0] == "-" and text[: match.start()][-1:].isalpha() and text[match.end() :][:1].isalpha():
            continue  # stop-loss
        written = match[kind]
        if kind == "number":
            tokens.append(Token("number", written, written, _value(written), "", *match.span()))
        elif kind in ("address", "quoted", "tag", "symbol"):
            tokens.append(Token("name", written.lower(), written, 0.0, "", *match.span()))
        else:
            plain = re.sub("['’`]", "", written.lower())
            tokens.append(Token("mark" if kind == "mark" else "word", plain, written, 0.0, "", *match.span()))
    return tokens


def _value(digits: str) -> float:
    if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", digits):
        return float(digits.replace(",", ""))
    return min(float(digits.replace(",", ".")), 1e18)


def _with_spelled_numbers(tokens: list[Token]) -> list[Token]:
    """Number words as numbers. A lone "one" stays a word unless a unit follows: "this one"."""
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        value, used = spelled_value([token.text if token.kind == "word" else "" for token in tokens[at : at + 8]])
        unit = tokens[at + used].text if used and at + used < len(tokens) else ""
        if used and (tokens[at].text != "one" or used > 1 or unit in _SECONDS or unit in _PERCENT):
            written = " ".join(token.written for token in tokens[at : at + used])
            span = tokens[at].start, tokens[at + used - 1].end
            result.append(Token("number", written.lower(), written, value, "", *span))
            at += used
        else:
            result.append(tokens[at])
            at += 1
    return result


def _with_units(tokens: list[Token]) -> list[Token]:
    result: list[Token] = []
    at = 0
    while at < len(tokens):
        token, used = _measured(tokens, at)
        token = replace(token, end=tokens[at + used - 1].end)
        if token.has_number and result:
            token = _signed(result, token)
        if token.kind == "duration" and result and _continues(result[-1], token):
            token = replace(token, value=result[-1].value + token.value, start=result.pop().start)
        result.append(token)
        at += used
    return result


def _measured(tokens: list[Token], at: int) -> tuple[Token, int]:
    """The token at a place together with its unit, and how many tokens that takes."""
    token = tokens[at]
    texts = [each.text for each in tokens[at : at + 6]] + [""] * 6
    if (found := _spoken(token, texts)) is not None:
        return found
    is_before_number = len(tokens) > at + 1 and tokens[at + 1].kind == "number"
    if token.text == "x" and is_before_number:
        return replace(tokens[at + 1], kind="multiple", start=token.start), 2
    if token.text in _MONEY and is_before_number:
        amount, used = _measured(tokens, at + 1)
        return replace(amount, kind="money", start=token.start), used + 1
    if token.text == "quarter" and at and tokens[at - 1].text in ("last", "past", "previous"):
        return replace(token, kind="duration", value=float(_SECONDS["quarter"])), 1
    if token.kind == "word" and token.text in _ALONE:
        return replace(token, kind="duration", value=float(_SECONDS[token.text]), is_spelled=True), 1
    return _number_with_unit(token, texts) if token.kind == "number" else (token, 1)


def _spoken(token: Token, texts: list[str]) -> tuple[Token, int] | None:
    """“A day”, “half an hour”, “an hour and a half”, “half a percent”, “a thousand dollars”."""
    is_half = texts[0] == "half"
    if not is_half and texts[0] not in _ARTICLES:
        return None
    size = 3 if is_half and texts[1] in _ARTICLES else 2
    unit, share = texts[size - 1], 0.5 if is_half else 1.0
    if unit in _SECONDS and len(unit) > 1 and unit not in ("quarter", "second"):
        is_more = not is_half and texts[2:5] == ["and", "a", "half"]
        seconds = _SECONDS[unit] * (1.5 if is_more else share)
        return replace(token, kind="duration", value=seconds), size + (3 if is_more else 0)
    if is_half and unit in _PERCENT:
        return replace(token, kind="percent", value=share), size
    if unit in ("thousand", "million", "dollar", "buck"):
        is_money = texts[size] in _MONEY
        kind = "money" if is_money or unit not in _SCALES else "number"
        return replace(token, kind=kind, value=share * _SCALES.get(unit, 1.0)), size + is_money
    return None


def _number_with_unit(token: Token, texts: list[str]) -> tuple[Token, int]:
    gap = 2 if texts[1] == "-" else 1
    unit = texts[gap]
    if texts[1:4] == ["and", "a", "half"]:
        more, used = _number_with_unit(replace(token, value=token.value + 0.5), ["", *texts[4:]])
        return more, used + 3
    if unit in _PERCENT or texts[1:3] == ["per", "cent"]:
        return replace(token, kind="percent"), (3 if unit == "per" else gap + 1)
    if unit in _MULTIPLE:
        return replace(token, kind="multiple"), gap + 1
    if unit in _SCALES:
        scaled = replace(token, value=token.value * _SCALES[unit])
        return (replace(scaled, kind="money"), gap + 2) if texts[gap + 1] in _MONEY else (scaled, gap + 1)
    if unit in _MONEY:
        return replace(token, kind="money"), gap + 1
    if unit in _SECONDS and texts[gap : gap + 2] != ["w", "/"]:  # “0.02 w/ 3x volume”
        return replace(token, kind="duration", value=token.value * _SECONDS[unit]), gap + 1
    return token, 1


def _signed(before: list[Token], token: Token) -> Token:
    """Take in a sign that stands right before the number and not behind another one, as in 5-7."""
    last = before[-1]
    if last.text not in ("-", "+", "−", "–", "plus", "minus") or (len(before) > 1 and before[-2].has_number):
        return token
    if last.kind == "mark" and last.start + 1 != token.start:
        return token
    before.pop()
    return replace(token, sign="+" if last.text in ("+", "plus") else "-", start=last.start)


def _continues(last: Token, token: Token) -> bool:
    """1h 30m: a shorter length of time right behind a longer one."""
    both = last.kind == "duration" and not last.is_spelled and not token.is_spelled
    return both and token.value < last.value and last.value % DAY != 0 and token.value < HOUR <= last.value


def slots_of(token: Token) -> Iterator[tuple[str, Any]]:
    """Return the types of value that the token can be: `LOSS` and `GAIN` percentages, `DUR`, `MULT` and so on."""
    if token.kind == "word":
        yield from (("SHARE", SHARES[token.text]),) if token.text in SHARES else ()
        yield from (("MULT", MULTIPLES[token.text]),) if token.text in MULTIPLES else ()
    if not token.has_number:
        return
    if not token.is_spelled:
        yield "VALUE", token
    yield from _percents(token, token.value, token.sign) if token.kind in ("percent", "number") else ()
    if not token.sign:
        yield "ANYNUMBER", token
        yield from _unsigned(token, token.value)


def _unsigned(token: Token, value: float) -> Iterator[tuple[str, Any]]:
    kinds = {"number": ("NUM",), "money": ("NUM", "MONEY"), "multiple": ("MULT",), "duration": ("DUR",)}
    yield from ((slot, value) for slot in kinds.get(token.kind, ()))
    if token.kind == "number" and value == int(value):
        yield "INT", int(value)
    if token.kind == "duration" and value in INTERVALS:
        yield "INTERVAL", INTERVALS[int(value)]


def _percents(token: Token, value: float, sign: str) -> Iterator[tuple[str, Any]]:
    is_percent = token.kind == "percent"
    is_price = not is_percent and value < 0.5  # “drops 0.02” is no percentage
    yield "SIGNED", -value if sign == "-" else value
    if sign in ("", "-") and not is_price:
        yield "LOSS", value
        if is_percent:
            yield "LOSSPERCENT", value
    if sign in ("", "+") and not is_price:
        yield "GAIN", value
        if is_percent:
            yield "GAINPERCENT", value
    if not sign:
        yield "SHARE", value
        if is_percent:
            yield "PERCENT", value
    elif is_percent or token.text.isdigit():
        yield ("MINUS" if sign == "-" else "PLUS"), value
