"""AVE: the requests to its two hosts, and the records made from captured responses."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from strategybot.market.ave import AveProvider
from strategybot.market.provider import ProviderFailure
from strategybot.market.schemas import Price, Quote, QuoteRequest, Swap, SwapRequest, Token
from strategybot.trading.engine.instruments import INTERVALS, Interval
from tests.market.upstream.ave import KEY, sample
from tests.market.upstream.server import CannedUpstream

pytestmark = pytest.mark.anyio

TRUMP = "6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN"
MIXED = "0xBB4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c"
NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
USDT_BSC = "0x55d398326f99059fF775485246999027B3197955"
STRANGER = "0x" + "1" * 40
SOL_MINT = "So11111111111111111111111111111111111111112"
USDC_MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
WALLET = "EgsEi74MPVo5zd3TaHrJuAmb5iRbNj2HyQEXVyp5HSJ8"
MINUTES = {"1m": 1, "5m": 5, "15m": 15, "1h": 60, "4h": 240, "1d": 1440}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def data() -> Iterator[CannedUpstream]:
    with CannedUpstream() as server:
        yield server


@pytest.fixture
def trade() -> Iterator[CannedUpstream]:
    with CannedUpstream() as server:
        yield server


@pytest.fixture
async def provider(data: CannedUpstream, trade: CannedUpstream, anyio_backend: str) -> AsyncIterator[AveProvider]:
    provider = AveProvider(KEY, data_url=data.url, trade_url=trade.url)
    yield provider
    await provider.aclose()


def success(data: Any, status: int = 1) -> dict[str, Any]:
    return {"status": status, "msg": "SUCCESS", "data_type": 1, "data": data}


async def test_a_search_carries_the_key_and_its_words(provider: AveProvider, data: CannedUpstream) -> None:
    data.say(sample("ave-tokens-search"))
    await provider.search("trump & co", "solana", 500)
    (asked,) = data.requests
    assert (asked.method, "/".join(asked.path)) == ("GET", "v2/tokens")
    assert asked.params == {"keyword": "trump & co", "chain": "solana", "limit": "300"}
    assert asked.headers["x-api-key"] == KEY
    assert "ave-access-key" not in asked.headers


async def test_a_captured_search_becomes_tokens(provider: AveProvider, data: CannedUpstream) -> None:
    data.say(sample("ave-tokens-search"))
    found = await provider.search("trump", None, 2)
    assert len(found) == 2
    assert found[0] == Token(
        token_id=f"{TRUMP}-solana",
        address=TRUMP,
        chain="solana",
        symbol="TRUMP",
        name="OFFICIAL TRUMP",
        decimals=6,
        price_usd=10.890839275918815,
        price_change_24h_percent=0.99,
        volume_24h_usd=57859048.160187,
        liquidity_usd=359104814.762215,
        market_cap_usd=2178161259.254121398244736389600,
        holders=643594,
        risk_score=55,
        logo_url=f"https://www.iconaves.com/ipfs/thumbs/{TRUMP}_127x127.webp",
        created_at=datetime(2025, 1, 18, 2, 1, 35, tzinfo=UTC),
    )


async def test_trending_rows_with_other_keys_become_tokens(provider: AveProvider, data: CannedUpstream) -> None:
    data.say(sample("ave-trending"))
    first = (await provider.trending(None, 250))[0]
    assert data.requests[0].params == {"chain": "solana", "current_page": "0", "page_size": "100"}
    assert (first.price_change_24h_percent, first.volume_24h_usd) == (0.46, 57464377.799613)
    assert (first.liquidity_usd, first.risk_score) == (494050982.649544, None)


@pytest.mark.parametrize(
    ("row", "field", "value"),
    [
        ({"created_at": 0}, "created_at", None),
        ({"logo_url": ""}, "logo_url", None),
        ({"logo_url": "javascript:alert(1)"}, "logo_url", None),
        ({"current_price_usd": "0." + "0" * 30 + "123456789"}, "price_usd", 1.23456789e-31),
        ({"current_price_usd": "12345678901234567890123456789012345678.9"}, "price_usd", 1.2345678901234568e37),
        ({"current_price_usd": "1_000"}, "price_usd", None),
        ({"current_price_usd": "NaN"}, "price_usd", None),
        ({"current_price_usd": -1}, "price_usd", None),
        ({"current_price_usd": 7}, "price_usd", 7.0),
        ({"token_price_change_24h": "", "price_change_24h": "-2.01"}, "price_change_24h_percent", -2.01),
        ({"tvl": None, "main_pair_tvl": "5"}, "liquidity_usd", 5.0),
        ({"decimal": "18"}, "decimals", 18),
        ({"holders": 1.5}, "holders", None),
        ({"holders": True}, "holders", None),
        ({"risk_score": "-1"}, "risk_score", None),
        ({"name": " two\n lines\x00 "}, "name", "two lines"),
        ({"name": "n" * 500}, "name", "n" * 200),
        ({"symbol": None}, "symbol", ""),
        ({"token": MIXED, "chain": "bsc"}, "token_id", f"{MIXED.lower()}-bsc"),
        ({"token": MIXED, "chain": "bsc"}, "address", MIXED.lower()),
        ({"token": "0xABC::coin::COIN", "chain": "sui"}, "token_id", "0xABC::coin::COIN-sui"),
    ],
)
async def test_a_field_is_read_in_every_known_form(
    provider: AveProvider, data: CannedUpstream, row: dict[str, Any], field: str, value: Any
) -> None:
    data.say(success([{"token": TRUMP, "chain": "solana", **row}]))
    (token,) = await provider.search("x", None, 20)
    assert getattr(token, field) == value


async def test_a_row_without_a_token_is_left_out(provider: AveProvider, data: CannedUpstream) -> None:
    data.say(success([{"token": "../x", "chain": "solana"}, {"token": TRUMP, "chain": "solana"}, 7, {"chain": "bsc"}]))
    assert [token.address for token in await provider.search("x", None, 20)] == [TRUMP]


async def test_an_address_is_sent_in_the_case_of_its_chain(provider: AveProvider, data: CannedUpstream) -> None:
    data.say(success(None))
    for token_id in (f"{MIXED}-bsc", f"{TRUMP}-solana", "0xABC::m::C-sui", "EQ_a-B-ton"):
        await provider.token(token_id)
    asked = ["/".join(request.path) for request in data.requests]
    expected = [f"{MIXED.lower()}-bsc", f"{TRUMP}-solana", "0xABC::m::C-sui", "EQ_a-B-ton"]
    assert asked == [f"v2/tokens/{token_id}" for token_id in expected]


async def test_a_captured_detail_becomes_a_token_with_pairs(provider: AveProvider, data: CannedUpstream) -> None:
    data.say(sample("ave-token-detail"))
    detail = await provider.token(f"{TRUMP}-solana")
    assert detail is not None
    assert (detail.price_usd, detail.price_change_24h_percent) == (10.891418872937738, 1.81)
    assert len(detail.pairs) == 5
    assert detail.pairs[0].model_dump() == {
        "pair": "9d9mb8kooFfaD3SctgZtkxQypkshx6ezhbKio89ixyy2",
        "exchange": "meteora",
        "base": "TRUMP",
        "quote": "USDC",
        "price_usd": 10.891418872937738,
        "liquidity_usd": pytest.approx(359112239.502352),
        "volume_24h_usd": 57023400.872428,
    }


async def test_a_pair_is_described_from_the_side_of_its_token(provider: AveProvider, data: CannedUpstream) -> None:
    pair = {"pair": "P", "target_token": MIXED.lower(), "token0_address": "0xother", "token0_symbol": "USDT"}
    pair |= {"token1_address": MIXED, "token1_symbol": "WBNB", "token0_price_usd": "1", "token1_price_usd": "600"}
    data.say(success({"token": {"token": MIXED, "chain": "bsc"}, "pairs": [pair]}))
    detail = await provider.token(f"{MIXED}-bsc")
    assert detail is not None
    (told,) = detail.pairs
    assert (told.base, told.quote, told.price_usd, told.liquidity_usd) == ("WBNB", "USDT", 600.0, None)


@pytest.mark.parametrize("nothing", [{"token": {}, "pairs": []}, {"token": None, "pairs": None}, {"pairs": []}])
async def test_a_detail_without_a_token_is_none(provider: AveProvider, data: CannedUpstream, nothing: Any) -> None:
    data.say(success(nothing))
    assert await provider.token(f"{TRUMP}-solana") is None


async def test_prices_are_asked_for_without_a_smallest_liquidity(provider: AveProvider, data: CannedUpstream) -> None:
    captured = sample("ave-tokens-price")
    data.say(captured)
    wanted = [*captured["data"], f"{MIXED}-bsc", f"{MIXED.lower()}-bsc"]
    prices = await provider.prices(wanted)
    (asked,) = data.requests
    assert (asked.method, "/".join(asked.path)) == ("POST", "v2/tokens/price")
    assert asked.json == {
        "token_ids": [*captured["data"], f"{MIXED.lower()}-bsc"],
        "tvl_min": 0,
        "tx_24h_volume_min": 0,
    }
    assert prices[wanted[0]] == Price(
        price_usd=0.000006740710235167667,
        price_change_24h_percent=-2.46,
        liquidity_usd=94.658716,
        volume_24h_usd=7524.903417386155,
        updated_at=datetime(2025, 7, 20, 20, 41, 43, tzinfo=UTC),
    )
    assert len(prices) == 3


async def test_a_token_without_a_price_is_left_out(provider: AveProvider, data: CannedUpstream) -> None:
    data.say(success({f"{TRUMP}-solana": {"current_price_usd": ""}, "a-bsc": {"current_price_usd": "0"}, "odd key": 1}))
    assert await provider.prices([f"{TRUMP}-solana", "a-bsc"]) == {"a-bsc": Price(price_usd=0)}


@pytest.mark.parametrize("interval", INTERVALS)
async def test_klines_are_asked_for_in_minutes_and_seconds(
    provider: AveProvider, data: CannedUpstream, interval: Interval
) -> None:
    data.say(success({"points": []}))
    await provider.klines(f"{TRUMP}-solana", interval, None, None, 1000)
    await provider.klines(f"{TRUMP}-solana", interval, 100, 200, 7)
    plain, span = data.requests
    assert "/".join(plain.path) == f"v2/klines/token/{TRUMP}-solana"
    assert plain.params == {"interval": str(MINUTES[interval]), "limit": "1000"}
    assert span.params == {"interval": str(MINUTES[interval]), "limit": "7", "from_time": "100", "to_time": "200"}


async def test_if_there_is_one_kline_too_many_the_oldest_is_dropped(
    provider: AveProvider, data: CannedUpstream
) -> None:
    captured = sample("ave-klines")
    data.say(captured)
    candles, report = await provider.klines(f"{TRUMP}-solana", "1m", None, None, 30)
    assert candles.time.tolist() == [point["time"] for point in captured["data"]["points"]][-30:]
    assert candles.close[-1] == 8.833533780371228
    assert (report.received, report.dropped, report.duplicates) == (31, 0, 0)
    assert report.longest_gap_seconds > 0


async def test_too_many_klines_are_cut_to_the_latest(provider: AveProvider, data: CannedUpstream) -> None:
    data.say(success({"points": [{"time": 60 * i, "close": str(i)} for i in range(1, 3001)]}))
    candles, _ = await provider.klines(f"{TRUMP}-solana", "1m", None, 60 * 2000, 3)
    assert candles.close.tolist() == [1998.0, 1999.0, 2000.0]


async def test_a_captured_contract_becomes_a_risk(provider: AveProvider, data: CannedUpstream) -> None:
    data.say(sample("ave-contract-risk"))
    risk = await provider.risk(f"{TRUMP}-solana")
    assert "/".join(data.requests[0].path) == f"v2/contracts/{TRUMP}-solana"
    assert risk is not None
    assert risk.model_dump(exclude_none=True) == {
        "token_id": f"{TRUMP}-solana",
        "risk_score": 100,
        "risk_level": "high",
        "is_mintable": False,
        "owner_renounced": True,
        "top_holders_percent": pytest.approx(77.2051895344584),
        "holders": 223,
        "warnings": [
            "It imitates another token.",
            "The liquidity tokens are not burned.",
            "The provider notes: Fake pump token.",
        ],
    }


@pytest.mark.parametrize(
    ("row", "level"),
    [
        ({"risk_score": 0}, "low"),
        ({"risk_score": "19.9"}, "low"),
        ({"risk_score": 20}, "medium"),
        ({"risk_score": 55}, "medium"),
        ({"risk_score": 56}, "high"),
        ({"risk_score": 5, "is_honeypot": 1}, "high"),
        ({"risk_score": 5, "is_honeypot": -1}, "low"),
        ({"risk_score": 5, "risk_level": -1}, "high"),
        ({"risk_score": 56, "risk_level": 0}, "high"),
        ({"risk_score": 56, "risk_level": 1}, "medium"),
        ({"risk_score": 5, "risk_level": 1}, "low"),
        ({"risk_score": 5, "risk_level": 1, "is_honeypot": 1}, "high"),
        ({"risk_level": 1}, "unknown"),
        ({"risk_score": 101}, "unknown"),
        ({"token_name": "X"}, "unknown"),
        ({"is_honeypot": "1"}, "high"),
    ],
)
async def test_the_level_of_risk_follows_the_score(
    provider: AveProvider, data: CannedUpstream, row: dict[str, Any], level: str
) -> None:
    data.say(success(row))
    risk = await provider.risk(f"{MIXED}-bsc")
    assert risk is not None
    assert (risk.token_id, risk.risk_level) == (f"{MIXED.lower()}-bsc", level)


@pytest.mark.parametrize(
    ("row", "field", "value"),
    [
        ({"is_honeypot": -1}, "is_honeypot", None),
        ({"is_honeypot": -1}, "warnings", ["Nobody has checked whether it can be sold again."]),
        ({"is_honeypot": 0}, "is_honeypot", False),
        ({"buy_tax": 12.5}, "buy_tax_percent", 12.5),
        ({"buy_tax": 12.5}, "warnings", ["Buying it costs a tax of 12.5 %."]),
        ({"sell_tax": ""}, "sell_tax_percent", None),
        ({"sell_tax": -1}, "sell_tax_percent", None),
        ({"has_mint_method": 1}, "is_mintable", True),
        ({"has_mint_method": 1}, "warnings", ["The owner can create more of it."]),
        ({"is_open_source": "0"}, "is_open_source", False),
        ({"is_open_source": "0"}, "warnings", ["Its source code is not public."]),
        ({"owner": ""}, "owner_renounced", None),
        ({"owner": "0x" + "0" * 40}, "owner_renounced", True),
        ({"owner": "0x" + "0" * 36 + "dEaD"}, "owner_renounced", True),
        ({"owner": "0x" + "0" * 40, "can_take_back_ownership": "1"}, "owner_renounced", False),
        ({"owner": MIXED}, "owner_renounced", False),
        ({"pair_lock_percent": "0.5"}, "liquidity_locked_percent", 50.0),
        ({"pair_lock_percent": 1.0000001}, "liquidity_locked_percent", 100.0),
        ({"pair_lock_percent": 42}, "liquidity_locked_percent", None),
        ({"token_holders_rank": [{"percent": "0.01"}] * 30}, "top_holders_percent", pytest.approx(10.0)),
        ({"token_holders_rank": []}, "top_holders_percent", None),
        ({"risk_info": "not json"}, "warnings", []),
        ({"risk_info": "[]"}, "warnings", []),
        ({"risk_info": '{"en": ""}'}, "warnings", []),
    ],
)
async def test_a_finding_is_read_in_every_known_form(
    provider: AveProvider, data: CannedUpstream, row: dict[str, Any], field: str, value: Any
) -> None:
    data.say(success(row))
    assert getattr(await provider.risk(f"{MIXED}-bsc"), field) == value


@pytest.mark.parametrize("data_member", [{"err_msg": "Token not found"}, {}, None])
async def test_an_unknown_contract_has_no_risk(provider: AveProvider, data: CannedUpstream, data_member: Any) -> None:
    data.say(success(data_member))
    assert await provider.risk(f"{MIXED}-bsc") is None


def question(chain: str, spent: str, wanted: str) -> dict[str, Any]:
    return {"chain": chain, "from_token": spent, "to_token": wanted, "amount": "12345678901234567890123"}


@pytest.mark.parametrize(
    ("chain", "spent", "wanted", "sent"),
    [
        ("bsc", NATIVE, MIXED, (NATIVE, MIXED.lower(), "buy")),
        ("bsc", NATIVE.upper().replace("X", "x"), MIXED, (NATIVE, MIXED.lower(), "buy")),
        ("bsc", MIXED, NATIVE, (MIXED.lower(), NATIVE, "sell")),
        ("bsc", USDT_BSC, MIXED, (USDT_BSC.lower(), MIXED.lower(), "buy")),
        ("bsc", MIXED, USDT_BSC, (MIXED.lower(), USDT_BSC.lower(), "sell")),
        ("bsc", NATIVE, USDT_BSC, (NATIVE, USDT_BSC.lower(), "buy")),
        ("bsc", MIXED, STRANGER, (MIXED.lower(), STRANGER, "buy")),
        ("solana", SOL_MINT, TRUMP, ("sol", TRUMP, "buy")),
        ("solana", "sol", TRUMP, ("sol", TRUMP, "buy")),
        ("solana", TRUMP, "sol", (TRUMP, "sol", "sell")),
        ("solana", USDC_MINT, TRUMP, ("usdc", TRUMP, "buy")),
        ("solana", TRUMP, "usdt", (TRUMP, "usdt", "sell")),
        ("solana", TRUMP, WALLET, (TRUMP, WALLET, "buy")),
    ],
)
async def test_the_side_of_the_currency_decides_between_buy_and_sell(
    provider: AveProvider, trade: CannedUpstream, chain: str, spent: str, wanted: str, sent: tuple[str, str, str]
) -> None:
    trade.say({"status": 0, "msg": "Success", "data": {"estimateOut": "3285", "decimals": 18, "spender": "0xabc"}})
    quote = await provider.quote(QuoteRequest.model_validate(question(chain, spent, wanted)))
    (asked,) = trade.requests
    assert (asked.method, "/".join(asked.path)) == ("POST", "v1/thirdParty/chainWallet/getAmountOut")
    assert asked.headers["ave-access-key"] == KEY
    assert "x-api-key" not in asked.headers
    names = dict(zip(("inTokenAddress", "outTokenAddress", "swapType"), sent, strict=True))
    assert asked.json == {"chain": chain, "inAmount": "12345678901234567890123", **names}
    assert quote == Quote(
        **question(chain, spent, wanted), slippage=0.5, estimated_out="3285", decimals=18, spender="0xabc"
    )


@pytest.mark.parametrize("chain", ["polygon", "tron", "nowhere"])
async def test_an_unsupported_chain_makes_no_call(provider: AveProvider, trade: CannedUpstream, chain: str) -> None:
    request = {**question(chain, NATIVE, MIXED), "wallet_address": WALLET}
    assert await provider.quote(QuoteRequest.model_validate(question(chain, NATIVE, MIXED))) is None
    assert await provider.swap(SwapRequest.model_validate(request)) is None
    assert trade.requests == []


async def test_a_trade_without_a_known_currency_is_left_to_the_provider(
    provider: AveProvider, trade: CannedUpstream
) -> None:
    trade.say({"status": 2001, "msg": "Invalid parameter", "data": None})
    with pytest.raises(ProviderFailure, match=r"refused: Invalid parameter \(status 2001\)"):
        await provider.quote(QuoteRequest.model_validate(question("bsc", MIXED, STRANGER)))


async def test_a_swap_on_an_evm_chain_returns_the_transaction_to_sign(
    provider: AveProvider, trade: CannedUpstream
) -> None:
    content = {"data": "7ff36ab5", "to": MIXED, "value": 1000}
    trade.say(success({"txContent": content, "slippage": "3000", "estimateOut": 1050, "gasLimit": "0"}, status=0))
    request = SwapRequest.model_validate({**question("bsc", NATIVE, MIXED), "slippage": 0.55, "wallet_address": MIXED})
    swap = await provider.swap(request)
    (asked,) = trade.requests
    assert asked.path[-1] == "createEvmTx"
    assert asked.json == {
        "chain": "bsc",
        "creatorAddress": MIXED.lower(),
        "inAmount": "12345678901234567890123",
        "inTokenAddress": NATIVE,
        "outTokenAddress": MIXED.lower(),
        "swapType": "buy",
        "slippage": "55",
    }
    assert isinstance(swap, Swap)
    assert (swap.slippage, swap.estimated_out, swap.minimum_out, swap.wallet_address) == (30.0, "1050", None, MIXED)
    assert swap.transaction.model_dump(exclude_none=True) == {"to": MIXED, "data": "0x7ff36ab5", "value": "1000"}


@pytest.mark.parametrize("name", ["txContent", "txContext"])
async def test_a_swap_on_solana_returns_the_serialized_transaction(
    provider: AveProvider, trade: CannedUpstream, name: str
) -> None:
    trade.say(success({name: "AQAB", "estimateOut": "7", "minReturn": "6"}, status=200))
    request = SwapRequest.model_validate({**question("solana", TRUMP, SOL_MINT), "wallet_address": WALLET})
    swap = await provider.swap(request)
    (asked,) = trade.requests
    assert asked.path[-1] == "createSolanaTx"
    assert "chain" not in asked.json
    assert (asked.json["creatorAddress"], asked.json["slippage"], asked.json["fee"]) == (WALLET, "50", "1000000")
    assert isinstance(swap, Swap)
    assert (swap.slippage, swap.minimum_out) == (0.5, "6")
    assert swap.transaction.model_dump(exclude_none=True) == {"serialized": "AQAB"}


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        "AQAB",
        {"to": MIXED},
        {"to": "0x1", "data": "00"},
        {"to": MIXED, "data": "zz"},
        {"to": MIXED, "data": "00", "value": "0x1"},
        {"to": MIXED, "data": "00", "value": "9" * 5000},
    ],
)
async def test_an_incomplete_transaction_is_a_failure(
    provider: AveProvider, trade: CannedUpstream, content: Any
) -> None:
    trade.say(success({"estimateOut": "7", "txContent": content}, status=0))
    request = SwapRequest.model_validate({**question("bsc", NATIVE, MIXED), "wallet_address": MIXED})
    with pytest.raises(ProviderFailure, match="holds no transaction"):
        await provider.swap(request)


@pytest.mark.parametrize("content", [None, "", {}, "<script>", "AQ AB"])
async def test_an_incomplete_solana_transaction_is_a_failure(
    provider: AveProvider, trade: CannedUpstream, content: Any
) -> None:
    trade.say(success({"estimateOut": "7", "txContent": content}, status=0))
    request = SwapRequest.model_validate({**question("solana", TRUMP, "sol"), "wallet_address": WALLET})
    with pytest.raises(ProviderFailure, match="holds no transaction"):
        await provider.swap(request)


async def test_an_order_refused_inside_http_200_is_a_failure(provider: AveProvider, trade: CannedUpstream) -> None:
    trade.say({"status": 3024, "msg": "Insufficient token balance", "data": None})
    with pytest.raises(ProviderFailure, match=r"refused: Insufficient token balance \(status 3024\)"):
        await provider.quote(QuoteRequest.model_validate(question("bsc", NATIVE, MIXED)))
