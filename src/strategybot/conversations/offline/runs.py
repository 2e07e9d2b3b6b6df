"""Plans about runs: a backtest, a simulation, a search or a survey with the arguments that were said."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import inf
from operator import itemgetter
from typing import Any

from strategybot.conversations.agent import telling
from strategybot.conversations.agent.telling import RUNS_TOLD, simulation_words
from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.conditions import list_items
from strategybot.conversations.offline.history import Finding, Outcome, Plan, Say, Turn, asking, calling
from strategybot.conversations.offline.lexicon import SENTENCES, Part
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import paths_of
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.text import DAY, INTERVALS
from strategybot.kit.json_object import Json
from strategybot.trading.language.edits import value_at
from strategybot.trading.language.values import duration_seconds
from strategybot.trading.search.spread import value_list, value_range, values_around

TOOLS = {
    "test": "run_backtest", "would_test": "run_backtest", "simulate": "start_simulation",
    "sweep": "optimise", "survey": "survey", "watch": "start_watch", "purse": "run_backtest",
}  # fmt: skip
PURSE = ("trending", "limit")  # the arguments of a run on many tokens with one purse
TOKEN = ("token", "chain")
TAKES = {  # the arguments of each tool that a message can give
    "run_backtest": {*TOKEN, *PURSE, "kline_interval", "days", "initial_cash", "fee_percent"},
    "start_simulation": {*TOKEN, *PURSE, "kline_interval", "initial_cash", "check_interval", "mode"},
    **{tool: {*TOKEN, "kline_interval", "days"} for tool in ("optimise", "survey")},
    "start_watch": {*TOKEN, "kline_interval"},
}
Said = Mapping[str, Any]
VALUES: dict[str, tuple[str, str, Callable[[Said], Any]]] = {  # argument, unit of a bare number, value if it has one
    "period": ("days", "days", lambda said: said.get("n", 1) * said["d"] / DAY if said["d"] >= DAY else None),
    "interval": ("kline_interval", "minutes", lambda said: INTERVALS.get(int(said["d"]))),
    "check": ("check_interval", "seconds", lambda said: int(said["d"]) if said["d"] in (10, 30, 60) else None),
    "live": ("mode", "", lambda _: "live"),
    "cash": ("initial_cash", "", itemgetter("amount")),
    "fee": ("fee_percent", "", itemgetter("amount")),
    "chain": ("chain", "", itemgetter("chain")),
}
ARGUMENTS = frozenset({"token", "tokens", "sweep", "survey", *VALUES})
# For each type of value, the present one of a setting that is off, and the most to try.
AROUND = {"LOSS": (5.0, 99.0), "GAIN": (10.0, inf), "SHARE": (50.0, 100.0), "DUR": (14_400.0, inf)}


@dataclass(frozen=True)
class Run:
    tool: str
    arguments: Json = field(default_factory=dict)
    tokens: list[str] = field(default_factory=list)  # as they were said

    def pending(self, kind: str = "run") -> Json:
        """Return what runs it on a yes, or on the token that is the answer to the question “token”."""
        return {"kind": kind, "run": asdict(self)}


def runs_of(matches: Sequence[Match], turn: Turn) -> list[Run]:
    """Return the runs that a message asks for. An argument belongs to the last run named before it."""
    runs: list[Run] = []
    arguments: list[tuple[int, Match]] = []
    named = ""
    for match in matches:
        both = {match.name, named}  # “how would it have done? Run a backtest” is one run, two sweeps are one search
        is_same = both in ({"sweep"}, {"survey"}) or (
            "d" not in match.values and both in ({"would_test"}, {"test", "would_test"}, {"test", "survey"})
        )
        if match.name in TOOLS and not is_same:
            named = match.name
            runs.append(_named_run(match))
        if match.name in ARGUMENTS:
            arguments.append((max(len(runs) - 1, 0), match))
    for place, match in arguments if runs else ():
        runs[place] = _with(runs[place], match)
    runs = [_continued(run, turn) for run in runs]
    return [run for place, run in enumerate(runs) if run not in runs[:place]]


def _named_run(match: Match) -> Run:
    """Return the run that a frame names, with what stands in the frame itself: “a 30 day backtest”."""
    said = {"days": match.values.get("d", 0) / DAY, "limit": match.values.get("n")}
    said |= {name: match.values.get(name) for name in ("mode", "chain")}
    tool = "start_simulation" if "mode" in match.values else TOOLS[match.name]
    return Run(tool, {key: value for key, value in said.items() if value})


def _continued(run: Run, turn: Turn) -> Run:
    """Return the run with those arguments of the last backtest that it can take and that are not said anew."""
    if turn.memory.get("topic") != "run_backtest" or run.tool not in ("run_backtest", "start_simulation"):
        return run
    # The cash of one run is not that of the next: it may have been a question, such as “how would $500 have done?”.
    kept = TAKES[run.tool] - {"initial_cash"} - ({*TOKEN, *PURSE} if run.tokens else set())
    last = {key: value for key, value in turn.memory.get("test", {}).items() if key in kept}
    return replace(run, arguments={**last, **run.arguments})


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
    key, unit, value_of = VALUES[name]
    value, said = value_of(values), run.arguments.get(key)
    can_take = key in TAKES[run.tool]
    if can_take and value is not None and said in (None, value):
        return replace(run, arguments={**run.arguments, key: value})
    if not (can_take and unit):
        raise question("no_such_run")
    times = [values.get("d"), said * DAY if key == "days" and said else None]
    raise question(key, {"seconds": times, "unit": unit})


def _on_tokens(run: Run, values: Said) -> Run:
    """Return the run on the tokens that were said; a backtest on several tokens becomes a survey."""
    said = list_items(values["toks"]) if "toks" in values else [values["tok"]] if "tok" in values else []
    names = [*run.tokens, *(token.written.removeprefix("$") for token in said)]
    run = replace(run, tokens=list({name.lower(): name for name in names}.values()))
    if len(run.tokens) == 1 and said and run.tool != "survey":
        return run
    if run.tool not in ("run_backtest", "survey"):
        raise question("one_token", run.pending("token"))
    more = {key: values[name] for key, name in (("limit", "n"), ("chain", "chain")) if name in values}
    return replace(run, tool="survey", arguments={**run.arguments, **more})


def find_token(query: str, chain: str | None = None, pending: Json | None = None) -> Finding[Json]:
    """Return the most liquid token of that very symbol, name or address, else the only one found. Raise
    `NeedsClarification` if there is none, or more than one.
    """
    found = yield from calling("search_tokens", query=query.removeprefix("$"), chain=chain)
    wanted, names = plain_name(query.removeprefix("$")).lower(), ("symbol", "name", "address", "token_id")
    exact = [token for token in found.rows if wanted in {str(token.get(key)).lower() for key in names}]
    exact = exact or (found.rows if len(found.rows) == 1 else [])
    if len({str(token.get("symbol")) for token in exact}) == 1:
        return max(exact, key=lambda token: float(token.get("liquidity_usd") or 0))
    more = "\nWhich one do you mean?" if found.rows else ""
    raise NeedsClarification(f"{telling.found_words(found.rows, query)}{more}", pending)


def token_arguments(token: Json) -> Json:
    return {"token": token["token_id"], "chain": token["chain"]}


def find_strategy() -> Finding[Outcome]:
    """Return what is known of the current strategy. Raise `NeedsClarification` if there is none."""
    current = yield from calling("get_current_strategy")
    if not current.facts.get("strategy"):
        raise NeedsClarification(SENTENCES["no_strategy" if current.bot else "no_bot"])
    return current


def do_runs(turn: Turn, runs: Sequence[Run], said: str = "") -> Plan:
    current, step = (yield from find_strategy()), Say("")
    for run in runs:
        if run.tool == "run_backtest" and current.facts.get("backtests_left") == 0:
            return Say(said + SENTENCES["tests_used_up"])
        try:
            step = yield from _do_run(turn, run, current)
        except NeedsClarification as asked:
            again = run.pending() if asked.text.endswith("(yes/no)") else None
            return asking(NeedsClarification(asked.text, asked.pending or again), said)
        said += f"{step.text}\n\n"
        if "pending" in step.memory:
            break
    return Say(said.strip(), step.memory)


def _do_run(turn: Turn, run: Run, current: Outcome) -> Plan:
    """Run once, after the tokens and the values of a search have been looked up."""
    strategy, is_purse = current.facts["strategy"], run.tool != "survey" and "limit" in run.arguments
    arguments = yield from _arguments(turn, run, current.bot, run.tool == "survey" or is_purse)
    if run.tool == "optimise":
        arguments["parameters"] = [_searched(turn, each, strategy) for each in arguments.pop("sweeps")]
    outcome = yield from calling(run.tool, **arguments)
    text = RUNS_TOLD.get(run.tool, simulation_words)(outcome.facts)
    if is_purse:
        text += f"\n\nThe tokens are the {arguments['limit']} that trend on {arguments['trending']} now: no list ranks "
        text += " ".join(("tokens by liquidity.", *(outcome.facts.get("portfolio_notes") or [])[:1]))
    memory: Json = {"topic": run.tool} | ({"test": arguments} if run.tool == "run_backtest" else {})
    memory |= {"token": {key: arguments[key] for key in TOKEN if key in arguments}} if "token" in arguments else {}
    chosen = (outcome.facts.get("recommended") or {}).get("strategy")
    if chosen is not None and chosen != strategy:
        text += "" if outcome.facts.get("not_recommended") else " Say “apply it” to take these values."
        memory["pending"] = {"kind": "apply", "strategy": chosen, "before": strategy}
    return Say(text, memory)


def _arguments(turn: Turn, run: Run, bot: Json, is_many: bool) -> Finding[Json]:
    """Return the arguments with the tokens: those said, the trending ones of a chain, or that of the last run."""
    chain, pending = run.arguments.get("chain"), None if is_many else run.pending("token")
    tokens = []
    for name in run.tokens:
        found = yield from find_token(name, chain, pending)
        tokens.append(token_arguments(found))
    if is_many:
        arguments = {key: value for key, value in run.arguments.items() if key != "chain"}
        trending = chain or arguments.get("trending") or bot.get("chain")
        if not (tokens or trending):
            raise question("which_chain")
        return {**arguments, **({"tokens": tokens} if tokens else {"trending": trending})}
    known = {} if bot.get("token") else turn.memory.get("token", {})
    arguments = {**known, **run.arguments, **(tokens[0] if tokens else {})}
    if not (bot.get("token") or "token" in arguments):
        offered = yield from calling("search_tokens", query="", chain=chain)
        raise NeedsClarification(telling.which_token_words(offered.rows), pending)
    if run.tool == "start_watch" and "token" in arguments:
        arguments["tokens"] = [{key: arguments.pop(key) for key in TOKEN if key in arguments}]
    return arguments


def _searched(turn: Turn, sweep: Json, strategy: Json) -> Json:
    """Return a parameter of a search: the path of a part of this strategy, and the values to try."""
    part = next(part for part in turn.grammar.parts if part.key == sweep["part"])
    paths = paths_of(part, strategy)
    paths = [path for path in paths if path[0] == paths[0][0]]  # where it buys, if it stands there
    if len(paths) != 1:
        raise question("which_search", part=part.said)
    path = ".".join(map(str, paths[0])).removeprefix("risk_management.")
    return {"path": path, **_spread(part, sweep["spread"], value_at(strategy, paths[0]))}


def _spread(part: Part, said: Json, now: Any) -> Json:
    """Return the values to try: those that were said, a range, or some around the present value."""
    least, is_time = 1.0 if part.is_parameter else 0.0, part.slot == "DUR"
    if "first" in said:
        return value_range(said["first"], said["last"], said.get("step"), least, is_time)
    if said:
        return value_list(list_items(said), is_time)
    usual, most = AROUND.get(part.slot, (1.0, inf))
    base = duration_seconds(now) if isinstance(now, str) else now or usual
    return value_list(values_around(base, most, is_whole=part.is_parameter), is_time)
