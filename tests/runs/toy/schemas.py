"""Request and response bodies of the toy."""

from strategybot.kit.paging import PageView
from strategybot.runs.schemas import HistoryRequest, RunSummary


class CountRequest(HistoryRequest):
    """Count the candles of a span."""


class CountView(RunSummary):
    counted: int
    error: str | None
    details_kept: bool


class CountPage(PageView):
    counts: list[CountView]
    total_counts: int
