"""From a line to a Reading: what each number and each cue comes to, and what has to be asked."""

from typing import Any

from strategybot.conversations.offline.amounts import added, compared, moved
from strategybot.conversations.offline.clauses import SELL
from strategybot.conversations.offline.cues import Cue
from strategybot.conversations.offline.groundwork import (
    FIELDS,
    titled,
    with_names,
    without_kept,
    without_old_values,
    without_removed,
)
from strategybot.conversations.offline.joining import settle_levels, settle_matches
from strategybot.conversations.offline.levels import levels
from strategybot.conversations.offline.lines import Item, Line
from strategybot.conversations.offline.pairing import (
    CONDITIONS,
    STRONG_ENDS,
    WEAK_STOPS,
    Pairing,
    nearest_condition,
    paired,
)
from strategybot.conversations.offline.quantities import duration_text
from strategybot.conversations.offline.reading import NAMES, Change, Reading
from strategybot.conversations.offline.shared_amounts import with_shared_amounts
from strategybot.conversations.offline.timing import TOO_LONG_OR_SHORT, with_durations

VALUES = {"DROP": "percent", "RISE": "percent", "VOLUME": "multiplier"}
_REWINDOWS = (
    r"WINDOW|SAME|measure|make (?:it|that) ~ OLD|(?:in|over|within|per|ABOVE) (?:the |last |a |an )*~ (?:instead|OLD)|"
    r"(?:change|make|set) it to ~"
)

_MULTIPLIED = r"(?:^|[,;.] |and )(?:please |now |just )*× (?:the|my) VOLUME"  # "double the volume filter"
_UNREADABLE = ("SHOW", "CALLED", "until", "till", "EARLIER")
_MOVES = r"(?:DROP|RISE|VOLUME|LOSS|PROFIT|CROSS|BREAK|ABOVE|BELOW)"
_EDITS = r"(?:set|change|make|move|put|RAISE|REDUCE|REMOVE|GONE|HALVE|adjust|switch|update)"
_ONCE = r"(?:if|when|whenever|once|after)"
_CONDITIONAL_EDIT = (
    rf"{_ONCE} (?:[^,;.]+ )?{_MOVES} (?:[^,;.]+ )?(?:, |then )+(?:please |just |also )*{_EDITS}|"
    rf"{_EDITS} (?:[^,;.]+ )?{_ONCE} (?:[^,;.]+ )?{_MOVES}"
)


def read_strategy(line: Line) -> tuple[Reading, list[str]]:
    """What the line says about the strategy, and the tokens it names."""
    reading = Reading()
    line, names = with_names(titled(line))
    line = without_removed(without_old_values(without_kept(line), reading), reading)
    line = with_shared_amounts(with_durations(line, reading), reading)
    reading.buys, reading.adds = line.has("BUY"), reading.adds or line.has("ADD")
    reading.only_buys = line.has(r"only BUY|BUY only")
    reading.also_buys = line.has(r"ADD or|or ADD|ADD BUY|BUY ADD|BUY (?:if|when|on) .*ADD") and not reading.only_buys
    reading.unknown = line.unknown + [item.text for item in line.items if item.name in _UNREADABLE]
    if line.has(_CONDITIONAL_EDIT) and not line.has("BUY|SELL|ADD"):
        reading.questions.append("I cannot make a change wait for something. Should I make it now?")
    prices = levels(line)
    for price in prices:
        line = line.renamed(price.place, price.place, "PRICE")
    pairing = paired(line)
    windows, timed = _windows(pairing, reading)
    _settle(pairing, windows, reading)
    settle_levels(prices, reading)
    settle_matches(line, pairing, prices, reading)
    _settle_multiples(line, reading)
    _question_left_overs(pairing, timed, reading)
    if (
        reading.entry
        and line.has("^(?:and |so )?(?:if|when|whenever|once)")
        and not line.has("BUY|SELL|ADD|STOP|TARGET|TRAIL|SIZE")
    ):
        reading.questions.append("And what should it do then: buy or sell?")
    for conditions in (reading.entry, reading.exit):
        conditions.sort(key=lambda condition: condition.pop("place"))
    reading.refused = line.has("NOT") or (line.has("END") and bool(pairing.numbers))
    return reading, names


