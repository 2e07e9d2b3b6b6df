"""The HTTP client of the providers: JSON only, with limits on time, bytes and tries, and no API key in any error.

A call raises only `ProviderError`; its message names the kind of fault. The bare transport is used because it follows
no redirects, keeps no cookies and ignores proxy settings of the environment.
"""

import json
import logging
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

import anyio
import httpx2

from strategybot.market.provider import ProviderFailure, ProviderRateLimited, ProviderStatus, ProviderUnreachable
from strategybot.market.response_bodies import check_size, decompress, displayable, parse, secret_pattern

TOTAL_TIMEOUT = 8.0
MAX_BYTES = 4 * 1024 * 1024  # the largest response is under 1 MiB; parsed JSON takes up to 30 times its bytes
MAX_ERROR_BYTES = 64 * 1024
RETRY_PAUSE = 0.2
PASSING_STATUSES = {502, 503, 504}
LIMITS = httpx2.Limits(max_connections=20, max_keepalive_connections=10, keepalive_expiry=15.0)

# At DEBUG, httpcore logs the headers of every response, in which a provider may echo our key.
logging.getLogger("httpcore2").setLevel(logging.INFO)

Params = Mapping[str, str | int]
Admit = Callable[[], Awaitable[None]]


class NotConnected(ProviderUnreachable):
    """The request was not sent, so it may always be retried."""


class ConnectionLost(ProviderUnreachable):
    """The request may have arrived, so it may be retried only if it is repeatable."""


async def admit_always() -> None:
    """Admit every request at once."""


