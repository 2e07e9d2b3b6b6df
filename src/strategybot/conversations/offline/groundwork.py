"""What is settled before numbers meet cues: titles, names, what stays, old values and removals."""

from strategybot.conversations.offline.lines import UNKNOWN, Line, some
from strategybot.conversations.offline.plain_words import TOLD, UNSUPPORTED
from strategybot.conversations.offline.reading import Reading

NUMBER = r"[%#$×½]"
AMOUNT = r"[%#$×½~]"
LONGEST_TITLE = 6
FIELDS = {
    "STOP": "stop_loss_percent",
    "TARGET": "take_profit_percent",
    "TRAIL": "trailing_stop_percent",
    "HOLDMAX": "max_holding",
    "COOLDOWN": "cooldown",
    "SIZE": "position_percent",
}
_REMOVABLE = {
    **FIELDS,
    "HOLD": "max_holding",
    "LOSS": "stop_loss_percent",
    "PROFIT": "take_profit_percent",
    "DROP": "price_drop",
    "RISE": "price_rise",
    "VOLUME": "volume_spike",
    "SELL": "exit_conditions",
    "BUY": "entry",
    "LEVEL": "price_level",
    "STRATEGY": "strategy",
}
_ACTING = r"make|set|change|put|use|ADD|REMOVE|RAISE|REDUCE|STOP|TARGET|TRAIL|COOLDOWN|SIZE|HALVE|BUY|SELL|move"
_LIGHT = some(
    "the my its a an that this of also any all old ALL whole price CONDITION entire current these please both for me "
    "completely part existing at is now ANY"
)
_KEPT = "NOT (?:CROSS|change|edit|move|update|modify|adjust|set|mess|UNKNOWN)" + some(
    "the my with to any ANY else rest ALL of STOP TARGET TRAIL COOLDOWN SIZE DROP VOLUME WINDOW HOLDMAX SELL BUY "
    "CONDITION and other UNKNOWN"
)
_BEFORE_NAME = "(?:BUY|SELL|when|whenever|if|once|on|TOKEN|trade|for|of|after)"
_AFTER_NAME = (
    r"(?:when|whenever|if|once|on|at|DROP|RISE|BREAK|CROSS|is|goes|has|,|\.|;|LOSS|PROFIT|VOLUME|after|with|and|CHECK|by|"
    r"SPIKE|price)"
)
_OLD_CONDITION = (
    r"INSTEAD (?:the |a |an |my |its |it |price |% |# )*(?:DROP|RISE|VOLUME)"
    r"(?: CONDITION)?(?: of| by| ABOVE)*(?: [%#×])?"
    r"(?:(?: in| within| over| an| a| the)* ~)?"
)
_HELD = some("it them the a position positions for on until is can be open trade trades")
_FOREVER = rf"(?:HOLD|HOLDMAX|SIZE|keep){_HELD} FOREVER"
_THINGS = f"(?:{'|'.join(_REMOVABLE)})"
_NO_LONGER = (
    rf"NOT (?:need|want|like|use){some('to a an the use have any my this that')} {_THINGS}(?: CONDITION)? anymore"
)
_CONDITION_KINDS = frozenset({"price_drop", "price_rise", "volume_spike", "price_level"})
_UNWANTED = rf"(?:(?:i|we) )?(?:NOT (?:want|need|use|like|see){some('to a an the use have any my this that')} )?"
_NO_MORE = some("CONDITION is NOT needed necessary anymore required UNKNOWN AGAIN so please just then and , it")
_REMOVALS = (
    (
        rf"REMOVE{_LIGHT} {_THINGS}(?: (?:at |of |ABOVE |BELOW )?[%#$~×])?"
        rf"(?:(?: CONDITION)? (?:, (?:and )?(?:the|my)|and){_LIGHT} {_THINGS}(?! (?:to |at |of )?[%#~]))*"
    ),
    rf"{_UNWANTED}{_THINGS}{_NO_MORE} REMOVE",
    rf"(?:take|turn|switch|leave|put) (?:the |my |that |a )*{_THINGS} (?:CONDITION )?(?:off|away|SELL)",
)


def titled(line: Line) -> Line:
    """ "my idea: …": a title without a number or a cue means nothing."""
    for end, _ in line.spans(":"):
        ahead = line.items[:end]
        plain = not any(item.text.lower() in TOLD for item in ahead) and all(
            item.name.islower() or item.name in (UNKNOWN, "ADD", "STRATEGY", "CREATE") for item in ahead
        )
        if plain and len(ahead) < LONGEST_TITLE and not any(item.text.lower() in UNSUPPORTED for item in ahead):
            for place, item in enumerate(ahead):
                line = line.renamed(place, place, "title") if item.name == UNKNOWN else line
    return line


