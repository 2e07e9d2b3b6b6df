"""From a turn to its next step. A plan is a generator: it yields calls, is sent their outcomes, returns what to say.

It holds no state: at each step the plan is run again from the start over the outcomes that the history holds.
"""

from functools import partial
from typing import Any

from strategybot.conversations.offline import replies
from strategybot.conversations.offline.acting.answers import answer, combined_change, flattened
from strategybot.conversations.offline.acting.asides import order_among_asides
from strategybot.conversations.offline.acting.bot_plans import create_bot, list_bots, switch_bot
from strategybot.conversations.offline.acting.run_plans import do_run, last_result, stop_simulation
from strategybot.conversations.offline.acting.sequences import in_sequence
from strategybot.conversations.offline.acting.strategy_plans import (
    Request,
    change_strategy,
    show_strategy,
)
from strategybot.conversations.offline.acting.switch_plans import switch_and_build
from strategybot.conversations.offline.acting.token_plans import search, token_risk
from strategybot.conversations.offline.acting.undo_plans import said_anew, undo, undo_and_go_on
from strategybot.conversations.offline.beside.courtesies import undressed, undressed_answer
from strategybot.conversations.offline.beside.introductions import introduced
from strategybot.conversations.offline.history import Call, Turn
from strategybot.conversations.offline.orders.intents import Intent, intent_of
from strategybot.conversations.offline.orders.lone_orders import doubt_about, foreign_words, what_else
from strategybot.conversations.offline.orders.mood import Mood, mood_behind_refusal, mood_of
from strategybot.conversations.offline.orders.names import bot_named
from strategybot.conversations.offline.orders.run_reservations import unread_words
from strategybot.conversations.offline.orders.runs import Run, read_run
from strategybot.conversations.offline.orders.signs import NO, YES
from strategybot.conversations.offline.reading import Reading
from strategybot.conversations.offline.steps import Plan, Say, asking, saying
from strategybot.conversations.offline.strategy.strategy_reading import read_strategy
from strategybot.conversations.offline.turns.follow_ups import continued, doubtful
from strategybot.conversations.offline.turns.rejoinders import rejoined
from strategybot.conversations.offline.turns.relations import RELATIVE
from strategybot.conversations.offline.turns.run_follow_ups import run_again
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.lines import Line

LONGEST = 600
MOST_ITEMS = 160  # some 600 letters of words; a hail of marks would cost the most


def next_step(turn: Turn) -> Call | Say:
    if turn.foreign:
        return Say(replies.report(turn.done))
    plan = plan_for(turn)
    outcomes = iter(turn.done)
    try:
        step = next(plan)
        while True:
            if step.name not in turn.tools:
                return Say(replies.CANNOT_CALL)
            outcome = next(outcomes, None)
            if outcome is None:
                return step
            if outcome.call.name != step.name:
                return Say(replies.report(turn.done))
            step = plan.send(outcome)
    except StopIteration as end:
        said: Say = end.value
        return said


def plan_for(turn: Turn) -> Plan:
    text = turn.text.strip()
    if not text:
        return saying(replies.LOST)
    if len(text) > LONGEST or len(line_of(text).items) > MOST_ITEMS:
        return saying(replies.TOO_LONG)
    answering = undressed_answer(text)
    text = run_again(answering, turn.memory, turn.last_test) or continued(text, answering, turn.memory) or text
    if (question := doubtful(answering, turn.memory)) is not None:
        return saying(question)
    pending = turn.memory.get("pending")
    order = rejoined(answering, pending, turn.memory.get("about")) if isinstance(pending, dict) else None
    if isinstance(pending, dict) and order is None:
        answered = answer(turn, answering, pending)
        if answered is not None:
            return answered
    bare = undressed(order or text)
    bare = introduced(bare, bool(turn.memory.get("bots"))) or bare
    return (
        switch_and_build(turn, bare)
        or undo_and_go_on(turn, bare)
        or said_anew(turn, bare)
        or in_sequence(turn, bare, _fresh)
        or order_among_asides(bare, partial(_fresh, turn))
        or _fresh(turn, bare)
    )


def _fresh(turn: Turn, text: str) -> Plan:
    line = line_of(text)
    intent = intent_of(line, text, turn.memory)
    simple = {
        Intent.UNDO: lambda _: undo(),
        Intent.LIST_BOTS: lambda _: list_bots(),
        Intent.RESULT: last_result,
        Intent.STOP_SIMULATION: stop_simulation,
    }
    said = {
        Intent.CANCEL: replies.CANCELLED,
        Intent.HELP: replies.HELP,
        Intent.GREETING: replies.GREETING,
        Intent.THANKS: replies.THANKS,
        Intent.DELETE_BOT: replies.NO_DELETING,
        Intent.REAL_MONEY: replies.NO_REAL_TRADES,
        Intent.RENAME_BOT: "A bot is renamed on its own page. Is there something about its strategy I can change?",
    }
    if (asked := what_else(intent, line)) is not None:
        return saying(asked)
    if intent in simple:
        return simple[intent](turn)
    if intent in said:
        return saying(said[intent])
    if intent is Intent.SHOW:
        return show_strategy(Request(text, line, Reading(), []))
    if intent is Intent.SWITCH_BOT:
        return switch_bot(text)
    if intent is Intent.SEARCH:
        return search(line, text)
    if intent is Intent.RISK:
        return token_risk(line)
    return _acting(turn, text, line, intent)


