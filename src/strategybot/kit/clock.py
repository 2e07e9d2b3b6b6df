"""The only place that reads the time of day; everything else is handed a clock, so that tests hold time still."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]

LATEST_MOMENT = 4_102_444_800  # the year 2100: what is later was meant in milliseconds


def system_clock() -> datetime:
    return datetime.now(UTC)
