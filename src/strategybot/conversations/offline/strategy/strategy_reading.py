"""From a line to a Reading: what each number and each cue comes to, and what has to be asked."""

from copy import deepcopy
from functools import lru_cache

from strategybot.conversations.offline.reading import Change, Reading
from strategybot.conversations.offline.strategy.additions import adds_condition, adds_exit
from strategybot.conversations.offline.strategy.amounts import change_of
from strategybot.conversations.offline.strategy.doubts import question_idle_verbs, question_left_overs, question_line
from strategybot.conversations.offline.strategy.joining import settle_levels, settle_matches
from strategybot.conversations.offline.strategy.levels import levels
from strategybot.conversations.offline.strategy.misfits import (
    question_crossings,
    question_joint_sales,
    question_misfits,
    question_only,
    question_prices,
    question_sizes,
    question_unremoved,
)
from strategybot.conversations.offline.strategy.old_levels import without_old_levels
from strategybot.conversations.offline.strategy.old_values import without_old_values
from strategybot.conversations.offline.strategy.pairing import CONDITIONS, Pairing, nearest_condition, paired
from strategybot.conversations.offline.strategy.removals import without_removed
from strategybot.conversations.offline.strategy.reservations import weighty_words
from strategybot.conversations.offline.strategy.settling import settle_condition, settle_field, settle_mention
from strategybot.conversations.offline.strategy.shared_amounts import with_shared_amounts
from strategybot.conversations.offline.strategy.timing import TOO_LONG_OR_SHORT, with_durations
from strategybot.conversations.offline.words.groundwork import titled, with_names
from strategybot.conversations.offline.words.lines import Line
from strategybot.conversations.offline.words.quantities import duration_text
from strategybot.conversations.offline.words.standing import note_standing

_REWINDOWS = (
    r"WINDOW|SAME|measure|make (?:it|that) ~ OLD|(?:in|over|within|per|ABOVE) (?:the |last |a |an )*~ (?:instead|OLD)|"
    r"(?:use|take|try|make|give|with|look at|at|go with|just)(?: it| that)?"
    r"(?: the| last| past| a| an| HIGH of| LOW of)* ~ (?:instead|OLD)|"
    r"(?:change|make|set) it to ~"
)
# "the window to 30 minutes": the window there is, and none of a condition that stands near
_TIED = (
    r"(?<!VOLUME )(?<!DROP )(?<!RISE )WINDOW(?: to| of| at| is| :| be| should| from OLD| by| a| an| RAISE| REDUCE)* ~"
    r"(?! (?:for|of|on)(?: the| my)* (?:VOLUME|DROP|RISE))|SAME but(?: in| with| over)* ~(?= and|$)|"
    r"(?:measure|look)(?: it| that| back| over| ABOVE| at| in| the| last)* ~|"
    r"~ (?:for|as)(?: the| my)* WINDOW|~ WINDOW(?! (?:for|of|on)(?: the| my)* (?:VOLUME|DROP|RISE))"
)
_BUYS = (  # "a fifth of the cash per entry" and "buy on either one" state no entry
    "(?<!per )(?<!CHECK )(?<!between )(?<!before )(?<!next )BUY(?! (?:on |if |when )*(?:ANY|ALL)(?: [,;.]|$))|"
    "before BUY :"
)
_UNREADABLE = ("SHOW", "CALLED", "until", "till", "EARLIER", "EXCEPT")
_MUST = (
    r"^(?:and |but |please |then |ok |, )*only (?:if|when|while|whenever)(?!.* (?:BUY|SELL))|"
    r"(?:VOLUME|price|it|TOKEN|NAME)(?: \S+)? (?:must|(?:has|have|needs) to)|"
    r"(?:put|use|set|want|need|have|with|get|like|give)(?: it| me| up)? (?:a|an|another) (?:VOLUME|DROP|RISE|CONDITION)"
)
# "change the entry to 4%", "6% in 2h instead of 5% in 1h": the one price move that the strategy has
_MOVE = r"[%#] (?:in|over|within|per|inside)(?: the| a| an| last| FILL)* ~"
_ENTRY_TO = (
    r"(?:set|change|make|move|put|RAISE|REDUCE|use|adjust|update)(?: the| my| its)* "
    r"(?:BUY|CONDITION|BUY CONDITION)(?: to| at| :)+ [%#]$"
)


