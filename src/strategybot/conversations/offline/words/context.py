"""What a word means where it stands: "break of an hour" is a pause, "drop the stop to 2" lowers it."""

from strategybot.conversations.offline.words.corrections import without_slips
from strategybot.conversations.offline.words.lines import Line, some
from strategybot.conversations.offline.words.retractions import without_needless, without_retractions
from strategybot.conversations.offline.words.run_wording import with_runs_in_plain_words
from strategybot.conversations.offline.words.standing import with_standing
from strategybot.conversations.offline.words.strategy_wording import put_plainly

_FIELD = "(?:STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|WINDOW)"
BEARABLE = (
    r"(?:fine|willing|prepared|comfortable|ready|accept|afford|tolerate|stomach|happy|ok|okay)(?: (?:with|to|FILL))*"
)
_EDIT = "(?:edit|edits|change|changes|update|updates|modification|tweak|adjustment)"
_RETURNING = "bring|give|get|put|go|return|want|take|have|use|like|SWITCH|CROSS|UNDO|back|make|START|set"
_SHALL = some("should must can needs has to please now FILL go START be a bit could may")
_AWAITED = some("a an the it its price to RAISE REDUCE there is has goes CREATE [%#]")
_WISHED = some("want wanna to let it me us ever")
_UNSOLD = "(?<!SELL )(?<!SELL my )(?<!SELL the )"
_UPON = "(?:once|when|whenever|if|after|at|FILL)"
_MOVING = some("it its price the is TOKEN goes has going NAME")
_NO_WINDOW = "(?! (?:in|within|over|ABOVE|~))"
_LATER = "(?:after|within|once)(?: a| an| FILL)* ~"
_USED = ("use", "with", "to", "at", "of", "only", "put", "SIZE", "on", "for", "in")
_NOT_USED = "".join(f"(?<!{word} )" for word in _USED)
_CONTEXT = (
    # A pattern, which of its items is meant, and what it means there.
    (r"(?:break|BREAK) (?:of|for) ~", 0, "COOLDOWN"),
    (rf"COOLDOWN (?:for|until|till|on){_AWAITED} (?:DROP|RISE|VOLUME|BREAK|CROSS|ABOVE|BELOW|HIGH|LOW)", 0, "waits"),
    (rf"(?:{_RETURNING})(?: \S+){{0,4}} EARLIER", -1, "UNDO"),
    (rf"(?:FORGET|REMOVE){some('that the my this your last latest previous recent')} {_EDIT}", 0, "UNDO"),
    (rf"{_UNSOLD}(?:ALL|whole|entire|full|everything)(?: of| my| the| in)* CASH", 0, "ALLIN"),
    (rf"NOT{_WISHED} LOSS (?:ABOVE|FILL) [%#]", -3, "STOP"),  # "never lose more than 2%" wishes for a stop
    (rf"NOT{_WISHED} STOP (?:ABOVE|FILL) [%#]", 0, "FILL"),
    (r"make (?:%|#)", 0, "PROFIT"),
    (rf"let (?:it|them|NAME) (?:go|START)(?: AGAIN| again)?(?= {_UPON})", 2, "SELL"),
    (rf"REMOVE(?= (?:it|them)(?: AGAIN| again)? {_UPON})", 0, "SELL"),
    (r"(?:,|and|;|STOP [%#]) take [%#](?! (?:off|from|of|away|out|SELL|FEE|SLIPPAGE))", -2, "TARGET"),
    (r"(?:price|it|coin|TOKEN|UNKNOWN|€|also|has|if|when) RAISE (?:by |of |at least |FILL |ABOVE )*[%#]", 1, "RISE"),
    (r"(?:price|it|coin|TOKEN|UNKNOWN|€|also|has|if|when) REDUCE (?:by |of |at least |FILL |ABOVE )*[%#]", 1, "DROP"),
    (r"SPIKE (?:of |by |in )*[%#]", 0, "RISE"),
    (r"BREAK (?:of |by )+(?:at least |FILL )*%", 0, "RISE"),
    (rf"NOT{_WISHED} (?:use|put|SIZE|go|BUY)(?: \w+)? (?:ABOVE|FILL) [%½]", 0, "FILL"),  # "never use more than a third"
    (r"or (?:ABOVE|BELOW|more|less|RAISE|REDUCE|FILL)(?! (?:the |price |of |a )*[#$%×~])", 0, "FILL"),  # "3x or more"
    (r"(?:CONDITION|STRATEGY|BUY|SELL|step|number) # :", 1, "counted"),  # "trigger 1: …"
    (r"wish to", 0, "want"),
    (r"LEVEL on(?= [#$])", 1, "at"),  # "put the sell level on 0.015"
    (r"(?:BOT|STRATEGY|something) (?:who|which)", 1, "that"),
    (r"^(?:(?:sorry|no|ok|wait|,|\.|please|the|my|oops|FORGET) )*EARLIER(?=(?: please| pls| FILL| \.)*$)", -1, "UNDO"),
    (rf"{_FIELD} CROSS(?= [%#~])", 1, "to"),  # "the target goes to 30"
    (rf"{BEARABLE} LOSS(?= (?:(?:ABOVE|FILL|at|up|to|about|a|like|around) )*[%#])", -1, "STOP"),
    (rf"REMOVE (?:{_FIELD}|DROP|VOLUME)(?: CONDITION| level)* (?:in |down |back )*(?:to|by) [%#~]", 0, "REDUCE"),
    (r"(?:DROP|LOSS) (?:the |my )?(?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX)(?: by| to) [%#~]", 0, "REDUCE"),
    (r"(?:in|by) ½", 1, "HALVE"),
    (r"(?:ANY|ALL)(?: the| of| these)* #", -1, "counted"),
    (rf"{_FIELD}{_SHALL} DROP (?:to|by)", -2, "REDUCE"),
    (rf"{_FIELD}{_SHALL} RISE (?:to|by)", -2, "RAISE"),
    (rf"{_FIELD}{_SHALL} RISE(?= #)", -1, "RAISE"),
    (rf"(?:DROP|RISE) (?:to|by) [%½#] (?:of |the |my |on )*{_FIELD}", 0, "REDUCE"),  # "go down to 25% size"
    (r"(?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|WINDOW) to ½", -1, "HALVE"),
    (r"(?:as|how|too) BUY(?! (?:when|if|once|on|at|after))", -1, "FILL"),  # "half as long"
    (r"½ (?:as|of what|of the current|its|the current)", 0, "HALVE"),
    (r"SIZE (?:a|an|another) (?:VOLUME|DROP|RISE|CONDITION)", 0, "ADD"),  # "put in a volume filter"
    (r"TARGET(?: at| of| a| an| with| FILL)* [%#] PROFIT", -1, "FILL"),  # "take the money at 10% gain"
    (r"(?:a|an) [%#] END(?= (?:BUY|SELL)(?!\S))", -1, "STOP"),  # "with a 2% stop that buys …"
    (r"[%#] (?:RISE|PROFIT)(?= TARGET(?: [,;.]|$))", -1, "FILL"),  # "8% up = take profit"
    (r"[%#] (?:DROP|LOSS)(?= STOP(?: [,;.]|$))", -1, "FILL"),
    (rf"STOP (?:when|if|once){_MOVING} (?:DROP|LOSS)(?= (?:by |FILL )*[%#]{_NO_WINDOW})", -1, "FILL"),
    (rf"(?:REMOVE|DROP)(?= (?:the |my |a )*(?:SIZE|trade|trades|position) {_LATER})", 0, "SELL"),
    (r"~ limit", -1, "HOLDMAX"),
    (rf"{_FIELD}(?: ,)?(?: that| it| this| which| one)* CROSS(?= [%#~])", -1, "to"),
    (rf"{_NOT_USED}½ (?:the |my )SIZE", -3, "HALVE"),
    (r"½ (?:the |my )(?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|WINDOW)", 0, "HALVE"),
    (r"(?<!the )(?<!my )(?:DROP|RISE) (?:back )?(?:(?:to|ABOVE|BELOW|CROSS) )+(?:the |price |of )*[$#]", 0, "moves"),
    (r"(?:from|off|below|BELOW|under|of|since) (?:(?:its|the|a|last|recent|~) )*CLOSE", -1, "CLOSE"),
    (r"(?:PROFIT|RISE)(?: FILL| ABOVE| about| a)* [%#](?: of| in)* PROFIT(?! (?:of |at |: |to )*[%#])", -1, "FILL"),
    (r"dipbuyer(?= (?:[,:] )?(?:of |at |on |with )?(?:a |an )*[%#] (?:in|over|within)(?: the| a| an)* ~)", 0, "DROP"),
    (r"dipbuyer", 0, "FILL"),
    (r"(?:put|use|SIZE)(?: only| just| max| FILL)* [%½] HOLD(?= [,;.]|$)", -1, "SIZE"),  # "put 30% in each trade"
    (r"flat(?= (?:after|within)(?: a| an| FILL)* ~ FILL)", 0, "SELL"),
    (r"(?:ALL|ANY) HOLD(?= [:,;.]|$)", -1, "true"),
    (r"(?:BUY|SELL) (?:after|on|at|with)(?: a| an| the)* REDUCE (?:of|by)(?= [%#])", -2, "DROP"),
    (r"(?:BUY|SELL) (?:after|on|at|with)(?: a| an| the)* RAISE (?:of|by)(?= [%#])", -2, "RISE"),
    (r"NOT(?: [^,;.\s]+){0,4} (?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX) ANY(?= [,;.]|$)", -1, "FILL"),  # "no stop either"
    (r"the ANY(?= (?:the |my )*(?:DROP|RISE|VOLUME|STOP|TARGET|TRAIL))", 1, "FILL"),  # "the one of the drop"
    (r"RISE(?= (?:a |an |on |in )*[%#] (?:STOP|TRAIL|TARGET))", 0, "ADD"),  # "pop a 3% trailing stop on"
    (r"# CONDITION(?= [,;.:])", 0, "counted"),  # "two conditions: …"
    (r"NOT let (?:a |any |the |my |ANY )*(?:trade|trades|position|SIZE) LOSS (?:ABOVE|FILL) [%#]", -3, "STOP"),
    (r"NOT let (?:a |any |the |my |ANY )*(?:trade|trades|position|SIZE) STOP (?:ABOVE|FILL) [%#]", 0, "FILL"),
    (r"[%#] RISE from (?:the |my )*BUY(?= SELL)", -1, "the"),  # "5% up from entry, sell"
    (r"(?:change|turn|make|move)(?: (?:the|my|this))* [%#~×]?(?: \S+){1,2} into(?= [%#~×])", -1, "to"),
    (r"put [%½](?: of)?(?: the| my)* CASH in(?= (?:when|if|once|whenever|after))", 0, "BUY"),
    (r"~ old(?= [,;.]| and| or|$)", -1, "FILL"),  # "sell when the trade is 2 days old"
    (r"extra(?= (?:SELL|BUY|CONDITION|VOLUME|DROP|RISE)(?!\S))", 0, "ADD"),
    (r"ADD (?:a |the |another )*½ CONDITION", -2, "counted"),  # "add a third condition"
)  # fmt: skip


