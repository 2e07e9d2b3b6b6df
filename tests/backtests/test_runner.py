"""The runner: a stopped run keeps its result so far, a cancelled one is released, and the limit is kept."""

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import pytest
from fastapi.testclient import TestClient

from strategybot.backtests.runner import LARGE_RUNS_AT_ONCE, LiveBacktest, Runner
from strategybot.kit.database import Database, DatabaseUnavailable, Session
from strategybot.kit.jobs import LocalJobs
from strategybot.kit.threads import run_blocking
from strategybot.market.service import Market
from strategybot.trading.engine.candles import Candles, DataReport, tidy
from strategybot.trading.language.strategy import Strategy
from tests.backtests.driving import Headers, Json
from tests.backtests.stage import Stage
from tests.backtests.upstream import request_of
from tests.support import ManualClock

CANDLES = 1_000_000
STRATEGY = {
    "conditions": [{"kind": "price_drop", "percent": 0.5, "window": "5m"}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 3},
}


class CannedMarket:
    """A market that returns given candles, or lets its callers wait for ever."""

    def __init__(self, candles: Candles | None) -> None:
        self.candles_known = candles

    async def candles(self, *_: object, **__: object) -> tuple[Candles, DataReport]:
        if self.candles_known is None:
            await asyncio.Event().wait()
            raise AssertionError
        return self.candles_known, DataReport()


@pytest.fixture(scope="module")
def walk() -> Candles:
    rng = np.random.default_rng(7)
    close = np.exp(np.cumsum(rng.normal(0, 0.002, CANDLES)))
    opened = np.concatenate([[1.0], close[:-1]])
    high, low = np.maximum(opened, close), np.minimum(opened, close)
    return tidy(np.arange(CANDLES) * 60, opened, high, low, close, np.ones(CANDLES), interval_seconds=60)[0]


class Theatre(Stage):
    def __init__(self, database: Database, clock: ManualClock, candles: Candles | None) -> None:
        super().__init__(database, clock)
        self.runner = self.new_runner(database, CannedMarket(candles))

    def new_runner(self, database: Database, market: CannedMarket) -> Runner:
        return Runner(
            database, cast("Market", market), self.clock, self.worker(), lambda _, handler: LocalJobs(handler, slots=1)
        )

    def new_run(self, **fields: Any) -> Any:
        strategy = Strategy.model_validate(STRATEGY)
        return super().new_run(kline_interval="1m", end_time=CANDLES * 60, strategy=strategy, **fields)

    def execute(self, meanwhile: Callable[[LiveBacktest], None]) -> dict[str, Any]:
        """The run as it is at the end, while somebody else has done something to it from another thread."""

        over = threading.Event()

        def watch() -> None:
            while not self.runner.live_runs and not over.is_set():
                pass
            for live in list(self.runner.live_runs.values()):
                meanwhile(live)

        watcher = threading.Thread(target=watch)
        watcher.start()
        asyncio.run(self.runner.execute(self.run_id))
        over.set()
        watcher.join()
        return self.seen()


def test_a_stopped_run_keeps_its_result_so_far(database: Database, clock: ManualClock, walk: Candles) -> None:
    whole = Theatre(database, clock, walk).execute(lambda _: None)
    assert (whole["status"], whole["progress"]) == ("completed", 100)

    def half_way(live: LiveBacktest) -> None:
        deadline = time.monotonic() + 30
        while live.control[0] < CANDLES // 20 and time.monotonic() < deadline:
            pass
        live.stop()

    # The whole takes some milliseconds: on a busy machine the stop may come too late.
    tries = (Theatre(database, clock, walk).execute(half_way) for _ in range(30))
    stopped = next(run for run in tries if run["status"] == "stopped")
    assert 0 < stopped["trade_count"] < whole["trade_count"]
    assert (stopped["metrics"], stopped["metric_notes"], stopped["error"]) == (None, None, None)
    assert 0 < len(stopped["equity_curve"]) <= 1000
    assert stopped["equity_curve"][-1]["time"] < whole["equity_curve"][-1]["time"]


def test_a_run_that_is_stopped_while_it_waits_for_the_market_ends_at_once(
    database: Database, clock: ManualClock
) -> None:
    theatre = Theatre(database, clock, None)

    def stop(_: LiveBacktest) -> None:
        Stage.stop(theatre)
        theatre.runner.save_progress()  # as in another process: this runner is not notified

    run = theatre.execute(stop)  # it would never end if it kept waiting
    assert (run["status"], run["equity_curve"], run["chunks"]) == ("stopped", None, 0)


def test_a_run_that_is_stopped_while_it_waits_for_its_turn_ends_at_once(database: Database, clock: ManualClock) -> None:
    theatre = Theatre(database, clock, None)

    async def crowded() -> None:
        for other in range(LARGE_RUNS_AT_ONCE):
            await theatre.runner.large_runs.acquire_on_behalf_of(other)
        task = asyncio.create_task(theatre.runner.execute(theatre.run_id))
        while not theatre.runner.live_runs:  # noqa: ASYNC110 - the moment it is there
            await asyncio.sleep(0)
        await run_blocking(Stage.stop, theatre)
        theatre.runner.stop(theatre.run_id)
        await asyncio.wait_for(task, 30)

    asyncio.run(crowded())
    assert (theatre.seen()["status"], theatre.runner.large_runs.borrowed_tokens) == ("stopped", LARGE_RUNS_AT_ONCE)


