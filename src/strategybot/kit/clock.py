"""The only module that reads the time of day. All other code is given a clock, so that tests control the time."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]

LATEST_MOMENT = 4_102_444_800  # the year 2100; a larger number was meant in milliseconds
CATCH_UP = 0.05  # seconds per second


def system_clock() -> datetime:
    return datetime.now(UTC)


def utc_moment(unix_seconds: float) -> datetime:
    return datetime.fromtimestamp(unix_seconds, UTC)


def iso_text(moment: datetime) -> str:
    """Return the moment, which is UTC, as ISO 8601 in seconds."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def parse_iso(text: str) -> datetime | None:
    """Return the moment of an ISO 8601 text, which is UTC if it names no zone; None if the text is none."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _seconds_since_boot() -> float:
    """Return seconds that, unlike `time.monotonic`, also count while the machine sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class SteadyClock:
    """The time of day without jumps, for long-running processes.

    It starts at the system's time and then counts seconds. After the system clock is set, it catches up by at most 5%
    of the elapsed time and never runs backwards: otherwise limits, leases and simulations would wait for as long as the
    clock was set back.
    """

    def __init__(
        self, wall: Callable[[], float] = time.time, elapsed: Callable[[], float] = _seconds_since_boot
    ) -> None:
        self._wall, self._elapsed = wall, elapsed
        self._now, self._counted = wall(), elapsed()
        self._lock = threading.Lock()

    def __call__(self) -> datetime:
        with self._lock:
            counted = self._elapsed()
            passed, self._counted = counted - self._counted, counted
            most = CATCH_UP * passed
            gap = self._wall() - (self._now + passed)
            self._now += passed + max(-most, min(most, gap))
            return utc_moment(self._now)


steady_clock = SteadyClock()
