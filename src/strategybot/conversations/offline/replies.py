"""The sentences the offline model says."""

from collections.abc import Sequence

from strategybot.conversations.agent import telling
from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.history import Outcome
from strategybot.conversations.offline.lexicon import sentences
from strategybot.kit.json_object import Json

SENTENCES = sentences()


def changed(facts: Json, fresh: bool, notes: Sequence[str] = ()) -> str:
    """Return what was changed and what can be done next. The web app tests or shows a first strategy itself."""
    begun = f"I made the bot **{plain_name((facts.get('bot') or {}).get('name'))}**." if fresh else "Done."
    left, undo = facts.get("backtests_left"), "" if fresh else ", or “undo” to take this back"
    if not facts.get("summary"):
        return f"{begun} It has no strategy now. When should it buy, and when should it sell?"
    if left == 0:
        offer = f"You can change it further{undo}. To test it again, sign up: it is free."
    elif left is not None:
        offer = "The chart shows where it would have bought lately."
    elif fresh or facts.get("before", True) is None:
        offer = "A backtest shows what it would have done."
    else:
        offer = f"Shall I test it? Say “backtest it”{undo}."
    return " ".join((begun, facts["summary"], *notes, offer))


def bots(told: Outcome) -> str:
    return f"Your bots:\n{telling.bots_words(told.facts)}" if told.facts.get("bots") else SENTENCES["no_bot"]


def risk_line(token: Json, risk: Json) -> str:
    return f"{token['symbol']} on {token['chain']}: {telling.risk_words(risk)}"


def found(tokens: list[Json], query: str) -> str:
    if not tokens:
        return f"I found no token for “{plain_name(query)}”. Is there another name or an address for it?"
    opening = f"This is what I found for “{plain_name(query)}”" if query else "This is what trends now"
    return f"{opening}:\n{telling.tokens_words(tokens[:5])}"


def which_token(tokens: list[Json]) -> str:
    lines = [f"- {token['symbol']} ({token['name']}) on {token['chain']}" for token in tokens[:4]]
    examples = ["For example:", *lines, "Which one?"] if lines else []
    return "\n".join(["On which token? Give me a symbol, a name or an address.", *examples])


def report(done: list[Outcome]) -> str:
    """Return what the tools did before another model broke off."""
    if not done:
        return "The other model broke off before it did anything. What should I do?"
    lines = [
        f"- {telling.reported(each.call.name, each.content)}"
        if each.failure is None
        else f"- {each.call.name.replace('_', ' ')}: {each.failure}"
        for each in done
    ]
    return "\n".join(["The other model broke off. This is what was done:", *lines])
