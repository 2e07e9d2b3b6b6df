"""Slips of the tongue: "over 0.9, sorry, 0.95", "tp 30 sl 8. sorry, sl 7": what is said again takes the first's place.

A slip is a stretch of nothing but words that take something back. What it mends has to be plain: an amount of the same
kind, a move with its time, or the same part of the strategy once more; else both are left, and asked about.
"""

import re
from dataclasses import replace

from strategybot.conversations.offline.words.lines import Item, Line
from strategybot.conversations.offline.words.plain_words import words_of

_REFUSING = words_of("no nope nah")
_SORRY = words_of("sorry oops whoops pardon apologies misspoke")
_DOUBTING = words_of("wait mean meant typo err ehm correction mistake scratch strike hang")
_SIGNS = _REFUSING | _SORRY | _DOUBTING | words_of("actually rather")
_SIGNS_OF_TWO = ("make that", "my bad", "hold on", "wrong one", "wrong number")
_LIGHT = words_of(
    """
    make that it on hold my bad i wrong one number hmm hm uh um er erm eh oh ah well this was to say said let me lets
    just should be the last past with at a an in of by wanted
    """
)
_SLIPPING = _SIGNS | _LIGHT
_PAUSES = frozenset({"wait", "hold on", "hang on"})  # "stop 4, wait 2 hours" is a pause
_MARKS = frozenset({",", ".", ";", ":"})
_ALIKE = ({"%", "½", "#"}, {"#", "$", "×"}, {"~"})
_UNLIKE = r"^(?:of )?(?:STOP|TARGET|TRAIL|SIZE|VOLUME|DROP|RISE|COOLDOWN|HOLDMAX|PROFIT|LOSS|WINDOW)"
_ENDS = r"(?= [,;.]| and| but| with| then|$)"
_MOVE = rf"^[%#] (?:in|within|over|inside)(?: the| a| an| last)* ~{_ENDS}"
_FIELD = r"(?:STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|VOLUME|DROP|RISE|WINDOW)"
_STATED = rf"{_FIELD}(?: (?:to|at|of|is|be|should|:|a|an|FILL))* [%#$×½~]"
_AGAIN = rf"^{_STATED}{_ENDS}"
_SIDE = r"^(?:ABOVE|BELOW) [#$](?= [,;.]|$)"  # "above 0.02, no, above 0.025"
_OLD = r"(?:INSTEAD|NOT|from|than)(?: the| a| an| at)* [%#$×½~]$"  # of "30 instead of 28, actually 20" the 28 is old
_HESITANT = _SORRY | {"wait", "hmm", "hm", "uh", "um", "oh", "ah"}


def without_slips(line: Line) -> Line:
    """The second in the place of the first, from the end backwards: "5, no, 4, actually 4.5"."""
    for first, last in reversed(_slips(line)):
        said = line.part(last + 1, len(line.items))
        if said.has(_MOVE) and _is_whole_move(line, first):
            line = _with_move(line, first, last)
        elif said.has(_AGAIN):
            line = _with_field(line, first, last)
        elif said.has(_SIDE) and line.part(0, first).has(rf"{said.items[0].name} [#$]$"):
            line = Line(line.items[: first - 1] + line.items[last + 2 :])
        elif said.items and {said.items[0].name} <= {*"%#$×½~"} and not _denies(line, last + 1):
            line = _with_amount(line, first, last)
    return line


def _slips(line: Line) -> list[tuple[int, int]]:
    """First and last item of each stretch that only takes back what stands before it."""
    found: list[tuple[int, int]] = []
    first: int | None = None
    for place, item in enumerate(line.items):
        slipping = item.token is None and (item.name in _MARKS or {*item.text.lower().split()} <= _SLIPPING)
        if not slipping and first and _takes_back(line.items[first:place]):
            found.append((first, place - 1))
        first = None if not slipping else place if first is None else first
    return found


def _takes_back(stretch: tuple[Item, ...]) -> bool:
    text = " ".join(item.text.lower() for item in stretch if item.name not in _MARKS)
    words = {*text.split()}
    signed = bool(words & _SIGNS) or any(sign in text for sign in _SIGNS_OF_TWO)
    parted = stretch[0].name in _MARKS or len(words) > 1 or bool(words & _SORRY)
    pausing = stretch[-1].text.lower() in _PAUSES and not words & _REFUSING
    return signed and parted and not pausing


