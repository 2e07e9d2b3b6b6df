"""Leases: a living worker keeps its runs; one that dies or leaves loses them at once or after six seconds."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from sqlalchemy import select

from strategybot.backtests.storage import Backtest
from strategybot.bots.storage import Bot
from strategybot.kit.database import Database, DatabaseUnavailable, Session
from strategybot.runs import leases
from strategybot.runs.leases import Lease, Leases
from strategybot.runs.presence import Presence
from strategybot.runs.storage import claim_queued
from tests.backtests.stage import Stage
from tests.support import ManualClock


class Process(Leases):
    """A worker that acts as its own process on this machine."""

    def __init__(self, stage: Stage, folder: Path) -> None:
        self.presence = Presence(folder)
        super().__init__(stage.database, stage.clock, self.presence)
        self.presence.enter(self.worker_id)
        self.heartbeat()

    def claims(self, run_id: str) -> int | None:
        with self._database.write() as session:
            run = self.claim(session, Backtest, run_id)
            if run is None:
                return None
            run.status = "running"
            return run.epoch

    def dies(self) -> None:
        with suppress(KeyError):  # it is dead already
            self.presence.leave(self.worker_id)


NewProcess = Callable[[], Process]


@pytest.fixture
def stage(database: Database, clock: ManualClock) -> Stage:
    return Stage(database, clock)


@pytest.fixture
def process(stage: Stage, tmp_path: Path) -> Iterator[NewProcess]:
    with ExitStack() as alive:

        def new_process() -> Process:
            process = Process(stage, tmp_path / "workers")
            alive.callback(process.dies)
            return process

        yield new_process


def workers(stage: Stage) -> int:
    with stage.database.read() as session:
        return leases.count_workers(session, stage.clock())


def test_a_run_of_a_process_that_died_on_this_machine_is_claimed_at_once(stage: Stage, process: NewProcess) -> None:
    one, other = process(), process()
    assert (one.claims(stage.run_id), other.claims(stage.run_id)) == (1, None)
    one.dies()
    assert other.claims(stage.run_id) == 2
    other.heartbeat()  # only now is the dead one removed
    assert (workers(stage), other.presence.find_gone()) == (1, [])


def test_a_claim_does_not_lock_the_bot_so_that_deleting_it_cannot_deadlock(stage: Stage, process: NewProcess) -> None:
    if stage.database.is_sqlite:
        pytest.skip("SQLite has one writer at a time")
    worker = process()
    with stage.database.write() as session:
        assert claim_queued(session, worker, Backtest, stage.run_id, stage.clock()) is not None
        bot = select(Bot.id).join(Backtest, Backtest.bot_id == Bot.id).where(Backtest.run_id == stage.run_id)
        with stage.database.write() as other:
            assert other.scalar(bot.with_for_update(of=Bot, nowait=True)) is not None


def test_a_silent_process_keeps_its_runs_for_six_seconds(stage: Stage, process: NewProcess) -> None:
    one, other = process(), process()
    assert one.claims(stage.run_id) == 1
    for seconds, epoch in ((6, None), (0.001, 2)):
        stage.clock.advance(seconds=seconds)
        assert other.claims(stage.run_id) == epoch


def test_a_claim_by_many_at_once_is_won_by_one(stage: Stage, process: NewProcess) -> None:
    rivals = [process() for _ in range(8)]

    async def test() -> list[int | None]:
        return await asyncio.gather(*(asyncio.to_thread(rival.claims, stage.run_id) for rival in rivals))

    assert sorted(epoch or 0 for epoch in asyncio.run(test())) == [0] * 7 + [1]


def test_a_process_that_shuts_down_releases_its_runs_at_once(stage: Stage, process: NewProcess, tmp_path: Path) -> None:
    leaving = Leases(stage.database, stage.clock, Presence(tmp_path / "workers"))

    async def test() -> None:
        async with leaving.heartbeating():
            assert workers(stage) == 1
            with stage.database.write() as session:
                run = claim_queued(session, leaving, Backtest, stage.run_id, stage.clock())
                assert run is not None
            assert process().claims(stage.run_id) is None

    asyncio.run(test())
    assert process().claims(stage.run_id) == 2


def test_a_database_outage_at_shutdown_is_no_error(stage: Stage, tmp_path: Path) -> None:
    class Away(Database):
        def write(self) -> None:  # type: ignore[override]
            raise DatabaseUnavailable

    away = Away(str(stage.database.engine.url))
    presence = Presence(tmp_path / "workers")

    async def test() -> None:
        async with Leases(away, stage.clock, presence).heartbeating():
            pass

    asyncio.run(test())
    assert len(presence.find_gone()) == 1  # processes on this machine need not wait
    away.close()


def test_only_held_and_unlocked_runs_may_be_written(stage: Stage, process: NewProcess) -> None:
    assert process().claims(stage.run_id) == 1
    ours, lost, gone = Lease(stage.run_id, 1), Lease(stage.run_id, 0), Lease(stage.bot_id, 1)

    def checked(session: Session) -> tuple[set[Lease], set[Lease]]:
        found = leases.lock_held(session, Backtest, [ours, lost, gone], Backtest.progress)
        assert all(row.progress == 0 for row in found.rows.values())
        return set(found.rows), found.locked

    with stage.database.write() as session:
        assert checked(session) == ({ours}, {ours})
        if not stage.database.is_sqlite:  # SQLite has one writer at a time
            with stage.database.write() as other:
                assert checked(other) == ({ours}, set())


def test_a_lease_that_its_worker_does_not_know_of_is_found(stage: Stage, process: NewProcess) -> None:
    one, other = process(), process()
    assert one.claims(stage.run_id) == 1
    with stage.database.read() as session:
        assert one.forgotten(session, Backtest, {stage.run_id}) == []
        assert one.forgotten(session, Backtest, set()) == [Lease(stage.run_id, 1)]
        assert other.forgotten(session, Backtest, set()) == []
