"""How conditions stand together: price levels on their side, and whether all of them must hold or any."""

from typing import Any

from strategybot.conversations.offline.reading import Reading
from strategybot.conversations.offline.strategy.clauses import BUY, SELL
from strategybot.conversations.offline.strategy.levels import Level
from strategybot.conversations.offline.strategy.pairing import CONDITIONS, Pairing
from strategybot.conversations.offline.words.lines import Line

_EXTREME = "(?:HIGH|LOW|CLOSE)"
_FROM_WHERE = (
    rf"(?:from|use|using|measure|reference|off|look at) (?:the |its |a )*{_EXTREME}|as (?:the |its |a ){_EXTREME}"
)

_HEADED = r"(?:ANY|ALL)(?: [^,;.:\s]+){0,3} :"  # "buy when any of these happens: …, …"
_TRAILED_FROM = r"TRAIL(?: \S+){0,3} [%#] (?:from|off|BELOW|of)(?: the| its| a)* HIGH"  # "trailing 4% from the peak"
_BESIDES = r"(?<!or )(?:when|if|while|with)(?: the| a| an| price)* (?:VOLUME|DROP|RISE|[%×])"  # "A, or B when C"
_AND_ON = r"and (?:on|at|when|if|once)"  # "sell on an 8% rise in 2h and on a 3% drop in 10m"
_EDITING = "change|set|make|put|RAISE|REDUCE|adjust|update|move|must|should|need|want|require|CONDITION|STOP|HALVE|OLD"
_REACH = 4  # items behind a condition that may still say what it is
_ONE_INSTEAD = r"(?<=[#%~×] )instead(?= [,;.]|$)|[,;.] (?:and )?instead"
_SOLD_TOO = r"and(?: ADD| then| please)* SELL (?:if|when|whenever|once|on)"  # another sale, not the same
_EDITED = r"(?:change|set|make|put|RAISE|REDUCE|adjust|update|move)(?: the| my)+ (?:DROP|RISE|VOLUME)"


def settle_levels(prices: list[Level], reading: Reading) -> None:
    for price in prices:
        if price.direction is None and price.side == BUY and reading.buys:
            reading.questions.append("Should it buy when the price rises above that, or when it falls below?")
        elif price.direction is None and reading.level is not None:
            reading.questions.append("I read two prices. Which one do you mean?")
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


def settle_matches(line: Line, pairing: Pairing, prices: list[Level], reading: Reading) -> None:
    anchors = [(cue.place, cue.side) for cue in pairing.cues if cue.name in CONDITIONS]
    anchors += [(price.place, price.side) for price in prices]
    _question_sentences(line, reading)
    _question_strays(line, reading)
    _question_opposites(reading, line.has("SELL"))
    _question_groups(line, anchors, reading)
    for side, conditions in ((BUY, reading.entry), (SELL, reading.exit)):
        places = sorted(place for place, about in anchors if about == side)
        joined = {item.name for item in line.items[places[0] : places[-1]]} if places else set()
        if places and line.part(0, places[0]).has(_HEADED):
            joined.add("headed")
        if len(conditions) > 1 and joined & {"then", "after"}:
            reading.questions.append("I cannot watch for one thing after another. Must all of these hold at once?")
        elif len(conditions) > 1 and {"or", "and"} <= joined:
            reading.questions.append("You wrote both “and” and “or”. Must all of these hold, or is any one enough?")
        elif len(conditions) > len({condition["kind"] for condition in conditions}) and not joined & {
            "or",
            "and",
            "ANY",
            "ALL",
            "ADD",
            "headed",
        }:
            reading.questions.append("Must all of these hold, or is any one enough?")
        elif side == SELL and line.part(places[0] if places else 0, len(line.items)).has(_SOLD_TOO):
            continue
        elif len(conditions) > 1 and (joined & {"or", "and"}):
            _set_match(reading, side, "any" if "or" in joined else "all")
    _settle_stated_match(line, reading)
    _settle_triggers(reading)
    _settle_reference(line, reading)


def _settle_reference(line: Line, reading: Reading) -> None:
    """ "measure it from the high", of the one move there is: no condition and no stop of this message has taken it."""
    trails = "trailing_stop_percent" in reading.changes and not line.has("TRAIL")  # "sell 4% off the high"
    taken = any("reference" in condition for condition in [*reading.entry, *reading.exit])
    trails = trails or line.has(_TRAILED_FROM)
    if reading.reference is not None or taken or trails or not line.has(_FROM_WHERE):
        return
    if reading.entry or reading.exit:
        reading.questions.append("Which price move should be measured from there?")
    reading.reference = "close" if line.has("CLOSE") else "high" if line.has("HIGH") else "low"


