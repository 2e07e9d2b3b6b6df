"""What a client can do from the first idea to the shared result: dates, undo, holdout, explanations, sharing, progress
and cancelling. With the SDK's own client over real HTTP."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from strategybot.app import create_app
from strategybot.run_kinds import RUN_KINDS, BuiltKind, Parts, RunKind
from strategybot.settings import Settings
from tests.notifications.webhook import Webhook
from tests.servers import SECRET, ServiceProcess, free_port
from tests.support import STRATEGY, sign_up

SOL = "So11111111111111111111111111111111111111112"
Json = dict[str, Any]
Headers = dict[str, str]
Talk = Callable[[Callable[[Client], Awaitable[None]]], None]


def talking(url: str, user: Headers, **options: Any) -> Talk:
    def talk(use: Callable[[Client], Awaitable[None]]) -> None:
        async def session() -> None:
            async with (
                httpx2.AsyncClient(headers=user, timeout=120) as http,
                Client(streamable_http_client(f"{url}/mcp", http_client=http), **options) as client,
            ):
                await use(client)

        asyncio.run(session())

    return talk


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    folder = tmp_path_factory.mktemp("mcp")
    with ServiceProcess(folder, private_webhooks="true") as service:
        yield service


@pytest.fixture(scope="module")
def web(service: ServiceProcess) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=service.url, timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
def talk(service: ServiceProcess, web: httpx2.Client) -> Talk:
    return talking(service.url, sign_up(web))


async def did(client: Client, tool: str, /, **arguments: Any) -> Json:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found: Json = result.structured_content
    return found


async def refused(client: Client, tool: str, /, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(result.content[0].text)  # type: ignore[union-attr]


async def with_backtest(client: Client, name: str, **arguments: Any) -> Json:
    await did(client, "create_bot", name=name, token=SOL, chain="solana", strategy=STRATEGY)
    return await did(client, "run_backtest", bot=name, kline_interval="1h", **arguments)


def test_a_backtest_has_the_dates_and_costs_that_are_asked_for(talk: Talk) -> None:
    async def use(client: Client) -> None:
        span = {"start": "2026-01-05", "end": "2026-02-01T12:00:00Z"}
        run = await with_backtest(client, "Dated", **span, slippage_percent=1.5, pool_costs="off")
        assert (run["start_time"], run["end_time"]) == ("2026-01-05T00:00:00Z", "2026-02-01T12:00:00Z")
        assert run["slippage_percent"] == 1.5
        assert run["metrics"]["impact_paid"] == 0
        days = await did(client, "run_backtest", bot="Dated", kline_interval="1h", days=2, end="2026-02-01")
        assert days["start_time"] == "2026-01-30T00:00:00Z"
        assert "together with start" in await refused(client, "run_backtest", bot="Dated", days=2, start="2026-01-01")
        assert "start must be ISO 8601" in await refused(client, "run_backtest", bot="Dated", start="yesterday")

    talk(use)


def test_a_bot_is_renamed_undone_restored_and_deleted(talk: Talk) -> None:
    def drop(percent: int) -> Json:
        return {"conditions": [{"kind": "price_drop", "percent": percent}]}

    async def percent(answer: Json) -> float:
        found: float = answer["strategy"]["conditions"][0]["percent"]
        return found

    async def use(client: Client) -> None:
        made = await did(client, "create_bot", name="Old name", strategy=drop(1))
        for changed in (2, 3, 4):
            await did(client, "update_strategy", bot="Old name", strategy=drop(changed))
        await did(client, "update_bot", bot="Old name", name="New name", token="SOL")
        assert (await did(client, "get_bot", bot="New name"))["bot"]["chain"] == "solana"
        assert "is required" in await refused(client, "update_bot", bot="New name")
        assert await percent(await did(client, "undo", bot="New name")) == 3
        assert await percent(await did(client, "undo", bot="New name", steps=2)) == 1
        assert "nothing more to undo" in await refused(client, "undo", bot="New name")
        revisions = (await did(client, "get_bot", bot="New name"))["revisions"]
        assert [each["revision"] for each in revisions] == [6, 5, 4, 3, 2]
        assert await percent(await did(client, "restore_revision", bot="New name", revision=4)) == 4
        assert "Revision not found." in await refused(client, "restore_revision", bot="New name", revision=99)
        for confirm in ("yes", "new name", ""):
            assert "confirm must be the name of the bot" in await refused(
                client, "delete_bot", bot="New name", confirm=confirm
            )
        assert (await did(client, "delete_bot", bot=made["bot"]["id"], confirm="New name"))["deleted"] == "New name"
        assert "No bot of yours is called that." in await refused(client, "get_bot", bot="New name")

    talk(use)


def test_a_sealed_part_is_opened_once(talk: Talk) -> None:
    async def use(client: Client) -> None:
        await did(client, "create_bot", name="Sealed", token=SOL, chain="solana", strategy=STRATEGY)
        sealed = await did(client, "holdout", bot="Sealed", action="seal", starts_at="2026-06-01")
        assert (sealed["sealed"], sealed["starts_at"]) == (True, "2026-06-01T00:00:00Z")
        run = await did(client, "run_backtest", bot="Sealed", kline_interval="1h")
        assert run["end_time"] == "2026-06-01T00:00:00Z"
        assert "sealed already" in await refused(client, "holdout", bot="Sealed", action="seal")
        assert (await did(client, "holdout", bot="Sealed", action="open"))["sealed"] is False
        assert "no sealed history" in await refused(client, "holdout", bot="Sealed", action="open")
        assert (await did(client, "get_bot", bot="Sealed"))["holdout"] == (
            "was sealed from 2026-06-01T00:00Z, and is open"
        )

    talk(use)


def test_a_decision_is_explained_and_a_result_shared(talk: Talk, web: httpx2.Client) -> None:
    async def use(client: Client) -> None:
        run = await with_backtest(client, "Explained", start="2026-01-05", end="2026-03-05")
        found = await did(client, "get_run", run_id=run["run_id"], trades_page=1)
        first = found["trades_page"]["trades"][0]
        held = await did(client, "explain", run_id=run["run_id"], time=first["entry_time"])
        assert held["held_since"] == first["entry_time"]
        assert held["answer"].startswith("It held a position, bought at $")
        before = f"{first['entry_time'][:10]}T{int(first['entry_time'][11:13]) - 1:02}:30:00Z"
        bought = await did(client, "explain", run_id=run["run_id"], time=before)
        assert bought["answer"].startswith("It bought at the next candle: ")
        assert all(each["met"] for each in bought["entry"])
        quiet = await did(client, "explain", run_id=run["run_id"], time="2026-01-05T01:00:00Z")
        assert quiet["answer"].startswith("It did not buy: ")
        assert not quiet["entry"][0]["met"]
        outside = await refused(client, "explain", run_id=run["run_id"], time="2025-01-01")
        assert "time must lie between 2026-01-05T00:00Z and 2026-03-05T00:00Z" in outside
        shared = await did(client, "share", run_id=run["run_id"])
        assert web.get(shared["url"]).status_code == 200
        assert (await did(client, "share", run_id=run["run_id"], on=False))["shared"] is False
        assert web.get(shared["url"]).status_code == 404

    talk(use)


def test_a_decision_of_a_portfolio_is_explained_for_one_of_its_tokens(talk: Talk) -> None:
    async def use(client: Client) -> None:
        await did(client, "create_bot", name="Purse", strategy=STRATEGY)
        span = {"kline_interval": "1h", "start": "2026-01-05", "end": "2026-03-05"}
        run = await did(client, "run_backtest", bot="Purse", tokens=["SOL", "PIPO"], **span)
        found = await did(client, "get_run", run_id=run["run_id"], trades_page=1)
        for trade in found["trades_page"]["trades"][:4]:
            token, when = trade["token_id"], trade["entry_time"]
            held = await did(client, "explain", run_id=run["run_id"], time=when, token=token)
            assert held["held_since"] == when
            candles = {"token": token, "kline_interval": "1h", "start": when, "limit": 1}
            end = f"{when[:11]}{int(when[11:13]):02}:59:59Z"
            [candle] = (await did(client, "market_candles", end=end, **candles))["candles"]
            assert held["price"] == candle["close"]
        when = {"run_id": run["run_id"], "time": "2026-02-01"}
        assert "token is required" in await refused(client, "explain", **when)
        assert "is no token of this run" in await refused(client, "explain", token="GLDE", **when)

    talk(use)


def test_what_one_list_of_tokens_cannot_mean_is_refused_in_words(talk: Talk) -> None:
    async def use(client: Client) -> None:
        await did(client, "create_bot", name="Lists", strategy=STRATEGY)
        for given, words in (
            ({"trending": "solana", "limit": 51}, "limit must be at most 50"),
            ({"trending": "solana", "tokens": ["SOL"]}, "tokens cannot be given together with trending"),
            ({"token": "SOL", "as_of": "each_day"}, "trending must be given with limit or as_of"),
            ({"tokens": ["SOL", "no such token"]}, "tokens.1: No token is called that."),
        ):
            assert words in await refused(client, "run_backtest", bot="Lists", **given)

    talk(use)


def test_a_simulation_explains_its_candles(talk: Talk) -> None:
    async def use(client: Client) -> None:
        await did(client, "create_bot", name="Paper", token=SOL, chain="solana", strategy=STRATEGY)
        run = await did(client, "start_simulation", bot="Paper", mode="replay", kline_interval="5m")
        log = (await did(client, "get_run", run_id=run["run_id"]))["trade_log"]
        told = await did(client, "explain", run_id=run["run_id"], time=log[0]["time"])
        assert told["time"] == log[0]["time"]
        assert log[0]["reason"] in told["answer"]
        assert "no candle at that time" in await refused(client, "explain", run_id=run["run_id"], time="2020-01-01")
        await did(client, "stop_run", run_id=run["run_id"])

    talk(use)


def test_events_are_sent_where_the_user_wants_them(talk: Talk) -> None:
    async def use(client: Client) -> None:
        assert (await did(client, "notify_me"))["targets"] == []
        with Webhook() as hook:
            told = await did(client, "notify_me", url=hook.url, events=["watch.signal"], name="Hook")
            assert told["test_sent"] is True
        assert told["targets"][0]["events"] == ["watch.signal"]
        assert "events" in await refused(client, "notify_me", url="ntfy://topic", events=["nonsense"])
        for nothing in ("ftp://x", "tgram://"):
            assert ": url " in await refused(client, "notify_me", url=nothing)

    talk(use)


def test_a_failed_run_is_an_error(talk: Talk) -> None:
    async def use(client: Client) -> None:
        await did(client, "create_bot", name="Nowhere", strategy=STRATEGY)
        unknown = "0x" + "9" * 40
        result = await client.call_tool("run_backtest", {"bot": "Nowhere", "token": unknown, "chain": "bsc"})
        assert result.is_error
        assert result.structured_content["status"] == "failed"
        assert result.content[0].text == result.structured_content["error"]  # type: ignore[union-attr]
        again = await client.call_tool("get_run", {"run_id": result.structured_content["run_id"]})
        assert again.is_error

    talk(use)


class Asleep:
    async def work(self) -> None: ...


def unworked(kind: RunKind) -> RunKind:
    """Return the kind without its worker: a run of it stays pending."""

    def build(parts: Parts) -> BuiltKind:
        return BuiltKind(kind.build(parts).service, Asleep())

    return replace(kind, build=build)


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve an application that does not work on runs. Return its address."""
    folder: Path = tmp_path_factory.mktemp("idle")
    settings = Settings(_env_file=None, data_dir=folder, secret_key=SECRET)
    app, port = create_app(settings, kinds=[unworked(kind) for kind in RUN_KINDS]), free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_long_run_tells_its_progress_and_is_stopped_with_its_call(idle: str, mode: str) -> None:
    with httpx2.Client(base_url=idle, timeout=60) as web:
        user = sign_up(web, f"{mode}@example.com")
        told: list[tuple[float, float | None, str | None]] = []

        async def note(progress: float, total: float | None, message: str | None) -> None:
            told.append((progress, total, message))

        async def use(client: Client) -> None:
            made = await did(client, "create_bot", name="Slow", token=SOL, chain="solana", strategy=STRATEGY)
            call = client.call_tool("run_backtest", {"bot": "Slow"}, progress_callback=note)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(call, 3)
            assert told == [(0, 100, "pending, 0 %")]
            with pytest.raises(TimeoutError):  # without a callback, too
                await asyncio.wait_for(client.call_tool("run_backtest", {"bot": "Slow"}), 1)
            deadline = time.monotonic() + 5
            statuses = ["pending"]
            while "pending" in statuses and time.monotonic() < deadline:
                await asyncio.sleep(0.1)
                runs = web.get(f"/api/bots/{made['bot']['id']}/backtests", headers=user).json()["backtests"]
                statuses = [run["status"] for run in runs]
            assert statuses == ["stopped", "stopped"]

        talking(idle, user, mode=mode)(use)
