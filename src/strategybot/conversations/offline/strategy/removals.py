"""What is to go: "remove the stop and the target", "no more cooldown", "the volume isn't needed, take it out"."""

from strategybot.conversations.offline.reading import Claim, Reading
from strategybot.conversations.offline.words.groundwork import FIELDS, REMOVABLE, named_items
from strategybot.conversations.offline.words.lexemes import Kind
from strategybot.conversations.offline.words.lines import Item, Line, some

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
    r"(?! (?:from|to|up|down|by|at|back|OLD|RISE|DROP|RAISE|REDUCE|CROSS|ABOVE|BELOW|[%#~×]))"
)
_LISTED_TO_GO = (
    rf"(?:{_THINGS}(?: CONDITION)?(?: ,| and)+(?: the| my)* )*{_THINGS}"  # "the volume and the level can go"
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
    rf"(?:(?: ,| and)+ NOT{_LIGHT} (?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX))*"
    r"(?: (?:please|pls|plz|anymore|FILL|at all|thanks|then|now|on|for|my|the|ANY|any|trade|trades|positions|,|\.))*$"
)
_NO_CONDITION = (
    rf"^(?:(?:please|ok|now|and|so|just|but|,|\.|use|with) )*NOT{_LIGHT} (?:VOLUME|(?:DROP|RISE|SELL|BUY) CONDITION)"
    r"(?: CONDITION)?(?= (?:please|pls|plz|anymore|FILL|at all|thanks|then|now|,|\.)|$)(?!.*[%#~×$])"
)
_NOT_WANTED = (
    r"^(?:(?:please|ok|now|and|so|just|but|actually|,) )*(?:i|we) NOT (?:really )?(?:want|need|like)(?: to)?"
    r"(?: use| have)?(?: a| an| any| ANY| the| my)* (?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|VOLUME)(?: CONDITION)?"
    r"(?= (?:please|anymore|at all|,|\.)|$)(?!.*[%#~×$])"
)
_UNWANTED = rf"(?:(?:i|we) )?(?:NOT (?:want|need|use|like|see){some('to a an the use have any my this that')} )?"
_NO_MORE = some("CONDITION is NOT needed necessary anymore required UNKNOWN AGAIN so please just then and , it")
_WITHOUT = (
    rf"NOT{_LIGHT} (?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX)(?! (?:at |of |to )?[%#~])(?!{_NO_MORE} REMOVE)"
    r"(?! (?:the |my |this )*SIMULATION)"
)
_NONE = r"(?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX)(?: :| is| to| be| set| should)* NOT(?= ,| \.|$)"  # "tp: none"
_WITHOUT_WORDS = frozenset({"no", "without", "no need", "none", "nope", "no longer", "dont", "do not"})
_SUBORDINATE = (
    r"(?:if|when|whenever|once|unless|until|till|while|because|since|before|although|even|was|were)(?: [^,;.\s]+)*$"
)
_FOR_A_WHILE = (
    r"GONE(?: CONDITION)? (?:(?:in|for|during|within|over)(?: the| my| a| an)* (?:first|last|next|½|~|#|CREATE)|"
    r"until|till|unless|while|before)"
)
_SAME_FOR = rf"(?:START |do )?(?:the )?SAME (?:for|with|to)(?: the| my)* {_THINGS}(?: CONDITION)?(?= [,;.]|$)"
_STAYS = (  # "forget the drop, just buy on the volume"
    r"(?<=GONE )(?:, |; |\. |and )*(?:just |only )*BUY (?:on|with|by|off)(?: the| just| only)* (?:VOLUME|DROP|RISE)"
    r"(?: alone| only| FILL)*$"
)
_CONSEQUENCE = (  # "remove the target, i'll sell by the stop only"
    r"(?<=GONE )(?:[,;.] |and |so |then )*(?:i|we|it|ill|well)(?: (?:will|ll|just|only|can|then|simply))* "
    r"(?:SELL|use|keep|rely|go|HOLD)(?: (?:it|by|on|with|at|using|off|just|only|the|my))* "
    r"(?:STOP|TARGET|TRAIL|HOLDMAX)(?: (?:only|alone|FILL|instead))*(?= [,;.]|$)"
)
_EXIT = r"(?:STOP|TARGET|TRAIL|HOLDMAX)"
_ALL_EXITS_BUT = (  # "remove all exits except the stop loss"
    r"(?:REMOVE(?: (?:the|my|of|ALL|other))*|(?:RESET|REMOVE everything) that) SELL(?: CONDITION)? EXCEPT"
    rf"(?: (?:the|my|for))* {_EXIT}(?:(?: ,| and)+(?: the| my)* {_EXIT})*(?= [,;.]|$)"
)
_CLAIMS = frozenset({Kind.PERCENT, Kind.NUMBER, Kind.MULTIPLE, Kind.MONEY, Kind.DURATION})
_ALSO = rf"(?:, (?:and )?(?:the|my)|and|,(?= {_THINGS} (?:,|and)))"  # "the stop, the target and the cooldown"
# "…, and the stop to 4", "… and sell on a drop" go on
_UNCHANGED = r"(?! (?:to |at |of |from |up |down |should |be )*(?:[%#~×]|OLD))"
_UNCHANGED += r"(?! (?:when|whenever|if|once|on|after|ADD|it|NAME)(?!\S))"
_REMOVALS = (
    (
        rf"REMOVE{_LIGHT}(?: [%#$~×])? {_THINGS}(?:(?: CONDITION)? (?:at |of |ABOVE |BELOW )?[%#$~×])?"
        rf"(?:(?: CONDITION)? {_ALSO}{_LIGHT}(?: [%#$~×])? {_THINGS}{_UNCHANGED})*"
    ),
    rf"{_UNWANTED}{_THINGS}{_NO_MORE}(?<! NOT)(?<! NOT just) REMOVE",  # "the stop, don't remove it"
    (
        rf"(?:^|, |; |\. |and |ADD |then |please |now |actually ){_THINGS}(?: CONDITION)? off"
        r"(?= ,| ;| and| then| ADD| \.| please|$)"
    ),
    rf"{_THINGS}(?: CONDITION)?(?: (?:can|should|must|has|have|needs|to|be|is|may|could|now|just|please))+ REMOVE",
    rf"(?:take|turn|switch|leave|put) (?:the |my |that |a |fixed |current )*{_THINGS} (?:CONDITION )?(?:off|away|SELL)",
)


