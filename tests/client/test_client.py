"""The Python client against a real server, called and awaited."""

import asyncio
import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

import strategybot_client
from strategybot import client as service_client
from strategybot_client import (
    AsyncStrategyBot,
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Rows,
    RunFailed,
    StrategyBot,
    Unauthorized,
    UnexpectedAnswer,
    Unreachable,
    WaitedTooLong,
    models,
)
from tests.servers import ServiceProcess
from tests.support import STRATEGY, sign_up

ROOT = Path(__file__).parents[2]
SOL = "So11111111111111111111111111111111111111112"
OFTEN = {
    "conditions": [{"kind": "price_drop", "percent": 0.3, "window": "1h"}],
    "risk_management": {"max_holding": "1h"},
}


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


def test_it_has_every_operation_of_the_api(service: ServiceProcess) -> None:
    paths: dict[str, Any] = httpx2.get(f"{service.url}/openapi.json", timeout=60).json()["paths"]
    named = [
        each["operationId"] for path, methods in paths.items() if path.startswith("/api") for each in methods.values()
    ]
    assert len(named) > 90
    for client in (StrategyBot, AsyncStrategyBot):
        for name in named:
            operation = getattr(client, name)
            assert operation.__doc__, name
            assert "return" in operation.__annotations__, name


def test_the_service_has_the_same_client() -> None:
    assert service_client.StrategyBot is StrategyBot
    assert set(service_client.__all__) == set(strategybot_client.__all__)


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
    assert client.trades_csv(*run.ids).startswith("number,entry_time")
    assert client.search_tokens(query="sol").tokens[0].symbol
    client.delete_bot(again.id)


def test_a_page_is_fetched_when_it_is_needed() -> None:
    asked: list[int] = []

    def page(number: int) -> tuple[list[models.EquityPoint], bool]:
        asked.append(number)
        return [models.EquityPoint(time=number, equity=None)], True

    rows = iter(Rows(models.EquityPoint, page))
    assert [next(rows).time, next(rows).time, asked] == [1, 2, [1, 2]]


def test_every_kind_of_run_is_waited_for_and_has_frames(client: StrategyBot) -> None:
    bot = client.create_bot(name="Kinds", strategy=OFTEN, token=SOL, chain="solana")
    backtest = client.backtest(bot.id, kline_interval="15m").wait()
    search = client.optimise(
        bot.id, parameters=[{"path": "conditions.0.percent", "values": [0.3, 1]}], kline_interval="15m"
    )
    survey = client.survey(bot.id, tokens=[{"token": SOL, "chain": "solana"}], kline_interval="15m")
    replay = client.simulate(bot.id, mode="replay", kline_interval="15m", check_interval=10)
    watch = client.watch(bot.id, tokens=[{"token": SOL, "chain": "solana"}], kline_interval="15m")
    with pytest.raises(WaitedTooLong):
        watch.wait(seconds=0)
    for going_on in (replay, watch):
        going_on.stop()
        assert going_on.wait().status == "stopped"
    seen: list[float] = []
    assert search.wait(progress=seen.append).view.variants_total == 2
    assert survey.wait().view.tokens_done == 1
    assert seen[-1] == 100
    frames: list[tuple[Any, int]] = [
        (backtest.trades, 1),
        (backtest.signals, 1),
        (backtest.klines, 1),
        (backtest.equity, 1),
        (search.variants, 2),
        (survey.rows, 1),
        (replay.klines, 1),
        (replay.signals, 0),
        (replay.trade_log, 1),
        (watch.signals, 0),
    ]
    for rows, least in frames:
        assert len(rows.to_pandas()) == len(rows.to_polars()) >= least
        empty = Rows.of(rows.item, [])
        assert dict(rows.to_pandas().dtypes) == dict(empty.to_pandas().dtypes)
        assert rows.to_polars().schema == empty.to_polars().schema
        assert list(empty.to_pandas().columns) == list(rows.item.model_fields)


def test_a_notebook_shows_the_verdict_and_the_curve(client: StrategyBot) -> None:
    bot = client.create_bot(name="Shown <b>", strategy=OFTEN, token=SOL, chain="solana")
    run = client.backtest(bot.id, kline_interval="15m")
    assert "<svg" not in run._repr_html_()
    shown = run.wait()._repr_html_()
    assert run.verdict is not None
    assert html.escape(run.verdict.headline) in shown
    assert "<polyline" in shown
    assert "http" not in shown


def test_a_get_is_sent_again_after_a_connection_error_and_nothing_else_is() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.method)
        if len(asked) < 3:
            raise httpx2.ConnectError("refused")
        return httpx2.Response(200, text="<html>")

    with StrategyBot("http://nowhere", transport=httpx2.MockTransport(answer)) as client:
        with pytest.raises(UnexpectedAnswer):
            client.me()
        assert asked == ["GET"] * 3
        asked.clear()
        with pytest.raises(Unreachable, match="http://nowhere cannot be reached: refused"):
            client.create_bot(name="Once")
    assert asked == ["POST"]


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
        client.make_token(name="No", scopes=["read"])
    with pytest.raises(RunFailed, match="no klines"):
        client.backtest(bot.id, token="1" * 32, chain="solana").wait()
    with pytest.raises(TypeError, match="bot_id"):
        client.bot()  # type: ignore[call-arg]
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
