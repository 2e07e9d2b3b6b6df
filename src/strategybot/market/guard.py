"""Stands before the provider: equal questions of one moment are asked once, a provider that cannot be reached is left
alone for a while, and every call is counted. A moment later it is asked again: its faults show when it has them.
"""

import asyncio
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from strategybot.market.provider import NotAdmitted, ProviderError, ProviderUnreachable

Answer = TypeVar("Answer")
Call = Callable[[], Awaitable[Answer]]
Charged = Callable[[str, int], None]

MOST_ANSWERS_KEPT = 1_000  # of one operation
A_MOMENT = 0.25  # seconds: who asks with all the others may be a little late
FAILURES_TO_OPEN = 10
SECONDS_LEFT_ALONE = 5.0


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    what: str
    """As the specification names it in an error."""
    cost_units: int
    fresh_seconds: float


SEARCH = Operation("search", "tokens", 5, A_MOMENT)
PRICES = Operation("prices", "batch prices", 100, A_MOMENT)
TOKEN = Operation("token", "token details", 5, A_MOMENT)
KLINES = Operation("klines", "klines", 10, A_MOMENT)
TRENDING = Operation("trending", "trending tokens", 5, A_MOMENT)
RISK = Operation("risk", "token risk", 10, A_MOMENT)
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
        self.closed_again_at = now + SECONDS_LEFT_ALONE if self.failures >= FAILURES_TO_OPEN else 0.0


@dataclass(slots=True)
class Flight:
    """One piece of work and how many wait for it."""

    task: asyncio.Task[Any]
    passengers: int = 0


@dataclass
class Guard:
    charged: Sequence[Charged]
    """Told of every call that was made, whatever came of it."""
    monotonic: Callable[[], float] = time.monotonic
    _answers: defaultdict[str, OrderedDict[Hashable, tuple[float, Any]]] = field(
        default_factory=lambda: defaultdict(OrderedDict)
    )
    _flights: dict[Hashable, Flight] = field(default_factory=dict)
    _breakers: defaultdict[str, Breaker] = field(default_factory=lambda: defaultdict(Breaker))

    async def ask(self, operation: Operation, question: Hashable, call: Call[Answer]) -> Answer:
        """The answer to an equal question that is under way or has just been answered, else a new one."""
        until, answer = self._answers[operation.name].get(question, (0.0, None))
        if self.monotonic() < until:
            return answer  # type: ignore[no-any-return]  # stored under the same question
        return await self.share((operation.name, question), lambda: self._ask_and_keep(operation, question, call))

    async def share(self, key: Hashable, work: Call[Answer]) -> Answer:
        """Equal work is done once for all who want it at the same time; it is given up when the last of them leaves."""
        flight = self._flights.get(key) or self._take_off(key, work)
        flight.passengers += 1
        try:
            # Shielded: one caller that goes away must not take the answer from the others.
            return await asyncio.shield(flight.task)
        finally:
            flight.passengers -= 1
            if not flight.passengers:
                del self._flights[key]  # at once: nobody may board what is being given up
                flight.task.cancel()

    async def ask_once(self, operation: Operation, call: Call[Answer]) -> Answer:
        """A call of one's own, shared with nobody."""
        breaker = self._breakers[operation.name]
        breaker.check(self.monotonic())
        try:
            answer = await call()
        except NotAdmitted:  # nothing was asked: it has cost nothing and says nothing of the provider
            raise
        except BaseException as error:  # whatever ended it, also a client that went away: the call was made and counts
            self._charge(operation)
            if isinstance(error, ProviderError):
                breaker.record(self.monotonic(), reached=not isinstance(error, ProviderUnreachable))
            raise
        self._charge(operation)
        breaker.record(self.monotonic(), reached=True)
        return answer

    def _charge(self, operation: Operation) -> None:
        for charge in self.charged:
            charge(operation.name, operation.cost_units)

    def _take_off(self, key: Hashable, work: Call[Answer]) -> Flight:
        task = asyncio.ensure_future(work())
        # If every caller went away, nobody is left to hear of an error.
        task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        flight = self._flights[key] = Flight(task)
        return flight

    async def _ask_and_keep(self, operation: Operation, question: Hashable, call: Call[Answer]) -> Answer:
        answer = await self.ask_once(operation, call)
        if operation.fresh_seconds:
            self._keep(operation, question, answer)
        return answer

    def _keep(self, operation: Operation, question: Hashable, answer: object) -> None:
        """Answers of one operation grow stale in the order in which they came: the stale ones stand in front."""
        now, kept = self.monotonic(), self._answers[operation.name]
        kept.pop(question, None)
        while kept and (len(kept) >= MOST_ANSWERS_KEPT or next(iter(kept.values()))[0] <= now):
            kept.popitem(last=False)
        kept[question] = (now + operation.fresh_seconds, answer)


class Charges:
    """What calls have cost since the last time somebody wrote it down."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # calls are made on the event loop, and written down in a thread
        self._charges: dict[str, tuple[int, int]] = {}

    def add(self, operation: str, cost_units: int, calls: int = 1) -> None:
        with self._lock:
            before = self._charges.get(operation, (0, 0))
            self._charges[operation] = (before[0] + calls, before[1] + cost_units)

    def take(self) -> list[tuple[str, int, int]]:
        """Operation, calls and units; from here on they are the taker's to keep."""
        with self._lock:
            charges, self._charges = self._charges, {}
        return [(operation, calls, units) for operation, (calls, units) in charges.items()]

    def give_back(self, charges: Iterable[tuple[str, int, int]]) -> None:
        for operation, calls, units in charges:
            self.add(operation, units, calls)
