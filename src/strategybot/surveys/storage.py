"""The table of surveys: a run with a row for each token."""

from sqlalchemy import JSON, update
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.database import Session
from strategybot.kit.json_object import Json
from strategybot.runs.storage import QueuedRun
from strategybot.trading.words.portfolios import survivors_words


class Survey(QueuedRun):
    __tablename__ = "research_surveys"
    kind = "survey"
    long_columns = ("strategy", "rows")

    tokens: Mapped[list[Json]] = mapped_column(JSON)
    """Empty until the provider has returned the trending tokens."""
    trending: Mapped[str | None]
    tokens_total: Mapped[int]
    tokens_done: Mapped[int]
    rows: Mapped[list[Json]] = mapped_column(JSON)
    combined: Mapped[Json | None] = mapped_column(JSON(none_as_null=True))

    @property
    def notes(self) -> list[str]:
        """Return what the choice of tokens leaves out, once the survey has ended."""
        if self.combined is None or "younger" not in self.combined:
            return []
        return [survivors_words(self.tokens_total, self.combined["younger"])]


def trim(session: Session, run_ids: list[str]) -> None:
    """Delete the rows of these surveys; their summaries stay."""
    session.execute(update(Survey).where(Survey.run_id.in_(run_ids)).values(details_kept=False, rows=[]))
