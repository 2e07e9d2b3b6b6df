"""What is settled before numbers meet cues: titles, names, and what stays as it is."""

from strategybot.conversations.offline.lines import UNKNOWN, Line, some
from strategybot.conversations.offline.plain_words import TOLD, UNSUPPORTED
from strategybot.conversations.offline.reading import Reading

NUMBER = r"[%#$×½]"
AMOUNT = r"[%#$×½~]"
LONGEST_TITLE = 6
_SPEAKERS = frozenset({"i", "we", "you", "he", "she", "they", "it"})  # "i dreamt: …" is no title
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
_REST_KEPT = (  # "…, the rest don't touch"
    r"(?:the |all )*(?:rest|others|other|everything|FILL)(?: \w+)? "
    r"NOT (?:CROSS|change|edit|move|update|modify|adjust|UNKNOWN)"
)
_ALL_BUT = (  # "don't change anything except the stop: …"
    r"(?:NOT (?:CROSS|change|edit|move|update|modify|adjust|UNKNOWN)|FILL|keep|leave|HOLD)"
    r"(?: (?:anything|everything|ANY|ALL|FILL|else|a|thing|things|the|same|SAME|as|is|it|stays))* EXCEPT"
)
_ALL_ELSE = ("else", "rest", "other", "every", "same")
_LEFT_ALONE = (
    rf"(?:leave|keep)(?: the| my)* (?:{'|'.join(FIELDS)})"
    r"(?: (?:alone|unchanged|untouched|as is|SAME)|(?= (?:,|;|\.|but|and) (?:\S+ )?(?:REMOVE|change|set|"
    r"make|RAISE|REDUCE|put)))"
)
_PARTS = f"(?:{'|'.join(FIELDS)}|DROP|RISE|VOLUME|WINDOW|BUY|SELL|CONDITION)(?: CONDITION)?"
_LISTED = rf"(?:(?:the|my|both) )*{_PARTS}(?:(?: ,| and| or)+(?: the| my)* {_PARTS})*"
_AS_IT_IS = (
    r"(?:(?:where|as|how|like|the way) (?:it|they|that) (?:is|are|was)|"
    r"alone|unchanged|untouched|SAME|FILL|put|in place)"
)
_NO_AMOUNT = r"(?= [,;.]| but| and|$)(?! [,;.] [%#~×$])"
_NEXT_ORDER = (
    rf"(?=(?: [,;.]|$| (?:and|but|then|ADD)(?: ADD| then| please| just)* (?:{_ACTING}|×|½)))(?! [,;.] [%#~×$])"
)
_ALL_OTHERS = (  # "leaving all other parameters as they are"
    r"(?:leave|keep|leaving|keeping)(?: (?:ALL|the|all|my|of))* (?:other|others|rest|remaining|everything|FILL)"
    r"(?: (?:else|parameters|settings|values|things|UNKNOWN|STRATEGY|CONDITION|the))*"
    r" (?:(?:as|how|the way) (?:it|they) (?:is|are|was|were)|SAME|same|unchanged|untouched|alone|FILL)(?= [,;.]|$)"
)
_STAYING = (  # "keep the stop where it is, target 9", "trailing stays, tp 12"
    rf"(?:leave|keep|keeping|leaving) {_LISTED}(?: {_AS_IT_IS}{_NO_AMOUNT}|{_NEXT_ORDER})",
    rf"{_LISTED} (?:can |should |shall |must )?(?:stays|stay|remains|remain)(?: {_AS_IT_IS})*{_NO_AMOUNT}",
)
_ALONE = (  # "only the volume condition should stay, remove the drop"
    r"only(?: the| my)* (?:DROP|RISE|VOLUME)(?: CONDITION)? (?:(?:should|shall|must|can|may) )?"
    r"(?:stay|stays|remain|remains)(?: (?:for|in|to)(?: the| my)* BUY)?(?= [,;.] (?:please |so )*REMOVE)"
)
_ENOUGH = (  # "drop the sell rule, tp is enough"
    rf"(?<![%#~×] )(?:the |my )*(?:{'|'.join(FIELDS)})(?: alone)? "
    r"(?:enough|(?:is|are) (?:enough|plenty|sufficient|fine))(?= [,;.]|$)"
)
_KEPT_BEHIND = (  # "remove the target, keep the stop"
    rf"(?:,|;|\.|but|and) (?:just |only |actually |but |please |, )*(?:leave|keep)(?: the| my)* (?:{'|'.join(FIELDS)})$"
)
# "sell after 5h if neither the stop nor the target got hit": a limit of time sells only what is still held
_UNHIT = (
    r"(?:if|when|unless|provided|in case|FILL)(?: (?:the|my|a|any|ANY|NOT|it|has|have|is|was|were|isnt|either|of))* "
    r"(?:STOP|TARGET|TRAIL)(?: (?:or|and|nor|NOT|the|my|a|STOP|TARGET|TRAIL))*"
    r"(?: (?:NOT|is|was|were|has|have|had|been|got|gets|get|yet|be|already|first|then))* "
    r"(?:CROSS|triggered|fired|filled|STOP)(?: (?:yet|first|before|by|then))*(?= [,;.]|$)"
)
_LATEST_SALE = r"(?:SELL|HOLD|HOLDMAX)(?: [^,;.\s]+){0,5} ~"
_BEFORE_NAME = "(?:BUY|SELL|when|whenever|if|once|on|TOKEN|trade|for|of|after)"
_AFTER_NAME = (
    r"(?:when|whenever|if|once|on|at|DROP|RISE|BREAK|CROSS|is|goes|has|,|\.|;|LOSS|PROFIT|VOLUME|after|with|and|CHECK|by|"
    r"SPIKE|price)"
)


