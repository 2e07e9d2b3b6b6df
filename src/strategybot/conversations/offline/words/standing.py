"""What is said to stay as it is: "don't touch the stop, just …", "exits unchanged", "keep my 3% stop and 10% target".

It orders, refuses and tells nothing, and is read no further. A value that is named with it has to be the one there is.
"""

from dataclasses import replace

from strategybot.conversations.offline.reading import Claim, Reading
from strategybot.conversations.offline.words.groundwork import FIELDS, REMOVABLE
from strategybot.conversations.offline.words.lines import Line, some

_FIELD = f"(?:{'|'.join(FIELDS)})"
_PART = f"(?:{'|'.join(FIELDS)}|DROP|RISE|VOLUME|WINDOW|BUY|SELL|LEVEL|CONDITION)(?: CONDITION| average| one)*"
_OWN = r"(?:(?:the|my|both|ALL|its|other|normal|regular|fixed|ordinary|current) )*"
_ONE = rf"(?:{_OWN}{_PART}|{_OWN}(?:rest|others))"
_JOINED = r"(?: ,| and| or| nor| /)+"
_LIST = rf"{_ONE}(?:{_JOINED} {_ONE})*"
_VALUED = rf"(?:the|my|that|this) [%#×~$] {_PART}(?:{_JOINED} (?:the |my )*(?:[%#×~$] )?{_PART})*"
_OPENS = r"(?:^|(?<=[,;.:] )|(?<=and )|(?<=but )|(?<=so )|(?<=please )|(?<=ok )|(?<=just )|(?<=while )|(?<=though ))"
_ALSO = r" ADD(?: [,;.]|$)"
_NO_AMOUNT = r"(?! [,;.] [%#~×$])"
_ENDS = rf"(?= [,;.]| and| but| so|{_ALSO}|$){_NO_AMOUNT}"
_ORDERS = r"make|set|change|put|use|ADD|REMOVE|RAISE|REDUCE|HALVE|BUY|SELL|move|×|½"
_ACTING = rf"{_ORDERS}|STOP|TARGET|TRAIL|COOLDOWN|SIZE|DROP|VOLUME|HOLDMAX|give|want"
_THEN = rf" (?:and|then)(?: ADD| then| please| just)* (?:{_ORDERS})(?!\S)"
_NEXT_ORDER = rf"(?= [,;.]| but|{_ALSO}|{_THEN}|$){_NO_AMOUNT}"
_AS_IT_IS = (
    r"(?:(?:where|as|how|like|the way) (?:it|they|that) (?:is|are|was|were)|"
    r"alone|unchanged|untouched|SAME|same|FILL|EARLIER|put|in place|exactly)"
)
_GOOD = r"(?:fine|good|ok|okay|great|perfect|right|alright)"
_STAY = r"(?:(?:can|should|shall|must|may|will|to|just) )*(?:stays|stay|remains|remain)"
_CHANGING = "(?:CROSS|change|edit|move|update|modify|adjust|mess|UNKNOWN)"
_TOUCHING = f"NOT (?:{_CHANGING}|set)" + some(
    r"the my with to any ANY anything(?=\selse) else rest ALL of STOP TARGET TRAIL COOLDOWN SIZE DROP VOLUME WINDOW "
    "HOLDMAX SELL BUY CONDITION and or other UNKNOWN"
)
_KEEP = "(?:leave|keep|keeping|leaving)"
_UNTOUCHED = (
    rf"{_OPENS}{_TOUCHING}(?= ?[,;.] (?:but |just |only )*(?:{_ACTING})| but)|(?:,|but|and|\.|;) {_TOUCHING}(?= \.|$)"
)
_LEFT = rf"{_KEEP} (?:{_LIST}(?: {_AS_IT_IS}{_ENDS}|{_NEXT_ORDER})|{_VALUED}(?: {_AS_IT_IS})?{_NEXT_ORDER})"
_STAYING = rf"{_OPENS}(?:{_LIST}|{_VALUED}) {_STAY}(?: {_AS_IT_IS})*(?: at [%#×~$])?{_ENDS}"
_UNCHANGED = rf"{_OPENS}{_LIST} (?:is |are )?(?:unchanged|untouched|SAME|FILL){_ENDS}"  # "stop loss unchanged"
_SAME = rf"(?:with |using |{_OPENS})(?:the )?SAME {_LIST}(?= [,;.]|{_THEN}|$){_NO_AMOUNT}"  # "…, same stop and target"
_HAPPY = rf"{_OPENS}(?:im|i am|i) (?:very |quite )?(?:happy|satisfied|pleased|{_GOOD}) with {_LIST}{_NEXT_ORDER}"
_LIKED = (  # "the selling part is good so leave it", "sl 5 is ok"
    rf"{_OPENS}(?:{_LIST}|{_PART} [%#×~$]|{_VALUED}) (?:is|are) (?:all |just |still )*{_GOOD}(?: {_AS_IT_IS})?"
    rf"(?:(?: ,)? so (?:FORGET|HOLD|{_KEEP} (?:it|them)))?{_ENDS}"
)
_OTHER = r"(?:other|normal|regular|fixed|ordinary|usual)"
# "the trailing stop to 5, not the regular stop", "remove the stop but not the target"
_NOT_THE_OTHER = rf"(?:,|but|and|\.|;) NOT (?:the |my )*(?:{_OTHER} )?{_FIELD}(?= [,;.]|$)"
_NO_OTHERS = (
    r"(?:[,;.]|but|and)(?: with)? NOT (?:other|further|more|CREATE|ANY|any)(?: other)? (?:change|changes|edit|edits)"
    r"(?= [,;.]|$)|(?:[,;.]|and) NOT otherway(?= [,;.]|$)|"
    rf"{_OPENS}NOT (?:other |further )?(?:SWITCH|(?:change|changes) (?:to|in|on|for)) {_LIST}{_NEXT_ORDER}"
)
_LEAVING_OTHERS = (  # "leaving all other parameters as they are"
    rf"{_KEEP}(?: (?:ALL|the|all|my|of))* (?:other|others|rest|remaining|everything|FILL)"
    rf"(?: (?:else|parameters|settings|values|things|UNKNOWN|STRATEGY|CONDITION|the))* {_AS_IT_IS}(?= [,;.]|$)"
)
_ENOUGH = (  # "drop the sell rule, tp is enough"
    rf"(?<![%#~×] )(?:the |my )*{_FIELD}(?: alone)? "
    r"(?:enough|(?:is|are) (?:enough|plenty|sufficient))(?= [,;.]|$)"
)
_KEPT = (_UNTOUCHED, _LEFT, _STAYING, _UNCHANGED, _SAME, _LIKED, _HAPPY, _NO_OTHERS, _LEAVING_OTHERS, _ENOUGH)
_ALL_BUT = (  # "don't change anything except the stop: …", "everything's fine except …"
    rf"(?:NOT {_CHANGING}|FILL|keep|leave|HOLD|"
    rf"everything (?:is |can |may |should )*(?:{_GOOD}|stay|stays|unchanged|SAME))"
    r"(?: (?:anything|everything|ANY|ALL|FILL|else|a|thing|things|the|same|SAME|as|is|it|stays))* EXCEPT"
)
_REST = (  # "…, the rest don't touch", "…, everything else is fine"
    rf"(?:the |all )*(?:rest|others|other|everything|FILL)(?: \w+)? NOT {_CHANGING}",
    (
        rf"{_OPENS}(?:FILL|(?:the )?(?:rest|others)|everything|otherwise)(?: of (?:it|the STRATEGY))?"
        rf"(?: (?:is|are|was|looks))? (?:(?:all|just|still|exactly|as|FILL) )*"
        rf"(?:{_GOOD}|FILL|unchanged|untouched|SAME|EARLIER){_ENDS}"
    ),
)
# "if i keep the stop, …", "they leave the exits": no order to keep it
_GOVERNED = r"(?:if|when|whenever|unless|once|until|because|they|he|she|who)(?: (?:i|we|you|it|the|my))*$"
_WITHOUT = (  # "tp 30 without touching anything else"
    rf"NOT \S+ (?:{_LIST}|(?:anything|ANY|FILL)(?: else)?){_ENDS}"
)
_SINGLE = frozenset({"condition", "conditions", "rule", "rules", "level", "trigger", "filter"})
_ALL_ELSE = ("else", "rest", "other", "every", "same")
_ALONE = (  # "only the volume condition should stay, remove the drop"
    r"only(?: the| my)* (?:DROP|RISE|VOLUME)(?: CONDITION)? (?:(?:should|shall|must|can|may) )?"
    r"(?:stay|stays|remain|remains)(?: (?:for|in|to)(?: the| my)* BUY)?(?= [,;.] (?:please |so )*REMOVE)"
)
# "sell after 5h if neither the stop nor the target got hit": a limit of time sells only what is still held
_UNHIT = (
    r"(?:if|when|unless|provided|in case|FILL)(?: (?:the|my|a|any|ANY|NOT|it|has|have|is|was|were|isnt|either|of))* "
    r"(?:STOP|TARGET|TRAIL)(?: (?:or|and|nor|NOT|the|my|a|STOP|TARGET|TRAIL))*"
    r"(?: (?:NOT|is|was|were|has|have|had|been|got|gets|get|yet|be|already|first|then))* "
    r"(?:CROSS|triggered|fired|filled|STOP)(?: (?:yet|first|before|by|then))*(?= [,;.]|$)"
)
_STILL = rf"(?:SAME|still) [%#×~] (?:DROP|RISE|VOLUME|{_FIELD})|(?:DROP|RISE|VOLUME|{_FIELD}) still [%#×~]"
_LATEST_SALE = r"(?:SELL|HOLD|HOLDMAX)(?: [^,;.\s]+){0,5} ~"


