"""Plans that only read: what a run did and why, its trades, a simulation's state, the bots, and tokens."""

from collections.abc import Generator

from strategybot.conversations.agent.telling import price_line, result_words, risk_words
from strategybot.conversations.offline import replies
from strategybot.conversations.offline.history import Call, Outcome, Plan, Say, Turn, calling
from strategybot.conversations.offline.runs import find_token
from strategybot.kit.json_object import Json

NO_RUN = "Shall I run one? Say “backtest it”."
ABOUT_RESULT = frozenset({"result", "why", "best", "worst", "costs", "how_many", "verdict"})


def last_result(turn: Turn, topics: list[str]) -> Plan:
    """The last backtest, or the parts of it that were asked about."""
    outcome = yield from calling("get_backtest")
    if outcome.failure is not None:
        return Say(f"{outcome.failure} {NO_RUN}")
    run = outcome.facts
    told = [replies.explained(topic, run, turn.symbols) for topic in topics if topic != "result" and run.get("metrics")]
    return Say(" ".join(told) or result_words(run, turn.symbols), {"topic": "backtest"})


def compare_runs(_turn: Turn) -> Plan:
    outcome = yield from calling("compare_backtests")
    runs = [run for run in outcome.facts.get("backtests", []) if run.get("metrics")]
    if len(runs) < 2:
        return Say(f"{outcome.failure or 'There are no two completed backtests to compare yet.'} {NO_RUN}")
    return Say(replies.compared(*runs[-2:]), {"topic": "backtest"})


def show_trades(_turn: Turn) -> Plan:
    """The last page of the trades of the last backtest."""
    outcome = yield from calling("get_backtest", trades_page=1)
    if outcome.failure is not None:
        return Say(f"{outcome.failure} {NO_RUN}")
    last = outcome.facts["trades_page"]["total_pages"]
    if last > 1:
        outcome = yield from calling("get_backtest", trades_page=last)
    return Say(replies.traded(outcome.facts["trades_page"]), {"topic": "backtest"})


def _simulation(turn: Turn) -> Generator[Call, Outcome, Json | None]:
    bot = yield from calling("get_bot_info")
    if bot.failure is not None or bot.facts.get("is_simulating") is False or "get_simulation" not in turn.tools:
        return None
    outcome = yield from calling("get_simulation")
    return outcome.facts if outcome.failure is None else None


def status(turn: Turn) -> Plan:
    """The running simulation; without one, the last backtest."""
    run = yield from _simulation(turn)
    if run is None:
        result = yield from last_result(turn, ["result"])
        return Say(f"No simulation is running. {result.text}", result.memory)
    return Say(replies.simulation_status(run, turn.symbols), {"topic": "simulation"})


def why_not(turn: Turn) -> Plan:
    """Why the simulation did not trade at its last candle; without one, how many trades the backtest has."""
    run = yield from _simulation(turn)
    if run is None:
        return (yield from last_result(turn, ["how_many"]))
    return Say(replies.held(run), {"topic": "simulation"})


def list_bots(_turn: Turn) -> Plan:
    outcome = yield from calling("list_bots")
    return Say(outcome.failure or replies.listed(outcome.facts))


def search(query: str, chain: str | None = None) -> Plan:
    outcome = yield from calling("search_tokens", query=query, chain=chain)
    return Say(outcome.failure or replies.found(outcome.rows, query))


def about_token(tool: str, query: str | None, chain: str | None) -> Plan:
    """The risk or the price of the named token, or of the bot's own."""
    if query is None:
        current = yield from calling("get_current_strategy")
        token_id = current.bot.get("token")
        if not token_id:
            return Say("Which token do you mean? Give me a symbol, a name or an address.")
        token: Json = {"token_id": token_id, "symbol": "The token of this bot", "chain": token_id.rpartition("-")[2]}
    else:
        found, told = yield from find_token(query, chain)
        if found is None:
            return Say(told)
        token = found
    outcome = yield from calling(tool, token_id=token["token_id"])
    if outcome.failure is not None:
        return Say(outcome.failure)
    if tool == "get_token":
        return Say(price_line(token, outcome.facts))
    return Say(f"{token['symbol']} on {token['chain']}: {risk_words(outcome.facts)}")