@pytest.mark.parametrize("waits", [True, False], ids=["fetching", "computing"])
def test_a_cancelled_run_is_released_at_once(
    database: Database, clock: ManualClock, walk: Candles, waits: bool
) -> None:
    theatre = Theatre(database, clock, None if waits else walk)

    async def cancelled_soon() -> None:
        task = asyncio.create_task(theatre.runner.execute(theatre.run_id))
        while not theatre.runner.live_runs:  # noqa: ASYNC110 - the moment it is there
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(cancelled_soon())
    run = theatre.seen()
    if run["status"] != "completed":  # it may just have been quicker
        assert (run["status"], run["metrics"], run["epoch"]) == ("pending", None, 1)
        assert theatre.unheld() == [theatre.run_id]


def test_progress_is_saved_while_the_run_goes_on(database: Database, clock: ManualClock) -> None:
    theatre = Theatre(database, clock, None)

    def look(live: LiveBacktest) -> None:
        clock.advance(seconds=5)
        theatre.runner.save_progress()
        theatre.saved = theatre.seen()  # type: ignore[attr-defined]
        live.stop()

    theatre.execute(look)
    saved: dict[str, Any] = theatre.saved  # type: ignore[attr-defined]
    assert (saved["status"], saved["progress"]) == ("running", 1.0)


DEFECT = ("failed", "Something went wrong inside the service; the run was not finished.")


class Unwilling(Database):
    """A database that fails at its second write: the first claims the run, the second is the outcome."""

    writes = 0

    @contextmanager
    def write(self) -> Iterator[Session]:
        with super().write() as session:
            yield session
            self.writes += 1
            if self.writes == 2:
                raise TypeError("secret detail")


def test_an_outcome_that_cannot_be_written_ends_the_run_with_a_message(
    database_url: str, database: Database, clock: ManualClock, walk: Candles
) -> None:
    theatre = Theatre(database, clock, walk)
    unwilling = Unwilling(database_url)
    theatre.runner = theatre.new_runner(unwilling, CannedMarket(walk))
    run = theatre.execute(lambda _: None)
    assert (run["status"], run["error"]) == DEFECT
    unwilling.close()


class Away(Database):
    """A database that cannot be reached at one write, before or after its commit."""

    def __init__(self, url: str, write: int, *, committed: bool) -> None:
        super().__init__(url)
        self.writes_left, self.committed = write, committed

    @contextmanager
    def write(self) -> Iterator[Session]:
        self.writes_left -= 1
        if self.writes_left == 0 and not self.committed:
            raise DatabaseUnavailable
        with super().write() as session:
            yield session
        if self.writes_left == 0:
            raise DatabaseUnavailable


@pytest.mark.parametrize(("write", "committed"), [(1, True), (2, False)], ids=["claim", "outcome"])
def test_a_run_is_repeated_after_a_database_outage(
    database_url: str, database: Database, clock: ManualClock, walk: Candles, write: int, committed: bool
) -> None:
    """Even if the worker that holds it is alive."""
    theatre = Theatre(database, clock, walk)
    away = Away(database_url, write, committed=committed)
    theatre.runner = theatre.new_runner(away, CannedMarket(walk))
    with pytest.raises(DatabaseUnavailable):
        asyncio.run(theatre.runner.execute(theatre.run_id))
    assert (theatre.seen()["status"], theatre.unheld()) == ("running", [])
    assert theatre.runner.unheld() == [theatre.run_id]
    assert theatre.execute(lambda _: None)["status"] == "completed"
    away.close()


def test_a_run_is_not_released_while_it_is_being_claimed(database: Database, clock: ManualClock) -> None:
    theatre = Theatre(database, clock, None)

    async def asked_twice() -> None:
        tasks = [asyncio.create_task(theatre.runner.execute(theatre.run_id)) for _ in range(2)]
        while not theatre.runner.live_runs:  # noqa: ASYNC110 - the moment it is there
            await asyncio.sleep(0)
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)  # the other one has the run
        assert await run_blocking(theatre.runner.unheld) == []
        theatre.runner.stop(theatre.run_id)
        await asyncio.wait(tasks)

    asyncio.run(asked_twice())
    assert theatre.seen()["epoch"] == 1


def test_a_defect_ends_the_run_with_a_message(database: Database, clock: ManualClock, walk: Candles) -> None:
    class BrokenMarket(CannedMarket):
        async def candles(self, *_: object, **__: object) -> tuple[Candles, DataReport]:
            raise RuntimeError("secret detail")

    theatre = Theatre(database, clock, walk)
    theatre.runner = theatre.new_runner(database, BrokenMarket(None))
    run = theatre.execute(lambda _: None)
    assert (run["status"], run["error"]) == DEFECT


def test_parallel_starts_stop_exactly_at_the_limit(held: TestClient, held_user: Headers, held_bot: Json) -> None:
    def ask(_: int) -> int:
        path = f"/api/bots/{held_bot['id']}/backtest"
        return held.post(path, json=request_of(), headers=held_user).status_code

    with ThreadPoolExecutor(12) as pool:
        assert Counter(pool.map(ask, range(12))) == {202: 2, 403: 10}
    refused = held.post(f"/api/bots/{held_bot['id']}/backtest", json=request_of(), headers=held_user)
    assert refused.json() == {
        "detail": "The free tier can run 2 backtests at once.",
        "upsell_message": "The normal tier has more backtests.",
    }