def with_standing(line: Line) -> Line:
    """The line with what is to stay named so, whatever it was."""
    if line.has(_ALONE):
        return line
    if line.has(_LATEST_SALE):
        line = _kept(line, line.spans(_UNHIT))
    for pattern in (_ALL_BUT, *_REST):
        line = _kept(line, [span for span in line.spans(pattern) if _is_of_the_rest(line, span[0])])
    for pattern in _KEPT:
        spans = [_of_own_list(line, *span) for span in line.spans(pattern)]
        line = _kept(line, [span for span in spans if not line.part(0, span[0]).has(_GOVERNED)])
    line = _kept(line, [span for span in line.spans(_WITHOUT) if _touches_not(line, span[0])])
    return _kept(line, [span for span in line.spans(_NOT_THE_OTHER) if _is_another(line, *span)])


def _kept(line: Line, spans: list[tuple[int, int]]) -> Line:
    items = list(line.items)
    for first, last in spans:
        items[first : last + 1] = [
            replace(item, name="kept", was=item.name, past=False) for item in items[first : last + 1]
        ]
    return Line(tuple(items))


def _of_own_list(line: Line, first: int, last: int) -> tuple[int, int]:
    """Of "remove the stop and the trailing stop, the target must stay" only the target: the other is listed before."""
    commas = [place for place in range(first, last) if line.items[place].name == ","]
    listed = line.part(0, first).has(rf"REMOVE(?: \S+)* {_PART}(?: ,| and)+$")
    return (commas[-1] + 1, last) if commas and listed else (first, last)


