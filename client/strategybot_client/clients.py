"""The two clients: the same operations, called or awaited."""

from contextlib import AbstractAsyncContextManager, AbstractContextManager

from strategybot_client import runs
from strategybot_client.operations import AsyncOperations, Operations


class StrategyBot(Operations, AbstractContextManager["StrategyBot"]):
    """A server of Strategy Bot, as this token's owner. Every operation of the API is a method.

    `backtest`, `optimise`, `survey`, `simulate` and `watch` start a run and return it: `run.wait()` waits for its end.
    """

    backtest = runs.starts(Operations.start_backtest, runs.BacktestRun)
    optimise = runs.starts(Operations.start_optimisation, runs.OptimisationRun)
    survey = runs.starts(Operations.start_survey, runs.SurveyRun)
    simulate = runs.starts(Operations.start_simulation, runs.SimulationRun)
    watch = runs.starts(Operations.start_watch, runs.WatchRun)

    def close(self) -> None:
        self._http.close()

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncStrategyBot(AsyncOperations, AbstractAsyncContextManager["AsyncStrategyBot"]):
    """The same for asyncio: every operation is awaited, and listings are read with `async for`."""

    backtest = runs.starts_async(AsyncOperations.start_backtest, runs.AsyncBacktestRun)
    optimise = runs.starts_async(AsyncOperations.start_optimisation, runs.AsyncOptimisationRun)
    survey = runs.starts_async(AsyncOperations.start_survey, runs.AsyncSurveyRun)
    simulate = runs.starts_async(AsyncOperations.start_simulation, runs.AsyncSimulationRun)
    watch = runs.starts_async(AsyncOperations.start_watch, runs.AsyncWatchRun)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aexit__(self, *_: object) -> None:
        await self.close()