class UpstreamClient:
    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str],
        *,
        secrets: Iterable[str] = (),
        total_timeout: float = TOTAL_TIMEOUT,
        max_bytes: int = MAX_BYTES,
        admit: Admit = admit_always,
    ) -> None:
        """`admit` is awaited before each try, inside the time limit. It enforces the request rate of the plan."""
        self._base_url = _checked_url(base_url)
        self._headers = _checked_headers({"Accept": "application/json", "User-Agent": "strategybot", **headers})
        self._secrets = secret_pattern(secrets)
        self._total_timeout = total_timeout
        self._max_bytes = max_bytes
        self._admit = admit
        self._transport = httpx2.AsyncHTTPTransport(verify=_trusted_roots(), trust_env=False, limits=LIMITS)

    async def get_json(self, path: Sequence[str], params: Params | None = None) -> Any:
        return await self._call(self._request("GET", path, params or {}, None), repeatable=True)

    async def post_json(self, path: Sequence[str], body: Mapping[str, Any], *, repeatable: bool = True) -> Any:
        """Send a request. If it is not repeatable, it is retried only when the first try did not reach the provider."""
        return await self._call(self._request("POST", path, {}, json.dumps(body).encode()), repeatable=repeatable)

    @contextmanager
    def time_limit(self) -> Iterator[None]:
        """Apply one time limit to everything inside the block, for operations that need several calls."""
        try:
            with anyio.fail_after(self._total_timeout):
                yield
        except TimeoutError:
            raise ProviderUnreachable(f"the provider timed out after {self._total_timeout:g} s") from None

    def clean(self, text: str) -> str:
        """Return the provider's text without control characters and secrets."""
        return displayable(text, self._secrets)

    async def aclose(self) -> None:
        await self._transport.aclose()

    def _request(self, method: str, path: Sequence[str], params: Params, body: bytes | None) -> httpx2.Request:
        headers = {**self._headers, "Accept-Encoding": "gzip"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        # The total limit applies to all; a third of it for connecting leaves time for a second try.
        timeouts = {"connect": self._total_timeout / 3, "read": None, "write": None, "pool": None}
        url = self._base_url + _safe_path(path) + ("?" + urlencode(params, errors="replace") if params else "")
        try:
            return httpx2.Request(method, url, headers=headers, content=body, extensions={"timeout": timeouts})
        except httpx2.InvalidURL:
            raise ProviderFailure("the request does not fit into a URL") from None

    async def _call(self, request: httpx2.Request, *, repeatable: bool) -> Any:
        with self.time_limit():
            try:
                return await self._attempt(request)
            except (NotConnected, ConnectionLost, ProviderStatus) as fault:
                if not _may_repeat(fault, repeatable):
                    raise
            await anyio.sleep(RETRY_PAUSE)
            return await self._attempt(request)

    async def _attempt(self, request: httpx2.Request) -> Any:
        await self._admit()
        with _provider_errors():
            response = await self._transport.handle_async_request(request)
        try:
            return await self._answer(response)
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()

    async def _answer(self, response: httpx2.Response) -> Any:
        status = response.status_code
        if status == 429:
            raise ProviderRateLimited("HTTP 429")
        if 400 <= status <= 599:
            raise ProviderStatus(status, await self._error_text(response))
        if 300 <= status <= 399:
            raise ProviderFailure(f"the provider answered with a redirect (HTTP {status})")
        if not 200 <= status <= 299:
            raise ProviderFailure(f"the provider answered with HTTP {status}")
        return parse(await _body(response, self._max_bytes))

    async def _error_text(self, response: httpx2.Response) -> str:
        try:
            body = await _body(response, min(self._max_bytes, MAX_ERROR_BYTES))
        except ProviderFailure:  # the status is known, and is more useful than a damaged body
            return ""
        return self.clean(body.decode(errors="replace"))


@cache
def _trusted_roots() -> ssl.SSLContext:
    """Return the TLS context, cached because loading the root certificates is slow."""
    return httpx2.create_ssl_context(trust_env=False)


def _may_repeat(fault: Exception, repeatable: bool) -> bool:
    if isinstance(fault, ProviderStatus):
        return repeatable and fault.status in PASSING_STATUSES
    return repeatable or isinstance(fault, NotConnected)


async def _body(response: httpx2.Response, max_bytes: int) -> bytes:
    """Return the whole body. The size is checked before and after decompression: httpx2's decoder does not count
    discarded bytes.
    """
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip", "x-gzip"):
        raise ProviderFailure("the provider's answer is compressed in a way that was not asked for")
    raw = bytearray()
    with _provider_errors():
        async with aclosing(response.aiter_raw()) as chunks:
            async for chunk in chunks:
                raw += chunk
                if len(raw) > max_bytes:
                    await _close_early(response, chunks)
                    break
    check_size(raw, max_bytes)
    return decompress(bytes(raw), max_bytes) if "gzip" in encoding and raw else bytes(raw)


async def _close_early(response: httpx2.Response, chunks: AsyncIterator[bytes]) -> None:
    """Close a response before its end.

    Without this, httpcore's inner generators stay suspended until they are garbage-collected, perhaps by an event loop
    that is closing. After the connection is closed they run to their end here.
    """
    await response.aclose()
    with suppress(httpx2.HTTPError):
        async for _ in chunks:
            pass


@contextmanager
def _provider_errors() -> Iterator[None]:
    """Turn the library's exceptions into provider errors with short messages."""
    try:
        yield
    except (httpx2.ConnectError, httpx2.ConnectTimeout):
        raise NotConnected("the provider cannot be reached") from None
    except httpx2.NetworkError:
        raise ConnectionLost("the connection to the provider broke") from None
    except httpx2.RemoteProtocolError as error:
        raise _protocol_error(str(error)) from None
    except httpx2.HTTPError as error:
        raise ProviderFailure(f"the provider could not be asked ({type(error).__name__})") from None


def _protocol_error(words: str) -> ProviderFailure:
    if words.startswith("Server disconnected"):
        return ConnectionLost("the provider closed the connection without an answer")
    if words.startswith("peer closed connection"):
        return ProviderFailure("the provider's answer is cut short")
    return ProviderFailure("the provider's answer is not valid HTTP")


def _safe_path(path: Sequence[str]) -> str:
    """Return the quoted path. Raise ProviderFailure for a part that is empty or only dots, which quoting does not
    change.
    """
    if any(not part.strip(".") for part in path):
        raise ProviderFailure("a name in the request is empty or made of dots")
    return "".join("/" + quote(part, safe=":,", errors="replace") for part in path)


def _checked_url(base_url: str) -> str:
    if httpx2.URL(base_url).scheme not in ("http", "https"):
        raise ValueError("a provider's address begins with http:// or https://")
    return base_url.rstrip("/")


def _checked_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    for name, value in headers.items():
        if not (value.isascii() and value.isprintable()):
            raise ValueError(f"the value for the header {name} has characters that cannot be sent")
    return headers
