"""Plans about the strategy, the bots and tokens, and about what a run did."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, replace

from strategybot.conversations.agent import run_reports, telling
from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.checks import Reading
from strategybot.conversations.offline.conditions import NeedsClarification
from strategybot.conversations.offline.fold import Folded, fold
from strategybot.conversations.offline.history import Call, Outcome, Plan, Say, Turn, calling, saying
from strategybot.conversations.offline.lexicon import SENTENCES
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.runs import Run, do_runs, fill, find_token
from strategybot.kit.json_object import Json
from strategybot.trading.words.naming import strategy_name

ABOUT_RESULT = frozenset({"result", "why", "best", "worst", "costs", "how_many", "verdict"})


def change_strategy(turn: Turn, reading: Reading, doubt: str = "", runs: Sequence[Run] = ()) -> Plan:
    current = yield from calling("get_current_strategy")
    is_fresh = "new_bot" in reading.names or not current.bot
    before = None if is_fresh else current.facts.get("strategy")
    try:
        folded = fold(reading.matches, before, turn.memory, turn.grammar, is_first=not current.bot)
    except NeedsClarification as question:
        pending = {"pending": {"text": reading.text, **question.pending}} if question.pending else {}
        return Say(f"{doubt} {question.text}".strip(), pending)
    if asked := next((run for run in runs if run.question), None):
        return asked.asked(reading.text)
    token, stranger = yield from _token(folded, {} if is_fresh else current.bot)
    is_changed, doubt = folded.strategy != before, stranger or doubt or " ".join(folded.doubts)
    if doubt and (is_changed or runs):
        return _preview(reading, runs, folded, before, doubt)
    if is_changed:
        name = reading.bot_name if is_fresh else None
        return (yield from _write(turn, folded, runs, token, is_fresh=is_fresh, name=name))
    if runs:
        return (yield from do_runs(turn, runs))
    return Say(f"It is so already. {folded.summary} What should I change?")


def _preview(reading: Reading, runs: Sequence[Run], folded: Folded, before: Json | None, why: str) -> Say:
    pending: Json = {"kind": "apply", "strategy": folded.strategy, "before": before, "last": folded.last}
    pending |= {"is_new_bot": "new_bot" in reading.names, "bot_name": reading.bot_name}
    pending |= {"runs": [asdict(run) for run in runs], "token": folded.token.written if folded.token else None}
    read = " ".join((why, "It would read:", folded.summary, *folded.notes))
    return Say(f"{read} Apply it? (yes/no)", {"pending": pending})


def _token(folded: Folded, bot: Json) -> Generator[Call, Outcome, tuple[Json | None, str]]:
    """Return the token that the message names, or a sentence if it is unknown or the bot trades another one."""
    if folded.token is None:
        return None, ""
    name = folded.token.written.removeprefix("$")
    token, _ = yield from find_token(name)
    if token is None:
        return None, f"I found no token called “{plain_name(name)}”."
    if bot.get("token") and str(token["token_id"]).split("-")[0] != str(bot["token"]).split("-")[0]:
        return None, f"This bot trades another token, not “{plain_name(name)}”."
    return token, ""


def _write(
    turn: Turn, folded: Folded, runs: Sequence[Run], token: Json | None, *, is_fresh: bool, name: str | None
) -> Plan:
    memory: Json = {"last": folded.last}
    memory |= {"token": folded.token.written.removeprefix("$")} if folded.token else {}
    if is_fresh:
        outcome = yield from make_bot(folded.strategy, name, token)
    else:
        outcome = yield Call("update_trading_strategy", {"strategy": folded.strategy})
    if outcome.failure is not None:
        return Say(outcome.failure)
    if runs and outcome.facts.get("backtests_left") != 0:
        is_watch = "start_watch" in {run.tool for run in runs}  # it tells what it waits for, and sells nothing
        opening = "" if is_watch else " ".join(("Done.", str(outcome.facts.get("summary")), *folded.notes)) + "\n\n"
        told = yield from do_runs(replace(turn, memory={**turn.memory, **memory}), runs, opening)
        return Say(told.text, {**memory, **told.memory})
    changed = telling.changed_words(outcome.facts, is_fresh, folded.notes)
    if is_fresh and outcome.facts.get("backtests_left") == 1:  # the tool asks first
        lent, said = ({}, "") if outcome.bot.get("token") else (yield from _lend_token())
        told = yield from do_runs(turn, [Run("run_backtest", lent)], f"{changed} {said}")
        return Say(told.text, {**memory, **told.memory})
    used_up = f" {SENTENCES['tests_used_up']}" if runs else ""
    can_test = folded.strategy and outcome.facts.get("backtests_left") != 0
    memory |= {"pending": {"kind": "run", "run": asdict(Run("run_backtest"))}} if can_test else {}
    return Say(changed + used_up, memory)


def _lend_token() -> Generator[Call, Outcome, tuple[Json, str]]:
    """Return the first trending token as arguments of a run, for a visitor who named none, and what to say of it."""
    offered = yield from calling("search_tokens", query="")
    for token in offered.rows:
        said = f"You named no token, so it would be tested on {plain_name(token['symbol'])} on {token['chain']}. "
        return {"token": token["token_id"], "chain": token["chain"]}, said
    return {}, ""


def make_bot(strategy: Json | None, name: str | None, token: Json | None) -> Generator[Call, Outcome, Outcome]:
    """Create the bot. If its name is taken and the user did not choose it, add a number."""
    base = name or (strategy_name(strategy, plain_name(token["symbol"]) if token else None) if strategy else "My bot")
    where = {"token": token["token_id"], "chain": token["chain"]} if token else {}
    outcome = yield from calling("create_bot", name=base, strategy=strategy, **where)
    if outcome.failure is None or name is not None or "name" not in outcome.failure:
        return outcome
    bots = yield from calling("list_bots")
    taken = {str(bot.get("name")).lower() for bot in bots.facts.get("bots", [])}
    free = next(f"{base} ({number})" for number in range(2, 1000) if f"{base} ({number})".lower() not in taken)
    return (yield from calling("create_bot", name=free, strategy=strategy, **where))


def apply_pending(turn: Turn, pending: Json) -> Plan:
    current = yield from calling("get_current_strategy")
    is_fresh = bool(pending.get("is_new_bot")) or not current.bot
    if pending.get("before") != (None if is_fresh else current.facts.get("strategy")):
        return Say("The strategy has changed since, so I have left it alone. What should I change?")
    token = None
    if pending.get("token") and is_fresh:
        token, _ = yield from find_token(pending["token"])
    runs = [Run(**run) for run in pending.get("runs") or []]
    folded, name = Folded(pending.get("strategy"), last=pending.get("last") or {}), pending.get("bot_name")
    return (yield from _write(turn, folded, runs, token, is_fresh=is_fresh, name=name))


def clear_strategy() -> Plan:
    current = yield from calling("get_current_strategy")
    before = current.facts.get("strategy")
    if before is None:
        return Say(SENTENCES["no_strategy"] if current.bot else SENTENCES["no_bot"])
    return Say("That clears the whole strategy. Shall I? (yes/no)", {"pending": {"kind": "apply", "before": before}})


def stop_watch() -> Plan:
    """Ask before the watch of the bot ends."""
    bot = yield from calling("get_bot_info")
    run_id = bot.facts.get("watch_run_id")
    if bot.failure is not None or run_id is None:
        return Say(bot.failure or SENTENCES["no_watch"])
    return Say("That ends the watch for good. Shall I? (yes/no)", {"pending": {"kind": "end_watch", "run_id": run_id}})


def end_watch(run_id: str) -> Plan:
    outcome = yield from calling("stop_run", run_id=run_id)
    return Say(outcome.failure or "The watch has ended. What next?")


def undo() -> Plan:
    current = yield from calling("get_current_strategy")
    if not current.facts.get("has_previous"):
        return Say("There is no earlier strategy to go back to. What should I change?")
    outcome = yield Call("undo", {})
    return Say(outcome.failure or f"Undone. {outcome.facts.get('summary') or SENTENCES['no_strategy']}")


def show_strategy(matches: Sequence[Match]) -> Plan:
    current = yield from calling("get_current_strategy")
    asked = [match.values["part"].key for match in matches if match.name in ("show_part", "mention")]
    memory = {"last": {"part": asked[0]}} if len(asked) == 1 else {}
    return Say(telling.strategy_words(current.facts) if current.bot else SENTENCES["no_bot"], memory)


def create_bot(name: str | None) -> Plan:
    if name is None:
        return (yield from saying("What should the bot be called?", {"pending": {"kind": "name"}}))
    outcome = yield from make_bot(None, name, None)
    return Say(outcome.failure or telling.changed_words(outcome.facts, fresh=True))


def switch_bot(name: str) -> Plan:
    wanted = name.lower().removeprefix("the ").removesuffix(" bot")
    outcome = yield from calling("set_bot", bot=wanted)
    if outcome.failure is not None:
        return Say(f"{outcome.failure} Which one do you mean?", fill("switch to {answer}"))
    return Say(f"From here on this is about {telling.described(outcome.facts)}")


def tell(tool: str, words: Callable[[Outcome], str], topic: str = "", **arguments: object) -> Plan:
    """Call a tool and say what it returned; the next message may go on with the topic."""
    outcome = yield from calling(tool, **arguments)
    if outcome.failure is not None:
        return Say(f"{outcome.failure} {SENTENCES['no_run'] if topic else ''}".strip())
    return Say(words(outcome), {"topic": topic} if topic else {})


def last_result(topics: list[str]) -> Plan:
    return tell("get_backtest", lambda found: run_reports.explain_last(topics, found.facts), "backtest")


def show_trades() -> Plan:
    outcome = yield from calling("get_backtest", trades_page=1)
    if outcome.failure is not None:
        return Say(f"{outcome.failure} {SENTENCES['no_run']}")
    last = outcome.facts["trades_page"]["total_pages"]
    if last > 1:
        outcome = yield from calling("get_backtest", trades_page=last)
    return Say(run_reports.describe_trades(outcome.facts["trades_page"]), {"topic": "backtest"})


def simulation(turn: Turn, words: Callable[[Json], str], topic: str, opening: str = "") -> Plan:
    """Tell of the running simulation; without one, tell the topic of the last backtest."""
    bot, run = (yield from calling("get_bot_info")), None
    if bot.failure is None and bot.facts.get("is_simulating") is not False and "get_simulation" in turn.tools:
        run = yield from calling("get_simulation")
    if run is None or run.failure is not None:
        result = yield from last_result([topic])
        return Say(f"{opening}{result.text}", result.memory)
    return Say(words(run.facts), {"topic": "simulation"})


def about_token(tool: str, query: str | None, chain: str | None) -> Plan:
    if query is None:
        current = yield from calling("get_current_strategy")
        token_id = current.bot.get("token")
        if not token_id:
            note = f"{SENTENCES['no_money']} " if tool == "get_token_risk" else ""
            order = "is {answer} safe?" if note else "price of {answer}"
            return Say(f"{note}Which token do you mean? Give me a symbol, a name or an address.", fill(order))
        token: Json = {"token_id": token_id, "symbol": "The token of this bot", "chain": token_id.rpartition("-")[2]}
    else:
        found, asked = yield from find_token(query, chain)
        if found is None:
            return Say(asked)
        token = found
    outcome = yield from calling(tool, token_id=token["token_id"])
    words = telling.price_line if tool == "get_token" else telling.risk_line
    note = f"{SENTENCES['no_money']} " if query is None and tool == "get_token_risk" else ""
    return Say(note + (outcome.failure or words(token, outcome.facts)))
