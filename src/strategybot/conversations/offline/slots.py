"""The types of value that a token can be: `LOSS` and `GAIN` percentages, `DUR`, `MULT`, `NUM`, `SHARE` and so on."""

from collections.abc import Iterator
from typing import Any

from strategybot.conversations.offline.text import Token
from strategybot.trading.instruments import INTERVAL_SECONDS

INTERVALS = {seconds: name for name, seconds in INTERVAL_SECONDS.items()}
SHARES = {
    "half": 50.0, "third": 33.33, "quarter": 25.0, "fifth": 20.0, "tenth": 10.0, "all": 100.0, "everything": 100.0,
}  # fmt: skip
MULTIPLES = {
    "double": 2.0, "doubles": 2.0, "twice": 2.0, "doubled": 2.0, "triple": 3.0, "triples": 3.0, "thrice": 3.0,
    "quadruple": 4.0, "quadruples": 4.0, "tripled": 3.0,
}  # fmt: skip


def slots_of(token: Token) -> Iterator[tuple[str, Any]]:
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
