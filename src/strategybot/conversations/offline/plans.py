"""What can be done for a message: change the strategy, run it, or tell of strategies, bots, tokens and results."""

from dataclasses import asdict, dataclass, replace
from itertools import count

from strategybot.conversations.agent import run_reports, telling
from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.checks import Reading
from strategybot.conversations.offline.fold import fold
from strategybot.conversations.offline.history import Finding, Outcome, Plan, Say, Turn, asking, calling, fill
from strategybot.conversations.offline.lexicon import SENTENCES
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.runs import Run, do_runs, find_strategy, find_token, token_arguments
from strategybot.conversations.offline.text import DAY, Token, tokens_of
from strategybot.kit.json_object import Json
from strategybot.trading.words.naming import strategy_name


@dataclass(frozen=True)
class Plans:
    """What each frame that is an order or a question does. Of those that a message says, the first here is done."""

    turn: Turn
    reading: Reading
    runs: list[Run]

    def stop_sim(self) -> Plan:
        bot = yield from calling("get_bot_info")
        if not bot.facts.get("is_simulating"):
            raise NeedsClarification(SENTENCES["no_simulation"])
        outcome = yield from calling("stop_simulation")
        return Say(telling.simulation_words(outcome.facts), {"topic": "stop_simulation"})

    def clear(self) -> Plan:
        current = yield from find_strategy()
        pending = {"kind": "apply", "strategy": None, "before": current.facts["strategy"]}
        return Say("That clears the whole strategy. Shall I? (yes/no)", {"pending": pending})

    def change(self) -> Plan:
        turn, reading, current = self.turn, self.reading, (yield from calling("get_current_strategy"))
        is_fresh = "new_bot" in reading.names or not current.bot
        before = None if is_fresh else current.facts.get("strategy")
        folded = fold(reading.matches, before, turn.memory, turn.grammar, is_first=not current.bot)
        token, stranger = (yield from _own(folded.token, is_fresh, current.bot)) if folded.token else (None, "")
        change: Json = {
            "strategy": folded.strategy, "before": before, "last": folded.last, "notes": folded.notes, "token": token,
            "runs": [asdict(run) for run in self.runs], "is_fresh": is_fresh, "bot_name": reading.bot_name,
        }  # fmt: skip
        is_changed, doubt = folded.strategy != before, stranger or reading.doubt or " ".join(folded.doubts)
        if doubt and (is_changed or self.runs):
            read = " ".join((doubt, "It would read:", folded.summary, *folded.notes))
            return Say(f"{read} Apply it? (yes/no)", {"pending": {"kind": "apply", **change}})
        if is_changed:
            return (yield from write(turn, change))
        if self.runs:
            return (yield from do_runs(turn, self.runs))
        told = reading.doubt or "It is so already."
        return Say(f"{told} {folded.summary} What should I change?")

    def switch(self) -> Plan:
        name = str(self.reading.said("name")).lower().removeprefix("the ").removesuffix(" bot")
        outcome = yield from calling("set_bot", "Which one do you mean?", fill("switch to {answer}"), bot=name)
        return Say(f"From here on this is about {telling.described(outcome.facts)}")

    def undo(self) -> Plan:
        current = yield from calling("get_current_strategy")
        if not current.facts.get("has_previous"):
            return Say("There is no earlier strategy to go back to. What should I change?")
        outcome = yield from calling("undo")
        return Say(f"Undone. {outcome.facts.get('summary') or SENTENCES['no_strategy']}")

    def new_bot(self) -> Plan:
        if self.reading.bot_name is None:
            raise NeedsClarification("What should the bot be called?", {"kind": "name"})
        outcome = yield from calling("create_bot", name=self.reading.bot_name)
        return Say(telling.changed_words(outcome.facts, fresh=True))

    def stop_watch(self) -> Plan:
        bot = yield from calling("get_bot_info")
        if bot.facts.get("watch_run_id") is None:
            raise NeedsClarification(SENTENCES["no_watch"])
        if not self.reading.said("is_sure"):
            raise question("end_watch")
        yield from calling("stop_run", run_id=bot.facts["watch_run_id"])
        return Say("The watch has ended. What next?")

    def run(self) -> Plan:
        return do_runs(self.turn, self.runs)

    def compare_runs(self) -> Plan:
        outcome = yield from calling("compare_backtests", SENTENCES["no_run"])
        return Say(run_reports.compare_last(outcome.facts["backtests"]), {"topic": "run_backtest"})

    def trades(self) -> Plan:
        outcome = yield from calling("get_backtest", SENTENCES["no_run"], trades_page=1)
        if (last := outcome.facts["trades_page"]["total_pages"]) > 1:
            outcome = yield from calling("get_backtest", trades_page=last)
        return Say(run_reports.describe_trades(outcome.facts["trades_page"]), {"topic": "run_backtest"})

    def status(self) -> Plan:
        """Tell of the running simulation; without one, of the last backtest."""
        bot = yield from calling("get_bot_info")
        if not bot.facts.get("is_simulating"):
            try:
                result = yield from self.result()
            except NeedsClarification as asked:
                result = asking(asked)
            return Say(f"No simulation is running. {result.text}", result.memory)
        run = yield from calling("get_simulation")
        words = run_reports.explain_hold if "why_not" in self.reading.names else run_reports.status
        return Say(words(run.facts), {"topic": "start_simulation"})

    why_not = status

    def list_bots(self) -> Plan:
        bots = yield from calling("list_bots")
        return Say(telling.own_bots(bots.facts) or SENTENCES["no_bot"])

    def result(self) -> Plan:
        said = (match.values for match in self.reading.matches if match.name == "result")
        topics = dict.fromkeys(values.get("topic", "result") for values in said)
        outcome = yield from calling("get_backtest", SENTENCES["no_run"])
        return Say(run_reports.explain_last(list(topics), outcome.facts), {"topic": "run_backtest"})

    def risk(self) -> Plan:
        """Tell the risk or the price of the token that is named, or else of that of the bot."""
        is_risk, named = "risk" in self.reading.names, self.reading.said("tok")
        note = f"{SENTENCES['no_money']} " if is_risk and not named else ""  # “is it safe?” asks about the money
        if named:
            token = yield from find_token(named.written, self.reading.said("chain"))
        else:
            current = yield from calling("get_current_strategy")
            if not (token_id := current.bot.get("token")):
                order = "is {answer} safe?" if is_risk else "price of {answer}"
                raise NeedsClarification(note + SENTENCES["which_token"], fill(order))
            token = {"token_id": token_id, "symbol": "The token of this bot", "chain": token_id.rpartition("-")[2]}
        outcome = yield from calling("get_token_risk" if is_risk else "get_token", token_id=token["token_id"])
        words = telling.risk_line if is_risk else telling.price_line
        return Say(note + words(token, outcome.facts), {"topic": outcome.call.name})

    price = risk

    def search(self) -> Plan:
        query = getattr(self.reading.said("tok"), "written", "").removeprefix("$")
        found = yield from calling("search_tokens", query=query, chain=self.reading.said("chain"))
        return Say(telling.found_words(found.rows, query))

    trending = search

    def show(self) -> Plan:
        current, matches = (yield from find_strategy()), self.reading.matches
        asked = [match.values["part"].key for match in matches if match.name in ("show_part", "mention")]
        return Say(telling.strategy_words(current.facts), {"last": {"part": asked[0]}} if len(asked) == 1 else {})

    def better_values(self) -> Plan:
        days = next((token.value // DAY for token in tokens_of(self.reading.text) if token.kind == "duration"), 0)
        order = SENTENCES["better_values?"].partition(" = ")[0]
        raise question("better_values", {"text": f"{order} over {days:g} days"} if days else None)

    mention = change


def _own(said: Token, is_fresh: bool, bot: Json) -> Finding[tuple[Json | None, str]]:
    """Return the token that the message names, or a sentence if it is unknown or the bot trades another one."""
    stranger = f"“{plain_name(said.written)}” is no token that this bot can trade."
    try:
        token = yield from find_token(said.written)
    except NeedsClarification:
        return None, stranger
    own = None if is_fresh else bot.get("token")
    is_own = own is None or own.partition("-")[0] == token["token_id"].partition("-")[0]
    return (token, "") if is_own else (None, stranger)


def write(turn: Turn, change: Json) -> Plan:
    """Store the strategy, in a new bot if there is none, and do the runs that the message asks for."""
    is_fresh, notes, runs = change.get("is_fresh", False), change.get("notes", []), change.get("runs", [])
    memory: Json = {"last": change.get("last", {})}
    memory |= {"token": token_arguments(change["token"])} if change.get("token") else {}
    if is_fresh:
        outcome = yield from _make_bot(change["strategy"], change["bot_name"], change["token"])
    else:
        outcome = yield from calling("update_trading_strategy", strategy=change["strategy"])
    said, left = telling.changed_words(outcome.facts, is_fresh, notes), outcome.facts.get("backtests_left")
    if runs:
        is_watch = "start_watch" in {run["tool"] for run in runs}  # it tells what it waits for, and sells nothing
        said = "" if is_watch else " ".join(("Done.", str(outcome.facts.get("summary")), *notes, "\n\n"))
    elif is_fresh and left == 1:  # the tool asks first
        lent, words = ({}, "") if outcome.bot.get("token") else (yield from _lend_token())
        runs, said = [asdict(Run("run_backtest", lent))], f"{said}{words}\n\n"
    else:
        return Say(said, {"pending": {"kind": "again", "text": "backtest it"}, **memory})
    turn = replace(turn, memory={**turn.memory, **memory})
    told = yield from do_runs(turn, [Run(**run) for run in runs], said)
    return Say(told.text, {**memory, **told.memory})


def _lend_token() -> Finding[tuple[Json, str]]:
    """Return the first trending token as arguments of a run, for a visitor who named none, and what to say of it."""
    offered = yield from calling("search_tokens", query="")
    for token in offered.rows:
        where = f"{plain_name(token['symbol'])} on {token['chain']}"
        return token_arguments(token), f" You named no token, so it would be tested on {where}."
    return {}, ""


def _make_bot(strategy: Json, name: str | None, token: Json | None) -> Finding[Outcome]:
    """Create the bot. If its name is taken and the user did not choose it, add a number."""
    base = name or strategy_name(strategy, plain_name(token["symbol"]) if token else None)
    arguments = {"strategy": strategy, **(token_arguments(token) if token else {})}
    try:
        return (yield from calling("create_bot", name=base, **arguments))
    except NeedsClarification as refused:
        if name is not None or "name" not in refused.text:
            raise
    bots = yield from calling("list_bots")
    taken = {str(bot["name"]).lower() for bot in bots.facts["bots"]}
    free = next(name for name in (f"{base} ({number})" for number in count(2)) if name.lower() not in taken)
    return (yield from calling("create_bot", name=free, **arguments))


def apply_pending(turn: Turn, pending: Json) -> Plan:
    current = yield from calling("get_current_strategy")
    if not pending.get("is_fresh") and pending["before"] != current.facts.get("strategy"):
        return Say("The strategy has changed since, so I have left it alone. What should I change?")
    return (yield from write(turn, pending))