_NO = frozenset({"no", "nope", "nah", "hell no", "no way"})
_AFTER_NO = (
    r"(?:,|\.|i|make|set|put|UNDO|that|thats|its|it|REMOVE|lets|actually|EARLIER|FORGET|TOOMUCH|NOT|back|use|try|change|"
    r"START|go|#|%|~|×)"
)
_BEFORE_NO = (
    r"(?:oh|ok|okay|hmm|hm|ah|well|but|so|actually|whoa|woah|wow|ugh|argh|oops|whoops|sorry|damn|shit|wait|lol|haha|uh|um|eh|"
    r"huh|wtf|omg|man|bro|dude|no|FORGET|,|\.)"
)
_WAIT = r"COOLDOWN(?= (?:,|\.|i|make|set|put|NOT|no|actually|lets|that|thats|change|UNDO|REMOVE|#|%))"


def _without_interjections(line: Line) -> Line:
    """The no of "no wait, make it 4" refuses nothing, and its wait is no pause."""
    for _ in range(2):  # "no no, go back"
        for _, last in line.spans(rf"^(?:{_BEFORE_NO} )*NOT(?= (?:{_AFTER_NO}|{_WAIT})(?!\S))"):
            following = line.items[last + 1]
            paused = following.name == "COOLDOWN" and following.text.lower() != "wait"  # "no cooldown, …"
            if line.items[last].text.lower() in _NO and not paused:
                line = line.renamed(last, last, "no")
    for _, last in line.spans(rf"^(?:{_BEFORE_NO} )*NOT(?= {_FIELD}(?: to| at)? [%#~])"):
        if line.items[last].text.lower() in ("nah", "nope"):  # "nah tp 6"
            line = line.renamed(last, last, "no")
    for _, last in line.spans(rf"^(?:{_BEFORE_NO} )*{_WAIT}"):
        if line.items[last].text.lower() == "wait":
            line = line.renamed(last, last, "wait")
    return line


