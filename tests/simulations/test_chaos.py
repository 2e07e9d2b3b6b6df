"""Workers are killed with kill -9 while simulations are started, stopped and replaced. Then every run is checked: nothing
that was acknowledged is lost, no candle is missing or stored twice, one simulation runs a bot, and each portfolio equals
the engine's.

`make chaos` has more cycles.
"""

import asyncio
import os
import random
import time
from pathlib import Path

from strategybot.accounts.service import Principal
from strategybot.kit.paging import Paging
from strategybot.simulations.schemas import SimulationView
from tests.simulations.nursery import Nursery, QuickClock
from tests.simulations.stage import Stage

CYCLES = int(os.environ.get("CHAOS_CYCLES", "24"))
SPEED = 60  # a check interval of ten seconds takes a sixth of one
BOTS = 6
PATIENCE_SECONDS = 60


class Chaos:
    """What users were told, to be compared with the database."""

    def __init__(self, stage: Stage, who: Principal, chance: random.Random) -> None:
        self.stage, self.who, self.chance = stage, who, chance
        self.bots = [stage.bot(who, f"Bot {number}") for number in range(BOTS)]
        self.acknowledged: dict[str, SimulationView] = {}

    async def act(self) -> None:
        """Do what users do: start (which replaces the running one), stop, read."""
        bot = self.chance.choice(self.bots)
        if self.chance.random() < 0.15:
            self.learn(await self.stage.start(self.who, bot, mode=self.chance.choice(["replay", "live"])))
        elif self.chance.random() < 0.1 and (run := self.newest(bot)):
            self.learn(self.stage.simulations.stop(self.who, bot, run))
        self.look(3)

    def look(self, runs: int) -> int:
        """Read some of the runs, as an open page does; return how many candles were seen."""
        for run in self.chance.sample(list(self.acknowledged.values()), min(runs, len(self.acknowledged))):
            self.learn(self.stage.read(self.who, run))
        return sum(run.candles_processed for run in self.acknowledged.values())

    async def work_is_seen(self) -> None:
        """Let half of the workers live until they have saved something: on a busy machine all would die before that."""
        known, deadline = self.look(BOTS), time.monotonic() + 2
        while self.look(BOTS) == known and time.monotonic() < deadline:  # noqa: ASYNC110 - the database
            await asyncio.sleep(0.05)

    def newest(self, bot: str) -> str | None:
        found = self.stage.simulations.page(self.who, bot, Paging(1, 1)).simulations
        return found[0].run_id if found else None

    def learn(self, now: SimulationView) -> None:
        """Check the run against what was seen before: its log only grows, and a stopped run does not change."""
        before = self.acknowledged.get(now.run_id)
        if before is not None:
            assert now.trade_log[: len(before.trade_log)] == before.trade_log
            assert now.signals[: len(before.signals)] == before.signals
            assert now.klines[: len(before.klines)] == before.klines
            assert now.candles_processed >= before.candles_processed
            assert before.status == "running" or now == before
        self.acknowledged[now.run_id] = now

    async def check(self) -> None:
        """Compare every run with the engine, and with what users were told."""
        for bot in self.bots:
            assert self.stage.running(self.who, bot) <= 1
            for run in self.stage.simulations.page(self.who, bot, Paging(1, 100)).simulations:
                assert run.run_id in self.acknowledged
        for run in self.acknowledged.values():
            report = await self.stage.simulations.parity(self.who, run.bot_id, run.run_id)
            assert report.differences == []
            times = sorted({entry.time for entry in run.trade_log})
            assert times == list(range(times[0], times[0] + 60 * len(times), 60))
            assert len(times) == run.candles_processed
            assert [entry.number for entry in run.trade_log] == list(range(1, len(run.trade_log) + 1))
            assert run.stop_reason in {None, "user", "replaced", "completed"}
            assert run.stop_reason != "completed" or run.candles_processed == 60

    async def all_come_on(self) -> None:
        """Check that every running simulation continues once no worker is killed any more."""
        self.look(CYCLES)
        running = [run for run in self.acknowledged.values() if run.status == "running"]
        async with asyncio.timeout(PATIENCE_SECONDS):
            while any(self.acknowledged[run.run_id].candles_processed == run.candles_processed for run in running):
                await asyncio.sleep(0.1)
                self.look(CYCLES)


def test_workers_killed_at_any_moment_leave_every_portfolio_correct(tmp_path: Path, database_url: str) -> None:
    clock, chance = QuickClock(time.time(), SPEED), random.Random(11)
    stage = Stage(tmp_path, database_url, clock)
    at_once = 1 if stage.database.is_sqlite else 2  # several processes need PostgreSQL
    cycles = CYCLES // 3 if stage.database.is_sqlite else CYCLES

    async def test(nursery: Nursery) -> None:
        chaos = Chaos(stage, await stage.user(), chance)
        for bot in chaos.bots:
            chaos.learn(await stage.start(chaos.who, bot, mode=chance.choice(["replay", "live"])))
        workers = [nursery.worker() for _ in range(at_once)]
        for cycle in range(cycles):
            await asyncio.sleep(chance.uniform(0.02, 0.2))
            if cycle % 2:
                await chaos.work_is_seen()
            nursery.kill(workers.pop(chance.randrange(at_once)))
            workers.append(nursery.worker())
            await chaos.act()
        assert chaos.look(CYCLES) > len(chaos.acknowledged) + cycles // 4  # the runs made progress in between
        await chaos.all_come_on()
        for worker in workers:
            nursery.kill(worker)
        await chaos.check()

    try:
        with Nursery(database_url, clock, tmp_path / "workers") as nursery:
            asyncio.run(test(nursery))
    finally:
        stage.close()
