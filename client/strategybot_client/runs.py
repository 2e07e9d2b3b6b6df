"""A started run: wait for it, stop it, and read its result as rows and frames."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from strategybot_client.errors import RunFailed, WaitedTooLong
from strategybot_client.notebook import card
from strategybot_client.requests import pause
from strategybot_client.rows import AsyncRows, Rows

if TYPE_CHECKING:
    from strategybot_client import models
else:
    from strategybot_client.lazy_models import models

POLL_SECONDS = 0.25
SECONDS_TO_WAIT = 600.0
Progress = Callable[[float], object]
View = TypeVar("View")
Started = TypeVar("Started")
Arguments = ParamSpec("Arguments")


class _Run(Generic[View]):
    noun: str
    goes_on = False
    """Whether it goes on until it is stopped, as a simulation does."""

    def __init__(self, client: Any, view: View) -> None:
        self._client, self.view = client, view
        """The run as it was read last. Its fields are attributes of the run too."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.view, name)

    def __repr__(self) -> str:
        return f"<{self.noun} {self.run_id}: {self.status}>"

    def _repr_html_(self) -> str:
        return card(self.noun, self.view)

    @property
    def ids(self) -> tuple[str, str]:
        """The ids of the bot and of the run, as the operations take them."""
        return self.bot_id, self.run_id

    def _is_done(self) -> bool:
        """Return whether it has ended well. Raise `RunFailed` if it has failed, or was stopped before its end."""
        if self.goes_on:
            if self.status == "stopped" and self.stop_reason == "failed":
                raise RunFailed(getattr(self.view, "waiting", None) or f"The {self.noun} has failed.")
            return bool(self.status == "stopped")
        if self.status in ("failed", "stopped"):
            raise RunFailed(self.error or f"The {self.noun} was {self.status}.")
        return bool(self.status == "completed") and self._is_graded()

    def _is_graded(self) -> bool:
        return True

    def _tell(self, progress: Progress | None) -> None:
        if progress is not None:
            progress(getattr(self.view, "progress", 0.0))

    def _too_long(self, seconds: float) -> WaitedTooLong:
        return WaitedTooLong(f"The {self.noun} is {self.status} after {seconds:.0f} s.")


RunType = TypeVar("RunType", bound="Run[Any]")
AsyncRunType = TypeVar("AsyncRunType", bound="AsyncRun[Any]")


class Run(_Run[View]):
    def wait(self: RunType, progress: Progress | None = None, seconds: float = SECONDS_TO_WAIT) -> RunType:
        """Wait until the run has ended, a backtest also until it is graded, and return it.

        `progress` is called with the percentage. Raise `RunFailed` if the run fails, and `WaitedTooLong`, which is a
        `TimeoutError`, after so many seconds.
        """
        deadline = time.monotonic() + seconds
        while not self._is_done():
            if time.monotonic() > deadline:
                raise self._too_long(seconds)
            time.sleep(POLL_SECONDS)
            self.refresh()
            self._tell(progress)
        return self

    def refresh(self) -> None:
        """Read the run again."""
        self.view = getattr(self._client, f"read_{self.noun}")(*self.ids)

    def stop(self) -> None:
        self.view = getattr(self._client, f"stop_{self.noun}")(*self.ids)


class AsyncRun(_Run[View]):
    async def wait(
        self: AsyncRunType, progress: Progress | None = None, seconds: float = SECONDS_TO_WAIT
    ) -> AsyncRunType:
        """Like `Run.wait`."""
        deadline = time.monotonic() + seconds
        while not self._is_done():
            if time.monotonic() > deadline:
                raise self._too_long(seconds)
            await pause(POLL_SECONDS)
            await self.refresh()
            self._tell(progress)
        return self

    async def refresh(self) -> None:
        self.view = await getattr(self._client, f"read_{self.noun}")(*self.ids)

    async def stop(self) -> None:
        self.view = await getattr(self._client, f"stop_{self.noun}")(*self.ids)


class _Backtest(_Run["models.BacktestView"]):
    noun = "backtest"

    def _is_graded(self) -> bool:
        return self.view.verdict is not None or self.view.verdict_error is not None

    @property
    def metrics(self) -> models.MetricsView | None:
        return self.view.metrics

    @property
    def verdict(self) -> models.VerdictView | None:
        return self.view.verdict

    @property
    def equity(self) -> Rows[models.EquityPoint]:
        """The equity curve; empty until the run has ended."""
        return Rows.of(models.EquityPoint, self.view.equity_curve or [])


