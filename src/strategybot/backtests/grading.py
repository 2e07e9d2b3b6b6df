"""Which runs need a verdict."""

from datetime import datetime, timedelta

from strategybot.backtests.storage import Backtest

PENDING_FOR_TOO_LONG = timedelta(minutes=10)
NOT_GRADED = "The verdict could not be computed. The result itself is complete."


def needs_verdict(run: Backtest, now: datetime) -> bool:
    """Return whether the run has no verdict, or one that waits for other tokens longer than any grader takes."""
    if run.status != "completed" or run.verdict_error is not None:
        return False
    if run.verdict is None:
        return True
    graded_at = datetime.fromisoformat(run.verdict["graded_at"])
    return bool(run.verdict["other_tokens_pending"]) and now - graded_at > PENDING_FOR_TOO_LONG
