"""The AVE provider: one API key, two hosts, and a different response envelope at each.

An empty success and any form of "token not found" become None or an empty collection. A search without a query returns
the trending tokens; trending without a chain uses `DEFAULT_CHAIN`. Prices are keyed by the ids of the request, in their
spelling.
"""

from collections.abc import Sequence
from typing import Any

from strategybot.market.addresses import DEFAULT_CHAIN, normal_token_id, token_id_of
from strategybot.market.ave_records import detail_of, pair_of, price_of, token_of
from strategybot.market.ave_risk import risk_of
from strategybot.market.ave_trade import quote_body, quote_of, swap_call, swap_of
from strategybot.market.client import MAX_BYTES, TOTAL_TIMEOUT, Admit, UpstreamClient, admit_always
from strategybot.market.fields import each, fields, required_object, text, whole
from strategybot.market.klines import read_klines
from strategybot.market.provider import ProviderFailure
from strategybot.market.schemas import Price, Quote, QuoteRequest, Risk, Swap, SwapRequest, Token, TokenDetail
from strategybot.trading.engine.candles import Candles, DataReport
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval, address_and_chain

DATA_URL = "https://prod.ave-api.com"
TRADE_URL = "https://bot-api.ave.ai"
MOST_FOUND, MOST_TRENDING, MOST_PRICES, MOST_KLINES = 300, 100, 200, 1000
DATA_SUCCESS = {1}
TRADE_SUCCESS = {0, 1, 200}
NOT_FOUND = "token not found"


class AveProvider:
    name = "ave"
    klines_page = MOST_KLINES

    def __init__(
        self,
        api_key: str,
        *,
        data_url: str = DATA_URL,
        trade_url: str = TRADE_URL,
        total_timeout: float = TOTAL_TIMEOUT,
        max_bytes: int = MAX_BYTES,
        admit: Admit = admit_always,
    ) -> None:
        def client(base_url: str, header: str) -> UpstreamClient:
            return UpstreamClient(
                base_url,
                {header: api_key},
                secrets=[api_key],
                total_timeout=total_timeout,
                max_bytes=max_bytes,
                admit=admit,
            )

        self._data = client(data_url, "X-API-KEY")
        self._trade = client(trade_url, "AVE-ACCESS-KEY")

    async def search(self, query: str | None, chain: str | None, limit: int) -> list[Token]:
        if not query:
            return await self.trending(chain, limit)
        params: dict[str, str | int] = {"keyword": query, "limit": min(limit, MOST_FOUND)}
        found = await self._read(["tokens"], params | ({"chain": chain} if chain else {}))
        return _distinct(each(found, token_of, "tokens"))[:limit]

    async def prices(self, token_ids: Sequence[str]) -> dict[str, Price]:
        asked = {token_id: normal_token_id(token_id) for token_id in token_ids}
        distinct = list(dict.fromkeys(asked.values()))
        with self._data.time_limit():
            batches = [await self._batch(distinct[i : i + MOST_PRICES]) for i in range(0, len(distinct), MOST_PRICES)]
        known = {token_id: price for batch in batches for token_id, price in batch.items()}
        return {token_id: known[normal] for token_id, normal in asked.items() if normal in known}

    async def token(self, token_id: str) -> TokenDetail | None:
        data = await self._read(["tokens", normal_token_id(token_id)])
        if data is None:
            return None
        answer = required_object(data, "data")
        row = answer.get("token")
        if row is None or row == {}:
            return None
        detail = detail_of(required_object(row, "token"), each(answer.get("pairs"), pair_of, "pairs"))
        if detail is None:
            raise ProviderFailure("the provider's answer has an unexpected shape: token has no address or chain")
        return detail

    async def klines(
        self, token_id: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> tuple[Candles, DataReport]:
        seconds, limit = INTERVAL_SECONDS[interval], min(limit, MOST_KLINES)
        params = {"interval": seconds // 60, "limit": limit}
        if end is not None:
            params["to_time"] = end
        if start is not None and end is not None and end - start < limit * seconds:
            # AVE does not document which candles of a longer span it returns. Without from_time it returns the last
            # ones.
            params["from_time"] = start
        data = await self._read(["klines", "token", normal_token_id(token_id)], params)
        points = [] if data is None else required_object(data, "data").get("points", ())
        return read_klines([] if points is None else points, interval, start, end, limit)

    async def trending(self, chain: str | None, limit: int) -> list[Token]:
        params = {"chain": chain or DEFAULT_CHAIN, "current_page": 0, "page_size": min(limit, MOST_TRENDING)}
        data = await self._read(["tokens", "trending"], params)
        rows = [] if data is None else required_object(data, "data").get("tokens", ())
        return _distinct(each(rows, token_of, "tokens"))[:limit]

    async def risk(self, token_id: str) -> Risk | None:
        normal = normal_token_id(token_id)
        data = await self._read(["contracts", normal])
        if data is None:
            return None
        row = required_object(data, "data")
        return None if NOT_FOUND in str(row.get("err_msg")).lower() else risk_of(normal, row)

    async def quote(self, request: QuoteRequest) -> Quote | None:
        body = quote_body(request)
        data = body and await self._order("getAmountOut", body)
        return None if data is None else quote_of(request, required_object(data, "data"))

    async def swap(self, request: SwapRequest) -> Swap | None:
        call = swap_call(request)
        data = call and await self._order(*call, repeatable=False)
        return None if data is None else swap_of(request, required_object(data, "data"))

    async def aclose(self) -> None:
        await self._data.aclose()
        await self._trade.aclose()

    async def _batch(self, token_ids: list[str]) -> dict[str, Price]:
        # AVE's default for tvl_min leaves out small tokens.
        body = {"token_ids": token_ids, "tvl_min": 0, "tx_24h_volume_min": 0}
        data = _unwrap(self._data, await self._data.post_json(["v2", "tokens", "price"], body), DATA_SUCCESS)
        rows = {} if data is None else required_object(data, "data")
        prices = {token_id_of(*address_and_chain(key)): price_of(fields(row)) for key, row in rows.items()}
        usable = {token_id: price for token_id, price in prices.items() if token_id and price}
        if rows and not usable:
            raise ProviderFailure("the provider's answer has an unexpected shape: nothing in prices is usable")
        return usable

    async def _read(self, path: list[str], params: dict[str, Any] | None = None) -> Any:
        return _unwrap(self._data, await self._data.get_json(["v2", *path], params), DATA_SUCCESS)

    async def _order(self, operation: str, body: dict[str, str], *, repeatable: bool = True) -> Any:
        path = ["v1", "thirdParty", "chainWallet", operation]
        return _unwrap(self._trade, await self._trade.post_json(path, body, repeatable=repeatable), TRADE_SUCCESS)


def _unwrap(client: UpstreamClient, answer: Any, success: set[int]) -> Any:
    """Return the data of the envelope, or None if the provider has none. AVE sends refusals with HTTP 200."""
    envelope = required_object(answer, "the envelope")
    message = client.clean(text(envelope.get("msg")) or "no reason given")
    if NOT_FOUND in message.lower():
        return None
    status = whole(envelope.get("status"))
    if status not in success:
        raise ProviderFailure(f"the provider refused: {message} (status {status})")
    if "data" not in envelope:
        raise ProviderFailure("the provider's answer has an unexpected shape: data is missing")
    return None if envelope["data"] in (None, [], {}) else envelope["data"]


def _distinct(tokens: list[Token]) -> list[Token]:
    """Return the tokens without duplicates; AVE repeats rows."""
    return list({token.token_id: token for token in reversed(tokens)}.values())[::-1]