class BacktestRun(_Backtest, Run["models.BacktestView"]):
    @property
    def trades(self) -> Rows[models.TradeView]:
        return self._client.list_trades(*self.ids)  # type: ignore[no-any-return]

    @property
    def signals(self) -> Rows[models.SignalView]:
        return self._client.list_signals(*self.ids)  # type: ignore[no-any-return]

    @property
    def klines(self) -> Rows[models.Kline]:
        """The candles of its chart; `read_backtest_klines` has those of a part of it."""
        return Rows(models.Kline, lambda _: (self._client.read_backtest_klines(*self.ids).klines, False))


class AsyncBacktestRun(_Backtest, AsyncRun["models.BacktestView"]):
    @property
    def trades(self) -> AsyncRows[models.TradeView]:
        return self._client.list_trades(*self.ids)  # type: ignore[no-any-return]

    @property
    def signals(self) -> AsyncRows[models.SignalView]:
        return self._client.list_signals(*self.ids)  # type: ignore[no-any-return]

    @property
    def klines(self) -> AsyncRows[models.Kline]:
        async def page(_: int) -> tuple[list[models.Kline], bool]:
            return (await self._client.read_backtest_klines(*self.ids)).klines, False

        return AsyncRows(models.Kline, page)


class OptimisationRun(Run["models.OptimisationView"]):
    noun = "optimisation"

    @property
    def variants(self) -> Rows[models.VariantView]:
        return self._client.list_variants(*self.ids)  # type: ignore[no-any-return]


class AsyncOptimisationRun(AsyncRun["models.OptimisationView"]):
    noun = "optimisation"

    @property
    def variants(self) -> AsyncRows[models.VariantView]:
        return self._client.list_variants(*self.ids)  # type: ignore[no-any-return]


class _Survey(_Run["models.SurveyView"]):
    noun = "survey"

    @property
    def rows(self) -> Rows[models.SurveyRow]:
        return Rows.of(models.SurveyRow, self.view.rows)


class SurveyRun(_Survey, Run["models.SurveyView"]):
    """A strategy on many tokens."""


class AsyncSurveyRun(_Survey, AsyncRun["models.SurveyView"]):
    """A strategy on many tokens."""


class _Simulation(_Run["models.SimulationView"]):
    noun, goes_on = "simulation", True

    @property
    def trade_log(self) -> Rows[models.LogEntryView]:
        return Rows.of(models.LogEntryView, self.view.trade_log)

    @property
    def signals(self) -> Rows[models.SignalView]:
        return Rows.of(models.SignalView, self.view.signals)

    @property
    def klines(self) -> Rows[models.Kline]:
        return Rows.of(models.Kline, self.view.klines)


class SimulationRun(_Simulation, Run["models.SimulationView"]):
    """A strategy on paper. A replay ends by itself, a live run when it is stopped."""


class AsyncSimulationRun(_Simulation, AsyncRun["models.SimulationView"]):
    """A strategy on paper."""


class _Watch(_Run["models.WatchView"]):
    noun, goes_on = "watch", True

    @property
    def signals(self) -> Rows[models.WatchSignal]:
        return Rows.of(models.WatchSignal, self.view.signals)


class WatchRun(_Watch, Run["models.WatchView"]):
    """The entry conditions of some tokens. It ends when it is stopped."""


class AsyncWatchRun(_Watch, AsyncRun["models.WatchView"]):
    """The entry conditions of some tokens."""


def starts(
    operation: Callable[Concatenate[Any, Arguments], View], run: Callable[[Any, View], Started]
) -> Callable[Concatenate[Any, Arguments], Started]:
    """Return a method with the arguments of the operation that returns the started run."""

    def start(client: Any, /, *ids: Arguments.args, **request: Arguments.kwargs) -> Started:
        return run(client, operation(client, *ids, **request))

    update_wrapper(start, operation)
    return start


def starts_async(
    operation: Callable[Concatenate[Any, Arguments], Awaitable[View]], run: Callable[[Any, View], Started]
) -> Callable[Concatenate[Any, Arguments], Awaitable[Started]]:
    async def start(client: Any, /, *ids: Arguments.args, **request: Arguments.kwargs) -> Started:
        return run(client, await operation(client, *ids, **request))

    update_wrapper(start, operation)
    return start
