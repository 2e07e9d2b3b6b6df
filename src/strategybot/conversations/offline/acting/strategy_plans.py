"""Plans about the strategy: changing it, showing it, taking a change back."""

from collections.abc import Generator
from dataclasses import dataclass, replace

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline import replies
from strategybot.conversations.offline.acting.bot_plans import made_bot
from strategybot.conversations.offline.acting.run_plans import run_of
from strategybot.conversations.offline.acting.token_plans import clear_match
from strategybot.conversations.offline.history import Call, Json, Outcome, Turn
from strategybot.conversations.offline.orders.runs import Run
from strategybot.conversations.offline.reading import NAMES, Reading
from strategybot.conversations.offline.steps import Plan, Say, calling
from strategybot.conversations.offline.strategy.field_edits import Unclear
from strategybot.conversations.offline.strategy.strategy_edits import edited
from strategybot.conversations.offline.turns.remembering import remembered, untimed
from strategybot.conversations.offline.words.groundwork import FIELDS
from strategybot.conversations.offline.words.lines import Line
from strategybot.trading.language.strategy import Strategy

MOST_NAMES = 2
_SUBJECT = (
    r"(?:if|when|whenever|once|while|after) (?:the )?(?:UNKNOWN|€)"
    r"(?= (?:\S+ )?(?:DROP|RISE|LOSS|PROFIT|BREAK|CROSS|moves|is|goes|has))"
)
UNCHANGED = "I have changed nothing."
NOTHING_BEFORE = "There is no earlier strategy to go back to. What should I change?"


@dataclass(frozen=True)
class Request:
    """A change that a message asks for, and what it wants done with it."""

    text: str
    line: Line
    reading: Reading
    names: list[str]
    run: Run | None = None
    bot_name: str | None = None
    new_bot: bool = False
    on_previous: bool = False  # the last change is taken back, and this one made in its place


def change_strategy(turn: Turn, request: Request) -> Plan:
    current = yield from calling("get_current_strategy")
    fresh = request.new_bot or not current.has_bot
    before = None if fresh else current.facts.get("strategy")
    if request.on_previous and not current.facts.get("has_previous"):
        return Say(NOTHING_BEFORE)
    try:
        after = edited(request.reading, current.facts["previous_strategy"] if request.on_previous else before)
    except Unclear as unclear:
        return Say(unclear.question, {"pending": {"kind": "more", "text": request.text, "question": unclear.question}})
    subject = yield from _other_subject(request, None if fresh else current.facts["bot"].get("token"))
    held_back = _held_back(request, after, before) if subject is None else _previewed(request, after, before, subject)
    if held_back is not None or after is None:
        return held_back or Say(replies.NO_STRATEGY)
    request, asked = yield from _on_known_token(_named_for_run(request, current))
    if asked is not None:
        return Say(asked)
    strangers = yield from _strangers(request)
    if strangers:
        return _previewed(request, after, before, replies.doubt(strangers))
    if request.run is not None and after == before:  # "simulate it with a 3% stop", which it has
        return (yield from run_of(turn, request.run, current.facts.get("bot") or {}))
    return (yield from _write(turn, request, before, after, fresh))


def _held_back(request: Request, after: Json | None, before: Json | None) -> Say | None:
    """What is said in place of a change that is unclear, already so, or too much to do without a yes."""
    unsure = _doubt(request)
    if after is None:
        question = "That clears the whole strategy. Shall I? (yes/no)"
        pending = {"kind": "apply", "strategy": None, "before": before}
        return Say(question, {"pending": pending}) if before is not None else None
    if unsure is not None:
        return _previewed(request, after, before, unsure)
    if request.run is not None:
        return Say(request.run.questions[0]) if request.run.questions else None
    return (
        Say(f"It is so already. {Strategy.model_validate(after).summary} What should I change?")
        if after == before
        else None
    )