def read_strategy(line: Line) -> tuple[Reading, list[str]]:
    """What the line says about the strategy, and the tokens it names."""
    reading, names = _read(line)
    return deepcopy(reading), [*names]


@lru_cache(maxsize=64)  # a turn reads the same line at each of its steps
def _read(line: Line) -> tuple[Reading, list[str]]:
    reading = Reading()
    line, names = with_names(titled(line))
    line = without_old_levels(note_standing(line, reading), reading)
    line = without_removed(without_old_values(line, reading), reading)
    line = with_shared_amounts(with_durations(line, reading), reading)
    _note_intentions(line, reading)
    question_line(line, reading)
    question_misfits(line, reading)
    prices = levels(line)
    for price in prices:
        line = line.renamed(price.place, price.place, "PRICE")
    pairing = paired(line)
    windows, timed = _windows(pairing, reading)
    _settle(pairing, windows, reading)
    settle_levels(prices, reading)
    question_prices(pairing, reading)
    question_crossings(pairing, reading)
    question_sizes(reading)
    question_unremoved(pairing, timed, reading)
    question_only(line, reading)
    question_joint_sales(pairing, reading)
    settle_matches(line, pairing, prices, reading)
    _settle_multiples(line, reading)
    timed |= _settle_move(pairing, timed, reading)
    question_left_overs(pairing, timed, reading)
    question_idle_verbs(line, reading)
    if reading.window is not None and any("window" in condition for condition in reading.entry):
        reading.questions.append("I read two windows. Which one do you mean?")
    _question_kept(reading)
    if reading.adds_from is not None and len(reading.entry) > 1:
        ends = [place for place, _ in line.spans("[.;]") if place > reading.adds_from]
        places = [condition["place"] for condition in reading.entry]
        reading.is_mixed = (
            reading.buys or min(places) < reading.adds_from or max(places) > min(ends, default=max(places))
        )
    elif reading.adds_entry and reading.buys and len(reading.entry) > 1:  # "buy when … . volume 3x also"
        reading.is_mixed = line.has("[.;]")
    for conditions in (reading.entry, reading.exit):
        conditions.sort(key=lambda condition: condition.pop("place"))
    reading.refused = line.has("NOT") or (line.has("END") and bool(pairing.numbers))
    return reading, names


def _question_kept(reading: Reading) -> None:
    """What is said to stay may be neither changed nor removed, nor stated anew."""
    entry, exits = ({condition["kind"] for condition in group} for group in (reading.entry, reading.exit))
    touched = {*reading.changes, *reading.removed, *entry, *exits}
    touched |= ({"entry"} if entry else set()) | ({"exit_conditions"} if exits else set())
    restated = reading.buys and entry and not reading.adds_entry
    stated = {"entry", "price_drop", "price_rise", "volume_spike"} if restated else set()
    if reading.kept & (touched | stated):
        reading.questions.append("Should that stay, or change? I read both.")


def _note_intentions(line: Line, reading: Reading) -> None:
    adding = [place for place, _ in line.spans("ADD") if adds_condition(line, place)]
    reading.buys, reading.adds = line.has(_BUYS), reading.adds or bool(adding)
    reading.adds_exits = bool(adding) and all(adds_exit(line, place) for place in adding)
    reading.adds_from = adding[0] if adding and adding[0] + 1 < len(line.items) else None
    reading.restates, reading.must = line.has("OLD"), line.has(_MUST)
    reading.only_buys = line.has(r"only BUY|BUY only|BUY .*(?<!CASH )only$")
    beside = line.has(r"^or BUY|ADD or|or ADD|ADD BUY|BUY ADD") or (
        bool(adding) and line.has(r"BUY (?:if|when|on) (?:[^.;\s]+ )*ADD")
    )
    reading.also_buys = beside and not reading.only_buys
    reading.unknown = line.unknown + [item.text for item in line.items if item.name in _UNREADABLE]
    reading.reserved = weighty_words(line)


