"""How far a value moves: to an amount, or by one ("raise the stop by 1%", "add 2% to the target")."""

from strategybot.conversations.offline.groundwork import FIELDS
from strategybot.conversations.offline.lines import Line
from strategybot.conversations.offline.reading import Amount, Change

_FIELD = f"(?:{'|'.join(FIELDS)})"
_ADDED = rf"ADD (?:another )?[%#] (?:to|on) (?:the |my )*{_FIELD}"
_TAKEN_OFF = rf"(?:take|REDUCE|STOP|knock|shave) [%#] (?:off|from|of) (?:the |my )*{_FIELD}"
_REACH = 8
_COMPARATIVES = frozenset({"higher", "wider", "looser", "larger", "bigger", "lower", "tighter", "smaller", "closer"})


def added(line: Line, place: int, value: float) -> Change | None:
    """ "add 2% to the stop", "take 1% off the target"."""
    for pattern, sign in ((_ADDED, 1), (_TAKEN_OFF, -1)):
        if any(first <= place <= last for first, last in line.spans(pattern)):
            return Change(sign * value, "by")
    return None


def compared(line: Line, place: int, value: float) -> Change | None:
    """ "make the stop 1% tighter": a comparison behind the amount."""
    for first, last in line.spans(r"[%#] (?:RAISE|REDUCE)"):
        if first == place and line.items[last].text.lower() in _COMPARATIVES:
            return Change(value if line.items[last].name == "RAISE" else -value, "by")
    return None


def moved(line: Line, place: int, value: Amount) -> Change:
    if place == 0 or line.items[place - 1].name not in ("by", "FILL", "about", "a"):
        return Change(value)
    ahead = [
        item.name if item.text.lower() != "cut" else "REDUCE" for item in line.items[max(0, place - _REACH) : place]
    ]
    moves = [name for name in ahead if name in ("RAISE", "REDUCE")]
    if "by" not in ahead[-3:] or not moves:
        return Change(value)
    less = moves[-1] == "REDUCE"
    if isinstance(value, str):
        return Change(f"-{value}" if less else value, "by")
    return Change(-value if less else value, "by")
