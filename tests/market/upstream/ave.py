"""A server with AVE's protocol as observed: numbers as strings, one kline too many, a default tvl_min that hides small
tokens, errors inside HTTP 200, lower-case keys.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.market.upstream.market import CANDLES_KNOWN, FIRST_CANDLE, TOKENS, KnownToken, candle
from tests.market.upstream.server import LoopbackServer, Reply, Request

KEY = "ave-key-0123456789abcdef"
SAMPLES = Path(__file__).parent.parent / "samples"
INTERVALS = (1, 5, 15, 30, 60, 120, 240, 1440, 4320, 10080, 43200, 525600, 2628000)
Payload = dict[str, Any]


def sample(name: str) -> Any:
    return json.loads((SAMPLES / f"{name}.json").read_text())


class AveUpstream(LoopbackServer):
    def __init__(self) -> None:
        super().__init__(self._handle)

    async def _handle(self, request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(reply_to(request).encoded())


def reply_to(request: Request) -> Reply:
    header = "x-api-key" if request.path[0] == "v2" else "ave-access-key"
    if request.headers.get(header) != KEY:
        return Reply({"msg": "Unauthorized"}, 401)
    return _answer(request)


def _answer(request: Request) -> Reply:
    match request.method, *request.path:
        case "GET", "v2", "tokens":
            return _search(request.params)
        case "GET", "v2", "tokens", "trending":
            return _trending(request.params)
        case "GET", "v2", "tokens", token_id:
            return _data(_detail(_known(token_id)))
        case "POST", "v2", "tokens", "price":
            return _prices(request.json)
        case "GET", "v2", "klines", "token", token_id:
            return _klines(_known(token_id), request.params)
        case "GET", "v2", "contracts", token_id:
            return _risk(_known(token_id))
        case "POST", "v1", "thirdParty", "chainWallet", operation:
            return _trade(operation, request.json)
    return Reply({"msg": "Not Found"}, 404)


def _data(data: Any) -> Reply:
    return Reply({"status": 1, "msg": "SUCCESS", "data_type": 1, "data": data})


def _refusal(message: str, status: int = 0) -> Reply:
    return Reply({"status": status, "msg": message, "data_type": 1})


def _known(token_id: str) -> KnownToken | None:
    return next((token for token in TOKENS if token.token_id == token_id), None)


def _search(params: dict[str, str]) -> Reply:
    keyword = params.get("keyword", "")
    if not keyword:
        return _refusal("keyword is required")
    found = [t for t in TOKENS if keyword.lower() in (t.symbol + t.name).lower() or keyword == t.address]
    rows = [_row(t) for t in found if params.get("chain", t.chain) == t.chain]
    return _data(rows[: int(params.get("limit", "100"))])


def _trending(params: dict[str, str]) -> Reply:
    if "chain" not in params:
        return Reply({"msg": "chain is required"}, 400)
    rows = [_trending_row(t) for t in TOKENS if t.chain == params["chain"]]
    return _data({"current_page_size": 50, "next_page": -1, "total": len(rows), "tokens": rows + rows})


def _row(token: KnownToken) -> Payload:
    names = {"token": token.address, "chain": token.chain, "symbol": token.symbol, "name": token.name}
    return {**sample("ave-tokens-search")["data"][0], **names, "decimal": token.decimals} | {
        "current_price_usd": f"{token.price:.36f}",
        "created_at": 0 if token.chain == "bsc" else 1737165695,
        "logo_url": "" if token.chain == "bsc" else "https://logos.example/1.webp",
    }


def _trending_row(token: KnownToken) -> Payload:
    names = {"token": token.address, "chain": token.chain, "symbol": token.symbol, "name": token.name}
    return {**sample("ave-trending")["data"]["tokens"][0], **names, "current_price_usd": str(token.price)}


def _detail(token: KnownToken | None) -> Payload:
    if token is None:
        return {"token": {}, "pairs": [], "is_audited": False}
    pairs = [
        {**pair, "target_token": token.address, "token0_address": token.address, "token0_symbol": token.symbol}
        for pair in sample("ave-token-detail")["data"]["pairs"]
    ]
    return {"token": _row(token), "pairs": pairs, "is_audited": True}


def _prices(body: Payload) -> Reply:
    if len(body["token_ids"]) > 200 or body.get("tvl_min", 1000) != 0:
        return _refusal("a test wants tvl_min 0 and at most 200 ids")
    row = next(iter(sample("ave-tokens-price")["data"].values()))
    found = [token for token in map(_known, body["token_ids"]) if token is not None]
    return _data({t.token_id: {**row, "token_id": t.token_id, "current_price_usd": str(t.price)} for t in found})


def _klines(token: KnownToken | None, params: dict[str, str]) -> Reply:
    interval, limit = int(params["interval"]), int(params["limit"])
    if interval not in INTERVALS or not 1 <= limit <= 1000:
        return Reply({"msg": "bad interval or limit"}, 400)
    seconds = interval * 60
    last = min(int(params.get("to_time", 2**40)), FIRST_CANDLE + (CANDLES_KNOWN - 1) * seconds)
    first = max(int(params.get("from_time", -1)), FIRST_CANDLE, last - limit * seconds)
    numbers = range(-(-(first - FIRST_CANDLE) // seconds), (last - FIRST_CANDLE) // seconds + 1)
    points = [_point(candle(token, seconds, number)) for number in numbers] if token else []
    return _data({"points": points, "total_count": len(points), "limit": limit, "interval": interval})


def _point(values: tuple[int, float, float, float, float, float]) -> Payload:
    time, *numbers = values
    return {"time": time, **dict(zip(("open", "high", "low", "close", "volume"), map(str, numbers), strict=True))}


def _risk(token: KnownToken | None) -> Reply:
    if token is None:
        return Reply({"status": 1, "msg": "token not found", "data_type": 1, "data": {}})
    return _data({**sample("ave-contract-risk")["data"], "token": token.address, "chain": token.chain})


def _trade(operation: str, body: Payload) -> Reply:
    if body.get("swapType") not in ("buy", "sell") or not body["inAmount"].isdigit():
        return Reply({"status": 2001, "msg": "Invalid parameter", "data": None})
    if operation == "getAmountOut":
        data = {"estimateOut": "3285", "decimals": 18, "spender": "0x0fe1face5ec9e4c34c701dff0ba3a1c22e2cc583"}
        return Reply({"status": 200, "msg": "Success", "data": data})
    shared = {"minReturn": "1000000", "estimateOut": "1050000", "slippage": "3000", "requestTxId": "1"}
    if operation == "createSolanaTx" and int(body["fee"]) > 0:
        return Reply({"status": 200, "msg": "Success", "data": {**shared, "txContext": "AQAB"}})
    content = {"data": "7ff36ab5", "to": "0xd36b6d646ac6e23672e9eedec558164c7f2d6deb", "value": "1000"}
    data = {**shared, "chain": body["chain"], "txContent": content, "gasLimit": "0"}
    return Reply({"status": 0, "msg": "Success", "data": data})
