"""The one way to a provider: JSON over HTTP, bounded in time, bytes and tries, and silent about our keys.

A call raises nothing but a `ProviderError`, whose words name the kind of fault. Redirects are never followed, cookies
never kept, proxies of the environment never used: the bare transport knows none of them.
"""

import json
import logging
import re
import ssl
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

import anyio
import httpx2

from strategybot.market.answers import ConnectionLost, NotConnected, body_of, in_our_words, parsed
from strategybot.market.provider import ProviderFailure, ProviderRateLimited, ProviderStatus

TOTAL_TIMEOUT = 8.0
MAX_BYTES = 4 * 1024 * 1024  # the widest answer is under 1 MiB; parsed, JSON takes up to 30 times its bytes
MAX_ERROR_BYTES = 64 * 1024
MAX_ERROR_CHARACTERS = 500
RETRY_PAUSE = 0.2
PASSING_STATUSES = {502, 503, 504}
LIMITS = httpx2.Limits(max_connections=20, max_keepalive_connections=10, keepalive_expiry=15.0)

# At DEBUG it would write down the headers of every answer, where a provider may echo our key.
logging.getLogger("httpcore2").setLevel(logging.INFO)

Params = Mapping[str, str | int]
Admit = Callable[[], Awaitable[None]]


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
        self._secrets = _pattern_of(secrets)
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
            raise ProviderFailure(f"the provider timed out after {self._total_timeout:g} s") from None

    def clean(self, text: str) -> str:
        """The provider's own words, fit to be shown: one line, no control characters, none of our secrets, bounded."""
        words = "".join(filter(str.isprintable, " ".join(text.split())))
        return self._secrets.sub("[redacted]", words)[:MAX_ERROR_CHARACTERS]

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
        with in_our_words():
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
        return parsed(await body_of(response, self._max_bytes))

    async def _error_text(self, response: httpx2.Response) -> str:
        try:
            body = await body_of(response, min(self._max_bytes, MAX_ERROR_BYTES))
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


def _pattern_of(secrets: Iterable[str]) -> re.Pattern[str]:
    """Every spelling in which a provider might hand a secret back: as it is, quoted, escaped, in base64."""
    spellings = {
        spelling
        for secret in filter(None, secrets)
        for spelling in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1], b64encode(secret.encode()).decode())
    }
    longest_first = sorted(spellings, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)", re.IGNORECASE)
