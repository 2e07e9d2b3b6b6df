"""What a cue comes to together with its number: a condition, a field of the strategy, or a question."""

from typing import Any

from strategybot.conversations.offline.reading import NAMES, Change, Reading
from strategybot.conversations.offline.strategy.amounts import change_of
from strategybot.conversations.offline.strategy.clauses import SELL
from strategybot.conversations.offline.strategy.cues import Cue
from strategybot.conversations.offline.strategy.pairing import CONDITIONS, STRONG_ENDS, WEAK_STOPS, Pairing
from strategybot.conversations.offline.words.groundwork import FIELDS
from strategybot.conversations.offline.words.lines import Item, Line

VALUES = {"DROP": "percent", "RISE": "percent", "VOLUME": "multiplier"}
_MULTIPLIED = r"(?:^|[,;.] |and )(?:please |now |just )*× (?:the|my) VOLUME"  # "double the volume filter"
_EDITING = "set|change|make|RAISE|REDUCE|adjust|update|REPLACE|move"
_ENDS = STRONG_ENDS | {
    ",",
    "BUY",
    "SELL",
    "ADD",
    "make",
    "set",
    "change",
}  # behind an order begins what is said of another amount
_GIVING_BACK = frozenset({"gives back", "give back", "gave back", "gives up"})  # of what it had gained
_MOVING = frozenset({"raise", "increase", "bump", "boost", "lower", "reduce", "decrease"})


def settle_condition(pairing: Pairing, number: int, window: str | Change | None, reading: Reading) -> None:
    cue, item = pairing.cues[number], pairing.number(number)
    reference = _reference(pairing, number)
    value = item.token.value if item and item.token else None
    if cue.side == SELL and cue.name in ("DROP", "RISE") and value is not None and window is None:
        field = "take_profit_percent" if cue.name == "RISE" else "stop_loss_percent"
        trails = reference == "high" or cue.text in _GIVING_BACK
        _set(reading, "trailing_stop_percent" if trails else field, Change(value))
        return
    condition: dict[str, Any] = {"kind": CONDITIONS[cue.name]}
    if value is not None and item is not None:
        condition[VALUES[cue.name]] = _condition_value(pairing, number, item, value, reading)
    if window is not None:
        condition["window"] = window
    if reference is not None:
        condition["reference"] = reference
    (reading.exit if cue.side == SELL else reading.entry).append(
        {**condition, "place": pairing.taken.get(number, cue.place)}
    )


def _condition_value(pairing: Pairing, number: int, item: Item, value: float, reading: Reading) -> float | Change:
    change = change_of(pairing.line, pairing.taken[number], value)
    if item.text.isalpha() and not reading.buys and pairing.line.has(_MULTIPLIED):
        change = Change(value, "times")
    return value if change.how == "to" else change


def _reference(pairing: Pairing, number: int) -> str | None:
    cue = pairing.cues[number]
    wanted = {"DROP": "HIGH", "RISE": "LOW"}.get(cue.name)
    anchor = pairing.taken.get(number, cue.place)
    for place, item in enumerate(pairing.line.items):
        if item.name in (wanted, "CLOSE") and wanted:
            first, last = sorted((place, max(cue.place, anchor) if place > cue.place else min(cue.place, anchor)))
            between = pairing.line.items[first + 1 : last]
            if not any(other.name in _ENDS or other.name in CONDITIONS for other in between):
                return "close" if item.name == "CLOSE" else item.name.lower()
    return None


def settle_field(pairing: Pairing, number: int, item: Item, reading: Reading) -> None:
    cue = pairing.cues[number]
    field = FIELDS.get(cue.name, "position_percent")
    value = item.token.value if item.token else 0.0
    if item.name == "×":
        if cue.name == "WINDOW" and reading.window is not None:
            reading.questions.append("I read two lengths of the window. Which one do you mean?")
        elif cue.name == "WINDOW":
            reading.window = Change(value, "times")
        else:
            _set(reading, field, Change(value, "times"))
        return
    place = pairing.taken[number]
    change = change_of(pairing.line, place, value)
    if item.token and (cue.name, item.token.sign) in (("TARGET", -1), ("STOP", 1)):
        reading.questions.append(f"Should the {NAMES[field]} really be {item.text}? Which number do you mean?")
    if item.name == "½" and change.how == "by":  # "reduce the size by a third"
        reading.questions.append(f"By that share of the {NAMES[field]}, or by so many percent points?")
    if _may_be_price(pairing, place, value):
        reading.questions.append(f"Is the {NAMES[field]} {value:g} percent, or a price of {value:g}?")
    if ((change.how == "to" or cue.name == "SIZE") and _bare_move(pairing, cue, place)) or (
        change.how == "to" and _goes_nowhere(pairing, cue, place)
    ):
        reading.questions.append(f"Should the {NAMES[field]} change by that much, or to it?")
    _set(reading, field, change)


