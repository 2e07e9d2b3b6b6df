"""Plans about runs: a backtest, its result, a simulation and its end."""

from typing import Any

from strategybot.conversations.offline import replies
from strategybot.conversations.offline.hearing import line_of
from strategybot.conversations.offline.history import Call, Turn
from strategybot.conversations.offline.run_reservations import unread_words
from strategybot.conversations.offline.runs import Run
from strategybot.conversations.offline.steps import Plan, Say, calling, saying
from strategybot.conversations.offline.token_names import named_token
from strategybot.conversations.offline.token_plans import clear_match

TOPICS = {"run_backtest": "backtest", "start_simulation": "simulation"}
_FORMS = {"run_backtest": "a backtest", "start_simulation": "a simulation"}
_UNSAYABLE = {"initial_cash": "the starting cash", "fee_percent": "the fees", "slippage_percent": "the slippage"}


def do_run(turn: Turn, run: Run, questions: list[str] | None = None) -> Plan:
    """Check that there is something to run and something to run it on; then run it."""
    asked = [*run.questions, *(questions or [])]
    if asked:
        return Say(asked[0])
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
    line = line_of(f"on {text}")
    named = named_token(line)
    for place in named.places:
        line = line.renamed(place, place, "RUN")
    words = unread_words(line, asked=False) if named.token else []
    if words:
        return saying(f"{replies.doubt(words, 'run nothing')} On which token should I run it?", {"pending": pending})
    arguments = dict(pending["arguments"]) | ({"chain": named.chain} if named.chain else {})
    return do_run(turn, Run(pending["tool"], arguments, token=named.token or text.strip(" .!$")))


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
