"""Simulations decide candles in doubt on 1-minute candles, remember them, and stay equal to the engine."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from strategybot.kit.threads import run_blocking
from strategybot.market.provider import ProviderUnreachable
from strategybot.simulations.schemas import SimulationView
from strategybot.trading.engine.candles import Candles, DataReport
from strategybot.trading.engine.fills import FillCounts
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval
from tests.engines import on_sqlite_alone
from tests.market.scripted import ScriptedProvider
from tests.simulations.stage import Stage, walk
from tests.support import ManualClock
from tests.trading.builders import put_together

pytestmark = on_sqlite_alone

RISKY: dict[str, Any] = {
    "conditions": [{"kind": "price_level", "level": 0.0001, "direction": "above", "trigger": "is"}],
    "risk_management": {"stop_loss_percent": 0.1, "take_profit_percent": 0.1, "trailing_stop_percent": 0.15},
}


class ManyIntervals(ScriptedProvider):
    """A market with candles of any length, made from its minutes. The minutes themselves may be missing."""

    minutes_away = False

    async def klines(
        self, token_id: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> tuple[Candles, DataReport]:
        if interval == "1m" and self.minutes_away:
            raise ProviderUnreachable("no minutes today")
        whole, self.known = self.known, put_together(self.known, INTERVAL_SECONDS[interval])
        try:
            return await super().klines(token_id, interval, start, end, limit)
        finally:
            self.known = whole


async def replayed(
    stage: Stage, clock: ManualClock, provider: ManyIntervals, intrabar: str
) -> tuple[SimulationView, int]:
    """Return a whole replay that other runners take over every few steps, and how often minutes were requested."""
    who = await stage.user()
    run = await stage.start(who, stage.bot(who, strategy=RISKY), kline_interval="5m", intrabar=intrabar)
    runner = stage.runner()
    for number in range(14):
        if number % 4 == 3:
            await run_blocking(runner.leases.delete_worker)
            runner = stage.runner()
        clock.advance(seconds=10)
        await run_blocking(runner.leases.heartbeat)
        await runner.look()
        await runner.turn()
        await runner.finish_background_work()
    seen = stage.read(who, run)
    assert (seen.status, seen.candles_processed) == ("stopped", 12)
    report = await stage.simulations.parity(who, run.bot_id, run.run_id)
    assert report.differences == []
    return seen, sum(asked.interval == "1m" for asked in provider.asked)


@pytest.mark.parametrize(("intrabar", "away"), [("auto", False), ("auto", True), ("off", False)])
def test_a_replay_equals_the_engine_whether_minutes_decide_or_not(
    tmp_path: Path, database_url: str, clock: ManualClock, intrabar: str, away: bool
) -> None:
    provider = ManyIntervals(walk())
    provider.minutes_away = away
    stage = Stage(tmp_path, database_url, clock, provider)
    seen, asked = asyncio.run(replayed(stage, clock, provider, intrabar))
    stage.close()
    sold = [entry for entry in seen.trade_log if entry.action == "SELL"]
    said = [entry.reason.partition("; ")[2] for entry in sold]
    assert seen.intrabar == intrabar
    assert seen.fills_resolved.total == len(sold)
    if intrabar == "auto" and not away:
        assert "decided on 1-minute candles" in said
        assert seen.fills_resolved.assumed == 0
        assert asked > 0
    else:
        assert any(words.startswith("assumed") for words in said)
        assert seen.fills_resolved.resolved == 0
    assert (asked == 0) == (intrabar == "off" or away)


def test_a_new_simulation_has_no_exits(stage: Stage) -> None:
    async def started() -> SimulationView:
        who = await stage.user()
        return await stage.start(who, stage.bot(who))

    seen = asyncio.run(started())
    assert (seen.intrabar, seen.fills_resolved) == ("auto", FillCounts())
