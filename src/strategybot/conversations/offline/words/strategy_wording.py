"""Turns of phrase about a strategy, put plainly: "if, and only if, …", "0.014 is where i want to sell".

Each says in more words what another shape says in fewer.
"""

from dataclasses import replace

from strategybot.conversations.offline.words.lines import Item, Line

_AMOUNT = r"[%#$×½~]"
_FIELD = r"(?:STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|WINDOW|DROP|RISE|VOLUME)"
_ONLY_IF = r"(?:if|when)(?: ,)? and only (?:if|when)(?: ,)?"
_PAUSED = rf"(?:change|set|move|put|make|RAISE|REDUCE|adjust|update)(?: the| my)* {_FIELD} ,(?= (?:to|at|by) {_AMOUNT})"
_COMPARED = (
    r"(?:against|vs|versus|compared to|relative to) (?:its|the|a|an) ~ (?:average|avg)"  # "3x against its 4h average"
)
_WHERE = (
    r"[#$] is (?:where|when|the price where|the price at which) (?:i|we) (?:want|wanna|would like|like) (?:to )?SELL"
)
_FORMERLY = rf"(?<=[%#$×~] ),(?: it)? was(?: at)? {_AMOUNT}(?= [,;.]|$)"  # "stop 6 (was 5)"
_MEANT = (  # "i want to buy strength, not weakness: buy when …"
    r"^(?:i |we )*(?:want|wanna|would like|like|prefer)(?: to)? (?:BUY|trade|catch) (?:[a-z]+|DROP|RISE|BREAK)(?: ,)? "
    r"NOT (?:[a-z]+|DROP|RISE|BREAK) :(?= (?:BUY|when|if)(?!\S))"
)
_CUT = frozenset({"cut the position", "cut my position", "cut the trade"})


def put_plainly(line: Line) -> Line:
    line = _shortened(line, _ONLY_IF, "if")
    line = _shortened(line, _MEANT, "title")
    for _, last in reversed(line.spans(_PAUSED)):
        line = Line(line.items[:last] + line.items[last + 1 :])
    for first, last in line.spans(_COMPARED):
        line = line.renamed(first, first, "over").renamed(first + 1, last - 2, "the")
    for first, last in line.spans(_FORMERLY):
        place = next(place for place in range(first, last) if line.items[place].name == "was")
        line = Line((*line.items[:place], Item("currently", "currently"), *line.items[place + 1 :]))
    for first, last in reversed(line.spans(_WHERE)):
        turned = (line.items[last], Item("at", "at"), line.items[first])
        line = Line(line.items[:first] + turned + line.items[last + 1 :])
    return _with_verbs(line)


def _shortened(line: Line, pattern: str, name: str) -> Line:
    for first, last in reversed(line.spans(pattern)):
        line = Line((*line.items[:first], replace(line.items[first], name=name), *line.items[last + 1 :]))
    return line


def _with_verbs(line: Line) -> Line:
    """Verbs that do something else here: "look for the drop over 12h", "ask for 4x volume", "cut the position size"."""
    for first, _ in line.spans(
        r"SEARCH(?= (?:the|a|an|its) (?:DROP|RISE|VOLUME) (?:of|by|in|over|within|ABOVE|[%×~])(?!\S))"
    ):
        line = line.renamed(first, first, "look")
    for first, _ in line.spans(
        rf"UNKNOWN for(?= (?:a |an |at least |FILL )*(?:{_AMOUNT} )?(?:DROP|RISE|VOLUME)(?!\S))"
    ):
        if line.items[first].text.lower() in ("ask", "asking", "look", "looking"):
            line = line.renamed(first, first, "need").renamed(first + 1, first + 1, "a")
    for first, _ in line.spans(r"STOP(?= SIZE (?:in|by|to|down|HALVE))"):
        if line.items[first].text.lower() in _CUT:
            line = line.renamed(first, first, "REDUCE")
    return line