def _question_groups(line: Line, anchors: list[tuple[int, str]], reading: Reading) -> None:
    """ "on a 5% drop, or on a 3% drop when the volume is 3x"; "sell on an 8% rise and on a 3% drop"."""
    for side, conditions in ((BUY, reading.entry), (SELL, reading.exit)):
        places = [place for place, about in anchors if about == side]
        between = line.part(min(places), max(places) + 1) if len(conditions) > 1 and places else line.part(0, 0)
        if between.has("or") and between.has(_BESIDES):
            reading.questions.append("Which of these must hold together, and which is enough alone?")
        if side == SELL and between.has(_AND_ON):
            reading.questions.append("Must all of these hold before it sells, or is any one enough?")


def _question_sentences(line: Line, reading: Reading) -> None:
    """ "buy when it bounces 2%. drop threshold to 4": two moves in two sentences may be two orders."""
    places = [each["place"] for each in reading.entry if each["kind"] in ("price_drop", "price_rise")]
    if len(reading.entry) > 1 and reading.buys and line.has(_EDITED):  # "make the dip 7% and buy when it rises 3%"
        reading.questions.append("Should one of these change what there is, or do they make it buy together?")
    everywhere = [each["place"] for each in reading.entry]
    if everywhere and line.has(_ONE_INSTEAD) and line.part(min(everywhere), max(everywhere)).has("[,;.]"):
        reading.questions.append("Must all of these hold, or should one take the other's place?")
    if reading.adds_entry and line.has("instead"):
        reading.questions.append("Should that be added to what makes it buy, or replace it?")
    parted = places and any(min(places) < place < max(places) for place, _ in line.spans("[.;]"))
    if parted and not line.has("ANY|ALL|ADD|counted"):
        reading.questions.append("Must all of these hold, or is any one enough? Or should one take the other's place?")


def _question_strays(line: Line, reading: Reading) -> None:
    """A condition in a sentence of its own behind one about selling: "sell at 0.05. price above 0.08": which is it?"""
    for condition in reading.entry:
        start = max((place + 1 for place, _ in line.spans("[.;]") if place < condition["place"]), default=0)
        own = line.part(start, condition["place"] + _REACH)
        verbs = [item.name for item in line.items[:start] if item.name in (BUY, SELL)]
        told = any(item.past for item in own.items) and own.has("i|we|my")  # "when it dropped 20% I lost it. …"
        if (verbs[-1:] == [SELL] or told) and not own.has(f"{BUY}|ADD|{_EDITING}"):
            reading.questions.append("Is that when it should buy, or when it should sell?")


def _question_opposites(reading: Reading, sells: bool) -> None:
    """A rise beside a drop, without a time or beside a sale without one: rather where it should sell."""
    moves = [each for each in reading.entry if each["kind"] in ("price_drop", "price_rise")]
    untimed = any("window" not in each for each in moves)
    if len({each["kind"] for each in moves}) > 1 and (untimed or (sells and not reading.exit)):
        reading.questions.append("Is the other move a reason to buy too, or when it should sell?")


def _settle_triggers(reading: Reading) -> None:
    """ "price above 3" is a filter beside what else must hold, and else the moment the price gets there."""
    beside = (len(reading.entry) > 1 and reading.match != "any") or reading.adds_entry or reading.must
    for condition in [*reading.entry, *reading.exit]:
        if condition.get("trigger") == "bare":
            condition["trigger"] = "is" if beside and condition in reading.entry else "cross"


def _settle_stated_match(line: Line, reading: Reading) -> None:
    """ "any of these", "both must hold"; but "any idea?" and "sell all" say nothing of the kind."""
    if len(reading.entry) < 2 and (
        reading.unknown or line.has(r"(?:SELL|REMOVE|GONE|SHOW) (?:\S+ )?ALL|ALL (?:my|the|in) \S+")
    ):
        return
    if len(reading.entry) == 1 and reading.buys and not reading.adds_entry:
        if line.has("ANY|ALL") and not line.has("(?:on|at|for|after|BUY|when|CHECK)(?: the)* (?:ANY|ALL)"):
            reading.questions.append("Must all of the conditions hold, or is this the only one?")
        return  # "on any 5% drop"
    if line.has("ANY") != line.has("ALL"):
        reading.match = "any" if line.has("ANY") else "all"


def _set_match(reading: Reading, side: str, match: Any) -> None:
    if side == BUY:
        reading.match = match
    else:
        reading.exit_match = match
