"""The Python client against a real server, called and awaited."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from strategybot.client import (
    AsyncStrategyBot,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    RunFailed,
    StrategyBot,
    Unauthorized,
)
from strategybot.client import endpoints as endpoints_module
from strategybot.client.endpoints import Endpoint, Endpoints, PagedEndpoint
from tests.servers import ServiceProcess
from tests.support import STRATEGY, sign_up

ROOT = Path(__file__).parents[2]
SOL = "So11111111111111111111111111111111111111112"
OFTEN = {
    "conditions": [{"kind": "price_drop", "percent": 0.3, "window": "1h"}],
    "risk_management": {"max_holding": "1h"},
}
MOST_LINES = 540


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    with ServiceProcess(tmp_path_factory.mktemp("client") / "data") as service:
        yield service


@pytest.fixture(scope="module")
def token(service: ServiceProcess) -> str:
    with httpx2.Client(base_url=service.url, timeout=60) as web:
        draft = {"name": "Client", "scopes": ["read", "write"]}
        made: str = web.post("/api/auth/tokens", json=draft, headers=sign_up(web)).json()["token"]
        return made


@pytest.fixture
def client(service: ServiceProcess, token: str) -> Iterator[StrategyBot]:
    with StrategyBot(service.url, token) as client:
        yield client


def operations_of_the_client() -> set[tuple[str, str]]:
    found = [each for each in vars(Endpoints).values() if isinstance(each, Endpoint | PagedEndpoint)]
    return {(each.method, each.path) for each in found}


def test_it_has_every_operation_of_the_api(service: ServiceProcess) -> None:
    paths: dict[str, Any] = httpx2.get(f"{service.url}/openapi.json", timeout=60).json()["paths"]
    told = {(method.upper(), path) for path, methods in paths.items() for method in methods if path.startswith("/api")}
    assert operations_of_the_client() == told


def test_the_client_has_few_lines() -> None:
    folder = Path(endpoints_module.__file__).parent
    assert sum(len(file.read_text().splitlines()) for file in folder.glob("*.py")) <= MOST_LINES


def test_the_language_is_read_and_bots_of_any_strategy_make_a_frame(client: StrategyBot) -> None:
    assert "conditions" in client.language().json_schema["properties"]
    compared = {"kind": "compare", "left": {"series": "rsi"}, "operator": "below"}
    sma = {"series": "sma", "period": 20}
    for name, right in (("Number", 30), ("Series", sma)):
        client.create_bot(name=name, strategy={"conditions": [{**compared, "right": right}]})
    assert client.bots().to_polars()["name"].to_list()[:2] == ["Series", "Number"]
    bot = next(iter(client.bots()))
    client.change_bot(bot.id, strategy=OFTEN)
    assert client.undo(bot.id, steps=1).revision == 3
    client.delete_bot(bot.id)


def test_from_a_strategy_to_a_table_of_its_trades(client: StrategyBot) -> None:
    bot = client.create_bot(name="Called", strategy=OFTEN, token=SOL, chain="solana")
    seen: list[float] = []
    run = client.backtest(bot.id, kline_interval="15m").wait(progress=seen.append)
    assert run.metrics is not None
    assert run.verdict is not None
    assert seen[-1] == 100
    trades = list(run.trades)
    assert len(trades) == run.metrics.total_trades > 100  # more than a page
    assert [trade.number for trade in trades] == list(range(1, len(trades) + 1))
    for frame in (run.trades.to_pandas(), run.trades.to_polars()):
        assert len(frame) == len(trades)
        assert list(frame.columns) == list(type(trades[0]).model_fields)
    assert "Called" in [each.name for each in client.bots()]
    again = client.import_strategy(**client.export_strategy(bot.id).model_dump(mode="json"))
    assert (again.name, again.strategy) == ("Called (2)", bot.strategy)
    assert client.trades_csv(*run._ids).startswith("number,entry_time")
    assert client.search_tokens(query="sol").tokens[0].symbol
    client.delete_bot(again.id)


def test_a_page_is_fetched_when_it_is_needed(client: StrategyBot) -> None:
    asked: list[int] = []

    def page(number: int) -> tuple[list[int], bool]:
        asked.append(number)
        return [number], True

    rows = iter(client.rows(page))
    assert [next(rows), next(rows), asked] == [1, 2, [1, 2]]


def test_the_async_client_does_the_same(service: ServiceProcess, token: str) -> None:
    async def use() -> None:
        async with AsyncStrategyBot(service.url, token) as client:
            bot = await client.create_bot(name="Awaited", strategy=OFTEN, token=SOL, chain="solana")
            run = await (await client.backtest(bot.id, kline_interval="15m")).wait()
            assert run.metrics is not None
            assert len([trade async for trade in run.trades]) == run.metrics.total_trades
            assert len(await run.trades.to_pandas()) == len(await run.trades.to_polars())
            with pytest.raises(NotFound, match=re.escape("Bot not found.")):
                await client.bot("nothing")

    asyncio.run(use())


def test_changes_are_read_as_they_happen(client: StrategyBot, service: ServiceProcess, token: str) -> None:
    with client.events() as events:
        changes = iter(events)
        assert next(changes).event == "ready"
        bot = client.create_bot(name="Followed")
        assert next(changes).json()["bot_id"] == bot.id

    async def follow() -> str:
        async with AsyncStrategyBot(service.url, token) as other, other.events() as events:
            async for event in events:
                return str(event.event)
        return "nothing"

    assert asyncio.run(follow()) == "ready"


def test_a_refusal_is_an_exception_with_the_servers_sentence(client: StrategyBot, service: ServiceProcess) -> None:
    bot = client.create_bot(name="Refusals", strategy=STRATEGY)
    with pytest.raises(Conflict, match="name"):
        client.create_bot(name="Refusals")
    with pytest.raises(InvalidInput) as wrong:
        client.create_bot(name="")
    assert wrong.value.errors[0]["field"] == "name"
    with pytest.raises(Forbidden, match="personal token"):
        client.make_token(name="No")
    with pytest.raises(RunFailed, match="no klines"):
        client.backtest(bot.id, token="1" * 32, chain="solana").wait()
    with pytest.raises(TypeError, match="takes 1 ids"):
        client.bot()
    with StrategyBot(service.url, "sbt_wrong") as stranger, pytest.raises(Unauthorized):
        stranger.me()


def test_a_refused_stream_of_changes_raises_the_servers_sentence(service: ServiceProcess) -> None:
    async def follow() -> None:
        async with AsyncStrategyBot(service.url, "sbt_wrong") as stranger, stranger.events():
            pass

    with StrategyBot(service.url, "sbt_wrong") as stranger:
        with pytest.raises(Unauthorized) as refusal:
            stranger.me()
        with pytest.raises(Unauthorized, match=re.escape(refusal.value.detail)), stranger.events():
            pass
    with pytest.raises(Unauthorized, match=re.escape(refusal.value.detail)):
        asyncio.run(follow())


def test_the_notebook_runs(service: ServiceProcess, token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRATEGYBOT_URL", service.url)
    monkeypatch.setenv("STRATEGYBOT_TOKEN", token)
    # Not above: they take three seconds, and every worker imports this file.
    import nbformat  # noqa: PLC0415
    from nbclient import NotebookClient  # noqa: PLC0415

    notebook = nbformat.read(ROOT / "docs" / "notebook.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert outputs
    assert all(output["output_type"] != "error" for output in outputs)
