"""The requests of an ordinary user in docs/clients.md: every call of the table works, with the SDK's own client."""

import ast
import asyncio
import re
from pathlib import Path
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.servers import ServiceProcess
from tests.support import STRATEGY, sign_up

PAGE = Path(__file__).parents[2] / "docs" / "clients.md"
RSI = {"conditions": [{"kind": "compare", "left": {"series": "rsi"}, "operator": "below", "right": 30}]}
NAMES = {
    "create_bot": "bot",
    "optimise": "search",
    "survey": "survey",
    "start_simulation": "paper",
    "start_watch": "watch",
}


def rows() -> list[tuple[str, list[str]]]:
    """Return each request of the table with its calls."""
    table = PAGE.read_text().partition("### What to ask")[2].partition("\n\nThe [README]")[0]
    found = re.findall(r"^\| ([^|`]+) \| (`.*`) \|$", table, re.MULTILINE)
    return [(request, re.findall(r"`([^`]+)`", calls)) for request, calls in found]


def arguments(call: str, known: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    tree = ast.parse(call, mode="eval").body
    assert isinstance(tree, ast.Call)
    assert isinstance(tree.func, ast.Name)
    given = {
        str(each.arg): known[each.value.id] if isinstance(each.value, ast.Name) else ast.literal_eval(each.value)
        for each in tree.keywords
    }
    return tree.func.id, given


def noted(tool: str, answer: dict[str, Any], known: dict[str, Any]) -> None:
    """Keep what later calls of the table name."""
    if tool == "run_backtest":
        known["other"] = known.get("backtest")
        known["backtest"] = answer["run_id"]
    elif tool in NAMES:
        known[NAMES[tool]] = answer.get("run_id")
    elif answer.get("trades_page"):
        known["decided"] = answer["trades_page"]["trades"][0]["entry_time"]


async def all_asked(url: str, user: dict[str, str]) -> set[str]:
    known: dict[str, Any] = {"DIPS": STRATEGY, "RSI": RSI}
    used: set[str] = set()
    async with (
        httpx2.AsyncClient(headers=user, timeout=120) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
    ):
        tools = {tool.name for tool in (await client.list_tools()).tools}
        for request, calls in rows():
            for call in calls:
                tool, given = arguments(call, known)
                result = await client.call_tool(tool, given)
                assert not result.is_error, (request, call, result.content)
                used.add(tool)
                noted(tool, result.structured_content, known)
    return tools - used


def test_every_request_of_the_table_is_met_by_its_calls(tmp_path: Path) -> None:
    assert len(rows()) == 23
    with ServiceProcess(tmp_path) as service, httpx2.Client(base_url=service.url, timeout=60) as web:
        unused = asyncio.run(all_asked(service.url, sign_up(web)))
    assert unused == set()
