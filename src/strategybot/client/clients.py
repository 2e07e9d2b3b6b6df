"""The two clients: the same operations, called or awaited."""

import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Any, TypeVar

import httpx2

from strategybot.client.endpoints import Awaited, Called, Request
from strategybot.client.errors import accepted
from strategybot.client.rows import AsyncRows, Rows
from strategybot.client.runs import AsyncBacktestRun, BacktestRun

LOCAL = "http://127.0.0.1:8000"
SECONDS_TO_ANSWER = 60.0
Answer = TypeVar("Answer")
Parse = Callable[[httpx2.Response], Answer]


class _Client:
    http_client: type[Any]

    def __init__(self, url: str = LOCAL, token: str | None = None, timeout: float = SECONDS_TO_ANSWER) -> None:
        self._http = self.http_client(base_url=url, timeout=timeout)
        self.token = token or os.environ.get("STRATEGYBOT_TOKEN") or None
        """A personal token, or the access token of a login; STRATEGYBOT_TOKEN by default. It can be set later."""

    def events(self) -> Any:
        """Return a context with an iterator of changes as they happen: `with client.events() as events:`."""
        return self._http.sse(**self._arguments(Request("GET", "/api/events", {})))

    def _arguments(self, request: Request) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        body = {"json": request.body} if request.body else {}
        return {"method": request.method, "url": request.path, "params": request.query, "headers": headers, **body}


class StrategyBot(_Client, Called, AbstractContextManager["StrategyBot"]):
    """A server of Strategy Bot, as this token's owner. Every operation of the API is a method."""

    http_client, rows = httpx2.Client, Rows

    def send(self, request: Request, parse: Parse[Answer]) -> Answer:
        return parse(accepted(self._http.request(**self._arguments(request))))

    def backtest(self, bot_id: str, **request: Any) -> BacktestRun:
        """Start a backtest. `request` is as in `POST /api/bots/{bot_id}/backtest`; `wait` waits for the result."""
        return BacktestRun(self, self.start_backtest(bot_id, **request))

    def close(self) -> None:
        self._http.close()

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncStrategyBot(_Client, Awaited, AbstractAsyncContextManager["AsyncStrategyBot"]):
    """The same for asyncio: every operation is awaited, and listings are read with `async for`."""

    http_client, rows = httpx2.AsyncClient, AsyncRows

    async def send(self, request: Request, parse: Parse[Answer]) -> Answer:
        return parse(accepted(await self._http.request(**self._arguments(request))))

    async def backtest(self, bot_id: str, **request: Any) -> AsyncBacktestRun:
        """Start a backtest; `wait` waits for the result."""
        return AsyncBacktestRun(self, await self.start_backtest(bot_id, **request))

    async def close(self) -> None:
        await self._http.aclose()

    async def __aexit__(self, *_: object) -> None:
        await self.close()
