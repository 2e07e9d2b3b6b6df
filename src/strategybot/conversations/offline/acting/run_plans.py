"""Plans about runs: a backtest, its result, a simulation and its end."""

import re
from typing import Any

from strategybot.conversations.offline import replies
from strategybot.conversations.offline.acting.token_plans import clear_match
from strategybot.conversations.offline.history import Call, Turn
from strategybot.conversations.offline.orders.run_reservations import unread_words
from strategybot.conversations.offline.orders.runs import CHECK_INTERVALS, CHECKS, Run, read_run
from strategybot.conversations.offline.steps import Plan, Say, calling, saying
from strategybot.conversations.offline.words.hearing import line_of

TOPICS = {"run_backtest": "backtest", "start_simulation": "simulation"}
_VERBS = {"run_backtest": "backtest", "start_simulation": "simulate"}
_EVERY = re.compile(
    r"(?:(?:ok|okay|then|well|so|hm+|make it|let'?s say|use|with|please|fine|sure)[\s,.]+)*(?:every |each )?"
    r"(?:(?P<seconds>10|30|60)(?: ?(?:s|secs?|seconds?))?|(?P<minute>(?:a |one |1 )?minute))"
    r"(?:[\s,]+(?:then|please|pls|instead))*[\s.!]*",
    re.IGNORECASE,
)
_UNSAYABLE = {"initial_cash": "the starting cash", "fee_percent": "the fees", "slippage_percent": "the slippage"}


def do_run(turn: Turn, run: Run, questions: list[str] | None = None) -> Plan:
    """Check that there is something to run and something to run it on; then run it."""
    asked = [*run.questions, *(questions or [])]
    if asked:
        awaited = asked == [CHECKS] and run.token is None  # "every 20 seconds": which of those there are?
        pending = {"kind": "interval", "tool": run.tool, "arguments": run.arguments}
        return Say(asked[0], {"pending": pending} if awaited else {})
    current = yield from calling("get_current_strategy")
    if not current.has_bot:
        return Say(replies.NO_BOT)
    if not current.facts.get("strategy"):
        return Say(replies.NO_STRATEGY)
    if run.tool == "run_backtest" and current.facts.get("backtests_left") == 0:
        return Say(replies.TESTS_USED_UP)
    return (yield from run_of(turn, run, current.facts.get("bot") or {}))


def run_of(turn: Turn, run: Run, bot: dict[str, Any], said: str = "") -> Plan:
    """Run the strategy of the bot, which has one."""
    missing = [name for name in run.arguments if name in _UNSAYABLE and name not in turn.tools.get(run.tool, ())]
    if missing:
        kept = {key: value for key, value in run.arguments.items() if key not in missing}
        question = (
            f"I cannot set {_UNSAYABLE[missing[0]]} from here, your settings have it. Run it with those? (yes/no)"
        )
        return Say(said + question, {"pending": {"kind": "run", "tool": run.tool, "arguments": kept}})
    arguments = dict(run.arguments)
    if run.token is None and bot.get("token") is None and "chain" not in arguments:
        arguments = turn.last_token | arguments
    if run.token is not None:
        found = yield from calling("search_tokens", query=run.token, chain=arguments.get("chain"))
        token = clear_match(found.rows, run.token)
        if token is None:
            return Say(said + replies.found(found.rows, run.token) + "\nWhich one should I take?", _awaiting_token(run))
        arguments |= {"token": token["token_id"], "chain": token["chain"]}
    elif "token" not in arguments and (bot.get("token") is None or "chain" in arguments):
        offered = yield from calling("search_tokens", query="", chain=arguments.get("chain"))
        return Say(replies.which_token(offered.rows, said), _awaiting_token(run))
    outcome = yield Call(run.tool, arguments)
    if outcome.failure is not None:
        return Say(said + outcome.failure)
    told = replies.tested if run.tool == "run_backtest" else replies.simulated
    return Say(said + told(outcome.facts, turn.symbols), {"topic": TOPICS[run.tool]})


def _awaiting_token(run: Run) -> dict[str, Any]:
    return {"pending": {"kind": "token", "tool": run.tool, "arguments": run.arguments}}


def test_on(turn: Turn, text: str, pending: dict[str, Any]) -> Plan:
    """The run that waited for a token, on the one named now."""
    run, line = read_run(line_of(f"{_VERBS[pending['tool']]} on {text}"), pending["tool"])
    words = unread_words(line, asked=False) if run.token else []
    if words:
        return saying(f"{replies.doubt(words, 'run nothing')} On which token should I run it?", {"pending": pending})
    arguments = dict(pending["arguments"]) | run.arguments
    return do_run(turn, Run(pending["tool"], arguments, run.token or text.strip(" .!$"), run.questions))


def checking_every(turn: Turn, text: str, pending: dict[str, Any]) -> Plan | None:
    """The simulation that waited for how often it looks: "ok every 30 seconds then", "30"."""
    found = _EVERY.fullmatch(text.strip())
    seconds = (60 if found["minute"] else int(found["seconds"])) if found else None
    if seconds not in CHECK_INTERVALS:
        return None
    return do_run(turn, Run(pending["tool"], {**pending["arguments"], "check_interval": seconds}))


def last_result(turn: Turn) -> Plan:
    outcome = yield from calling("get_backtest")
    if outcome.failure is not None:
        return Say(f"{outcome.failure} Shall I run one? Say “backtest it”.")
    return Say(replies.tested(outcome.facts, turn.symbols), {"topic": "backtest"})


def stop_simulation(turn: Turn) -> Plan:
    """Whether one runs is looked up where this conversation has started none."""
    if not turn.memory.get("simulating"):
        bot = yield from calling("get_bot_info")
        if bot.failure is not None or bot.facts.get("is_simulating") is False:
            return Say("No simulation of this bot is running. Shall I start one? Say “simulate it”.")
    outcome = yield from calling("stop_simulation")
    return Say(outcome.failure or replies.simulated(outcome.facts, turn.symbols), {"topic": "simulation"})
