"""`strategybot mcp --url`: forwards MCP from standard input and output to a server, without importing the service."""

import os

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.server.stdio import stdio_server

from strategybot.terminal.stop import Stop

SECONDS_TO_ANSWER = 90  # a tool may wait a minute for a backtest


def serve_remote(url: str) -> None:
    """Forward every message to the server at this URL, with the token in STRATEGYBOT_TOKEN."""
    token = os.environ.get("STRATEGYBOT_TOKEN", "")
    if not token:
        raise Stop("Set STRATEGYBOT_TOKEN to a personal token: the account page of the server makes one.")
    if not url.startswith(("http://", "https://")):
        raise Stop("--url must begin with http:// or https://.")
    anyio.run(_pass_on, f"{url.rstrip('/').removesuffix('/mcp')}/mcp", token)


async def _pass_on(url: str, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=SECONDS_TO_ANSWER) as client,
        streamable_http_client(url, http_client=client, terminate_on_close=False) as (from_server, to_server),
        stdio_server() as (from_client, to_client),
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(_forward, from_server, to_client)
        await _forward(from_client, to_server)
        tasks.cancel_scope.cancel()
        await to_client.aclose()  # the transport writes until this stream is closed


async def _forward(source: object, target: object) -> None:
    async for message in source:  # type: ignore[attr-defined]  # the two transports name their streams differently
        if not isinstance(message, Exception):
            await target.send(message)  # type: ignore[attr-defined]
