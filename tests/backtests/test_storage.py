"""Leases of runs: a worker that lost a run, because of a stop or a takeover, cannot write it again."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import func, select

from strategybot.accounts.storage import add_visitor
from strategybot.backtests import chunks, storage
from strategybot.backtests.storage import Backtest, BacktestOutcome, Chunk
from strategybot.bots.storage import Bot
from strategybot.kit.database import Database, Session
from strategybot.kit.identifiers import new_id
from strategybot.runs import leases
from strategybot.runs import storage as runs
from strategybot.runs.leases import Lease, Leases
from strategybot.runs.presence import Presence
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.tables import Table, signal_fields, signal_rows, trade_fields, trade_rows
from strategybot.trading.language.strategy import Strategy
from tests.support import STRATEGY, ManualClock

COMPLETED = BacktestOutcome("completed", metrics={"total_trades": 1200}, data_report={"received": 9}, equity_curve=[])


PLAN = Strategy.model_validate(STRATEGY)


def table(count: int, fields: np.dtype[np.void]) -> Table:
    """Return rows that differ in every byte of the table."""
    noise = np.random.default_rng(count).integers(1, 6, count * fields.itemsize, np.uint8)  # also a known reason
    return noise.view(fields)


def trades(count: int) -> chunks.Packed:
    return packed(table(count, trade_fields(PLAN)))


def packed(whole: Table) -> chunks.Packed:
    return chunks.packed(len(whole), lambda first, limit: whole[first : first + limit])


class Stage:
    """One run in a database with its clock, and the operations of workers and owner on it."""

    def __init__(self, database: Database, clock: ManualClock) -> None:
        self.database, self.clock, self.run_id = database, clock, new_id()
        with database.write() as session:
            self.bot_id, self.owner_id = _bot(session, clock())
            assert runs.add(session, self.new_run())

    def new_run(self, **fields: Any) -> Backtest:
        now = self.clock()
        values = {
            "run_id": self.run_id, "bot_id": self.bot_id, "owner_id": self.owner_id, "status": "pending", "progress": 0.0,
            "epoch": 0, "created_at": now, "token": "x", "chain": "solana", "kline_interval": "1m",
            "start_time": 0, "end_time": 3600, "initial_cash": 1.0, "fee_percent": 0.0, "slippage_percent": 0.0,
            "strategy": PLAN, "trade_count": 0, "signal_count": 0,
        }  # fmt: skip
        return Backtest(**{**values, **fields})

    def worker(self) -> Leases:
        """Return a new worker that is alive."""
        self.newest_worker = Leases(self.database, self.clock, Presence(Path("nowhere")))
        self.newest_worker.heartbeat()
        return self.newest_worker

    def claim(self) -> int | None:
        """Return the epoch of the run if a new worker could claim it."""
        worker = self.worker()
        with self.database.write() as session:
            run = runs.claim_queued(session, worker, Backtest, self.run_id, self.clock())
            return None if run is None else run.epoch

    def finish(self, epoch: int, outcome: BacktestOutcome = COMPLETED) -> bool:
        with self.database.write() as session:
            return storage.finish(session, Lease(self.run_id, epoch), outcome, self.clock())

    def save_progress(self, *epochs: int, percent: float = 50.0) -> set[int]:
        with self.database.write() as session:
            progress = {Lease(self.run_id, epoch): percent for epoch in epochs}
            return {epoch for _, epoch in runs.save_progress(session, Backtest, progress)}

    def stop(self) -> None:
        with self.database.write() as session:
            run = runs.find_run(session, Backtest, self.owner_id, self.bot_id, self.run_id, lock=True)
            assert run is not None
            runs.end(session, run, "stopped", self.clock())

    def abandon(self, epoch: int) -> None:
        with self.database.write() as session:
            leases.abandon(session, Backtest, [Lease(self.run_id, epoch)])

    def unheld(self) -> list[str]:
        with self.database.read() as session:
            return leases.unheld_ids(session, Backtest, leases.unheld(Backtest, self.clock()))

    def seen(self) -> dict[str, Any]:
        with self.database.read() as session:
            run = runs.find_run(session, Backtest, self.owner_id, self.bot_id, self.run_id)
            assert run is not None
            chunks = session.scalar(select(func.count()).where(Chunk.run_id == self.run_id))
            names = [column.key for column in Backtest.__table__.columns]
            return {"chunks": chunks, **{name: getattr(run, name) for name in names}}


def _bot(session: Session, now: datetime) -> tuple[str, str]:
    owner_id, bot_id = add_visitor(session, new_id(), now).id, new_id()
    session.add(Bot(id=bot_id, owner_id=owner_id, name="x", description="", revision=0, created_at=now, updated_at=now))
    session.flush()
    return bot_id, owner_id


@pytest.fixture
def stage(database: Database, clock: ManualClock) -> Stage:
    return Stage(database, clock)


def test_a_run_is_claimed_by_one_worker_and_taken_over_only_when_that_worker_is_silent(stage: Stage) -> None:
    assert stage.claim() == 1
    owner = stage.newest_worker
    stage.clock.advance(seconds=6)
    assert (stage.claim(), stage.unheld()) == (None, [])  # its last heartbeat was six seconds ago: not yet
    owner.heartbeat()
    assert stage.save_progress(1, percent=42.5) == {1}
    assert stage.seen()["progress"] == 42.5
    stage.clock.advance(seconds=6.001)
    assert stage.unheld() == [stage.run_id]
    started = stage.seen()["started_at"]
    assert stage.claim() == 2
    assert (stage.seen()["status"], stage.seen()["started_at"]) == ("running", started)


def _taken_over(stage: Stage) -> None:
    stage.clock.advance(seconds=11)
    assert stage.claim() == 2


def _stopped_after_a_take_over(stage: Stage) -> None:
    _taken_over(stage)
    stage.stop()


def _abandoned(stage: Stage) -> None:
    stage.abandon(1)


def _finished(stage: Stage) -> None:
    assert stage.finish(1)


def _finished_by_another(stage: Stage) -> None:
    _taken_over(stage)
    assert stage.finish(2, BacktestOutcome("failed", error="no"))


@pytest.mark.parametrize(
    "happened", [_taken_over, _stopped_after_a_take_over, _abandoned, _finished, _finished_by_another]
)
def test_a_worker_that_lost_a_run_changes_nothing(stage: Stage, happened: Callable[[Stage], None]) -> None:
    assert stage.claim() == 1
    happened(stage)
    before = stage.seen()
    stage.clock.advance(seconds=1)
    assert not stage.finish(1, BacktestOutcome("completed", metrics={}, data_report={}, trades=trades(3)))
    stage.abandon(1)
    assert stage.save_progress(1) == set()
    assert stage.seen() == before


@pytest.mark.parametrize("status", ["completed", "failed", "stopped"])
def test_a_finished_run_is_never_claimed(stage: Stage, status: str) -> None:
    assert stage.claim() == 1
    if status == "stopped":
        stage.stop()
    else:
        stage.finish(1, BacktestOutcome(status))  # type: ignore[arg-type]
    stage.clock.advance(days=1)
    assert (stage.claim(), stage.unheld(), stage.seen()["status"]) == (None, [], status)


def test_a_stopped_run_keeps_its_partial_result_once_and_stays_stopped(stage: Stage) -> None:
    assert stage.claim() == 1
    stage.clock.advance(seconds=1)
    stage.stop()
    stopped_at = stage.clock()
    stage.clock.advance(seconds=1)
    partial = BacktestOutcome(
        "completed", metrics={"x": 1}, data_report={"received": 5}, equity_curve=[], trades=trades(501)
    )
    assert stage.finish(1, partial)
    run = stage.seen()
    assert (run["status"], run["metrics"], run["finished_at"]) == ("stopped", None, stopped_at)
    assert (run["trade_count"], run["chunks"], run["data_report"]) == (501, 2, {"received": 5})
    assert not stage.finish(1, partial)
    assert stage.seen() == run


def test_an_abandoned_run_is_free_at_once_and_continues_under_a_new_epoch(stage: Stage) -> None:
    assert stage.claim() == 1
    stage.abandon(1)
    assert (stage.unheld(), stage.seen()["status"]) == ([stage.run_id], "pending")
    assert stage.claim() == 2
    assert stage.finish(2)
    run = stage.seen()
    assert (run["status"], run["progress"], run["metrics"]) == ("completed", 100, {"total_trades": 1200})


def test_a_run_that_is_lost_with_its_worker_too_often_fails_with_a_message(stage: Stage) -> None:
    for number in range(1, 6):
        assert stage.claim() == number
        stage.clock.advance(seconds=11)
    assert stage.claim() is None
    run = stage.seen()
    assert (run["status"], run["finished_at"]) == ("failed", stage.clock())
    assert run["error"] == "The service stopped in the middle of this run 5 times; it was given up."


def test_saving_progress_does_not_wait_for_a_locked_row(stage: Stage) -> None:
    """Otherwise it could deadlock with a request that deletes an owner or moves a visitor's runs."""
    if stage.database.is_sqlite:
        pytest.skip("SQLite has one writer at a time")
    assert stage.claim() == 1
    with stage.database.write() as session:
        assert runs.find_run(session, Backtest, stage.owner_id, stage.bot_id, stage.run_id, lock=True)
        assert stage.save_progress(1, percent=77) == {1}
    assert stage.seen()["progress"] == 0
    assert stage.save_progress(1, percent=77) == {1}
    assert stage.seen()["progress"] == 77


