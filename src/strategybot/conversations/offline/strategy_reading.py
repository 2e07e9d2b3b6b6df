"""From a line to a Reading: numbers to cues by least cost, durations to the nearest condition, the rest to questions."""

from dataclasses import dataclass, replace
from typing import Any

from strategybot.conversations.offline.clauses import BUY, SELL, sides
from strategybot.conversations.offline.groundwork import (
    FIELDS,
    Level,
    levels,
    titled,
    with_durations,
    with_names,
    without_kept,
    without_old_values,
    without_removed,
)
from strategybot.conversations.offline.lines import UNKNOWN, Item, Line
from strategybot.conversations.offline.matching import IMPOSSIBLE, MOST_CUES, MOST_NUMBERS, matched
from strategybot.conversations.offline.quantities import duration_text
from strategybot.conversations.offline.reading import Change, Reading

PERCENTS = {"%": 0.0, "#": 1.0}
TAKES = {
    "STOP": PERCENTS,
    "TARGET": PERCENTS,
    "TRAIL": PERCENTS,
    "DROP": PERCENTS,
    "RISE": PERCENTS,
    "VOLUME": {"×": 0.0, "#": 2.0},
    "SIZE": {"%": 0.0, "#": 1.0, "½": 0.0},
    "CASH": {"%": 1.0, "½": 0.0},
    "COOLDOWN": {},
    "HOLDMAX": {},
    "WINDOW": {},
}
CONDITIONS = {"DROP": "price_drop", "RISE": "price_rise", "VOLUME": "volume_spike"}
VALUES = {"DROP": "percent", "RISE": "percent", "VOLUME": "multiplier"}
NAMES = {
    "stop_loss_percent": "stop loss",
    "take_profit_percent": "take profit",
    "trailing_stop_percent": "trailing stop",
    "max_holding": "longest holding time",
    "cooldown": "cooldown",
    "position_percent": "position size",
    "price_drop": "price drop",
    "price_rise": "price rise",
    "volume_spike": "volume spike",
    "price_level": "price level",
}
FARTHEST = 16.0
_WEAK_STOPS = frozenset({"cut", "losers", "cut it", "stop out", "stopped out"})
_STRONG_ENDS = frozenset({".", ";", "?"})
_WEAK_ENDS = frozenset({",", "and", "or", "then", "but", ":"})


_REWINDOWS = r"WINDOW|SAME|measure|(?:in|over|within|per|ABOVE) (?:the |last |a |an )*~ (?:instead|OLD)|(?:change|make|set) it to ~"


@dataclass(frozen=True)
class Cue:
    name: str
    place: int
    side: str
    text: str
    only: int | None = None  # the one number it may take: a sign is the cue of its own number


@dataclass
class Pairing:
    """The line, its cues, and which number each cue took."""

    line: Line
    cues: list[Cue]
    numbers: list[int]
    taken: dict[int, int]  # cue to the place of its number

    def number(self, cue: int) -> Item | None:
        place = self.taken.get(cue)
        return None if place is None else self.line.items[place]

    @property
    def left_over(self) -> list[int]:
        return [place for place in self.numbers if place not in self.taken.values()]


def read_strategy(line: Line) -> tuple[Reading, list[str]]:
    """What the line says about the strategy, and the tokens it names."""
    reading = Reading()
    line, names = with_names(titled(line))
    line = without_removed(without_old_values(without_kept(line), reading), reading)
    line = with_durations(line, reading)
    reading.buys, reading.adds = line.has("BUY"), reading.adds or line.has("ADD")
    reading.also_buys = line.has(r"ADD BUY|BUY ADD|BUY (?:if|when|on) .*ADD")
    reading.unknown = line.unknown + [item.text for item in line.items if item.name in ("SHOW", "CALLED")]
    prices = levels(line)
    for price in prices:
        line = line.renamed(price.place, price.place, "PRICE")
    pairing = _paired(line)
    windows = _windows(pairing, reading)
    _settle(pairing, windows, reading)
    _settle_levels(prices, reading)
    _settle_matches(line, pairing, prices, reading)
    _settle_multiples(line, pairing, reading)
    _question_left_overs(pairing, reading)
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


