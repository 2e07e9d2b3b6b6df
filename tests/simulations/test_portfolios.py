"""A live simulation of many tokens with one purse: over the service, across workers, and over HTTP."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.accounts.service import Principal
from strategybot.kit.errors import InvalidInput
from strategybot.market.provider import ProviderError
from strategybot.simulations.schemas import SimulationView
from tests.backtests.driving import Headers, Json, finished
from tests.backtests.driving import start as start_backtest
from tests.engines import on_sqlite_alone
from tests.simulations.driving import LIVELY, asked
from tests.simulations.purses import IDS, NAMES, PURSE, ManyTokens, pages, proven
from tests.simulations.stage import Later, Stage
from tests.support import ManualClock


@pytest.fixture
def market() -> ManyTokens:
    return ManyTokens()


@pytest.fixture
def stage(tmp_path: Path, database_url: str, clock: ManualClock, market: ManyTokens) -> Iterator[Stage]:
    stage = Stage(tmp_path, database_url, clock, market)
    yield stage
    stage.close()


async def begun(stage: Stage, names: list[str], **request: Any) -> tuple[Principal, SimulationView]:
    who = await stage.user()
    bot = stage.bot(who, strategy=request.pop("strategy", PURSE))
    tokens = [{"token": name, "chain": "solana"} for name in names]
    return who, await stage.start(who, bot, tokens=tokens, kline_interval="1m", **request)


def test_a_purse_is_stepped_by_one_worker_after_the_other_and_equals_its_backtest(stage: Stage, later: Later) -> None:
    async def story() -> None:
        who, run = await begun(stage, NAMES)
        assert (run.mode, run.tokens_total, run.token_symbol) == ("live", 4, "4 tokens")
        assert run.tokens is not None
        assert [row.token_id for row in run.tokens] == IDS
        assert [row.error is None for row in run.tokens] == [True, True, True, False]
        for number in range(6):
            runner = stage.runner()  # the one before was killed
            for _ in range(8):
                await later(60 if number else 61, runner)
            await later(70, stage.runner())
        seen = await proven(stage, who, run)
        assert seen.candles_processed > 40
        assert seen.portfolio.max_open == 2
        assert seen.portfolio.places_used == len(seen.portfolio.positions or [])
        traded = {entry.token_id for entry in seen.trade_log if entry.action != "HOLD"}
        assert len(traded) > 1
        assert all(entry.symbol is None for entry in seen.trade_log)  # the provider names none
        rows = {row.token_id: row for row in seen.tokens or []}
        made = sum(row.pnl or 0.0 for row in rows.values())
        assert made == pytest.approx(seen.portfolio.pnl, abs=1e-6)
        assert (seen.portfolio.turned_away or 0) == sum(row.turned_away or 0 for row in rows.values())
        for token_id in IDS[:3]:
            assert stage.simulations.run(who, run.bot_id, run.run_id, None, token_id).klines
            assert stage.simulations.lines(who, run.bot_id, run.run_id, None, None, token_id).interval_seconds == 60
        with pytest.raises(InvalidInput, match="no token of this run"):
            stage.simulations.run(who, run.bot_id, run.run_id, None, IDS[3])
        held = {each.token_id for each in seen.portfolio.positions or []}
        for name, row in rows.items():
            assert bool(row.next_exit) == (name in held)
            assert bool(row.next_entry) == (row.error is None and name not in held)
        ended = stage.simulations.stop(who, run.bot_id, run.run_id)
        assert (ended.status, ended.stop_reason) == ("stopped", "user")

    asyncio.run(story())


@on_sqlite_alone
def test_a_token_that_stops_trading_is_written_down_and_named(
    stage: Stage, market: ManyTokens, later: Later, clock: ManualClock
) -> None:
    async def story() -> None:
        always = {"kind": "price_drop", "percent": 0.01, "window": "2m"}
        strategy = {"conditions": [always], "risk_management": {}, "portfolio": {"max_open": 3}}
        who, run = await begun(stage, NAMES[:2], strategy=strategy)
        runner = stage.runner()
        for _ in range(12):
            await later(60, runner)
        assert len(stage.read(who, run).portfolio.positions or []) == 2
        now = int(clock().timestamp())
        market.ends(IDS[1], now - 60)
        for _ in range(30):
            await later(3600, runner)
        seen = await proven(stage, who, run)
        [row] = [row for row in seen.tokens or [] if row.token_id == IDS[1]]
        assert row.stopped_trading
        log = stage.simulations.run(who, run.bot_id, run.run_id, now).trade_log
        assert seen.portfolio.positions is not None
        assert [each.token_id for each in seen.portfolio.positions] == [IDS[0]]
        told = [entry for page in pages(stage, who, run) for entry in page if entry.exit_reason == "stopped_trading"]
        assert [(entry.token_id, entry.action) for entry in told] == [(IDS[1], "SELL")]
        assert "stopped trading on" in told[0].reason
        assert "written down by half" in told[0].reason
        assert log

    asyncio.run(story())


@on_sqlite_alone
def test_a_pause_skips_the_candles_of_all_tokens(stage: Stage, later: Later, clock: ManualClock) -> None:
    async def story() -> None:
        who, run = await begun(stage, NAMES[:3])
        runner = stage.runner()
        for _ in range(5):
            await later(60, runner)
        before = stage.read(who, run).candles_processed
        stage.simulations.pause(who, run.bot_id, run.run_id)
        clock.advance(seconds=1800)
        stage.simulations.resume(who, run.bot_id, run.run_id)
        runner = stage.runner()
        for _ in range(6):
            await later(60, runner)
        seen = await proven(stage, who, run)
        assert before < seen.candles_processed < before + 10
        assert any("paus" in entry.reason for entry in seen.trade_log)

    asyncio.run(story())


@on_sqlite_alone
def test_a_run_waits_for_an_outage_and_goes_on(stage: Stage, market: ManyTokens, later: Later) -> None:
    async def story() -> None:
        who, run = await begun(stage, NAMES[:2])
        runner = stage.runner()
        await later(61, runner)
        market.faults = [ProviderError("no answer")] * 50
        await later(60, runner)
        assert "no answer" in (stage.read(who, run).waiting or "")
        market.faults = []
        for _ in range(4):
            await later(60, runner)
        seen = await proven(stage, who, run)
        assert seen.waiting is None
        assert seen.candles_processed >= 5

    asyncio.run(story())


@on_sqlite_alone
def test_one_token_and_one_place_make_the_plain_simulation(stage: Stage, later: Later) -> None:
    async def story() -> None:
        who = await stage.user()
        one, other = stage.bot(who, strategy={**LIVELY, "portfolio": {"max_open": 1}}), stage.bot(who, "other")
        purse = await stage.start(who, one, tokens=[{"token": NAMES[2], "chain": "solana"}], kline_interval="1m")
        plain = await stage.start(who, other, token=NAMES[2], chain="solana", kline_interval="1m", mode="live")
        runner = stage.runner()
        for number in range(30):
            runner = stage.runner() if number % 10 == 9 else runner
            await later(60, runner)
        mine, theirs = await proven(stage, who, purse), await proven(stage, who, plain)
        for name in ("cash_balance", "position", "entry_price", "current_price", "total_value", "pnl"):
            assert getattr(mine.portfolio, name) == getattr(theirs.portfolio, name), name
        left = {"token_id", "symbol"}
        assert [each.model_dump(exclude=left) for each in mine.trade_log] == [
            each.model_dump(exclude=left) for each in theirs.trade_log
        ]
        assert [each.model_dump(exclude=left) for each in mine.signals] == [
            each.model_dump(exclude=left) for each in theirs.signals
        ]

    asyncio.run(story())


@pytest.mark.parametrize(
    ("request_", "status", "said"),
    [
        ({"tokens": [{"token": "1" * 32, "chain": "solana"}]}, 422, "has no token that can be traded"),
        ({"universe": {"trending": "solana", "limit": 3}, "mode": "replay"}, 422, "must be live"),
        ({"universe": {"trending": "solana", "limit": 11}}, 403, "can have 10 tokens"),
        ({"tokens": []}, 422, "tokens"),
        ({"universe": {"trending": "solana", "limit": 3}, "token": "1" * 32}, 422, "one of token, tokens and universe"),
    ],
)
def test_what_a_purse_cannot_follow_is_refused(
    client: TestClient, user: Headers, bot: Json, request_: Json, status: int, said: str
) -> None:
    asked_for = request_ if "token" in request_ else {**request_, "token": None}
    answer = asked(client, user, bot, **asked_for)
    assert answer.status_code == status, answer.text
    assert said in answer.text


def test_a_bot_with_a_universe_is_followed_live_on_its_tokens(client: TestClient, user: Headers, bot: Json) -> None:
    universe = {"trending": "solana", "limit": 3}
    assert client.patch(f"/api/bots/{bot['id']}", json={"universe": universe}, headers=user).status_code == 200
    run = asked(client, user, bot, token=None, kline_interval="1m").json()
    assert (run["mode"], run["status"], run["tokens_total"]) == ("live", "running", 3)
    assert [set(row) >= {"token_id", "symbol", "trades", "pnl", "turned_away"} for row in run["tokens"]] == [True] * 3
    assert run["portfolio"]["positions"] == []
    listed = client.get("/api/bots", headers=user).json()["bots"][0]["simulation"]
    assert (listed["token_symbol"], listed["places_used"], listed["max_open"]) == ("3 tokens", 0, 5)
    path = f"/api/bots/{bot['id']}/simulate/{run['run_id']}"
    assert client.get(f"{path}/parity", headers=user).json()["equal"]
    assert client.get(path, params={"token_id": run["tokens"][1]["token_id"]}, headers=user).json()["klines"]
    assert [[rule["met"] is not None for rule in row["next_entry"]] for row in run["tokens"]] == [[True]] * 3
    assert run["expectation"] is None
    tested = [
        finished(
            client, user, start_backtest(client, user, bot, universe={**universe, "limit": limit}, kline_interval="1m")
        )
        for limit in (3, 2)
    ]
    assert client.get(path, headers=user).json()["expectation"]["backtest_run_id"] == tested[0]["run_id"]
    plain = asked(client, user, bot, mode="live").json()
    assert "positions" not in plain["portfolio"]
    assert not {"tokens", "tokens_total", "dead_token_loss_percent"} & plain.keys()
    assert client.get(path, headers=user).json()["stop_reason"] == "replaced"
