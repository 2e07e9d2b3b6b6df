"""Words that could limit, turn or unsay an order: where no rule has taken them up, the order is previewed, not done.

Filler is read over only where it is empty. What stands here belongs to no condition, field or removal that was read, so
that nobody knows what it does to the rest: "only for PIPO", "on all my bots", "and sell everything now".
"""

from strategybot.conversations.offline.strategy.clauses import clauses_of
from strategybot.conversations.offline.words.lines import Item, Line
from strategybot.conversations.offline.words.plain_words import words_of

_WEIGHTY = words_of(
    """
    ideally preferably possibly probably hopefully
    across adjusts against almost alone apparently appears aside average avg basis before between biggish cases chunk
    compared concerning conservative consistently could count currently did during else elsewhere ending even ever
    everybody everyone everything everywhere exclusively extra final first flat folks fourth fraction full fully
    further guess had happen happening happens he how individually instead irrespective last later latest less limit
    little loads loosely lot lots mainly manually may meanwhile mine minor minute minutes mode modest month months more
    most much multiple near nearly necessary neither next nobody nor normal normally number numbers old ones only
    other others otherwise overall own particular past people per piece portion presumably previous primarily reference
    regardless remain remaining remains rest second session sessions several share she shortly side since slice
    slightly softer some somebody something somewhat soon sooner specific specifically standard still style
    subsequently such supposedly tell than them they third through throughout till together total trend trends true
    typical unchanged untouched until used usual value values versus vs was week weeks were what whatever where
    wherever which who whoever whole whos whose why will wish would wrong year years yet hour hours day days those
    TEST SIMULATION RESULT SHOW SEARCH RISK END FORGET SWITCH LIVE CANDLE FEE SLIPPAGE UNDO EARLIER AGAIN START SAME
    CHECK HOLD INSTEAD REPLACE REMOVE otherway safeguards
    """
)
_AMOUNT = r"[%#$×½~]"
_EMPTY = (
    r"RISK [%½] of (?:my |the )*CASH(?= CHECK)",
    r"only(?= (?:change|set|move|adjust|update|the|my))",
    rf"only(?= (?:use|if|when|while|whenever|BUY|SELL|SIZE|want|need|with|a|an|trade|put|VOLUME|{_AMOUNT}))",
    r"(?:last|past|previous|full|whole|across|during)(?= (?:the |a |an |last |past |full |whole )*(?:~|RUN))",
    r"^instead|instead(?= (?:FILL|ok|now|[,;.?:])|$)|(?:STRATEGY|BOT) where",
    rf"{_AMOUNT}(?: FILL)* (?:more|less|extra)|^FILL more(?= ,)|(?:extra|less|more) {_AMOUNT}",
    r"CHECK(?= time)|CHECK (?:trade|trades|BUY|SELL|%|DROP|RISE|SIZE|VOLUME|day)|ADD CHECK that",
    r"(?:per|during) (?:trade|trades|BUY|SELL|position|SIZE|order|~)",
    r"could (?:you|u|ya|we)|(?:BOT|it) could BUY|would (?:you|u|like|love|prefer|want|be)|will (?:be|you|u|START)",
    r"(?:lets |ok |please |can we |just |now )START",
    rf"START(?= (?:that|it|:|BUY|SELL|a|an|simple|SAME|with|(?:for )?{_AMOUNT}))",
    r"SELL AGAIN(?= (?:once|when|if|at|after|whenever|with))|still(?= (?:ABOVE|BELOW))|HOLD(?= (?:ABOVE|BELOW))",
    r"currently(?= (?:ABOVE|BELOW|at))|before(?= (?:we |it |i |you |the )*(?:BUY|SELL))|CASH HOLD",
    r"SAME(?= (?:but|time))|SAME for(?= (?:the |my )?(?:STOP|TARGET|TRAIL))|(?:stays|stay|HOLD) SAME",
    rf"SWITCH(?= (?:this :|from OLD|(?:a |an |the |to )*{_AMOUNT}))|^(?:ok |no |, )*FORGET(?= ,)|FORGET there",
    r"(?:a |the )second CONDITION|(?:STOP|TARGET|TRAIL|SIZE) value|value(?= (?:of|to|for|at))|of (?:its |the )*value",
    r"(?:something|things?|stuff) (?:that|which|simple|like|to)|more (?:conservative|aggressive|room) ?:?",
    r"happen(?= (?:in|inside|within|over|during))|count(?= the (?:DROP|RISE))",
    r"(?:am|im) SEARCH|LIVE with|if (?:it|things|this|that|the trade|a trade) goes? (?:wrong|right)|how it is",
    r"as (?:the )?reference|reference(?= (?:to|is|the))|when everybody BUY|DROP hour|VOLUME alone",
    r"GONE(?: ,| ;| \.| and| so| just| please| anymore)* REMOVE(?: it| them| that| this)?|REMOVE [%#~] (?:from|off|of)",
    r"REMOVE ALL(?: BUY| the)* CONDITION(?=(?: and| ,| ;| \.)+ BUY)",
    r"(?:should|can|must|may|could|to) START(?= (?:from |to |up |down |FILL )*(?:OLD|[%#~×]))",
    r"CASH CHECK(?= [,;.]|$)|little(?= (?:RAISE|REDUCE|more|less))",
    r"(?:normal|regular|usual|standard)(?= (?:STOP|TARGET)(?: (?:to|at|of|is|should|be|:))* [%#])",
    r"FILL (?:unchanged|untouched|SAME)(?= [,;.]|$)|RISK(?= (?:a |an |the )*[%#] STOP)",
    r"^(?:ok |so |, )*START (?:[a-z]+ ){1,4}(?=: (?:BUY|when|if|whenever)(?!\S))|(?<=CASH )only(?= [,;.]|$)",
    rf"still(?= {_AMOUNT})|SAME(?= {_AMOUNT} (?:DROP|RISE|VOLUME)(?: ,)? but)",
    rf"(?<={_AMOUNT} )only(?= [,;.]|$)|will(?= (?:DROP|RISE|CROSS|BREAK|ABOVE|BELOW)(?!\S))",
    r"(?:ALL|ANY|be|is|are|hold|holds) true",
    r"(?:SWITCH|START|first)(?= (?:the |this |a |my |CREATE )*(?:STRATEGY|this) :)",
    r"^(?:no |ok |, )*otherway [:,]|(?:HALVE|×) (?:of )?what (?:it|they) (?:is|are)",
    r"^(?:um |uh |ok |so |, )*SWITCH(?= (?:a |an )*(?:[%#] )?(?:BUY|STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX)(?!\S))",
    r"(?:ALL|ANY)(?: of these| these)? (?:happen|happens)(?= :)",
    r"compared (?:with|to)(?= (?:its |the |a |an )*~ (?:average|avg))",
    r"need more(?= VOLUME)|× vs|CHECK ~(?: max)? so",
)
_EITHER = r"^or(?= (?:even )?[%#~×])"  # "or 6", of what was changed last
_OFF = r"(?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|CONDITION|VOLUME)(?= off(?: [,;.]| and| then| ADD|$))"
_AT_ONCE = r"(?:BUY|SELL)(?= (?:it |them |all |some )*(?:now|immediately|instantly)(?: (?:and|with|using|[,;.])|$))"
_SORTED_OUT = (  # "for small trades", "during big dips"
    r"(?:for|during)(?= (?:the |my |all |ALL |only )*(?:small|smaller|big|bigger|large|huge|tiny|massive|"
    r"major|minor|deep|"
    r"steep|sharp|strong|weak|quick|fast|slow|good|bad|normal|certain|RAISE|REDUCE) )"
)
_COMPARED = (  # "5% more than ETH", "as long as my balance is over 1000"
    r"(?:ABOVE|BELOW|than)(?= (?:the |its |my |a )*(?:NAME|UNKNOWN|€|TOKEN))|CASH(?= (?:\S+ ){0,2}(?:ABOVE|BELOW))"
)
_MARKET_IS = (  # "if the market is open …"
    r"(?:if|when|whenever|once|while)(?= (?:the |a )?market (?:is|looks|feels|gets) (?:SWITCH|UNKNOWN|good|bad))"
)
_OF_VOLUME = words_of("average avg normal usual typical than value")
_PERSONAL = frozenset({"i", "we", "you", "he", "she", "they"})  # "every time i sleep"
_TALKING = ("talk", "speak", "focus", "work", "look")
_OPENING = words_of("if when whenever once while case")
_SETTLED = words_of("TIMED kept ANY ALL counted SHARED RUN title")
_NEAR = 4
_CLAUSE_ENDS = words_of(
    ", ; . ? BUY SELL set make change put use ADD REMOVE RAISE REDUCE REPLACE move measure keep GONE OLD "
    "HALVE STOP TARGET TRAIL"
)
_TOLD = words_of(
    """
    DROP RISE VOLUME BREAK CROSS ABOVE BELOW LOSS PROFIT PRICE moves HIGH LOW SPIKE STOP TARGET TRAIL TIMED kept ANY ALL
    """
)
_DONE = words_of("TIMED GONE SHARED RUN kept OLD")


