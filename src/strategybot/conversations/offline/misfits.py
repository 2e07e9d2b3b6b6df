"""Amounts that a rule would read for what they are not: "drops at most 8%", "half the target", "5% above the high".

A condition of a strategy is a least move, a field a number of its own, and a sale happens for one reason alone; whoever
says another thing is asked.
"""

from strategybot.conversations.offline.clauses import SELL
from strategybot.conversations.offline.groundwork import FIELDS
from strategybot.conversations.offline.lines import Line, some
from strategybot.conversations.offline.pairing import Pairing
from strategybot.conversations.offline.plain_words import words_of
from strategybot.conversations.offline.reading import Reading

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
        r"TRAIL(?: \S+){0,2} [%#] (?:START|starting|starts|beginning|UNKNOWN|kicks)(?: \S+){0,2} [%#]",
        "The trailing stop follows from the start. How many percent under the peak should it be?",
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
_SMALLEST = 0.1  # of a percent without its sign
_STAYING = r"(?:stay|stays|staying)(?! (?:ABOVE|BELOW|FILL|put|in|at|to|of|for|HOLD|DROP|RISE|[%#~×$]))"
_LEFT = r"(?:keep|keeps|keeping|leave|leaves|leaving)(?! (?:\S+ ){0,4}[%#~×$½])"


def question_misfits(line: Line, reading: Reading) -> None:
    if line.has(_STAYING) or (line.has("GONE") and line.has(_LEFT)):  # what is to stay, no rule has read
        reading.questions.append("What should stay as it is, and what should change?")
    following = zip(line.items, line.items[1:], strict=False)
    if any((item.text, other.text) in _DELAYED and other.name == "TIMED" for item, other in following):
        reading.questions.append("It buys as soon as its conditions hold, and pauses only between trades. When?")
    reading.questions += [question for pattern, question in _QUESTIONS if line.has(pattern)]
    for first, last in [span for pattern in _LIMITED for span in line.spans(pattern)]:
        limits = [item for item in line.items[first : last + 1] if Line((item,)).has(_LIMITS)]
        if any(item.name == "BELOW" or item.text.lower() in _LIMITING for item in limits):
            reading.questions.append("I can watch for a least move, not for a greatest one. How many percent at least?")


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
