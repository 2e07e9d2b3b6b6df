"""Deletes the details of old searches: the newest of each bot keep theirs, older ones keep their summary."""

from sqlalchemy import delete, func, select, update

from strategybot.kit.database import Session
from strategybot.research.storage import LIVE, Optimisation, ResearchRun, Survey, Variants


def optimisations_to_trim(session: Session, kept: int, most: int) -> list[str]:
    return _runs_to_trim(session, Optimisation, kept, most)


def surveys_to_trim(session: Session, kept: int, most: int) -> list[str]:
    return _runs_to_trim(session, Survey, kept, most)


def _runs_to_trim(session: Session, model: type[ResearchRun], kept: int, most: int) -> list[str]:
    """Return finished runs with details beyond the newest `kept` of their bot, at most `most` of them."""
    detailed = select(model.bot_id).where(model.details_kept).group_by(model.bot_id)
    runs: list[str] = []
    for bot_id in session.scalars(detailed.having(func.count() > kept).limit(most)):
        of_bot = select(model.run_id).where(model.bot_id == bot_id, model.details_kept)
        finished = of_bot.where(model.status.not_in(LIVE)).order_by(model.run_id.desc())
        runs += session.scalars(finished.offset(kept).limit(most - len(runs)))
        if len(runs) >= most:
            break
    return runs


def trim_optimisations(session: Session, run_ids: list[str]) -> None:
    session.execute(delete(Variants).where(Variants.run_id.in_(run_ids)))
    session.execute(update(Optimisation).where(Optimisation.run_id.in_(run_ids)).values(details_kept=False))


def trim_surveys(session: Session, run_ids: list[str]) -> None:
    session.execute(update(Survey).where(Survey.run_id.in_(run_ids)).values(details_kept=False, rows=[]))
