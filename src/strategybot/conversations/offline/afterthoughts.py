"""What is taken back or said on the side: "over 0.9, sorry, 0.95", "i get stopped out a lot, please …"."""

from strategybot.conversations.offline.lines import Line
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
    r"rather|FORGET|FILL|i|mean|meant|make|that|it|with|at|to|a|an|,|\.|;)"
)
_CORRECTED = rf"{_AMOUNT} (?:[,.;] )+(?:{_BETWEEN} )+{_AMOUNT}{_UNLIKE}"
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
_ASIDE = "maybe|perhaps|should|would|could|what|is it|do you"
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
    return line


def _denies(line: Line, last: int) -> bool:
    """The no of "tp 5%, no 6% stop" stands right before the second amount and may deny it."""
    return line.items[last - 1].name == "NOT"


def _without_grumble(line: Line) -> Line:
    """The order behind a complaint that names no amount and no condition."""
    for first, last in line.spans(_GRUMBLE):
        told = line.part(0, last)
        hearsay = any(item.text.lower() in (TOLD | PERSONS) - {"think", "thinking"} for item in told.items)
        if first == 0 and not (hearsay or told.has(f"{_CONDITIONAL}|{_ASIDE}")):
            return Line(line.items[last:])
    for first, last in line.spans(_TOLD_FIRST):
        told = line.part(first, last)
        hearsay = any(item.text.lower() in TOLD | PERSONS for item in told.items)
        if any(item.past for item in told.items) and not (hearsay or told.has(f"{_CONDITIONAL}|SELL|that|who|you")):
            return Line(line.items[last + 1 :])
    return line
