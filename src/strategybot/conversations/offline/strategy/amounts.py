"""How far a value moves: to an amount, or by one ("raise the stop by 1%", "2% more room", "another day")."""

from strategybot.conversations.offline.reading import Amount, Change
from strategybot.conversations.offline.words.groundwork import FIELDS
from strategybot.conversations.offline.words.lines import Line, some
from strategybot.conversations.offline.words.plain_words import words_of

_FIELD = f"(?:{'|'.join(FIELDS)}|DROP|RISE|WINDOW)"
_ADDED = (
    rf"ADD (?:another |CREATE |an |a )*[%#~] (?:to|on) (?:the |my )*{_FIELD}"
    rf"(?:(?: ,| and)+(?: another| an| a)* [%#~] (?:to|on) (?:the |my )*{_FIELD})*"
)
_TAKEN_OFF = (
    rf"(?:take|REDUCE|REMOVE|STOP|knock|shave|cut) [%#~] (?:off|from|of) (?:the |my )*{_FIELD}"
    rf"(?:(?: ,| and)+(?: another| an| a)* [%#~] (?:off|from|of) (?:the |my )*{_FIELD})*"
)
_REACH = 8
_ELSEWHERE = frozenset({".", ";", "?", "BUY", "SELL", "if", "when", "whenever", "once", "ADD", "set", "make", "use"})
_LIGHT = frozenset({"FILL", "about", "a", "an", "just", "only", "another", "CREATE", "extra"})
_FURTHER = frozenset(
    {"another", "one more", "extra", "an extra", "additional", "an additional", "a further", "further"}
)
_COMPARATIVES = words_of(
    """
    higher wider looser larger bigger longer deeper greater steeper lower tighter smaller closer shorter shallower
    nearer narrower more less extra
    """
) | {"more room", "less room", "further away", "further out", "closer in"}
_LESS = frozenset({"less", "narrower"})
_MOVED = frozenset({"RAISE", "REDUCE", "STOP", "TARGET", "TRAIL", "give"})
_BEHIND = some("FILL percent points")


def change_of(line: Line, place: int, value: Amount) -> Change:
    """The change that the amount at this place stands for."""
    sign = _added(line, place) or _compared(line, place) or _by(line, place) or _further(line, place)
    if sign is None:
        return Change(value)
    if isinstance(value, str):
        return Change(value if sign > 0 else f"-{value}", "by")
    return Change(sign * value, "by")


def _added(line: Line, place: int) -> int | None:
    """ "add 2% to the stop", "take 1% off the target"."""
    for pattern, sign in ((_ADDED, 1), (_TAKEN_OFF, -1)):
        if any(first <= place <= last for first, last in line.spans(pattern)):
            return sign
    return None


def _compared(line: Line, place: int) -> int | None:
    """ "make the stop 1% tighter", "2% more room": a comparison behind the amount."""
    for first, last in line.spans(rf"[%#~]{_BEHIND} (?:RAISE|REDUCE|more|less|extra|UNKNOWN)"):
        if first == place and line.items[last].text.lower() in _COMPARATIVES:
            less = line.items[last].name == "REDUCE" or line.items[last].text.lower() in _LESS
            return -1 if less else 1
    return None


def _by(line: Line, place: int) -> int | None:
    """ "raise the stop by 1%", "cut the cooldown by half an hour"."""
    before = _before(line, place)
    if before is None or line.items[before].name != "by":
        return None
    ahead = _clause(line, place)
    moves = [name for name in ahead if name in ("RAISE", "REDUCE")]
    return None if not moves else -1 if moves[-1] == "REDUCE" else 1


def _clause(line: Line, place: int) -> list[str]:
    """What stands before the amount in its sentence: "lower the stop by 2 and the target by 5" lowers both."""
    ahead = [item.name if item.text.lower() != "cut" else "REDUCE" for item in line.items[:place]]
    starts = [number for number, name in enumerate(ahead) if name in _ELSEWHERE]
    return ahead[starts[-1] :] if starts else ahead


def _further(line: Line, place: int) -> int | None:
    """ "give the stop another 2%"; but what "falls another 4%" only falls."""
    if place == 0 or line.items[place - 1].text.lower() not in _FURTHER:
        return None
    ahead = {*_clause(line, place)} & {item.name for item in line.items[max(0, place - _REACH) : place]}
    if line.has("BUY|SELL|if|when|once") and not ahead & _MOVED:
        return None
    return -1 if "REDUCE" in ahead else 1


def _before(line: Line, place: int) -> int | None:
    before = place - 1
    while before >= 0 and line.items[before].name in _LIGHT:
        before -= 1
    return before if before >= 0 else None
