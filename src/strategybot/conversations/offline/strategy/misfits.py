"""Amounts that a rule would read for what they are not: "drops at most 8%", "half the target", "5% above the high".

A condition of a strategy is a least move, a field a number of its own, and a sale happens for one reason alone; whoever
says another thing is asked.
"""

from strategybot.conversations.offline.reading import Reading
from strategybot.conversations.offline.strategy.clauses import SELL
from strategybot.conversations.offline.strategy.pairing import CONDITIONS, Pairing
from strategybot.conversations.offline.words.groundwork import FIELDS, REMOVABLE
from strategybot.conversations.offline.words.lines import Line, some
from strategybot.conversations.offline.words.plain_words import words_of

_FIELD = f"(?:{'|'.join(FIELDS)}|WINDOW)"
_OF = some("by of is a an it the has have with at")
_LIMITS = r"(?:FILL|BELOW|max|maximum)"
_LIMITING = words_of("most maximum max") | {"at most", "no more than", "not more than", "up to", "at the most"}
_LIMITED = (
    rf"(?:DROP|RISE|VOLUME){_OF} {_LIMITS} [%#×]",
    rf"{_LIMITS}{_OF} [%#×] (?:DROP|RISE|VOLUME)",
)
_EXTREME = r"(?:than )?(?:the |its |a |last |recent |~ )*"
_QUESTIONS = (
    (
        rf"{_FIELD}(?: to| at| is| be| should| :| of)* (?:HALVE|½|×)(?: of| as| much)*(?: the| my| its)+ {_FIELD}",
        "Each of them is a number of its own. How many percent should it be?",
    ),
    (
        (
            rf"[%#] (?:ABOVE|RAISE) {_EXTREME}HIGH|[%#] (?:BELOW|REDUCE) {_EXTREME}LOW|"
            rf"(?:within|inside) [%#] (?:of|from|to) {_EXTREME}(?:HIGH|LOW|CLOSE)"
        ),
        "I can watch how far the price falls from its high or rises from its low. How many percent?",
    ),
    (
        (
            r"(?:keep|keeps|keeping|leave|leaving|HOLD)(?: (?:FILL|at|least|always|about))* [%½] "
            r"(?:of |in |as |the |my )*CASH"
        ),
        "Should it buy with that share of the cash, or with all but that? Say “buy with … % of the cash”.",
    ),
    (
        r"VOLUME (?:is |was |at )*(?:CROSS|DROP) ×|VOLUME (?:\S+ ){0,2}× (?:BELOW|REDUCE|less)",
        "I can watch for a high volume, not for a low one. Which multiple of the average should it reach?",
    ),
    (
        r"(?:DROP|RISE)(?: by| of| FILL)* % (?:BELOW|ABOVE) (?:the |a |price |of |\$ )*[#$]",
        "A fall is measured from the price some time before, and a level is a price. Which of them should it watch?",
    ),
    (
        r"TRAIL(?: \S+){0,3} [%#](?: \S+){0,3} ~ HIGH|TRAIL(?: \S+){0,3} [%#](?: \S+){0,3} HIGH of(?: \S+){0,2} ~",
        "The trailing stop follows the highest price since it bought. How many percent under it should it sell?",
    ),
    (
        r"TRAIL(?: \S+){0,2} [%#] (?:START|starting|starts|beginning|UNKNOWN|kicks)(?: \S+){0,2} [%#]",
        "The trailing stop follows from the start. How many percent under the peak should it be?",
    ),
    (
        r"(?:STOP|TARGET|TRAIL)(?: \S+){0,2} % of(?: the| my| its)* BUY",  # "stop at 95% of entry"
        "A stop or a target is how far it may fall or rise. How many percent should it be?",
    ),
    (  # "remove the cooldown and the sell at 0.012"
        r"GONE(?: ,| and)+(?: the| my)+ SELL(?: CONDITION)? (?:at|ABOVE|BELOW)",
        "What else should go? Say “remove …” for each that should.",
    ),
    (
        r"(?:SELL|BUY)(?: \S+){0,3} (?:ABOVE|BELOW) (?:it|that|there|this)(?= [,;.]|$)",  # "…, sell below it"
        "Above or below which price?",
    ),
    (  # "target 12 but only if the stop is 4"
        rf"(?:but|only) (?:if|when|while|once)(?: the| my)* {_FIELD} (?:is|was|stays)(?: at| still| now)* [%#~]",
        "I cannot make a change wait for something. Should I make it now?",
    ),
    (
        rf"COOLDOWN (?:with|on|before)(?: the| my| changing| setting)* {_FIELD}",  # "… but wait with the target"
        "What should I change now, and what should wait?",
    ),
    (r"COOLDOWN (?:and|,|/) TIMED|TIMED then BUY", "Which time is the pause between trades?"),
    (
        rf"(?:RAISE|REDUCE)(?: the| my)* {_FIELD} by [%#~](?: and| ,)+(?: the| my)* {_FIELD} [%#~]",
        "Should the second one change by that much as well, or to it?",
    ),
    (
        r"[%#~×](?: [,;.])*(?: i| no| oh| sorry| actually)* (?:mean|meant|sorry|no|rather|actually|NOT) (?:BUY|SELL)$",
        "Should it buy then, or sell?",
    ),
    (
        r"(?:moves|swing|moving)(?: by| about| FILL| BELOW| ABOVE| at| least)* %",
        "Should the price drop or rise by that much?",
    ),
)
_SOLD_ALONE = ("DROP", "RISE", "LOSS", "PROFIT")
_PARTED = "[,;.]|or|SELL|BUY|ADD|STOP|TARGET|TRAIL"
_AND_PRICE = r"PRICE(?: and| but)+(?: (?:it|is|when|if|the|price|also|ADD))* (?:ABOVE|BELOW|CROSS|moves|BREAK)"
_DELAYED = {("and", "buy"), ("then", "buy"), ("and", "enter"), ("then", "enter")}  # "…, then wait 10 min and buy"
_ONE_EXIT = r"(?:only|one|CREATE) SELL"
_ONLY_SALE = r"^only(?: a| an)* (?:[%#] (?:STOP|TARGET|TRAIL)|(?:STOP|TARGET|TRAIL)(?: at| of)* [%#])(?= [,.]|$)"
_EXITS = ("only exit", "only exits", "one exit", "new exits")
_LARGEST = 80
_AT_ONCE = ("right away", "right now", "straight away", "at once", "asap")
_WAITS = "if|when|whenever|once|after"
_RECORDS = ("ath", "atl", "all time", "all-time", "record")
_ENOUGH = (  # "without the volume, only the drop", "… , volume alone is enough"
    r"(?:just|only)(?: the| my)* (?:DROP|RISE|VOLUME)|"
    r"(?:DROP|RISE|VOLUME)(?: CONDITION| alone| is| are| will)* (?:enough|plenty|sufficient|alone|do)"
)
_SMALLEST = 0.1  # of a percent without its sign
_STAYING = r"(?:stay|stays|staying)(?! (?:ABOVE|BELOW|FILL|put|in|at|to|of|for|HOLD|DROP|RISE|[%#~×$]))"
_LEFT = r"(?:keep|keeps|keeping|leave|leaves|leaving)(?! (?:\S+ ){0,4}[%#~×$½])"


