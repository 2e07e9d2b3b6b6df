"""A server with GeckoTerminal's protocol: pools first, newest candles first, 404 for unknown tokens."""

import asyncio
from typing import Any

from tests.market.upstream.market import CANDLES_KNOWN, FIRST_CANDLE, TOKENS, WBNB, KnownToken, candle
from tests.market.upstream.server import LoopbackServer, Reply, Request

Payload = dict[str, Any]
NETWORKS = {"polygon": "polygon_pos"}
UNITS = {"minute": 60, "hour": 3600, "day": 86400}
AGGREGATES = {"minute": (1, 5, 15), "hour": (1, 4, 12), "day": (1,)}
QUOTE = "quote_token_of_every_pool"
NOT_FOUND = Reply({"errors": [{"status": "404", "title": "Not Found"}]}, 404)


class GeckoTerminalUpstream(LoopbackServer):
    def __init__(self) -> None:
        super().__init__(self._handle)

    async def _handle(self, request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(reply_to(request).encoded())


def reply_to(request: Request) -> Reply:
    if request.headers.get("accept") != "application/json;version=20230302":
        return Reply({"errors": [{"status": "406", "title": "Not Acceptable"}]}, 406)
    match request.path:
        case ["api", "v2", "search", "pools"]:
            return _search(request.params)
        case ["api", "v2", "networks", network, "trending_pools"]:
            return _pools([t for t in TOKENS if _network(t) == network])
        case ["api", "v2", "networks", network, "tokens", address]:
            return _token(_known(network, address))
        case ["api", "v2", "networks", network, "tokens", address, "pools"]:
            token = _known(network, address)
            return _pools([token]) if token else NOT_FOUND
        case ["api", "v2", "networks", network, "pools", pool, "ohlcv", timeframe]:
            return _ohlcv(_known(network, pool.removeprefix("deep_")), timeframe, request.params)
        case ["api", "v2", "simple", "networks", network, "token_price", addresses]:
            return _prices(network, addresses.split(","))
    return NOT_FOUND


def _network(token: KnownToken) -> str:
    return NETWORKS.get(token.chain, token.chain)


def _known(network: str, address: str) -> KnownToken | None:
    return next((t for t in TOKENS if _network(t) == network and t.address == address), None)


def _search(params: dict[str, str]) -> Reply:
    query, network = params.get("query", ""), params.get("network")
    found = [t for t in TOKENS if query.lower() in (t.symbol + t.name).lower() or query == t.address]
    return _pools([t for t in found if network in (None, _network(t))])


def _pools(tokens: list[KnownToken]) -> Reply:
    """Return two pools per token, the shallow one first, with the tokens as included records."""
    rows = [pool(token, kind) for token in tokens for kind in ("shallow", "deep")]
    return Reply({"data": rows, "included": [_included(token) for token in tokens]})


def pool(token: KnownToken, kind: str) -> Payload:
    address = f"{kind}_{token.address}"
    own, other = f"{_network(token)}_{token.address}", f"{_network(token)}_{QUOTE}"
    # WBNB is on the quote side of its pools, as wrapped coins often are.
    base, quote = (other, own) if token is WBNB and kind == "deep" else (own, other)
    return {
        "id": f"{_network(token)}_{address}",
        "type": "pool",
        "attributes": {
            "address": address,
            "name": f"{token.symbol} / USDC 0.05%",
            "base_token_price_usd": str(token.price),
            "quote_token_price_usd": "1.0",
            "reserve_in_usd": "900000.5" if kind == "deep" else "1000.25",
            "volume_usd": {"h24": "5000.75"},
            "price_change_percentage": {"h24": "-2.5"},
            "market_cap_usd": None,
            "pool_created_at": "2021-12-29T12:35:14Z",
        },
        "relationships": {
            "base_token": {"data": {"id": base, "type": "token"}},
            "quote_token": {"data": {"id": quote, "type": "token"}},
            "dex": {"data": {"id": "raydium", "type": "dex"}},
        },
    }


def _included(token: KnownToken) -> Payload:
    names = {"address": token.address, "name": token.name, "symbol": token.symbol, "decimals": token.decimals}
    attributes = {**names, "image_url": "https://logos.example/1.png", "price_usd": str(token.price)}
    attributes |= {"volume_usd": {"h24": "777.5"}, "total_reserve_in_usd": "901000.75", "market_cap_usd": "1.5e6"}
    return {"id": f"{_network(token)}_{token.address}", "type": "token", "attributes": attributes}


def _token(token: KnownToken | None) -> Reply:
    if token is None:
        return NOT_FOUND
    return Reply({"data": _included(token), "included": [pool(token, "deep"), pool(token, "shallow")]})


def _ohlcv(token: KnownToken | None, timeframe: str, params: dict[str, str]) -> Reply:
    aggregate, limit = int(params["aggregate"]), int(params["limit"])
    if token is None or aggregate not in AGGREGATES[timeframe] or not 1 <= limit <= 1000:
        return NOT_FOUND if token is None else Reply({"errors": [{"status": "400", "title": "Bad Request"}]}, 400)
    if params["token"] != ("quote" if token is WBNB else "base"):
        return Reply({"errors": [{"status": "400", "title": "the other token's candles"}]}, 400)
    seconds = UNITS[timeframe] * aggregate
    before = int(params.get("before_timestamp", 2**40))
    numbers = [n for n in range(CANDLES_KNOWN) if FIRST_CANDLE + n * seconds < before][-limit:]
    rows = [list(candle(token, seconds, number)) for number in reversed(numbers)]
    return Reply({"data": {"id": "1", "type": "ohlcv_request_response", "attributes": {"ohlcv_list": rows}}})


def _prices(network: str, addresses: list[str]) -> Reply:
    if len(addresses) > 30:
        return Reply({"errors": [{"status": "400", "title": "Exceeded maximum number of addresses"}]}, 400)
    found = [token for address in addresses if (token := _known(network, address))]
    maps = {"h24_volume_usd": "7.5", "h24_price_change_percentage": "-1.5", "total_reserve_in_usd": "9.5"}
    attributes: Payload = {name: {t.address: value for t in found} for name, value in maps.items()}
    attributes["token_prices"] = {t.address: str(t.price) for t in found}
    return Reply({"data": {"id": "1", "type": "simple_token_price", "attributes": attributes}})
