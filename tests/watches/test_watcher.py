"""A watch notifies once for each time that the entry conditions become true, whatever happens in between."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.kit.changes import START, read_after, watch
from strategybot.kit.database import DatabaseUnavailable
from strategybot.kit.threads import run_blocking
from strategybot.market.provider import ProviderFailure
from strategybot.notifications.storage import Notification
from strategybot.runs.leases import Leases
from strategybot.trading.engine.candles import Candles
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.explain import entry_reading
from strategybot.watches.runner import Watcher
from strategybot.watches.schemas import WatchRequest, WatchView
from strategybot.watches.service import Watches
from strategybot.watches.storage import SIGNALS_KEPT
from tests.engines import on_both, on_sqlite_alone
from tests.simulations.driving import LIVELY
from tests.simulations.stage import Stage
from tests.support import ManualClock

pytestmark = on_sqlite_alone
PLAN = Strategy.model_validate(LIVELY)


class WatchStage(Stage):
    """A stage with watches, and workers that act as separate processes."""

    def __init__(self, folder: Path, database_url: str, clock: ManualClock) -> None:
        super().__init__(folder, database_url, clock)
        self.watches = Watches(self.database, self.services.accounts, self.services.bots, self.market, clock)

    async def begun(self) -> tuple[Principal, WatchView]:
        who = await self.user()
        request = WatchRequest(kline_interval="1m")
        return who, self.watches.start(who, UserSettings(), self.bot(who), request)

    def watcher(self) -> tuple[Watcher, Leases]:
        leases = Leases(self.database, self.clock, self.presence)
        return Watcher(self.database, self.market, self.clock, leases), leases

    def told(self, who: Principal) -> list[str]:
        with self.database.read() as session:
            of_owner = session.query(Notification).filter(Notification.owner_id == who.owner_id)
            return [each.text for each in of_owner.order_by(Notification.id)]


@pytest.fixture
def stage(tmp_path: Path, database_url: str, clock: ManualClock) -> Iterator[WatchStage]:
    stage = WatchStage(tmp_path, database_url, clock)
    yield stage
    stage.close()


async def look(
    clock: ManualClock, worker: tuple[Watcher, Leases], seconds: float, stage: WatchStage | None = None, *faults: str
) -> None:
    """Move the clock and let the worker look at the market; writes to the database may fail meanwhile."""
    watcher, leases = worker
    clock.advance(seconds=seconds)
    await run_blocking(leases.heartbeat)
    await watcher.look()
    if stage is not None:
        stage.database.away = list(faults)
    await watcher.turn()
    await watcher.finish_background_work()
    if stage is not None:
        stage.database.away = []


def changes_to_true(candles: Candles, first: int) -> list[int]:
    """Return the times of the candles, from the first on, whose close makes the conditions true."""
    times, met = [], False
    for i in range(int((candles.time < first).sum()), len(candles)):
        fired = entry_reading(PLAN, candles, i).fired
        if fired and not met:
            times.append(int(candles.time[i]))
        met = fired
    return times


def expected(stage: WatchStage, begun: WatchView, seen: WatchView) -> list[int]:
    last = seen.tokens[0].last_time
    assert last is not None
    first = int(begun.created_at.timestamp()) // 60 * 60 - 60  # the last candle that was closed when it began
    return changes_to_true(stage.provider.known.between(0, last + 1), first)


@on_both
@pytest.mark.parametrize("trouble", ["none", "before", "after", "provider", "restart", "taken over"])
def test_each_change_to_true_is_notified_once(stage: WatchStage, clock: ManualClock, trouble: str) -> None:
    async def test() -> None:
        who, run = await stage.begun()
        worker = stage.watcher()
        for minute in range(40):
            faults = ["none"] * (minute % 3) + [trouble] if trouble in ("before", "after") else []
            if minute % 3 == 2 and trouble == "provider":
                stage.provider.faults = [ProviderFailure("down")]
            if minute % 7 == 6 and trouble == "restart":
                worker = stage.watcher()
                clock.advance(seconds=10)  # the old one is silent
            if minute % 7 == 6 and trouble == "taken over":
                clock.advance(seconds=10)
                await look(clock, stage.watcher(), 0)
            await look(clock, worker, 60, stage, *faults)
        clock.advance(minutes=2)
        worker = stage.watcher()
        await look(clock, worker, 10)
        seen = stage.watches.run(who, run.bot_id, run.run_id)
        times = expected(stage, run, seen)
        assert len(times) > 5
        assert [signal.time for signal in reversed(seen.signals)] == times
        assert seen.total_signals == seen.tokens[0].signals == len(times)
        assert stage.told(who) == [f"{signal.reason}." for signal in reversed(seen.signals)]

    asyncio.run(test())


def test_the_candles_of_a_long_outage_are_read_one_by_one(stage: WatchStage, clock: ManualClock) -> None:
    async def test() -> None:
        who, run = await stage.begun()
        await look(clock, stage.watcher(), 1)
        clock.advance(hours=2)
        await look(clock, stage.watcher(), 1)
        seen = stage.watches.run(who, run.bot_id, run.run_id)
        times = expected(stage, run, seen)
        assert len(times) > 10
        assert [signal.time for signal in reversed(seen.signals)] == times

    asyncio.run(test())


@on_both
def test_the_newest_signals_are_kept(stage: WatchStage, clock: ManualClock) -> None:
    async def test() -> None:
        who, run = await stage.begun()
        for hours in (0, 18, 4):
            clock.advance(hours=hours)
            await look(clock, stage.watcher(), 1)
        seen = stage.watches.run(who, run.bot_id, run.run_id)
        times = expected(stage, run, seen)
        assert seen.total_signals == len(times) == len(stage.told(who)) > SIGNALS_KEPT
        assert [signal.time for signal in reversed(seen.signals)] == times[-SIGNALS_KEPT:]
        assert seen.signals[0].number == len(times)

    asyncio.run(test())


def test_a_watch_whose_claim_was_not_confirmed_while_another_was_stopped_is_taken_up(
    stage: WatchStage, clock: ManualClock
) -> None:
    async def test() -> None:
        who, replaced = await stage.begun()
        worker = stage.watcher()
        await look(clock, worker, 1)
        run = stage.watches.start(who, UserSettings(), replaced.bot_id, WatchRequest(kline_interval="1m"))
        stage.database.away = ["after"]
        with pytest.raises(DatabaseUnavailable):
            await worker[0].look()
        await look(clock, worker, 60)
        assert stage.watches.run(who, run.bot_id, run.run_id).tokens[0].last_time is not None

    asyncio.run(test())


def test_a_token_without_candles_says_what_it_waits_for(stage: WatchStage, clock: ManualClock) -> None:
    async def test() -> None:
        known = stage.provider.known
        stage.provider.known = known[:0]
        who, run = await stage.begun()
        worker = stage.watcher()
        await look(clock, worker, 1)
        [token] = stage.watches.run(who, run.bot_id, run.run_id).tokens
        assert token.last_time is None
        assert token.waiting == f"The provider has no klines for {token.token} on {token.chain}."
        stage.provider.known = known
        await look(clock, worker, 120)
        [token] = stage.watches.run(who, run.bot_id, run.run_id).tokens
        assert (token.last_time is not None, token.waiting) == (True, None)

    asyncio.run(test())


def test_a_stopped_watch_asks_the_market_for_nothing(stage: WatchStage, clock: ManualClock) -> None:
    async def test() -> None:
        who, run = await stage.begun()
        worker = stage.watcher()
        await look(clock, worker, 1)
        assert stage.watches.stop(who, run.bot_id, run.run_id).stop_reason == "user"
        await look(clock, worker, 60)
        asked = len(stage.provider.asked)
        for _ in range(5):
            await look(clock, worker, 60)
        assert len(stage.provider.asked) == asked
        assert stage.watches.run(who, run.bot_id, run.run_id).status == "stopped"

    asyncio.run(test())


def test_an_open_stream_of_events_is_told_of_signals(stage: WatchStage, clock: ManualClock) -> None:
    async def test() -> None:
        who, run = await stage.begun()
        with stage.database.write() as session:
            watch(session, who.owner_id)
        await look(clock, stage.watcher(), 1)
        clock.advance(hours=1)
        await look(clock, stage.watcher(), 1)
        with stage.database.read() as session:
            noted = read_after(session, START)
        assert ("watch.signal", "created", run.run_id) in {(each.kind, each.what, each.run_id) for each in noted}
        assert ("watch", "signal", run.run_id) in {(each.kind, each.what, each.run_id) for each in noted}

    asyncio.run(test())
