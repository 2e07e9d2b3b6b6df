"""The HTTP/1.1 protocol of the server: uvicorn's, with limits on what a client may send, hold open and leave unread.

Refusals by the server itself have the same JSON body and headers as other errors.
"""

import asyncio
import json
import logging
import uuid
from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from strategybot.kit.http.connections import Connections, client_of
from strategybot.kit.http.middleware import SECURITY_HEADERS

logger = logging.getLogger("strategybot.http")


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    detail: str
    retry_after_seconds: int | None = None

    def answer(self, request_id: str) -> bytes:
        body = json.dumps({"detail": self.detail}).encode()
        headers = {
            **SECURITY_HEADERS,
            "X-Request-ID": request_id,
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
        }
        if self.retry_after_seconds is not None:
            headers["Retry-After"] = str(self.retry_after_seconds)
        lines = (f"{name.lower()}: {value}\r\n".encode("ascii") for name, value in headers.items())
        return b"".join([STATUS_LINE[self.status], *lines, b"\r\n", body])


MALFORMED = Refusal(400, "The request is not valid HTTP.")
TOO_MANY_AT_ONCE = Refusal(400, "Too many requests were sent on one connection without waiting for their answers.")
HEAD_TOO_SLOW = Refusal(408, "The request headers did not arrive in time.")
HEAD_TOO_LARGE = Refusal(431, "The request line and headers are larger than 64 KiB.")
TOO_MANY_CONNECTIONS = Refusal(503, "The server has too many open connections. Please try again.", 1)


class Phase(Enum):
    HEAD = auto()
    """The initial phase: the request line and headers are incomplete."""
    BODY = auto()
    ANSWERING = auto()
    IDLE = auto()
    """Between two requests."""
    CLOSING = auto()
    """Whatever still arrives is discarded."""


class RequestRefused(Exception):
    """Raised inside the parser's callbacks; the parser turns every exception into a parser error."""


class AnswerTransport:
    """The transport as the answer to a request sees it: it lingers instead of closing while the client sends a body."""

    def __init__(self, protocol: "LimitedProtocol") -> None:
        self._protocol = protocol

    def write(self, data: bytes) -> None:
        self._protocol.transport.write(data)

    def is_closing(self) -> bool:
        return self._protocol.transport.is_closing()

    def close(self) -> None:
        if self._protocol.has_incomplete_body:
            self._protocol.linger()
        else:
            self._protocol.transport.close()


