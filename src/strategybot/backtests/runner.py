"""Works on backtests: takes a run up, computes it off the event loop, and writes its outcome once.

A run is ours from the moment we claimed it until its outcome is written, it is stopped, or somebody takes it over
because we were not heard of for too long. The database says which.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, nullcontext, suppress
from datetime import timedelta

import anyio
import anyio.to_thread

from strategybot.backtests import storage
from strategybot.backtests.preparation import Prepared, prepare, warm_up_seconds
from strategybot.backtests.storage import Backtest, Outcome
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.kit.errors import AppError
from strategybot.kit.threads import in_thread
from strategybot.market.service import Market, NoKlines
from strategybot.trading.backtest import BacktestResult, run_backtest
from strategybot.trading.candles import Candles, DataReport, Integers
from strategybot.trading.fast.scan import DONE, STOP_REQUESTED, new_control
from strategybot.trading.instruments import INTERVAL_SECONDS
from strategybot.trading.kernel import Costs
from strategybot.trading.tables import Table

logger = logging.getLogger("strategybot.backtests")

SECONDS_BETWEEN_BEATS = 2
STALE_AFTER = timedelta(seconds=10)
FETCHED_PERCENT = 50.0
LARGE_RUN_CANDLES = 500_000
LARGE_RUNS_AT_ONCE = 2
DEFECT = Outcome("failed", error="Something went wrong inside the service; the run was not finished.")
Part = Callable[[int, int], Table]


class Abandoned(Exception):
    """Nobody wants what is being computed."""


class LiveRun:
    """A run of ours while we are at it. `stop` and `abandon` may be called from any thread."""

    def __init__(self, epoch: int) -> None:
        self.epoch, self.candles, self.abandoned = epoch, 0, False
        self._fetched = 0.0
        self.control: Integers = new_control()
        self.fetching = anyio.CancelScope()
        self._loop = asyncio.get_running_loop()

    @property
    def percent(self) -> float:
        if not self.candles:
            return 1 + (FETCHED_PERCENT - 1) * self._fetched
        return float(FETCHED_PERCENT + (99 - FETCHED_PERCENT) * min(1.0, self.control[DONE] / self.candles))

    def fetched(self, share: float) -> None:
        self._fetched = share

    def stop(self) -> None:
        self.control[STOP_REQUESTED] = 1
        with suppress(RuntimeError):  # the loop is closed: nothing is being fetched any longer
            self._loop.call_soon_threadsafe(self.fetching.cancel)

    def abandon(self) -> None:
        self.abandoned = True
        self.stop()


class Runner:
    def __init__(self, database: Database, market: Market, clock: Clock) -> None:
        self._database, self._market, self._clock = database, market, clock
        self._live: dict[tuple[str, int], LiveRun] = {}
        # Waiting for the provider costs next to nothing, so many runs may do it at once; computing costs a processor,
        # and the candles of a large run cost memory.
        self._processors = anyio.CapacityLimiter(os.cpu_count() or 1)
        self._large_runs = anyio.CapacityLimiter(LARGE_RUNS_AT_ONCE)

    async def execute(self, run_id: str) -> None:
        """The job of this run: done, or left to somebody who is at it already."""
        # Neither is given up half-way: a run that is claimed must be worked on or let go.
        claiming = asyncio.ensure_future(in_thread(self._claim, run_id))
        try:
            run = await asyncio.shield(claiming)
            if run is not None:
                await self._work_on(run)
        except asyncio.CancelledError:
            with anyio.CancelScope(shield=True):
                if (run := await claiming) is not None:
                    await in_thread(self._let_go, run_id, run.epoch)
            raise

    def stop(self, run_id: str) -> None:
        """A push: should it miss, the next beat finds out."""
        for (known_id, _), live in list(self._live.items()):
            if known_id == run_id:
                live.stop()

    def beat(self) -> None:
        """Say which runs are alive, and notice which are ours no longer."""
        owned = dict(list(self._live.items()))  # copied in one go: the event loop adds and removes meanwhile
        if not owned:
            return
        with self._database.write() as session:
            ours = storage.beat(session, {key: live.percent for key, live in owned.items()}, self._clock())
        for key in owned.keys() - ours:
            owned[key].stop()

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

    async def _work_on(self, run: Backtest) -> None:
        live = self._live[run.run_id, run.epoch] = LiveRun(run.epoch)
        try:
            outcome = await self._outcome(run, live)
            if outcome is not None:
                await self._write_down(run, outcome)
        except asyncio.CancelledError:
            live.abandon()
            raise
        finally:
            del self._live[run.run_id, run.epoch]

    async def _write_down(self, run: Backtest, outcome: Outcome) -> None:
        try:
            await in_thread(self._finish, run.run_id, run.epoch, outcome)
        except DatabaseUnavailable:  # it will be back, and the run is taken up again
            raise
        except Exception:  # what cannot be written must end the run as well, or it would be tried again and again
            logger.exception("the outcome of run %s could not be written", run.run_id)
            await in_thread(self._finish, run.run_id, run.epoch, DEFECT)

    async def _outcome(self, run: Backtest, live: LiveRun) -> Outcome | None:
        """What came of it; None when it was stopped before there was anything to keep."""
        try:
            async with AsyncExitStack() as room:
                return await self._computed(run, live, room)
        except DatabaseUnavailable:  # as above
            raise
        except AppError as error:
            return Outcome("failed", error=error.message)
        except Exception:  # the edge of a job: a defect must end the run in words, not leave it running
            logger.exception("run %s failed", run.run_id)
            return DEFECT

    def _room_for(self, run: Backtest) -> AbstractAsyncContextManager[None]:
        candles = (run.end_time - run.start_time) // INTERVAL_SECONDS[run.kline_interval]
        return self._large_runs if candles > LARGE_RUN_CANDLES else nullcontext()

    async def _computed(self, run: Backtest, live: LiveRun, room: AsyncExitStack) -> Outcome | None:
        warm_up = warm_up_seconds(run.strategy, INTERVAL_SECONDS[run.kline_interval])
        start, token_id = max(0, run.start_time - warm_up), f"{run.token}-{run.chain}"
        with live.fetching:
            await room.enter_async_context(self._room_for(run))
            span = (start, run.end_time)
            candles, report = await self._market.candles(token_id, run.kline_interval, *span, live.fetched)
        if live.fetching.cancelled_caught:
            return None
        return await anyio.to_thread.run_sync(_outcome_of, run, candles, report, live, limiter=self._processors)


def _outcome_of(run: Backtest, candles: Candles, report: DataReport, live: LiveRun) -> Outcome:
    prepared = prepare(candles, report, run.start_time)
    if not prepared.candles_to_trade:
        raise NoKlines(run.token, run.chain)
    live.candles = prepared.candles_to_trade
    result = run_backtest(
        run.strategy,
        prepared.candles,
        Costs(fee_percent=run.fee_percent, slippage_percent=run.slippage_percent),
        run.initial_cash,
        start_index=prepared.start_index,
        control=live.control,
    )
    return _told(result, prepared, live)


def _told(result: BacktestResult, prepared: Prepared, live: LiveRun) -> Outcome:
    """A run that was stopped keeps what it did, but has no metrics: they would speak of half a span."""
    finished = not result.stopped
    return Outcome(
        status="completed" if finished else "stopped",
        metrics=result.metrics if finished else None,
        metric_notes=result.metric_notes if finished else None,
        data_report=prepared.report.model_dump(),
        open_position=result.open_position,
        equity_curve=result.equity_curve(),
        trades=storage.packed(len(result.trades), _unless_abandoned(live, result.trades.table)),
        signals=storage.packed(len(result.signals), _unless_abandoned(live, result.signals.table)),
    )


def _unless_abandoned(live: LiveRun, part: Part) -> Part:
    def wanted(offset: int, limit: int) -> Table:
        if live.abandoned:
            raise Abandoned
        return part(offset, limit)

    return wanted