def _windows(pairing: Pairing, reading: Reading) -> tuple[dict[int, str], set[int]]:
    """Each duration to the nearest condition, or to a condition that exists already; and where those stand."""
    found: dict[int, str] = {}
    timed: set[int] = set()
    for place, item in enumerate(pairing.line.items):
        if not item.is_duration:
            continue
        value = duration_text(item.token.value) if item.token else None
        if value is None:
            reading.questions.append(TOO_LONG_OR_SHORT)
            continue
        cue = nearest_condition(pairing, place, found)
        if cue is not None:
            found[cue] = value
            timed.add(place)
        elif pairing.line.has(_REWINDOWS) and reading.window is None:
            reading.window = moved(pairing.line, place, value)
            timed.add(place)
    return found, timed


def _settle(pairing: Pairing, windows: dict[int, str], reading: Reading) -> None:
    for number, cue in enumerate(pairing.cues):
        item = pairing.number(number)
        if cue.name in CONDITIONS and (item is not None or number in windows):
            _settle_condition(pairing, number, windows.get(number), reading)
        elif item is not None and item.token is not None:
            _settle_field(pairing, number, item, reading)
        elif cue.only is None and not pairing.is_stated(cue):
            _settle_mention(pairing, cue, reading)


def _settle_condition(pairing: Pairing, number: int, window: str | None, reading: Reading) -> None:
    cue, item = pairing.cues[number], pairing.number(number)
    reference = _reference(pairing, number)
    value = item.token.value if item and item.token else None
    if cue.side == SELL and cue.name in ("DROP", "RISE") and value is not None and window is None:
        field = "take_profit_percent" if cue.name == "RISE" else "stop_loss_percent"
        _set(reading, "trailing_stop_percent" if reference == "high" else field, Change(value))
        return
    condition: dict[str, Any] = {"kind": CONDITIONS[cue.name]}
    if value is not None and item is not None:
        change = moved(pairing.line, pairing.taken[number], value)
        if item.text.isalpha() and not reading.buys and pairing.line.has(_MULTIPLIED):
            change = Change(value, "times")
        condition[VALUES[cue.name]] = value if change.how == "to" else change
    if window is not None:
        condition["window"] = window
    if reference is not None:
        condition["reference"] = reference
    (reading.exit if cue.side == SELL else reading.entry).append(
        {**condition, "place": pairing.taken.get(number, cue.place)}
    )


def _reference(pairing: Pairing, number: int) -> str | None:
    cue = pairing.cues[number]
    wanted = {"DROP": "HIGH", "RISE": "LOW"}.get(cue.name)
    anchor = pairing.taken.get(number, cue.place)
    for place, item in enumerate(pairing.line.items):
        if item.name in (wanted, "CLOSE") and wanted:
            first, last = sorted((place, max(cue.place, anchor) if place > cue.place else min(cue.place, anchor)))
            between = pairing.line.items[first + 1 : last]
            if not any(other.name in STRONG_ENDS | {","} or other.name in CONDITIONS for other in between):
                return "close" if item.name == "CLOSE" else item.name.lower()
    return None


def _settle_field(pairing: Pairing, number: int, item: Item, reading: Reading) -> None:
    cue = pairing.cues[number]
    field = FIELDS.get(cue.name, "position_percent")
    value = item.token.value if item.token else 0.0
    if item.name == "×":
        if cue.name == "WINDOW":
            reading.window = Change(value, "times")
        else:
            _set(reading, field, Change(value, "times"))
        return
    place = pairing.taken[number]
    change = added(pairing.line, place, value)
    if change is None and cue.name in ("STOP", "TARGET", "TRAIL"):
        change = compared(pairing.line, place, value)
    change = change or moved(pairing.line, place, value)
    if _may_be_price(pairing, place, value):
        reading.questions.append(f"Is the {NAMES[field]} {value:g} percent, or a price of {value:g}?")
    if change.how == "to" and _bare_move(pairing, cue, place):
        reading.questions.append(f"Should the {NAMES[field]} change by that much, or to it?")
    _set(reading, field, change)


