"""Deletes the details of old simulations: the newest of each bot keep theirs, older ones keep their portfolio."""

from sqlalchemy import delete, func, select, update

from strategybot.kit.database import Session
from strategybot.simulations.storage import Fetched, Simulation, Step


def runs_to_trim(session: Session, kept: int, most: int) -> list[str]:
    """Return stopped runs with details beyond the newest `kept` of their bot, at most `most` of them."""
    detailed = select(Simulation.bot_id).where(Simulation.details_kept).group_by(Simulation.bot_id)
    runs: list[str] = []
    for bot_id in session.scalars(detailed.having(func.count() > kept).limit(most)):
        of_bot = select(Simulation.run_id).where(Simulation.bot_id == bot_id, Simulation.details_kept)
        stopped = of_bot.where(Simulation.status == "stopped").order_by(Simulation.run_id.desc())
        runs += session.scalars(stopped.offset(kept).limit(most - len(runs)))
        if len(runs) >= most:
            break
    return runs


def trim(session: Session, run_ids: list[str]) -> None:
    for table in (Step, Fetched):
        session.execute(delete(table).where(table.run_id.in_(run_ids)))
    session.execute(update(Simulation).where(Simulation.run_id.in_(run_ids)).values(details_kept=False))
