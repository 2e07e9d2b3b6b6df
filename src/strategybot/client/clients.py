"""The two clients: the same operations, called or awaited."""

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Any, TypeVar

import httpx2

from strategybot.client.endpoints import Awaited, Called
from strategybot.client.errors import Unreachable, raise_refusal, raise_refusal_async
from strategybot.client.rows import AsyncRows, Rows
from strategybot.client.runs import AsyncBacktestRun, BacktestRun

LOCAL = "http://127.0.0.1:8000"
SECONDS_TO_ANSWER = 60.0
Answer = TypeVar("Answer")
Parse = Callable[[httpx2.Response], Answer]


class _Client:
    http_client: type[Any]
    check: Callable[[httpx2.Response], object]

    def __init__(
        self, url: str = LOCAL, token: str | None = None, timeout: float = SECONDS_TO_ANSWER, transport: Any = None
    ) -> None:
        """`transport` takes the place of the network; see httpx2."""
        self._http = self.http_client(
            base_url=url, timeout=timeout, event_hooks={"response": [self.check]}, transport=transport
        )
        self.token = token or os.environ.get("STRATEGYBOT_TOKEN") or None
        """A personal token, or the access token of a login; STRATEGYBOT_TOKEN by default. It can be set later."""

    def events(self) -> Any:
        """Return a context with an iterator of changes as they happen: `with client.events() as events:`."""
        return self._http.sse("/api/events", headers=self._headers())

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


class StrategyBot(_Client, Called, AbstractContextManager["StrategyBot"]):
    """A server of Strategy Bot, as this token's owner. Every operation of the API is a method."""

    http_client, rows, check = httpx2.Client, Rows, staticmethod(raise_refusal)

    def send(self, request: dict[str, Any], parse: Parse[Answer]) -> Answer:
        try:
            return parse(self._http.request(**request, headers=self._headers()))
        except httpx2.TransportError as error:
            raise Unreachable(f"The server cannot be reached: {error}") from error

    def backtest(self, bot_id: str, **request: Any) -> BacktestRun:
        """Start a backtest. `request` is as in `POST /api/bots/{bot_id}/backtest`; `wait` waits for the result."""
        return BacktestRun(self, self.start_backtest(bot_id, **request))

    def close(self) -> None:
        self._http.close()

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncStrategyBot(_Client, Awaited, AbstractAsyncContextManager["AsyncStrategyBot"]):
    """The same for asyncio: every operation is awaited, and listings are read with `async for`."""

    http_client, rows, check = httpx2.AsyncClient, AsyncRows, staticmethod(raise_refusal_async)

    async def send(self, request: dict[str, Any], parse: Parse[Answer]) -> Answer:
        try:
            return parse(await self._http.request(**request, headers=self._headers()))
        except httpx2.TransportError as error:
            raise Unreachable(f"The server cannot be reached: {error}") from error

    async def backtest(self, bot_id: str, **request: Any) -> AsyncBacktestRun:
        """Start a backtest; `wait` waits for the result."""
        return AsyncBacktestRun(self, await self.start_backtest(bot_id, **request))

    async def close(self) -> None:
        await self._http.aclose()

    async def __aexit__(self, *_: object) -> None:
        await self.close()
