"""Two orders in one message that belong together: change to a bot, and say there when it buys, or what is to change.

Both are done or neither: the order behind has to be whole and clear before any bot is changed to.
"""

import re

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline import replies
from strategybot.conversations.offline.acting.bot_plans import bots_of, other_bot, switch_bot
from strategybot.conversations.offline.acting.strategy_plans import Request, change_strategy
from strategybot.conversations.offline.history import Json, Turn
from strategybot.conversations.offline.orders.intents import Intent, intent_of
from strategybot.conversations.offline.orders.mood import Mood, mood_of
from strategybot.conversations.offline.reading import Reading
from strategybot.conversations.offline.steps import Plan, Say, calling, saying
from strategybot.conversations.offline.strategy.field_edits import Unclear
from strategybot.conversations.offline.strategy.strategy_edits import edited
from strategybot.conversations.offline.strategy.strategy_reading import read_strategy
from strategybot.conversations.offline.turns.bot_references import LEAD, bot_meant, may_undo_either
from strategybot.conversations.offline.words.hearing import line_of

_VERB = r"(?:(?:switch|change|go|move)(?: over| back)? to|back to|open)"
_SWITCH_FIRST = re.compile(
    rf"{LEAD}{_VERB} (?:the |my )?(?:bot )?"
    r"(?P<name>[\w-]+)(?: bot)?(?:,|;|\.| and| then)+(?: and| then| there| now| please|,)* (?P<order>.+)",
    re.IGNORECASE | re.DOTALL,
)
_THERE = re.compile(r"[\s,]+(?:there|on it|for it)(?: please| pls)?[\s.!]*$", re.IGNORECASE)
_LEFT_ALONE = re.compile(
    rf"{LEAD}(?:(?:leave|keep) (?:the |my )?(?:bot )?[\w-]+ (?:as it is|as is|alone|like that)|"
    r"(?:don'?t|do not) (?:touch|change) (?:the |my )?(?:bot )?[\w-]+)"
    rf"(?:,|;|\.| and| but| then)+ (?:just )?(?P<order>{_VERB} (?:the |my )?(?:bot )?[\w-]+(?: bot)?)[\s.!]*",
    re.IGNORECASE,
)
_THE_OTHER = re.compile(
    rf"{LEAD}(?:(?:i meant?|{_VERB}|use|take|show me|let'?s (?:use|take)) )?(?:the|my) other(?: one| bot)?"
    r"(?: please| pls)?[\s.!]*",
    re.IGNORECASE,
)
_UNDOING = re.compile(r"\b(?:undo|roll ?back)\b", re.IGNORECASE)
_ANY_ENTRY: Json = {"conditions": [{"kind": "price_drop", "percent": 5.0, "window": "1h"}], "risk_management": {}}


def switch_and_build(turn: Turn, text: str) -> Plan | None:
    """The plan for "switch to Moonshot and there buy when …" and its like; None for any other message."""
    if turn.memory.get("bots") and _THE_OTHER.fullmatch(text.strip()):
        return other_bot()
    if may_undo_either(text.strip(), turn.memory):
        return saying(f"Shall I go back to **{turn.memory['left']}**, or undo the last change of this bot's strategy?")
    if _UNDOING.search(text) and intent_of(line_of(text), text, turn.memory) is Intent.SWITCH_BOT:
        return saying("One after the other, please: shall I undo first, or change to the other bot?")
    if alone := _LEFT_ALONE.fullmatch(text.strip()):
        return switch_bot(alone["order"])
    pointed = bot_meant(text.strip(), turn.memory)
    said = _SWITCH_FIRST.fullmatch(pointed or text.strip())
    if said is None:
        return switch_bot(pointed) if pointed else None
    order = _THERE.sub("", said["order"])
    line = line_of(order)
    reading, names = read_strategy(line)
    if mood_of(line) is not Mood.ORDER or names or line.has("TEST|SIMULATION|BOT") or not _is_clear(reading):
        return None
    return _both(turn, said["name"], Request(order, line, reading, names))


def _is_clear(reading: Reading) -> bool:
    if reading.is_doubtful or not (_is_whole(reading) or _only_sets(reading)):
        return False
    try:
        return edited(reading, None if _is_whole(reading) else _ANY_ENTRY) is not None
    except Unclear:
        return False


def _is_whole(reading: Reading) -> bool:
    """It says when to buy, and so makes a strategy where there is none."""
    return bool(reading.buys and reading.entry)


def _only_sets(reading: Reading) -> bool:
    """Nothing but values for settings, which any strategy can take."""
    conditions = reading.entry or reading.exit or reading.removed or reading.window or reading.move or reading.match
    beside = conditions or reading.swap or reading.level or reading.reference or reading.claimed or reading.denied
    return bool(reading.changes) and not beside and all(change.how == "to" for change in reading.changes.values())


def _both(turn: Turn, name: str, request: Request) -> Plan:
    outcome = yield from calling("list_bots")
    if outcome.failure is not None:
        return Say(outcome.failure)
    meant = [bot for bot in bots_of(outcome) if str(bot["name"]).casefold() == name.casefold()]
    if len(meant) != 1:
        return Say(f"Which bot do you mean?\n{replies.listed(outcome.facts)}")
    if not (_is_whole(request.reading) or meant[0].get("summary")):
        return Say(f"**{plain_name(meant[0]['name'])}** has no strategy yet. When should it buy?")
    switched = yield from calling("set_bot", bot=str(meant[0]["name"]))
    if switched.failure is not None:
        return Say(switched.failure)
    return (yield from change_strategy(turn, request))
