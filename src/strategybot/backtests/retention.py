"""Deletes the details of old backtests: the newest of each bot keep theirs, older ones keep their metrics."""

from sqlalchemy import delete, func, select, update

from strategybot.backtests.storage import LIVE, Backtest, Chunk
from strategybot.kit.database import Session


def runs_to_trim(session: Session, kept: int, most: int) -> list[str]:
    """Return finished runs with details beyond the newest `kept` of their bot, at most `most` of them."""
    detailed = select(Backtest.bot_id).where(Backtest.details_kept).group_by(Backtest.bot_id)
    runs: list[str] = []
    for bot_id in session.scalars(detailed.having(func.count() > kept).limit(most)):
        of_bot = select(Backtest.run_id).where(Backtest.bot_id == bot_id, Backtest.details_kept)
        finished = of_bot.where(Backtest.status.not_in(LIVE)).order_by(Backtest.run_id.desc())
        runs += session.scalars(finished.offset(kept).limit(most - len(runs)))
        if len(runs) >= most:
            break
    return runs


def trim(session: Session, run_ids: list[str]) -> None:
    session.execute(delete(Chunk).where(Chunk.run_id.in_(run_ids)))
    runs = update(Backtest).where(Backtest.run_id.in_(run_ids))
    session.execute(runs.values(details_kept=False, equity_curve=None))
