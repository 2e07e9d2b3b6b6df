"""Which runs need a verdict, and who gives it. The grader itself stands in `research`, which comes after this slice."""

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
    """For a runner whose results nobody grades."""

    async def grade(self, finished: FinishedRun) -> None:
        """Leave the run without a verdict."""


def needs_verdict(run: Backtest, now: datetime) -> bool:
    """Is there none yet, or one that still waits for other tokens although nobody can be at work on it?"""
    if run.status != "completed" or run.verdict_error is not None:
        return False
    if run.verdict is None:
        return True
    graded_at = datetime.fromisoformat(run.verdict["graded_at"])
    return bool(run.verdict["other_tokens_pending"]) and now - graded_at > PENDING_FOR_TOO_LONG
