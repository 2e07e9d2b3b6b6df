"""The old value beside a new one: "from 3 to 5", "10 -> 12", "5x instead of 3x", "20 min, not an hour"."""

from strategybot.conversations.offline.reading import Claim, Reading
from strategybot.conversations.offline.words.groundwork import AMOUNT, FIELDS, NUMBER, REMOVABLE, named_items
from strategybot.conversations.offline.words.lines import Line

_DISMISSED = (
    (
        r"INSTEAD (?:the |its |a |an |only |just )*"
        rf"(?:{AMOUNT}(?: (?:in|over|within|per)(?: the| a| an)* ~)?|HIGH|LOW|CLOSE|ALL|ANY|now)"
    ),
    # "20 min, not 1 hour", "from the high, not from the close"
    rf"(?<={NUMBER} )(?:, |and )*NOT (?:the |a |an |at )*{NUMBER}",
    r"(?<=~ )(?:, |and )*NOT (?:in |over |within |the |a |an )*~",
    rf"(?<={AMOUNT} FILL )(?:, |and )*NOT (?:the |a |an )*{AMOUNT}(?= [,;.]|$)",  # "24 hours at most, not 48"
    r"(?<=~ )(?:, |and )*NOT (?:the |a |an )*#(?= [,;.]|$)",
    r"(?<=HIGH )(?:, |and )*NOT (?:from |off )?(?:the )?(?:CLOSE|LOW)",
    r"(?<=CLOSE )(?:, |and )*NOT (?:from |off )?(?:the )?(?:HIGH|LOW)",
    rf"NOT (?:at |to |the |a |an )*{AMOUNT}(?= (?:, )?but (?:at |to |rather )*{AMOUNT})",  # "not 3 but 5"
)
_NOT_THE_OLD = (  # "take 12% profit, not 10"
    rf"(?:{NUMBER}(?: [^,;.%#~×$\s]+){{1,3}}(?: ,)? NOT (?:the |a |an )*{NUMBER}"
    rf"|~(?: [^,;.%#~×$\s]+){{1,3}}(?: ,)? NOT (?:the |a |an )*[~#])(?= [,;.]|$)"
)
_NAMED = "STOP|TARGET|TRAIL|DROP|RISE|VOLUME|COOLDOWN|HOLDMAX|SIZE|WINDOW"
_EXCHANGED = rf"(?:the |my )?{AMOUNT} (?:{_NAMED})(?= (?:CONDITION )?(?:to|for|with|by) (?:a |an )*{AMOUNT})"
_HAVING = (  # "the cooldown of one hour is to be extended to two"
    rf"(?:{_NAMED}) (?:of|at) {AMOUNT}(?= (?:(?!and )[^,;.%#~×\s]+ ){{0,5}}to {AMOUNT})"
)
_SWAPPED = rf"(?:SWITCH|REPLACE|swap|trade|change)(?: out| the| my)* {NUMBER}(?= (?:for|with|by) (?:a |an )*{NUMBER})"
_TOO_MUCH = rf"{AMOUNT}(?: (?:{_NAMED}))?(?: (?:is|was|seems|feels|looks|way|FILL|far|really|just))* TOOMUCH"
_TOO_MUCH_FOR = rf"{_TOO_MUCH} for(?: a| the| my)* SELL"  # "0.012 is too cheap for selling, …"
_THROWN_OUT = (  # "get rid of the 3% stop and put 5%"
    rf"REMOVE(?: the| my)* {AMOUNT} (?:{_NAMED})"
    rf"(?= (?:and|,|then)(?: (?:put|use|set|make|it|go|START|with|try|to|at|a|just))+ {AMOUNT})"
)
_UNWANTED = (  # "i don't want the 20% target anymore, make it 35%"
    rf"NOT (?:want|need|like)(?: the| my| a| an| this| that)* {AMOUNT} (?:{_NAMED}) anymore"
    rf"(?= (?:and|,|;|then)(?: (?:put|use|set|make|it|go|START|with|try|to|at|a|just|please|lets))+ {AMOUNT})"
)
_CORRECTING = frozenset({"no", "nope", "nah"})  # "5%, no 6%" takes the first one back
_OLD_CONDITION = (
    r"INSTEAD (?:the |a |an |my |its |it |price |% |# )*(?:DROP|RISE|VOLUME)"
    r"(?: CONDITION)?(?: of| by| ABOVE)*(?: [%#×])?"
    r"(?:(?: in| within| over| an| a| the)* ~)?"
)


