"""Turns of phrase about runs: what asks for one in other words, and what says that one is not wanted.

"set the stop to 4, don't backtest yet" is an order with a reservation that costs nothing: no run is asked for, and none
is made. What refuses the very run that is ordered stays as it is, and is asked about.
"""

from collections.abc import Callable

from strategybot.conversations.offline.words.lines import Line

_RUNS = "TEST|SIMULATION"
_JOINT = r"(?:[,;.]|but|and|so)(?: (?:,|but|and|so|just|please|though|FILL))*"
_LATER = r"(?: (?:yet|now|anymore|though|please|first|today|FILL|it|this|that|anything|needed|required|necessary))*"
_PUT_OFF = (
    r"(?: (?:until|till|unless|before)(?: [^,;.\s%#~×$]+)+|"
    r"(?: ,)? (?:ill|i will) (?:START|do|TEST)(?: (?:that|it))? later)?"
)
_NOT_RUN = (
    r"NOT(?: (?:need|want|have|to|FILL|please|START|a|the|my|ANY|any|it|single|UNKNOWN))* "
    rf"(?:{_RUNS}|START(?: (?:anything|it|ANY))+){_LATER}{_PUT_OFF}"
)
_UNWANTED = (
    rf"{_JOINT} {_NOT_RUN}(?= [,;.]|$)",  # "set the stop to 4, don't backtest yet"
    rf"^(?:please |ok |, )*{_NOT_RUN} {_JOINT}",  # "no need to run anything now, just make the stop 8"
    # "forget the backtest, start the simulation"
    rf"^(?:please |ok |, )*(?:REMOVE|FORGET)(?: (?:about|the|a|my))* (?:{_RUNS}){_LATER} {_JOINT}",
)
_STOPPING_THERE = r"(?:,|\.|and)(?: then)? STOP there(?= \.|$)"
_STRATEGY_KEPT = (  # "backtest 30 days, but don't change anything in the strategy"
    rf"{_JOINT} (?:NOT (?:change|changing|CROSS|edit|editing|update|modify|adjust|move|mess)|(?:leave|keep))"
    r"(?: (?:anything|ANY|ALL|everything|the|my|STRATEGY|else|in|it|with|of|as|is|alone|unchanged|untouched|SAME|FILL|"
    r"please|yet|now))+(?= \.|$)"
)
_DECIDED_LATER = (  # "test it first. i'll decide about paper trading once i've seen it"
    r"[,;.](?: (?:and|then|so))* (?:ill|i will|i ll|we will|we ll|well|i can|we can)(?: [^,;.\s]+){0,3} "
    rf"(?:{_RUNS})(?: [^,;.\s]+)*(?: \.)?$"
)
_DECIDING = frozenset({"decide", "think", "see", "consider", "judge"})
_LOOKING_BACK = (  # "show me what the last 40 days would have looked like"
    r"SHOW(?: (?:me|us))? (?:what|how)(?: (?:the|it|this|that|last|past|ABOVE|we|i|over|in))* ~ would(?: have)?"
    r"(?: [^,;.\s%#$×]+){1,3}(?= \.|$)"
)
_STRATEGIC = "BUY|SELL|STOP|TARGET|TRAIL|HOLDMAX|COOLDOWN|SIZE|DROP|RISE|VOLUME|REMOVE|WINDOW"


def with_runs_in_plain_words(line: Line) -> Line:
    for first, last in line.spans(_LOOKING_BACK):
        for place in range(first, last + 1):
            name = "TEST" if place == first else "the"
            line = line if line.items[place].is_duration else line.renamed(place, place, name)
    return _without_unwanted(line)


def _without_unwanted(line: Line) -> Line:
    for pattern in _UNWANTED:
        line = _dropped(line, pattern, _asks_for_another)
    line = _dropped(line, _DECIDED_LATER, lambda open_, rest: _is_left_open(open_) and _asks_for_another(open_, rest))
    line = _dropped(line, _STRATEGY_KEPT, lambda _, rest: rest.has(_RUNS) and not rest.has(_STRATEGIC))
    return _dropped(line, _STOPPING_THERE, lambda _, rest: rest.has("[%#~×]"))


def _dropped(line: Line, pattern: str, is_idle: Callable[[Line, Line], bool]) -> Line:
    """The line without the clause, where by `is_idle` of it and of the rest it changes nothing in what is ordered."""
    for first, last in line.spans(pattern)[:1]:
        rest = Line(line.items[:first] + line.items[last + 1 :])
        if is_idle(line.part(first, last + 1), rest):
            return rest
    return line


def _asks_for_another(refused: Line, rest: Line) -> bool:
    """Whether the rest orders something, and not the run that is refused; "don't do anything" refuses everything."""
    runs = {item.name for item in refused.items} & {*_RUNS.split("|")}
    if not runs and any(item.text.lower() in ("do", "go", "try") for item in refused.items):
        return False
    return rest.has(f"{_RUNS}|{_STRATEGIC}") and not rest.has("|".join(runs) or _RUNS)


def _is_left_open(clause: Line) -> bool:
    return any(item.text.lower() in _DECIDING for item in clause.items)
