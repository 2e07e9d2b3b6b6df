"""A real server on a real socket in a thread, with limits of the test, and a client that misbehaves."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Self

import uvicorn
from fastapi import FastAPI, Request
from starlette.middleware import Middleware
from starlette.responses import Response, StreamingResponse

from strategybot.kit.http.connections import ConnectionLimits, Connections
from strategybot.kit.http.middleware import BodyCap, CatchAll, RequestContext
from strategybot.kit.http.protocol import LimitedProtocol

LARGE = 16 * 1024 * 1024  # more than the buffers of the operating system


def application(body_seconds: float = 10) -> FastAPI:
    cap = Middleware(BodyCap, seconds=body_seconds, slowest_bytes_a_second=1024)
    app = FastAPI(middleware=[Middleware(RequestContext), Middleware(CatchAll), cap])

    @app.get("/")
    async def small() -> dict[str, str]:
        return {"status": "ok"}

    @app.post("/")
    async def length(request: Request) -> int:
        return len(await request.body())

    @app.get("/large")
    async def large() -> Response:
        return Response(b"x" * LARGE)

    @app.get("/stream")
    async def stream(parts: int, seconds: float) -> StreamingResponse:
        async def lines() -> AsyncIterator[bytes]:
            for number in range(parts):
                yield b"%d\n" % number
                await asyncio.sleep(seconds)

        return StreamingResponse(lines())

    return app


class Listening:
    def __init__(self, connections: Connections, port: int) -> None:
        self.connections, self.port = connections, port

    def connect(self, receive_buffer: int | None = None, source: str = "127.0.0.1") -> "RawClient":
        return RawClient(self.port, receive_buffer, source)

    def is_well(self, source: str = "127.0.0.1") -> bool:
        with self.connect(source=source) as client:
            client.send(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return client.answer()[0] == 200

    def wait_for(self, count: int) -> None:
        """Wait until this many connections are open."""
        deadline = time.monotonic() + 5
        while len(self.connections) != count:
            assert time.monotonic() < deadline, f"{len(self.connections)} connections are open, not {count}"
            time.sleep(0.01)


@contextmanager
def listening(limits: ConnectionLimits, body_seconds: float = 10, proxies: Sequence[str] = ()) -> Iterator[Listening]:
    connections = Connections(limits, proxies)
    config = uvicorn.Config(
        application(body_seconds),
        port=0,
        loop="uvloop",
        http=partial(LimitedProtocol, open_connections=connections),  # type: ignore[arg-type]
        ws="none",
        log_config=None,
        access_log=False,
        timeout_keep_alive=limits.idle_seconds,  # type: ignore[arg-type]  # a fraction of a second, for a test
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield Listening(connections, server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()


class RawClient:
    """One connection whose bytes the test controls."""

    def __init__(self, port: int, receive_buffer: int | None, source: str) -> None:
        self._socket = socket.socket()
        if receive_buffer is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.bind((source, 0))
        self._socket.settimeout(5)
        self._socket.connect(("127.0.0.1", port))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def send_until_refused(self, piece: bytes, most_bytes: int) -> int:
        """Return how many bytes went out before the server stopped reading."""
        sent = 0
        try:
            while sent < most_bytes:
                self._socket.sendall(piece)
                sent += len(piece)
        except OSError:
            pass
        return sent

    def read_once(self, size: int = 65536) -> bytes:
        return self._socket.recv(size)

    def rest(self) -> bytes:
        """Return everything until the server closes."""
        parts = []
        try:
            while part := self._socket.recv(65536):
                parts.append(part)
        except ConnectionResetError:
            pass
        return b"".join(parts)

    def answer(self) -> tuple[int, dict[str, str], Any]:
        """Return status, headers and body of the response before the server closes."""
        return parsed(self.rest())

    def is_closed(self, seconds: float) -> bool:
        """Return whether the server closes the connection within this time without a response."""
        self._socket.settimeout(seconds)
        try:
            return self._socket.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False


def parsed(answer: bytes) -> tuple[int, dict[str, str], Any]:
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return int(status.split()[1]), headers, json.loads(body)