def without_kept(line: Line) -> Line:
    """ "don't touch the stop, just …": what is to stay as it is needs no reading."""
    for first, last in line.spans(rf"{_KEPT}(?= ?[,;.] (?:but |just |only )*(?:{_ACTING})| but)"):
        line = line.renamed(first, last, "kept")
    for first, last in line.spans(rf"(?:,|but|and|\.|;) {_KEPT}$"):
        line = line.renamed(first, last, "kept")
    return line


def with_names(line: Line) -> tuple[Line, list[str]]:
    """Words that stand where a token is named, and the line with them known."""
    names = []
    shouting = all(item.text.isupper() for item in line.items if item.text.isalpha())
    placed = {first + 1 for first, _ in line.spans(rf"{_BEFORE_NAME} {UNKNOWN}(?= {_AFTER_NAME}|$)")}
    for position, item in enumerate(line.items):
        word = item.text.lower()
        spelled = item.text.isupper() and len(item.text) > 1 and not shouting
        if item.name == UNKNOWN and word not in UNSUPPORTED and (position in placed or spelled):
            names.append(item.text)
            line = line.renamed(position, position, "NAME")
        elif item.token is not None and item.name in "@€":
            names.append(item.text)
    return line, names


def without_old_values(line: Line, reading: Reading) -> Line:
    """ "from 3 to 5", "10 -> 12", "5x instead of 3x": the old value is read and dropped."""
    for first, _ in line.spans(rf"from {AMOUNT} to {AMOUNT}"):
        line = line.renamed(first + 1, first + 1, "OLD")
    for first, _ in line.spans(rf"{NUMBER} to {NUMBER}|~ to ~"):
        line = line.renamed(first, first, "OLD")
    named = "STOP|TARGET|TRAIL|DROP|RISE|VOLUME|COOLDOWN|HOLDMAX|SIZE|WINDOW"
    for _, last in line.spans(rf"(?:the |my )?{AMOUNT} (?:{named})(?= (?:CONDITION )?to {AMOUNT})"):
        line = line.renamed(last - 1, last - 1, "OLD")
    for first, last in line.spans(rf"INSTEAD (?:the |its |a |an |only |just )*(?:{AMOUNT}|HIGH|LOW|CLOSE|ALL|ANY|now)"):
        line = line.renamed(first, last, "OLD")
    for first, _ in line.spans(rf"{AMOUNT} (?:is|was|seems|feels|looks)(?: way| a bit| far| really| just)* TOOMUCH"):
        line = line.renamed(first, first, "OLD")
    for first, _ in line.spans(r"from (?:ALL|ANY)(?= to (?:ALL|ANY))"):
        line = line.renamed(first + 1, first + 1, "OLD")
    return _without_replaced(line, reading)


def _without_replaced(line: Line, reading: Reading) -> Line:
    """ "instead of the dip", "rather than a stop loss"."""
    for first, last in line.spans(_OLD_CONDITION):
        reading.removed |= {_REMOVABLE[name] for name in _named(line, first, last) if name in _REMOVABLE}
        line = line.renamed(first, last, "OLD")
    for first, last in line.spans(rf"INSTEAD (?:the |a |my )*(?:{'|'.join(FIELDS)})"):
        reading.removed.add(FIELDS[line.items[last].name])
        line = line.renamed(first, last, "OLD")
    return line


def without_removed(line: Line, reading: Reading) -> Line:
    """ "remove the stop and the target", "no more cooldown", "the volume isn't needed, take it out"."""
    if line.has("RESET"):
        reading.removed.add("strategy")
    for first, last in line.spans(
        rf"NOT{_LIGHT} (?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX)(?! (?:at |of |to )?[%#~])(?!{_NO_MORE} REMOVE)"
        r"(?! (?:the |my |this )*SIMULATION)"
    ):
        reading.negated = True
        line = _gone(line, first, last, reading)
    for first, last in line.spans(_NO_LONGER):
        line = _gone(line, first, last, reading)
    for first, last in line.spans(_FOREVER):
        reading.removed.add("max_holding")
        line = line.renamed(first, last, "GONE")
    line = _without_counted(line, reading)
    for first, last in line.spans(rf"REPLACE{_LIGHT} {_THINGS}(?: CONDITION)? (?:with|by|for)"):
        line = _gone(line, first, last, reading)
        reading.adds = reading.adds or bool(reading.removed & _CONDITION_KINDS)
    for pattern in _REMOVALS:
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


def _named(line: Line, first: int, last: int) -> list[str]:
    return [item.name for item in line.items[first : last + 1]]


def _gone(line: Line, first: int, last: int, reading: Reading) -> Line:
    named = _named(line, first, last)
    specific = [name for name in named if name in _REMOVABLE and name not in ("SELL", "BUY", "LEVEL")]
    sold = "SELL" in named
    for name in specific or [name for name in named[:-1] if name in _REMOVABLE] or [named[-1]]:
        reading.removed.add("exit_conditions" if name == "LEVEL" and sold else _REMOVABLE[name])
    return line.renamed(first, last, "GONE")
