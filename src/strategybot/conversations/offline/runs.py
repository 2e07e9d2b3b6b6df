"""Plans about runs: a backtest, a simulation, a search or a survey with the arguments that were said."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from strategybot.conversations.agent import telling
from strategybot.conversations.agent.telling import RUNS_TOLD, simulation_words
from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.conditions import list_items
from strategybot.conversations.offline.history import Call, Outcome, Plan, Say, Turn, calling
from strategybot.conversations.offline.lexicon import SENTENCES, Part
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import paths_of
from strategybot.conversations.offline.text import DAY, INTERVALS
from strategybot.kit.json_object import Json
from strategybot.trading.language.edits import value_at
from strategybot.trading.language.values import duration_seconds
from strategybot.trading.search.spread import value_list, value_range, values_around

TOOLS = {
    "test": "run_backtest", "would_test": "run_backtest", "simulate": "start_simulation",
    "sweep": "optimise", "survey": "survey", "watch": "start_watch", "purse": "run_backtest",
}  # fmt: skip
TOPICS = {
    "run_backtest": "backtest", "start_simulation": "simulation", "optimise": "search", "survey": "survey",
    "start_watch": "watch",
}  # fmt: skip
PURSE = ("trending", "limit")  # the arguments of a run on many tokens with one purse
SEARCHES = {"period", "interval", "chain"}
TAKES = {
    "run_backtest": SEARCHES | {"cash", "fee"}, "start_simulation": {"interval", "cash", "check", "live", "chain"},
    "optimise": SEARCHES, "survey": SEARCHES, "start_watch": {"interval", "chain"},
}  # fmt: skip
ARGUMENTS = frozenset({"token", "tokens", "sweep", "survey"}).union(*TAKES.values())
USUAL = {"LOSS": 5.0, "GAIN": 10.0, "SHARE": 50.0, "DUR": 14_400.0}  # the present value of a setting that is off


@dataclass(frozen=True)
class Run:
    tool: str
    arguments: Json = field(default_factory=dict)
    token: str | None = None
    question: str = ""
    pending: Json = field(default_factory=dict)  # how an answer to the question completes the message

    def asked(self, text: str, said: str = "") -> Say:
        return Say(said + self.question, {"pending": {"text": text, **self.pending}} if self.pending else {})


def fill(order: str, **more: object) -> Json:
    """Return what makes the next message the missing part of an order."""
    return {"pending": {"kind": "fill", "order": order, **more}}


def runs_of(matches: Sequence[Match], turn: Turn) -> list[Run]:
    """Return the runs that a message asks for. An argument belongs to the last run named before it."""
    runs: list[Run] = []
    early: list[Match] = []
    named = ""
    for match in matches:
        both = {match.name, named}  # “how would it have done? Run a backtest” is one run, two sweeps are one search
        is_same = both == {"sweep"} or ("d" not in match.values and both in ({"would_test"}, {"test", "would_test"}))
        if match.name in TOOLS and not is_same:
            named, values = match.name, match.values
            said = {"days": values.get("d", 0) / DAY, "mode": values.get("mode")}  # “a 30 day backtest”
            said |= {"limit": values["n"], "chain": values.get("chain")} if named == "purse" else {}
            tool = "start_simulation" if "mode" in values else TOOLS[named]
            runs.append(Run(tool, {key: value for key, value in said.items() if value}))
        if match.name in ARGUMENTS:
            early.append(match)
        while runs and early:
            runs[-1] = _with(runs[-1], early.pop(0))
    last = turn.last_test if turn.memory.get("topic") == "backtest" else {}
    for place, run in enumerate(runs):  # after a backtest, the next one keeps the arguments that are not said anew
        # The cash of one run is not that of the next: it may have been a question, such as “how would $500 have done?”.
        anew = {"initial_cash"} | ({"token", "chain", *PURSE} if run.token is not None else set())
        kept = {key: value for key, value in last.items() if value is not None and key not in anew}
        if run == Run("start_simulation", {"mode": "live"}):  # “now the same live” goes on with the purse of the test
            kept = {key: turn.last_test[key] for key in PURSE if turn.last_test.get(key)}
        is_more = run.tool in ("run_backtest", "start_simulation") and kept
        runs[place] = replace(run, arguments={**kept, **run.arguments}) if is_more else run
    return [run for place, run in enumerate(runs) if run not in runs[:place]]


def _with(run: Run, match: Match) -> Run:
    values, name = match.values, match.name
    if name == "sweep":
        searched = [values, *([values["more"]] if "more" in values else [])]
        sweeps = [{"part": each["part"].key, "spread": each.get("spread") or {}} for each in searched]
        return replace(run, arguments={**run.arguments, "sweeps": [*run.arguments.get("sweeps", []), *sweeps]})
    if name in ("token", "tokens", "survey"):
        return _on_tokens(run, values)
    if name == "period" and values["d"] < DAY and values["d"] in INTERVALS:
        name = "interval"  # “backtest 30d 15m”
    seconds, amount = values.get("d", 0), values.get("amount")
    days, candles = values.get("n", 1) * seconds / DAY, INTERVALS.get(int(seconds))
    arguments = {  # the argument of the tool, its value, and a question if it cannot be used
        "period": ("days", days, "" if seconds >= DAY else "How many days should the backtest cover?"),
        "interval": ("kline_interval", candles, "" if candles else SENTENCES["candles"]),
        "check": ("check_interval", int(seconds), "" if seconds in (10, 30, 60) else SENTENCES["checks"]),
        "live": ("mode", "live", ""),
        "cash": ("initial_cash", amount, ""),
        "fee": ("fee_percent", amount, ""),
        "chain": ("chain", values.get("chain"), ""),
    }
    key, value, question = arguments[name]
    if name not in TAKES[run.tool]:
        question = f"I could not use all of that for a {TOPICS[run.tool]}. What should I run?"
    elif run.arguments.get(key, value) != value:
        question = f"You named two values for the {key.replace('_', ' ')}. Which one should I use?"
    times = [seconds, *([run.arguments["days"] * DAY] if name == "period" and "days" in run.arguments else [])]
    unit = {"period": "days", "check": "seconds", "interval": "minutes"}.get(name)
    pending = fill("{number}", seconds=times, unit=unit)["pending"] if question and seconds else {}
    arguments_now = {**run.arguments, key: value}
    return replace(run, arguments=arguments_now, question=run.question or question, pending=run.pending or pending)


def _on_tokens(run: Run, values: Mapping[str, Any]) -> Run:
    """Return the run on the tokens that were said; a backtest on several tokens becomes a survey."""
    names = [run.token] if run.token is not None else list(run.arguments.get("tokens", []))
    said = list_items(values["toks"]) if "toks" in values else [values["tok"]] if "tok" in values else []
    names = list({name.lower(): name for name in [*names, *(each.written.removeprefix("$") for each in said)]}.values())
    if len(names) == 1 and said and run.tool != "survey":
        return replace(run, token=names[0])
    if run.tool not in ("run_backtest", "survey"):
        alone = {"kind": "token", "run": asdict(run)}
        return replace(run, question="I can run it on one token at a time. Which one should I use?", pending=alone)
    more = {key: values[name] for key, name in (("limit", "n"), ("chain", "chain")) if name in values}
    arguments = {**run.arguments, **more, **({"tokens": names} if names else {})}
    return replace(run, tool="survey", token=None, arguments=arguments)


def find_token(query: str, chain: str | None = None) -> Generator[Call, Outcome, tuple[Json | None, str]]:
    """Return of an exact symbol, name or address the most liquid, else the only one found, or None and what to say."""
    found = yield from calling("search_tokens", query=query.removeprefix("$"), chain=chain)
    wanted, names = plain_name(query.removeprefix("$")).lower(), ("symbol", "name", "address", "token_id")
    exact = [token for token in found.rows if wanted in {str(token.get(key)).lower() for key in names}]
    exact = exact or (found.rows if len(found.rows) == 1 else [])
    if len({str(token.get("symbol")) for token in exact}) == 1:
        return max(exact, key=lambda token: float(token.get("liquidity_usd") or 0)), ""
    more = "\nWhich one do you mean?" if found.rows else ""
    return None, found.failure or f"{telling.found_words(found.rows, query)}{more}"


def do_runs(turn: Turn, runs: Sequence[Run], said: str = "") -> Plan:
    if asked := next((run for run in runs if run.question), None):
        return asked.asked(turn.text, said)
    current = yield from calling("get_current_strategy")
    if not current.facts.get("strategy"):
        return Say(said + (SENTENCES["no_strategy"] if current.bot else SENTENCES["no_bot"]))
    step = Say("")
    for run in runs:
        if run.tool == "run_backtest" and current.facts.get("backtests_left") == 0:
            return Say(said + SENTENCES["tests_used_up"])
        step = yield from _do_run(turn, run, current, said)
        if "pending" in step.memory or "topic" not in step.memory:
            return step
        said = f"{step.text}\n\n"
    return Say(said.strip(), step.memory)


def _do_run(turn: Turn, run: Run, current: Outcome, said: str) -> Plan:
    """Run once, after the tokens and the values of a search have been looked up."""
    arguments, strategy = dict(run.arguments), current.facts["strategy"]
    is_survey, is_purse = run.tool == "survey", run.tool != "survey" and "limit" in arguments
    if is_survey or is_purse:
        asked = yield from _survey_tokens(arguments, current.bot)
    else:
        asked = _search_values(turn, arguments, strategy) if run.tool == "optimise" else ""
    if asked:
        order = "optimise {answer}" if run.tool == "optimise" else "{text} on {answer}"
        return Say(said + asked, fill(order, text=turn.text))
    is_one = not (is_survey or is_purse)
    if is_one and (told := (yield from _add_token(turn, run, current.bot, arguments))):
        return Say(said + told, {"pending": {"kind": "token", "run": asdict(replace(run, token=None))}})
    outcome = yield Call(run.tool, _watch_arguments(arguments) if run.tool == "start_watch" else arguments)
    if outcome.failure is not None:
        again = {"kind": "run", "run": asdict(run)}
        return Say(said + outcome.failure, {"pending": again} if outcome.failure.endswith("(yes/no)") else {})
    text = said + RUNS_TOLD.get(run.tool, simulation_words)(outcome.facts)
    text += _purse_words(turn, outcome.facts, arguments) if is_purse else ""
    memory: Json = {"topic": TOPICS[run.tool]}
    chosen = (outcome.facts.get("recommended") or {}).get("strategy")
    if chosen is not None and chosen != strategy:
        text += "" if outcome.facts.get("not_recommended") else " Say “apply it” to take these values."
        memory["pending"] = {"kind": "apply", "strategy": chosen, "before": strategy}
    return Say(text, memory)


def _purse_words(turn: Turn, facts: Json, arguments: Json) -> str:
    """Return which tokens share the purse, and what their choice did to the result."""
    unranked = "No list ranks tokens by liquidity: the" if "liquid" in turn.text.lower() else "The"
    chosen = f"{unranked} tokens are the {arguments['limit']} that trend on {arguments['trending']} now."
    return " ".join(("\n\n" + chosen, *(facts.get("portfolio_notes") or [])[:1]))


def _add_token(turn: Turn, run: Run, bot: Json, arguments: Json) -> Generator[Call, Outcome, str]:
    """Add the token that was said, or that of the last run, to the arguments; return what to ask if none is known."""
    is_free = bot.get("token") is None and not turn.last_token and "token" not in arguments
    is_own = str(run.token).lower() == str(bot.get("name")).lower()  # “backtest it on Alpha” names the bot itself
    name = (None if is_own else run.token) or (turn.memory.get("token") if is_free else None)
    if name is None and is_free:
        offered = yield from calling("search_tokens", query="", chain=arguments.get("chain"))
        return telling.which_token_words(offered.rows)
    if name is not None:
        token, told = yield from find_token(name, arguments.get("chain"))
        if token is None:
            return told
        arguments |= {"token": token["token_id"], "chain": token["chain"]}
    for key, value in ({} if bot.get("token") else turn.last_token).items():
        arguments.setdefault(key, value)
    return ""


def _watch_arguments(arguments: Json) -> Json:
    """Return the arguments of a watch, which takes a list of tokens."""
    token = {name: arguments[name] for name in ("token", "chain") if name in arguments}
    rest = {name: value for name, value in arguments.items() if name not in token}
    return {**rest, "tokens": [token]} if "token" in token else rest


def _survey_tokens(arguments: Json, bot: Json) -> Generator[Call, Outcome, str]:
    """Look up the tokens of a survey, or take the trending ones of a chain; return what to ask if one is not known."""
    chain, names = arguments.pop("chain", None), arguments.pop("tokens", [])
    if not names:
        arguments["trending"] = chain or arguments.get("trending") or bot.get("chain")
        return "" if arguments["trending"] else SENTENCES["which_chain"]
    arguments.pop("limit", None)
    arguments["tokens"] = []
    for name in names:
        token, told = yield from find_token(name, chain)
        if token is None:
            return told
        arguments["tokens"].append({"token": token["token_id"], "chain": token["chain"]})
    return ""


def _search_values(turn: Turn, arguments: Json, strategy: Json) -> str:
    """Add the parameters of a search in this strategy to its arguments; return what to ask if one has no place."""
    parts = {part.key: part for part in turn.grammar.parts}
    arguments["parameters"] = []
    for sweep in arguments.pop("sweeps"):
        part = parts[sweep["part"]]
        paths = paths_of(part, strategy)
        if len(paths) != 1:
            return f"The strategy has no single condition with {part.said}. Which part should I vary?"
        path = ".".join(map(str, paths[0])).removeprefix("risk_management.")
        arguments["parameters"].append({"path": path, **_spread(part, sweep["spread"], value_at(strategy, paths[0]))})
    return ""


def _spread(part: Part, said: Json, now: Any) -> Json:
    """Return the values to try: those that were said, a range, or some around the present value."""
    least, is_time = 1.0 if part.is_parameter else 0.0, part.slot == "DUR"
    if "first" in said:
        return value_range(said["first"], said["last"], said.get("step"), least, is_time)
    if said:
        return value_list(list_items(said), is_time)
    base = duration_seconds(now) if isinstance(now, str) else now or USUAL.get(part.slot, 1.0)
    most = {"LOSS": 99.0, "SHARE": 100.0}.get(part.slot, 1e18)
    return value_list(values_around(base, most, is_whole=part.is_parameter), is_time)


def stop_simulation(turn: Turn) -> Plan:
    if not turn.memory.get("simulating"):
        bot = yield from calling("get_bot_info")
        if bot.failure is not None or bot.facts.get("is_simulating") is False:
            return Say(SENTENCES["no_simulation"])
    outcome = yield from calling("stop_simulation")
    return Say(outcome.failure or simulation_words(outcome.facts), {"topic": "simulation"})
