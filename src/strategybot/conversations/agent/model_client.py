"""The HTTP client for language models: an answer may have so many bytes, whatever the server sends.

The libraries of the vendors keep a line until it ends. A server that never ends one would fill the memory before the
turn is over.
"""

from collections.abc import AsyncIterator

import httpx2
from pydantic_ai.models import create_async_httpx2_client

MOST_ANSWER_BYTES = 8 * 1024 * 1024  # three times what the most tokens take with the frame of each


def limited_client() -> httpx2.AsyncClient:
    client = create_async_httpx2_client()
    client.headers["Accept-Encoding"] = "identity"  # a few compressed bytes may become many
    client.event_hooks = {**client.event_hooks, "response": [_limit]}
    return client


async def _limit(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise httpx2.ReadError("The answer is compressed, which was not asked for.", request=response.request)
    assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101  the client is asynchronous
    response.stream = _LimitedStream(response.stream, response.request)


class _LimitedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, request: httpx2.Request) -> None:
        self._stream, self._request = stream, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._stream:
            size += len(part)
            if size > MOST_ANSWER_BYTES:
                raise httpx2.ReadError("The answer is too large.", request=self._request)
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
