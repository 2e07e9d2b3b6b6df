"""English numbers in words: “three hundred and forty percent”, “seven trades”, “two point five per cent”.

Only where a percentage or something of a run is counted: “one of them” is no number to look up.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from strategybot.conversations.receipts.numbers import WORD_SCALES, WORD_VALUES

_WORD = re.compile(rf"\b(?:{'|'.join([*WORD_VALUES, *WORD_SCALES, 'point'])})\b", re.IGNORECASE)
_JOINTS = frozenset({" ", "-", " and ", "\u00a0"})
_LONGEST_JOINT = 5
_PERCENT = re.compile(r"[ -]{0,3}(?:%|percent\b|per cent\b|pct\b)", re.IGNORECASE)
_COUNTED = re.compile(
    r" (?:of (?:the )?[a-z]{1,12} )?(?:(?:winning|losing|closed|good|bad) )?"
    r"(?:trades|wins|winners|losses|losers|dollars|usd)\b",
    re.IGNORECASE,
)


class Spelled(NamedTuple):
    text: str
    start: int
    end: int
    value: float
    tolerance: float
    is_percent: bool


def spelled_numbers(text: str) -> Iterator[Spelled]:
    for words in _groups(text):
        start, end = words[0].start(), words[-1].end()
        percent = _PERCENT.match(text, end)
        if percent is None and not _COUNTED.match(text, end):
            continue
        value, decimals = _value([word.group().lower() for word in words])
        end = percent.end() if percent else end
        yield Spelled(text[start:end], start, end, value, 0.5 * 10.0**-decimals * (1 + 1e-9), percent is not None)


def _groups(text: str) -> Iterator[list[re.Match[str]]]:
    """Number words that stand together."""
    group: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if group and not _joined(text, group[-1].end(), word.start()):
            yield from [group] if _is_number(group) else []
            group = []
        group.append(word)
    if _is_number(group):
        yield group


def _joined(text: str, end: int, start: int) -> bool:
    return start - end <= _LONGEST_JOINT and text[end:start].lower() in _JOINTS


def _is_number(group: list[re.Match[str]]) -> bool:
    return bool(group) and group[0].group().lower() != "point" and group[-1].group().lower() != "point"


def _value(words: list[str]) -> tuple[float, int]:
    """The number, and how many decimals were said."""
    whole, _, fraction = " ".join(words).partition(" point ")
    total = part = 0.0
    for word in whole.split():
        if word == "hundred":
            part = (part or 1.0) * 100
        elif word in WORD_SCALES:
            total, part = total + (part or 1.0) * WORD_SCALES[word], 0.0
        else:
            part += WORD_VALUES.get(word, 0.0)
    digits = "".join(f"{WORD_VALUES.get(word, 0.0):.0f}" for word in fraction.split())[:15]
    return float(f"{total + part:.0f}.{digits or 0}"), len(digits)
