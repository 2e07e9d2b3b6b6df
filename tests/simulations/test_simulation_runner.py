"""Runners: which one holds a run, what is saved during outages, and how live runs follow a failing market."""

import asyncio
import threading
from pathlib import Path

import pytest
from sqlalchemy import update

from strategybot.accounts.schemas import UserSettings
from strategybot.kit.database import DatabaseUnavailable
from strategybot.kit.errors import AppError, Refused
from strategybot.kit.threads import run_blocking
from strategybot.market.provider import ProviderError, ProviderFailure, ProviderRateLimited, ProviderStatus
from strategybot.runs.presence import Presence
from strategybot.simulations.runner import Runner
from strategybot.simulations.schemas import SimulationRequest, SimulationView
from strategybot.simulations.storage import Simulation
from strategybot.trading.engine.candles import concatenate, empty_candles
from tests.simulations.stage import Later, Stage, proven
from tests.support import ManualClock


async def work(runner: Runner) -> None:
    """Work as a process that runs only simulations."""
    async with runner.leases.heartbeating():
        await runner.work()


def test_a_run_that_another_worker_claimed_is_never_written_by_its_old_worker(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who))
        one, other = stage.runner(), stage.runner()
        await later(0, one, other)
        await later(10, one, other)
        assert stage.read(who, run).candles_processed == 2
        await later(9, other)  # the first one is silent
        await later(1, other)
        assert stage.read(who, run).candles_processed == 3
        await one.turn()  # awake again, and late
        assert stage.read(who, run).candles_processed == 3
        await later(10, one, other)
        seen = await proven(stage, who, run)
        assert (seen.candles_processed, seen.status) == (4, "running")

    asyncio.run(test())


def test_runs_of_a_process_that_died_on_this_machine_are_claimed_at_once(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who))
        one, other = stage.runner(), stage.runner()
        stage.presence.enter(one.leases.worker_id)
        await later(0, one, other)
        stage.presence.leave(one.leases.worker_id)  # as the system does when a process is killed
        await other.look()
        await later(10, other)
        assert (await proven(stage, who, run)).candles_processed == 2
        assert stage.presence.find_gone() == []

    asyncio.run(test())


