"""Deletes the details of old backtests: the newest of each bot keep theirs, older ones keep their metrics."""

from sqlalchemy import delete, update

from strategybot.backtests.storage import Backtest, Chunk
from strategybot.kit import retention
from strategybot.kit.database import Session


def runs_to_trim(session: Session, kept: int, most: int) -> list[str]:
    return retention.runs_to_trim(session, Backtest, kept, most)


def trim(session: Session, run_ids: list[str]) -> None:
    session.execute(delete(Chunk).where(Chunk.run_id.in_(run_ids)))
    runs = update(Backtest).where(Backtest.run_id.in_(run_ids))
    session.execute(runs.values(details_kept=False, equity_curve=None))
