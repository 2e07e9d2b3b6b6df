"""Numbers of a line paired with its cues by least cost, and durations with the conditions they are nearest to."""

from collections.abc import Container
from dataclasses import dataclass

from strategybot.conversations.offline.strategy.cues import TAKES, Cue, cues_of
from strategybot.conversations.offline.strategy.matching import IMPOSSIBLE, MOST_CUES, MOST_NUMBERS, matched
from strategybot.conversations.offline.words.lines import Item, Line

CONDITIONS = {"DROP": "price_drop", "RISE": "price_rise", "VOLUME": "volume_spike"}
WEAK_STOPS = frozenset({"cut", "losers", "cut it", "stop out", "stopped out"})
STRONG_ENDS = frozenset({".", ";", "?"})
WEAK_ENDS = frozenset({",", "and", "or", "then", "but", ":"})
_BEHIND_NO_WINDOW = frozenset({"at most", "at the latest", "at latest", "max", "maximum", "tops", "after"})
FARTHEST = 16.0
OWN_CUE = 1.6  # a little dearer than a word right beside the number
_NO_SHARE = frozenset({"at", "when", "if", "by", "once", "after"})  # "take the money at 12%" says nothing of a size
_OTHER_FIELDS = frozenset({"STOP", "TARGET", "TRAIL", "SIZE"})  # a window does not reach over these
_LEADING_ON = frozenset(
    {"make", "set", "put", "use", "to", "at", "go", "START", "try", "by", "take", "with", "want", "lets", "SWITCH"}
)
_DOUBLED = frozenset({"STOP", "TARGET", "TRAIL", "SIZE", "COOLDOWN", "HOLDMAX", "WINDOW"})


@dataclass
class Pairing:
    """The line, its cues, and which number each cue took."""

    line: Line
    cues: list[Cue]
    numbers: list[int]
    taken: dict[int, int]  # cue to the place of its number

    def number(self, cue: int) -> Item | None:
        place = self.taken.get(cue)
        return None if place is None else self.line.items[place]

    def left_over(self, timed: set[int]) -> list[int]:
        """The amounts that no cue took, nor any window."""
        read = {*self.taken.values(), *timed}
        return [
            place
            for place, item in enumerate(self.line.items)
            if (item.is_number or item.is_duration) and place not in read
        ]

    @property
    def is_too_much(self) -> bool:
        return len(self.numbers) > MOST_NUMBERS or len(self.cues) > 2 * MOST_CUES

    def is_stated(self, cue: Cue) -> bool:
        """Whether another cue of the same kind has a number: this one only repeats it."""
        return any(self.cues[other].name == cue.name and self.cues[other].side == cue.side for other in self.taken)


def paired(line: Line) -> Pairing:
    cues = cues_of(line)
    numbers = [place for place, item in enumerate(line.items) if item.is_number]
    pairing = Pairing(line, cues, numbers, {})
    if not pairing.is_too_much:
        chosen = matched([[_cost(line, place, cue) for cue in cues] for place in numbers])
        pairing.taken = {cue: numbers[row] for row, cue in enumerate(chosen) if cue is not None}
    return pairing


def _cost(line: Line, place: int, cue: Cue) -> float:
    item = line.items[place]
    if cue.only is not None:
        return OWN_CUE if cue.only == place else IMPOSSIBLE
    accepted = TAKES[cue.name]
    if item.name == "×" and cue.name in _DOUBLED and _multiplies(line, place):
        accepted = {"×": 1.0}  # "double the cooldown"
    first, last = sorted((place, cue.place))
    between = line.items[first + 1 : last]
    if item.name not in accepted or (cue.name == "CASH" and any(other.name in _NO_SHARE for other in between)):
        return IMPOSSIBLE
    if _is_renewed(line, place, cue) or _reaches_too_far(item, place > cue.place, between):
        return IMPOSSIBLE
    cost = float(len(between)) + (0.5 if place < cue.place else 0.0) + accepted[item.name]
    cost += sum(_hurdle(other, cue) for other in between) + (1.0 if cue.text in WEAK_STOPS else 0.0)
    return cost if cost <= FARTHEST else IMPOSSIBLE


