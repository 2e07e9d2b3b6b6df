"""Which runs need a verdict, and the interface of the grader. The implementation is in `research`, which imports this
slice.
"""

from datetime import datetime, timedelta
from typing import Protocol

from strategybot.backtests.schemas import FinishedRun
from strategybot.backtests.storage import Backtest

PENDING_FOR_TOO_LONG = timedelta(minutes=10)
NOT_GRADED = "The verdict could not be computed. The result itself is complete."


class Grader(Protocol):
    async def grade(self, finished: FinishedRun) -> None:
        """Compute the verdict and save it with the run."""


class NoGrader:
    """A grader for runners whose results need no verdict."""

    async def grade(self, finished: FinishedRun) -> None:
        """Leave the run without a verdict."""


def needs_verdict(run: Backtest, now: datetime) -> bool:
    """Return whether the run has no verdict, or one that waits for other tokens longer than any grader takes."""
    if run.status != "completed" or run.verdict_error is not None:
        return False
    if run.verdict is None:
        return True
    graded_at = datetime.fromisoformat(run.verdict["graded_at"])
    return bool(run.verdict["other_tokens_pending"]) and now - graded_at > PENDING_FOR_TOO_LONG
