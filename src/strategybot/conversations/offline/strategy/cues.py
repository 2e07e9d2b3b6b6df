"""The cues of a line: words that call for a number, and numbers that are their own cue (-5%, 5% off its high)."""

from dataclasses import dataclass, replace

from strategybot.conversations.offline.strategy.clauses import BUY, SELL, sides
from strategybot.conversations.offline.words.lines import Line

PERCENTS = {"%": 0.0, "#": 1.0}
TAKES = {  # each cue, the kinds of number it takes, and what the less usual ones cost
    "STOP": PERCENTS,
    "TARGET": PERCENTS,
    "TRAIL": PERCENTS,
    "DROP": PERCENTS,
    "RISE": PERCENTS,
    "VOLUME": {"×": 0.0, "#": 2.0},
    "SIZE": {"%": 0.0, "#": 1.0, "½": 0.0},
    "CASH": {"%": 1.0, "½": 0.0},
    "COOLDOWN": {},
    "HOLDMAX": {},
    "WINDOW": {},
}
_AGO = r"[%#] (?:BELOW|ABOVE|REDUCE|RAISE) (?:than )?(?:(?:it|was|a|an|the|its|price) )*~ ago"
_FROM_EXTREME = (
    r"[%#] (?:off|BELOW|under|from|ABOVE|over|down from|of) (?:(?:its|the|a|an|last|recent|~|price|day) )*(?:HIGH|LOW)"
)
_PER_TRADE = (
    r"[%½] (?:(?:in|on|for|into|with|of) )?(?:per|CHECK|a|ANY) (?:single )?"
    r"(?:trade|position|SIZE|time|BUY|order|deal|TOKEN)"
)
_GAINING = frozenset({"gain", "gains", "gaining", "gained"})
_MOVING_IN = (
    r"(?:LOSS|PROFIT)(?: (?:ABOVE|FILL|about|at|least|by|another))* [%#] "
    r"(?:in|within|over|during|inside)(?: (?:the|a|an|last|FILL))* ~"
)
_WATCHING = "BUY|when|whenever|if|once|after|it|its|price|NAME|TOKEN|or|and(?! FILL)"
_OFF = r"[%#] off(?= (?:in|over|within|inside|,|\.|;|~)|$)"  # "12% off in 24h"
_TIMED = r"(?: in| within| over| inside| ABOVE| /)?(?: the| a| an| last)* ~"
_SHARED_BEFORE = rf"(?:DROP|RISE)(?: by| of| FILL| ABOVE)* [%#]{_TIMED} (?:or|and)(?: by| of| FILL)* [%#]{_TIMED}"
_SHARED_BEHIND = rf"[%#]{_TIMED} (?:or|and) [%#]{_TIMED} (?:DROP|RISE)"


@dataclass(frozen=True)
class Cue:
    name: str
    place: int
    side: str
    text: str
    only: int | None = None  # the one number it may take: the number is its own cue


def cues_of(line: Line) -> list[Cue]:
    about = sides(line)
    moving = {first for first, _ in line.spans(_MOVING_IN)}
    watching = line.has("BUY|when|whenever|if|once|after")  # "lose at most 4%" does not
    worded = [
        _turned(
            Cue(item.name, place, about[place], item.text.lower()),
            place in moving,
            watching and not _is_listed(line, place),
        )
        for place, item in enumerate(line.items)
        if item.name in TAKES or item.name in ("LOSS", "PROFIT")
    ]
    own = [Cue(name, place, about[place], "own", only=place) for place, name in _own_cues(line, about)]
    return worded + own


def _is_listed(line: Line, place: int) -> bool:
    """The gain of "buy a dip of 8% in 4h, stop 4%, max gain 16%" is no move that it waits for: no clause says so."""
    ends = [end for end, item in enumerate(line.items[:place]) if item.name in (",", ";", ".")]
    clause = line.part(ends[-1] + 1, place) if ends else line.part(0, 0)
    return bool(ends) and not (line.has("ALL|ANY") or clause.has(_WATCHING))


def _own_cues(line: Line, about: list[str]) -> list[tuple[int, str]]:
    found = [(place, "RISE" if sign > 0 else "DROP") for place, sign in _signed(line)]
    found += [(place, "TARGET") for place in range(len(line.items)) if about[place] == SELL and _sold_at(line, place)]
    found += [(first, _moved(line.items[first + 1].name)) for first, _ in line.spans(_AGO)]
    found += [
        (first, "DROP" if line.items[last].name == "HIGH" else "RISE") for first, last in line.spans(_FROM_EXTREME)
    ]
    found += [(first, "DROP") for first, _ in line.spans(_OFF)]
    found += [
        (last - 1, _moved(line.items[last].name))
        for _, last in line.spans(r"SELL (?:it )?[%#] (?:RAISE|ABOVE|REDUCE|BELOW)")
    ]
    found += [
        (place, line.items[cue].name) for cue, place in _elliptic(line) if line.items[cue].name in ("DROP", "RISE")
    ]
    if not line.has("RISK"):  # "risk 2% per trade" may mean the stop as well
        found += [(first, "SIZE") for first, _ in line.spans(_PER_TRADE)]
    return found


def _elliptic(line: Line) -> list[tuple[int, int]]:
    """ "down 4% in 2h or 6% in 6h": the cue, and the number that shares it."""
    forward = [(first, last - _back_to_number(line, last)) for first, last in line.spans(_SHARED_BEFORE)]
    return forward + [(last, first) for first, last in line.spans(_SHARED_BEHIND)]


def _back_to_number(line: Line, last: int) -> int:
    return next(steps for steps in range(last) if line.items[last - steps].is_number)


def _signed(line: Line) -> list[tuple[int, int]]:
    if not line.has("BUY|SELL|ADD|~"):
        return []  # "-5%" alone says too little
    return [
        (place, item.token.sign)
        for place, item in enumerate(line.items)
        if item.token
        and item.token.sign
        and not _is_of_field(line, place)
        and (item.name == "%" or (item.name == "#" and _is_stated(line, place)))
    ]


def _is_of_field(line: Line, place: int) -> bool:
    """The -4% of "stop -4%" moves nothing."""
    return line.part(0, place).has("(?:STOP|TARGET|TRAIL)(?: at| to| of| :| is)?$")


def _is_stated(line: Line, place: int) -> bool:
    """ "if its minus 5"; but "cut it at -4" is about something else."""
    before = line.items[place - 1].name if place else ""
    sold = any(item.name == "SELL" for item in line.items[:place])  # "exit at +12 or -4"
    return before in ("if", "when", "its", "is", "once") or (sold and before in ("at", "or"))


def _moved(name: str) -> str:
    return "DROP" if name in ("BELOW", "REDUCE") else "RISE"


def _sold_at(line: Line, place: int) -> bool:
    """ "sell at 10%" takes a profit."""
    ahead = [item.name for item in line.items[max(0, place - 3) : place]]
    return line.items[place].name == "%" and (ahead[-2:] == ["SELL", "at"] or ahead[-3:] == ["SELL", "it", "at"])


def _turned(cue: Cue, moving: bool, watching: bool) -> Cue:
    """A loss is a stop and a gain a target, but "loses 3%" is a drop and "gains 3%" a rise when it is about buying.

    So they are wherever a time stands with them: "sell if it loses 6% in an hour".
    """
    about_price = (cue.side == BUY and watching) or moving
    if cue.name == "LOSS":
        return replace(cue, name="DROP" if about_price and "loss" not in cue.text else "STOP")
    if cue.name == "PROFIT":
        return replace(cue, name="RISE" if about_price and cue.text in _GAINING else "TARGET")
    return cue
