"""An answer of server-sent events that ends when its source ends or its client leaves."""

import asyncio
from collections.abc import AsyncIterator, Callable

from starlette.responses import Response
from starlette.types import Receive, Scope, Send


class EventStream(Response):
    media_type = "text/event-stream"

    def __init__(self, parts: AsyncIterator[bytes], leave: Callable[[], None], ended: Callable[[], None]) -> None:
        """`leave` is called when the client leaves: `parts` must end then. `ended` is called at the end in any case."""
        self._parts, self._leave, self._ended = parts, leave, ended
        self.status_code, self.background = 200, None
        self.init_headers({"X-Accel-Buffering": "no"})  # nginx would hold events back
        del self.headers["content-length"]

    def render(self, content: object) -> bytes:  # noqa: ARG002
        return b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        leaving = asyncio.ensure_future(self._wait_until_left(receive))
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for part in self._parts:
                await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self._ended()

    async def _wait_until_left(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._leave()
