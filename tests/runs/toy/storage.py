"""The table of the toy: a run that counts."""

from sqlalchemy import update
from sqlalchemy.orm import Mapped

from strategybot.kit.database import Session
from strategybot.runs.storage import QueuedRun


class Count(QueuedRun):
    __tablename__ = "counts"
    kind = "count"

    counted: Mapped[int]


def trim(session: Session, run_ids: list[str]) -> None:
    session.execute(update(Count).where(Count.run_id.in_(run_ids)).values(details_kept=False, counted=0))
