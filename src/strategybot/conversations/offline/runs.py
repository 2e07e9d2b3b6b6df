"""Plans about runs: a backtest or a simulation with the arguments that were said."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from strategybot.conversations.agent.telling import RUNS_TOLD, simulation_words
from strategybot.conversations.offline import replies
from strategybot.conversations.offline.history import Call, Json, Outcome, Turn
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.searches import listed, spread_of, survey_arguments, sweep_arguments
from strategybot.conversations.offline.steps import Plan, Say, calling
from strategybot.conversations.offline.text import INTERVALS
from strategybot.conversations.offline.tokens import find_token

DAY = 86_400
TOOLS = {
    "test": "run_backtest", "would_test": "run_backtest", "simulate": "start_simulation",
    "sweep": "optimise", "survey": "survey",
}  # fmt: skip
ARGUMENTS = frozenset(
    {"period", "interval", "cash", "fee", "check", "live", "token", "tokens", "chain", "sweep", "sweep_too", "survey"}
)
CHECKS = (10, 30, 60)
TOPICS = {"run_backtest": "backtest", "start_simulation": "simulation", "optimise": "search", "survey": "survey"}
TAKES = {
    "run_backtest": {"period", "interval", "cash", "fee", "chain"},
    "start_simulation": {"interval", "cash", "check", "live", "chain"},
    "optimise": {"period", "interval", "chain"},
    "survey": {"period", "interval", "chain"},
}
CANDLES = "A candle can be 1m, 5m, 15m, 1h, 4h or 1d. Which one should I use?"


@dataclass(frozen=True)
class Run:
    tool: str
    arguments: Json = field(default_factory=dict)
    token: str | None = None
    question: str = ""

    def plain(self) -> Json:
        return {"tool": self.tool, "arguments": self.arguments, "token": self.token}


def runs_of(matches: Sequence[Match], turn: Turn) -> list[Run]:
    """The runs that a message asks for. What is said of a run belongs to the last one named before it."""
    runs: list[Run] = []
    early: list[Match] = []
    named: list[str] = []
    for match in matches:
        if match.name in TOOLS and not _is_same_run(match, named):
            runs.append(Run(TOOLS[match.name], _said_at_once(match)))
            named.append(match.name)
        if match.name in ARGUMENTS:
            early.append(match)
        while runs and early:
            runs[-1] = _with(runs[-1], early.pop(0))
    if turn.memory.get("topic") == "backtest":
        runs = [_like_last(run, turn) if run.tool == "run_backtest" else run for run in runs]
    return [run for place, run in enumerate(runs) if run not in runs[:place]]


def _said_at_once(match: Match) -> Json:
    """What the words for a run say about it already: “a 30 day backtest”, “a live simulation”."""
    if "d" in match.values:
        return {"days": match.values["d"] / DAY}
    return {"mode": match.values["mode"]} if "mode" in match.values else {}


def _is_same_run(match: Match, named: Sequence[str]) -> bool:
    """“How would it have done? Run a backtest” asks for one run, and “try stops … and targets …” for one search."""
    both = {match.name, *named[-1:]}
    if both == {"sweep"} and named:
        return True
    return bool(named) and "d" not in match.values and "would_test" in both and both <= {"test", "would_test"}


def _like_last(run: Run, turn: Turn) -> Run:
    """After a backtest, the next one keeps the arguments that are not said anew."""
    elsewhere = {"token", "chain"} if run.token is not None else set()
    again = {key: value for key, value in turn.last_test.items() if value is not None and key not in elsewhere}
    return replace(run, arguments={**again, **run.arguments})


def _with(run: Run, match: Match) -> Run:
    """The run with one more of the things that were said about it."""
    values, name = match.values, match.name
    if name == "period" and values["d"] < DAY and values["d"] in INTERVALS:
        name = "interval"  # “backtest 30d 15m”
    if name in ("sweep", "sweep_too"):
        sweep = {"part": values["part"].key, **spread_of(values)}
        return replace(run, arguments={**run.arguments, "sweeps": [*run.arguments.get("sweeps", []), sweep]})
    if name in ("token", "tokens", "survey"):
        return _on_tokens(run, values)
    key, value, question = _argument(run.tool, name, values)
    if run.arguments.get(key, value) != value:
        question = f"You named two values for the {key.replace('_', ' ')}. Which one should I use?"
    return replace(run, arguments={**run.arguments, key: value}, question=run.question or question)


def _on_tokens(run: Run, values: Mapping[str, Any]) -> Run:
    """One token is the run's own; several make a survey of a backtest."""
    names = [run.token] if run.token is not None else list(run.arguments.get("tokens", []))
    said = listed(values["toks"]) if "toks" in values else [values["tok"]] if "tok" in values else []
    names += [token.written.removeprefix("$") for token in said]
    names = list({name.lower(): name for name in names}.values())
    if len(names) == 1 and said and run.tool != "survey":
        return replace(run, token=names[0])
    if run.tool not in ("run_backtest", "survey"):
        return replace(run, question="I can run it on one token at a time. Which one should I use?")
    more = {"limit": values["n"]} if "n" in values else {}
    more |= {"chain": values["chain"]} if "chain" in values else {}
    arguments = {**run.arguments, **more, **({"tokens": names} if names else {})}
    return replace(run, tool="survey", token=None, arguments=arguments)


