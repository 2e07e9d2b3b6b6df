"""Works on backtests: takes a run up, computes it off the event loop, and writes its outcome once.

A run is ours from the moment we claimed it until its outcome is written, it is stopped, or somebody takes it over
because we were not heard of for too long. The database says which.
"""

import asyncio
import logging
from dataclasses import dataclass, field
from datetime import timedelta

import anyio

from strategybot.backtests import storage
from strategybot.backtests.preparation import Prepared, prepare, warm_up_seconds
from strategybot.backtests.storage import Backtest, Outcome
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.errors import AppError
from strategybot.kit.threads import in_thread
from strategybot.market.service import Market
from strategybot.trading.backtest import BacktestResult, run_backtest
from strategybot.trading.candles import Integers
from strategybot.trading.instruments import INTERVAL_SECONDS
from strategybot.trading.kernel import Costs
from strategybot.trading.scan import new_control

logger = logging.getLogger("strategybot.backtests")

SECONDS_BETWEEN_BEATS = 2
STALE_AFTER = timedelta(seconds=15)
FETCHED_PERCENT = 10.0


class NoKlines(AppError):
    status = 422

    def __init__(self, token: str, chain: str) -> None:
        super().__init__(f"The provider has no klines for {token} on {chain}.")


@dataclass(slots=True)
class LiveRun:
    epoch: int
    control: Integers = field(default_factory=new_control)
    candles: int = 0

    @property
    def percent(self) -> float:
        done = self.control[0] / self.candles if self.candles else 0
        return float(FETCHED_PERCENT + (99 - FETCHED_PERCENT) * done) if self.candles else 1.0

    def stop(self) -> None:
        self.control[1] = 1


class Runner:
    def __init__(self, database: Database, market: Market, clock: Clock) -> None:
        self._database, self._market, self._clock = database, market, clock
        self._live: dict[str, LiveRun] = {}

    async def execute(self, run_id: str) -> None:
        """The job of this run: done, or left to somebody who is at it already."""
        run = await in_thread(self._claim, run_id)
        if run is None:
            return
        live = self._live[run_id] = LiveRun(run.epoch)
        try:
            outcome = await self._outcome(run, live)
            await in_thread(self._finish, run_id, run.epoch, outcome)
        except asyncio.CancelledError:
            live.stop()
            with anyio.CancelScope(shield=True):
                await in_thread(self._let_go, run_id, run.epoch)
            raise
        finally:
            del self._live[run_id]

    def stop(self, run_id: str) -> None:
        """A push: should it miss, the next beat finds out."""
        if run_id in self._live:
            self._live[run_id].stop()

    def beat(self) -> None:
        """Say which runs are alive, and notice which are ours no longer."""
        owned = {(run_id, live.epoch): live.percent for run_id, live in self._live.items()}
        if not owned:
            return
        with self._database.write() as session:
            storage.beat(session, owned, self._clock())
            ours = storage.still_ours(session, owned)
        for run_id, _ in owned:
            if run_id not in ours:
                self.stop(run_id)

    def left_alone(self) -> list[str]:
        with self._database.read() as session:
            return storage.left_alone(session, self._clock() - STALE_AFTER)

    def _claim(self, run_id: str) -> Backtest | None:
        now = self._clock()
        with self._database.write() as session:
            return storage.claim(session, run_id, now, now - STALE_AFTER)

    def _finish(self, run_id: str, epoch: int, outcome: Outcome) -> None:
        with self._database.write() as session:
            if not storage.finish(session, run_id, epoch, outcome, self._clock()):
                logger.info("run %s was not ours any longer", run_id)

    def _let_go(self, run_id: str, epoch: int) -> None:
        with self._database.write() as session:
            storage.let_go(session, run_id, epoch)

    async def _outcome(self, run: Backtest, live: LiveRun) -> Outcome:
        try:
            prepared = await self._prepared(run)
            live.candles = max(1, len(prepared.candles))
            return await in_thread(_computed, run, prepared, live)
        except AppError as error:
            return Outcome("failed", error=error.message)
        except Exception:  # the edge of a job: a defect must end the run in words, not leave it running
            logger.exception("run %s failed", run.run_id)
            return Outcome("failed", error="Something went wrong inside the service; the run was not finished.")

    async def _prepared(self, run: Backtest) -> Prepared:
        warm_up = warm_up_seconds(run.strategy, INTERVAL_SECONDS[run.kline_interval])
        start = max(0, run.start_time - warm_up)
        token_id = f"{run.token}-{run.chain}"
        candles, report = await self._market.candles(token_id, run.kline_interval, start, run.end_time)
        prepared = await in_thread(prepare, candles, report, run.start_time)
        if not prepared.candles_to_trade:
            raise NoKlines(run.token, run.chain)
        return prepared


def _computed(run: Backtest, prepared: Prepared, live: LiveRun) -> Outcome:
    costs = Costs(fee_percent=run.fee_percent, slippage_percent=run.slippage_percent)
    result = run_backtest(
        run.strategy,
        prepared.candles,
        costs,
        run.initial_cash,
        start_index=prepared.start_index,
        control=live.control,
    )
    return _told(result, prepared)


def _told(result: BacktestResult, prepared: Prepared) -> Outcome:
    """A run that was stopped keeps what it did, but has no metrics: they would speak of half a span."""
    finished = not result.stopped
    return Outcome(
        status="completed" if finished else "stopped",
        metrics=result.metrics if finished else None,
        metric_notes=result.metric_notes if finished else None,
        data_report=prepared.report.model_dump(),
        open_position=result.open_position,
        equity_curve=result.equity_curve(),
        trades=result.trades.page(0, len(result.trades)),
        signals=result.signals.page(0, len(result.signals)),
    )