def _paired(line: Line) -> Pairing:
    about = sides(line)
    cues = [
        _turned(Cue(item.name, place, about[place], item.text.lower()))
        for place, item in enumerate(line.items)
        if item.name in TAKES or item.name in ("LOSS", "PROFIT")
    ]
    numbers = [place for place, item in enumerate(line.items) if item.is_number]
    cues += [
        Cue("RISE" if token.sign > 0 else "DROP", place, about[place], "sign", only=place)
        for place in numbers
        if (token := line.items[place].token) is not None
        and token.sign
        and line.items[place].name == "%"
        and line.has("BUY|SELL|ADD|~")
    ]
    cues += [
        Cue("TARGET", place, SELL, "at", only=place)
        for place in numbers
        if line.items[place].name == "%" and about[place] == SELL and _sold_at(line, place)
    ]
    cues += [
        Cue(
            "DROP" if line.items[first + 1].name in ("BELOW", "REDUCE") else "RISE",
            first,
            about[first],
            "ago",
            only=first,
        )
        for first, _ in line.spans(
            r"[%#] (?:BELOW|ABOVE|REDUCE|RAISE) (?:than )?(?:(?:it|was|a|an|the|its|price) )*~ ago"
        )
    ]
    cues += [
        Cue("DROP" if line.items[last].name == "HIGH" else "RISE", first, about[first], "from", only=first)
        for first, last in line.spans(
            r"[%#] (?:off|BELOW|under|from|ABOVE|over|down from|of) (?:(?:its|the|a|an|last|recent|~|price|day) )*(?:HIGH|LOW)"
        )
    ]
    if len(numbers) > MOST_NUMBERS or len(cues) > MOST_CUES * 2:
        return Pairing(line, cues[: MOST_CUES * 2], numbers, {})
    costs = [[_cost(line, place, cue) for cue in cues] for place in numbers]
    chosen = matched(costs)
    return Pairing(line, cues, numbers, {cue: numbers[row] for row, cue in enumerate(chosen) if cue is not None})


def _sold_at(line: Line, place: int) -> bool:
    ahead = [item.name for item in line.items[max(0, place - 3) : place]]
    return ahead[-2:] == ["SELL", "at"] or ahead[-3:] == ["SELL", "it", "at"]


def _turned(cue: Cue) -> Cue:
    """A loss is a stop and a gain a target, but "loses 3%" is a drop and "gains 3%" a rise when it is about buying."""
    if cue.name == "LOSS":
        return replace(
            cue, name="DROP" if cue.side == BUY and cue.text.startswith("los") and "loss" not in cue.text else "STOP"
        )
    if cue.name == "PROFIT":
        return replace(cue, name="RISE" if cue.side == BUY and cue.text in ("gain", "gains", "gaining") else "TARGET")
    return cue


def _cost(line: Line, place: int, cue: Cue) -> float:
    item = line.items[place]
    if cue.only is not None:
        return 1.6 if cue.only == place else IMPOSSIBLE
    accepted = TAKES[cue.name]
    if (
        item.name == "×"
        and item.text.isalpha()
        and cue.name in ("STOP", "TARGET", "TRAIL", "SIZE", "COOLDOWN", "HOLDMAX", "WINDOW")
    ):
        accepted = {"×": 1.0}  # "double the cooldown"
    if item.name not in accepted:
        return IMPOSSIBLE
    first, last = sorted((place, cue.place))
    between = line.items[first + 1 : last]
    cost = float(len(between)) + (0.5 if place < cue.place else 0.0) + accepted[item.name]
    cost += 8 * sum(other.name in _STRONG_ENDS for other in between)
    cost += 3 * sum(other.name in _WEAK_ENDS for other in between)
    cost += 2 * sum(other.is_number or other.name == "PRICE" for other in between)
    cost += 3 * sum(other.name in TAKES and other.name != cue.name for other in between)
    if cue.text in _WEAK_STOPS:
        cost += 1
    return cost if cost <= FARTHEST else IMPOSSIBLE


def _windows(pairing: Pairing, reading: Reading) -> dict[int, str]:
    """Each duration to the nearest condition; one that has none is the window of a condition that exists already."""
    found: dict[int, str] = {}
    for place, item in enumerate(pairing.line.items):
        if not item.is_duration:
            continue
        value = duration_text(item.token.value) if item.token else None
        if value is None:
            reading.questions.append("A window has to be from 1 minute to 30 days. How long should it be?")
            continue
        cue = _nearest(pairing, place, found)
        if cue is not None:
            found[cue] = value
        elif pairing.line.has(_REWINDOWS) and reading.window is None:
            reading.window = _moved_amount(pairing.line, place, value)
        else:
            reading.bare.append(("~", value))
    return found