_TAGS = r"(?:ok|okay|k|pls|please|plz|thx|thanks|alright|cool|yeah|deal|cheers|FILL)"


def _without_tags(line: Line) -> Line:
    """ "…, ok?" orders all the same, and the not of "or not?" asks."""
    for _, last in line.spans(rf", {_TAGS} \?$"):
        line = line.renamed(last, last, ".")
    for first, _ in line.spans(r"or NOT \?$"):
        line = line.renamed(first, first + 1, "tag")
    return line


_ASKERS = frozenset({"i", "you", "u", "ya", "we", "they", "people"})


def in_context(line: Line) -> Line:
    line = with_runs_in_plain_words(without_slips(without_retractions(_without_tags(_without_interjections(line)))))
    for place in range(len(line.items) - 1):
        line = _beside_next(_with_comparison(_with_heading(line, place), place), place)
    if line.items and line.items[-1].text.lower() in _OUT and _is_part(line, len(line.items) - 1):
        line = line.renamed(len(line.items) - 1, len(line.items) - 1, "off")
    for first, last in line.spans(r"^(?:ok |so |, )*what (?:i|we) (?:want|need)(?= :)"):
        line = line.renamed(first, last, "title")
    line = _with_price_moves(_with_named_conditions(put_plainly(line)))
    for pattern, which, name in _CONTEXT:
        for first, last in line.spans(pattern):
            place = last + 1 + which if which < 0 else first + which
            line = line.renamed(place, place, name)
    return with_standing(without_needless(line))