def test_runs_of_a_process_that_shuts_down_are_claimed_at_once_and_others_are_kept(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        runs = [await stage.start(who, stage.bot(who, f"Bot {number}")) for number in range(3)]
        one, other = stage.runner(), stage.runner()
        working = asyncio.create_task(work(one))
        while len(one.active) < 3:  # noqa: ASYNC110 - the moment it is there
            await asyncio.sleep(0.01)
        await other.look()
        assert not other.active
        working.cancel()
        await asyncio.wait([working])
        await later(0, other)
        assert other.active.keys() == {run.run_id for run in runs}
        await later(10, other)
        assert {stage.read(who, run).candles_processed for run in runs} == {2}

    asyncio.run(test())


class SlowPresence(Presence):
    """A presence whose check can be made slow."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.slow, self.waiting, self.done = False, 0, threading.Event()

    def find_gone(self) -> list[str]:
        if self.slow:
            self.waiting += 1
            self.done.wait(60)
        return super().find_gone()


def test_no_step_waits_for_a_slow_claim(stage: Stage, clock: ManualClock, tmp_path: Path) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who))
        stage.presence = presence = SlowPresence(tmp_path)
        runner = stage.runner()
        working = asyncio.create_task(work(runner))
        try:
            async with asyncio.timeout(20):
                while not runner.active:  # noqa: ASYNC110 - the moment it is there
                    await asyncio.sleep(0.01)
                presence.slow = True
                clock.advance(seconds=10)
                while presence.waiting < 2 or stage.read(who, run).candles_processed < 2:  # noqa: ASYNC110 - likewise
                    await asyncio.sleep(0.01)
        finally:
            presence.done.set()
            working.cancel()
            await asyncio.wait([working])

    asyncio.run(test())


@pytest.mark.parametrize("away", ["before", "after"])
def test_a_database_outage_loses_no_candle(stage: Stage, clock: ManualClock, later: Later, away: str) -> None:
    """Also if the step was committed and only the confirmation was lost."""

    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who))
        runner = stage.runner()
        await later(0, runner)
        for count in range(2, 6):
            for seconds, faults in ((10, [away]), (1, ["before"]), (1, [])):
                clock.advance(seconds=seconds)
                stage.database.away = faults
                await runner.turn()
            assert (await proven(stage, who, run)).candles_processed == count

    asyncio.run(test())


@pytest.mark.parametrize("away", ["before", "after"])
def test_a_claim_whose_confirmation_is_lost_is_repeated(stage: Stage, later: Later, away: str) -> None:
    """Otherwise a living worker would hold a run for ever that it does not know of."""

    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who))
        runner = stage.runner()
        await run_blocking(runner.leases.heartbeat)
        stage.database.away = [away]
        with pytest.raises(DatabaseUnavailable):
            await runner.look()
        await later(2, runner)
        await later(8, runner)
        assert (await proven(stage, who, run)).candles_processed == 2

    asyncio.run(test())


def test_a_run_that_was_stopped_or_deleted_elsewhere_is_not_written_again(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        bots = [stage.bot(who, name) for name in ("one", "two", "three")]
        runs = [await stage.start(who, bot) for bot in bots]
        runner = stage.runner()
        await later(0, runner)
        stopped = stage.simulations.stop(who, bots[0], runs[0].run_id)
        stage.services.bots.delete(who, bots[1])
        await later(10, runner)
        assert stage.read(who, runs[0]) == stopped
        assert runner.active.keys() == {runs[2].run_id}
        assert stage.read(who, runs[2]).candles_processed == 2

    asyncio.run(test())


def test_after_a_pause_a_replay_continues_with_its_own_interval(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who))
        runner = stage.runner()
        await later(3600, runner)  # no worker ran for the whole hour
        assert stage.read(who, run).candles_processed == 2
        await later(9, runner)
        assert stage.read(who, run).candles_processed == 2
        await later(1, runner)
        assert (await proven(stage, who, run)).candles_processed == 3

    asyncio.run(test())


FAULTS: list[tuple[ProviderError, str]] = [
    (ProviderStatus(503, "down for maintenance"), "upstream API error: down for maintenance"),
    (ProviderRateLimited(), "Rate limit exceeded. Please try again later."),
    (ProviderFailure("no connection"), "Failed to fetch klines: no connection"),
]


def test_a_run_waits_for_a_failing_provider_and_shows_its_message(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who), mode="live")
        runner = stage.runner()
        await later(60, runner)
        assert stage.read(who, run).candles_processed == 2
        for fault, words in FAULTS:
            stage.provider.faults = [fault]
            await later(60, runner)
            seen = stage.read(who, run)
            assert (seen.status, seen.waiting, seen.candles_processed) == ("running", words, 2)
        other = stage.runner()  # nor is it lost when another runner claims the run
        await later(60, other)
        seen = await proven(stage, who, run)
        assert (seen.waiting, seen.candles_processed) == (None, 6)
        assert [entry.late for entry in seen.trade_log] == [False, False, True, True, True, False]
        assert [kline.time for kline in seen.klines[-6:]] == [entry.time for entry in seen.trade_log]

    asyncio.run(test())


def test_a_bucket_without_a_trade_is_processed_once_the_next_candle_exists(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who), mode="live")
        last, known = run.klines[-1], stage.provider.known
        quiet = known.between(0, last.time + 60), known.between(last.time + 180, 2**40)
        stage.provider.known = concatenate(quiet)
        runner = stage.runner()
        await later(60, runner)
        await later(60, runner)
        assert stage.read(who, run).candles_processed == 1
        await later(60, runner)
        seen = await proven(stage, who, run)
        assert [entry.time - last.time for entry in seen.trade_log] == [0, 60, 120, 180]
        assert [(kline.close, kline.volume) for kline in seen.klines[-3:-1]] == [(last.close, 0)] * 2

    asyncio.run(test())


def test_runs_on_one_token_share_a_request_and_only_after_a_candle_has_closed(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        runs = [await stage.start(who, stage.bot(who, f"Bot {number}"), mode="live") for number in range(5)]
        runner = stage.runner()
        asked = len(stage.provider.asked)
        for _ in range(6):  # the clock is 5 s after a full minute
            await later(10, runner)
        assert len(stage.provider.asked) == asked + 1
        assert {stage.read(who, run).candles_processed for run in runs} == {2}

    asyncio.run(test())


def test_a_live_run_is_resumed_from_its_own_candles(stage: Stage, later: Later) -> None:
    """The run is longer than its look-back, so its first candles are not needed any more."""

    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who), mode="live")
        for _ in range(8):
            await later(60, stage.runner())
        seen = await proven(stage, who, run)
        assert (seen.candles_processed, len(seen.klines)) == (9, 68)

    asyncio.run(test())


def test_the_series_of_a_long_run_are_those_of_the_candles_in_its_chart(stage: Stage, later: Later) -> None:
    rsi = {"kind": "compare", "left": {"series": "rsi"}, "operator": "below", "right": 30}

    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who, strategy={"conditions": [rsi]}), mode="live", kline_interval="1m")
        await later(700 * 60, stage.runner())
        shown = [kline.time for kline in stage.read(who, run).klines]
        lines = stage.simulations.lines(who, run.bot_id, run.run_id, None, None)
        assert len(shown) == 500
        assert [[point.time for point in line.points] for line in lines.series] == [shown]
        part = stage.simulations.lines(who, run.bot_id, run.run_id, shown[-300], shown[-200])
        assert [[point.time for point in line.points] for line in part.series] == [shown[-300:-200]]

    asyncio.run(test())


def test_nothing_changes_when_the_klines_cannot_be_fetched(stage: Stage) -> None:
    async def test() -> None:
        who = await stage.user()
        bot = stage.bot(who)
        running = await stage.start(who, bot)
        elsewhere = "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N"
        for fault, words in FAULTS:
            stage.provider.faults = [fault]
            with pytest.raises(AppError) as refusal:
                await stage.start(who, bot, token=elsewhere, chain="solana")
            assert refusal.value.message == words
            assert refusal.value.status == {"u": 503, "R": 429, "F": 500}[words[0]]
        stage.provider.known = empty_candles(60)
        with pytest.raises(AppError) as refusal:
            await stage.start(who, bot, token=elsewhere, chain="solana")
        assert (refusal.value.status, refusal.value.message) == (
            422, f"The provider has no klines for {elsewhere} on solana."
        )  # fmt: skip
        assert stage.read(who, running) == running

    asyncio.run(test())


def test_a_visitor_is_told_to_sign_up(stage: Stage) -> None:
    async def test() -> None:
        visitor = stage.services.accounts.visitor(stage.services.accounts.welcome_visitor("203.0.113.5"))
        bot = stage.bot(visitor)
        with pytest.raises(Refused) as refusal:
            await stage.simulations.start(visitor, UserSettings(), bot, SimulationRequest())
        assert refusal.value.status == 403
        assert refusal.value.upsell_message == "Sign up for a free account to run simulations."
        assert stage.provider.asked == []

    asyncio.run(test())


def change(stage: Stage, run: SimulationView, **fields: object) -> None:
    with stage.database.write() as session:
        session.execute(update(Simulation).where(Simulation.run_id == run.run_id).values(fields))


def test_a_run_that_cannot_be_restored_is_stopped_without_affecting_others(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        runs = [await stage.start(who, stage.bot(who, name)) for name in ("broken", "short", "good")]
        change(stage, runs[0], state={"version": 0})
        change(stage, runs[1], candles_total=61, candles_processed=60)  # a candle that is not there
        runner = stage.runner()
        await later(10, runner)
        broken, short, good = (stage.read(who, run) for run in runs)
        assert (broken.status, broken.stop_reason) == ("stopped", "stale")
        assert (short.status, short.stop_reason, short.candles_processed) == ("stopped", "failed", 60)
        assert short.waiting == "Something went wrong inside the service; the simulation was stopped."
        assert (good.status, good.candles_processed) == ("running", 2)

    asyncio.run(test())


@pytest.mark.parametrize(("alive_for", "status"), [(30, "running"), (90, "stopped")])
def test_a_start_stops_runs_that_no_worker_has_claimed_for_a_long_time(
    stage: Stage, clock: ManualClock, alive_for: int, status: str
) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who, "left"))
        clock.advance(hours=8)  # no worker ran all night
        worker = stage.runner().leases
        for _ in range(2):
            worker.heartbeat()
            clock.advance(seconds=alive_for)
        clock.advance(seconds=-alive_for)
        await stage.start(who, stage.bot(who, "new"))
        seen = stage.read(who, run)
        assert (seen.status, seen.stop_reason) == (status, None if status == "running" else "stale")

    asyncio.run(test())
