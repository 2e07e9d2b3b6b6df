"""The contract of every provider, checked for each of them over its own protocol."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from strategybot.market.ave import AveProvider
from strategybot.market.demo import DemoProvider
from strategybot.market.geckoterminal import GeckoTerminalProvider
from strategybot.market.provider import Provider, ProviderFailure
from strategybot.market.schemas import QuoteRequest, SwapRequest
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, INTERVALS, Interval
from tests.market.upstream.ave import KEY, AveUpstream
from tests.market.upstream.geckoterminal import GeckoTerminalUpstream
from tests.market.upstream.market import SOL, WBNB, WPOL

pytestmark = pytest.mark.anyio

UNKNOWN = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R-solana"
NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
Build = Callable[[], Provider]


@contextmanager
def ave() -> Iterator[Build]:
    with AveUpstream() as upstream:
        yield lambda: AveProvider(KEY, data_url=upstream.url, trade_url=upstream.url)


@contextmanager
def geckoterminal() -> Iterator[Build]:
    with GeckoTerminalUpstream() as upstream:
        yield lambda: GeckoTerminalProvider(base_url=f"{upstream.url}/api/v2")


@contextmanager
def demo() -> Iterator[Build]:
    yield lambda: DemoProvider(clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))


# A new provider that has the tokens of `upstream/market.py` is added here.
REMOTE = [ave, geckoterminal]
ALL = [*REMOTE, demo]


@pytest.fixture(scope="module", params=ALL, ids=lambda provider: provider.__name__)
def build(request: pytest.FixtureRequest) -> Iterator[Build]:
    with request.param() as builder:
        yield builder


@pytest.fixture(scope="module", params=REMOTE, ids=lambda provider: provider.__name__)
def build_remote(request: pytest.FixtureRequest) -> Iterator[Build]:
    with request.param() as builder:
        yield builder


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def provider(build: Build, anyio_backend: str) -> AsyncIterator[Provider]:
    provider = build()
    yield provider
    await provider.aclose()


@pytest.fixture
async def remote(build_remote: Build, anyio_backend: str) -> AsyncIterator[Provider]:
    provider = build_remote()
    yield provider
    await provider.aclose()


async def test_search_finds_a_token_by_its_symbol(provider: Provider) -> None:
    found = (await provider.search("wpol", None, 20))[0]
    assert (found.token_id, found.address, found.chain) == (WPOL.token_id, WPOL.address, "polygon")
    assert (found.symbol, found.name, found.decimals) == ("WPOL", "Wrapped POL", 18)
    assert found.price_usd


async def test_search_finds_a_token_by_its_address(provider: Provider) -> None:
    assert [token.token_id for token in await provider.search(SOL.address, None, 20)] == [SOL.token_id]


async def test_search_keeps_to_the_chain_it_is_given(provider: Provider) -> None:
    assert {token.chain for token in await provider.search("w", "polygon", 20)} == {"polygon"}
    assert await provider.search("wpol", "bsc", 20) == []


async def test_search_gives_no_more_than_the_limit(provider: Provider) -> None:
    assert len(await provider.search("w", None, 1)) == 1


@pytest.mark.parametrize("query", ["a b&c=d#e?f/../%2e", "\ud800", "x" * 60_000, "数"])
async def test_a_search_for_unknown_text_finds_nothing(provider: Provider, query: str) -> None:
    assert await provider.search(query, None, 20) == []


async def test_trending_lists_each_token_of_the_chain_once(provider: Provider) -> None:
    tokens = await provider.trending("polygon", 20)
    assert WPOL.token_id in {token.token_id for token in tokens}
    assert len({token.token_id for token in tokens}) == len(tokens)
    assert {token.chain for token in tokens} == {"polygon"}


async def test_trending_needs_no_chain_and_keeps_the_limit(provider: Provider) -> None:
    assert len(await provider.trending(None, 1)) == 1


async def test_trending_on_an_unknown_chain_is_empty(provider: Provider) -> None:
    assert await provider.trending("nowhere", 20) == []


async def test_a_token_comes_with_its_pairs(provider: Provider) -> None:
    detail = await provider.token(SOL.token_id)
    assert detail is not None
    assert (detail.token_id, detail.symbol, detail.decimals) == (SOL.token_id, "SOL", 9)
    assert detail.price_usd
    assert detail.pairs
    assert all(pair.base == "SOL" and pair.quote and pair.exchange for pair in detail.pairs)


async def test_an_unknown_token_is_none(provider: Provider) -> None:
    assert await provider.token(UNKNOWN) is None
    assert await provider.risk(UNKNOWN) is None


async def test_prices_are_keyed_by_the_requested_ids(provider: Provider) -> None:
    checksummed = "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c-bsc"
    prices = await provider.prices([SOL.token_id, UNKNOWN, checksummed, WBNB.token_id, WPOL.token_id])
    assert set(prices) == {SOL.token_id, checksummed, WBNB.token_id, WPOL.token_id}
    assert prices[checksummed] == prices[WBNB.token_id]
    assert all(price.price_usd > 0 and price.liquidity_usd for price in prices.values())


async def test_a_case_sensitive_address_in_another_case_is_another_token(provider: Provider) -> None:
    assert await provider.prices([SOL.token_id.lower()]) == {}
    assert await provider.token(SOL.token_id.lower()) is None


async def test_an_empty_list_of_prices_is_empty(provider: Provider) -> None:
    assert await provider.prices([]) == {}


async def test_more_prices_than_one_call_allows_are_fetched_in_several(provider: Provider) -> None:
    many = [f"0x{number:040x}-bsc" for number in range(230)]
    assert set(await provider.prices([*many, WBNB.token_id])) == {WBNB.token_id}


@pytest.mark.parametrize("interval", INTERVALS)
async def test_klines_are_the_latest_in_ascending_order(provider: Provider, interval: Interval) -> None:
    candles, report = await provider.klines(WBNB.token_id, interval, None, None, 100)
    times, seconds = candles.time.tolist(), INTERVAL_SECONDS[interval]
    assert candles.interval_seconds == seconds
    assert times == list(range(times[-1] - 99 * seconds, times[-1] + 1, seconds))
    assert times[-1] % seconds == 0
    assert report.dropped == report.duplicates == 0


@pytest.mark.parametrize(("first", "last", "limit"), [(20, 10, 100), (20, 10, 5), (0, 0, 1), (30, -50, 1000)])
async def test_klines_start_inside_the_span_and_are_the_last_of_it(
    provider: Provider, first: int, last: int, limit: int
) -> None:
    everything, _ = await provider.klines(SOL.token_id, "1h", None, None, 200)
    newest = int(everything.time[-1])
    start, end = newest - first * 3600, newest - last * 3600
    candles, _ = await provider.klines(SOL.token_id, "1h", start, end, limit)
    assert candles.records() == everything.between(start, end + 1)[-limit:].records()
    assert len(candles) == min(limit, first - max(last, 0) + 1)


async def test_a_span_that_begins_between_two_candles_leaves_the_first_out(provider: Provider) -> None:
    everything, _ = await provider.klines(SOL.token_id, "1h", None, None, 10)
    first = int(everything.time[0])
    candles, _ = await provider.klines(SOL.token_id, "1h", first + 1, first + 7201, 10)
    assert candles.time.tolist() == [first + 3600, first + 7200]


async def test_klines_before_all_history_are_empty(provider: Provider) -> None:
    candles, _ = await provider.klines(SOL.token_id, "1m", 0, 946_684_800, 100)
    assert len(candles) == 0


async def test_klines_of_an_unknown_token_are_empty(provider: Provider) -> None:
    candles, report = await provider.klines(UNKNOWN, "1m", None, None, 100)
    assert len(candles) == report.received == 0


async def test_a_trade_of_an_unknown_chain_is_none(provider: Provider) -> None:
    question = {"chain": "nowhere", "from_token": NATIVE, "to_token": WPOL.address, "amount": "1"}
    assert await provider.quote(QuoteRequest.model_validate(question)) is None
    assert await provider.swap(SwapRequest.model_validate({**question, "wallet_address": NATIVE})) is None


@pytest.mark.parametrize("query", [None, ""])
async def test_search_without_a_query_returns_the_trending_tokens(remote: Provider, query: str | None) -> None:
    assert await remote.search(query, "bsc", 20) == await remote.trending("bsc", 20) != []


async def test_trending_without_a_chain_uses_solana(remote: Provider) -> None:
    assert [token.token_id for token in await remote.trending(None, 20)] == [SOL.token_id]


async def test_a_search_too_long_for_a_url_is_a_failure(remote: Provider) -> None:
    with pytest.raises(ProviderFailure, match="does not fit into a URL"):
        await remote.search("x" * 70_000, None, 20)


@pytest.mark.parametrize("token_id", ["..-solana/..", "../../x-solana", "a?b-solana", "a#b-solana", "solana", "-", ""])
async def test_an_invalid_token_id_never_reaches_a_url(remote: Provider, token_id: str) -> None:
    for question in (remote.token(token_id), remote.klines(token_id, "1h", None, None, 1)):
        with pytest.raises(ProviderFailure, match="no token id"):
            await question
    with pytest.raises(ProviderFailure, match="no token id"):
        await remote.prices([token_id])
