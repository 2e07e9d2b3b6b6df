"""Plans about bots: making one, listing them, changing to another."""

import re
from typing import Any

from rapidfuzz import fuzz

from strategybot.conversations.offline import replies
from strategybot.conversations.offline.history import Outcome
from strategybot.conversations.offline.orders.intents import Intent
from strategybot.conversations.offline.orders.lone_orders import doubt_about, foreign_words
from strategybot.conversations.offline.steps import Part, Plan, Say, asking, calling
from strategybot.conversations.offline.words.hearing import line_of

LONGEST_NAME = 60
TRIES = 3
_ALIKE = 85.0
_THERE_AND_BACK = re.compile(r"\bthen\b|\band back\b", re.IGNORECASE)


def create_bot(name: str | None, strategy: dict[str, Any] | None) -> Plan:
    if name is None:
        return asking("What should the bot be called?", {"kind": "name"})
    return _create(name, strategy)


def _create(name: str, strategy: dict[str, Any] | None) -> Plan:
    outcome = yield from calling("create_bot", name=name[:LONGEST_NAME], strategy=strategy)
    if outcome.failure is not None:
        return Say(outcome.failure)
    return Say(replies.created(outcome.facts), {"bots": True})


def made_bot(strategy: dict[str, Any], name: str | None, token: str | None, chain: str | None) -> Part:
    """A bot for the strategy; a name of our own making gives way to one that is taken."""
    given = (name or replies.bot_name(strategy))[:LONGEST_NAME]
    outcome: Outcome = yield from calling("create_bot", name=given, token=token, chain=chain, strategy=strategy)
    for number in range(2, 2 + TRIES):
        if name is not None or outcome.failure is None or "name" not in outcome.failure.lower():
            break
        outcome = yield from calling(
            "create_bot", name=f"{given} ({number})", token=token, chain=chain, strategy=strategy
        )
    return outcome


def list_bots() -> Plan:
    outcome = yield from calling("list_bots")
    return Say(outcome.failure or replies.listed(outcome.facts), _spoken_of(outcome))


def bots_of(listed: Outcome) -> list[dict[str, Any]]:
    return [bot for bot in listed.facts.get("bots") or [] if isinstance(bot, dict)]


def _without_names(text: str, names: list[str]) -> str:
    """What is said besides the bots, whose names may be mistyped."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    words = [word for word in text.split() if not any(_is_like(name, word) for name in names)]
    return " ".join(words)


def _is_like(name: str, word: str) -> bool:
    return fuzz.ratio(name.casefold(), word.casefold()) >= _ALIKE


def switch_bot(text: str) -> Plan:
    outcome = yield from calling("list_bots")
    if outcome.failure is not None:
        return Say(outcome.failure)
    bots = bots_of(outcome)
    wanted = re.split(r"\b(?:instead of|rather than|not)\b", text, flags=re.IGNORECASE)[0]
    names = [str(bot["name"]) for bot in bots]
    named = [name for name in names if name.casefold() in wanted.casefold()]
    named = named or [name for name in names if any(_is_like(name, word) for word in wanted.split())]
    rest = _without_names(text, names)
    words = foreign_words(Intent.SWITCH_BOT, line_of(rest))
    if len(named) > 1 and _THERE_AND_BACK.search(text):
        return Say(f"To which of them?\n{replies.listed(outcome.facts)}", _spoken_of(outcome))
    if named and words:
        return Say(f"{doubt_about(Intent.SWITCH_BOT, words)}\n{replies.listed(outcome.facts)}")
    if not named:
        return Say(f"Which bot do you mean?\n{replies.listed(outcome.facts)}", _spoken_of(outcome))
    return (yield from _changed_to(max(named, key=len), outcome))


def other_bot() -> Plan:
    """ "no, the other one": where there are two, the one that we are not talking about."""
    outcome = yield from calling("list_bots")
    if outcome.failure is not None:
        return Say(outcome.failure)
    others = [bot for bot in bots_of(outcome) if not bot.get("linked")]
    if len(others) != 1 or len(bots_of(outcome)) != 2:
        return Say(f"Which bot do you mean?\n{replies.listed(outcome.facts)}", _spoken_of(outcome))
    return (yield from _changed_to(str(others[0]["name"]), outcome))


def _changed_to(name: str, listed: Outcome) -> Plan:
    left = next((str(bot["name"]) for bot in bots_of(listed) if bot.get("linked")), None)
    switched = yield from calling("set_bot", bot=name)
    said = switched.failure or f"Now we are talking about {replies.shown(switched.facts)}"
    return Say(said, _spoken_of(listed) | ({"left": left} if left and left != name else {}))


def _spoken_of(listed: Outcome) -> dict[str, Any]:
    """What the next word about a bot may point to."""
    return {"bots": True, "names": [str(bot["name"]) for bot in bots_of(listed)]}