def _other_subject(request: Request, token: str | None) -> Generator[Call, Outcome, str | None]:
    """ "if btc drops 5%, sell", "only for KOI": a bot with a token of its own watches no other."""
    subjects = [item.text for _, last in request.line.spans(_SUBJECT) for item in request.line.items[last : last + 1]]
    subjects += [name for name in request.names if name not in subjects]
    if token is None or (request.run is not None and request.run.token is not None):
        return None
    for subject in subjects[:MOST_NAMES]:
        found = yield from calling("search_tokens", query=subject.removeprefix("$"))
        meant = clear_match(found.rows, subject.removeprefix("$"))
        if meant is None or meant["token_id"].split("-")[0] != token.split("-")[0]:
            return f"This bot looks at the price of its own token, not at “{plain_name(subject)}”."
    return None


def _write(turn: Turn, request: Request, before: Json | None, strategy: Json, fresh: bool) -> Plan:
    if fresh:
        token, chain = yield from _token(request)
        outcome = yield from made_bot(strategy, request.bot_name, token, chain)
    else:
        outcome = yield from calling("update_trading_strategy", strategy=strategy)
    if outcome.failure is not None:
        return Say(outcome.failure)
    if request.run is not None and outcome.facts.get("backtests_left") != 0:
        opening = f"Done. {outcome.facts.get('summary')}\n\n"
        said = yield from run_of(turn, request.run, outcome.facts.get("bot") or {}, opening)
        return replace(said, memory=said.memory | _marked(untimed(request.reading, before, strategy), request))
    memory = _marked(remembered(request.reading, before, strategy), request) | ({"bots": True} if fresh else {})
    return Say(replies.changed(outcome.facts, fresh), memory)


def _marked(memory: Json, request: Request) -> Json:
    """What stood before a change that took another's place is that other one: no further retort goes back to it."""
    return memory | {"gone": [], "replaced": True} if request.on_previous else memory


def _named_for_run(request: Request, current: Outcome) -> Request:
    """ "buy KOI when … and backtest it": where the bot has no token, it is KOI that is tested."""
    run = request.run
    owned = (current.facts.get("bot") or {}).get("token") if not request.new_bot else None
    if run is None or run.token is not None or owned or not request.names:
        return request
    return replace(request, run=replace(run, token=request.names[0].removeprefix("$")))


def _on_known_token(request: Request) -> Generator[Call, Outcome, tuple[Request, str | None]]:
    """Where a run is wanted as well, its token has to be known before anything is changed."""
    run = request.run
    if run is None or (run.token is None and "chain" not in run.arguments):
        return request, None
    if run.token is None:
        return request, replies.which_token([], f"{UNCHANGED} ")
    found = yield from calling("search_tokens", query=run.token, chain=run.arguments.get("chain"))
    token = clear_match(found.rows, run.token)
    if token is None:
        return request, f"{UNCHANGED} {replies.found(found.rows, run.token)}\nWhich one should I take?"
    arguments = {**run.arguments, "token": token["token_id"], "chain": token["chain"]}
    return replace(request, run=Run(run.tool, arguments, questions=run.questions)), None


def _strangers(request: Request) -> Generator[Call, Outcome, list[str]]:
    """Words taken for tokens, though not written as such, that the market does not know: "buy milk when …"."""
    strangers = []
    for name in request.names[:MOST_NAMES]:
        if not (name.isupper() or name.startswith(("$", "0x"))):
            found = yield from calling("search_tokens", query=name)
            strangers += [name] if found.failure is None and not found.rows else []
    return strangers


def _token(request: Request) -> Generator[Call, Outcome, tuple[str | None, str | None]]:
    """The token that the message names, if the market knows exactly one."""
    if not request.names or (request.run is not None and request.run.token):
        return None, None
    query = request.names[0].removeprefix("$")
    found = yield from calling("search_tokens", query=query)
    token = clear_match(found.rows, query)
    return (token["token_id"], token["chain"]) if token else (None, None)


