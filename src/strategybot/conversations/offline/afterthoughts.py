"""What is taken back or said on the side: "over 0.9, sorry, 0.95", "i get stopped out a lot, please …"."""

import re
from dataclasses import replace

from strategybot.conversations.offline.lines import Item, Line
from strategybot.conversations.offline.plain_words import PERSONS, TOLD

_CORRECTING = frozenset(
    {
        "no",
        "nope",
        "nah",
        "sorry",
        "oops",
        "whoops",
        "actually",
        "wait",
        "mean",
        "meant",
        "make that",
        "scratch that",
        "rather",
        "my bad",
    }
)
_AMOUNT = r"[%#$×½~]"
_UNLIKE = r"(?! (?:of )?(?:STOP|TARGET|TRAIL|SIZE|VOLUME|DROP|RISE|COOLDOWN|HOLDMAX|PROFIT|LOSS|WINDOW))"
_BETWEEN = (
    r"(?:NOT|no|sorry|oops|whoops|actually|COOLDOWN(?= (?:,|\.|NOT|no|make|i) )|"
    r"rather|FORGET|FILL|hmm|hm|uh|um|the|last|past|i|mean|meant|make|that|it|with|at|to|a|an|,|\.|;)"
)
_CORRECTED = rf"{_AMOUNT} (?:[,.;] )+(?:{_BETWEEN} )+{_AMOUNT}{_UNLIKE}"
_TAKEN_BACK = (  # behind more than the amount: "a 5% dip in 1 hour, sorry i meant 6%", "5 days no wait 15 days"
    rf"(?:(?:[,.;] )*(?:(?:hmm|hm|uh|um|oh|well)(?: ,)? (?=make that))?"
    rf"(?:sorry|oops|whoops|i mean|i meant|NOT COOLDOWN|no wait|"
    r"COOLDOWN (?:, )?(?:NOT|no)|i UNKNOWN|make that|"
    r"(?:hmm|hm|uh|um|oh)(?: ,)? (?:NOT|no)|"
    rf"(?<=, )(?:actually|rather|no|NOT))(?: (?:{_BETWEEN}|UNKNOWN|wait))*) {_AMOUNT}{_UNLIKE}(?= [,;.]| and|$)"
)
_WAITING = frozenset({"wait", "hold on", "hang on", "meant"})
_HESITANT = frozenset({"wait", "hmm", "hm", "uh", "um", "oh", "sorry", "oops", "whoops"})
_ORDERING = r"(?:set|change|make|put|use|adjust|update|move|ADD|REMOVE|RAISE|REDUCE|HALVE|×|lets|give|TEST)"
_GRUMBLE = (
    r"^(?:[^%#$×½~,;.?]+ )?(?:i think|i feel|im|i am|ive|i keep|i got|i get|it keeps|keeps|getting|always)(?!\S)"
    r"[^%#$×½~,;.?:]*(?:[,;.]|so) (?:so |and |then |just )*(?:please|pls|plz|can you|could you)"
    rf"(?= (?:please |just |now )*{_ORDERING}(?!\S))"
)
_TOLD_FIRST = (
    r"^[^%#$×½~,;.?:]+ [,;.](?= (?:so |and |then |just |please )*"
    r"(?:set|change|make|put|use|move|ADD|REMOVE|RAISE|REDUCE|HALVE|lets)(?! (?:it|that|this|them)(?!\S))(?!\S))"
)
_REASON = (  # "my stop was hit too often, so please move it to 4.5"
    r"^[^%#$×½~,;.?:]+ (?:[,;.] )?(?:so|therefore|hence|thus)"
    r"(?: (?:please|pls|plz|kindly|just|now|then|lets|,|can you|could you))*"
    rf"(?= {_ORDERING}(?!\S))"
)
_UNMET = (
    r"(?:is|are|was|were|gets|got) NOT(?= (?:CROSS|reached|hit|touched|UNKNOWN))"  # "the target is never hit, so …"
)
_DOING = _ORDERING.replace("ADD|", "")  # the also of "too often" adds nothing
_CHANGED = r"^(?:to|by|a|an|at|up|down|back|RAISE|REDUCE|[%#~×])"
_PART = r"STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|WINDOW"
_ASIDE = "maybe|perhaps|should|would|could|what|is it|do you|(?:going|about|planning|trying|supposed|meant|used) to"
_CONDITIONAL = "if|when|whenever|once|unless|BUY|NOT|while|until"
_ALIKE = ({"%", "½", "#"}, {"#", "$", "×"}, {"~"})