def _is_renewed(line: Line, place: int, cue: Cue) -> bool:
    """Of "drop 5 -> 3 win …" the 3 belongs to what stands before the old value, and to nothing else."""
    ahead = line.items[max(0, place - 2) : place]
    if [item.name for item in ahead] != ["OLD", "to"]:
        return False
    before = [number for number in range(max(0, place - 5), place - 2) if line.items[number].name in TAKES]
    return bool(before) and cue.name != line.items[before[-1]].name


def _reaches_too_far(item: Item, behind: bool, between: tuple[Item, ...]) -> bool:
    """Of what a number without a sign is, only its place says; "measure it from the high and 17" says nothing."""
    if item.is_number and behind and any(other.name == "or" for other in between):
        return True
    if item.name == "#" and any(other.name in ("TIMED", "GONE", "SHARED") for other in between):
        return True
    bare = item.name == "#" or (item.name == "×" and item.text.isalpha())
    joined = [place for place, other in enumerate(between) if other.name in ("and", "or", "then")]
    if not (bare and behind and joined):
        return False
    return not any(other.name in _LEADING_ON for other in between[joined[-1] + 1 :])


def _multiplies(line: Line, place: int) -> bool:
    """ "double the cooldown", "3x the target"; but "tp 3x the stop" compares two fields."""
    opens = place == 0 or line.items[place - 1].name in ("and", ",", "please", "now", "just", "make", "then")
    followed = place + 1 < len(line.items) and line.items[place + 1].name in ("the", "my")
    return line.items[place].text.isalpha() or (opens and followed)


def _hurdle(between: Item, cue: Cue) -> float:
    """What it costs to reach over an item."""
    if between.name in STRONG_ENDS:
        return 8.0
    if between.name in WEAK_ENDS or (between.name in TAKES and between.name != cue.name):
        return 3.0
    return 2.0 if between.is_number or between.name == "PRICE" else 0.0


def nearest_condition(pairing: Pairing, place: int, found: Container[int]) -> int | None:
    """The cue of the condition whose window the duration at this place is."""
    if _is_no_window(pairing.line, place):
        return None
    costs = [
        (cost, number)
        for number, cue in enumerate(pairing.cues)
        if cue.name in CONDITIONS
        and number not in found
        and (number in pairing.taken or not pairing.is_stated(cue))
        and (cost := _window_cost(pairing, number, place)) < FARTHEST
    ]
    return min(costs)[1] if costs else None


def _is_no_window(line: Line, place: int) -> bool:
    """ "after 2 hours", "for 2 hours", "2 hours at most", "2 hours after it": no time over which the "
    "price is watched."""
    ahead = place - 1
    while ahead >= 0 and line.items[ahead].name in ("a", "an", "FILL", "about"):
        ahead -= 1
    behind = line.items[place + 1].text.lower() if place + 1 < len(line.items) else ""
    before = line.items[ahead].name if ahead >= 0 else ""
    return before in ("after", "for") or (
        behind in _BEHIND_NO_WINDOW and before not in ("in", "within", "over", "ABOVE", "per")
    )


def _window_cost(pairing: Pairing, number: int, place: int) -> float:
    cue, items = pairing.cues[number], pairing.line.items
    anchor = pairing.taken.get(number, cue.place)
    reach = items[min(place, cue.place, anchor) + 1 : max(place, cue.place, anchor)]
    if any(item.name in STRONG_ENDS for item in reach):
        return IMPOSSIBLE
    between = items[min(place, cue.place) + 1 : max(place, cue.place)]
    if any(item.name in _OTHER_FIELDS for item in between):
        return IMPOSSIBLE
    names = {item.name for item in between}
    if (
        place < cue.place and "OLD" in names and names & {"ADD", "SELL", "and", "then"}
    ):  # "2h instead of 1, and sell if it drops …"
        return IMPOSSIBLE
    cost = min(abs(place - cue.place), abs(place - anchor)) + (0.3 if place < cue.place else 0.0)
    return cost + 4 * sum(item.name in WEAK_ENDS for item in between)
