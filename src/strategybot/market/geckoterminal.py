"""The GeckoTerminal provider. It needs no key and is organised by pools: a token's candles are those of its deepest
pool.

It has no risk, quote or swap. HTTP 404 means that it has no data. A search without a query returns the trending tokens;
trending without a chain uses `DEFAULT_CHAIN`. A list is read from one page of 20 pools.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any

from strategybot.market.addresses import DEFAULT_CHAIN, split_token_id
from strategybot.market.client import MAX_BYTES, TOTAL_TIMEOUT, Admit, Params, UpstreamClient, admit_always
from strategybot.market.fields import Row, each, fields, required_object, text
from strategybot.market.geckoterminal_records import Pool, detail_of, found_token, network_of, pool_of, price_of
from strategybot.market.klines import read_klines
from strategybot.market.provider import ProviderFailure, ProviderStatus
from strategybot.market.schemas import Price, Quote, QuoteRequest, Risk, Swap, SwapRequest, Token, TokenDetail
from strategybot.trading.engine.candles import FIELDS, Candles, DataReport, empty_candles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval

BASE_URL = "https://api.geckoterminal.com/api/v2"
ACCEPT = "application/json;version=20230302"
MOST_PRICES, MOST_KLINES, MOST_POOLS_REMEMBERED = 30, 1000, 1000
POOL_SECONDS = 600.0
TIMEFRAMES: dict[Interval, tuple[str, int]] = {
    "1m": ("minute", 1),
    "5m": ("minute", 5),
    "15m": ("minute", 15),
    "1h": ("hour", 1),
    "4h": ("hour", 4),
    "1d": ("day", 1),
}


class GeckoTerminalProvider:
    name = "geckoterminal"
    klines_page = MOST_KLINES

    def __init__(
        self,
        *,
        base_url: str = BASE_URL,
        total_timeout: float = TOTAL_TIMEOUT,
        max_bytes: int = MAX_BYTES,
        admit: Admit = admit_always,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = UpstreamClient(
            base_url, {"Accept": ACCEPT}, total_timeout=total_timeout, max_bytes=max_bytes, admit=admit
        )
        self._pools = _PoolMemory(monotonic)

    async def search(self, query: str | None, chain: str | None, limit: int) -> list[Token]:
        if not query:
            return await self.trending(chain, limit)
        params = {"query": query, "include": "base_token"} | ({"network": network_of(chain)} if chain else {})
        return _tokens(await self._get(["search", "pools"], params))[:limit]

    async def prices(self, token_ids: Sequence[str]) -> dict[str, Price]:
        asked = {token_id: split_token_id(token_id) for token_id in token_ids}
        found: dict[tuple[str, str], Price] = {}
        with self._client.time_limit():
            for chain in dict.fromkeys(chain for _, chain in asked.values()):
                addresses = list(dict.fromkeys(address for address, other in asked.values() if other == chain))
                for i in range(0, len(addresses), MOST_PRICES):
                    found |= await self._batch(addresses[i : i + MOST_PRICES], chain)
        return {token_id: found[key] for token_id, key in asked.items() if key in found}

    async def token(self, token_id: str) -> TokenDetail | None:
        address, chain = split_token_id(token_id)
        path = ["networks", network_of(chain), "tokens", address]
        answer = await self._get(path, {"include": "top_pools"})
        if answer is None or answer["data"] is None:
            return None
        pools = each(answer.get("included"), lambda row: row, "included")
        return detail_of(f"{address}-{chain}", address, chain, required_object(answer["data"], "data"), pools)

    async def klines(
        self, token_id: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> tuple[Candles, DataReport]:
        address, chain = split_token_id(token_id)
        with self._client.time_limit():
            pool = await self._pool(address, chain)
            answer = None if pool is None else await self._ohlcv(pool, chain, interval, end, limit)
        if answer is None:
            return empty_candles(INTERVAL_SECONDS[interval]), DataReport()
        rows = required_object(required_object(answer["data"], "data").get("attributes"), "attributes").get(
            "ohlcv_list"
        )
        records = [_record(row) for row in rows] if isinstance(rows, list) else rows
        return read_klines(records, interval, start, end, limit)

    async def trending(self, chain: str | None, limit: int) -> list[Token]:
        path = ["networks", network_of(chain or DEFAULT_CHAIN), "trending_pools"]
        return _tokens(await self._get(path, {"include": "base_token"}))[:limit]

    async def risk(self, token_id: str) -> Risk | None:  # noqa: ARG002 - it has none
        return None

    async def quote(self, request: QuoteRequest) -> Quote | None:  # noqa: ARG002 - it has none
        return None

    async def swap(self, request: SwapRequest) -> Swap | None:  # noqa: ARG002 - it has none
        return None

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _batch(self, addresses: list[str], chain: str) -> dict[tuple[str, str], Price]:
        path = ["simple", "networks", network_of(chain), "token_price", ",".join(addresses)]
        wanted = ("include_24hr_vol", "include_24hr_price_change", "include_total_reserve_in_usd")
        answer = await self._get(path, dict.fromkeys(wanted, "true"))
        if answer is None:
            return {}
        data = answer["data"]
        # the documentation shows a list, the real responses have an object
        data = data[0] if isinstance(data, list) and data else data
        attributes = required_object(required_object(data, "data").get("attributes"), "attributes")
        prices = {(address, chain): price_of(attributes, address, chain) for address in addresses}
        return {key: price for key, price in prices.items() if price is not None}

    async def _pool(self, address: str, chain: str) -> Pool | None:
        """Return the deepest pool of a token. It is cached, because it seldom changes."""
        known = self._pools.recall(f"{address}-{chain}")
        if known is not None:
            return known
        answer = await self._get(["networks", network_of(chain), "tokens", address, "pools"], {})
        rows = answer and each(answer["data"], lambda row: pool_of(row, address, chain), "pools")
        deepest = max(rows, key=lambda pool: pool.liquidity_usd) if rows else None
        if deepest is not None:
            self._pools.remember(f"{address}-{chain}", deepest)
        return deepest

    async def _ohlcv(self, pool: Pool, chain: str, interval: Interval, end: int | None, limit: int) -> Row | None:
        timeframe, aggregate = TIMEFRAMES[interval]
        params: dict[str, str | int] = {"aggregate": aggregate, "limit": min(limit, MOST_KLINES), "currency": "usd"}
        params["token"] = pool.side
        if end is not None:
            params["before_timestamp"] = end + 1
        return await self._get(["networks", network_of(chain), "pools", pool.address, "ohlcv", timeframe], params)

    async def _get(self, path: list[str], params: Params) -> dict[str, Any] | None:
        try:
            answer = await self._client.get_json(path, params)
        except ProviderStatus as fault:
            if fault.status == 404:
                return None
            raise
        if "data" not in required_object(answer, "the answer"):
            raise ProviderFailure("the provider's answer has an unexpected shape: data is missing")
        return dict(answer)


class _PoolMemory:
    """A cache of pools, limited in number and age."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._pools: dict[str, tuple[float, Pool]] = {}

    def recall(self, token_id: str) -> Pool | None:
        until, pool = self._pools.get(token_id, (0.0, None))
        return pool if self._monotonic() < until else None

    def remember(self, token_id: str, pool: Pool) -> None:
        self._pools.pop(token_id, None)
        if len(self._pools) >= MOST_POOLS_REMEMBERED:
            self._pools.pop(next(iter(self._pools)))
        self._pools[token_id] = (self._monotonic() + POOL_SECONDS, pool)


def _tokens(answer: Row | None) -> list[Token]:
    """Return the base token of each pool, once, with the figures of its best-ranked pool."""
    if answer is None:
        return []
    rows = each(answer.get("included"), lambda row: row, "included")
    included = {text(row.get("id")) or "": fields(row.get("attributes")) for row in rows}
    found = each(answer["data"], lambda row: found_token(row, included), "data")
    return list({token.token_id: token for token in reversed(found)}.values())[::-1]


def _record(row: object) -> object:
    """Return a candle as a dict. A row that is not a list of six values is returned as it is; the parser drops it."""
    return dict(zip(FIELDS, row, strict=True)) if isinstance(row, list) and len(row) == len(FIELDS) else row
