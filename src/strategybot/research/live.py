"""An optimisation or a survey while this process runs it, and its candles."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import anyio
import numpy as np

from strategybot.kit.threads import in_thread
from strategybot.market.service import Market, NoKlines
from strategybot.research.storage import ResearchRun
from strategybot.trading.candles import Candles, DataReport, densify
from strategybot.trading.fast.scan import STOP_REQUESTED, new_control
from strategybot.trading.instruments import INTERVAL_SECONDS
from strategybot.trading.kernel import Costs

DEFECT = "Something went wrong inside the service; the run was not finished."


class LiveResearch:
    """`stop` and `abandon` may be called from any thread."""

    def __init__(self) -> None:
        self.control, self.abandoned = new_control(), False
        self.follow: Callable[[], float] = lambda: 1.0
        """Returns the progress in percent."""
        self._scope = anyio.CancelScope()
        self._loop = asyncio.get_running_loop()

    @property
    def percent(self) -> float:
        return self.follow()

    @property
    def stopped(self) -> bool:
        return bool(self.control[STOP_REQUESTED])

    def fetching(self) -> anyio.CancelScope:
        """Return a scope that `stop` cancels."""
        self._scope = anyio.CancelScope()
        if self.stopped:
            self._scope.cancel()
        return self._scope

    def stop(self) -> None:
        self.control[STOP_REQUESTED] = 1
        with suppress(RuntimeError):  # the loop is closed, so nothing is being fetched
            self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        self._scope.cancel()

    def abandon(self) -> None:
        self.abandoned = True
        self.stop()


@dataclass(frozen=True, eq=False)
class History:
    """Candles without gaps; those before `start` are for the look-back of the conditions."""

    candles: Candles
    report: DataReport
    start: int
    fetched_from: int


async def history_of(
    market: Market,
    run: ResearchRun,
    token: str,
    chain: str,
    lookback: int,
    follower: Callable[[float], None] = lambda _: None,
) -> History:
    """Return the candles of the run's span and `lookback` candles before it. Raises `NoKlines`."""
    first = max(0, run.start_time - lookback * INTERVAL_SECONDS[run.kline_interval])
    candles, report = await market.candles(
        f"{token}-{chain}", run.kline_interval, first, run.end_time, follower, run_owner_id=run.owner_id
    )
    dense, report = await in_thread(densify, candles, report)
    start = int(np.searchsorted(dense.time, run.start_time, side="left"))
    if start >= len(dense):
        raise NoKlines(token, chain)
    return History(dense, report, start, first)


def costs_of(run: ResearchRun) -> Costs:
    return Costs(fee_percent=run.fee_percent, slippage_percent=run.slippage_percent)
