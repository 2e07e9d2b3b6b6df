"""Orders that the same message takes back: "the stop, no, the trailing stop to 6%", "… no, leave the stop alone"."""

from strategybot.conversations.offline.words.lines import UNKNOWN, Item, Line

_PART = r"(?:STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX)"
_CHANGE = r"(?:change|set|move|put|make|RAISE|REDUCE|adjust|update)"
_SLIP = r"(?:NOT|no|sorry|oops|whoops|actually|rather|hmm|hm|uh|um|oh|i|mean|meant|UNKNOWN|,|;|\.)"
_SLIPPING = frozenset({"no", "nope", "nah", "sorry", "oops", "whoops", "mean", "meant"})
_FIELDS = frozenset({"field", "setting", "parameter"})  # "wrong field"
_MOVE = r"(?:DROP|RISE)(?: by| of| FILL| ABOVE)* [%#] (?:in|within|over|inside)(?: the| a| an| last)* ~"
_RENAMED = rf"{_PART}(?: {_SLIP})+(?= (?:the|my) {_PART}(?: ,)? (?:to|at|by) [%#~])"
_RESTATED = rf"{_MOVE} (?:[,;.] )+{_SLIP}(?: {_SLIP})*(?: it| if| when| its| the| price)*(?= {_MOVE})"
_LEFT_ALONE = (
    rf"{_CHANGE}(?: the| my)* {_PART}(?: to| at)* [%#~](?: [,;.])*(?: (?:actually|no|NOT|hmm|sorry|oh|,))+ "
    rf"(?:leave|keep)(?: the| my)* {_PART} (?:alone|unchanged|untouched|SAME|FILL)(?: [,;.]|$|(?: and| but)+)"
)
_MISTAKEN = (  # "stop loss 2%, oops wrong one, i meant take profit 12%"
    rf"{_PART}(?: to| at| of)* [%#~](?: {_SLIP})*(?: the)? wrong (?:one|thing|number|UNKNOWN)(?: {_SLIP})*"
    rf"(?= (?:the |my )*{_PART}(?: to| at| of)* [%#~](?: [,;.]| and|$))"
)
_GIVEN_UP = (  # "i was going to use 5% but let's go with …"
    r"^(?:i|we) (?:was|were) (?:going|about|planning) to (?:[^,;.\s]+ )+?(?:, )?but"
    r"(?= (?:START with|lets|SWITCH)(?!\S))"
)
_THOUGHT_OF = r"^i (?:think|thought) (?:of|about)(?: a| an| such| the| this| following)* STRATEGY :"
_DO_IT = r"(?:[,;.] )*(?:and )?(?:please|pls|kindly) (?:set|apply|use|make|START) (?:it|this|that)(?: \.)*$"
_NOT_BOTH = (  # "either is enough, not both", "… , it doesn't have to be both"
    r"ANY(?: [^,;.\s]+){0,9}(?: [,;.]| and| but)*(?: it| they| we| i| you)? NOT(?: necessary| really)*"
    r"(?: (?:have|has|need|needs|required|necessary) to)?(?: be| hold| have| need)* ALL(?: true| HOLD| hold)?"
    r"(?= [,;.]|$)"
)


def without_retractions(line: Line) -> Line:
    """The message without what it takes back, where what it puts in its place is of the same shape."""
    for pattern in (_RENAMED, _RESTATED, _MISTAKEN):
        for first, last in reversed(line.spans(pattern)):
            if _is_slip(line, first, last):
                line = Line(line.items[:first] + _behind(line, last))
    for first, last in reversed(line.spans(_LEFT_ALONE)):
        parts = {item.name for item in line.items[first:last] if Line((item,)).has(_PART)}
        if len(parts) == 1 and _denies_nothing(line, first, last):
            line = Line(line.items[:first] + line.items[last + 1 :])
    for _, last in line.spans(_GIVEN_UP):
        line = Line(line.items[last + 1 :])
    return _without_thought(line)


def _is_slip(line: Line, first: int, last: int) -> bool:
    """A word of the stretch says that it was a slip, and none is strange."""
    slips = any(item.text.lower() in _SLIPPING or item.name == "wrong" for item in line.items[first : last + 1])
    return slips and _denies_nothing(line, first, last)


def _denies_nothing(line: Line, first: int, last: int) -> bool:
    denials = [item for item in line.items[first : last + 1] if item.name in ("NOT", UNKNOWN)]
    return all(item.text.lower() in _SLIPPING | _FIELDS for item in denials)


def _behind(line: Line, last: int) -> tuple[Item, ...]:
    """What follows; of "the trailing stop, to 6%" without the article that stands before already."""
    rest = line.items[last + 1 :]
    return rest[1:] if rest[0].name in ("the", "my") else rest


def _without_thought(line: Line) -> Line:
    """ "i think of such a strategy: …, please set it": thought of, and ordered."""
    headings, orders = line.spans(_THOUGHT_OF), line.spans(_DO_IT)
    return line.part(headings[0][1] + 1, orders[0][0]) if headings and orders else line


def without_needless(line: Line) -> Line:
    """One of them being enough is said again by all of them not being needed."""
    for first, last in line.spans(_NOT_BOTH):
        start = next(place for place in range(first, last) if line.items[place].name == "NOT")
        start -= line.items[start - 1].name in ("it", "they", "we", "i", "you")
        line = line.renamed(start, last, "counted")
    return line
