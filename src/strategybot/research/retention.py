"""Deletes the details of old searches: the newest of each bot keep theirs, older ones keep their summary."""

from sqlalchemy import delete, update

from strategybot.kit.database import Session
from strategybot.kit.retention import runs_to_trim
from strategybot.research.storage import Optimisation, Survey, Variants


def optimisations_to_trim(session: Session, kept: int, most: int) -> list[str]:
    return runs_to_trim(session, Optimisation, kept, most)


def surveys_to_trim(session: Session, kept: int, most: int) -> list[str]:
    return runs_to_trim(session, Survey, kept, most)


def trim_optimisations(session: Session, run_ids: list[str]) -> None:
    session.execute(delete(Variants).where(Variants.run_id.in_(run_ids)))
    session.execute(update(Optimisation).where(Optimisation.run_id.in_(run_ids)).values(details_kept=False))


def trim_surveys(session: Session, run_ids: list[str]) -> None:
    session.execute(update(Survey).where(Survey.run_id.in_(run_ids)).values(details_kept=False, rows=[]))
