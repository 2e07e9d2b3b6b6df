"""The market service: shared responses, the cost of calls, and closing. On both databases."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from strategybot.accounts.service import Principal
from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.market import rate_tables
from strategybot.market.provider import ProviderError, ProviderFailure, ProviderRateLimited, ProviderStatus
from strategybot.market.provider_gate import SHARED_SECONDS
from strategybot.market.schemas import QuoteRequest, SwapRequest
from strategybot.market.service import FetchFailed, Market, ProviderBusy, UpstreamError
from tests.market.proxy import OPERATIONS, QUOTE, SWAP
from tests.market.scripted import TOKEN_ID, ScriptedProvider, candles_at
from tests.servers import free_port
from tests.support import ManualClock

pytestmark = pytest.mark.anyio

TRADER = Principal("owner", "pro")
Ask = Callable[[Market], Awaitable[Any]]
ASK: dict[str, Ask] = {
    "search": lambda market: market.search("x", None, 20),
    "prices": lambda market: market.prices([TOKEN_ID]),
    "token": lambda market: market.token(TOKEN_ID),
    "klines": lambda market: market.klines(TOKEN_ID, "1m", 0, 600, 100),
    "trending": lambda market: market.trending(None, 20),
    "risk": lambda market: market.risk(TOKEN_ID),
    "quote": lambda market: market.quote(QuoteRequest.model_validate(QUOTE)),
    "swap": lambda market: market.swap(TRADER, SwapRequest.model_validate(SWAP)),
}
WHAT = {operation.name: operation.what for operation in OPERATIONS}
COST = {operation.name: operation.cost_units for operation in OPERATIONS}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def provider() -> ScriptedProvider:
    return ScriptedProvider(candles_at(range(0, 600, 60)))


def market_of(provider: ScriptedProvider, database: Database) -> Market:
    return Market(provider, database, ManualClock(), lambda _operation, _cost_units: None)


@pytest.fixture
def market(provider: ScriptedProvider, database: Database) -> Market:
    return market_of(provider, database)


@pytest.mark.parametrize("name", ASK)
async def test_fifty_equal_concurrent_requests_make_one_call(
    provider: ScriptedProvider, market: Market, name: str
) -> None:
    provider.wait = lambda: asyncio.sleep(0.02)
    await asyncio.gather(*(ASK[name](market) for _ in range(50)))
    assert provider.calls == [name] * (50 if name == "swap" else 1)  # every user gets a transaction of their own


@pytest.mark.parametrize("name", ASK)
async def test_an_equal_request_after_the_shared_time_calls_the_provider_again(
    provider: ScriptedProvider, market: Market, name: str
) -> None:
    await ASK[name](market)
    await asyncio.sleep(SHARED_SECONDS)
    await ASK[name](market)
    assert provider.calls == [name] * 2


@pytest.mark.parametrize("name", ASK)
async def test_provider_errors_have_the_specified_status_and_message(
    provider: ScriptedProvider, market: Market, name: str
) -> None:
    table: list[tuple[ProviderError, type[Exception], int, str]] = [
        (ProviderRateLimited("HTTP 429"), ProviderBusy, 429, "Rate limit exceeded. Please try again later."),
        (ProviderStatus(418, "tea"), UpstreamError, 418, "upstream API error: tea"),
        (ProviderStatus(500, ""), UpstreamError, 500, "upstream API error: "),
        (ProviderFailure("it is away"), FetchFailed, 500, f"Failed to fetch {WHAT[name]}: it is away"),
    ]
    for fault, kind, status, words in table:
        provider.faults = [fault]
        with pytest.raises(kind) as raised:
            await ASK[name](market)
        assert (getattr(raised.value, "status", None), str(raised.value)) == (status, words)


def used(database: Database) -> int:
    with database.read() as session:
        return rate_tables.cost_units_used(session, "scripted")


class TestCharges:
    async def test_every_operation_has_its_price(self, market: Market, database: Database) -> None:
        for name, ask in ASK.items():
            before = used(database)
            await ask(market)
            market.save_charges()
            assert used(database) - before == COST[name], name

    async def test_two_processes_add_up(self, database_url: str) -> None:
        databases = [Database(database_url), Database(database_url)]
        markets = [market_of(ScriptedProvider(), database) for database in databases]

        async def spend(number: int) -> None:
            await markets[number % 2].swap(TRADER, SwapRequest.model_validate(SWAP))
            await markets[number % 2].search(str(number), None, 20)
            await asyncio.to_thread(markets[number % 2].save_charges)

        await asyncio.gather(*(spend(number) for number in range(40)))
        assert used(databases[0]) == used(databases[1]) == 40 * COST["search"]
        with databases[0].read() as session:
            meter = session.get(rate_tables.CostMeter, ("scripted", "swap"))
            assert meter is not None
            assert (meter.calls, meter.cost_units) == (40, 0)
        for database in databases:
            database.close()

    async def test_closing_saves_the_remaining_charges(
        self, provider: ScriptedProvider, market: Market, database: Database
    ) -> None:
        await market.prices([TOKEN_ID])
        assert used(database) == 0
        await market.close()
        assert used(database) == 100
        assert provider.closed
        await market.close()
        assert used(database) == 100

    async def test_charges_that_cannot_be_saved_are_saved_later(
        self, provider: ScriptedProvider, caplog: pytest.LogCaptureFixture
    ) -> None:
        away = Database(f"postgresql://nobody@127.0.0.1:{free_port()}/none")
        market = market_of(provider, away)
        await market.prices([TOKEN_ID])
        with pytest.raises(DatabaseUnavailable):
            market.save_charges()
        with caplog.at_level(logging.WARNING):
            await market.close()  # logs the error and closes the provider
        assert "could not be saved" in caplog.text
        assert provider.closed
        assert [charge[1:] for charge in market.charges.take()] == [(1, 100)]

    async def test_a_stored_candle_costs_no_units(self, market: Market, database: Database) -> None:
        for _ in range(3):
            await market.candles(TOKEN_ID, "1m", 0, 600)
        market.save_charges()
        assert used(database) == 10


async def test_an_empty_list_of_prices_makes_no_call(provider: ScriptedProvider, market: Market) -> None:
    assert await market.prices([]) == {}
    assert provider.calls == []


@pytest.mark.parametrize("standing", ["anonymous", "free"])
async def test_a_swap_above_the_users_tier_makes_no_call(
    provider: ScriptedProvider, market: Market, standing: Any
) -> None:
    answer = await market.swap(Principal("owner", standing), SwapRequest.model_validate(SWAP))
    assert answer.model_dump() == {"swap": None, "upsell_message": "Swaps come with the normal and pro tiers."}
    assert provider.calls == []
