"""A rate per client in the memory of this process: for what is cheap, so that counting must cost nothing."""

import math
import time
from collections.abc import Callable

from strategybot.kit.errors import TooManyRequests
from strategybot.kit.limits import Rate

MOST_CLIENTS = 10_000


class ClientRate:
    """Admits a burst of `rate.count`, and then as many in each window. Not thread-safe: only for the event loop."""

    def __init__(self, rate: Rate, message: str, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self._message, self._now = rate, message, now
        self._window = rate.window.total_seconds()
        self.used_until: dict[str, float] = {}
        """When all admissions of the client are paid for, if each takes its part of the window."""

    def admit(self, client: str) -> None:
        """Count an admission. Raise `TooManyRequests` if the client has had too many."""
        now = self._now()
        until = max(now, self.used_until.get(client, now)) + self._window / self.rate.count
        if until - now > self._window:
            raise TooManyRequests(max(1, math.ceil(until - now - self._window)), self._message)
        if client not in self.used_until and len(self.used_until) >= MOST_CLIENTS:
            self._forget(now)
        self.used_until[client] = until

    def _forget(self, now: float) -> None:
        """Delete the clients that could make a whole burst again, and if there is none, the oldest."""
        self.used_until = {client: until for client, until in self.used_until.items() if until > now}
        if len(self.used_until) >= MOST_CLIENTS:
            del self.used_until[next(iter(self.used_until))]
