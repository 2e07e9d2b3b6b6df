"""Holding times and pauses: the durations that are no windows."""

from strategybot.conversations.offline.reading import Reading
from strategybot.conversations.offline.strategy.amounts import change_of
from strategybot.conversations.offline.strategy.clauses import SELL, sides
from strategybot.conversations.offline.words.lines import Line, some
from strategybot.conversations.offline.words.quantities import duration_text

_HELD = some(
    "OLD it them the a an my position SIZE trade trades positions for at most max maximum after FILL NOT ABOVE to of "
    r"from(?=\sOLD) "
    "is limit about be time should shall must will one by : anything ANY open another CREATE RAISE REDUCE extra"
)
_SOLD = some(
    "it them the a all everything trade position SIZE no matter FILL latest whatever happens at automatically anyway "
    "NAME positions trades my open in any case always AGAIN"
)
_STILL_OPEN = (
    rf"(?: (?:if|when){some('it its is the trade position SIZE still HOLD open SWITCH im i am in NOT done')})?"
)
_UNWILLING = rf"(?:NOT{some('want wanna like let to it me ever')} )?"
_TRADES = some("trade trades position SIZE positions BUY should must may can to ever be is allowed")
_OLD_TRADES = some(
    "if when it its of ANY a the trade trades SIZE position positions that which is are HOLD SWITCH open for still"
)
_PASSED = some("FILL ABOVE a an max one the")
_FINALLY = some("FILL just i it we should always then please")
_BEHIND_FIELDS = "|".join(
    rf"(?<={name} [%#] {joint} )" for name in ("TRAIL", "STOP", "TARGET") for joint in (",", "and")
)
_HOLDING = (
    rf"{_UNWILLING}(?:HOLDMAX|HOLD){_HELD} ~{some('max maximum FILL HIGH RAISE REDUCE more less')}",
    rf"(?:SELL|leave|leaves|leaving){_SOLD}{_STILL_OPEN} (?:after|within|once){_PASSED} ~{some('FILL')}",
    rf"SELL{_SOLD} (?:when|once|if|after){_PASSED} ~ passed",
    rf"SELL{_OLD_TRADES} FILL ~",
    rf"NOT{_TRADES} (?:last|lasts|HOLD|go|stay|START){_HELD} ~",
    r"NOT (?:trade|trades|position|positions|SIZE)(?: (?:FILL|RAISE|than|ABOVE|for|open))+ ~",  # "no trade over a day"
    r"NOT (?:FILL|ABOVE)(?: a| an| one)? ~ (?:HOLD|per trade|CHECK trade)",  # "never longer than a day in a trade"
    r"~ (?:RAISE|REDUCE|more|less)(?: of| on| for| the)* (?:HOLDMAX|HOLD)",
    rf"(?:{_BEHIND_FIELDS})(?:max|maximum) ~(?= [,;.]|$)",
    r"limit(?: the| my| ALL| CHECK| ANY)* (?:trade|trades|position|positions|SIZE) to ~(?= [,;.]|$)",
    rf"~ HOLDMAX(?!{_HELD} ~)",  # "a 3 day limit"
    r"ADD(?: another| CREATE| an| a)* ~ (?:to|on)(?: the| my)* HOLDMAX",
    rf"SELL{_SOLD}{some('exactly about FILL')} ~ (?:later|after(?: that| BUY| the BUY| it| entry)?)",
    # "if nothing happens within 8h, sell"
    rf"FILL (?:within|after|in|for){some('a an the FILL next')} ~(?: ,)?{_FINALLY} SELL",
    rf"(?:^|[,.;] |(?:and|then|but) )after{some('a an FILL max')} ~(?: ,)?{_FINALLY} SELL",
    r"(?:max|maximum|FILL) ~ (?:in a trade|HOLDMAX|HOLD|per trade|(?:CHECK|per) (?:trade|position|SIZE))",
)
_LIMIT = some("FILL a an max maximum about just only the ABOVE passed")
# Only where it is about selling: "at 10% profit or after a day", "take 8%, after 12h at the latest".
_SELLING_LATE = (
    rf"(?:or|,|and|then|but){some('FILL just simply else at it latest')} after{_LIMIT} ~{some('FILL')}",
    rf"(?:or|,|and|then|but|SELL) (?:FILL|max|maximum){_LIMIT} ~",
    rf"(?:or|,|and|then|but|SELL){_LIMIT} ~ (?:FILL|max|maximum)",
    rf"(?:or|,|and) (?:when|once|if|after){_LIMIT} ~ passed",
    rf"(?<![~#] )or{_LIMIT} ~",
)
_AFTER_SALE = rf"after{some('a an each every CHECK the any')} (?:SELL|trade|trades|STOP|LOSS)(?: ,)?"
_LENGTH = some(
    r"from(?=\sOLD) "
    "OLD : for of by at least FILL to is a an the about it time be another should shall must will period RAISE REDUCE "
    "CREATE extra"
)
_BETWEEN = some(
    "between after before until till again AGAIN trades trade BUY a an the each CHECK every any SELL next STOP LOSS in "
    "entries one re and CREATE period time it we i BOT can may is"
)
_SHALL = some("we it the BOT should bot i please have to take a must always")
_TRADE = rf"{some('a the each CHECK any every CREATE')} (?:SELL|BUY|trade){some('before BUY AGAIN again next trade')}"
_PAUSING = (
    rf"(?:{_AFTER_SALE}{_SHALL} )?COOLDOWN{_LENGTH} ~{_BETWEEN}{some('RAISE REDUCE more less')}",
    r"~ (?:RAISE|REDUCE|more|less)(?: of| on| for| the)* COOLDOWN",
    rf"~ (?:of )?(?:COOLDOWN|BREAK|between|pause|rest){_BETWEEN}",
    (
        rf"NOT{some('want to it let me')} BUY{some('AGAIN again ANY anything CREATE')} (?:for|within|in|until|before)"
        rf"{some('a an the next FILL at least')} ~{_BETWEEN}"
    ),
    r"ADD(?: another| CREATE| an| a)* ~ (?:to|on)(?: the| my)* COOLDOWN",
    rf"(?:BUY|trade|trading) AGAIN (?:only )?(?:after|until){some('at least FILL a an')} ~",
    rf"~ (?:after|before){_TRADE}",
    (  # "re-entry not before 4 hours have passed since the last sale"
        r"(?:re )?BUY(?: AGAIN)? NOT (?:before|until|within|FILL)(?: FILL| a| an| at| least)* ~(?: passed)?"
        r"(?: (?:since|after|from|of)(?: the| a| CHECK| last| previous| FILL)* (?:SELL|trade|trades))?(?= [,;.]|$)"
    ),
)
_WHILE_HELD = (  # no pause between trades: "wait 2h after buying", "2h between buy and sell"
    r"before(?: (?:the|a|it|ANY|you|we|i|can))* SELL|after(?: (?:a|an|the|CHECK|each|every))* BUY(?! AGAIN)|"
    r"between(?: (?:a|the))* BUY and(?: (?:a|the))* SELL"
)
_LEAST = frozenset({"at least", "at the least", "no less than", "not less than", "less than", "minimum", "min"})
_LIMITING = ("longer", "older", "more", "past", "beyond", "over")
_NEXT_FIELD = "^and(?: the| my| a)* STOP(?: to| at| of)* [%#]"  # "cooldown 90 min and sl 4.5"
_NEXT_ORDER = "^(?:and|then) (?:SELL|BUY)(?: it)? (?:if|when|whenever|once|at|on|ADD|with|after|[%#]|ABOVE|BELOW|CROSS)"
TOO_LONG_OR_SHORT = "A time has to be from 1 minute to 30 days. How long should it be?"