def _may_be_price(pairing: Pairing, place: int, value: float) -> bool:
    """ "take profit at 0.7": so small a number without its sign."""
    items = pairing.line.items
    return items[place].name == "#" and value < 1 and place > 0 and items[place - 1].name == "at"


def _bare_move(pairing: Pairing, cue: Cue, place: int) -> bool:
    """ "raise the stop 1%": by or to?"""
    ahead = [item.text.lower() for item in pairing.line.items[max(0, cue.place - 3) : cue.place]]
    moving = any(word in ("raise", "increase", "bump", "boost", "lower", "reduce", "decrease") for word in ahead)
    items = pairing.line.items
    compared = place + 1 < len(items) and items[place + 1].name in ("RAISE", "REDUCE")  # "50% bigger"
    return compared or (moving and place == cue.place + 1)


def _set(reading: Reading, field: str, change: Change) -> None:
    if field in reading.changes and reading.changes[field] != change:
        reading.questions.append(f"I read two values for the {NAMES[field]}. Which one do you mean?")
    reading.changes[field] = change
    reading.removed.discard(field)


def _settle_mention(pairing: Pairing, cue: Cue, reading: Reading) -> None:
    """A cue without a number: relative ("halve the stop"), an edit without one (a reference), or a question."""
    line = pairing.line
    field = FIELDS.get(cue.name)
    if (
        field in reading.changes
        or cue.text in WEAK_STOPS
        or cue.text.startswith("let ")  # "let profits run"
        or (cue.name in ("CASH", "WINDOW", "SIZE") and not line.has("HALVE"))
    ):
        return
    if line.has("HALVE") and field:
        _set(reading, field, Change(0.5, "times"))
    elif line.has("HALVE") and cue.name in CONDITIONS:
        halved = {"kind": CONDITIONS[cue.name], VALUES[cue.name]: Change(0.5, "times")}
        reading.entry.append({**halved, "place": cue.place})
    elif cue.name in CONDITIONS:
        _settle_condition_mention(line, cue, reading)
    elif cue.name not in ("COOLDOWN", "HOLDMAX", "SIZE") or line.has("RAISE|REDUCE|ADD|set|change|use|make"):
        reading.questions.append(f"What should the {NAMES[field or 'position_percent']} be?")


def _settle_condition_mention(line: Line, cue: Cue, reading: Reading) -> None:
    kind = CONDITIONS[cue.name]
    if line.has("from (?:(?:its|the|a|last|recent) )*(?:HIGH|LOW|CLOSE)|(?:HIGH|LOW|CLOSE)") and not reading.buys:
        return
    if line.has("SAME|GONE") and not reading.buys:
        return
    unit = "how many times the average volume" if cue.name == "VOLUME" else "how many percent"
    reading.questions.append(f"The {NAMES[kind]}: {unit}?")


def _settle_multiples(line: Line, reading: Reading) -> None:
    if line.has("ALLIN") and "position_percent" not in reading.changes:
        reading.changes["position_percent"] = Change(100.0)
    halved = [*reading.changes.values(), *(value for condition in reading.entry for value in condition.values())]
    if line.has("HALVE") and not any(isinstance(value, Change) and value.how == "times" for value in halved):
        reading.questions.append("What should be halved?")


def _question_left_overs(pairing: Pairing, timed: set[int], reading: Reading) -> None:
    """Whatever amount no field took up is asked about: nothing of an order is dropped."""
    left = [pairing.line.items[place] for place in pairing.left_over(timed)]
    if any(item.name == "↔" for item in pairing.line.items):
        reading.questions.append("You wrote a range. Which one number should I take?")
    if pairing.is_too_much:
        reading.questions.append("That is a lot at once. Could you say it in smaller steps?")
    elif len(left) == 1 and not reading.says_something and left[0].name in "%#×~" and left[0].token:
        reading.bare.append((left[0].name, _written(left[0]) if left[0].is_duration else left[0].token.value))
    elif left:
        numbers = ", ".join(_written(item) for item in left[:4])
        reading.questions.append(f"I could not tell what {numbers} stands for. What is it?")


def _written(item: Item) -> str:
    """A duration with its unit, which its text may lack."""
    return (duration_text(item.token.value) if item.is_duration and item.token else None) or item.text
