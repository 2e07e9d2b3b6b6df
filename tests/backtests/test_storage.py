"""Leases of runs: a worker that lost a run, because of a stop or a takeover, cannot write it again."""

from collections.abc import Callable

import numpy as np
import pytest

from strategybot.backtests import chunks
from strategybot.backtests.rows import signals_of, trades_of
from strategybot.backtests.storage import Backtest, BacktestOutcome
from strategybot.kit.database import Database
from strategybot.kit.identifiers import new_id
from strategybot.runs import storage as runs
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.filled import Table, fills_of_whole_trades
from strategybot.trading.engine.tables import signal_fields, signal_rows, trade_fields, trade_rows
from tests.backtests.stage import PLAN, Stage
from tests.support import ManualClock


def table(count: int, fields: np.dtype[np.void]) -> Table:
    """Return rows that differ in every byte of the table."""
    noise = np.random.default_rng(count).integers(1, 6, count * fields.itemsize, np.uint8)  # also a known reason
    return noise.view(fields)


def trades(count: int) -> chunks.Packed:
    return packed(table(count, trade_fields(PLAN)))


def packed(whole: Table) -> chunks.Packed:
    return chunks.pack(len(whole), lambda first, limit: whole[first : first + limit])


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
    whole = trade_rows(PLAN, Costs(), bought, fills_of_whole_trades(bought), 1)
    with stage.database.read() as session:
        run = runs.find_run(session, Backtest, stage.owner_id, stage.bot_id, stage.run_id)
        assert run is not None
        for offset, limit in ((0, 20), (0, 5000), (490, 20), (499, 2), (500, 100), (1200, 100), (9_999_999, 100)):
            assert [each.row for each in trades_of(session, run, offset, limit)] == whole[offset : offset + limit]
        assert [each.row for each in signals_of(session, run, 2, 100)] == signal_rows(PLAN, decided)[2:]
