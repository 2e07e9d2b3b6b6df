"""Which runs of a table may lose their details."""

from typing import Any

from sqlalchemy import func, select

from strategybot.kit.database import Session


def runs_to_trim(session: Session, model: Any, kept: int, most: int) -> list[str]:
    """Return ended runs with details beyond the newest `kept` of their bot, at most `most` of them.

    `model` is a `Leased` table with `bot_id` and `details_kept`.
    """
    detailed = select(model.bot_id).where(model.details_kept).group_by(model.bot_id)
    runs: list[str] = []
    for bot_id in session.scalars(detailed.having(func.count() > kept).limit(most)):
        of_bot = select(model.run_id).where(model.bot_id == bot_id, model.details_kept)
        ended = of_bot.where(model.status.not_in(model.live_statuses)).order_by(model.run_id.desc())
        runs += session.scalars(ended.offset(kept).limit(most - len(runs)))
        if len(runs) >= most:
            break
    return runs