def without_afterthoughts(line: Line) -> Line:
    return _without_grumble(_without_corrected(line))


def _without_corrected(line: Line) -> Line:
    """The second amount in the place of the first, where the first is taken back."""
    for first, last in reversed(line.spans(_CORRECTED)):
        ends = {line.items[first].name, line.items[last].name}
        between = line.items[first + 1 : last]
        taken_back = any(item.text.lower() in _CORRECTING for item in between)
        if taken_back and any(ends <= kinds for kinds in _ALIKE) and not _denies(line, last):
            line = Line(line.items[:first] + line.items[last:])
    for first, last in reversed(line.spans(_TAKEN_BACK)):
        meant = all(
            item.text.lower() in _WAITING for item in line.items[first:last] if item.name in ("COOLDOWN", "UNKNOWN")
        )
        place = _former(line, first, last) if meant and not _denies(line, last) else None
        if place is not None:
            renewed = _renewed(line.items[place], line.items[last])
            line = Line((*line.items[:place], renewed, *line.items[place + 1 : first], *line.items[last + 1 :]))
    return line


def _former(line: Line, first: int, last: int) -> int | None:
    """The one amount of the clause before that is of the same kind as the one which takes its place."""
    ends = [place for place, item in enumerate(line.items[:first]) if item.name in (",", ".", ";", "and")]
    bare = line.items[last].name == "#"  # may be any of them
    alike = {*"%#$×½~"} if bare else next(kinds for kinds in _ALIKE if line.items[last].name in kinds)
    places = [place for place in range(max(ends, default=-1) + 1, first) if line.items[place].name in alike]
    return places[0] if len(places) == 1 else None


def _renewed(old: Item, new: Item) -> Item:
    """ "30 days, actually 60": the unit stays."""
    count = re.match(r"\d+(?:\.\d+)?", old.text)
    if not (old.is_duration and new.name == "#" and old.token and new.token and count):
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


def _without_grumble(line: Line) -> Line:
    """The order behind a complaint that names no amount and no condition."""
    for first, last in line.spans(_GRUMBLE):
        told = line.part(0, last)
        hearsay = any(item.text.lower() in (TOLD | PERSONS) - {"think", "thinking"} for item in told.items)
        if first == 0 and not (hearsay or told.has(f"{_CONDITIONAL}|{_ASIDE}")):
            return Line(line.items[last:])
    for first, last in line.spans(_REASON):
        told = line.part(first, last)
        hearsay = any(item.text.lower() in TOLD - {"often", "usually", "mostly"} | PERSONS for item in told.items)
        for unmet, behind in told.spans(_UNMET):
            told = told.renamed(unmet, behind, "unmet")
        if not (hearsay or told.has(f"{_CONDITIONAL}|{_ASIDE}|{_DOING}|that|who|you")):
            return _about(told, Line(line.items[last + 1 :]))
    for first, last in line.spans(_TOLD_FIRST):
        told = line.part(first, last)
        hearsay = any(item.text.lower() in TOLD | PERSONS for item in told.items)
        if any(item.past for item in told.items) and not (
            hearsay or told.has(f"{_CONDITIONAL}|{_ASIDE}|SELL|that|who|you")
        ):
            return Line(line.items[last + 1 :])
    return line


def _about(told: Line, order: Line) -> Line:
    """The order with what its "it" stands for, where the reason names one part of the strategy."""
    parts = [told.items[first] for first, _ in told.spans(_PART)]
    meant = [
        place
        for place, item in enumerate(order.items[:4])
        if item.text.lower().split(" ")[-1] == "it" and order.part(place + 1, place + 2).has(_CHANGED)
    ]
    if len({part.name for part in parts}) != 1 or not meant:
        return order
    place = meant[0] + (order.items[meant[0]].name != "it")  # "lower it" is one item
    return Line((*order.items[:place], parts[0], *order.items[meant[0] + 1 :]))