def _may_be_price(pairing: Pairing, place: int, value: float) -> bool:
    """ "take profit at 0.7", "buy above 2.5, stop at 2.3": so small a number without its sign, or so near a price."""
    items = pairing.line.items
    if items[place].name != "#" or place == 0 or items[place - 1].name != "at":
        return False
    prices = [item.token.value for item in items if item.name == "PRICE" and item.token is not None]
    return value < 1 or any(price / 2 < value < price * 2 for price in prices)


def _bare_move(pairing: Pairing, cue: Cue, place: int) -> bool:
    """ "raise the stop 1%": by or to?"""
    items = pairing.line.items
    ahead = [item.text.lower() for item in items[max(0, cue.place - 3) : cue.place]]
    compared = place + 1 < len(items) and items[place + 1].name in ("RAISE", "REDUCE")  # "50% bigger"
    return compared or (any(word in _MOVING for word in ahead) and place == cue.place + 1)


def _goes_nowhere(pairing: Pairing, cue: Cue, place: int) -> bool:
    """ "the target by 2": up or down? But "trail it by 3%" says how far."""
    trails = cue.name == "TRAIL" and "stop" not in cue.text
    return place > 0 and pairing.line.items[place - 1].name == "by" and not trails


def _set(reading: Reading, field: str, change: Change) -> None:
    if field in reading.changes and (reading.changes[field] != change or change.how != "to"):
        reading.questions.append(f"I read two values for the {NAMES[field]}. Which one do you mean?")
    if field in reading.removed:
        reading.questions.append(f"Should the {NAMES[field]} go, or change? I read both.")
    reading.changes[field] = change


def settle_mention(pairing: Pairing, cue: Cue, reading: Reading) -> None:
    """A cue without a number: relative ("halve the stop"), an edit without one (a reference), or a question."""
    line = pairing.line
    field = FIELDS.get(cue.name)
    halved = line.has("HALVE") and _is_halved(pairing, cue)
    if halved and field in reading.changes and reading.changes[field] != Change(0.5, "times"):
        reading.questions.append(f"I read two values for the {NAMES[str(field)]}. Which one do you mean?")
    if (
        field in reading.changes
        or cue.text in WEAK_STOPS
        or cue.text.startswith("let ")  # "let profits run"
        or (cue.name in ("CASH", "SIZE") and not halved)
    ):
        return
    if cue.name == "WINDOW":
        _settle_window_mention(line, halved, reading)
    elif halved and field:
        _set(reading, field, Change(0.5, "times"))
    elif halved and cue.name in CONDITIONS:
        condition = {"kind": CONDITIONS[cue.name], VALUES[cue.name]: Change(0.5, "times")}
        reading.entry.append({**condition, "place": cue.place})
    elif cue.name in CONDITIONS:
        _settle_condition_mention(line, cue, reading)
    elif (
        cue.name not in ("COOLDOWN", "HOLDMAX", "SIZE")
        or _is_named(cue)
        or line.has("RAISE|REDUCE|ADD|set|change|use|make")
    ):
        reading.questions.append(f"What should the {NAMES[field or 'position_percent']} be?")


def _is_named(cue: Cue) -> bool:
    """Whether it can only be the field: a "wait" or a "hold" may be anything."""
    return any(noun in cue.text for noun in ("cooldown", "cool down", "holding"))


def _settle_window_mention(line: Line, halved: bool, reading: Reading) -> None:
    if halved:
        reading.window = Change(0.5, "times")
    elif not any(item.is_duration for item in line.items) and line.has(_EDITING) and not reading.says_something:
        reading.questions.append("How long should the window be?")


def _is_halved(pairing: Pairing, cue: Cue) -> bool:
    """Of "halve the stop and the target" both, of "after a loss halve the size" only what is nearest."""
    halving = next(place for place, item in enumerate(pairing.line.items) if item.name == "HALVE")
    bare = [each for number, each in enumerate(pairing.cues) if number not in pairing.taken and each.only is None]
    nearest = min(abs(each.place - halving) for each in bare)
    return abs(cue.place - halving) == nearest or pairing.line.has("ALL")


def _settle_condition_mention(line: Line, cue: Cue, reading: Reading) -> None:
    kind = CONDITIONS[cue.name]
    referred = "HIGH|LOW|CLOSE" if cue.name != "VOLUME" else "SAME"
    if line.has(f"{referred}|SAME|GONE") and not reading.buys:
        return
    if line.has("ANY|ALL") and not any(item.is_number or item.is_duration for item in line.items):
        return  # "either the drop or the volume is enough"
    unit = "how many times the average volume" if cue.name == "VOLUME" else "how many percent"
    reading.questions.append(f"The {NAMES[kind]}: {unit}?")
