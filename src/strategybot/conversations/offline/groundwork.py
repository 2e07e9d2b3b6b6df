"""What is settled before numbers meet cues: old values, removals, holding times, pauses and price levels."""

from dataclasses import dataclass

from strategybot.conversations.offline.clauses import SELL, sides
from strategybot.conversations.offline.lines import UNKNOWN, Line
from strategybot.conversations.offline.plain_words import UNSUPPORTED
from strategybot.conversations.offline.quantities import duration_text
from strategybot.conversations.offline.reading import Change, Reading
from strategybot.conversations.offline.vocabulary import concepts

NUMBER = r"[%#$×½]"
AMOUNT = r"[%#$×½~]"
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
_LIGHT = r"(?:(?:the|my|its|a|an|that|this|of|also|any|all|old|ALL|whole|price|CONDITION|entire|current|these|please|both|completely|for|me|part|existing|at|is|now|ANY) )*"


def titled(line: Line) -> Line:
    """ "my idea: …": a title without a number or a cue means nothing."""
    for first, _ in line.spans(":"):
        ahead = line.items[:first]
        if (
            all(item.name.islower() or item.name in (UNKNOWN, "ADD", "STRATEGY", "CREATE") for item in ahead)
            and len(ahead) < 6
        ):
            if not any(item.name == UNKNOWN and item.text.lower() in UNSUPPORTED for item in ahead):
                for position, item in enumerate(ahead):
                    if item.name == UNKNOWN:
                        line = line.renamed(position, position, "title")
    return line


def without_kept(line: Line) -> Line:
    """ "don't touch the stop, just …": what is to stay as it is needs no reading."""
    kept = r"NOT (?:CROSS|change|edit|move|update|modify|adjust|set|mess|UNKNOWN)(?: (?:the|my|with|to|any|ANY|else|rest|ALL|of|STOP|TARGET|TRAIL|COOLDOWN|SIZE|DROP|VOLUME|WINDOW|HOLDMAX|SELL|BUY|CONDITION|and|other|UNKNOWN))*"
    for first, last in line.spans(rf"{kept}(?= ?[,;.] (?:but |just |only )*(?:{_ACTING})| but)"):
        line = line.renamed(first, last, "kept")
    for first, last in line.spans(rf"(?:,|but|and|\.|;) {kept}$"):
        line = line.renamed(first, last, "kept")
    return line


def with_names(line: Line) -> tuple[Line, list[str]]:
    """Words that stand where a token is named, and the line with them known."""
    names = []
    plain = r"(?:BUY|SELL|when|whenever|if|once|on|TOKEN|trade|for|of|after)"
    ahead = r"(?:when|whenever|if|once|on|at|DROP|RISE|BREAK|CROSS|is|goes|has|,|\.|;|$|LOSS|PROFIT|VOLUME|dips|after|with|and|every|CHECK|by|SPIKE|price|each)"
    shouting = all(item.text.isupper() for item in line.items if item.text.isalpha())
    placed = {first + 1 for first, _ in line.spans(rf"{plain} {UNKNOWN}(?= {ahead}|$)")}
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
    for first, last in line.spans(rf"(?:the |my )?{AMOUNT} (?:{named})(?= (?:CONDITION )?to {AMOUNT})"):
        line = line.renamed(last - 1, last - 1, "OLD")
    for first, last in line.spans(rf"INSTEAD (?:the |its |a |only )*(?:{AMOUNT}|HIGH|LOW|CLOSE|ALL|ANY|now)"):
        line = line.renamed(first, last, "OLD")
    for first, _ in line.spans(r"from (?:ALL|ANY)(?= to (?:ALL|ANY))"):
        line = line.renamed(first + 1, first + 1, "OLD")
    for first, last in line.spans(rf"INSTEAD (?:the |a |my )*(?:{'|'.join(FIELDS)})"):
        reading.removed.add(FIELDS[line.items[last].name])
        line = line.renamed(first, last, "OLD")
    return line


