"""A market data provider and a language model on loopback ports, which can be made to fail."""

import asyncio
import json
import time
from typing import Any

from tests.market.upstream.ave import reply_to
from tests.market.upstream.market import FIRST_CANDLE, SOL, candle
from tests.market.upstream.server import LoopbackServer, Reply, Request, http

HANGING_SECONDS = 20
WELL, AWAY, HANGING = "well", "away", "hanging"


class Upstream(LoopbackServer):
    """A server that can be made to answer with 503, or not to answer at all."""

    def __init__(self) -> None:
        super().__init__(self._handle)
        self.state = WELL

    async def _handle(self, request: Request, writer: asyncio.StreamWriter) -> None:
        if self.state == HANGING:
            await asyncio.sleep(HANGING_SECONDS)
        writer.write(Reply({"msg": "away"}, 503).encoded() if self.state == AWAY else self.answer(request))

    def answer(self, request: Request) -> bytes:
        raise NotImplementedError


class MarketUpstream(Upstream):
    """Serves candles up to now; a candle is the same in every answer."""

    def answer(self, request: Request) -> bytes:
        if request.path[:3] == ["v2", "klines", "token"]:
            return Reply({"status": 1, "msg": "SUCCESS", "data": self._klines(request.params)}).encoded()
        return reply_to(request).encoded()

    def _klines(self, params: dict[str, str]) -> dict[str, Any]:
        seconds, limit = 60 * int(params["interval"]), int(params["limit"])
        last = (min(int(params.get("to_time", 2**40)), int(time.time())) - FIRST_CANDLE) // seconds
        first = -(-(int(params.get("from_time", FIRST_CANDLE)) - FIRST_CANDLE) // seconds)
        points = [self._point(seconds, number) for number in range(max(0, first, last - limit), last + 1)]
        return {"points": points, "total_count": len(points), "limit": limit, "interval": seconds // 60}

    def _point(self, seconds: int, number: int) -> dict[str, Any]:
        names = ("time", "open", "high", "low", "close", "volume")
        moment, *values = candle(SOL, seconds, number)
        return dict(zip(names, (moment, *map(str, values)), strict=True))


class ModelUpstream(Upstream):
    """Answers every request with the same text, in the format of OpenAI's chat."""

    def answer(self, request: Request) -> bytes:  # noqa: ARG002  it says the same to everybody
        choice = {"index": 0, "delta": {"role": "assistant", "content": "I hear you."}, "finish_reason": "stop"}
        chunk: dict[str, Any] = {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "m",
            "choices": [choice],
        }
        chunk |= {"usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}}
        body = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
        return http(body, 200, {"Content-Type": "text/event-stream"})