def without_old_values(line: Line, reading: Reading) -> Line:
    """The old value is read, noted and dropped."""
    read = _without_values(line, reading)
    pairs = zip(line.items, read.items, strict=True)
    old = [was for was, now in pairs if now.name == "OLD" and was.token is not None and was.name in "%#×~"]
    denied = line.has(f"NOT(?: at| to| the| a| an| in| over| within)* {AMOUNT}")
    claims = reading.denied if denied else reading.claimed
    claims += [Claim(item.token.value, item.is_duration) for item in old if item.token]
    return _without_replaced(read, reading)


def _without_values(line: Line, reading: Reading) -> Line:
    line = _without_denied(_without_former(line, reading))
    for pattern in _DISMISSED:
        for first, last in line.spans(pattern):
            if not any(item.text.lower() in _CORRECTING for item in line.items[first : last + 1]):
                line = line.renamed(first, last, "OLD")
    line = _without_judged(line)
    for first, last in line.spans(_THROWN_OUT):
        line = line.renamed(first, last - 1, "OLD")
    for first, last in line.spans(_UNWANTED):
        line = line.renamed(first, last - 2, "OLD")
    for first, _ in line.spans(r"from (?:ALL|ANY)(?= to (?:ALL|ANY))"):
        line = line.renamed(first + 1, first + 1, "OLD")
    return line


def _without_judged(line: Line) -> Line:
    for _, last in line.spans(_TOO_MUCH_FOR):
        line = line.renamed(last, last, "it")
    for first, _ in line.spans(_TOO_MUCH):
        line = line.renamed(first, first, "OLD")
    return line


def _without_denied(line: Line) -> Line:
    for first, last in line.spans(_NOT_THE_OLD):
        place = next(place for place in range(first, last) if line.items[place].name == "NOT")
        if line.items[place].text.lower() in ("not", "no longer"):
            line = line.renamed(place, last, "OLD")
    return line


def _without_former(line: Line, reading: Reading) -> Line:
    """What stands before "to": "from 3 to 5", "10 to 12", "swap the 3% stop for a 4% one"."""
    if line.has(rf"(?:at|around|about|of|between|anywhere|somewhere)(?: from| between)* {AMOUNT} to {AMOUNT}"):
        reading.questions.append("You wrote a range. Which one number should I take?")
    line = _without_start(line)
    for first, _ in line.spans(rf"{NUMBER} to {NUMBER}|~ to ~"):
        line = line.renamed(first, first, "OLD")
    for first, last in line.spans(rf"(?:currently|previously|formerly)(?: at| is)* {AMOUNT}"):
        line = line.renamed(first, last, "OLD")
    for _, last in line.spans(_HAVING):
        line = line.renamed(last, last, "OLD")
    for _, last in line.spans(_EXCHANGED):
        line = line.renamed(last - 1, last - 1, "OLD")
    for first, last in line.spans(_SWAPPED):
        line = line.renamed(first, last, "OLD")
    return line


def _without_start(line: Line) -> Line:
    """ "from 3 to 5", "from 3 up to 5"."""
    for first, last in line.spans(rf"from {AMOUNT} (?:to|FILL) {AMOUNT}"):
        if line.items[last - 1].text.lower() in ("to", "up to"):
            line = line.renamed(first + 1, first + 1, "OLD").renamed(last - 1, last - 1, "to")
    return line


def _without_replaced(line: Line, reading: Reading) -> Line:
    """ "instead of the dip", "rather than a stop loss"."""
    for first, last in line.spans(_OLD_CONDITION):
        reading.removed |= {REMOVABLE[name] for name in named_items(line, first, last) if name in REMOVABLE}
        line = line.renamed(first, last, "OLD")
    for first, last in line.spans(rf"INSTEAD (?:the |a |my )*(?:{'|'.join(FIELDS)})"):
        reading.removed.add(FIELDS[line.items[last].name])
        line = line.renamed(first, last, "OLD")
    return line
