"""Compares a simulation with the newest backtest of the same strategy, token or tokens, and candle length."""

from strategybot.backtests.service import TradedBy, newest_of_content, past_of
from strategybot.kit.database import Session
from strategybot.runs.storage import token_id_of
from strategybot.simulations.schemas import ExpectationView
from strategybot.simulations.storage import Simulation
from strategybot.trading.engine.saved_sessions import skips_of, tally_of
from strategybot.trading.evidence.expectation import Past, expectation

MOST_KEPT = 64


class Expectations:
    """Keeps the trades of the backtests that were read last: a finished backtest does not change."""

    def __init__(self) -> None:
        self._past: dict[str, Past] = {}

    def of(self, session: Session, run: Simulation) -> ExpectationView | None:
        """Return None if the bot has no finished backtest of this strategy, and if the run is older than its tally."""
        tally = tally_of(run.state)
        if tally is None:
            return None
        tokens = None if run.asked_tokens is None else [token_id_of(each) for each in run.asked_tokens]
        traded = TradedBy(run.token, run.chain, tokens, run.universe)
        newest = newest_of_content(session, run.bot_id, run.strategy, traded, run.kline_interval)
        if newest is None:
            return None
        past = self._past.get(newest)
        if past is None:
            past = past_of(session, newest)
            self._keep(newest, past)
        found = expectation(past, tally, _seconds(run))
        return ExpectationView(backtest_run_id=newest, **dict(found))

    def _keep(self, run_id: str, past: Past) -> None:
        if len(self._past) >= MOST_KEPT:
            self._past.pop(next(iter(self._past)), None)
        self._past[run_id] = past


def _seconds(run: Simulation) -> int:
    """Return for how long the run has traded, without its pauses."""
    end = run.state["last_time"] + run.interval_seconds
    return int(end - run.start_time - sum(last + run.interval_seconds - first for first, last in skips_of(run.state)))
