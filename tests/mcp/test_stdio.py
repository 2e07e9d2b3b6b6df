"""MCP over standard input and output with the SDK's own client: as an account of this machine, and through a server."""

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from strategybot.app import Services
from strategybot.migrations import migrate
from strategybot.settings import Settings
from tests.commands import Terminal, command, environment, run
from tests.servers import SECRET, ServiceProcess, free_port
from tests.support import STRATEGY, sign_up


def told(parameters: StdioServerParameters) -> dict[str, Any]:
    async def session() -> dict[str, Any]:
        async with Client(parameters) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert {"list_bots", "update_strategy", "run_backtest"} <= tools
            made = await client.call_tool("create_bot", {"name": "By stdio", "strategy": STRATEGY})
            assert not made.is_error, made.content
            bots: dict[str, Any] = (await client.call_tool("list_bots", {})).structured_content
            return bots

    return asyncio.run(session())


def started(folder: Path, *arguments: str, **variables: str) -> StdioServerParameters:
    program, *rest = command("mcp", *arguments)
    return StdioServerParameters(command=program, args=rest, env=environment(folder, **variables), cwd=folder)


def with_account(tmp_path: Path) -> None:
    services = Services(Settings(_env_file=None, data_dir=tmp_path / "data", secret_key=SECRET))
    migrate(services.database)
    services.accounts.open_account("ada@example.com", "(no password)", "127.0.0.1", None)
    services.database.close()


def test_mcp_over_stdio_acts_as_a_local_account(tmp_path: Path) -> None:
    with_account(tmp_path)
    bots = told(started(tmp_path, "--email", "ada@example.com", STRATEGYBOT_SECRET_KEY=SECRET))
    assert [bot["name"] for bot in bots["bots"]] == ["By stdio"]


def test_mcp_over_stdio_uses_a_server_with_a_personal_token(tmp_path: Path) -> None:
    with ServiceProcess(tmp_path) as service, httpx2.Client(base_url=service.url, timeout=60) as web:
        user = sign_up(web)
        draft = {"name": "Desktop", "scopes": ["read", "write"]}
        token = web.post("/api/auth/tokens", json=draft, headers=user).json()["token"]
        bots = told(started(tmp_path, "--url", service.url, STRATEGYBOT_TOKEN=token))
        assert [bot["name"] for bot in bots["bots"]] == ["By stdio"]
        assert web.get("/api/bots", headers=user).json()["total_bots"] == 1


@pytest.mark.parametrize("way", ["account", "server"])
def test_the_process_ends_when_its_input_closes(tmp_path: Path, way: str) -> None:
    with_account(tmp_path)
    where = ("--email", "ada@example.com") if way == "account" else ("--url", "http://127.0.0.1:9")
    ended = run(tmp_path, "mcp", *where, STRATEGYBOT_SECRET_KEY=SECRET, STRATEGYBOT_TOKEN="sbt_x")
    assert (ended.returncode, ended.stdout) == (0, ""), ended.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Give --email to act as an account of this installation, or --url to use a server."),
        (("--email", "nobody@example.com"), "User not found."),
        (("--url", "http://x"), "Set STRATEGYBOT_TOKEN to a personal token: the account page of the server makes one."),
    ],
)
def test_a_mistake_is_one_sentence(terminal: Terminal, arguments: tuple[str, ...], sentence: str) -> None:
    assert terminal.run("mcp", *arguments) == (2, "", f"{sentence}\n")


def exchange(folder: Path, url: str, token: str, *messages: Any) -> list[dict[str, Any]]:
    """Send messages, each after the answer to the one before, and return the answers."""
    program, *rest = command("mcp", "--url", url)
    answers = []
    with subprocess.Popen(
        [program, *rest], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
        env=environment(folder, STRATEGYBOT_TOKEN=token), text=True,
    ) as process:  # fmt: skip
        assert process.stdin and process.stdout and process.stderr  # noqa: PT018
        for message in messages:
            process.stdin.write(json.dumps(message) + "\n")
            process.stdin.flush()
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        assert process.wait(10) == 0
        assert process.stderr.read() == ""
    return answers


LIST = {"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {}}


def test_a_missing_or_refusing_server_is_answered_in_one_sentence(tmp_path: Path) -> None:
    nowhere = f"http://127.0.0.1:{free_port()}"
    (missing,) = exchange(tmp_path, nowhere, "sbt_x", LIST)
    sentence = f"The server at {nowhere}/mcp cannot be reached. Is it running?"
    assert missing == {"jsonrpc": "2.0", "id": 7, "error": {"code": -32603, "message": sentence}}
    with ServiceProcess(tmp_path) as service:
        refused, wrong = exchange(tmp_path, service.url, "sbt_x", LIST, {"nonsense": True, "id": 8, "method": "x"})
        assert "refuses the token in STRATEGYBOT_TOKEN" in refused["error"]["message"]
        assert wrong["id"] == 8
        (elsewhere,) = exchange(tmp_path, f"{service.url}/docs", "sbt_x", LIST)
        assert elsewhere["error"]["message"] == f"There is no MCP server at {service.url}/docs/mcp."


def test_a_message_or_an_answer_that_is_none_is_refused_and_the_next_one_served(tmp_path: Path) -> None:
    with ServiceProcess(tmp_path) as service:
        wrong: list[Any] = [
            {**LIST, "params": [1]},
            {**LIST, "id": [1]},
            {**LIST, "params": {"_meta": "x"}},
            {**LIST, "method": "tools/call", "params": {"name": "\ud800"}},
            [LIST],
        ]
        *answers, last = exchange(tmp_path, service.url, "sbt_x", *wrong, LIST)
        assert all(each["error"]["message"].endswith(("JSON-RPC 2.0.", "cannot be passed on.")) for each in answers)
        assert "refuses the token" in last["error"]["message"]


def test_a_server_may_restart_between_two_calls(tmp_path: Path) -> None:
    with ServiceProcess(tmp_path) as service, httpx2.Client(base_url=service.url, timeout=60) as web:
        draft = {"name": "Desktop", "scopes": ["read", "write"]}
        token = web.post("/api/auth/tokens", json=draft, headers=sign_up(web)).json()["token"]

        async def session() -> list[Any]:
            async with Client(started(tmp_path, "--url", service.url, STRATEGYBOT_TOKEN=token)) as client:
                seen = [await client.call_tool("list_bots", {})]
                await asyncio.to_thread(service.kill)
                with pytest.raises(Exception, match="cannot be reached"):
                    await client.call_tool("list_bots", {})
                await asyncio.to_thread(service.start)
                await asyncio.to_thread(service.wait)
                return [*seen, await client.call_tool("list_bots", {})]

        assert [each.structured_content["total_bots"] for each in asyncio.run(session())] == [0, 0]
