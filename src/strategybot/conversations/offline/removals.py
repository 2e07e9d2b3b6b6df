"""What is to go: "remove the stop and the target", "no more cooldown", "the volume isn't needed, take it out"."""

from strategybot.conversations.offline.groundwork import REMOVABLE, named_items
from strategybot.conversations.offline.lines import Line, some
from strategybot.conversations.offline.reading import Reading

_LIGHT = some(
    "the my its a an that this of also any all old ALL whole price CONDITION entire current these please both for me "
    "completely part existing at is now ANY fixed hard"
)
_HELD = some("it them the a position positions for on until is can be open trade trades")
_FOREVER = rf"(?:HOLD|HOLDMAX|SIZE|keep){_HELD} FOREVER"
_THINGS = f"(?:{'|'.join(REMOVABLE)})"
_NO_LONGER = (
    rf"NOT (?:need|want|like|use){some('to a an the use have any my this that it')} {_THINGS}(?: CONDITION)?"
    rf"{some('after between a the each every SELL trades trade BUY')} anymore"
)
_CONDITION_KINDS = frozenset({"price_drop", "price_rise", "volume_spike", "price_level"})
_GO = (
    r"(?: CONDITION)? (?:can|has to|have to|should|must|needs to|may|is to|could)(?: now| just| ADD)* (?:go|START|GONE)"
)
_UNNEEDED = (
    rf"(?:i|we|it|you) NOT (?:really )?need{some('to a an the use have any my this that fixed')} {_THINGS}"
    r"(?: CONDITION)?(?! (?:at |of |to )?[%#~×])"
)
# "no stop loss please", "trade without a stop": nothing but the removal is said
_PLAINLY_WITHOUT = (
    r"^(?:(?:please|ok|now|and|so|just|but|,|\.|"
    r"START|trade|trading|use|lets|run|go|there|should|be|i|we|want|with|it) )*NOT"
    rf"{_LIGHT} (?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX)"
    r"(?: (?:please|pls|plz|anymore|FILL|at all|thanks|then|now|,|\.))*$"
)
_UNWANTED = rf"(?:(?:i|we) )?(?:NOT (?:want|need|use|like|see){some('to a an the use have any my this that')} )?"
_NO_MORE = some("CONDITION is NOT needed necessary anymore required UNKNOWN AGAIN so please just then and , it")
_WITHOUT = (
    rf"NOT{_LIGHT} (?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX)(?! (?:at |of |to )?[%#~])(?!{_NO_MORE} REMOVE)"
    r"(?! (?:the |my |this )*SIMULATION)"
)
_NONE = r"(?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX)(?: :| is| to| be| set| should)* NOT(?= ,| \.|$)"  # "tp: none"
_REMOVALS = (
    (
        rf"REMOVE{_LIGHT}(?: [%#$~×])? {_THINGS}(?: (?:at |of |ABOVE |BELOW )?[%#$~×])?"
        rf"(?:(?: CONDITION)? (?:, (?:and )?(?:the|my)|and){_LIGHT} {_THINGS}(?! (?:to |at |of )?[%#~]))*"
    ),
    rf"{_UNWANTED}{_THINGS}{_NO_MORE} REMOVE",
    rf"(?:^|, |and |please ){_THINGS}(?: CONDITION)? off(?= ,| and| \.| please|$)",
    rf"{_THINGS}(?: CONDITION)?(?: (?:can|should|must|has|have|needs|to|be|is|may|could|now|just|please))+ REMOVE",
    rf"(?:take|turn|switch|leave|put) (?:the |my |that |a )*{_THINGS} (?:CONDITION )?(?:off|away|SELL)",
)


def without_removed(line: Line, reading: Reading) -> Line:
    """ "remove the stop and the target", "no more cooldown", "the volume isn't needed, take it out"."""
    if line.has("RESET"):
        reading.removed.add("strategy")
    for first, last in line.spans(_WITHOUT):
        plainly = line.items[first].text.lower() in ("no", "without") and line.has(_PLAINLY_WITHOUT)
        reading.negated = not plainly
        line = _gone(line, first, last, reading)
    for first, last in line.spans(_NONE):
        if line.items[last].text.lower() == "none":
            line = _gone(line, first, last, reading)
    line = _all_gone(line, (_NO_LONGER, _UNNEEDED, rf"{_THINGS}{_GO}"), reading)
    for first, last in line.spans(_FOREVER):
        reading.removed.add("max_holding")
        line = line.renamed(first, last, "GONE")
    line = _without_counted(line, reading)
    for first, last in line.spans(rf"(?:REPLACE|SWITCH){_LIGHT} {_THINGS}(?: CONDITION)? (?:with|by|for)"):
        line = _gone(line, first, last, reading)
        reading.adds = reading.adds or bool(reading.removed & _CONDITION_KINDS)
    return _all_gone(line, _REMOVALS, reading)


def _all_gone(line: Line, patterns: tuple[str, ...], reading: Reading) -> Line:
    for pattern in patterns:
        for first, last in line.spans(pattern):
            line = _gone(line, first, last, reading)
    return line


def _without_counted(line: Line, reading: Reading) -> Line:
    """ "remove the second condition": the one that stands in that place."""
    places = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "last": -1}
    for first, last in line.spans(r"REMOVE (?:the |my )*(?:first|second|third|last|#|½) (?:BUY )?CONDITION"):
        ordinal = next((item.text.lower() for item in line.items[first:last] if item.text.lower() in places), None)
        if ordinal is not None:
            reading.removed_place = places[ordinal]
            line = line.renamed(first, last, "GONE")
    return line


def _gone(line: Line, first: int, last: int, reading: Reading) -> Line:
    named = named_items(line, first, last)
    specific = [name for name in named if name in REMOVABLE and name not in ("SELL", "BUY", "LEVEL")]
    sold = "SELL" in named
    for name in specific or [name for name in named[:-1] if name in REMOVABLE] or [named[-1]]:
        reading.removed.add("exit_conditions" if name == "LEVEL" and sold else REMOVABLE[name])
    return line.renamed(first, last, "GONE")
