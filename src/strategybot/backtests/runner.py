"""Runs backtests: fetches the candles of a claimed run, computes it outside the event loop, and writes its outcome
once.

The lifecycle (claim, progress, stop, reconcile, shutdown) is that of every queued run: `runs/runner.py`.
"""

import logging
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, nullcontext
from dataclasses import replace
from functools import partial
from typing import TypeVar, TypeVarTuple

import anyio
import anyio.to_thread

from strategybot.backtests import storage
from strategybot.backtests.chunks import NO_ROWS, pack
from strategybot.backtests.intrabar import MinuteFetcher
from strategybot.backtests.portfolios import PortfolioBacktests
from strategybot.backtests.storage import Backtest, BacktestOutcome
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.kit.jobs import JobsFactory
from strategybot.kit.threads import run_blocking
from strategybot.market.service import Market, NoKlines
from strategybot.runs.costing import settle_costs
from strategybot.runs.leases import Lease, Leases
from strategybot.runs.runner import DEFECT, Failing, LiveRun, QueuedRunner
from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.filled import Table
from strategybot.trading.engine.loop import DONE
from strategybot.trading.engine.preparation import Prepared, prepare, warm_up_start
from strategybot.verdicts.schemas import FinishedPortfolio, FinishedRun, VerdictView
from strategybot.verdicts.service import Verdicts, finished_run

logger = logging.getLogger("strategybot.backtests")

FETCHED_PERCENT, COMPUTED_PERCENT = 50.0, 80.0  # the remainder is for the 1-minute candles
NOT_GRADED = "The verdict could not be computed. The result itself is complete."
LARGE_RUN_CANDLES = 500_000
LARGE_RUNS_AT_ONCE = 2
TablePart = Callable[[int, int], Table]
Arguments = TypeVarTuple("Arguments")
Computed = TypeVar("Computed")


class Abandoned(Exception):
    """The run was abandoned while its outcome was being packed."""


class NotComputed(Exception):
    """A completed run could not be computed again."""


class LiveBacktest(LiveRun):
    finished: FinishedRun | FinishedPortfolio | None = None
    """The inputs and the result of the run, set when it is complete."""

    def __init__(self) -> None:
        super().__init__()
        self.candles = 0
        self._fetched = self._minutes_fetched = 0.0

    @property
    def percent(self) -> float:
        if not self.candles:
            return 1 + (FETCHED_PERCENT - 1) * self._fetched
        computed = min(1.0, float(self.control[DONE]) / self.candles)  # it may be computed more than once
        base = FETCHED_PERCENT + (COMPUTED_PERCENT - FETCHED_PERCENT) * computed
        return base + (99 - COMPUTED_PERCENT) * self._minutes_fetched

    def fetched(self, share: float) -> None:
        self._fetched = share

    def minutes_fetched(self, share: float) -> None:
        self._minutes_fetched = max(share, self._minutes_fetched)


