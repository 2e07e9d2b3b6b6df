"""Plans about what a run did: its result, why, its trades, two runs side by side, and a simulation's state."""

from collections.abc import Generator

from strategybot.conversations.agent.telling import result_words
from strategybot.conversations.offline import replies
from strategybot.conversations.offline.history import Call, Json, Outcome, Turn
from strategybot.conversations.offline.steps import Plan, Say, calling

NO_RUN = "Shall I run one? Say “backtest it”."
NO_SIMULATION = "No simulation of this bot is running. Shall I start one? Say “simulate it”."
ABOUT_RESULT = frozenset({"result", "why", "best", "worst", "costs", "how_many", "verdict"})


def last_result(turn: Turn, topics: list[str]) -> Plan:
    """The last backtest, or the parts of it that were asked about."""
    outcome = yield from calling("get_backtest")
    if outcome.failure is not None:
        return Say(f"{outcome.failure} {NO_RUN}")
    run = outcome.facts
    if topics == ["result"] or run.get("status") != "completed" or not run.get("metrics"):
        return Say(result_words(run, turn.symbols), {"topic": "backtest"})
    told = [replies.explained(topic, run) for topic in topics if topic != "result"]
    return Say(" ".join(told), {"topic": "backtest"})


def compare_runs() -> Plan:
    outcome = yield from calling("compare_backtests")
    if outcome.failure is not None:
        return Say(f"{outcome.failure} {NO_RUN}")
    runs = [run for run in outcome.facts["backtests"] if run.get("metrics")]
    if len(runs) < 2:
        return Say(f"There are no two completed backtests to compare yet. {NO_RUN}")
    return Say(replies.compared(*runs[-2:]), {"topic": "backtest"})


def show_trades() -> Plan:
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
    """Why the simulation did not trade at its last candle; without one, why the backtest has so few trades."""
    run = yield from _simulation(turn)
    if run is None:
        outcome = yield from calling("get_backtest")
        if outcome.failure is not None:
            return Say(f"{outcome.failure} {NO_SIMULATION}")
        return Say(
            replies.explained("how_many", outcome.facts)
            if outcome.facts.get("metrics")
            else result_words(outcome.facts, turn.symbols)
        )
    return Say(replies.held(run), {"topic": "simulation"})
