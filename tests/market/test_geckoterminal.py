"""GeckoTerminal: finding pools for tokens, network ids, and the records made from its rows."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from strategybot.market.geckoterminal import GeckoTerminalProvider
from strategybot.market.provider import ProviderFailure, ProviderStatus
from strategybot.market.schemas import Price, QuoteRequest, SwapRequest, Token
from strategybot.trading.engine.instruments import INTERVALS, Interval
from tests.market.upstream.geckoterminal import GeckoTerminalUpstream, pool
from tests.market.upstream.market import FIRST_CANDLE, SOL, WBNB, WPOL, KnownToken, candle
from tests.market.upstream.server import CannedUpstream

pytestmark = pytest.mark.anyio

TIMEFRAMES = {
    "1m": ("minute", "1"),
    "5m": ("minute", "5"),
    "15m": ("minute", "15"),
    "1h": ("hour", "1"),
    "4h": ("hour", "4"),
    "1d": ("day", "1"),
}


class Stopwatch:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def watch() -> Stopwatch:
    return Stopwatch()


@pytest.fixture
def upstream() -> Iterator[GeckoTerminalUpstream]:
    with GeckoTerminalUpstream() as server:
        yield server


@pytest.fixture
def canned() -> Iterator[CannedUpstream]:
    with CannedUpstream() as server:
        yield server


@pytest.fixture
async def provider(
    upstream: GeckoTerminalUpstream, watch: Stopwatch, anyio_backend: str
) -> AsyncIterator[GeckoTerminalProvider]:
    provider = GeckoTerminalProvider(base_url=f"{upstream.url}/api/v2", monotonic=watch)
    yield provider
    await provider.aclose()


@pytest.fixture
async def told(canned: CannedUpstream, anyio_backend: str) -> AsyncIterator[GeckoTerminalProvider]:
    provider = GeckoTerminalProvider(base_url=canned.url)
    yield provider
    await provider.aclose()


def asked(upstream: GeckoTerminalUpstream) -> list[str]:
    return ["/".join(request.path).removeprefix("api/v2/") for request in upstream.requests]


async def test_requests_name_the_api_version_and_carry_no_key(
    provider: GeckoTerminalProvider, upstream: GeckoTerminalUpstream
) -> None:
    await provider.trending("eth", 20)
    (request,) = upstream.requests
    assert request.headers["accept"] == "application/json;version=20230302"
    assert not {"x-api-key", "ave-access-key", "authorization"} & set(request.headers)


@pytest.mark.parametrize(("token", "side"), [(SOL, "base"), (WBNB, "quote")])
async def test_candles_are_those_of_the_deepest_pool_and_of_our_side_of_it(
    provider: GeckoTerminalProvider, upstream: GeckoTerminalUpstream, token: KnownToken, side: str
) -> None:
    candles, _ = await provider.klines(token.token_id, "1h", None, FIRST_CANDLE + 7200, 2)
    _, ohlcv = upstream.requests
    assert asked(upstream) == [
        f"networks/{token.chain}/tokens/{token.address}/pools",
        f"networks/{token.chain}/pools/deep_{token.address}/ohlcv/hour",
    ]
    assert ohlcv.params["token"] == side
    assert ohlcv.params["before_timestamp"] == str(FIRST_CANDLE + 7201)
    expected = [candle(token, 3600, number) for number in (1, 2)]
    assert candles.time.tolist() == [row[0] for row in expected]
    assert candles.open.tolist() == [row[1] for row in expected]
    assert candles.high.tolist() == [row[2] for row in expected]
    assert candles.low.tolist() == [row[3] for row in expected]
    assert candles.close.tolist() == [row[4] for row in expected]
    assert candles.volume.tolist() == [row[5] for row in expected]


async def test_a_pool_is_cached_for_a_limited_time(
    provider: GeckoTerminalProvider, upstream: GeckoTerminalUpstream, watch: Stopwatch
) -> None:
    for seconds in (0, 599, 2):
        watch.now += seconds
        await provider.klines(SOL.token_id, "1h", None, None, 1)
    kinds = [path.rpartition("/")[2] for path in asked(upstream)]
    assert kinds == ["pools", "hour", "hour", "pools", "hour"]


@pytest.mark.parametrize("interval", INTERVALS)
async def test_an_interval_is_a_timeframe_and_an_aggregate(
    provider: GeckoTerminalProvider, upstream: GeckoTerminalUpstream, interval: Interval
) -> None:
    await provider.klines(SOL.token_id, interval, None, None, 5000)
    last = upstream.requests[-1]
    assert (last.path[-1], last.params["aggregate"]) == TIMEFRAMES[interval]
    assert (last.params["limit"], last.params["currency"]) == ("1000", "usd")
    assert "before_timestamp" not in last.params


@pytest.mark.parametrize(
    ("chain", "network"),
    [("polygon", "polygon_pos"), ("avalanche", "avax"), ("sui", "sui-network"), ("eth", "eth"), ("base", "base")],
)
async def test_a_chain_is_requested_by_its_network_id(
    provider: GeckoTerminalProvider, upstream: GeckoTerminalUpstream, chain: str, network: str
) -> None:
    await provider.trending(chain, 20)
    await provider.search("x", chain, 20)
    assert asked(upstream)[0] == f"networks/{network}/trending_pools"
    assert upstream.requests[1].params == {"query": "x", "network": network, "include": "base_token"}


async def test_a_pool_becomes_its_base_token(told: GeckoTerminalProvider, canned: CannedUpstream) -> None:
    names = {"name": "Wrapped POL", "symbol": "WPOL", "decimals": 18, "image_url": "missing.png"}
    included = [{"id": f"polygon_pos_{WPOL.address}", "type": "token", "attributes": names}]
    canned.say({"data": [pool(WPOL, "deep"), pool(WPOL, "shallow")], "included": included})
    assert await told.search("wpol", None, 20) == [
        Token(
            token_id=WPOL.token_id,
            address=WPOL.address,
            chain="polygon",
            symbol="WPOL",
            name="Wrapped POL",
            decimals=18,
            price_usd=0.23,
            price_change_24h_percent=-2.5,
            volume_24h_usd=5000.75,
            liquidity_usd=900000.5,
        )
    ]


async def test_a_pool_without_its_names_still_has_a_symbol(told: GeckoTerminalProvider, canned: CannedUpstream) -> None:
    canned.say({"data": [pool(WPOL, "deep")]})
    (token,) = await told.search("wpol", None, 20)
    assert (token.symbol, token.name, token.decimals) == ("WPOL", "", None)


async def test_a_pool_of_an_unknown_network_is_left_out(told: GeckoTerminalProvider, canned: CannedUpstream) -> None:
    foreign = pool(WPOL, "deep") | {"id": f"world-chain_deep_{WPOL.address}"}
    foreign["relationships"] = {"base_token": {"data": {"id": f"world-chain_{WPOL.address}", "type": "token"}}}
    canned.say({"data": [foreign, pool(SOL, "deep")]})
    assert [token.chain for token in await told.search("x", None, 20)] == ["solana"]


async def test_a_token_comes_with_its_totals_and_its_pools(provider: GeckoTerminalProvider) -> None:
    detail = await provider.token(WBNB.token_id)
    assert detail is not None
    assert (detail.liquidity_usd, detail.volume_24h_usd, detail.market_cap_usd) == (901000.75, 777.5, 1.5e6)
    assert (detail.price_change_24h_percent, detail.logo_url) == (-2.5, "https://logos.example/1.png")
    deep, shallow = detail.pairs
    assert (deep.exchange, deep.base, deep.quote, deep.price_usd) == ("raydium", "USDC", "WBNB", 1.0)
    assert (shallow.base, shallow.quote, shallow.price_usd, shallow.liquidity_usd) == ("WBNB", "USDC", 640.5, 1000.25)


async def test_prices_are_asked_for_by_network_and_thirty_at_a_time(
    provider: GeckoTerminalProvider, upstream: GeckoTerminalUpstream
) -> None:
    many = [f"0x{number:040x}-bsc" for number in range(60)]
    prices = await provider.prices([SOL.token_id, *many, WBNB.token_id, WPOL.token_id])
    assert prices[SOL.token_id] == Price(
        price_usd=150.25, price_change_24h_percent=-1.5, liquidity_usd=9.5, volume_24h_usd=7.5
    )
    assert set(prices) == {SOL.token_id, WBNB.token_id, WPOL.token_id}
    networks = [(request.path[4], len(request.path[6].split(","))) for request in upstream.requests]
    assert networks == [("solana", 1), ("bsc", 30), ("bsc", 30), ("bsc", 1), ("polygon_pos", 1)]


async def test_prices_may_come_in_a_list_as_its_documentation_has_it(
    told: GeckoTerminalProvider, canned: CannedUpstream
) -> None:
    canned.say({"data": [{"attributes": {"token_prices": {WBNB.address.upper().replace("X", "x"): "7"}}}]})
    assert await told.prices([WBNB.token_id]) == {WBNB.token_id: Price(price_usd=7)}


async def test_unsupported_operations_return_none_without_a_call(
    provider: GeckoTerminalProvider, upstream: GeckoTerminalUpstream
) -> None:
    question = {"chain": "bsc", "from_token": WBNB.address, "to_token": WBNB.address, "amount": "1"}
    assert await provider.risk(WBNB.token_id) is None
    assert await provider.quote(QuoteRequest.model_validate(question)) is None
    assert await provider.swap(SwapRequest.model_validate({**question, "wallet_address": "x"})) is None
    assert upstream.requests == []


@pytest.mark.parametrize("rows", [[], None])
async def test_a_token_without_a_pool_has_no_candles(
    told: GeckoTerminalProvider, canned: CannedUpstream, rows: Any
) -> None:
    canned.say({"data": rows})
    candles, _ = await told.klines(SOL.token_id, "1h", None, None, 5)
    assert len(candles) == 0
    assert len(canned.requests) == 1


async def test_pools_of_other_tokens_are_not_ours(told: GeckoTerminalProvider, canned: CannedUpstream) -> None:
    canned.say({"data": [pool(WPOL, "deep")]})
    with pytest.raises(ProviderFailure, match="nothing in pools is usable"):
        await told.klines(SOL.token_id, "1h", None, None, 5)


async def test_a_status_other_than_404_is_raised(told: GeckoTerminalProvider, canned: CannedUpstream) -> None:
    canned.answer = b"HTTP/1.1 422 Unprocessable\r\nContent-Length: 5\r\n\r\npools"
    with pytest.raises(ProviderStatus) as refusal:
        await told.token(SOL.token_id)
    assert (refusal.value.status, refusal.value.text) == (422, "pools")
