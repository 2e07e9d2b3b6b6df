"""A small HTTP/1.1 server on 127.0.0.1 in its own thread. It records requests, and a handler may write any bytes. Use
it as a context manager.
"""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

LONGEST_REQUEST = 1_000_000


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes = b""

    @property
    def path(self) -> list[str]:
        return [unquote(part) for part in urlsplit(self.target).path.split("/")[1:]]

    @property
    def params(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.target).query).items()}

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """A well-formed response."""

    payload: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)

    def encoded(self) -> bytes:
        body = json.dumps(self.payload).encode()
        return http(body, self.status, {"Content-Type": "application/json", **self.headers})


Handler = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


def http(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> bytes:
    """Return the bytes of a response; a given Content-Length may be wrong."""
    lines = {"Content-Length": str(len(body)), **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Whatever\r\n{head}\r\n".encode() + body


class LoopbackServer:
    def __init__(self, handler: Handler) -> None:
        self.requests: list[Request] = []
        self._handler = handler
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self._port = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(5)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    async def _listen(self) -> int:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=LONGEST_REQUEST, backlog=500)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _close(self) -> None:
        self._server.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while not writer.is_closing():
                    request = await _read(reader)
                    self.requests.append(request)
                    await self._handler(request, writer)
                    await writer.drain()
        finally:
            writer.close()
            with suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, target, headers, body)


class CannedUpstream(LoopbackServer):
    """Sends the bytes in `answer` to every request."""

    def __init__(self, payload: Any = None) -> None:
        super().__init__(self._handle)
        self.answer = Reply(payload).encoded()

    def say(self, payload: Any) -> None:
        self.answer = Reply(payload).encoded()

    async def _handle(self, _request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(self.answer)