def _doubt(request: Request) -> str | None:
    reading = request.reading
    unread = [*reading.unknown, *reading.reserved, *reading.denied_by]
    if unread:
        return replies.doubt(unread)
    if len({name.removeprefix("$").casefold() for name in request.names}) > 1:
        return "A bot looks at the price of one token, and I read more than one."
    said = reading.entry or reading.exit or reading.changes
    return "You said “no”, so I ask first." if reading.negated and not said else None


def _previewed(request: Request, after: Json | None, before: Json | None, why: str) -> Say:
    if after is None or after == before:
        return Say(f"{why} What should I do?")
    pending: Json = {"kind": "apply", "strategy": after, "before": before, "order": request.text}
    if request.new_bot:
        pending |= {"new_bot": True, "name": request.bot_name}
    return Say(replies.preview(after, why), {"pending": pending})


def apply_pending(pending: Json) -> Plan:
    """What was previewed, unless the strategy has become another one since."""
    current = yield from calling("get_current_strategy")
    strategy, before = pending["strategy"], current.facts.get("strategy")
    fresh = bool(pending.get("new_bot")) or not current.has_bot
    if not fresh and before != pending.get("before"):
        why = "The strategy has changed since I asked."
        return Say(replies.preview(strategy, why), {"pending": {**pending, "before": before}}) if strategy else Say(why)
    if fresh:
        outcome = yield from made_bot(strategy, pending.get("name"), None, None)
    else:
        outcome = yield Call("update_trading_strategy", {"strategy": strategy})
    return Say(outcome.failure or replies.changed(outcome.facts, fresh))


def apply_and_run(turn: Turn, pending: Json, run: Run) -> Plan:
    """What was previewed, and a test of it; either alone is asked about."""
    current = yield from calling("get_current_strategy")
    same = current.has_bot and current.facts.get("strategy") == pending.get("before")
    if not same or pending.get("new_bot") or pending["strategy"] is None or current.facts.get("backtests_left") == 0:
        return Say("One after the other: shall I do what I asked about? (yes/no)", {"pending": pending})
    outcome = yield Call("update_trading_strategy", {"strategy": pending["strategy"]})
    if outcome.failure is not None:
        return Say(outcome.failure)
    said = f"Done. {outcome.facts.get('summary')}\n\n"
    return (yield from run_of(turn, run, outcome.facts.get("bot") or {}, said))


def show_strategy(request: Request) -> Plan:
    """An answer to a question: the word explained, or the strategy read out; a change it asks about is offered."""
    meant = _explained(request.line)
    current = yield from calling("get_current_strategy")
    if not current.has_bot:
        return Say(f"{meant or ''} {replies.NO_BOT}".strip())
    told = f"{meant or ''} {replies.shown(current.facts)}".strip()
    before = current.facts.get("strategy")
    try:
        after = edited(request.reading, before) if _offers(request.reading) else before
    except Unclear:
        after = before
    if after == before or after is None:
        return Say(
            f"{told} What would you like to change{'' if current.facts.get('backtests_left') == 0 else ' or test'}?",
            _asked_about(request.line),
        )
    offered = _previewed(request, after, before, f"{told} {UNCHANGED} If you want what you asked about:")
    return replace(offered, memory=offered.memory | _asked_about(request.line))


def _asked_about(line: Line) -> Json:
    """The one setting that a question names."""
    named = {item.name for item in line.items if item.name in FIELDS}
    return {"about": NAMES[FIELDS[named.pop()]]} if len(named) == 1 else {}


def _offers(reading: Reading) -> bool:
    return bool(reading.changes or reading.entry or reading.window) and not reading.unknown


def _explained(line: Line) -> str | None:
    if not line.has("what|whats|how|why|does|do|SHOW|is"):
        return None
    return next((words for name, words in replies.GLOSSARY.items() if line.has(name)), None)
