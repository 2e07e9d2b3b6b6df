"""Plans about the strategy: changing it, showing it, undoing the last change, and making the bot that it belongs to."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline import replies
from strategybot.conversations.offline.fold import Folded, fold
from strategybot.conversations.offline.history import Call, Json, Outcome, Turn
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import Question
from strategybot.conversations.offline.runs import Run, asked_before_runs, do_runs
from strategybot.conversations.offline.steps import Plan, Say, calling
from strategybot.conversations.offline.tokens import clear_match, find_token

NOTHING_BEFORE = "There is no earlier strategy to go back to. What should I change?"
CHANGED_SINCE = "The strategy has changed since, so I have left it alone. What should I change?"
MOST_NAMES = 20


@dataclass(frozen=True)
class Change:
    """What a message asks for, and the words that make it doubtful."""

    text: str
    matches: Sequence[Match]
    doubt: str = ""
    runs: Sequence[Run] = field(default_factory=tuple)
    is_new_bot: bool = False
    bot_name: str | None = None
    undoes: bool = False


def change_strategy(turn: Turn, change: Change) -> Plan:
    current = yield from calling("get_current_strategy")
    is_fresh = change.is_new_bot or not current.has_bot
    before = None if is_fresh else current.facts.get("strategy")
    if change.undoes and not current.facts.get("has_previous"):
        return Say(NOTHING_BEFORE)
    try:
        folded = fold(
            change.matches,
            current.facts.get("previous_strategy") if change.undoes else before,
            turn.memory,
            turn.grammar,
        )
    except Question as question:
        pending = {**question.pending, "text": change.text} if question.pending else {}
        why = f"{change.doubt} " if change.doubt else ""
        return Say(why + question.text, {"pending": pending} if pending else {})
    asked = yield from asked_before_runs(change.runs)
    if asked:
        return Say(asked)
    doubt = change.doubt or " ".join(folded.doubts)
    token, stranger = yield from _token(folded, {} if is_fresh else current.facts.get("bot") or {})
    if doubt or stranger:
        return _preview(change, folded, before, stranger or doubt)
    if folded.strategy == before:
        return (yield from _unchanged(turn, change, folded))
    return (yield from _write(turn, change, folded, is_fresh, token))


def _unchanged(turn: Turn, change: Change, folded: Folded) -> Plan:
    if change.runs:
        return (yield from do_runs(turn, change.runs))
    return Say(f"It is so already. {folded.summary} What should I change?")


def _preview(change: Change, folded: Folded, before: Json | None, why: str) -> Say:
    pending: Json = {"kind": "apply", "strategy": folded.strategy, "before": before, "last": folded.last}
    pending |= {
        "is_new_bot": change.is_new_bot,
        "bot_name": change.bot_name,
        "runs": [run.plain() for run in change.runs],
    }
    pending["token"] = folded.token.written if folded.token else None
    return Say(replies.preview(folded.summary, why), {"pending": pending})


def _token(folded: Folded, bot: Json) -> Generator[Call, Outcome, tuple[Json | None, str]]:
    """The token that the message names; a sentence if there is none of that name, or if the bot trades another one."""
    if folded.token is None:
        return None, ""
    name = folded.token.written.removeprefix("$")
    found = yield from calling("search_tokens", query=name)
    token = clear_match(found.rows, name)
    if token is None:
        return None, f"I found no token called “{plain_name(name)}”."
    if bot.get("token") and str(token["token_id"]).split("-")[0] != str(bot["token"]).split("-")[0]:
        return None, f"This bot trades another token, not “{plain_name(name)}”."
    return token, ""


def _write(turn: Turn, change: Change, folded: Folded, is_fresh: bool, token: Json | None) -> Plan:
    memory: Json = {"last": folded.last}
    if folded.token is not None:
        memory["token"] = folded.token.written.removeprefix("$")
    if is_fresh:
        outcome = yield from make_bot(folded.strategy, change.bot_name, token)
    else:
        outcome = yield from calling("update_trading_strategy", strategy=folded.strategy)
    if outcome.failure is not None:
        return Say(outcome.failure)
    if change.runs and outcome.facts.get("backtests_left") != 0:
        opening = f"Done. {outcome.facts.get('summary')}\n\n"
        told = yield from do_runs(turn.remembering(memory), change.runs, opening)
        return Say(told.text, {**memory, **told.memory})
    used_up = f" {replies.TESTS_USED_UP}" if change.runs else ""
    return Say(replies.changed(outcome.facts, is_fresh) + used_up, memory)


def make_bot(strategy: Json | None, name: str | None, token: Json | None) -> Generator[Call, Outcome, Outcome]:
    """Create the bot. A name of our own gets a number if it is taken; a name that the user gave does not."""
    base = name or (replies.bot_name(strategy) if strategy else "My bot")
    where = {"token": token["token_id"], "chain": token["chain"]} if token else {}
    outcome = yield from calling("create_bot", name=base, strategy=strategy, **where)
    if outcome.failure is None or name is not None or "name" not in outcome.failure:
        return outcome
    bots = yield from calling("list_bots")
    taken = {str(bot.get("name")).lower() for bot in bots.facts.get("bots", [])}
    free = next(f"{base} ({number})" for number in range(2, 1000) if f"{base} ({number})".lower() not in taken)
    return (yield from calling("create_bot", name=free, strategy=strategy, **where))


def apply_pending(turn: Turn, pending: Json) -> Plan:
    """Do what was previewed, unless the strategy has changed since."""
    current = yield from calling("get_current_strategy")
    is_fresh = bool(pending.get("is_new_bot")) or not current.has_bot
    before = None if is_fresh else current.facts.get("strategy")
    if before != pending.get("before"):
        return Say(CHANGED_SINCE)
    runs = [Run(run["tool"], run["arguments"], run["token"]) for run in pending.get("runs") or []]
    token = None
    if pending.get("token") and is_fresh:
        token, _ = yield from find_token(pending["token"])
    change = Change("", (), runs=runs, is_new_bot=is_fresh, bot_name=pending.get("bot_name"))
    return (
        yield from _write(turn, change, Folded(pending["strategy"], last=pending.get("last") or {}), is_fresh, token)
    )


def clear_strategy() -> Plan:
    current = yield from calling("get_current_strategy")
    before = current.facts.get("strategy")
    if before is None:
        return Say(replies.NO_STRATEGY if current.has_bot else replies.NO_BOT)
    return Say("That clears the whole strategy. Shall I? (yes/no)", {"pending": {"kind": "clear", "before": before}})


def cleared(pending: Json) -> Plan:
    current = yield from calling("get_current_strategy")
    if current.facts.get("strategy") != pending.get("before"):
        return Say(CHANGED_SINCE)
    outcome = yield Call("update_trading_strategy", {"strategy": None})
    return Say(outcome.failure or replies.changed(outcome.facts, fresh=False))


def undo() -> Plan:
    current = yield from calling("get_current_strategy")
    if not current.facts.get("has_previous"):
        return Say(NOTHING_BEFORE)
    outcome = yield Call("update_trading_strategy", {"strategy": current.facts["previous_strategy"]})
    return Say(outcome.failure or replies.undone(outcome.facts))


def show_strategy(turn: Turn, matches: Sequence[Match], is_change: bool, why: str) -> Plan:
    """Show the strategy. If the question holds a change, show what it would be and offer it."""
    current = yield from calling("get_current_strategy")
    if not current.has_bot and not is_change:
        return Say(replies.NO_BOT)
    before = current.facts.get("strategy")
    if is_change:
        try:
            folded = fold(matches, before, {}, turn.grammar)
        except Question:
            now = replies.shown(current.facts) if current.has_bot else replies.NO_BOT
            return Say(f"I have changed nothing. {now} What should I do?", {})
        if folded.strategy != before:
            return _preview(Change("", matches), folded, before, why or "I have changed nothing.")
    asked = [match.values["part"].key for match in matches if match.name == "show_part"]
    return Say(replies.shown(current.facts), {"last": {"part": asked[0]}} if len(asked) == 1 else {})


def create_bot(name: str | None) -> Plan:
    if name is None:
        return (yield from _ask_name())
    outcome = yield from make_bot(None, name, None)
    return Say(outcome.failure or replies.created(outcome.facts))


def _ask_name() -> Plan:
    yield from ()
    return Say("What should the bot be called?", {"pending": {"kind": "name"}})


def list_bots() -> Plan:
    outcome = yield from calling("list_bots")
    return Say(outcome.failure or replies.listed(outcome.facts))


def switch_bot(name: str) -> Plan:
    outcome = yield from calling("list_bots")
    names = [str(bot["name"]) for bot in outcome.facts.get("bots", [])]
    listed = ", ".join(plain_name(each) for each in names[:MOST_NAMES])
    wanted = name.lower().removeprefix("the ").removesuffix(" bot")
    found = [each for each in names if each.lower() == wanted]
    if not found:
        yours = f"Yours are: {listed}." if names else "You have none yet."
        return Say(f"No bot of yours is called “{plain_name(name)}”. {yours} Which one do you mean?")
    outcome = yield from calling("set_bot", bot=found[0])
    return Say(outcome.failure or f"From here on this is about {replies.shown(outcome.facts)}")