class LimitedProtocol(HttpToolsProtocol):
    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        open_connections: Connections,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._open_connections, self._limits = open_connections, open_connections.limits
        self.client_name = "unknown"
        self._phase, self._since = Phase.HEAD, self.loop.time()
        self._must_read_by = 0.0
        self._refusal = MALFORMED
        self._head_size = 0
        """Size of the headers that the parser has completed, including trailers."""
        self._unparsed_bytes = 0
        """Bytes received since the parser last completed headers, part of a body, or a message."""
        self._parser_advanced = False
        self.has_incomplete_body = False
        self._unanswered: deque[RequestResponseCycle] = deque()
        """The requests whose response is not complete, oldest first."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn types it
        super().connection_made(transport)
        self.client_name = client_of(self.client[0] if self.client else None)
        if self._open_connections.admit(self):
            self._enter(Phase.HEAD)
        else:
            # Without lingering: a refused connection must release its descriptor at once.
            transport.write(TOO_MANY_CONNECTIONS.answer(uuid.uuid4().hex))
            self._phase = Phase.CLOSING
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._open_connections.remove(self)
        # uvicorn tells only the newest request that its client is gone; an older one would write to a closed transport.
        for cycle in self._unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        self.pipeline.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._phase is Phase.CLOSING:
            self._discard(len(data))
            return
        if self._phase is Phase.IDLE:
            self._enter(Phase.HEAD)
        self._unset_keepalive_if_required()
        self._parser_advanced = False
        self._parse(data)
        self._unparsed_bytes = 0 if self._parser_advanced else self._unparsed_bytes + len(data)
        self._update_phase()

    def _parse(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            self._refuse(self._refusal)
        except httptools.HttpParserUpgrade:
            pass  # the request was handled as one without an upgrade

    def _update_phase(self) -> None:
        """Set the next phase of the connection after parsing."""
        if self._phase is Phase.CLOSING:
            return
        if self._unparsed_bytes > self._limits.head_bytes:
            self._refuse(HEAD_TOO_LARGE)
        elif self._parser_advanced and self._in_flight():
            self._enter(Phase.BODY if self.has_incomplete_body else Phase.ANSWERING)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_size = 0

    def on_url(self, url: bytes) -> None:
        self._count_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count_head(len(name) + len(value) + 4)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.pipeline) >= self._limits.pipelined_requests:
            self._refusal = TOO_MANY_AT_ONCE
            raise RequestRefused
        self._parser_advanced = self.has_incomplete_body = True
        super().on_headers_complete()
        self.cycle.transport = AnswerTransport(self)  # type: ignore[assignment]  # all that a request uses of one
        self._unanswered.append(self.cycle)

    def on_body(self, body: bytes) -> None:
        self._parser_advanced = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._parser_advanced, self.has_incomplete_body = True, False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        has_next = bool(self.pipeline)
        self._unanswered.popleft()
        super().on_response_complete()
        if has_next or self._phase is Phase.CLOSING:
            return
        if self.has_incomplete_body:
            self.linger()
        else:
            self._enter(Phase.IDLE)

    def pause_writing(self) -> None:
        super().pause_writing()
        allowed = self._limits.write_seconds + self.unsent_bytes() / self._limits.slowest_bytes_a_second
        self._must_read_by = self.loop.time() + allowed
        self._open_connections.stall(self)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._open_connections.flow(self)

    def unsent_bytes(self) -> int:
        return self.transport.get_write_buffer_size()

    def check_waiting(self, now: float) -> None:
        if now - self._since < self._seconds_of(self._phase):
            return
        if self._phase is Phase.HEAD and self._unparsed_bytes:
            self._refuse(HEAD_TOO_SLOW)
        else:
            self.drop()

    def check_writing(self, now: float) -> None:
        if now > self._must_read_by:
            logger.info("answer not read in time", extra={"client": self.client_name, "unsent": self.unsent_bytes()})
            self.drop()

    def drop(self) -> None:
        self._phase = Phase.CLOSING
        self.transport.abort()

    def _seconds_of(self, phase: Phase) -> float:
        """Return how long a connection may stay in this phase. `BodyCap` limits the time of a body.

        uvicorn closes an idle connection itself, but waits for ever until written data has been read.
        """
        limits = self._limits
        idle = limits.idle_seconds + limits.linger_seconds
        seconds = {Phase.HEAD: limits.head_seconds, Phase.IDLE: idle, Phase.CLOSING: limits.linger_seconds}
        return seconds.get(phase, float("inf"))

    def _enter(self, phase: Phase) -> None:
        self._phase, self._since = phase, self.loop.time()
        if phase is Phase.ANSWERING:
            self._open_connections.work(self)
        else:
            self._open_connections.wait(self)

    def _count_head(self, size: int) -> None:
        self._head_size += size
        if self._head_size > self._limits.head_bytes:
            self._refusal = HEAD_TOO_LARGE
            raise RequestRefused

    def _in_flight(self) -> bool:
        return bool(self.cycle) and not self.cycle.response_complete  # None before the first request

    def _may_answer(self) -> bool:
        """Return whether a response can be written now without mixing with the response to an earlier request."""
        if not self._in_flight():
            return True
        return self.has_incomplete_body and not self.pipeline and not self.cycle.response_started

    def _refuse(self, refusal: Refusal) -> None:
        if self.transport.is_closing():
            return
        request_id = uuid.uuid4().hex
        logger.info(
            "refused",
            extra={"client": self.client_name, "status": refusal.status, "why": refusal.detail, "id": request_id},
        )
        if not self._may_answer():
            self._phase = Phase.CLOSING
            self.transport.close()
            return
        self.transport.write(refusal.answer(request_id))
        self.linger()

    def _discard(self, size: int) -> None:
        self._unparsed_bytes += size
        if self._unparsed_bytes > self._limits.linger_bytes:
            self.drop()

    def linger(self) -> None:
        """Stop sending, and give the client a short time to read. Closing at once while the client sends would reset
        the connection, and the client would not see the response.
        """
        if self._in_flight():
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self._enter(Phase.CLOSING)
        if not self.transport.is_closing():
            self.flow.resume_reading()
            self.transport.write_eof()
