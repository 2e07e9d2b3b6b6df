"""The answer to our question about an order, joined to it: an amount, and maybe another order behind that.

"add a trailing stop" with "3%, and make the target 12" is "add a trailing stop 3%, and make the target 12". What either
half says by itself the whole has to say as well; where it does not, nothing is joined.
"""

import re
from collections.abc import Iterator

from strategybot.conversations.offline.orders.mood import Mood, mood_of
from strategybot.conversations.offline.strategy.strategy_reading import read_strategy
from strategybot.conversations.offline.turns.parts import AMOUNT
from strategybot.conversations.offline.turns.relations import RELATIVE
from strategybot.conversations.offline.words.hearing import line_of

_OPENING = r"(?:(?:to|at|make it|set it to|let'?s say|say|ok|okay|well|hm+|please|then|with|use|about)[\s,]+)*"
_AMOUNT_AND_MORE = re.compile(
    rf"(?P<amount>{_OPENING}(?:by )?{AMOUNT})(?P<joint>\s*[,;.]+\s+|\s+(?=(?:and|then|but|plus)\b))(?P<more>.+)",
    re.IGNORECASE | re.DOTALL,
)
_ROUNDABOUT = re.compile(  # "3% after 5% profit", "twice the stop": of which part, and when?
    rf"{_OPENING}(?:(?:by )?{AMOUNT}\s+(?:after|once|when|whenever|if|unless|until|as soon)\b"
    r"|(?:twice|double|half|triple|an? (?:third|quarter)|one third|two thirds)(?: of)? (?:the|my|our) "
    r"(?!average|usual|normal))",
    re.IGNORECASE,
)
_LINK = re.compile(r"^(?:(?:and|then|also|plus|but|please|now)\b[\s,]*)+", re.IGNORECASE)
_VERBS = "TEST|SIMULATION|UNDO|BOT|END"
_STATED = "STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|DROP|RISE|VOLUME|WINDOW|BUY|SELL|REMOVE|ADD|RAISE|REDUCE"


def amount_and_more(text: str) -> tuple[str, str] | None:
    """ "3%, and make the target 12" in its two halves; None where only amounts are said, or something else first."""
    found = _AMOUNT_AND_MORE.fullmatch(text.strip())
    more = _LINK.sub("", found["more"]) if found else ""
    return (found["amount"], more) if found and line_of(more).has(f"{_STATED}|{_VERBS}") else None


def is_roundabout(text: str) -> bool:
    """Whether what was missing is said with a condition, or as a share of another part."""
    return _ROUNDABOUT.match(text.strip()) is not None


def completed(order: str, text: str) -> str | None:
    """The order with the amount it lacked, and the other one behind it."""
    halves = amount_and_more(text)
    alone = next(joined(order, halves[0]), None) if halves else None
    if halves is None or alone is None:
        return None
    wholes = (f"{alone}, {halves[1]}", f"{halves[1]}, {order} {halves[0]}", f"{order} {halves[0]}, {halves[1]}")
    return next((whole for whole in wholes if _says_all(whole, alone) and _says_all(whole, halves[1])), None)


def joined(order: str, text: str) -> Iterator[str]:
    """The clear ways to read the order with what the answer says; one that is clear by itself keeps its own sense."""
    ways = [f"{text}, {order}", f"{order} {text}"]
    for whole in ways[1:] if line_of(text).has(RELATIVE) else ways:  # "make the stop tighter", "by 1"
        if _is_clear(whole) and _says_all(whole, order) and (not _is_clear(text) or _says_all(whole, text)):
            yield whole


def _says_all(whole: str, half: str) -> bool:
    """Whether each value that the half gives a part by itself is given to the same part by the whole."""
    said, read = read_strategy(line_of(half))[0], read_strategy(line_of(whole))[0]
    kept = all(read.changes.get(name) == change for name, change in said.changes.items())
    return kept and said.removed <= read.removed


def _is_clear(text: str) -> bool:
    line = line_of(text)
    reading, _ = read_strategy(line)
    unclear = reading.questions or reading.unknown or reading.reserved or reading.bare or reading.refused
    return reading.says_something and not unclear and mood_of(line) is Mood.ORDER
