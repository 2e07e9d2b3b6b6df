"""Orders that no single plan holds: "stop the simulation and put the stop at 4%", "backtest it, then paper trade it".

The first is done only where the next is as clear; otherwise the message is read as a whole.
"""

import re
from collections.abc import Callable, Generator, Iterator

from strategybot.conversations.offline.history import Call, Outcome, Turn
from strategybot.conversations.offline.orders.intents import Intent, intent_of
from strategybot.conversations.offline.orders.lone_orders import what_else
from strategybot.conversations.offline.orders.mood import Mood, mood_behind_refusal
from strategybot.conversations.offline.steps import Plan, Say, calling
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.lines import Line

Reader = Callable[[Turn, str], Plan]
Split = tuple[str, str, Intent | None, Intent | None]
ACTING = frozenset({"update_trading_strategy", "run_backtest", "start_simulation", "stop_simulation"})
MOST_JOINTS = 8  # where two orders may part; each costs two readings
_THEN = r"(?:and|then|afterwards?|after (?:that|this)|next|now|when done|once done|plus|also|please|pls)"
_JOINT = re.compile(
    rf"\s*(?:[,;.!]+\s+(?:{_THEN}\b[\s,]*)*|\s(?:and|then|plus)\b[\s,]+(?:{_THEN}\b[\s,]*)*)", re.IGNORECASE
)
_NEXT = re.compile(r"[\s,;.]*(?:and )?(?:then|after that|afterwards)\b", re.IGNORECASE)
_CHANGING = re.compile(
    r"(?:set|change|make|put|use|remove|delete|kill|raise|lower|increase|decrease|add|move|tighten|widen)\b",
    re.IGNORECASE,
)
_REMOVING_FIRST = {(Intent.OTHER, Intent.TEST), (Intent.OTHER, Intent.SIMULATE)}
_FIRST = re.compile(r"(?P<later>.+?),? (?:but )?(?:first|before that|beforehand),? (?P<first>.+)", re.IGNORECASE)
_AFTER = re.compile(r",? (?:after(?:wards?| that)?|then|next)[.! ]*$", re.IGNORECASE)


def in_sequence(turn: Turn, text: str, read: Reader) -> Plan | None:
    """The plan of both, where the message is an order that no other can be part of, and another one."""
    parts = _parts(turn, text)
    return _one_by_one(turn, text, parts, read) if parts else None


def _parts(turn: Turn, text: str) -> tuple[str, str] | None:
    whole = line_of(text)
    if mood_behind_refusal(whole) is not Mood.ORDER or not whole.has("TEST|SIMULATION|END|STOP it"):
        return None
    splits = [(head, tail, _intent(turn, head), _intent(turn, tail)) for head, tail in _splits(text)]
    if whole.has("NOT"):  # "no cooldown anymore, then simulate it": the refusal is a removal
        return next(((head, tail) for head, tail, first, second in splits if (first, second) in _REMOVING_FIRST), None)
    for head, tail, first, second in splits:
        if first is Intent.STOP_SIMULATION and second in (Intent.OTHER, Intent.TEST, Intent.SIMULATE):
            return head, tail
    if not whole.has("TEST"):
        return None
    return _test_and_simulation(whole, splits) or _test_and_change(text, splits)


def _test_and_simulation(whole: Line, splits: list[Split]) -> tuple[str, str] | None:
    for head, tail, first, second in reversed(splits):  # the last: "test it on 7 days, 5m candles, and paper trade it"
        if first is Intent.TEST and second is Intent.SIMULATE and not line_of(tail).has("TEST"):
            left_open = line_of(tail).has("SIMULATION") and not whole.has("SIMULATION")  # "…, then we'll see about it"
            return None if left_open else (head, tail)
    return None


def _test_and_change(text: str, splits: list[Split]) -> tuple[str, str] | None:
    """ "test it, then set the stop to 4": of the strategy as it was."""
    for head, tail, first, second in splits:
        later = _NEXT.match(text, len(head)) or _AFTER.search(text)
        if first is Intent.TEST and second is Intent.OTHER and later and _CHANGING.match(tail):
            return head, tail
    return None


def _splits(text: str) -> Iterator[tuple[str, str]]:
    if (turned := _FIRST.fullmatch(text)) is not None:  # "simulate it, but first backtest it"
        yield turned["first"], turned["later"]
    text = _AFTER.sub("", text)  # "test it, paper trade it after"
    for joint in [*_JOINT.finditer(text)][:MOST_JOINTS]:
        if text[: joint.start()].strip() and text[joint.end() :].strip():
            yield text[: joint.start()], text[joint.end() :]


def _intent(turn: Turn, text: str) -> Intent | None:
    """Of a part alone; None where it says more than one of its kind may."""
    line = line_of(text)
    intent = intent_of(line, text, turn.memory)
    return intent if what_else(intent, line) is None else None


def _one_by_one(turn: Turn, text: str, parts: tuple[str, str], read: Reader) -> Plan:
    current = yield from calling("get_current_strategy")
    first, second = parts
    if not (_would_act(read(turn, first), current) and _would_act(read(turn, second), current)):
        return (yield from read(turn, text))
    said, acted = yield from _watched(read(turn, first), current)
    if not acted:
        return said
    last = yield from read(turn, second)
    return Say(f"{said.text}\n\n{last.text}", last.memory)


def _would_act(plan: Plan, current: Outcome) -> bool:
    """Whether it acts on the strategy there is, without another word."""
    try:
        step = next(plan)
        while step.name == current.call.name:
            step = plan.send(current)
    except StopIteration:
        return False
    return step.name in ACTING


def _watched(plan: Plan, current: Outcome) -> Generator[Call, Outcome, tuple[Say, bool]]:
    """What it says, and whether it did what it was for; the strategy has been read already."""
    acted = False
    try:
        step = next(plan)
        while True:
            outcome = current if step.name == current.call.name else (yield step)
            acted = acted or (step.name in ACTING and outcome.failure is None)
            step = plan.send(outcome)
    except StopIteration as end:
        return end.value, acted
