"""The one way to a provider: JSON over HTTP, bounded in time, bytes and tries, and silent about our keys.

A call raises nothing but a `ProviderError`, whose words name the kind of fault. Redirects are never followed, cookies
never kept, proxies of the environment never used: the bare transport knows none of them.
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

from strategybot.market.answers import check_size, fit_to_show, inflated, parsed, spellings_of
from strategybot.market.provider import ProviderFailure, ProviderRateLimited, ProviderStatus, ProviderUnreachable

TOTAL_TIMEOUT = 8.0
MAX_BYTES = 4 * 1024 * 1024  # the widest answer is under 1 MiB; parsed, JSON takes up to 30 times its bytes
MAX_ERROR_BYTES = 64 * 1024
RETRY_PAUSE = 0.2
PASSING_STATUSES = {502, 503, 504}
LIMITS = httpx2.Limits(max_connections=20, max_keepalive_connections=10, keepalive_expiry=15.0)

# At DEBUG it would write down the headers of every answer, where a provider may echo our key.
logging.getLogger("httpcore2").setLevel(logging.INFO)

Params = Mapping[str, str | int]
Admit = Callable[[], Awaitable[None]]


class NotConnected(ProviderUnreachable):
    """The request never left: it may be sent again, whatever it is."""


class ConnectionLost(ProviderUnreachable):
    """The request may have arrived: only one that changes nothing may be sent again."""


async def freely() -> None:
    """Admit every try."""


class UpstreamClient:
    def __init__(
        self,
        base_url: str,
        headers: Mapping[str, str],
        *,
        secrets: Iterable[str] = (),
        total_timeout: float = TOTAL_TIMEOUT,
        max_bytes: int = MAX_BYTES,
        admit: Admit = freely,
    ) -> None:
        """`admit` is awaited before each try, inside the time limit: the plan's request rate is kept there."""
        self._base_url = _checked_url(base_url)
        self._headers = _checked_headers({"Accept": "application/json", "User-Agent": "strategybot", **headers})
        self._secrets = spellings_of(secrets)
        self._total_timeout = total_timeout
        self._max_bytes = max_bytes
        self._admit = admit
        self._transport = httpx2.AsyncHTTPTransport(verify=_trusted_roots(), trust_env=False, limits=LIMITS)

    async def get_json(self, path: Sequence[str], params: Params | None = None) -> Any:
        return await self._call(self._request("GET", path, params or {}, None), repeatable=True)

    async def post_json(self, path: Sequence[str], body: Mapping[str, Any], *, repeatable: bool = True) -> Any:
        """A call that is not repeatable gets its second try only when the first never reached the provider."""
        return await self._call(self._request("POST", path, {}, json.dumps(body).encode()), repeatable=repeatable)

    @contextmanager
    def time_limit(self) -> Iterator[None]:
        """One limit for all that happens inside: a question that takes several calls is held to it as a whole."""
        try:
            with anyio.fail_after(self._total_timeout):
                yield
        except TimeoutError:
            raise ProviderUnreachable(f"the provider timed out after {self._total_timeout:g} s") from None

    def clean(self, text: str) -> str:
        """The provider's own words, fit to be shown."""
        return fit_to_show(text, self._secrets)

    async def aclose(self) -> None:
        await self._transport.aclose()

    def _request(self, method: str, path: Sequence[str], params: Params, body: bytes | None) -> httpx2.Request:
        headers = {**self._headers, "Accept-Encoding": "gzip"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        # The total limit rules; a third of it for connecting leaves time for the second try.
        timeouts = {"connect": self._total_timeout / 3, "read": None, "write": None, "pool": None}
        url = self._base_url + _safe_path(path) + ("?" + urlencode(params, errors="replace") if params else "")
        try:
            return httpx2.Request(method, url, headers=headers, content=body, extensions={"timeout": timeouts})
        except httpx2.InvalidURL:
            raise ProviderFailure("the question does not fit into a URL") from None

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
        with _in_our_words():
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
        return parsed(await _body(response, self._max_bytes))

    async def _error_text(self, response: httpx2.Response) -> str:
        try:
            body = await _body(response, min(self._max_bytes, MAX_ERROR_BYTES))
        except ProviderFailure:  # the status is known, and says more than a damaged text
            return ""
        return self.clean(body.decode(errors="replace"))


@cache
def _trusted_roots() -> ssl.SSLContext:
    """Slow to read, and the same for every provider."""
    return httpx2.create_ssl_context(trust_env=False)


def _may_repeat(fault: Exception, repeatable: bool) -> bool:
    if isinstance(fault, ProviderStatus):
        return repeatable and fault.status in PASSING_STATUSES
    return repeatable or isinstance(fault, NotConnected)


async def _body(response: httpx2.Response, max_bytes: int) -> bytes:
    """All of the body, counted before and after decompression: httpx2's decoder does not count what it discards."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip", "x-gzip"):
        raise ProviderFailure("the provider's answer is compressed in a way that was not asked for")
    raw = bytearray()
    with _in_our_words():
        async with aclosing(response.aiter_raw()) as chunks:
            async for chunk in chunks:
                raw += chunk
                if len(raw) > max_bytes:
                    await _hang_up(response, chunks)
                    break
    check_size(raw, max_bytes)
    return inflated(bytes(raw), max_bytes) if "gzip" in encoding and raw else bytes(raw)


async def _hang_up(response: httpx2.Response, chunks: AsyncIterator[bytes]) -> None:
    """End an answer in the middle. Just to leave it would leave the library's inner generators half run until they are
    collected, perhaps by a loop that is going away; on a closed connection they run to their end here."""
    await response.aclose()
    with suppress(httpx2.HTTPError):
        async for _ in chunks:
            pass


@contextmanager
def _in_our_words() -> Iterator[None]:
    """The library's errors as short sentences."""
    try:
        yield
    except (httpx2.ConnectError, httpx2.ConnectTimeout):
        raise NotConnected("the provider cannot be reached") from None
    except httpx2.NetworkError:
        raise ConnectionLost("the connection to the provider broke") from None
    except httpx2.RemoteProtocolError as error:
        raise _broken_protocol(str(error)) from None
    except httpx2.HTTPError as error:
        raise ProviderFailure(f"the provider could not be asked ({type(error).__name__})") from None


def _broken_protocol(words: str) -> ProviderFailure:
    if words.startswith("Server disconnected"):
        return ConnectionLost("the provider closed the connection without an answer")
    if words.startswith("peer closed connection"):
        return ProviderFailure("the provider's answer is cut short")
    return ProviderFailure("the provider's answer is not valid HTTP")


def _safe_path(path: Sequence[str]) -> str:
    """Each part stays one part: whatever could end it is quoted, and dots, which quoting leaves, are refused."""
    if any(not part.strip(".") for part in path):
        raise ProviderFailure("a name in the question is empty or made of dots")
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
