"""Prices in a message: which numbers are levels, and whether the price is to be above or below them."""

import re
from dataclasses import dataclass, replace

from strategybot.conversations.offline.strategy.clauses import SELL, sides
from strategybot.conversations.offline.words.lines import Line
from strategybot.conversations.offline.words.plain_words import words_of
from strategybot.conversations.offline.words.vocabulary import concepts


@dataclass(frozen=True)
class Level:
    place: int  # of its number
    value: float
    direction: str | None
    trigger: str  # is, cross, or bare where neither is said
    side: str


_STANDING = words_of(
    "is its be being stays stay staying remains remain remaining still while trading sits sitting HOLD holds holding"
)
_ADVERBS = words_of("ADD currently now already just also FILL always somewhere well at")
_BARE = frozenset({"price", "NAME", "it"})  # "price above 3": a moment, or a filter beside other conditions
_DOWN, _UP = (
    r"\bor (?:lower|below|less|under|cheaper)|on (?:the|its) way (?:back )?down|downside|downwards?\b|going down",
    r"\bor (?:higher|above|more|over)|on (?:the|its) way (?:back )?up|upside|upwards?\b|going up",
)
_CORRECTED = (  # "the sell level is too low, put 0.018"
    r"LEVEL (?:is |was |seems )?TOOMUCH (?:, |\. |; )?"
    r"(?:(?:and|so|then|put|use|make|set|try|go|change|move|it|to|at|with|lets|START) )*[#$]"
)
_SKIPPED = frozenset(
    {"the", "a", "price", "of", "mark", "is", "at", "FILL", "back", "through", "to", "on", "from", "OLD"}
)


def levels(line: Line) -> list[Level]:
    found: list[Level] = []
    about = sides(line)
    corrected = {last: first for first, last in line.spans(_CORRECTED)}
    for place, item in enumerate(line.items):
        if item.name not in ("#", "$") or item.token is None:
            continue
        cue = corrected[place] if place in corrected else _level_cue(line, place)
        if cue is not None:
            sold = line.items[cue].text.lower().startswith(("exit", "sell"))
            level = _level(line, cue, place, SELL if sold else about[place])
            ahead = line.items[cue - 1].name if cue else ""
            if ahead in ("and", "but", "or") and found and found[-1].place == cue - 2:  # "is above 1 and below 2"
                level = replace(level, trigger=found[-1].trigger)
            found.append(level)
    return found


def _level_cue(line: Line, place: int) -> int | None:
    """The item that makes this number a price, if one does."""
    cue = place - 1
    while cue >= 0 and line.items[cue].name in _SKIPPED:
        cue -= 1
    if cue < 0:
        return None
    item, before = line.items[cue], line.items[cue - 1].name if cue else ""
    text = item.text.lower()
    if item.name in ("ABOVE", "BELOW"):
        compares = text in ("more than", "over", "less than", "exceeds") and before in (
            "DROP",
            "RISE",
            "VOLUME",
            "by",
            "STOP",
        )
        return None if compares or before in ("VOLUME", "STOP", "TARGET", "TRAIL") else cue
    if item.name in ("CROSS", "BREAK"):
        return cue
    if item.name == "moves":
        return cue
    if item.name in ("BUY", "SELL", "LEVEL") or (item.name == "it" and before in ("BUY", "SELL")):
        token = line.items[place].token
        priced = token is not None and (item.name == "LEVEL" or line.items[place].name == "$" or "." in token.text)
        ahead = line.items[place - 1]
        placed = ahead.name in ("at", "to", "LEVEL", "is") or ahead.text.lower() == "up to"
        placed = placed or (item.name == "LEVEL" and ahead.name == "on")
        return cue if priced and placed else None
    return None


def _level(line: Line, cue: int, place: int, side: str) -> Level:
    token = line.items[place].token
    value = token.value if token else 0.0
    return Level(place, value, _direction(line, cue, place, side), _trigger(line, cue), side)


def _trigger(line: Line, cue: int) -> str:
    ahead = [item.name for item in line.items[:cue] if item.name not in _ADVERBS]  # "is also above"
    before = ahead[-1] if ahead else ""
    # "once it is above" waits for the moment it gets there
    if line.items[cue].name not in ("ABOVE", "BELOW") or "once" in ahead[-3:]:
        return "cross"
    return "is" if before in _STANDING else "bare" if before in _BARE else "cross"


def _direction(line: Line, cue: int, place: int, side: str) -> str | None:
    item = line.items[cue]
    behind = [other.name for other in line.items[place + 1 : place + 3]]
    if item.name in ("ABOVE", "BELOW"):
        return item.name.lower()
    if behind in (["from", "BELOW"], ["from", "ABOVE"]):
        return "above" if behind[1] == "BELOW" else "below"
    around = " ".join(other.text.lower() for other in line.items[max(0, cue - 2) : place + 5])
    if re.search(_DOWN, around) or _moves(line, cue) == "DROP" or item.text.lower() == "gets down to":
        return "below"
    if item.name == "LEVEL":
        return "above" if re.search(_UP, around) else None
    if item.name == "BREAK" or _moves(line, cue) == "RISE" or re.search(_UP, around):
        return "above"
    return "above" if side == SELL else None


def _moves(line: Line, cue: int) -> str | None:
    """Of "sinks to 3" and "falls through 3" the way the price goes; "dump it at 3" says nothing of it."""
    if line.items[cue].name == "SELL":
        return None
    before = [line.items[cue - 1]] if cue and line.items[cue - 1].name in ("moves", "DROP", "RISE") else []
    found = [concepts().get(word) for item in [*before, line.items[cue]] for word in item.text.lower().split()]
    return next((name for name in found if name in ("DROP", "RISE")), None)
