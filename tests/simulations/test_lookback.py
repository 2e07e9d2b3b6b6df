"""The look-back of a simulation is a reference into the candle store: no start stores those candles again."""

import asyncio
from typing import Any

import numpy as np
import pytest
from sqlalchemy import func, select

from strategybot.simulations.storage import Fetched
from strategybot.trading.engine.candles import Candles
from tests.engines import on_both, on_sqlite_alone
from tests.simulations.stage import Stage, proven, walk
from tests.support import ManualClock

pytestmark = on_sqlite_alone

A_DAY_BACK: dict[str, Any] = {
    "conditions": [{"kind": "price_drop", "percent": 0.05, "window": "1d"}],
    "exit_conditions": [{"kind": "price_rise", "percent": 0.05, "window": "1m"}],
    "risk_management": {"stop_loss_percent": 1, "take_profit_percent": 1},
}
MOST_BYTES_A_RUN = 4_000  # an hour of candles


def stored_bytes(stage: Stage) -> tuple[int, int]:
    with stage.database.read() as session:
        count, size = session.execute(select(func.count(), func.sum(func.length(Fetched.candles)))).one()
    return count, size


def with_gaps(candles: Candles) -> Candles:
    """Return candles without every seventh one, and without a stretch right before the hour that is shown."""
    place = np.arange(len(candles))
    kept = (place % 7 != 3) & ~((place > 1555) & (place < 1566))
    return Candles(candles.interval_seconds, *(column[kept] for column in candles.columns()))


@on_both
@pytest.mark.parametrize("mode", ["replay", "live"])
def test_many_starts_store_the_look_back_once(stage: Stage, mode: str) -> None:
    async def test() -> None:
        who = await stage.user()
        bot_id = stage.bot(who, strategy=A_DAY_BACK)
        for _ in range(5):
            await stage.start(who, bot_id, mode=mode)
        count, size = stored_bytes(stage)
        assert count == 5
        assert size <= count * MOST_BYTES_A_RUN

    asyncio.run(test())


@pytest.mark.parametrize("mode", ["replay", "live"])
@pytest.mark.parametrize("steps", [1, 4])
def test_a_run_with_a_long_look_back_is_resumed_and_equals_the_engine(
    stage: Stage, clock: ManualClock, mode: str, steps: int
) -> None:
    """Also with missing candles, and after another run has stored candles far before the look-back."""

    async def test() -> None:
        stage.provider.known = with_gaps(walk())
        who = await stage.user()
        run = await stage.start(who, stage.bot(who, strategy=A_DAY_BACK), mode=mode)
        token_id = f"{run.token}-{run.chain}"
        await stage.market.candles(token_id, "1m", 0, int(clock().timestamp()))
        for _ in range(steps):
            runner = stage.runner()  # a new runner each time: it restores the run from the database
            clock.advance(seconds=60)
            await runner.look()
            await runner.turn()
            await runner.finish_background_work()
            clock.advance(seconds=10)
        report = await stage.simulations.parity(who, run.bot_id, run.run_id)
        assert report.differences == []
        assert report.warm_up_candles >= 1440
        assert report.candles_processed == stage.read(who, run).candles_processed >= steps

    asyncio.run(test())


YOUNG: dict[str, Any] = {
    "conditions": [
        {"kind": "compare", "left": {"series": "close"}, "operator": "below", "right": {"series": "ema", "period": 60}}
    ],
    "exit_conditions": [{"kind": "compare", "left": {"series": "rsi", "period": 5}, "operator": "above", "right": 60}],
}


@pytest.mark.parametrize("mode", ["replay", "live"])
def test_a_young_token_is_simulated_with_the_candles_there_are(stage: Stage, clock: ManualClock, mode: str) -> None:
    """It says what it waits for, keeps all candles until it has its reach, and equals the engine at every restart."""

    async def test() -> None:
        clock.advance(seconds=-(clock().timestamp() % 60))
        last = int(np.searchsorted(stage.provider.known.time, clock().timestamp()))
        stage.provider.known = stage.provider.known[last - 100 :]
        who = await stage.user()
        run = await stage.start(who, stage.bot(who, strategy=YOUNG), mode=mode, kline_interval="1m")
        had = 99 if mode == "live" else 40
        needs = "waiting: EMA(60) needs 59 candles before it, has "
        assert (run.trade_log[0].reason == f"{needs}{had}") == (mode == "replay")
        for _ in range(70):
            runner = stage.runner()
            clock.advance(seconds=60)
            await runner.look()
            await runner.turn()
            await runner.finish_background_work()
            clock.advance(seconds=10)
        seen = await proven(stage, who, run)
        assert {entry.action for entry in seen.trade_log} == {"BUY", "SELL", "HOLD"}
        waited = [entry.reason for entry in seen.trade_log if entry.reason.startswith(needs)]
        assert waited == [f"{needs}{count}" for count in range(had, 59)]

    asyncio.run(test())
