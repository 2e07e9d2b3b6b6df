"""Answers to a question of its own: a yes, a no, a missing number, a name."""

import re
from typing import Any

from strategybot.conversations.offline import replies
from strategybot.conversations.offline.acting.bot_plans import create_bot
from strategybot.conversations.offline.acting.run_plans import checking_every, do_run, test_on
from strategybot.conversations.offline.acting.strategy_plans import (
    Request,
    apply_and_run,
    apply_pending,
    change_strategy,
)
from strategybot.conversations.offline.history import Turn
from strategybot.conversations.offline.orders.intents import Intent, intent_of
from strategybot.conversations.offline.orders.mood import Mood, mood_of
from strategybot.conversations.offline.orders.names import bot_named
from strategybot.conversations.offline.orders.run_reservations import unread_words
from strategybot.conversations.offline.orders.runs import Run, read_run
from strategybot.conversations.offline.orders.signs import HALF_YES, NO, YES
from strategybot.conversations.offline.steps import Plan, asking, saying
from strategybot.conversations.offline.strategy.field_edits import Unclear
from strategybot.conversations.offline.strategy.strategy_edits import edited
from strategybot.conversations.offline.strategy.strategy_reading import read_strategy
from strategybot.conversations.offline.turns.completions import amount_and_more, is_roundabout, joined
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.lines import Line
from strategybot.conversations.offline.words.plain_words import words_of

_LIMITING = "if|unless|until|till|once|when|whenever|only|EXCEPT|between|NOT|FORGET|INSTEAD|but|or"
_TALK = words_of(  # what is said in place of a name
    """
    i you me we it us one same this that these those not no for on just sorry whatever anything something nothing dunno
    idea hmm hm um wait hold hang sec second moment later question choose pick decide suggest suggestion surprise random
    think sure maybe why what which who how is are was does want like prefer let lets
    """
)
_TOKEN_AND_MORE = re.compile(r"(?:on |with )?(?P<token>\$?\w+)(?:\s*[,;.]|\s+(?:and|but|then)\b)", re.IGNORECASE)
_YES_AND = re.compile(
    r"(?:yes|yeah|yep|yup|yea|sure|ok|okay|exactly)\b[\s,.!]*(?:please )?(?P<order>.+)", re.IGNORECASE
)
_YES_THEN = re.compile(r"(?P<yes>.+?)(?:\s*[,.;!]+\s*|\s+)(?:and then|and|then) (?P<order>.+)", re.IGNORECASE)
_TRYING = re.compile(
    r"(?:(?:ok|yes|sure|lets|then|please) )*(?:try (?:it|that|this)|give (?:it|that) a (?:try|go|shot))[.! ]*"
)


def flattened(text: str) -> str:
    return text.lower().replace("'", "").replace("’", "").replace(",", "").strip()


def answer(turn: Turn, text: str, pending: dict[str, Any]) -> Plan | None:
    """The plan when the message answers the open question; None when it is about something else."""
    flat = flattened(text)
    if NO.fullmatch(flat) or intent_of(line_of(text), text, {}) is Intent.CANCEL:
        return saying(replies.CANCELLED)
    if YES.fullmatch(flat):
        return _confirmed(turn, pending)
    if pending.get("kind") == "apply" and _says_the_same(text, pending):
        return apply_pending(pending)
    if pending.get("kind") == "apply" and (run := _run_after_yes(text)) is not None:
        return apply_and_run(turn, pending, run)
    if pending.get("kind") in ("apply", "run") and (HALF_YES.match(flat) or _TRYING.fullmatch(flat)):
        return asking("One after the other: shall I do what I asked about? (yes/no)", pending)
    return _filled(turn, text, pending)


def _says_the_same(text: str, pending: dict[str, Any]) -> bool:
    """ "yes set the stop to 8", which is what was asked about."""
    said = _YES_AND.match(text)
    line = line_of(said["order"]) if said else Line(())
    if said is None or pending.get("before") is None or mood_of(line) is not Mood.ORDER:
        return False
    reading, names = read_strategy(line)
    if names or reading.is_doubtful:
        return False
    try:
        return bool(edited(reading, pending["before"]) == pending["strategy"])
    except Unclear:
        return False


def _run_after_yes(text: str) -> Run | None:
    """The backtest of "do it and test 30 days"."""
    said = _YES_THEN.fullmatch(text.strip())
    line = line_of(said["order"]) if said else Line(())
    if (
        said is None
        or not YES.fullmatch(flattened(said["yes"]))
        or intent_of(line, said["order"], {}) is not Intent.TEST
    ):
        return None
    run, line = read_run(line, "run_backtest")
    reading, _ = read_strategy(line)
    unread = run.questions or reading.bare or reading.says_something or unread_words(line, asked=False)
    return None if unread or mood_of(line) is not Mood.ORDER else run


def _confirmed(turn: Turn, pending: dict[str, Any]) -> Plan | None:
    if pending.get("kind") == "apply":
        return apply_pending(pending)
    if pending.get("kind") == "run":
        return do_run(turn, Run(pending["tool"], dict(pending["arguments"])))
    return asking(str(pending["question"]), pending) if pending.get("kind") == "more" else None


def _filled(turn: Turn, text: str, pending: dict[str, Any]) -> Plan | None:
    kind = pending.get("kind")
    if kind == "token" and not _names_something(text):
        more = _TOKEN_AND_MORE.match(text.strip())  # "KOI, stop 4" would lose the run
        lost = more is not None and line_of(more["token"]).unknown
        return asking("One after the other, please. On which token should I run it?", pending) if lost else None
    if kind == "token":
        return test_on(turn, text, pending)
    if kind == "interval":
        return checking_every(turn, text, pending)
    if kind == "name":
        name = _name_in(text)
        return create_bot(name, None) if name else None
    if mood_of(line_of(text)) in (Mood.QUESTION, Mood.MUSING):  # "is 2 ok" answers nothing
        return None
    if kind == "which":
        return combined_change(turn, f"set {text} to {pending['value']}")
    if kind == "more" and (amount_and_more(text) or is_roundabout(text)):
        return asking(f"One after the other, please. {pending['question']}", pending)
    whole = next(joined(str(pending["text"]), text), None) if kind == "more" else None
    return combined_change(turn, whole) if whole else None


def _name_in(text: str) -> str | None:
    """The name that an answer gives the new bot; none in "you choose" or "Pebble or Stone"."""
    line = line_of(text)
    if line.has("CALLED"):
        name = bot_named(line)[0] if mood_of(line) is Mood.ORDER else None
    else:
        name = text.strip(" \"'.!") if _names_something(text) and not line.has(_LIMITING) else None
    return name if name and not {*flattened(name).split()} & _TALK else None


def _names_something(text: str) -> bool:
    line = line_of(text)
    return (
        len(line.items) <= 6
        and mood_of(line) is Mood.ORDER
        and intent_of(line, text, {}) is Intent.OTHER
        and not _says_much(line)
    )


def _says_much(line: Line) -> bool:
    reading, _ = read_strategy(line)
    return bool(reading.changes or reading.removed or reading.entry)


def combined_change(turn: Turn, text: str) -> Plan | None:
    line = line_of(text)
    reading, names = read_strategy(line)
    unclear = reading.questions or reading.unknown or reading.reserved or reading.bare or reading.refused
    clear = reading.says_something and not unclear
    return change_strategy(turn, Request(text, line, reading, names)) if clear and mood_of(line) is Mood.ORDER else None