def test_a_run_of_a_bot_that_has_just_been_deleted_is_not_added(stage: Stage) -> None:
    with pytest.raises(LookupError), stage.database.write() as session:
        if not runs.add(session, stage.new_run(run_id=new_id(), bot_id=new_id())):
            raise LookupError


@pytest.mark.parametrize("count", [0, 1, 499, 500, 501, 1234])
def test_rows_are_read_page_by_page_as_they_were_written(stage: Stage, count: int) -> None:
    assert stage.claim() == 1
    bought, decided = table(count, trade_fields(PLAN)), table(7, signal_fields(PLAN))
    stage.finish(1, BacktestOutcome("completed", data_report={}, trades=packed(bought), signals=packed(decided)))
    whole = trade_rows(PLAN, Costs(), bought, 1)
    with stage.database.read() as session:
        run = runs.find_run(session, Backtest, stage.owner_id, stage.bot_id, stage.run_id)
        assert run is not None
        for offset, limit in ((0, 20), (0, 5000), (490, 20), (499, 2), (500, 100), (1200, 100), (9_999_999, 100)):
            assert storage.trades_of(session, run, offset, limit) == whole[offset : offset + limit]
        assert storage.signals_of(session, run, 2, 100) == signal_rows(PLAN, decided)[2:]
