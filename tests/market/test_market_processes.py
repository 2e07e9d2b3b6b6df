"""Two processes with one key and one database share the rate limit, the candles and the meter."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from strategybot.kit.database import Database
from strategybot.market import rate_tables
from tests.market.proxy import TOKEN
from tests.market.upstream.ave import KEY, reply_to
from tests.market.upstream.server import LoopbackServer, Request
from tests.servers import PostgresServer, ServiceProcess, web
from tests.support import PASSWORD, bearer

Pair = tuple[ServiceProcess, ServiceProcess]


class SlowUpstream(LoopbackServer):
    """Responds slowly and records the time of each request."""

    def __init__(self) -> None:
        super().__init__(self._handle)
        self.moments: list[float] = []

    async def _handle(self, request: Request, writer: asyncio.StreamWriter) -> None:
        self.moments.append(time.monotonic())
        await asyncio.sleep(1)
        writer.write(reply_to(request).encoded())


@pytest.fixture
def upstream() -> Iterator[SlowUpstream]:
    with SlowUpstream() as upstream:
        yield upstream


@pytest.fixture
def database_of_both(postgres: PostgresServer) -> str:
    return postgres.new_database()


@pytest.fixture
def pair(tmp_path: Path, upstream: SlowUpstream, database_of_both: str) -> Iterator[Pair]:
    (tmp_path / "data").mkdir()
    (tmp_path / ".env").write_text(f"AVE_API_KEY={KEY}\nAVE_API_PLAN=normal\n")
    url, data = upstream.url, tmp_path / "data"
    one, other = (
        ServiceProcess(data, database_url=database_of_both, ave_data_url=url, ave_trade_url=url, metrics="true")
        for _ in range(2)
    )
    with ExitStack() as stack:
        for service in (one, other):
            service.start()
            stack.callback(service.kill)
        one.wait()
        other.wait()
        yield one, other


def used(database_url: str) -> int:
    database = Database(database_url)
    try:
        with database.read() as session:
            return rate_tables.cost_units_used(session, "ave")
    finally:
        database.close()


def test_two_processes_share_the_rate_limit_and_the_meter(
    pair: Pair, upstream: SlowUpstream, database_of_both: str
) -> None:
    body = {"email": "ada@example.com", "password": PASSWORD}
    who = bearer(web.post(f"{pair[0].url}/api/auth/register", json=body).json()["access_token"])

    # One client for all: creating fifty takes so long that the requests would not be concurrent.
    with httpx2.Client(headers=who, timeout=30) as client, ThreadPoolExecutor(50) as pool:

        def ask(number: int, path: str) -> httpx2.Response:
            return client.get(f"{pair[number % 2].url}/api/market{path}")

        equal = list(pool.map(ask, range(50), [TOKEN.path] * 50))
        assert Counter(answer.status_code for answer in equal) == {200: 50}
        assert len({answer.text for answer in equal}) == 1
        assert len(upstream.requests) <= 2
        different = list(pool.map(ask, range(16), [f"/contracts/{number:08}-bsc" for number in range(16)]))
    assert Counter(answer.status_code for answer in different) == {200: 16}
    moments = sorted(upstream.moments)
    # Five per second: on a slow machine too, the nth call after any other is never earlier than its slot.
    early = [later - earlier for earlier, later in zip(moments, moments[10:], strict=False)]
    assert min(early) > 10 / 5 - 0.3, early

    spent = 5 * (len(moments) - 16) + 10 * 16
    pages = [web.get(f"{service.url}/metrics").text for service in pair]
    assert any('provider_cost_units_total{operation="risk"}' in page for page in pages)
    deadline = time.monotonic() + 30
    while used(database_of_both) != spent and time.monotonic() < deadline:
        time.sleep(0.1)
    assert used(database_of_both) == spent  # saved periodically

    web.get(f"{pair[0].url}/api/market/tokens?query=sol", headers=who, timeout=30)
    assert pair[0].terminate() == pair[1].terminate() == 0
    assert used(database_of_both) == spent + 5  # and at shutdown
    assert KEY not in pair[0].log() + pair[1].log()
