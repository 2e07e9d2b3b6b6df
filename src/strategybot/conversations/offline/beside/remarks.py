"""Sentences that order nothing: who speaks, how the market is, what has happened.

A remark tells: it has a subject and a verb, and amounts only of what is past or one's own. Whatever supposes, quotes,
refuses, waits, limits or wishes is none.
"""

import re
from functools import lru_cache

from strategybot.conversations.offline.beside.remark_words import (
    CHANGING,
    CONSIDERED,
    COUNTED,
    DOUBT,
    FINITE,
    FRAGMENT,
    HARMLESS,
    LEADING,
    LIMITING,
    MARKET_NOW,
    OF_ONESELF,
    ORDERING,
    PAST,
    PAST_TIME,
    SUBJECT,
    VAGUE,
    WHEN,
)
from strategybot.conversations.offline.beside.speech import has_amount
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.lines import Line

_TICKER = re.compile(r"\$[A-Za-z]+|\b[A-Z][A-Z0-9]{1,7}\b")
_PARTS = "STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX"
_STATED = (  # "… and a 5% stop": a part with its value, which nobody tells for nothing
    rf"(?:[%#~×½$] (?:\S+ )?(?:{_PARTS})|(?:{_PARTS}) (?:(?:at|of|to|is|was|:) )*[%#~×½$])"
)
_STRATEGIC = f"BUY|SELL|TEST|SIMULATION|END|START|{_PARTS}|WINDOW|REMOVE|ADD|RAISE|REDUCE|CONDITION|STRATEGY"
_MARKET = "DROP|RISE|LOSS|PROFIT|CROSS|BREAK|ABOVE|BELOW|VOLUME|HIGH|LOW|SPIKE"
_LASTING = re.compile(r"\b(?:is|are|'s|keeps?|looks?|feels?|seems?|been)\b|'s\b")  # "it goes up, …" may be a condition


_UNREAL = re.compile(r"(?:had|were|should) (?:i|we|it|he|she|they)\b")  # "had I known, …"


@lru_cache(maxsize=256)
def is_remark(text: str) -> bool:
    """Whether every clause of the words only tells something."""
    named = text if text.isupper() else _TICKER.sub("ticker", text)
    plain = _plain(named)
    if ORDERING.search(plain) or _UNREAL.match(plain):
        return False
    clauses = [clause for clause in re.split(r",\s+|\s+but\s+|\s+so\s+|:\s+", plain) if clause]
    return all(_tells(clause) for clause in clauses)


def is_heading(text: str) -> bool:
    """Whether an order may follow behind a colon: "after thinking about it all weekend: …"; "i found: …" quotes."""
    said = (LEADING.sub("", clause).strip() for clause in re.split(r",\s+", _plain(text)))
    return all(not each or _is_empty(each) for each in said)


def _plain(text: str) -> str:
    return text.lower().replace("’", "'").strip(" .,!;:-()")


def _is_empty(said: str) -> bool:
    considered = CONSIDERED.fullmatch(said)
    if considered:
        return not any(_is_doubtful(rest) for rest in considered.groupdict().values() if rest)
    return FRAGMENT.fullmatch(said) is not None


def _is_doubtful(said: str) -> bool:
    return DOUBT.search(HARMLESS.sub("so", said)) is not None


def _tells(clause: str) -> bool:
    said = LEADING.sub("", clause).strip()
    if not said or _is_empty(said):
        return True
    said = WHEN.sub("", said)
    line = line_of(said)
    if _is_doubtful(said) or CHANGING.search(said) or LIMITING.match(said) or line.has(_STATED):
        return False
    if VAGUE.match(said) or not SUBJECT.match(said):
        return False
    if any(not _goes_on(rest) for rest in re.split(r"\s+and\s+", said)[1:]):
        return False
    counts = any(item.is_number for item in line.items) or any(letter.isdigit() for letter in said)
    if any(item.name in ("BUY", "SELL") and not item.past for item in line.items) and counts:
        return False
    if counts:  # "the day" and "this year" do not
        return _tells_amount(said)
    return _tells_state(said, line)


def _tells_amount(said: str) -> bool:
    """Of what is past, of oneself, or of the market as it is now."""
    if OF_ONESELF.search(said) or MARKET_NOW.search(said):
        return True
    past = PAST.search(said)
    return past is not None and (past.start() > 0 or PAST_TIME.search(said) is not None)


def _tells_state(said: str, line: Line) -> bool:
    past = PAST.search(said) is not None
    if (line.has(_STRATEGIC) or "ticker" in said) and not past:
        return False
    if line.has(_MARKET) and not (past or _LASTING.search(said)):
        return False
    return past or FINITE.search(said) is not None


def _goes_on(rest: str) -> bool:
    """What stands behind an "and" may hold no amount, unless it tells by itself or only counts."""
    line = line_of(rest)
    harmless = not has_amount(line) and not line.has(_STRATEGIC)
    return harmless or (COUNTED.fullmatch(rest) is not None and not line.has(_STRATEGIC)) or _tells(rest)
