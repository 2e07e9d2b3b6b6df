"""Stands before the provider: equal questions in flight are asked once, fresh answers are given again, a provider that
cannot be reached is left alone for a while, and every call is counted.
"""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from strategybot.market.provider import ProviderUnreachable

Answer = TypeVar("Answer")
Call = Callable[[], Awaitable[Answer]]
Charged = Callable[[str, int], None]

MOST_ANSWERS_KEPT = 2_000
FAILURES_TO_OPEN = 10
SECONDS_LEFT_ALONE = 5.0


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    what: str
    """As the specification names it in an error."""
    cost_units: int
    fresh_seconds: float


SEARCH = Operation("search", "tokens", 5, 10)
PRICES = Operation("prices", "batch prices", 100, 2)
TOKEN = Operation("token", "token details", 5, 5)
KLINES = Operation("klines", "klines", 10, 2)
TRENDING = Operation("trending", "trending tokens", 5, 15)
RISK = Operation("risk", "token risk", 10, 60)
QUOTE = Operation("quote", "chain quote", 0, 0)
SWAP = Operation("swap", "chain swap", 0, 0)


@dataclass(slots=True)
class Breaker:
    """Open after many failures in a row to reach the provider; any answer at all closes it."""

    failures: int = 0
    closed_again_at: float = 0.0

    def check(self, now: float) -> None:
        if now < self.closed_again_at:
            rest = max(1, round(self.closed_again_at - now))
            raise ProviderUnreachable(f"the provider cannot be reached; the next try is in {rest} s")

    def record(self, now: float, *, reached: bool) -> None:
        self.failures = 0 if reached else self.failures + 1
        if self.failures >= FAILURES_TO_OPEN:
            self.closed_again_at = now + SECONDS_LEFT_ALONE


@dataclass
class Guard:
    charged: Sequence[Charged]
    """Told of every call before it is made."""
    monotonic: Callable[[], float] = time.monotonic
    _answers: OrderedDict[Hashable, tuple[float, Any]] = field(default_factory=OrderedDict)
    _flights: dict[Hashable, asyncio.Task[Any]] = field(default_factory=dict)
    _breakers: dict[str, Breaker] = field(default_factory=dict)

    async def ask(self, operation: Operation, question: Hashable, call: Call[Answer]) -> Answer:
        """The answer to an equal question that is fresh or under way, else a new one."""
        key = (operation.name, question)
        until, answer = self._answers.get(key, (0.0, None))
        if self.monotonic() < until:
            return answer  # type: ignore[no-any-return]  # stored under the same key
        if key not in self._flights:
            self._flights[key] = self._take_off(key, operation, call)
        # Shielded: one caller that goes away must not take the answer from the others.
        return await asyncio.shield(self._flights[key])

    async def ask_once(self, operation: Operation, call: Call[Answer]) -> Answer:
        """A call of one's own, shared with nobody."""
        breaker = self._breakers.setdefault(operation.name, Breaker())
        breaker.check(self.monotonic())
        for charge in self.charged:
            charge(operation.name, operation.cost_units)
        try:
            answer = await call()
        except ProviderUnreachable:
            breaker.record(self.monotonic(), reached=False)
            raise
        except Exception:  # whatever it said, it was there to say it
            breaker.record(self.monotonic(), reached=True)
            raise
        breaker.record(self.monotonic(), reached=True)
        return answer

    def _take_off(self, key: Hashable, operation: Operation, call: Call[Answer]) -> asyncio.Task[Answer]:
        flight = asyncio.ensure_future(self._fly(key, operation, call))
        flight.add_done_callback(lambda _: self._flights.pop(key, None))
        # If every caller went away, nobody is left to hear of an error.
        flight.add_done_callback(lambda task: task.cancelled() or task.exception())
        return flight

    async def _fly(self, key: Hashable, operation: Operation, call: Call[Answer]) -> Answer:
        answer = await self.ask_once(operation, call)
        if operation.fresh_seconds:
            self._answers[key] = (self.monotonic() + operation.fresh_seconds, answer)
            while len(self._answers) > MOST_ANSWERS_KEPT:
                self._answers.popitem(last=False)
        return answer


class Charges:
    """What calls have cost since the last time somebody wrote it down."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()
        self._units: Counter[str] = Counter()

    def add(self, operation: str, cost_units: int) -> None:
        self._calls[operation] += 1
        self._units[operation] += cost_units

    def take(self) -> list[tuple[str, int, int]]:
        """Operation, calls and units; from here on they are the taker's to keep."""
        calls, units = self._calls, self._units
        self._calls, self._units = Counter(), Counter()
        return [(operation, calls[operation], units[operation]) for operation in calls]
