"""The only place that reads the time of day; everything else is handed a clock, so that tests hold time still."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]

LATEST_MOMENT = 4_102_444_800  # the year 2100: what is later was meant in milliseconds
CATCH_UP = 0.05  # seconds a second


def system_clock() -> datetime:
    return datetime.now(UTC)


def _seconds_since_boot() -> float:
    """Unlike `time.monotonic` it goes on while the machine sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class SteadyClock:
    """The time of day without jumps, for a process that runs for long.

    It begins with the system's time and then counts seconds. When somebody sets the system's clock, it catches up by
    at most 5 % and never runs backwards: limits, leases and simulations would otherwise wait for as long as the clock
    was set back.
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
            return datetime.fromtimestamp(self._now, UTC)


steady_clock = SteadyClock()
