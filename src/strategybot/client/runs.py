"""A started backtest: wait for it, then read its result."""

import asyncio
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from strategybot.backtests.schemas import BacktestView, MetricsView, TradeView
from strategybot.client.endpoints import Awaited, Called
from strategybot.client.errors import RunFailed
from strategybot.client.rows import AsyncRows, Rows
from strategybot.verdicts.schemas import VerdictView

POLL_SECONDS = 0.25
SECONDS_TO_WAIT = 600.0
Progress = Callable[[float], object]
Client = TypeVar("Client")


class _Run(Generic[Client]):
    def __init__(self, client: Client, view: BacktestView) -> None:
        self._client, self.view = client, view
        """The run as it was read last."""

    @property
    def status(self) -> str:
        return self.view.status

    @property
    def metrics(self) -> MetricsView | None:
        return self.view.metrics

    @property
    def verdict(self) -> VerdictView | None:
        return self.view.verdict

    @property
    def _ids(self) -> tuple[str, str]:
        return self.view.bot_id, self.view.run_id

    def _is_done(self) -> bool:
        """Return whether it is finished and graded. Raise `RunFailed` if it has failed or was stopped."""
        if self.view.status in ("failed", "stopped"):
            raise RunFailed(self.view.error or f"The backtest was {self.view.status}.")
        graded = self.view.verdict is not None or self.view.verdict_error is not None
        return self.view.status == "completed" and graded


class BacktestRun(_Run[Called]):
    def wait(self, progress: Progress | None = None, seconds: float = SECONDS_TO_WAIT) -> "BacktestRun":
        """Wait until the run is finished and graded; `progress` is called with the percentage.

        Raise `RunFailed` if the run fails, and `TimeoutError` after so many seconds.
        """
        deadline = time.monotonic() + seconds
        while not self._is_done():
            if time.monotonic() > deadline:
                raise TimeoutError(f"The backtest is at {self.view.progress:.0f} % after {seconds:.0f} s.")
            time.sleep(POLL_SECONDS)
            self.view = self._client.read_backtest(*self._ids)
            if progress is not None:
                progress(self.view.progress)
        return self

    @property
    def trades(self) -> Rows[TradeView]:
        return self._client.trades(*self._ids)


class AsyncBacktestRun(_Run[Awaited]):
    async def wait(self, progress: Progress | None = None, seconds: float = SECONDS_TO_WAIT) -> "AsyncBacktestRun":
        """Like `BacktestRun.wait`."""
        async with asyncio.timeout(seconds):
            while not self._is_done():
                await asyncio.sleep(POLL_SECONDS)
                self.view = await self._client.read_backtest(*self._ids)
                if progress is not None:
                    progress(self.view.progress)
        return self

    @property
    def trades(self) -> AsyncRows[TradeView]:
        return self._client.trades(*self._ids)
