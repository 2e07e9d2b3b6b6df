"""Deletes the details of old simulations: the newest of each bot keep theirs, older ones keep their portfolio."""

from sqlalchemy import delete, update

from strategybot.kit import retention
from strategybot.kit.database import Session
from strategybot.simulations.storage import Fetched, Simulation, Step


def runs_to_trim(session: Session, kept: int, most: int) -> list[str]:
    return retention.runs_to_trim(session, Simulation, kept, most)


def trim(session: Session, run_ids: list[str]) -> None:
    for table in (Step, Fetched):
        session.execute(delete(table).where(table.run_id.in_(run_ids)))
    session.execute(update(Simulation).where(Simulation.run_id.in_(run_ids)).values(details_kept=False))
