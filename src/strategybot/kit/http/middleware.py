"""The ASGI middleware around the application.

Outermost first: `RequestContext` (request id, security headers, one log line), `CatchAll` (an unhandled exception
becomes a 500 response, and the connection stays open), `CrossOrigin` (CORS, if origins are allowed), `BodyCap` (limits
the size and duration of a body).
"""

import asyncio
import logging
import random
import time
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

import anyio
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from strategybot.kit.http.connections import MIB, client_of
from strategybot.kit.http.leaving import ClientLeft
from strategybot.kit.logs import request_facts

logger = logging.getLogger("strategybot.http")

Observer = Callable[[str, str, int, float], None]

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


RawHeader = tuple[bytes, bytes]
_RAW_SECURITY_HEADERS = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]

CLIENT_WENT_AWAY = 499
"""The logged status of a request whose client closed the connection before any response; it is never sent."""


class RequestContext:
    """Adds an id to each request and headers to each response, and logs one line per request.

    `secrets` are beginnings of paths whose next part is a secret, with the name of that part: the log has the name.
    """

    def __init__(
        self, app: ASGIApp, observe: Observer | None = None, secrets: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self._app, self._observe, self._secrets = app, observe, secrets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        current, started, status = _new_request_id(), time.perf_counter(), CLIENT_WENT_AWAY

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _with_headers(message["headers"], current, scope["scheme"])
            await send(message)

        client = scope.get("client")
        with request_facts(request_id=current, client=client_of(client[0] if client else None)):
            try:
                await self._app(scope, receive, send_with_headers)
            finally:
                self._record(scope, status, time.perf_counter() - started)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        logger.info(
            "request",
            extra={
                "method": scope["method"],
                "path": self._without_secret(scope["path"]),
                "status": status,
                "ms": round(seconds * 1000, 1),
            },
        )
        if self._observe is not None:
            self._observe(scope["method"], _route_of(scope), status, seconds)

    def _without_secret(self, path: str) -> str:
        for beginning, name in self._secrets.items():
            if path.startswith(beginning):
                _, *rest = path.removeprefix(beginning).split("/", 1)
                return "/".join([f"{beginning}{{{name}}}", *rest])
        return path


def _new_request_id() -> str:
    """Return 128 random bits. They are no secret, so a fast generator is enough."""
    return f"{random.getrandbits(128):032x}"


def _with_headers(given: Collection[RawHeader], current: str, scheme: str) -> list[RawHeader]:
    """Return the headers with those of every response. A route's own header takes precedence."""
    added = [(b"x-request-id", current.encode())]
    if scheme == "https":  # as a trusted proxy reports it; browsers ignore the header over plain HTTP
        added.append((b"strict-transport-security", b"max-age=31536000"))
    names = {name for name, _ in given}
    return [*given, *added, *(each for each in _RAW_SECURITY_HEADERS if each[0] not in names)]


def _route_of(scope: Scope) -> str:
    """Return the route's template. The raw path would create a new time series for every id."""
    return getattr(scope.get("route"), "path", "(none)")


class CatchAll:
    """Answers 500 for an unhandled exception; without this, the server would close the connection."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def send_watching(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, send_watching)
        except ClientLeft:  # nobody is there to be answered
            return
        except Exception:  # the boundary of the application: a defect becomes a log line and a 500 response
            if scope["type"] != "http" or started:
                raise
            logger.exception("unhandled error")
            await _answer(500, "Internal server error")(scope, receive, send)
        except asyncio.CancelledError:
            if scope["type"] == "http" and not started:
                with anyio.CancelScope(shield=True):
                    await _answer(503, "The server is stopping. Please try again.")(scope, receive, send)
            raise


CLOSE = {"Connection": "close"}
"""Tells a client whose body was not read to the end that it cannot use the connection again."""


class BodyCap:
    """Reads the body before the application does: 413 as soon as it is too large, 408 if it arrives too slowly.

    A client has `seconds`, plus the time that its bytes take at the slowest rate. After a refusal the server discards
    what the client still sends (`LimitedProtocol`).
    """

    def __init__(
        self, app: ASGIApp, max_bytes: int = MIB, seconds: float = 10, slowest_bytes_a_second: int = 16 * 1024
    ) -> None:
        self._app, self._max_bytes = app, max_bytes
        self._seconds, self._slowest_bytes_a_second = seconds, slowest_bytes_a_second

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _has_body(scope):
            await self._app(scope, receive, send)
            return
        try:
            body = None if _announced_bytes(scope) > self._max_bytes else await self._read(receive)
        except TimeoutError:
            await _answer(408, "The request body did not arrive in time.", CLOSE)(scope, receive, send)
            return
        if body is None:
            await _answer(413, "The request body is larger than 1 MiB.", CLOSE)(scope, receive, send)
            return
        await self._app(scope, replay_body(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | None:
        """Return the body, or None if it is too large."""
        body, more = bytearray(), True
        with anyio.fail_after(self._seconds) as scope:
            begin = scope.deadline
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientLeft
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > self._max_bytes:
                    return None
                scope.deadline = begin + len(body) / self._slowest_bytes_a_second
        return bytes(body)


def _announced_bytes(scope: Scope) -> int:
    length = Headers(scope=scope).get("content-length", "")
    return int(length) if length.isdecimal() else 0


def _has_body(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def replay_body(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives this body, which was read before, and then goes on with the given one."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _answer(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"detail": detail}, status_code=status, headers=headers)


class CrossOrigin(CORSMiddleware):
    def preflight_response(self, request_headers: Headers) -> Response:
        """Return starlette's response; a refusal becomes JSON instead of plain text."""
        answer = super().preflight_response(request_headers)
        if answer.status_code < 400:
            return answer
        headers = {name: value for name, value in answer.headers.items() if not name.startswith("content-")}
        detail = "This origin, method or header is not allowed across origins."
        return JSONResponse({"detail": detail}, answer.status_code, headers)


def cross_origin(origins: list[str]) -> list[Middleware]:
    """Return the middleware that allows these browser origins; none if the list is empty."""
    if not origins:
        return []
    allowed = ["Authorization", "Content-Type", "If-Match", "Last-Event-ID", "X-Anonymous-Token"]
    exposed = ["ETag", "Retry-After", "X-Request-ID", "Content-Disposition"]
    return [
        Middleware(
            CrossOrigin, allow_origins=origins, allow_methods=["*"], allow_headers=allowed, expose_headers=exposed
        )
    ]