def _nearest(pairing: Pairing, place: int, found: dict[int, str]) -> int | None:
    costs = []
    for number, cue in enumerate(pairing.cues):
        if cue.name not in CONDITIONS or number in found:
            continue
        if number not in pairing.taken and _stated(pairing, cue):
            continue
        anchor = pairing.taken.get(number, cue.place)
        ends = (min(place, cue.place, anchor), max(place, cue.place, anchor))
        between = pairing.line.items[ends[0] + 1 : ends[1]]
        if any(item.name in _STRONG_ENDS for item in between):
            continue
        cost = min(abs(place - cue.place), abs(place - anchor)) + (0.3 if place < cue.place else 0.0)
        cost += 4 * sum(
            item.name in _WEAK_ENDS for item in pairing.line.items[min(place, cue.place) + 1 : max(place, cue.place)]
        )
        costs.append((cost, number))
    best = min(costs, default=(FARTHEST, -1))
    return best[1] if best[0] < FARTHEST else None


def _stated(pairing: Pairing, cue: Cue) -> bool:
    """Whether another cue of the same kind has a number: this one only repeats it."""
    return any(pairing.cues[other].name == cue.name for other in pairing.taken)


def _settle(pairing: Pairing, windows: dict[int, str], reading: Reading) -> None:
    for number, cue in enumerate(pairing.cues):
        item = pairing.number(number)
        if cue.name in CONDITIONS and (item is not None or number in windows):
            _settle_condition(pairing, number, windows.get(number), reading)
        elif item is not None and item.token is not None:
            _settle_field(pairing, number, item, reading)
        elif cue.only is None and not _stated(pairing, cue):
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
        moved = _moved_amount(pairing.line, pairing.taken[number], value)
        condition[VALUES[cue.name]] = value if moved.how == "to" else moved
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
            if not any(other.name in _STRONG_ENDS | {","} or other.name in CONDITIONS for other in between):
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
    change = _added(pairing.line, place, value) or _moved_amount(pairing.line, place, value)
    if change.how == "to" and _bare_move(pairing, cue, place):
        reading.questions.append(f"Should the {NAMES[field]} change by that much, or to it?")
    _set(reading, field, change)


def _added(line: Line, place: int, value: float) -> Change | None:
    """ "add 2% to the stop", "take 1% off the target"."""
    fields = "|".join(FIELDS)
    for pattern, sign in (
        (rf"ADD (?:another )?[%#] (?:to|on) (?:the |my )*(?:{fields})", 1),
        (rf"(?:take|REDUCE|STOP|knock|shave) [%#] (?:off|from|of) (?:the |my )*(?:{fields})", -1),
    ):
        if any(first <= place <= last for first, last in line.spans(pattern)):
            return Change(sign * value, "by")
    return None


def _bare_move(pairing: Pairing, cue: Cue, place: int) -> bool:
    """ "raise the stop 1%": by or to?"""
    ahead = [item.text.lower() for item in pairing.line.items[max(0, cue.place - 3) : cue.place]]
    moving = any(word in ("raise", "increase", "bump", "boost", "lower", "reduce", "decrease") for word in ahead)
    return moving and place == cue.place + 1


def _set(reading: Reading, field: str, change: Change) -> None:
    if field in reading.changes and reading.changes[field] != change:
        reading.questions.append(f"I read two values for the {NAMES[field]}. Which one do you mean?")
    reading.changes[field] = change
    reading.removed.discard(field)


def _moved_amount(line: Line, place: int, value: float | str) -> Change:
    if place == 0 or line.items[place - 1].name not in ("by", "FILL", "about", "a"):
        return Change(value)
    ahead = [item.name if item.text.lower() != "cut" else "REDUCE" for item in line.items[max(0, place - 8) : place]]
    moves = [name for name in ahead if name in ("RAISE", "REDUCE")]
    if "by" not in ahead[-3:] or not moves:
        return Change(value)
    less = moves[-1] == "REDUCE"
    if isinstance(value, str):
        return Change(f"-{value}" if less else value, "by")
    return Change(-value if less else value, "by")


