"""Plans about the strategy: changing it, showing it, undoing the last change, and making the bot that it belongs to."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline import replies
from strategybot.conversations.offline.fold import Folded, fold
from strategybot.conversations.offline.history import Call, Outcome, Plan, Say, Turn, calling, saying
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import Question
from strategybot.conversations.offline.runs import Run, asked_before_runs, clear_match, do_runs, find_token
from strategybot.kit.json_object import Json

NOTHING_BEFORE = "There is no earlier strategy to go back to. What should I change?"
CHANGED_SINCE = "The strategy has changed since, so I have left it alone. What should I change?"


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
    is_fresh = change.is_new_bot or not current.bot
    before = None if is_fresh else current.facts.get("strategy")
    if change.undoes and not current.facts.get("has_previous"):
        return Say(NOTHING_BEFORE)
    base = current.facts.get("previous_strategy") if change.undoes else before
    try:
        folded = fold(change.matches, base, turn.memory, turn.grammar)
    except Question as question:
        pending = {"pending": {**question.pending, "text": change.text}} if question.pending else {}
        return Say(f"{change.doubt} {question.text}".strip(), pending)
    if asked := (yield from asked_before_runs(change.runs)):
        return Say(asked)
    token, stranger = yield from _token(folded, {} if is_fresh else current.bot)
    if doubt := stranger or change.doubt or " ".join(folded.doubts):
        return _preview(change, folded, before, doubt)
    if folded.strategy != before:
        return (yield from _write(turn, change, folded, is_fresh, token))
    if change.runs:
        return (yield from do_runs(turn, change.runs))
    return Say(f"It is so already. {folded.summary} What should I change?")


def _preview(change: Change, folded: Folded, before: Json | None, why: str) -> Say:
    pending: Json = {"kind": "apply", "strategy": folded.strategy, "before": before, "last": folded.last}
    pending |= {"is_new_bot": change.is_new_bot, "bot_name": change.bot_name}
    pending |= {"runs": [run.plain() for run in change.runs], "token": folded.token.written if folded.token else None}
    return Say(f"{why} It would read: {folded.summary} Apply it? (yes/no)", {"pending": pending})


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
    is_fresh = bool(pending.get("is_new_bot")) or not current.bot
    if pending.get("before") != (None if is_fresh else current.facts.get("strategy")):
        return Say(CHANGED_SINCE)
    token = None
    if pending.get("token") and is_fresh:
        token, _ = yield from find_token(pending["token"])
    runs = [Run(**run) for run in pending.get("runs") or []]
    change = Change("", (), runs=runs, is_new_bot=is_fresh, bot_name=pending.get("bot_name"))
    folded = Folded(pending["strategy"], last=pending.get("last") or {})
    return (yield from _write(turn, change, folded, is_fresh, token))


def clear_strategy() -> Plan:
    current = yield from calling("get_current_strategy")
    before = current.facts.get("strategy")
    if before is None:
        return Say(replies.nothing_yet(current))
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
    return Say(outcome.failure or f"Undone. {outcome.facts.get('summary') or replies.NO_STRATEGY}")


def show_strategy(turn: Turn, matches: Sequence[Match], is_change: bool, why: str) -> Plan:
    """Show the strategy. If the question holds a change, show what it would be and offer it."""
    current = yield from calling("get_current_strategy")
    before = current.facts.get("strategy")
    now = replies.shown(current.facts) if current.bot else replies.NO_BOT
    if is_change:
        try:
            folded = fold(matches, before, {}, turn.grammar)
        except Question:
            return Say(f"I have changed nothing. {now} What should I do?")
        if folded.strategy != before:
            return _preview(Change("", matches), folded, before, why)
    asked = [match.values["part"].key for match in matches if match.name == "show_part"]
    return Say(now, {"last": {"part": asked[0]}} if len(asked) == 1 else {})


def create_bot(name: str | None) -> Plan:
    if name is None:
        return (yield from saying("What should the bot be called?", {"pending": {"kind": "name"}}))
    outcome = yield from make_bot(None, name, None)
    return Say(outcome.failure or replies.changed(outcome.facts, fresh=True))


def switch_bot(name: str) -> Plan:
    wanted = name.lower().removeprefix("the ").removesuffix(" bot")
    outcome = yield from calling("set_bot", bot=wanted)
    asked = f"{outcome.failure} Which one do you mean?" if outcome.failure is not None else ""
    return Say(asked or f"From here on this is about {replies.shown(outcome.facts)}")