def titled(line: Line) -> Line:
    """ "my idea: …": a title without a number or a cue means nothing."""
    for end, _ in line.spans(":"):
        ahead = line.items[:end]
        heard = any(item.name == UNKNOWN for item in ahead) and any(item.name in _SPEAKERS for item in ahead)
        heard = heard or any(item.name == UNKNOWN for item in ahead[1:] if ahead[0].name == "ADD")  # "add an efit: …"
        plain = not (heard or any(item.text.lower() in TOLD for item in ahead)) and all(
            item.name.islower() or item.name in (UNKNOWN, "ADD", "STRATEGY", "CREATE") for item in ahead
        )
        if plain and len(ahead) < LONGEST_TITLE and not any(item.text.lower() in UNSUPPORTED for item in ahead):
            for place, item in enumerate(ahead):
                line = line.renamed(place, place, "title") if item.name == UNKNOWN else line
    return line


def without_kept(line: Line, reading: Reading) -> Line:
    """ "don't touch the stop, just …": what is to stay as it is is noted, and read no further."""
    for first, last in line.spans(_ALONE):
        reading.alone = next(REMOVABLE[item.name] for item in line.items[first:last] if item.name in REMOVABLE)
        line = line.renamed(first, last, "kept")
    read = _without_kept(line)
    pairs = zip(line.items, read.items, strict=True)
    reading.kept = {FIELDS[was.name] for was, now in pairs if now.name == "kept" and was.name in FIELDS}
    return read


def _without_kept(line: Line) -> Line:
    for first, last in line.spans(rf"{_KEPT}(?= ?[,;.] (?:but |just |only )*(?:{_ACTING})| but)"):
        line = line.renamed(first, last, "kept")
    if line.has(_LATEST_SALE):
        for first, last in line.spans(_UNHIT):
            line = line.renamed(first, last, "kept")
    for first, last in line.spans(_ALL_BUT):
        if line.items[first].name != "FILL" or any(word in line.items[first].text.lower() for word in _ALL_ELSE):
            line = line.renamed(first, last, "kept")
    for pattern in (
        rf"(?:,|but|and|\.|;) {_KEPT}$",
        _REST_KEPT,
        _LEFT_ALONE,
        *_STAYING,
        _ALL_OTHERS,
        _ENOUGH,
        _KEPT_BEHIND,
    ):
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


def named_items(line: Line, first: int, last: int) -> list[str]:
    return [item.name for item in line.items[first : last + 1]]
