"""Two orders in one message that belong together: change to a bot, and say there when it buys.

Both are done or neither: the rule behind has to be whole and clear before any bot is changed to.
"""

import re

from strategybot.conversations.offline import replies
from strategybot.conversations.offline.field_edits import Unclear
from strategybot.conversations.offline.hearing import line_of
from strategybot.conversations.offline.history import Turn
from strategybot.conversations.offline.mood import Mood, mood_of
from strategybot.conversations.offline.reading import Reading
from strategybot.conversations.offline.steps import Plan, Say, calling
from strategybot.conversations.offline.strategy_edits import edited
from strategybot.conversations.offline.strategy_plans import Request, change_strategy
from strategybot.conversations.offline.strategy_reading import read_strategy

_SWITCH_FIRST = re.compile(
    r"(?:(?:please|ok|now|hey)[, ]+)*(?:switch|change|go|move)(?: over| back)? to (?:the |my )?(?:bot )?"
    r"(?P<name>[\w-]+)(?: bot)?(?:,|;|\.| and| then)+(?: and| then| there| now| please|,)* (?P<order>.+)",
    re.IGNORECASE | re.DOTALL,
)


def switch_and_build(turn: Turn, text: str) -> Plan | None:
    """The plan for "switch to Moonshot and there buy when …"; None for any other message."""
    said = _SWITCH_FIRST.fullmatch(text.strip())
    if said is None:
        return None
    line = line_of(said["order"])
    reading, names = read_strategy(line)
    if mood_of(line) is not Mood.ORDER or names or line.has("TEST|SIMULATION|BOT") or not _is_whole(reading):
        return None
    return _both(turn, said["name"], Request(said["order"], line, reading, names))


def _is_whole(reading: Reading) -> bool:
    doubtful = reading.unknown or reading.reserved or reading.denied_by or reading.negated or reading.refused
    if doubtful or reading.bare or not (reading.buys and reading.entry):
        return False
    try:
        return edited(reading, None) is not None
    except Unclear:
        return False


def _both(turn: Turn, name: str, request: Request) -> Plan:
    outcome = yield from calling("list_bots")
    if outcome.failure is not None:
        return Say(outcome.failure)
    names = [str(bot["name"]) for bot in outcome.facts.get("bots") or [] if isinstance(bot, dict)]
    meant = [each for each in names if each.casefold() == name.casefold()]
    if len(meant) != 1:
        return Say(f"Which bot do you mean?\n{replies.listed(outcome.facts)}")
    switched = yield from calling("set_bot", bot=meant[0])
    if switched.failure is not None:
        return Say(switched.failure)
    return (yield from change_strategy(turn, request))