def weighty_words(line: Line) -> list[str]:
    """What stands where nothing is known of what it does to the order."""
    light = line
    for pattern in _EMPTY:
        for first, last in light.spans(pattern):
            light = light.renamed(first, last, "light")
    voluminous = line.has("VOLUME")
    found = [item.text for item in line.items if _is_talk(item)]
    found += [
        item.text
        for item in light.items
        if _is_plural_bot(item) or (item.name in _WEIGHTY and not (voluminous and item.name in _OF_VOLUME))
    ]
    compared = [
        line.items[first].text
        for pattern in (_COMPARED, _EITHER, _OFF, _AT_ONCE, _SORTED_OUT, _MARKET_IS)
        for first, _ in line.spans(pattern)
    ]
    return found + compared + _further_fields(line) + _empty_conditions(light) + _idle_verbs(line)


def _further_fields(line: Line) -> list[str]:
    """ "another target at 20%": there can be one of each."""
    return [
        line.items[first].text
        for first, _ in line.spans(r"(?:CREATE|second|third|extra)(?= (?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|SIZE))")
        if line.items[first].text.lower() in ("another", "one more", "second", "third", "extra")
    ]


def _is_plural_bot(item: Item) -> bool:
    """ "on all my bots": an order is for one."""
    return item.name in ("BOT", "TOKEN") and item.text.lower().endswith("s")


