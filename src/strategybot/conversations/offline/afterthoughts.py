"""What is said on the side: "i get stopped out a lot, please …", "the target is never hit, so lower it to 7"."""

from strategybot.conversations.offline.corrections import without_slips
from strategybot.conversations.offline.lines import Line
from strategybot.conversations.offline.plain_words import PERSONS, TOLD

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


def without_afterthoughts(line: Line) -> Line:
    return _without_grumble(without_slips(line))


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
