"""Amounts of two fields named together: "both stop and target at 6", "sl and tp 5% each", "sl and tp at 3 and 6"."""

from strategybot.conversations.offline.reading import Change, Claim, Reading
from strategybot.conversations.offline.words.groundwork import FIELDS
from strategybot.conversations.offline.words.lines import Line, some

_SHARING = ("STOP", "TARGET", "TRAIL")
_FIELD = f"(?:{'|'.join(_SHARING)})"
_LIGHT = some("the my a an")
_BEFORE_AMOUNT = some("ALL to at of be should is set FILL the SAME : put")
_PAIR = rf"{_FIELD}(?: level)?(?: and| ,| /){_LIGHT} {_FIELD}"
_SHARED = rf"(?:ALL{_LIGHT} )?{_PAIR}{_BEFORE_AMOUNT} [%#](?: (?:CHECK|ALL|for ALL))?"
_RESPECTIVE = rf"{_PAIR}{_BEFORE_AMOUNT} [%#](?: and| ,| /)* [%#](?: FILL)?"
_MOVED = rf"(?:RAISE|REDUCE){_LIGHT} {_PAIR} by [%#]"  # "lower stop and target by 1"
_ALIKE = (  # "trailing stop same as the stop loss, 5%"
    rf"{_FIELD}(?: (?:to|at|is|be|should))* SAME as{_LIGHT} {_FIELD}(?: ,| :| at| of)* [%#]"
)
_NORMAL = "(?:normal|regular|fixed|ordinary|STOP)"
_BOTH_STOPS = (  # "both stops, the normal one and the trailing one, to 6%"
    rf"ALL{_LIGHT} STOP(?: ,| :)*{_LIGHT} {_NORMAL}(?: one)?(?: and| ,)+{_LIGHT} TRAIL(?: one)?(?: ,)?"
    rf"{_BEFORE_AMOUNT} [%#]"
)
_EACH = "ALL|CHECK|SAME"


def with_shared_amounts(line: Line, reading: Reading) -> Line:
    for first, last in line.spans(_RESPECTIVE):
        part = line.part(first, last + 1)
        fields = [FIELDS[item.name] for item in part.items if item.name in _SHARING]
        values = [item.token.value for item in part.items if item.is_number and item.token is not None]
        if len(set(fields)) == len(values) and not reading.changes.keys() & {*fields}:
            reading.changes |= {field: Change(value) for field, value in zip(fields, values, strict=True)}
            line = line.renamed(first, last, "SHARED")
    line = _made_alike(_moved_alike(line, reading), reading)
    for first, last in line.spans(_SHARED):
        part = line.part(first, last + 1)
        token = next((item.token for item in part.items if item.is_number), None)
        if part.has(_EACH) and token is not None:
            for name in _SHARING:
                if part.has(name):
                    reading.changes[FIELDS[name]] = Change(token.value)
            line = line.renamed(first, last, "SHARED")
    return line


def _made_alike(line: Line, reading: Reading) -> Line:
    """Of "the trailing stop same as the stop, 5%" the stop is said to have it already."""
    for first, last in line.spans(_ALIKE):
        amount = line.items[last].token
        new, old = (FIELDS[item.name] for item in line.items[first:last] if item.name in _SHARING)
        if amount is not None:
            reading.changes[new] = Change(amount.value)
            reading.claimed.append(Claim(amount.value, about=old))
            line = line.renamed(first, last, "SHARED")
    for first, last in line.spans(_BOTH_STOPS):
        amount = line.items[last].token
        if amount is not None:
            reading.changes |= {FIELDS[name]: Change(amount.value) for name in ("STOP", "TRAIL")}
            line = line.renamed(first, last, "SHARED")
    return line


def _moved_alike(line: Line, reading: Reading) -> Line:
    for first, last in line.spans(_MOVED):
        part = line.part(first, last + 1)
        token = part.items[-1].token
        sign = -1 if part.items[0].name == "REDUCE" else 1
        if token is not None:
            fields = [FIELDS[item.name] for item in part.items if item.name in _SHARING]
            reading.changes |= {field: Change(sign * token.value, "by") for field in fields}
            line = line.renamed(first, last, "SHARED")
    return line
