"""MCP over real HTTP with the SDK's own client: as a user, with a read-only token, as another user, without a token."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextResourceContents

from strategybot.kit.http.site import SITE, is_built
from tests.servers import ServiceProcess
from tests.support import STRATEGY, bearer, create_bot, sign_up

SOL = "So11111111111111111111111111111111111111112"
TOOLSETS = {
    "read": {
        "list_bots", "get_bot", "list_runs", "get_run", "compare_backtests", "explain", "search_tokens", "get_token",
        "market_candles",
    },
    "design": {"create_bot", "update_bot", "delete_bot", "update_strategy", "undo", "restore_revision"},
    "research": {"run_backtest", "optimise", "survey", "holdout", "share", "stop_run"},
    "paper": {"start_simulation", "start_watch", "stop_run", "notify_me"},
}  # fmt: skip
CHANGING = set().union(*TOOLSETS.values()) - TOOLSETS["read"]
Json = dict[str, Any]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    with ServiceProcess(tmp_path_factory.mktemp("mcp")) as service:
        yield service


@pytest.fixture(scope="module")
def web(service: ServiceProcess) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=service.url, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def user(web: httpx2.Client) -> dict[str, str]:
    return sign_up(web)


def token(web: httpx2.Client, user: dict[str, str], *scopes: str) -> dict[str, str]:
    made = web.post("/api/auth/tokens", json={"name": "MCP", "scopes": list(scopes)}, headers=user)
    return bearer(made.json()["token"])


def talk(
    service: ServiceProcess, who: dict[str, str], use: Callable[[Client], Awaitable[Any]], path: str = "/mcp"
) -> Any:
    async def session() -> Any:
        async with httpx2.AsyncClient(headers=who, timeout=120) as http:
            transport = streamable_http_client(f"{service.url}{path}", http_client=http)
            async with Client(transport) as client:
                return await use(client)

    return asyncio.run(session())


async def did(client: Client, tool: str, /, **arguments: Any) -> Json:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found: Json = result.structured_content
    return found


async def resource(client: Client, uri: str) -> Json:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    read: Json = json.loads(content.text)
    return read


async def refused(client: Client, tool: str, /, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


def test_every_tool_is_listed_with_its_hints_and_schemas(
    service: ServiceProcess, web: httpx2.Client, user: dict[str, str]
) -> None:
    listed = talk(service, user, lambda client: client.list_tools())
    tools = listed.tools
    assert {tool.name for tool in tools} == set().union(*TOOLSETS.values())
    for tool in tools:
        assert tool.annotations.read_only_hint == (tool.name not in CHANGING), tool.name
        assert tool.annotations.destructive_hint is not None
        assert tool.description
        assert tool.output_schema["properties"]
        assert "context" not in tool.input_schema["properties"]
    compact = json.dumps(listed.model_dump(mode="json", by_alias=True, exclude_none=True), separators=(",", ":"))
    assert len(tools) <= 24
    assert len(compact) / 4 <= 9_000
    cards = {
        tool.name for tool in tools if tool.meta and tool.meta["ui"]["resourceUri"] == "ui://strategybot/result.html"
    }
    assert cards == ({"run_backtest", "get_run"} if is_built(SITE) else set())


@pytest.mark.parametrize("chosen", ["read", "design", "research", "paper", "read,paper"])
def test_toolsets_are_chosen_in_the_address(service: ServiceProcess, user: dict[str, str], chosen: str) -> None:
    wanted = set().union(*(TOOLSETS[name] for name in chosen.split(",")))

    async def use(client: Client) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == wanted
        other = next(iter(sorted(set().union(*TOOLSETS.values()) - wanted)))
        assert "not among the toolsets" in await refused(client, other)

    talk(service, user, use, f"/mcp/?tools={chosen}")


def test_an_unknown_toolset_is_refused_with_those_that_there_are(web: httpx2.Client, user: dict[str, str]) -> None:
    answer = web.post("/mcp?tools=read,all", json=INITIALIZE, headers=user)
    assert answer.status_code == 422
    assert answer.json()["detail"] == "tools must be some of read, design, research, paper, separated by commas"


def test_a_client_makes_a_bot_from_an_idea_tests_it_and_undoes_a_change(
    service: ServiceProcess, web: httpx2.Client, user: dict[str, str]
) -> None:
    async def use(client: Client) -> None:
        checked = await did(client, "update_strategy", strategy=json.dumps(STRATEGY), dry_run=True)
        assert checked["summary"].startswith("Buy when")
        wrong = {"conditions": [{"kind": "price_drop", "percent": 0, "window": "1h"}]}
        assert "percent" in await refused(client, "update_strategy", strategy=wrong, dry_run=True)
        unknown = await refused(client, "run_backtest", since="2026-01-01")
        assert "since is no argument of run_backtest, which takes token, chain, kline_interval, days, start," in unknown
        made = await did(client, "create_bot", name="From MCP", token=SOL, chain="solana", strategy=STRATEGY)
        other = {**STRATEGY, "risk_management": {"stop_loss_percent": 7}}
        changed = await did(client, "update_strategy", bot="from mcp", strategy=other)
        assert changed["revision"] == 2
        assert (await did(client, "undo", bot=made["bot"]["id"]))["strategy"] == made["strategy"]
        run = await did(client, "run_backtest", bot="From MCP", days=10, kline_interval="5m")
        assert run["status"] == "completed"
        read = await did(client, "get_run", run_id=run["run_id"], trades_page=1)
        assert read["kind"] == "backtest"
        assert read["metrics"] == run["metrics"]
        assert read["trades_page"]["page"] == 1
        assert read["verdict"]["grade"]
        assert read["verdict"]["sentence"]
        second = await did(client, "run_backtest", bot="From MCP", days=5, kline_interval="5m")
        both = await did(client, "compare_backtests", bot="From MCP")
        assert [each["run_id"] for each in both["backtests"]] == [run["run_id"], second["run_id"]]
        assert "mode is required" in await refused(client, "start_simulation", bot="From MCP")
        simulated = await did(client, "start_simulation", bot="From MCP", mode="replay")
        again = await refused(client, "start_simulation", bot="From MCP", mode="live")
        assert simulated["run_id"] in again
        assert "replace: true" in again
        replaced = await did(client, "start_simulation", bot="From MCP", mode="replay", replace=True)
        assert (await did(client, "get_run", run_id=simulated["run_id"]))["status"] == "stopped"
        found = await did(client, "get_run", run_id=replaced["run_id"])
        assert (found["kind"], found["status"]) == ("simulation", "running")
        assert found["trade_log"][0]["time"].endswith("Z")
        assert (await did(client, "stop_run", run_id=replaced["run_id"]))["status"] == "stopped"
        purse = await did(client, "start_simulation", bot="From MCP", mode="live", trending="solana", limit=3)
        assert purse["portfolio"]["max_open"] == 5
        assert (await did(client, "stop_run", run_id=purse["run_id"]))["status"] == "stopped"
        watched = await did(client, "start_watch", bot="From MCP", tokens=["SOL"], kline_interval="5m")
        for kind, each in {"backtest": run, "simulation": simulated, "watch": watched}.items():
            assert (await did(client, "get_run", run_id=each["run_id"]))["kind"] == kind
        assert (await did(client, "stop_run", run_id=watched["run_id"]))["status"] == "stopped"
        kinds = [each["kind"] for each in (await did(client, "list_runs", bot="From MCP"))["runs"]]
        assert kinds == ["watch", "simulation", "simulation", "simulation", "backtest", "backtest"]
        found = (await did(client, "search_tokens", query="sol"))["result"]
        assert found[0]["untrusted"] == ["symbol", "name"]
        nothing = await client.call_tool("search_tokens", {"query": "zzzzqqq"})
        assert str(nothing.content[0].text).startswith("No token matches.")  # type: ignore[union-attr]
        token = await did(client, "get_token", token_id=f"{SOL}-solana")
        assert token["price_usd"] > 0
        assert token["risk"]["risk_level"]
        candles = await did(client, "market_candles", token="SOL", kline_interval="1h", limit=120)
        assert len(candles["candles"]) == 120
        assert candles["candles"][0]["time"].endswith("Z")
        for uri in (f"strategybot://bots/{made['bot']['id']}", f"strategybot://backtests/{run['run_id']}"):
            assert await resource(client, uri)
        (language,) = (await client.read_resource("strategybot://language")).contents
        assert isinstance(language, TextResourceContents)
        assert language.text.startswith("# ")
        assert len(language.text) / 4 <= 4_500
        assert {each.name for each in (await client.list_prompts()).prompts} == {
            "design_a_strategy",
            "judge_this_backtest",
        }
        with pytest.raises(Exception, match="The prompt design_a_strategy needs idea"):
            await client.get_prompt("design_a_strategy", {})
        with pytest.raises(Exception, match="There is no prompt of that name"):
            await client.get_prompt("nonsense", {})
        asked = await client.get_prompt("design_a_strategy", {"idea": "buy dips"})
        assert "buy dips" in asked.messages[0].content.text  # type: ignore[union-attr]

    talk(service, user, use)
    assert [bot["name"] for bot in web.get("/api/bots", headers=user).json()["bots"]] == ["From MCP"]


def test_a_token_that_may_only_read_changes_nothing(
    service: ServiceProcess, web: httpx2.Client, user: dict[str, str]
) -> None:
    arguments: dict[str, Json] = {
        "create_bot": {"name": "No"},
        "update_strategy": {"strategy": STRATEGY, "bot": "Read only"},
        "optimise": {"parameters": [{"path": "stop_loss_percent", "values": [1, 2]}], "bot": "Read only"},
        "survey": {"trending": "solana", "limit": 1, "bot": "Read only"},
        "stop_run": {"run_id": "01a1ecd5-af6d-7776-b547-b707294deaed"},
        "start_watch": {"bot": "Read only"},
        "start_simulation": {"bot": "Read only", "mode": "replay"},
        "update_bot": {"bot": "Read only", "name": "No"},
        "delete_bot": {"bot": "Read only", "confirm": "Read only"},
        "restore_revision": {"bot": "Read only", "revision": 1},
        "holdout": {"bot": "Read only", "action": "seal"},
        "share": {"run_id": "01a1ecd5-af6d-7776-b547-b707294deaed"},
        "notify_me": {"url": "ntfy://topic"},
        **{name: {"bot": "Read only"} for name in ("undo", "run_backtest")},
    }
    create_bot(web, user, "Read only", strategy=STRATEGY, token=SOL, chain="solana")
    before = web.get("/api/bots", headers=user).json()

    async def use(client: Client) -> None:
        for name in CHANGING:
            assert "may only read" in await refused(client, name, **arguments[name])
        assert (await did(client, "list_bots"))["total_bots"] == before["total_bots"]
        assert (await did(client, "update_strategy", strategy=STRATEGY, dry_run=True))["dry_run"] is True

    talk(service, token(web, user, "read"), use)
    assert web.get("/api/bots", headers=user).json() == before


def test_the_only_bot_needs_no_name(service: ServiceProcess, web: httpx2.Client) -> None:
    user = sign_up(web, "one@example.com")

    async def use(client: Client) -> None:
        assert "You have none yet." in await refused(client, "get_bot")
        await did(client, "create_bot", name="First")
        assert (await did(client, "get_bot"))["bot"]["name"] == "First"
        await did(client, "create_bot", name="Second")
        assert "Yours are: Second, First." in await refused(client, "get_bot")
        for tool in (await client.list_tools()).tools:
            assert "linked" not in str(tool.model_dump()), tool.name

    talk(service, user, use)


def test_invented_prices_are_marked(service: ServiceProcess, user: dict[str, str]) -> None:
    async def use(client: Client) -> None:
        assert "All prices of this installation are invented" in (client.instructions or "")
        for tool, given in (
            ("get_token", {"token_id": "SOL"}),
            ("market_candles", {"token": "SOL", "kline_interval": "1h"}),
        ):
            assert (await did(client, tool, **given))["data_source"] == "demo"

    talk(service, user, use)


def test_bots_and_runs_of_other_users_are_not_found(
    service: ServiceProcess, web: httpx2.Client, user: dict[str, str]
) -> None:
    bot = create_bot(web, user, "Mine", strategy=STRATEGY, token=SOL, chain="solana")
    run = web.post(f"/api/bots/{bot['id']}/backtest", json={}, headers=user).json()
    stranger = sign_up(web, "mallory@example.com")

    async def use(client: Client) -> None:
        for name in ("get_bot", "undo", "run_backtest", "list_runs", "compare_backtests"):
            assert "Bot not found." in await refused(client, name, bot=bot["id"])
        for run_id in (run["run_id"], "' OR 1=1 --"):
            for name in ("get_run", "stop_run", "share"):
                assert "not found" in await refused(client, name, run_id=run_id)
        assert "not found" in await refused(client, "explain", run_id=run["run_id"], time="2026-01-01")
        assert "Bot not found." in await refused(client, "delete_bot", bot=bot["id"], confirm="Mine")
        assert "Say which bot" in await refused(client, "run_backtest")
        for uri in (f"strategybot://bots/{bot['id']}", f"strategybot://backtests/{run['run_id']}"):
            with pytest.raises(Exception, match="not found"):
                await client.read_resource(uri)

    talk(service, stranger, use)


@pytest.mark.parametrize("who", [{}, bearer("sbt_" + "A" * 43), bearer("x"), {"X-Anonymous-Token": "x"}], ids=str)
def test_a_request_without_a_valid_token_is_refused(web: httpx2.Client, who: dict[str, str]) -> None:
    answer = web.post("/mcp", json=INITIALIZE, headers=who)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer resource_metadata=")
    assert answer.json().keys() == {"detail"}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"\xff\xfe", 400),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing","arguments":{}}}', 200),
        (b'{"jsonrpc":"2.0","id":1,"method":"nonsense"}', 200),
        (b"[" * 5000, 400),
        (b'{"a":"' + b"x" * 1_100_000 + b'"}', 413),
    ],
    ids=["empty", "cut off", "a list", "no text", "unknown tool", "unknown method", "deep", "large"],
)
def test_a_hostile_body_is_answered_without_a_server_error(
    web: httpx2.Client, user: dict[str, str], body: bytes, status: int
) -> None:
    headers = {**user, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    answer = web.post("/mcp", content=body, headers=headers)
    assert answer.status_code < 500
    assert answer.status_code == status or (status == 200 and answer.status_code in {200, 400, 404}), answer.text


def test_a_body_that_is_no_message_is_refused_as_json_and_not_repeated(
    web: httpx2.Client, user: dict[str, str]
) -> None:
    plain = {**user, "Content-Type": "text/plain"}
    undeclared = web.post("/mcp", content=json.dumps(INITIALIZE), headers=plain)
    assert (undeclared.status_code, undeclared.headers["Content-Type"]) == (422, "application/json")
    assert undeclared.json()["detail"] == "body must be JSON, sent with the header 'Content-Type: application/json'"
    answer = web.post("/mcp", json={"password": "hunter2"}, headers=user)
    assert answer.status_code == 400
    assert answer.json() == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32600, "message": "The body is not a message of JSON-RPC 2.0."},
    }


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        (
            "update_strategy",
            {"strategy": {"conditions": [{"kind": "price_drop", "percent": 0, "window": "1h"}]}},
            "strategy.conditions.0.percent must be above 0.",
        ),
        ("create_bot", {"name": 5}, "name must be a string."),
        ("create_bot", {}, "name is required."),
    ],
)
def test_invalid_arguments_are_explained_as_the_api_explains_them(
    service: ServiceProcess, user: dict[str, str], tool: str, arguments: Json, sentence: str
) -> None:
    async def use(client: Client) -> str:
        return await refused(client, tool, **arguments)

    assert talk(service, user, use) == f"Error executing tool {tool}: {sentence}"


def test_hostile_arguments_change_nothing(service: ServiceProcess, web: httpx2.Client, user: dict[str, str]) -> None:
    before = web.get("/api/bots", headers=user).json()["total_bots"]

    async def use(client: Client) -> None:
        for arguments in (
            {"name": "x" * 101},
            {"name": "\u202e"},
            {"name": 5},
            {},
            {"name": "a", "token": "../../etc"},
        ):
            assert await refused(client, "create_bot", **arguments)
        assert await refused(client, "get_token", token_id="../x-solana")
        assert await refused(client, "nothing_like_it")

    talk(service, user, use)
    assert web.get("/api/bots", headers=user).json()["total_bots"] == before
