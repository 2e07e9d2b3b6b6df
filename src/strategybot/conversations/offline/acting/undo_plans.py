"""Taking the last change back, alone or with something else in its place.

"undo that, and set the target to 12" is one change, made on the strategy before, so that one undo takes it back.
"""

import re

from strategybot.conversations.offline import replies
from strategybot.conversations.offline.acting.run_plans import run_of
from strategybot.conversations.offline.acting.strategy_plans import NOTHING_BEFORE, Request, change_strategy
from strategybot.conversations.offline.history import Call, Turn
from strategybot.conversations.offline.orders.mood import Mood, mood_of
from strategybot.conversations.offline.orders.run_reservations import unread_words
from strategybot.conversations.offline.orders.runs import Run, read_run
from strategybot.conversations.offline.steps import Plan, Say, calling
from strategybot.conversations.offline.strategy.strategy_reading import read_strategy
from strategybot.conversations.offline.turns.last_change import LEAD
from strategybot.conversations.offline.turns.parts import AMOUNT, is_same, parts_in
from strategybot.conversations.offline.turns.retorts import in_its_place
from strategybot.conversations.offline.words.hearing import line_of

_LAST = r"(?:that|it|this|(?:the|my|that|your) (?:last |latest )?(?:one|change|edit|thing))"
_UNDO = (
    rf"(?:(?:undo|revert|roll back|rollback|reverse)(?: {_LAST})?|take (?:that|it) back|put (?:that|it) back|"
    r"go back to (?:how it was|what it was|before))"
)
_DROPPED = r"(?:scrap|cancel|scratch|forget) that(?: change)?"  # with an "instead" behind it
_THEN = (
    r"(?:,? (?:please|pls|plz))?"
    r"(?:\s*[,;.!]+\s*(?:(?:and|then|but|instead|rather)\b[\s,]*)*|\s+(?:(?:and|then|but)\b[\s,]*)+)"
)
_UNDO_FIRST = re.compile(
    rf"{LEAD}(?:{_UNDO}{_THEN}(?P<order>.+)|{_DROPPED}{_THEN}(?P<other>.+ instead)[\s.!]*)", re.IGNORECASE | re.DOTALL
)
_SAID_WRONG = re.compile(
    rf"{LEAD}(?:i (?:said|got|put|wrote|typed) (?:that|it|this) wrong|that was (?:wrong|a mistake)|"
    r"wrong one|i mixed (?:that|it|them) up)[\s,.;:!]+(?P<order>.+)",
    re.IGNORECASE | re.DOTALL,
)
_STAYS = re.compile(
    r"(?:[\s,;.]+(?:and )?|^)(?P<old>(?:the |my )?[a-z]+(?: [a-z]+)?) (?:stays|remains|should stay|is to stay) "
    rf"(?:at )?(?P<was>{AMOUNT})(?=[\s,;.!]|$)",
    re.IGNORECASE,
)


def undo() -> Plan:
    current = yield from calling("get_current_strategy")
    if not current.has_bot:
        return Say(f"There is nothing to undo. {replies.NO_BOT}")
    if not current.facts.get("has_previous"):
        return Say(NOTHING_BEFORE)
    outcome = yield Call("update_trading_strategy", {"strategy": current.facts.get("previous_strategy")})
    return Say(outcome.failure or replies.undone(outcome.facts))


def undo_and_go_on(turn: Turn, text: str) -> Plan | None:
    """The plan for an undo with an order behind it that is whole; None for any other message."""
    said = _UNDO_FIRST.fullmatch(text.strip())
    if said is None or (said["other"] and not (turn.memory.get("said") or turn.memory.get("gone"))):
        return None
    return changed_back(turn, said["order"] or said["other"])


def said_anew(turn: Turn, text: str) -> Plan | None:
    """ "no i meant the trailing one, leave the stop as it was": the last change is taken back, and another made."""
    if turn.memory.get("replaced"):
        return None
    other = in_its_place(turn.text.strip(), turn.memory)
    if other is not None:
        return changed_back(turn, other) if other else undo()
    said = turn.memory.get("said") or []
    if len(said) != 1 or said[0]["by"] or turn.memory.get("gone"):
        return None
    last = said[0]
    wrong = _SAID_WRONG.fullmatch(text)
    stays = _STAYS.search(wrong["order"]) if wrong else None
    if wrong is None or stays is None or parts_in(stays["old"]) != [last["part"]]:
        return None
    if not is_same(last["was"] or "", stays["was"]):
        return None
    return changed_back(turn, f"{wrong['order'][: stays.start()]}{wrong['order'][stays.end() :]}".strip(" ,;."))


def changed_back(turn: Turn, order: str) -> Plan | None:
    """The order, made on the strategy before the last change; None where it is not whole."""
    line = line_of(order)
    if mood_of(line) is not Mood.ORDER or line.has("UNDO|EARLIER|BOT|SIMULATION|FORGET"):
        return None
    run, line = read_run(line, "run_backtest") if line.has("TEST") else (None, line)
    reading, names = read_strategy(line)
    if run is not None and not reading.changes_something:
        unread = run.questions or reading.bare or reading.questions or unread_words(line, asked=False)
        return None if unread or not run.arguments else _undone_and_run(turn, run)
    if reading.is_doubtful or reading.questions or not reading.changes_something:
        return None
    if names or (run is not None and run.questions):
        return None
    return change_strategy(turn, Request(order, line, reading, names, run, on_previous=True))


def _undone_and_run(turn: Turn, run: Run) -> Plan:
    current = yield from calling("get_current_strategy")
    if not current.facts.get("has_previous") or not current.facts.get("previous_strategy"):
        return Say(NOTHING_BEFORE)
    outcome = yield Call("update_trading_strategy", {"strategy": current.facts["previous_strategy"]})
    if outcome.failure is not None or outcome.facts.get("backtests_left") == 0:
        return Say(outcome.failure or f"{replies.undone(outcome.facts)}\n\n{replies.TESTS_USED_UP}")
    return (yield from run_of(turn, run, outcome.facts.get("bot") or {}, f"{replies.undone(outcome.facts)}\n\n"))