def _is_of_the_rest(line: Line, first: int) -> bool:
    return line.items[first].name != "FILL" or any(word in line.items[first].text.lower() for word in _ALL_ELSE)


def _touches_not(line: Line, first: int) -> bool:
    """ "without touching the stop"; "without hitting the stop" says something else."""
    denied, verb = (item.text.lower() for item in line.items[first : first + 2])
    return denied == "without" and verb in ("touching", "changing", "altering", "modifying", "editing", "moving")


def _is_another(line: Line, first: int, last: int) -> bool:
    """ "stop 4, not the target" may as well mend what was said; and the no of "tp 12, no stop" removes."""
    denied = line.part(first, last + 1)
    plainly = all(item.text.lower() == "not" for item in denied.items if item.name == "NOT")
    return plainly and (denied.has(_OTHER) or line.part(0, first).has("REMOVE"))


def note_standing(line: Line, reading: Reading) -> Line:
    """What is said to stay, for the reading to compare with what it changes; and the values it is said to have."""
    for first, last in line.spans(_ALONE):
        reading.alone = next(REMOVABLE[item.name] for item in line.items[first:last] if item.name in REMOVABLE)
        line = line.renamed(first, last, "kept")
    for first, last in line.spans(_STILL):
        amount = next(item for item in line.items[first : last + 1] if item.token is not None)
        part = next(REMOVABLE[item.name] for item in line.items[first : last + 1] if item.name in REMOVABLE)
        reading.claimed.append(Claim(amount.token.value if amount.token else 0, amount.is_duration, part))
    reading.kept = {REMOVABLE[item.was] for item in line.items if item.name == "kept" and item.was in REMOVABLE}
    if any(_is_whole_sale(line, place) for place, item in enumerate(line.items) if item.was == "SELL"):
        reading.kept |= {"stop_loss_percent", "take_profit_percent", "trailing_stop_percent", "max_holding"}
    for place, item in enumerate(line.items):
        if item.name == "kept" and item.token is not None:
            reading.claimed.append(Claim(item.token.value, item.was == "~", _named_with(line, place)))
    return line


def _is_whole_sale(line: Line, place: int) -> bool:
    """The exits, or the selling part, are all that sells; the sell rule is only one of it."""
    return not line.part(place + 1, place + 2).items or line.items[place + 1].text.lower() not in _SINGLE


def _named_with(line: Line, place: int) -> str | None:
    """The part whose value stands here: right behind it, or else the last one before it."""
    around = [*line.items[place + 1 : place + 2], *reversed(line.items[:place])]
    return next((REMOVABLE[item.was] for item in around if item.name == "kept" and item.was in REMOVABLE), None)