# "remove the stop and the target a bit higher", "… , the trailing stop handles that": the last of them may not go
_LISTED = r"^REMOVE(?: \S+)* (?:and|,)"
_ENDED = (
    r"^(?:CONDITION ?)?(?:(?:FILL|please|pls|plz|now|thanks|completely|ALL|both|altogether) ?)*(?:$|[,;.:?]|and|but|"
    r"then|so|or|ADD|kept|for me|from|instead|because|since|with|GONE|REMOVE|BUY|set|make|TEST|START|SIMULATION)"
)
_LEVEL_TOO = r"(?<!SELL )(?<!STOP )(?<!TARGET )LEVEL (?:and|,)|(?:and|,)(?: the| my| price)* LEVEL"  # beside others


def without_removed(line: Line, reading: Reading) -> Line:
    """ "remove the stop and the target", "no more cooldown", "the volume isn't needed, take it out"."""
    for first, last in line.spans(_ALL_EXITS_BUT):
        reading.only_exits = {FIELDS[name] for name in named_items(line, first, last) if name in FIELDS}
        line = line.renamed(first, last, "GONE")
    if line.has("RESET"):
        reading.removed.add("strategy")
    line = _without_denied(line, reading)
    line = _all_gone(
        line,
        (_NO_LONGER, _UNNEEDED, _NO_CONDITION, _NOT_WANTED, rf"{_LISTED_TO_GO}(?: (?:at|of) [%#$~×])?{_GO}"),
        reading,
    )
    for first, last in line.spans(_FOREVER):
        reading.removed.add("max_holding")
        line = line.renamed(first, last, "GONE")
    line = _without_exchanged(_without_counted(line, reading), reading)
    line = _all_gone(line, _REMOVALS, reading)
    line = _without_likewise(line, reading) if line.has("GONE") else line
    _question_passing(line, reading)
    return line


def _without_denied(line: Line, reading: Reading) -> Line:
    """ "no stop loss", "tp: none"."""
    plain = line.has(_PLAINLY_WITHOUT)
    for first, last in line.spans(_WITHOUT):
        if _is_ordered(line, first) and not _is_retort(line, first):
            word = line.items[first].text.lower()
            reading.negated = reading.negated or not (plain and word in ("no", "without", "no need"))
            reading.denied_by += [word] if word in ("dont", "do not") else []
            line = _gone(line, first, last, reading)
    for first, last in line.spans(_NONE):
        if line.items[last].text.lower() == "none":
            line = _gone(line, first, last, reading)
    return line


def _is_retort(line: Line, place: int) -> bool:
    """The no of "no, the target" and "no the target" denies what was said; that of "no target" removes."""
    following = line.items[place + 1]
    if following.name == "STOP" and following.text.lower().startswith("cut"):  # "do not cut the trailing stop"
        return True
    if following.text.lower() in ("wait", "hold on", "hang on"):  # "…, no wait, …" takes something back
        return not line.part(place + 2, place + 3).has("between|after|before|time|period|for|BUY|SELL")
    return line.items[place].text.lower() == "no" and following.name in ("the", "my", "its", "that", "this")


