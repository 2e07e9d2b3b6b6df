"""A live simulation that trades the trending list of each day: tokens join and leave while it runs."""

# ruff: noqa: ARG002 - the list does not depend on the arguments

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.backtests.portfolios import PortfolioBacktests
from strategybot.backtests.runner import LiveBacktest
from strategybot.backtests.storage import Backtest
from strategybot.market.provider import ProviderError
from strategybot.market.schemas import Token
from strategybot.runs.schemas import PurseRequest
from strategybot.runs.universes import MOST_OF_EACH_DAY, Universes
from strategybot.simulations.schemas import SimulationView
from strategybot.simulations.storage import Simulation
from tests.engines import on_sqlite_alone
from tests.simulations.purses import IDS, NAMES, PURSE, ManyTokens, pages, proven
from tests.simulations.stage import Later, Stage
from tests.support import ManualClock

A, B, C, D = NAMES
EACH_DAY = {"trending": "solana", "limit": 3, "as_of": "each_day"}


class Listed(ManyTokens):
    """A provider whose trending list a test chooses."""

    listed: list[str]

    async def trending(self, chain: str | None, limit: int) -> list[Token]:
        await self._called("trending")
        return [
            Token(token_id=f"{name}-solana", address=name, symbol=name[:1], name=name, chain="solana", decimals=6)
            for name in self.listed
        ]


@pytest.fixture
def market() -> Listed:
    return Listed()


@pytest.fixture
def stage(tmp_path: Path, database_url: str, clock: ManualClock, market: Listed) -> Iterator[Stage]:
    clock.advance(hours=20, minutes=40)  # twenty minutes before midnight
    stage = Stage(tmp_path, database_url, clock, market)
    yield stage
    stage.close()


async def begun(stage: Stage) -> tuple[Principal, SimulationView]:
    who = await stage.user()
    bot = stage.bot(who, strategy=PURSE)
    return who, await stage.start(who, bot, universe=EACH_DAY, kline_interval="1m")


async def backtest(stage: Stage, who: Principal, run: SimulationView) -> dict[str, Any]:
    """Return the outcome of a backtest of the same span, which looks up the lists itself."""
    with stage.database.read() as session:
        row = session.get_one(Simulation, run.run_id)
        start, end = row.start_time, row.state["last_time"] + 60
        same = {name: getattr(row, name) for name in ("strategy", "fee_percent", "slippage_percent", "costs")}
    request = PurseRequest.model_validate({"universe": EACH_DAY})
    bot = stage.services.bots.bot(who, run.bot_id, None)
    tokens = await Universes(stage.market).tokens(who, UserSettings(), bot, request, (start, end))
    test = Backtest(
        **same,
        run_id="test",
        owner_id=who.owner_id,
        kline_interval="1m",
        start_time=start,
        end_time=end,
        initial_cash=run.initial_cash,
        intrabar="off",
        most_minutes=0,
        asked_tokens=tokens,
    )
    outcome = await PortfolioBacktests(stage.market, stage.clock, asyncio.to_thread).outcome(test, LiveBacktest())
    assert outcome is not None
    assert outcome.portfolio is not None
    assert outcome.metrics is not None
    return {"metrics": outcome.metrics, **outcome.portfolio}


def test_tokens_join_and_leave_as_in_the_backtest_across_killed_workers(
    stage: Stage, market: Listed, later: Later
) -> None:
    async def story() -> None:
        market.listed = [B, C]
        who, run = await begun(stage)
        assert run.universe is not None
        assert run.universe.model_dump() == EACH_DAY
        assert (run.token_symbol, run.tokens_total) == ("trending tokens", 2)
        market.listed = [D, A, C]  # A comes before the others by its id, and D has no candles
        runner = stage.runner()
        for number in range(60):
            runner = stage.runner() if number % 7 == 6 else runner  # the one before was killed
            await later(60, runner)
        seen = await proven(stage, who, run)
        rows = {row.token: row for row in seen.tokens or []}
        assert [row.listed for _, row in sorted(rows.items())] == [True, False, True, True]
        assert rows[D].error is not None
        told = [entry.reason for entry in seen.trade_log if "list" in entry.reason]
        assert told == [
            "new on the list: AAAAAA…; no longer on the list, and not bought again while they are not: BBBBBB…"
        ]
        midnight = seen.trade_log[0].time // 86_400 * 86_400 + 86_400
        bought = {(entry.token_id, entry.time >= midnight) for entry in seen.trade_log if entry.action == "BUY"}
        assert (IDS[0], True) in bought
        assert (IDS[0], False) not in bought
        late = [signal for signal in seen.signals if signal.side == "buy" and signal.time + 60 >= midnight]
        assert {signal.token_id for signal in late} == {IDS[0], IDS[2]}
        market.listed = [B]
        await later(24 * 3600, stage.runner())  # nothing ran for a day, in which no list was kept
        await later(60, stage.runner())
        await later(60, stage.runner())
        seen = await proven(stage, who, run)
        assert seen.candles_processed > 1400
        expected = await backtest(stage, who, run)
        assert seen.portfolio.total_value == expected["metrics"]["final_equity"]
        assert seen.portfolio.turned_away == expected["turned_away"]
        trades = {row.token_id: row.trades for row in seen.tokens or [] if row.error is None}
        assert trades == {row["token_id"]: row["trades"] for row in expected["tokens"] if row["error"] is None}
        assert sum(count or 0 for count in trades.values()) > 50

    asyncio.run(story())


@on_sqlite_alone
def test_a_list_that_cannot_be_read_is_waited_for(stage: Stage, market: Listed, later: Later) -> None:
    async def story() -> None:
        market.listed = [B, C]
        who, run = await begun(stage)
        market.listed = [A, C]
        runner = stage.runner()
        for _ in range(15):
            await later(60, runner)
        market.faults = [None, *[ProviderError("no answer")] * 200]  # the list is read, the candles are not
        for _ in range(3):
            await later(120, runner)
        assert "no answer" in (stage.read(who, run).waiting or "")
        market.faults = []
        for _ in range(10):
            await later(60, runner)
        seen = await proven(stage, who, run)
        assert seen.waiting is None
        assert IDS[0] in {row.token_id for row in seen.tokens or [] if row.error is None}

    asyncio.run(story())


@on_sqlite_alone
def test_a_run_goes_on_without_further_tokens_once_it_has_200(stage: Stage, market: Listed, later: Later) -> None:
    async def story() -> None:
        market.listed = [B, C]
        who, run = await begun(stage)
        with stage.database.write() as session:  # as if so many had been listed and could not be traded
            row = session.get_one(Simulation, run.run_id)
            assert row.asked_tokens is not None
            many = [f"Z{number:031}" for number in range(MOST_OF_EACH_DAY - 2)]
            spare = {**row.asked_tokens[0], "error": "no candles"}
            row.asked_tokens = [
                *row.asked_tokens,
                *({**spare, "token": each, "token_id": f"{each}-solana"} for each in many),
            ]
        market.listed = [A, C]
        runner = stage.runner()
        for _ in range(40):
            await later(60, runner)
        seen = await proven(stage, who, run)
        assert seen.tokens_total == MOST_OF_EACH_DAY
        assert IDS[0] not in {row.token_id for row in seen.tokens or []}
        assert seen.pool_warning == "200 tokens have been listed since the run began: it goes on without further ones."
        assert seen.status == "running"
        assert any("goes on without further ones" in entry.reason for page in pages(stage, who, run) for entry in page)

    asyncio.run(story())