def with_durations(line: Line, reading: Reading) -> Line:
    """Holding times and pauses; what is left of the durations belongs to windows."""
    for patterns, name in ((_PAUSING, "cooldown"), (_HOLDING, "max_holding")):
        for pattern in patterns:
            for first, last in line.spans(pattern):
                line = _timed(line, first, last, name, reading)
    return _with_latest_sale(line, reading)


def _with_latest_sale(line: Line, reading: Reading) -> Line:
    about = sides(line)
    for pattern in _SELLING_LATE:
        for first, last in line.spans(pattern):
            if all(about[place] == SELL for place in range(first + 1, last + 1)):
                line = _timed(line, first + 1, last, "max_holding", reading)
    return line


def _is_least(line: Line, first: int, last: int, name: str) -> bool:
    """ "hold at least 2 hours" and "wait a day before selling" are no limit that a strategy can keep."""
    if name == "cooldown":
        return line.part(first, last + 4).has(_WHILE_HELD)
    return any(item.text.lower() in _LEAST for item in line.items[first : last + 1])


def _is_denied(part: Line) -> bool:
    """ "never hold 12h"; but "never hold longer than 12h" limits."""
    limits = any(item.name == "ABOVE" or any(w in item.text.lower() for w in _LIMITING) for item in part.items)
    return part.has("NOT") and not limits


def _timed(line: Line, first: int, last: int, name: str, reading: Reading) -> Line:
    places = [place for place in range(first, last + 1) if line.items[place].is_duration]
    if places and line.part(places[-1] + 1, last + 3).has(f"{_NEXT_ORDER}|{_NEXT_FIELD}"):  # "… 45m and sell if …"
        last = places[-1]
    if len(places) != 1:
        return line
    token = line.items[places[0]].token
    value = duration_text(token.value) if token else None
    if value is None:
        reading.questions.append(TOO_LONG_OR_SHORT)
    elif name == "max_holding" and _is_denied(line.part(first, last + 1)):
        reading.questions.append("Should it hold a position at most so long, or not? How long at most?")
    elif _is_least(line, first, last, name):
        reading.questions.append("It can hold a position at most so long, not at least. How long at most?")
    elif name in reading.removed:
        reading.questions.append(f"Should the {name.replace('_', ' ')} go, or change? I read both.")
    elif name in reading.changes:
        reading.questions.append(f"I read two values for the {name.replace('_', ' ')}. Which one do you mean?")
    else:
        reading.changes[name] = change_of(line, places[0], value)
    return line.renamed(first, last, "TIMED")