def _acting(turn: Turn, text: str, line: Line, intent: Intent) -> Plan:
    """A change, a run, or both; or talk."""
    name: str | None = None
    run: Run | None = None
    if intent is Intent.CREATE_BOT:
        name, line = bot_named(line)
    if intent in (Intent.TEST, Intent.SIMULATE) or (intent is Intent.CREATE_BOT and line.has("TEST")):
        named = line.has("TEST|SIMULATION")
        run, line = _run_asked_for(turn, line, intent)
        if not named:  # "would I have made money last month?"
            return do_run(turn, run, [*_unread(line), *_not_understood(line, asked=True)])
    reading, names = read_strategy(line)
    if run is not None and not reading.changes_something:
        asked = mood_of(line) is not Mood.ORDER
        return do_run(turn, run, [*reading.questions, *_stray(reading.bare), *_not_understood(line, asked)])
    if intent is Intent.CREATE_BOT and reading.bare:
        return saying(_stray(reading.bare)[0])
    if intent is Intent.CREATE_BOT and not reading.says_something:
        words = foreign_words(intent, line)
        return saying(doubt_about(intent, words)) if words else create_bot(name, None)
    request = Request(text, line, reading, names, run, name, intent is Intent.CREATE_BOT)
    return _change_or_talk(turn, request)


def _run_asked_for(turn: Turn, line: Line, intent: Intent) -> tuple[Run, Line]:
    run, line = read_run(line, "start_simulation" if intent is Intent.SIMULATE else "run_backtest")
    if turn.memory.get("topic") == "backtest" and intent is Intent.TEST:
        elsewhere = {"token", "chain"} if run.token is not None else set()
        again = {key: value for key, value in turn.last_test.items() if value is not None and key not in elsewhere}
        run.arguments = {**again, **run.arguments}
    return run, line


def _stray(bare: list[tuple[str, Any]]) -> list[str]:
    return [f"I could not tell what {value} stands for. What is it?" for _, value in bare]


def _not_understood(line: Line, asked: bool) -> list[str]:
    words = unread_words(line, asked)
    return [f"{replies.doubt(words, 'run nothing')} How should I run it?"] if words else []


def _unread(line: Line) -> list[str]:
    return _stray([(item.name, item.text) for item in line.items if item.is_number or item.is_duration])


def _change_or_talk(turn: Turn, request: Request) -> Plan:
    reading, mood = request.reading, mood_of(request.line)
    if reading.refused:
        return saying(replies.REFUSED)
    if mood is Mood.REPORT:
        return saying(replies.REPORTED)
    if mood is Mood.REFUSAL:
        mood = mood_behind_refusal(request.line)  # every "not" was explained: "never hold longer than a day"
    if reading.bare and not reading.says_something and mood is Mood.ORDER and not (reading.unknown or reading.reserved):
        return _follow_up(turn, request)
    if mood is Mood.ORDER and reading.says_something:
        return change_strategy(turn, request)
    if (
        request.line.has("TEST")
        and mood in (Mood.QUESTION, Mood.MUSING)
        and not reading.says_something
        and request.line.has("i|we|SHOW|it|this")
    ):
        return asking(
            "I have run nothing. Shall I backtest it? (yes/no)",
            {"kind": "run", "tool": "run_backtest", "arguments": {}},
        )
    if reading.says_something or mood is Mood.QUESTION:
        return show_strategy(request)
    return saying(_small_talk(request.text))


def _follow_up(turn: Turn, request: Request) -> Plan:
    """ "make it 7": of what was changed last, or else of what?"""
    if request.line.has(RELATIVE):
        return saying("Should it change by that much, or to it? And which part of the strategy?")
    kind, value = request.reading.bare[0]
    written = (
        f"{value:g}%" if kind == "%" else f"{value:g}x" if kind == "×" else f"{value:g}" if kind == "#" else str(value)
    )
    template = turn.memory.get("template")
    if isinstance(template, str):
        if kind == "#" and ("price" in template or "loss" in template or "profit" in template):
            written += "%"
        elif kind == "#":
            written += str(turn.memory.get("unit") or "")
        combined = combined_change(turn, template.format(written))
        if combined is not None:
            return combined
    question = f"What should be {written}: the stop loss, the take profit, or something else?"
    return asking(question, {"kind": "which", "value": written})


def _small_talk(text: str) -> str:
    if YES.fullmatch(flattened(text)) or NO.fullmatch(flattened(text)):
        return replies.NOTHING_PENDING
    unreal = ("leverage", "short", "real money", "futures", "guarantee")
    line = line_of(text)
    if any(word in text.lower() for word in unreal) or (
        line.has("^(?:please |pls |just |now )*(?:BUY|SELL)") and not line.has("when|if|once|at")
    ):
        return replies.NO_REAL_TRADES
    return replies.OTHER_RULE if line.has("BUY|SELL|STRATEGY") else replies.LOST
