"""Orders to test or follow a strategy with one purse: “on the 10 most liquid solana tokens, at most 4 open”."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from strategybot.conversations.agent.telling import RUNS_TOLD, simulation_words
from strategybot.conversations.offline.history import Call, Outcome, Plan, Say, Turn, calling
from strategybot.conversations.offline.plans import make_bot
from strategybot.conversations.offline.runs import Run
from strategybot.kit.json_object import Json

WHICH_CHAIN = "On which chain? For example: “trade the 10 most liquid solana tokens, at most 4 at a time”."
DIP: Json = {
    "conditions": [{"kind": "price_drop", "percent": 5, "window": "1h"}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 6},
}
"""The rule of a user who has none yet."""


def same_purse(last_test: Json, runs: Sequence[Run]) -> Json:
    """Return the purse of the last test if the message asks to follow that live; without one, nothing."""
    is_live = [(run.tool, run.token, run.arguments) for run in runs] == [("start_simulation", None, {"mode": "live"})]
    if not (is_live and last_test.get("limit") and last_test.get("trending")):
        return {}
    return {"mode": "live", "n": last_test["limit"], "chain": last_test["trending"]}


def run_purse(turn: Turn, said: Mapping[str, Any]) -> Plan:
    """Give the strategy its places, and test or follow it on the trending tokens of the chain."""
    current = yield from calling("get_current_strategy")
    is_live, chain = "mode" in said, said.get("chain") or current.bot.get("chain")
    if chain is None:
        return Say(WHICH_CHAIN)
    done, failure = yield from _with_places(current, said.get("places"))
    if failure is not None:
        return Say(failure)
    tool = "start_simulation" if is_live else "run_backtest"
    mode = {"mode": "live"} if is_live else {}
    outcome = yield from calling(tool, trending=chain, limit=said["n"], **mode)
    if outcome.failure is not None:
        return Say(done + outcome.failure)
    told = RUNS_TOLD.get(tool, simulation_words)(outcome.facts, turn.symbols)
    notes = (outcome.facts.get("portfolio_notes") or [])[:1]  # what the choice of the tokens did to the result
    unranked = "No list ranks tokens by liquidity: the" if "liquid" in turn.text.lower() else "The"
    chosen = " ".join((f"{unranked} tokens are the {said['n']} that trend on {chain} now.", *notes))
    return Say(f"{done}{told}\n\n{chosen}", {"topic": "simulation" if is_live else "backtest"})


def _with_places(current: Outcome, places: int | None) -> Generator[Call, Outcome, tuple[str, str | None]]:
    """Return what was changed, and why that failed. Without a strategy, a rule that buys dips is made."""
    strategy = current.facts.get("strategy")
    before = strategy or DIP
    portfolio = before.get("portfolio") or {}
    wanted = before if places is None else {**before, "portfolio": {**portfolio, "max_open": places}}
    if not current.bot:
        outcome = yield from make_bot(wanted, None, None)
    elif wanted != strategy:
        outcome = yield from calling("update_trading_strategy", strategy=wanted)
    else:
        return "", None
    return f"Done. {outcome.facts.get('summary')}\n\n", outcome.failure