def _is_talk(item: Item) -> bool:
    """ "lets talk about a 5% stop" changes nothing, "lets do a 5% stop" does."""
    return item.name == "SWITCH" and any(word in item.text.lower() for word in _TALKING)


def _empty_conditions(line: Line) -> list[str]:
    """The "if" of "if the market is open": nothing that a strategy could watch stands behind it."""
    found = []
    for place, item in enumerate(line.items):
        clause = _until_end(line.items[place + 1 :])
        waits = item.name in _OPENING or (item.name == "time" and any(other.name in _PERSONAL for other in clause))
        if waits and not _is_watched(clause):
            found.append(item.text)
    return found


def _is_watched(clause: tuple[Item, ...]) -> bool:
    """Whether it holds a move with its amount, or an amount right away, or what has been read already."""
    amounts = [place for place, item in enumerate(clause) if item.is_number or item.is_duration]
    moves = any(item.name in _TOLD - _CLAUSE_ENDS for item in clause)
    settled = any(item.name in _SETTLED for item in clause)
    return settled or (bool(amounts) and (moves or amounts[0] < _NEAR))


def _until_end(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Up to a mark, or to the verb of the order that waits for it."""
    ends = (place for place, item in enumerate(items) if item.name in _CLAUSE_ENDS and (place or item.name in ",;.?"))
    return items[: next(ends, len(items))]


def _idle_verbs(line: Line) -> list[str]:
    """ "… and sell everything now": a verb of trading with neither a condition nor an amount about it."""
    clauses = [line.items[first:last] for first, last in clauses_of(line)]
    telling = [any(item.is_number or item.is_duration or item.name in _TOLD for item in clause) for clause in clauses]
    return [
        item.text
        for number, clause in enumerate(clauses)
        for item in clause
        if item.name in ("BUY", "SELL")
        and not any(other.name in _DONE for other in clause)
        and not any(telling[max(0, number - 1) : number + 2])
    ]