def _windows(pairing: Pairing, reading: Reading) -> tuple[dict[int, str | Change], set[int]]:
    """Each duration to the nearest condition, or to a condition that exists already; and where those stand."""
    found: dict[int, str | Change] = {}
    timed: set[int] = set()
    for place, item in enumerate(pairing.line.items):
        if not item.is_duration:
            continue
        value = duration_text(item.token.value) if item.token else None
        if value is None:
            reading.questions.append(TOO_LONG_OR_SHORT)
            continue
        cue = None if _is_tied(pairing, place) else nearest_condition(pairing, place, found)
        if cue is not None:
            change = change_of(pairing.line, place, value)
            found[cue] = value if change.how == "to" else change
            timed.add(place)
        elif pairing.line.has(_REWINDOWS) and reading.window is None and not _is_moved_with(pairing, place):
            reading.window = change_of(pairing.line, place, value)
            timed.add(place)
    return found, timed


def _is_tied(pairing: Pairing, place: int) -> bool:
    """Whether a duration is said of the window; "the volume one, change the window to 30m" says of which."""
    worded = [number for number, cue in enumerate(pairing.cues) if cue.name in CONDITIONS and cue.only is None]
    stated = all(number in pairing.taken for number in worded)
    return stated and any(first <= place <= last for first, last in pairing.line.spans(_TIED))


def _settle(pairing: Pairing, windows: dict[int, str | Change], reading: Reading) -> None:
    for number, cue in enumerate(pairing.cues):
        item = pairing.number(number)
        if cue.name in CONDITIONS and (item is not None or number in windows):
            settle_condition(pairing, number, windows.get(number), reading)
        elif item is not None and item.token is not None:
            settle_field(pairing, number, item, reading)
    for number, cue in enumerate(pairing.cues):
        mentioned = number not in pairing.taken and number not in windows
        if mentioned and cue.only is None and not pairing.is_stated(cue):
            settle_mention(pairing, cue, reading)


def _settle_multiples(line: Line, reading: Reading) -> None:
    if line.has("ALLIN") and reading.changes.get("position_percent", Change(100.0)) != Change(100.0):
        reading.questions.append("I read two values for the position size. Which one do you mean?")
    elif line.has("ALLIN"):
        reading.changes["position_percent"] = Change(100.0)
    halved = [*reading.changes.values(), *(value for condition in reading.entry for value in condition.values())]
    if reading.window is not None:
        halved.append(reading.window)
    size = reading.changes.get("position_percent")
    if line.has("HALVE") and size is not None and size.how == "by":
        reading.questions.append("Should the position size be halved, or change by so much?")
    times = [value for value in halved if isinstance(value, Change) and value.how == "times"]
    if len(times) < len(line.spans("HALVE")):
        reading.questions.append("What should be halved?")


def _is_moved_with(pairing: Pairing, place: int) -> bool:
    """Of "make it 6% in 2h" the window goes with the percent."""
    return any(first < place <= last for first, last in pairing.line.spans(_MOVE))


def _settle_move(pairing: Pairing, timed: set[int], reading: Reading) -> set[int]:
    """ "make it 6% in 2h", "lower the entry to 4%": of the one price move there is; and where its amounts stand."""
    left = pairing.left_over(timed)
    if reading.says_something or pairing.cues:
        return set()
    for first, last in pairing.line.spans(f"{_MOVE}|{_ENTRY_TO}"):
        taken = [place for place in left if first <= place <= last]
        amounts = [pairing.line.items[place] for place in taken]
        if taken == left and amounts and len(amounts) <= 2:
            window = next(
                (duration_text(each.token.value) for each in amounts if each.token and each.is_duration), None
            )
            percent = next((each.token.value for each in amounts if each.token and each.is_number), None)
            reading.move = {key: value for key, value in (("percent", percent), ("window", window)) if value}
            return {*taken}
    return set()