def _settle_mention(pairing: Pairing, cue: Cue, reading: Reading) -> None:
    """A cue without a number: relative ("halve the stop"), an edit without one (a reference), or a question."""
    line = pairing.line
    field = FIELDS.get(cue.name)
    if (
        field in reading.changes
        or cue.text in _WEAK_STOPS
        or cue.name in ("CASH", "WINDOW", "SIZE")
        and not line.has("HALVE")
    ):
        return
    if line.has("HALVE") and field:
        _set(reading, field, Change(0.5, "times"))
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


def _settle_levels(prices: list[Level], reading: Reading) -> None:
    for price in prices:
        if price.direction is None and price.side == BUY and reading.buys:
            reading.questions.append("Should it buy when the price rises above that, or when it falls below?")
        elif price.direction is None:
            reading.level, reading.level_side = price.value, price.side
        else:
            condition = {
                "kind": "price_level",
                "level": price.value,
                "direction": price.direction,
                "trigger": price.trigger,
                "place": price.place,
            }
            (reading.exit if price.side == SELL else reading.entry).append(condition)


def _settle_matches(line: Line, pairing: Pairing, prices: list[Level], reading: Reading) -> None:
    anchors = [(cue.place, cue.side) for cue in pairing.cues if cue.name in CONDITIONS]
    anchors += [(price.place, price.side) for price in prices]
    for side, conditions in ((BUY, reading.entry), (SELL, reading.exit)):
        places = sorted(place for place, about in anchors if about == side)
        joined = {item.name for item in line.items[places[0] : places[-1]]} if places else set()
        if len(conditions) > 1 and {"or", "and"} <= joined:
            reading.questions.append("You wrote both “and” and “or”. Must all of these hold, or is any one enough?")
        elif len(conditions) > 1 and (joined & {"or", "and"}):
            _set_match(reading, side, "any" if "or" in joined else "all")
    _settle_stated_match(line, reading)
    said = reading.entry or reading.exit or reading.changes
    if (
        reading.reference is None
        and not said
        and line.has(r"(?:from|use|using|measure|reference|off|as) (?:the |its |a )*(?:HIGH|LOW|CLOSE)")
    ):
        reading.reference = "close" if line.has("CLOSE") else "high" if line.has("HIGH") else "low"


def _settle_stated_match(line: Line, reading: Reading) -> None:
    """ "any of these", "both must hold"; but "any idea?" and "sell all" say nothing of the kind."""
    if len(reading.entry) < 2 and (
        reading.unknown or line.has(r"(?:SELL|REMOVE|GONE|SHOW) (?:\S+ )?ALL|ALL (?:my|the|in) \S+")
    ):
        return
    if line.has("ANY") != line.has("ALL"):
        reading.match = "any" if line.has("ANY") else "all"


def _set_match(reading: Reading, side: str, match: Any) -> None:
    if side == BUY:
        reading.match = match
    else:
        reading.exit_match = match


def _settle_multiples(line: Line, pairing: Pairing, reading: Reading) -> None:
    if line.has("ALLIN") and "position_percent" not in reading.changes:
        reading.changes["position_percent"] = Change(100.0)
    if line.has("HALVE") and not any(change.how == "times" for change in reading.changes.values()):
        reading.questions.append("What should be halved?")


def _question_left_overs(pairing: Pairing, reading: Reading) -> None:
    left = [pairing.line.items[place] for place in pairing.left_over]
    if any(item.name == "↔" for item in pairing.line.items):
        reading.questions.append("You wrote a range. Which one number should I take?")
    if len(pairing.numbers) > MOST_NUMBERS or len(pairing.cues) > MOST_CUES * 2:
        reading.questions.append("That is a lot at once. Could you say it in smaller steps?")
    elif len(left) == 1 and not reading.says_something and left[0].name in "%#×" and left[0].token:
        reading.bare.append((left[0].name, left[0].token.value))
    elif left:
        numbers = ", ".join(item.text for item in left[:4])
        reading.questions.append(f"I could not tell what {numbers} stands for. What is it?")


def unknown_words(line: Line) -> list[str]:
    return [item.text for item in line.items if item.name == UNKNOWN]