def question_misfits(line: Line, reading: Reading) -> None:
    if line.has(_STAYING) or (line.has("GONE") and line.has(_LEFT)):  # what is to stay, no rule has read
        reading.questions.append("What should stay as it is, and what should change?")
    reading.sells_only = _sells_only(line)
    reading.questions += [question for pattern, question in _QUESTIONS if line.has(pattern)]
    _question_buying(line, reading)
    _question_limits(line, reading)
    _question_records(line, reading)


def _sells_only(line: Line) -> bool:
    """ "the only exit: …", "sell at 15% profit and nothing else"."""
    exits = [f"{line.items[first].text} {line.items[last].text}".lower() for first, last in line.spans(_ONE_EXIT)]
    ends = line.items[-1].text.lower() if line.items else ""
    return (
        any(said in _EXITS for said in exits)
        or line.has(_ONLY_SALE)
        or (line.has("SELL") and ends.endswith("nothing else"))
    )


def _question_buying(line: Line, reading: Reading) -> None:
    following = list(zip(line.items, line.items[1:], strict=False))
    if any(item.name == "BUY" and other.text.lower() in _AT_ONCE for item, other in following) and not line.has(_WAITS):
        reading.questions.append("A strategy cannot buy at once, only when something happens. When should it buy?")
    if any((item.text, other.text) in _DELAYED and other.name == "TIMED" for item, other in following):
        reading.questions.append("It buys as soon as its conditions hold, and pauses only between trades. When?")
    if any(item.text.lower() == "bought" and item.name == "BUY" for item in line.items):  # "stop 7 if bought below 2"
        reading.questions.append("A strategy treats every trade alike, wherever it bought. Should this hold for all?")


