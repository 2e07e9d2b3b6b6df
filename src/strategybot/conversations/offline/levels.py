"""Prices in a message: which numbers are levels, and whether the price is to be above or below them."""

from dataclasses import dataclass

from strategybot.conversations.offline.clauses import SELL, sides
from strategybot.conversations.offline.lines import Line
from strategybot.conversations.offline.vocabulary import concepts


@dataclass(frozen=True)
class Level:
    place: int  # of its number
    value: float
    direction: str | None
    trigger: str
    side: str


_STANDING = frozenset(
    {"is", "its", "be", "stays", "stay", "remains", "remain", "still", "price", "NAME", "while", "trading"}
)
_SKIPPED = frozenset({"the", "a", "price", "of", "mark", "is", "at", "FILL", "back", "through", "to"})


def levels(line: Line) -> list[Level]:
    found = []
    about = sides(line)
    for place, item in enumerate(line.items):
        if item.name not in ("#", "$") or item.token is None:
            continue
        cue = _level_cue(line, place)
        if cue is not None:
            sold = line.items[cue].text.lower().startswith(("exit", "sell"))
            found.append(_level(line, cue, place, SELL if sold else about[place]))
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
        return cue if priced and line.items[place - 1].name in ("at", "to", "LEVEL", "is") else None
    return None


def _level(line: Line, cue: int, place: int, side: str) -> Level:
    token = line.items[place].token
    value = token.value if token else 0.0
    ahead = [item.name for item in line.items[:cue] if item.name != "ADD"]  # "is also above"
    before = ahead[-1] if ahead else ""
    # "once it is above" waits for the moment it gets there
    standing = "once" not in ahead[-3:] and line.items[cue].name in ("ABOVE", "BELOW") and before in _STANDING
    return Level(place, value, _direction(line, cue, place, side), "is" if standing else "cross", side)


def _direction(line: Line, cue: int, place: int, side: str) -> str | None:
    item, text = line.items[cue], line.items[cue].text.lower()
    around = [other.text.lower() for other in line.items[max(0, cue - 2) : place + 5]]
    behind = [other.name for other in line.items[place + 1 : place + 3]]
    if item.name in ("ABOVE", "BELOW"):
        return item.name.lower()
    if behind in (["from", "BELOW"], ["from", "ABOVE"]):
        return "above" if behind[1] == "BELOW" else "below"
    if item.name == "LEVEL":
        return None
    if concepts().get(text.split()[0]) == "DROP" or text == "gets down to" or "downside" in around:
        return "below"
    if item.name == "BREAK" or concepts().get(text.split()[0]) == "RISE" or "upside" in around:
        return "above"
    return "above" if side == SELL else None