def without_removed(line: Line, reading: Reading) -> Line:
    """ "remove the stop and the target", "no more cooldown", "the volume isn't needed, take it out"."""
    things = "|".join(_REMOVABLE)
    if line.has("RESET"):
        reading.removed.add("strategy")
    for first, last in line.spans(
        rf"REMOVE {_LIGHT}(?:{things})(?: (?:at |of |ABOVE |BELOW )?[%#$~×])?"
        rf"(?: (?:,|and|and also|ADD|CONDITION|,? ?(?:the|my)) {_LIGHT}(?:{things})(?! (?:to |at |of |= )?[%#~]))*"
    ):
        line = _gone(line, first, last, reading)
    for first, last in line.spans(
        rf"(?:NOT|but NOT) {_LIGHT}(?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX)(?! (?:at |of |to )?[%#~])"
    ):
        reading.negated = True
        line = _gone(line, first, last, reading)
    for first, last in line.spans(rf"REPLACE {_LIGHT}(?:{things})(?: CONDITION)? (?:with|by|for)"):
        line = _gone(line, first, last, reading)
        reading.adds = reading.adds or bool(
            reading.removed & {"price_drop", "price_rise", "volume_spike", "price_level"}
        )
    wanted = r"(?:(?:i|we) )?(?:NOT (?:want|need|use|like|see)(?: (?:to|a|an|the|use|have|any|my|this|that))* )?"
    no_more = r"(?: (?:CONDITION|is|NOT|needed|necessary|anymore|required|UNKNOWN|AGAIN|so|please|just|then|and|,|it))*"
    for pattern in (
        rf"{wanted}(?:{things}){no_more} REMOVE",
        rf"(?:take|turn|switch|leave|put) (?:the |my |that |a )*(?:{things}) (?:CONDITION )?(?:off|away|SELL)",
    ):
        for first, last in line.spans(pattern):
            line = _gone(line, first, last, reading)
    return line


def _gone(line: Line, first: int, last: int, reading: Reading) -> Line:
    named = [line.items[place].name for place in range(first, last + 1)]
    specific = [name for name in named if name in _REMOVABLE and name not in ("SELL", "BUY", "LEVEL")]
    sold = "SELL" in named
    for name in specific or [name for name in named[:-1] if name in _REMOVABLE] or [named[-1]]:
        reading.removed.add("exit_conditions" if name == "LEVEL" and sold else _REMOVABLE[name])
    return line.renamed(first, last, "GONE")


_HOLDING = (
    r"(?:NOT )?(?:HOLDMAX|HOLD)(?: (?:it|them|the|a|an|my|position|SIZE|trade|trades|positions|for|at|most|max|maximum|after|FILL|NOT|ABOVE|to|of|is|limit|about|be|time|should|one))* ~(?: max| maximum| FILL| HIGH)*",
    r"SELL(?: (?:it|them|the|a|all|everything|trade|position|SIZE|no|matter|FILL|latest|whatever|happens|at|automatically|anyway|NAME|positions|trades|my|open|in|any|case|always))* (?:after|within|once)(?: FILL| ABOVE| a| an| max| one| the)* ~(?: FILL)*",
    r"(?:^|[,.;] |(?:and|then|but) )after(?: a| an| FILL| max)* ~ ,? ?(?:(?:FILL|just|i|it|we|should|always|then|please) )*SELL",
    r"(?:max|maximum|FILL) ~ (?:in a trade|HOLDMAX|HOLD|per trade|(?:CHECK|per) (?:trade|position|SIZE))",
)
_PAUSING = (
    r"(?:after (?:a |an |each |every |CHECK |the |any )*(?:SELL|trade|trades|STOP|LOSS) ?,? ?(?:(?:we|it|the|BOT|should|bot|i|please|have|to|take|a|must|always) )*)?COOLDOWN(?: (?:for|of|by|at|least|FILL|to|is|a|an|the|about|it|time|be|another|should|period))* ~"
    r"(?: (?:between|after|before|until|till|again|AGAIN|trades|trade|BUY|a|an|the|each|CHECK|every|any|SELL|next|STOP|LOSS|in|between|entries|one|re|and|CREATE))*",
    r"~ (?:of )?(?:COOLDOWN|BREAK|between|pause|rest)(?: (?:between|after|before|again|AGAIN|trades|trade|BUY|a|an|the|each|CHECK|every|any|SELL|next|STOP|entries|period|time|and|CREATE))*",
    r"(?:BUY|trade|trading) AGAIN (?:only )?(?:after|until) (?:at least |FILL |a |an )*~",
    r"~ (?:after|before) (?:a |the |each |CHECK |any |every |CREATE )*(?:SELL|BUY|trade)(?: (?:before|BUY|AGAIN|again|next|trade))*",
)


def with_durations(line: Line, reading: Reading) -> Line:
    """Holding times and pauses; what is left of the durations belongs to windows."""
    for patterns, name in ((_PAUSING, "cooldown"), (_HOLDING, "max_holding")):
        for pattern in patterns:
            for first, last in line.spans(pattern):
                line = _timed(line, first, last, name, reading)
    return line


