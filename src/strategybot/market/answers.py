"""Reading what a provider sent: all of a body within bounds, strict JSON, and every fault in our own words.

None of those words repeats what the library or the provider said: there may be a header in it, or nothing at all.
"""

import zlib
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from typing import Any

import httpx2
from pydantic_core import from_json

from strategybot.market.provider import ProviderFailure


class NotConnected(ProviderFailure):
    """The request never left: it may be sent again, whatever it is."""


class ConnectionLost(ProviderFailure):
    """The request may have arrived: only one that changes nothing may be sent again."""


async def body_of(response: httpx2.Response, max_bytes: int) -> bytes:
    """All of the body, counted before and after decompression: httpx2's decoder does not count what it discards."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("identity", "", "gzip", "x-gzip"):
        raise ProviderFailure("the provider's answer is compressed in a way that was not asked for")
    raw = bytearray()
    with in_our_words():
        async with aclosing(response.aiter_raw()) as chunks:
            async for chunk in chunks:
                raw += chunk
                _check_size(raw, max_bytes)
    return _inflated(bytes(raw), max_bytes) if "gzip" in encoding and raw else bytes(raw)


def _inflated(raw: bytes, max_bytes: int) -> bytes:
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        body = inflater.decompress(raw, max_bytes + 1)
    except zlib.error:
        raise ProviderFailure("the provider's answer is damaged (gzip)") from None
    _check_size(body, max_bytes)
    if not inflater.eof or inflater.unused_data:
        raise ProviderFailure("the provider's answer is damaged (gzip)")
    return body


def _check_size(body: bytes | bytearray, max_bytes: int) -> None:
    if len(body) > max_bytes:
        raise ProviderFailure(f"the provider's answer is larger than {max_bytes} bytes")


def parsed(body: bytes) -> Any:
    if not body:
        raise ProviderFailure("the provider's answer is empty")
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError:
        raise ProviderFailure("the provider's answer is not JSON") from None


@contextmanager
def in_our_words() -> Iterator[None]:
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