def _question_records(line: Line, reading: Reading) -> None:
    """ "down 5% from the all time high": a high is one of a window."""
    said = [item.text.lower() for item in line.items if item.name in ("HIGH", "LOW")]
    if any(word in text for text in said for word in _RECORDS):
        reading.questions.append("I can look back at most 30 days. The high of how long a time should it be?")


def _question_limits(line: Line, reading: Reading) -> None:
    """ "buy when it drops at most 8%": a strategy waits for so much or more."""
    for first, last in [span for pattern in _LIMITED for span in line.spans(pattern)]:
        limits = [item for item in line.items[first : last + 1] if Line((item,)).has(_LIMITS)]
        if any(item.name == "BELOW" or item.text.lower() in _LIMITING for item in limits):
            reading.questions.append("I can watch for a least move, not for a greatest one. How many percent at least?")


def question_unremoved(pairing: Pairing, timed: set[int], reading: Reading) -> None:
    """ "the volume can go. so can the level": a part that is named beside a removal, and neither goes nor changes."""
    named = [item.name for item in pairing.line.items if item.name == "LEVEL"]
    named += [
        cue.name
        for number, cue in enumerate(pairing.cues)
        if cue.name in CONDITIONS and cue.only is None and number not in pairing.taken and not pairing.is_stated(cue)
    ]
    priced = reading.level is not None or any(each["kind"] == "price_level" for each in (*reading.entry, *reading.exit))
    left = [name for name in named if REMOVABLE[name] not in reading.removed and not (name == "LEVEL" and priced)]
    if pairing.line.has("GONE") and left and not timed and not pairing.line.has(_ENOUGH):
        reading.questions.append("What else should go? Say “remove …” for each that should.")


def question_only(line: Line, reading: Reading) -> None:
    """ "stop 5 and target 15, only the stop for now": what is said last may take back the rest."""
    several = len(reading.changes) + len(reading.removed) + len(reading.entry) + len(reading.exit) > 1
    if several and line.has(rf"only(?: the| my)* {_FIELD}(?! (?:\S+ )?[%#~×$½])"):
        reading.questions.append("Should all of that change, or only what you named last?")
    if reading.changes and any(item.name == "OLD" and item.text.lower() == "both" for item in line.items):
        reading.questions.append("Which two should go? Say “remove …” for each.")  # "a 4% trail instead of both"


def question_sizes(reading: Reading) -> None:
    """ "stop at 97%" may mean 97 % of the price paid."""
    for name in ("stop_loss_percent", "trailing_stop_percent"):
        change = reading.changes.get(name)
        if change is not None and change.how == "to" and float(change.value) >= _LARGEST:
            reading.questions.append(f"Should it sell only after a fall of {float(change.value):g} percent?")


def question_prices(pairing: Pairing, reading: Reading) -> None:
    """ "sell when it loses 0.02", "buy under 0.01, stop 0.009": so small a number without its sign may be a price."""
    taken = [pairing.line.items[place] for place in pairing.taken.values()]
    if any(item.name == "#" and item.token and item.token.value < _SMALLEST for item in taken):
        reading.questions.append("Is that a price, or a percentage?")


def question_crossings(pairing: Pairing, reading: Reading) -> None:
    """ "buy above 0.01 and below 0.02": no price crosses both at once."""
    crossing = [each["place"] for each in (*reading.entry, *reading.exit) if each.get("trigger") == "cross"]
    if len(crossing) > 1 and pairing.line.part(min(crossing), max(crossing)).has(_AND_PRICE):
        reading.questions.append(
            "It cannot cross both prices at once. Is either one enough, or should it stand between?"
        )


def question_joint_sales(pairing: Pairing, reading: Reading) -> None:
    """ "sell if the volume is 5x and it is up 10%": a target sells alone."""
    ruled = [each["place"] for each in reading.exit]
    alone = [
        place
        for number, place in pairing.taken.items()
        if pairing.cues[number].side == SELL and pairing.cues[number].name in _SOLD_ALONE and place not in ruled
    ]
    for rule in ruled:
        for place in alone:
            between = pairing.line.part(min(rule, place), max(rule, place))
            if between.has("and|while|with") and not between.has(_PARTED):
                reading.questions.append("Must both hold before it sells, or is either one enough?")