def _with_amount(line: Line, first: int, last: int) -> Line:
    """ "12%, sorry, 21%": in the place of the amount right before it, or of the only such one in the clause."""
    new = last + 1
    alike = any({line.items[first - 1].name, line.items[new].name} <= kinds for kinds in _ALIKE)
    behind = line.part(new + 1, new + 3)
    if behind.has(_UNLIKE) or line.part(0, first).has(_OLD):
        return line
    if alike and _moves_alike(line, first - 1, new):
        renewed = _renewed(line.items[first - 1], line.items[new])
        return Line((*line.items[: first - 1], renewed, *line.items[new + 1 :]))
    place = _former(line, first, new) if line.part(new, len(line.items)).has(rf"^\S+{_ENDS}") else None
    if place is None or not _moves_alike(line, place, new):
        return line
    renewed = _renewed(line.items[place], line.items[new])
    return Line((*line.items[:place], renewed, *line.items[place + 1 : first], *line.items[new + 1 :]))


def _is_whole_move(line: Line, first: int) -> bool:
    said = line.part(_clause_start(line, first), first)
    amounts = [item.is_duration for item in said.items if item.is_number or item.is_duration]
    return said.has("DROP|RISE") and amounts == [False, True]


def _with_move(line: Line, first: int, last: int) -> Line:
    """ "when it drops 6% in 2 hours, i mean 7% in 2 hours"."""
    amounts = [place for place, item in enumerate(line.items) if item.is_number or item.is_duration]
    old = [place for place in amounts if place < first][-2:]
    new = [place for place in amounts if place > last][:2]
    items = list(line.items)
    items[old[0]], items[old[1]] = items[new[0]], items[new[1]]
    return Line((*items[:first], *items[new[1] + 1 :]))


def _with_field(line: Line, first: int, last: int) -> Line:
    """ "tp 30 sl 8. sorry, sl 7": the same part once more."""
    name = line.items[last + 1].name
    end = next(place for place in range(last + 1, len(line.items)) if line.items[place].token is not None)
    said = [(start, place) for start, place in line.part(0, first).spans(_STATED) if line.items[start].name == name]
    named = [item for item in line.items[:first] if item.name == name]
    words = {word for item in line.items[first : last + 1] for word in item.text.lower().split()}
    plainly = words & (_SORRY | _DOUBTING) or (words & _REFUSING and words & _HESITANT)
    if len(said) != 1 or len(named) != 1 or not plainly:  # "tp 12. no. tp 14" is asked about
        return line
    place = said[0][1]
    if not any({line.items[place].name, line.items[end].name} <= kinds for kinds in _ALIKE):
        return line
    return Line((*line.items[:place], line.items[end], *line.items[place + 1 : first], *line.items[end + 1 :]))


def _moves_alike(line: Line, old: int, new: int) -> bool:
    """ "by 1%, sorry, to 5%" is another kind of change."""
    return (line.items[old - 1].name == "by") == (line.items[new - 1].name == "by") or (
        line.items[new - 1].name not in ("by", "to", "at")
    )


def _clause_start(line: Line, first: int) -> int:
    ends = [place for place, item in enumerate(line.items[:first]) if item.name in (",", ".", ";", "and")]
    return max(ends, default=-1) + 1


def _former(line: Line, first: int, last: int) -> int | None:
    """The one amount of the clause before that is of the same kind as the one which takes its place."""
    bare = line.items[last].name == "#"  # may be any of them
    alike = {*"%#$×½~"} if bare else next(kinds for kinds in _ALIKE if line.items[last].name in kinds)
    places = [place for place in range(_clause_start(line, first), first) if line.items[place].name in alike]
    return places[0] if len(places) == 1 else None


def _renewed(old: Item, new: Item) -> Item:
    """ "30 days, actually 60", "20%, err, 25": the unit stays."""
    if not (new.name == "#" and old.token and new.token):
        return new
    if old.name == "%":
        return replace(new, name=old.name, token=replace(new.token, kind=old.token.kind))
    count = re.match(r"\d+(?:\.\d+)?", old.text)
    if not (old.is_duration and count):
        return new
    written = f"{new.text}{old.text[count.end() :]}"
    token = replace(old.token, text=written, value=old.token.value / float(count[0]) * new.token.value)
    return replace(old, text=written, token=token)


def _denies(line: Line, last: int) -> bool:
    """The no of "tp 5%, no 6% stop" may deny the amount right behind it; that of "hmm no 6" or "5, no 6," does not."""
    if line.items[last - 1].name != "NOT" or line.items[last - 2].text.lower() in _HESITANT:
        return False
    ends = last + 1 == len(line.items) or line.items[last + 1].name in (",", ";", ".")
    return not (ends and line.items[last - 1].text.lower() == "no")
