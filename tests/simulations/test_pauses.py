"""A paused simulation keeps its portfolio and processes no candle, even if its worker dies; then it can be resumed."""

import asyncio

import pytest

from strategybot.accounts.service import Principal
from strategybot.simulations.runner import Runner
from strategybot.simulations.schemas import SimulationView
from strategybot.simulations.service import SimulationNotFound, SimulationStopped, TooManySimulations
from tests.engines import on_both, on_sqlite_alone
from tests.simulations.stage import Later, Stage, proven

pytestmark = on_sqlite_alone

PAUSED_FOR = (90, 600, 5 * 3600)  # seconds; the last is longer than the lively bot looks back


def pause(stage: Stage, who: Principal, run: SimulationView) -> SimulationView:
    return stage.simulations.pause(who, run.bot_id, run.run_id)


def resume(stage: Stage, who: Principal, run: SimulationView) -> SimulationView:
    return stage.simulations.resume(who, run.bot_id, run.run_id)


@on_both
def test_a_paused_replay_processes_nothing_and_continues_where_it_was(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who))
        runner = stage.runner()
        await later(0, runner)
        await later(10, runner)
        paused = pause(stage, who, run)
        assert (paused.status, paused.candles_processed) == ("paused", 2)
        assert paused.paused_at == stage.clock()
        for _ in range(3):
            await later(60, runner)
        assert stage.read(who, run) == paused
        assert runner.active == {}
        again = resume(stage, who, run)
        assert (again.status, again.resumed_at) == ("running", stage.clock())
        assert again.portfolio == paused.portfolio
        await later(10, runner)
        seen = await proven(stage, who, run)
        assert (seen.status, seen.candles_processed) == ("running", 3)
        assert [entry.time for entry in seen.trade_log] == [kline.time for kline in seen.klines[:3]]

    asyncio.run(test())


@pytest.mark.parametrize("seconds", PAUSED_FOR)
@pytest.mark.parametrize("dies", [False, True], ids=["one process", "another process"])
def test_a_resumed_live_run_skips_the_candles_of_the_pause_and_logs_that(
    stage: Stage, later: Later, seconds: int, dies: bool
) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who), mode="live")
        runner = stage.runner()
        for _ in range(5):
            await later(60, runner)
        paused = pause(stage, who, run)
        await later(seconds, runner)
        assert stage.read(who, run) == paused
        resume(stage, who, run)
        runner = stage.runner() if dies else runner
        for _ in range(5):
            await later(60, runner)
        seen = await proven(stage, who, run)
        assert seen.candles_processed == paused.candles_processed + 5
        [told] = [entry for entry in seen.trade_log if entry.reason.startswith("paused:")]
        resumed = seen.resumed_at.timestamp() if seen.resumed_at else 0.0
        last = paused.trade_log[-1].time
        new = [entry.time for entry in seen.trade_log if entry.time > last and entry is not told]
        assert told.time + 60 <= resumed < new[0] + 60
        assert f"{(told.time - last) // 60} candles were skipped" in told.reason or "1 candle was" in told.reason
        assert sorted(set(new)) == [told.time + 60 * number for number in range(1, 6)]

    asyncio.run(test())


def test_an_entry_decided_before_a_pause_is_dropped_and_a_position_is_kept(stage: Stage, later: Later) -> None:
    async def test() -> None:
        who = await stage.user()
        run = await stage.start(who, stage.bot(who), mode="live")
        runner = stage.runner()
        dropped = kept = False
        for _ in range(60):
            await later(60, runner)
            now = stage.read(who, run)
            decided = bool(now.signals) and now.signals[-1].time == now.trade_log[-1].time
            is_entry = decided and now.signals[-1].side == "buy"
            is_held = now.portfolio.entry_price is not None
            if (is_entry and not dropped) or (is_held and not decided and not kept):
                paused = await paused_for_ten_minutes(stage, who, run, runner, later)
                dropped, kept = dropped or is_entry, kept or is_held
                told = next(e for e in reversed(stage.read(who, run).trade_log) if e.reason.startswith("paused:"))
                assert ("the entry decided before was dropped" in told.reason) is is_entry
                assert told.entry_price == paused.portfolio.entry_price
            if dropped and kept:
                break
        assert dropped
        assert kept
        await proven(stage, who, run)

    asyncio.run(test())


async def paused_for_ten_minutes(
    stage: Stage, who: Principal, run: SimulationView, runner: Runner, later: Later
) -> SimulationView:
    paused = pause(stage, who, run)
    await later(600, runner)
    resume(stage, who, run)
    await later(60, runner)
    return paused


def test_a_paused_run_counts_for_the_tier_is_replaced_by_a_new_one_and_can_be_stopped(stage: Stage) -> None:
    async def test() -> None:
        who = await stage.user()
        stage.services.operator.set_tier("ada@example.com", "free")
        who = Principal(who.owner_id, "free")
        bots = [stage.bot(who, name) for name in ("one", "two", "three", "four")]
        runs = [await stage.start(who, bot) for bot in bots[:3]]
        for run in runs:
            pause(stage, who, run)
        with pytest.raises(TooManySimulations):
            await stage.start(who, bots[3])
        await stage.start(who, bots[0])
        assert (stage.read(who, runs[0]).status, stage.read(who, runs[0]).stop_reason) == ("stopped", "replaced")
        stopped = stage.simulations.stop(who, bots[1], runs[1].run_id)
        assert (stopped.status, stopped.stop_reason) == ("stopped", "user")
        for act in (stage.simulations.pause, stage.simulations.resume):
            with pytest.raises(SimulationStopped, match="cannot be paused or resumed"):
                act(who, bots[1], runs[1].run_id)
        assert pause(stage, who, runs[2]).status == "paused"  # again: nothing changes
        assert resume(stage, who, runs[2]).status == "running"
        assert resume(stage, who, runs[2]).status == "running"
        await stage.start(who, bots[3])

    asyncio.run(test())


def test_runs_of_other_users_are_not_found(stage: Stage) -> None:
    async def test() -> None:
        ada, eve = await stage.user(), await stage.user("eve@example.com")
        run = await stage.start(ada, stage.bot(ada))
        for act in (stage.simulations.pause, stage.simulations.resume):
            with pytest.raises(SimulationNotFound):
                act(eve, run.bot_id, run.run_id)
        assert stage.read(ada, run).status == "running"

    asyncio.run(test())