_TO_A_PRICE = (
    r"(?:DROP (?:back )?(?:(?:to|BELOW|CROSS) )+|RISE (?:back )?(?:(?:to|ABOVE|CROSS) )+)(?:the |price |of )*[$#]"
    r"(?! (?:in|within|over))"
)
_COMPARING = frozenset({"more than", "less than"})  # "rises more than 5" says how far


def _with_price_moves(line: Line) -> Line:
    """ "the price falls below 0.5": the article is that of the price, and the number one too."""
    for first, last in line.spans(_TO_A_PRICE):
        compared = any(item.text.lower() in _COMPARING for item in line.items[first:last])
        if line.items[first].text.lower().startswith("price ") and not compared:
            line = line.renamed(first, first, "moves")
    return line


_NAMED = (
    r"(?:the|my|its|your|this|that|current) BUY(?= (?:DROP|RISE|VOLUME)(?!\S))",
    r"(?:the|my) (?:DROP|RISE|VOLUME) (?:for|to|of|on)(?: the| my)* BUY(?! (?:when|if|once|on|at|after))",
    r"BUY(?= (?:DROP|RISE|VOLUME)(?!\S))",
)
_ENTRIES = frozenset({"entry", "entries"})
_BUYING = _ENTRIES | {"buy", "buying", "buys", "entering", "long"}