def _argument(tool: str, name: str, values: Mapping[str, Any]) -> tuple[str, Any, str]:
    """The argument of the tool, its value, and a question if it cannot be used."""
    if name not in TAKES[tool]:
        return name, None, f"I could not use all of that for a {TOPICS[tool]}. What should I run?"
    seconds = values.get("d", 0)
    known: dict[str, tuple[str, Any, str]] = {
        "period": (
            "days",
            values.get("n", 1) * seconds / DAY,
            "How many days should the backtest cover?" if seconds < DAY else "",
        ),
        "interval": ("kline_interval", INTERVALS.get(int(seconds)), "" if seconds in INTERVALS else CANDLES),
        "cash": ("initial_cash", values.get("amount"), ""),
        "fee": ("fee_percent", 0.0 if values.get("zero") else values.get("amount"), ""),
        "check": (
            "check_interval",
            int(seconds),
            "" if seconds in CHECKS else "It can check every 10, 30 or 60 seconds. Which one?",
        ),
        "live": ("mode", "live", ""),
        "chain": ("chain", values.get("chain"), ""),
    }
    return known[name]


def asked_before_runs(runs: Sequence[Run]) -> Generator[Call, Outcome, str]:
    """What must be asked before anything is done: a value that does not fit, or a token that is not known."""
    for run in runs:
        if run.question:
            return run.question
        if run.token is not None:
            known, told = yield from find_token(run.token, run.arguments.get("chain"))
            if known is None:
                return told
    return ""


def do_runs(turn: Turn, runs: Sequence[Run], said: str = "") -> Plan:
    """Run one after the other; stop at the first that needs an answer."""
    memory: Json = {}
    asked = next((run.question for run in runs if run.question), "")
    if asked or len(runs) > 1:
        asked = asked or (yield from asked_before_runs(runs))
    if asked:
        return Say(said + asked, {})
    current = yield from calling("get_current_strategy")
    if not current.facts.get("strategy"):
        return Say(said + (replies.NO_STRATEGY if current.has_bot else replies.NO_BOT))
    own = str((current.facts.get("bot") or {}).get("name")).lower()  # “backtest it on Alpha” names the bot itself
    for run in (replace(run, token=None) if str(run.token).lower() == own else run for run in runs):
        if run.tool == "run_backtest" and current.facts.get("backtests_left") == 0:
            return Say(said + replies.TESTS_USED_UP)
        step = yield from _do_run(turn, run, current.facts, said)
        if "pending" in step.memory or "topic" not in step.memory:
            return step
        said, memory = f"{step.text}\n\n", step.memory
    return Say(said.strip(), memory)


def _do_run(turn: Turn, run: Run, current: Json, said: str) -> Plan:
    arguments, bot = dict(run.arguments), current.get("bot") or {}
    if run.tool == "survey":
        found = yield from survey_arguments(arguments, bot)
        return Say(said + found) if isinstance(found, str) else (yield from _told_run(turn, run, found, current, said))
    if run.tool == "optimise":
        searched = sweep_arguments(turn, arguments.pop("sweeps"), current["strategy"])
        if isinstance(searched, str):
            return Say(said + searched)
        arguments |= searched
    awaiting: Json = {"pending": {"kind": "token", "run": replace(run, token=None).plain()}}
    remembered = {"token": turn.memory["token"]} if isinstance(turn.memory.get("token"), str) else {}
    name = run.token or (remembered.get("token") if bot.get("token") is None and not turn.last_token else None)
    if name is not None:
        token, told = yield from find_token(name, arguments.get("chain"))
        if token is None:
            return Say(f"{said}{told}", awaiting)
        arguments |= {"token": token["token_id"], "chain": token["chain"]}
    elif bot.get("token") is None and "token" not in arguments:
        if not turn.last_token:
            offered = yield from calling("search_tokens", query="", chain=arguments.get("chain"))
            return Say(replies.which_token(offered.rows, said), awaiting)
        arguments = turn.last_token | arguments
    return (yield from _told_run(turn, run, arguments, current, said))


def _told_run(turn: Turn, run: Run, arguments: Json, current: Json, said: str) -> Plan:
    outcome = yield Call(run.tool, arguments)
    if outcome.failure is not None:
        return Say(said + outcome.failure)
    memory: Json = {"topic": TOPICS[run.tool]}
    tell = RUNS_TOLD.get(run.tool, simulation_words)
    text = said + tell(outcome.facts, turn.symbols)
    chosen = (outcome.facts.get("recommended") or {}).get("strategy")
    if chosen is not None and chosen != current["strategy"]:
        text += " Say “apply it” to take these values."
        memory["pending"] = {"kind": "apply", "strategy": chosen, "before": current["strategy"]}
    return Say(text, memory)


def stop_simulation(turn: Turn) -> Plan:
    """Look up whether one runs if this conversation has started none."""
    if not turn.memory.get("simulating"):
        bot = yield from calling("get_bot_info")
        if bot.failure is not None or bot.facts.get("is_simulating") is False:
            return Say("No simulation of this bot is running. Shall I start one? Say “simulate it”.")
    outcome = yield from calling("stop_simulation")
    return Say(outcome.failure or simulation_words(outcome.facts, turn.symbols), {"topic": "simulation"})
