"""A database with a bot, and backtests that are planned and ended by hand."""

from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from strategybot.accounts.storage import add_visitor
from strategybot.backtests import storage
from strategybot.backtests.storage import Backtest, BacktestOutcome, Chunk
from strategybot.bots.storage import Bot
from strategybot.kit.database import Database, Session
from strategybot.kit.identifiers import new_id
from strategybot.runs import leases
from strategybot.runs import storage as runs
from strategybot.runs.leases import Lease, Leases
from strategybot.runs.presence import Presence
from strategybot.trading.language.strategy import Strategy
from tests.support import STRATEGY, ManualClock

COMPLETED = BacktestOutcome("completed", metrics={"total_trades": 1200}, data_report={"received": 9}, equity_curve=[])


PLAN = Strategy.model_validate(STRATEGY)


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