class Runner(QueuedRunner[Backtest, LiveBacktest]):
    model, live, queue = Backtest, LiveBacktest, "compute"

    def __init__(
        self,
        database: Database,
        market: Market,
        clock: Clock,
        leases: Leases,
        jobs: JobsFactory,
        verdicts: Verdicts | None = None,
    ) -> None:
        super().__init__(database, clock, leases, jobs)
        self._market, self._verdicts = market, verdicts
        self._finished: dict[str, FinishedRun | FinishedPortfolio] = {}
        self._portfolios = PortfolioBacktests(market, clock, self._on_a_processor)
        # Waiting for the provider is cheap, so many runs may do it at once. Computing takes a core, and the candles of
        # a large run take memory.
        self._processors = anyio.CapacityLimiter(os.cpu_count() or 1)
        self.large_runs = anyio.CapacityLimiter(LARGE_RUNS_AT_ONCE)

    async def work_on(self, run: Backtest, live: LiveBacktest) -> None:
        outcome = await self._outcome(run, live)
        if outcome is not None:
            await self._write_down(run.lease, outcome)
        if live.finished is not None:
            self._finished[run.run_id] = live.finished

    async def execute(self, run_id: str) -> None:
        """Run the job of this id unless another process holds it. Grade the run if it is completed without
        a verdict.
        """
        try:
            await super().execute(run_id)
            run = await run_blocking(self._find_ungraded, run_id)
        finally:
            finished = self._finished.pop(run_id, None)
        if run is not None and self._verdicts is not None:
            await self._grade(run, finished, self._verdicts)

    async def _grade(self, run: Backtest, finished: FinishedRun | FinishedPortfolio | None, verdicts: Verdicts) -> None:
        """Grade the run. If its inputs are not in memory (an old run, or its grader died), it is computed
        again first.
        """
        try:
            finished = finished or await self.compute_again(run)
            save = partial(self._save_verdict, run.run_id)
            if isinstance(finished, FinishedPortfolio):
                await verdicts.grade_portfolio(finished, save)
            else:
                await verdicts.grade(finished, save)
        except DatabaseUnavailable:  # the run is graded when it is opened
            logger.warning("the verdict of run %s could not be saved", run.run_id)
        except Exception:  # the boundary of a job: a defect must end the wait for the verdict with a message
            logger.exception("run %s could not be graded", run.run_id)
            await run_blocking(self._save_verdict, run.run_id, None, NOT_GRADED)

    async def compute_again(self, run: Backtest) -> FinishedRun | FinishedPortfolio:
        live = LiveBacktest()
        outcome = await self._outcome(run, live)
        if live.finished is None:  # its candles are deleted, or the provider cannot be reached
            raise NotComputed(outcome and outcome.error)
        return live.finished

    def _find_ungraded(self, run_id: str) -> Backtest | None:
        with self._database.read() as session:
            run = storage.completed_run(session, run_id)
        return run if run is not None and run.needs_verdict(self._clock()) else None

    def _save_verdict(self, run_id: str, verdict: VerdictView | None, error: str | None = None) -> None:
        """Save the verdict with its run, or why there is none, unless the run was deleted."""
        with self._database.write() as session:
            storage.save_verdict(session, run_id, None if verdict is None else verdict.model_dump(mode="json"), error)

    def _finish(self, lease: Lease, outcome: BacktestOutcome) -> None:
        with self._database.write() as session:
            if not storage.finish(session, lease, outcome, self._clock()):
                logger.info("run %s is not ours any longer", lease.run_id)

    async def _write_down(self, lease: Lease, outcome: BacktestOutcome) -> None:
        try:
            await run_blocking(self._finish, lease, outcome)
        except DatabaseUnavailable:  # temporary: the run is claimed again
            raise
        except Exception:  # an outcome that cannot be written must end the run, or it would be retried for ever
            logger.exception("the outcome of run %s could not be written", lease.run_id)
            await run_blocking(self._finish, lease, BacktestOutcome("failed", error=DEFECT))

    async def _outcome(self, run: Backtest, live: LiveBacktest) -> BacktestOutcome | None:
        """Return the outcome, or None if the run was stopped before there was any."""
        with Failing(run.run_id) as failure:
            async with AsyncExitStack() as room:
                return await self._compute(run, live, room)
        return BacktestOutcome("failed", error=failure.error)

    def _room_for(self, run: Backtest) -> AbstractAsyncContextManager[None]:
        candles = (run.end_time - run.start_time) // run.interval_seconds * run.tokens_total
        return self.large_runs if candles > LARGE_RUN_CANDLES else nullcontext()

    async def _compute(self, run: Backtest, live: LiveBacktest, room: AsyncExitStack) -> BacktestOutcome | None:
        if run.asked_tokens is not None:
            await room.enter_async_context(self._room_for(run))
            return await self._portfolios.outcome(run, live)
        token_id = run.token_id
        with live.fetching() as fetching:
            await room.enter_async_context(self._room_for(run))
            await settle_costs(self._database, self._market, self._clock, run)
            span = (_fetched_from(run), run.end_time)
            candles, report = await self._market.candles(
                token_id, run.kline_interval, *span, live.fetched, run.owner_id, traded_from=run.start_time
            )
        if fetching.cancelled_caught:
            return None
        prepared = await self._on_a_processor(prepare, candles, report, run.start_time)
        if not prepared.candles_to_trade:
            raise NoKlines(run.token, run.chain)
        live.candles = prepared.candles_to_trade
        result = await self._resolve(run, prepared, live)
        return None if live.abandoned else await self._on_a_processor(_outcome_of, run, prepared, result, live)

    async def _resolve(self, run: Backtest, prepared: Prepared, live: LiveBacktest) -> BacktestResult:
        """Return the result, computed again with more 1-minute candles as long as they can resolve a candle
        in doubt.
        """
        span, token_id = (run.start_time, run.end_time), run.token_id
        minutes = MinuteFetcher(self._market, token_id, span, run.most_minutes, run.owner_id)
        while True:
            result = await self._on_a_processor(_result_of, run, prepared, live, minutes.minutes)
            if run.intrabar == "off" or result.stopped or not len(result.doubts):
                return result
            seconds, are_new = prepared.candles.interval_seconds, False
            with live.fetching():
                are_new = await minutes.fetch(result.doubts, seconds, live.minutes_fetched)
            if not are_new:
                return result

    async def _on_a_processor(self, work: Callable[[*Arguments], Computed], *arguments: *Arguments) -> Computed:
        return await anyio.to_thread.run_sync(work, *arguments, limiter=self._processors)


def _result_of(run: Backtest, prepared: Prepared, live: LiveBacktest, minutes: Candles) -> BacktestResult:
    return run_backtest(
        run.strategy_as_run,
        prepared.candles,
        run.traded_costs,
        run.initial_cash,
        start_index=prepared.start_index,
        control=live.control,
        minutes=minutes,
    )


def _fetched_from(run: Backtest) -> int:
    if run.first_candle is not None:
        return run.first_candle
    return warm_up_start(run.start_time, run.strategy, run.interval_seconds)


def _outcome_of(run: Backtest, prepared: Prepared, result: BacktestResult, live: LiveBacktest) -> BacktestOutcome:
    """Return the outcome. A stopped run keeps its results but has no metrics, which would describe only a part of the
    span.
    """
    report, is_finished = result.reported(prepared.report), not result.stopped
    if is_finished:
        finished = finished_run(run, run.strategy_as_run, _fetched_from(run), prepared, result)
        live.finished = replace(finished, untested=report.untested)
    return BacktestOutcome(
        status="completed" if is_finished else "stopped",
        metrics=result.metrics if is_finished else None,
        metric_notes=result.metric_notes if is_finished else None,
        data_report=report.model_dump(),
        open_position=None if result.open_position is None else result.open_position._asdict(),
        equity_curve=[point._asdict() for point in result.equity_curve()],
        trades=pack(len(result.trades), _unless_abandoned(live, result.trades.table)),
        signals=pack(len(result.signals), _unless_abandoned(live, result.signals.table)),
        fills=pack(len(result.fills), _unless_abandoned(live, result.fills.table))
        if result.trades.strategy.trades_in_parts
        else NO_ROWS,
    )


def _unless_abandoned(live: LiveBacktest, part: TablePart) -> TablePart:
    def wanted(offset: int, limit: int) -> Table:
        if live.abandoned:
            raise Abandoned
        return part(offset, limit)

    return wanted