def _with_named_conditions(line: Line) -> Line:
    """The entry of "the entry drop" only says which drop: it states no entry anew."""
    for pattern in _NAMED:
        for first, last in line.spans(pattern):
            nouns = _BUYING if first < last else _ENTRIES
            if line.items[last].text.lower() in nouns:
                line = line.renamed(last, last, "the")
    return line


_OUT = ("out", "gone")
_COMPARED = {"lower": "DROP", "cheaper": "DROP", "higher": "RISE"}
_PRICE_IS = (
    "(?:if|when|whenever|once|after|BUY|SELL)" + some("the its is it price gets goes TOKEN has FILL becomes") + " [%#]$"
)
_OVER = r"^(?:in|within|over|inside|during)(?: (?:the|a|an|last))* ~"


def _with_comparison(line: Line, place: int) -> Line:
    """ "when the price gets 10% lower within a day" is a drop."""
    name = _COMPARED.get(line.items[place].text.lower())
    if name is None or not (line.part(0, place).has(_PRICE_IS) and line.part(place + 1, place + 5).has(_OVER)):
        return line
    return line.renamed(place, place, name)


def _is_part(line: Line, place: int) -> bool:
    """Whether what stands before is a part of the strategy by its name and nothing else: "…, cooldown out"."""
    named = rf"(?:^|[,;.] |and |then |ADD |please )(?:the |my )*(?:{_FIELD}|VOLUME|DROP|RISE)(?: CONDITION)?$"
    return line.part(0, place).has(named)


_ANNOUNCING = frozenset({"try this", "try that", "try the strategy", "try this strategy"})


def _with_heading(line: Line, place: int) -> Line:
    """ "try this: buy when …" tests nothing."""
    heads = line.items[place].text.lower() in _ANNOUNCING and line.items[place + 1].name == ":"
    return line.renamed(place, place, "title") if heads else line


def _beside_next(line: Line, place: int) -> Line:
    item, following = line.items[place], line.items[place + 1]
    word = item.text.lower()
    if item.name == "->":  # "tp -> 12", but "-5% in 1h -> buy"
        return line.renamed(place, place, "to" if following.is_number or following.is_duration else ",")
    if (
        word == "stop"
        and following.text.lower().endswith("ing")
        and following.name not in ("TRAIL", "SIMULATION", "trading")
    ):
        return line.renamed(place, place, "NOT")  # "stop changing it" is a refusal, no stop loss
    if word in ("close", "closes", "closing") and following.name in ("ABOVE", "BELOW"):
        return line.renamed(place, place, "moves")
    if word in _OUT and following.name in (",", ";", ".", "and", "then") and _is_part(line, place):
        return line.renamed(place, place, "off")  # "volume filter out, …"
    if word == "cut" and line.part(place + 1, place + 4).has(rf"^(?:the |my |down )*(?:{_FIELD}|DROP|VOLUME)"):
        return line.renamed(place, place, "REDUCE")  # "cut the holding time to half"
    if word == "say" and following.is_number and place and line.items[place - 1].name == ",":  # "a wider stop, say 6"
        return line.renamed(place, place, "FILL")
    if word == "do" and following.text.lower() in _ASKERS:  # "do i pay fees" begins nothing
        return line.renamed(place, place, "do")
    return line
