"""Which runs of a table may lose their details, and which may be deleted."""

from sqlalchemy import ColumnElement, delete, func, not_, select

from strategybot.kit.database import Session
from strategybot.runs.storage import BotRun, is_unfinished


def runs_to_trim(session: Session, model: type[BotRun], kept: int, most: int) -> list[str]:
    """Return ended runs with details beyond the newest `kept` of their bot, at most `most` of them."""
    detailed = select(model.bot_id).where(model.details_kept).group_by(model.bot_id)
    runs: list[str] = []
    for bot_id in session.scalars(detailed.having(func.count() > kept).limit(most)):
        of_bot = select(model.run_id).where(model.bot_id == bot_id, model.details_kept)
        ended = of_bot.where(not_(is_unfinished(model))).order_by(model.run_id.desc())
        runs += session.scalars(ended.offset(kept).limit(most - len(runs)))
        if len(runs) >= most:
            break
    return runs


def old_runs(
    session: Session, model: type[BotRun], kept: int, most: int, kept_first: ColumnElement[int] | None
) -> list[str]:
    """Return ended runs beyond `kept` of their bot, at most `most` of them.

    Those that come first by `kept_first` are kept, and of equal ones the newest.
    """
    crowded = select(model.bot_id).group_by(model.bot_id).having(func.count() > kept).limit(most)
    order = [model.run_id.desc()] if kept_first is None else [kept_first, model.run_id.desc()]
    runs: list[str] = []
    for bot_id in list(session.scalars(crowded)):
        ranked = select(model.run_id, is_unfinished(model).label("is_unfinished")).where(model.bot_id == bot_id)
        beyond = ranked.order_by(*order).offset(kept).limit(most - len(runs))
        runs += [run.run_id for run in session.execute(beyond) if not run.is_unfinished]
        if len(runs) >= most:
            break
    return runs


def delete_runs(session: Session, model: type[BotRun], run_ids: list[str]) -> None:
    """Delete these runs with everything that belongs to them."""
    session.execute(delete(model).where(model.run_id.in_(run_ids)))