def _without_exchanged(line: Line, reading: Reading) -> Line:
    """ "replace the volume filter with …"."""
    for first, last in line.spans(rf"(?:REPLACE|SWITCH){_LIGHT} {_THINGS}(?: CONDITION)? (?:with|by|for)"):
        sold = "SELL" in named_items(line, first, last)
        line = _gone(line, first, last, reading)
        line = line.renamed(last, last, "SELL") if sold else line  # what takes its place is about selling as well
        reading.adds = reading.adds or bool(reading.removed & _CONDITION_KINDS)
    return line


def _without_likewise(line: Line, reading: Reading) -> Line:
    """ "…, same for the target", and what is said to stay: "…, just buy on the volume"."""
    line = _all_gone(line, (_SAME_FOR,), reading)
    for pattern in (_STAYS, _CONSEQUENCE):
        for first, last in line.spans(pattern):
            line = line.renamed(first, last, "kept")
    return line


def _is_ordered(line: Line, place: int) -> bool:
    """The no of "no stop loss" orders; that of "if no stop was hit" and "out after 8h without a win" describes."""
    ahead = line.part(0, place)
    governed = ahead.has(_SUBORDINATE) or ahead.has("after(?: a| an| FILL)* ~$")
    return line.items[place].text.lower() in _WITHOUT_WORDS and not governed


def _question_passing(line: Line, reading: Reading) -> None:
    """ "ignore the stop in the first hour": what goes is gone for good."""
    if line.has(_FOR_A_WHILE):
        reading.questions.append("I can only remove it for good, not for a time. Shall I? Say “remove it”.")
    for first, last in line.spans("GONE(?: GONE)*"):
        amounts = [item for item in line.items[first : last + 1] if item.token is not None and item.token.value]
        reading.claimed += [
            Claim(item.token.value, item.token.kind is Kind.DURATION)
            for item in amounts
            if item.token and item.token.kind in _CLAIMS
        ]
        if amounts and line.items[first].text.lower().startswith("drop") and _is_bare_amount(line, last):
            reading.questions.append("Should it go, or change by that much, or to it?")


def _is_bare_amount(line: Line, last: int) -> bool:
    """Of "drop the stop 2%" the 2%; "drop the stop at 2%" names the stop there is."""
    return line.items[last].token is not None and line.items[last - 1].text.lower() not in ("at", "of")


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


def _is_plural(item: Item) -> bool:
    """ "all the exits", "every exit": the stop and the target may be meant as well."""
    return item.name in ("ALL", "CHECK", "ANY") or item.text.lower() in (
        "exits",
        "sells",
        "all",
        "drop all",
        "drop every",
    )


def _is_trade(item: Item) -> bool:
    """ "remove the stop and sell everything": an order to the market, not a part of the strategy."""
    return item.name in ("SELL", "BUY") and item.text.lower().startswith(
        ("sell ", "dump ", "close ", "buy ", "liquidate")
    )


def _gone(line: Line, first: int, last: int, reading: Reading) -> Line:
    named = named_items(line, first, last)
    specific = [name for name in named if name in REMOVABLE and name not in ("SELL", "BUY", "LEVEL")]
    sold = "SELL" in named
    stops = specific == ["STOP"] and any(item.text.lower() == "stops" for item in line.items[first : last + 1])
    if stops and any(item.name in ("ALL", "ANY") for item in line.items[first : last + 1]):
        reading.questions.append("Which of them: the stop loss, the trailing stop, or both? Say “remove the …”.")
    if not specific and sold and any(_is_plural(item) for item in line.items[first : last + 1]):
        reading.questions.append(
            "Which of them: the conditions to sell, the stop loss, the take profit, or all of these?"
        )
    at_once = line.items[last].name in ("SELL", "BUY") and line.part(last + 1, last + 2).has("now|immediately|FILL")
    if at_once or any(_is_trade(item) for item in line.items[first : last + 1]):
        reading.questions.append(
            "A strategy cannot sell at once, only when something happens. Shall I only remove that?"
        )
    if line.part(first, last + 1).has(_LISTED) and not line.part(last + 1, len(line.items)).has(_ENDED):
        reading.questions.append("Should all of these go? Say “remove …” for each that should.")
    for name in specific or [name for name in named[:-1] if name in REMOVABLE] or [named[-1]]:
        reading.removed.add("exit_conditions" if name == "LEVEL" and sold else REMOVABLE[name])
    if specific and line.part(first, last + 1).has(_LEVEL_TOO):
        reading.removed.add("price_level")
    return line.renamed(first, last, "GONE")