def _timed(line: Line, first: int, last: int, name: str, reading: Reading) -> Line:
    places = [place for place in range(first, last + 1) if line.items[place].is_duration]
    if len(places) != 1:
        return line
    token = line.items[places[0]].token
    value = duration_text(token.value) if token else None
    if value is None:
        reading.questions.append("A time has to be from 1 minute to 30 days. How long should it be?")
    elif name in reading.changes:
        reading.questions.append(f"I read two values for the {name.replace('_', ' ')}. Which one do you mean?")
    else:
        moved = _moved(line, first, places[0])
        reading.changes[name] = Change(value, "by") if moved == "RAISE" else Change(value)
        if moved == "REDUCE":
            reading.changes[name] = Change(f"-{value}", "by")
    return line.renamed(first, last, "TIMED")


def _moved(line: Line, first: int, place: int) -> str | None:
    """RAISE or REDUCE where "by" stands before the amount."""
    if place == 0 or line.items[place - 1].name != "by":
        return None
    ahead = [item.name for item in line.items[max(0, first - 4) : place]]
    return next((name for name in ahead if name in ("RAISE", "REDUCE")), None)


@dataclass(frozen=True)
class Level:
    place: int  # of its number
    value: float
    direction: str | None
    trigger: str
    side: str


_STANDING = frozenset(
    {"is", "its", "be", "stays", "stay", "remains", "remain", "still", "price", "NAME", "while", "trading"}
)
_SKIPPED = frozenset({"the", "a", "price", "of", "mark", "is", "at", "FILL", "back", "through", "to"})


def levels(line: Line) -> list[Level]:
    found = []
    about = sides(line)
    for place, item in enumerate(line.items):
        if item.name not in ("#", "$") or item.token is None:
            continue
        cue = _level_cue(line, place)
        if cue is not None:
            sold = line.items[cue].text.lower().startswith(("exit", "sell"))
            found.append(_level(line, cue, place, SELL if sold else about[place]))
    return found


def _level_cue(line: Line, place: int) -> int | None:
    """The item that makes this number a price, if one does."""
    cue = place - 1
    while cue >= 0 and line.items[cue].name in _SKIPPED:
        cue -= 1
    if cue < 0:
        return None
    item, before = line.items[cue], line.items[cue - 1].name if cue else ""
    text = item.text.lower()
    if item.name in ("ABOVE", "BELOW"):
        compares = text in ("more than", "over", "less than", "exceeds") and before in (
            "DROP",
            "RISE",
            "VOLUME",
            "by",
            "STOP",
        )
        return None if compares or before in ("VOLUME", "STOP", "TARGET", "TRAIL") else cue
    if item.name in ("CROSS", "BREAK"):
        return cue
    if item.name == "moves":
        return cue
    if item.name in ("BUY", "SELL", "LEVEL") or (item.name == "it" and before in ("BUY", "SELL")):
        token = line.items[place].token
        priced = token is not None and (item.name == "LEVEL" or line.items[place].name == "$" or "." in token.text)
        return cue if priced and line.items[place - 1].name in ("at", "to", "LEVEL", "is") else None
    return None


def _level(line: Line, cue: int, place: int, side: str) -> Level:
    token = line.items[place].token
    value = token.value if token else 0.0
    before = line.items[cue - 1].name if cue else ""
    standing = line.items[cue].name in ("ABOVE", "BELOW") and before in _STANDING
    return Level(place, value, _direction(line, cue, place, side), "is" if standing else "cross", side)


def _direction(line: Line, cue: int, place: int, side: str) -> str | None:
    item, text = line.items[cue], line.items[cue].text.lower()
    around = [other.text.lower() for other in line.items[max(0, cue - 2) : place + 5]]
    behind = [other.name for other in line.items[place + 1 : place + 3]]
    if item.name in ("ABOVE", "BELOW"):
        return item.name.lower()
    if behind in (["from", "BELOW"], ["from", "ABOVE"]):
        return "above" if behind[1] == "BELOW" else "below"
    if item.name == "LEVEL":
        return None
    if concepts().get(text.split()[0]) == "DROP" or text == "gets down to" or "downside" in around:
        return "below"
    if item.name == "BREAK" or concepts().get(text.split()[0]) == "RISE" or "upside" in around:
        return "above"
    return "above" if side == SELL else None
