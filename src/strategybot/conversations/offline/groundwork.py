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
REMOVABLE = {
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
_KEPT = "NOT (?:CROSS|change|edit|move|update|modify|adjust|set|mess|UNKNOWN)" + some(
    "the my with to any ANY else rest ALL of STOP TARGET TRAIL COOLDOWN SIZE DROP VOLUME WINDOW HOLDMAX SELL BUY "
    "CONDITION and other UNKNOWN"
)
_REST_KEPT = r"(?:the |all )*(?:rest|others|other|everything|FILL)(?: \w+)? (?:NOT (?:CROSS|change|edit|move|update|modify|adjust|UNKNOWN))"
_BEFORE_NAME = "(?:BUY|SELL|when|whenever|if|once|on|TOKEN|trade|for|of|after)"
_AFTER_NAME = (
    r"(?:when|whenever|if|once|on|at|DROP|RISE|BREAK|CROSS|is|goes|has|,|\.|;|LOSS|PROFIT|VOLUME|after|with|and|CHECK|by|"
    r"SPIKE|price)"
)
_DISMISSED = (
    rf"INSTEAD (?:the |its |a |an |only |just )*(?:{AMOUNT}(?: (?:in|over|within|per)(?: the| a| an)* ~)?|HIGH|LOW|CLOSE|ALL|ANY|now)",
    # "20 min, not 1 hour", "from the high, not from the close"
    rf"(?<={NUMBER} )(?:, |and )*NOT (?:the |a |an |at )*{NUMBER}",
    r"(?<=~ )(?:, |and )*NOT (?:in |over |within |the |a |an )*~",
    r"(?<=HIGH )(?:, |and )*NOT (?:from |off )?(?:the )?(?:CLOSE|LOW)|(?<=CLOSE )(?:, |and )*NOT (?:from |off )?(?:the )?(?:HIGH|LOW)",
    rf"NOT (?:at |to |the |a |an )*{AMOUNT}(?= (?:, )?but (?:at |to |rather )*{AMOUNT})",  # "not 3 but 5"
)
_CORRECTING = frozenset({"no", "nope", "nah"})  # "5%, no 6%" takes the first one back
_OLD_CONDITION = (
    r"INSTEAD (?:the |a |an |my |its |it |price |% |# )*(?:DROP|RISE|VOLUME)"
    r"(?: CONDITION)?(?: of| by| ABOVE)*(?: [%#×])?"
    r"(?:(?: in| within| over| an| a| the)* ~)?"
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
    for pattern in (rf"(?:,|but|and|\.|;) {_KEPT}$", _REST_KEPT):
        for first, last in line.spans(pattern):
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
        token = line.items[first].token
        reading.claimed += [token.value] if token and line.items[first].name in "%#×" else []
        line = line.renamed(first, first, "OLD")
    named = "STOP|TARGET|TRAIL|DROP|RISE|VOLUME|COOLDOWN|HOLDMAX|SIZE|WINDOW"
    for _, last in line.spans(
        rf"(?:the |my )?{AMOUNT} (?:{named})(?= (?:CONDITION )?(?:to|for|with|by) (?:a |an )*{AMOUNT})"
    ):
        line = line.renamed(last - 1, last - 1, "OLD")
    for pattern in _DISMISSED:
        for first, last in line.spans(pattern):
            if not any(item.text.lower() in _CORRECTING for item in line.items[first : last + 1]):
                line = line.renamed(first, last, "OLD")
    for first, _ in line.spans(rf"{AMOUNT} (?:is|was|seems|feels|looks)(?: way| a bit| far| really| just)* TOOMUCH"):
        line = line.renamed(first, first, "OLD")
    for first, _ in line.spans(r"from (?:ALL|ANY)(?= to (?:ALL|ANY))"):
        line = line.renamed(first + 1, first + 1, "OLD")
    return _without_replaced(line, reading)


def _without_replaced(line: Line, reading: Reading) -> Line:
    """ "instead of the dip", "rather than a stop loss"."""
    for first, last in line.spans(_OLD_CONDITION):
        reading.removed |= {REMOVABLE[name] for name in named_items(line, first, last) if name in REMOVABLE}
        line = line.renamed(first, last, "OLD")
    for first, last in line.spans(rf"INSTEAD (?:the |a |my )*(?:{'|'.join(FIELDS)})"):
        reading.removed.add(FIELDS[line.items[last].name])
        line = line.renamed(first, last, "OLD")
    return line


def named_items(line: Line, first: int, last: int) -> list[str]:
    return [item.name for item in line.items[first : last + 1]]
