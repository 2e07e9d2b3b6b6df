"""Progress as a user sees it: it grows with every page of candles from the provider and never falls."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from strategybot.app import Services
from strategybot.backtests.runner import FETCHED_PERCENT, Runner
from tests.backtests.driving import Headers, Json, awaited, finished, read, start
from tests.backtests.upstream import START, HeldUpstream, request_of
from tests.market.upstream.market import CANDLES_KNOWN
from tests.market.upstream.server import Request


class PagedUpstream(HeldUpstream):
    """An upstream that sends one answer per ticket."""

    def __init__(self) -> None:
        super().__init__()
        self.tickets = threading.Semaphore(0)
        self.let_through.set()

    async def _handle(self, request: Request, writer: asyncio.StreamWriter) -> None:
        while not self.tickets.acquire(blocking=False):  # noqa: ASYNC110 - given out by another thread
            await asyncio.sleep(0.02)
        await super()._handle(request, writer)


@pytest.fixture
def upstream() -> Iterator[PagedUpstream]:
    with PagedUpstream() as upstream:
        yield upstream


def test_progress_grows_with_every_page_before_the_engine_starts(
    held: TestClient, held_user: Headers, held_bot: Json, upstream: PagedUpstream
) -> None:
    services: Services = held.app.state.services  # type: ignore[attr-defined]
    runner = services.workers["backtest"]
    assert isinstance(runner, Runner)
    run = start(held, held_user, held_bot, **request_of(end_time=START + CANDLES_KNOWN * 3600))

    def look() -> Json:
        runner.save_progress()
        return read(held, held_user, run)

    upstream.tickets.release(2)  # for the pool and the risk of the token
    waiting = awaited(look, lambda now: now["costs"]["liquidity_read_at"] is not None, 60)
    assert (waiting["status"], waiting["progress"]) == ("running", 1)
    upstream.tickets.release()
    half_way = awaited(look, lambda now: now["progress"] > 1, 60)
    assert half_way["status"] == "running"
    assert FETCHED_PERCENT / 2 < half_way["progress"] < FETCHED_PERCENT  # a thousand of some fifteen hundred candles
    assert look()["progress"] == half_way["progress"]  # the second page is still held back
    upstream.tickets.release(10)
    assert finished(held, held_user, run)["progress"] == 100
