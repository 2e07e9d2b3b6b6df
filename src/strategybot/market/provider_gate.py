"""Deduplication, circuit breaker and metering for calls to the provider.

Equal requests within `SHARED_SECONDS` share one call. A provider that cannot be reached is not called for
`SECONDS_LEFT_ALONE`. Responses are not cached longer, so that the provider's errors stay visible.
"""

import asyncio
import threading
import time
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from strategybot.market.provider import NotAdmitted, ProviderError, ProviderUnreachable

Answer = TypeVar("Answer")
ProviderCall = Callable[[], Awaitable[Answer]]
Charged = Callable[[str, int], None]

MOST_ANSWERS_KEPT = 100  # per operation; the largest, candles, have 50 kB
SHARED_SECONDS = 0.25  # seconds; requests of one page load may start this far apart
FAILURES_TO_OPEN = 10
SECONDS_LEFT_ALONE = 5.0


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    what: str
    """The name of the data in an error message, as the specification writes it."""
    cost_units: int
    fresh_seconds: float


SEARCH = Operation("search", "tokens", 5, SHARED_SECONDS)
PRICES = Operation("prices", "batch prices", 100, SHARED_SECONDS)
TOKEN = Operation("token", "token details", 5, SHARED_SECONDS)
KLINES = Operation("klines", "klines", 10, SHARED_SECONDS)
TRENDING = Operation("trending", "trending tokens", 5, SHARED_SECONDS)
RISK = Operation("risk", "token risk", 10, SHARED_SECONDS)
QUOTE = Operation("quote", "chain quote", 0, 0)
SWAP = Operation("swap", "chain swap", 0, 0)


@dataclass(slots=True)
class Breaker:
    """Opens after `FAILURES_TO_OPEN` failures in a row to reach the provider. Any response closes it."""

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
class SharedCall:
    """A running task and the number of callers that wait for it."""

    task: asyncio.Task[Any]
    waiting: int = 0


@dataclass
class ProviderGate:
    charged: Sequence[Charged]
    """Called after every call to the provider, also after a failed one."""
    monotonic: Callable[[], float] = time.monotonic
    answers: defaultdict[str, OrderedDict[Hashable, tuple[float, Any]]] = field(
        default_factory=lambda: defaultdict(OrderedDict)
    )
    shared_calls: dict[Hashable, SharedCall] = field(default_factory=dict)
    _breakers: defaultdict[str, Breaker] = field(default_factory=lambda: defaultdict(Breaker))

    async def ask(self, operation: Operation, question: Hashable, call: ProviderCall[Answer]) -> Answer:
        """Return the response to an equal request that is running or has just finished; otherwise call the provider."""
        until, answer = self.answers[operation.name].get(question, (0.0, None))
        if self.monotonic() < until:
            return answer  # type: ignore[no-any-return]  # stored under the same question
        return await self.share((operation.name, question), lambda: self._ask_and_cache(operation, question, call))

    async def share(self, key: Hashable, work: ProviderCall[Answer]) -> Answer:
        """Run equal work once for all concurrent callers. The work is cancelled when the last caller leaves."""
        shared = self.shared_calls.get(key) or self._start(key, work)
        shared.waiting += 1
        try:
            # Shielded, so that one caller's cancellation does not cancel the task for the others.
            return await asyncio.shield(shared.task)
        finally:
            shared.waiting -= 1
            if not shared.waiting:
                del self.shared_calls[key]  # before the task is cancelled, so that no new caller can join it
                shared.task.cancel()

    async def ask_once(self, operation: Operation, call: ProviderCall[Answer]) -> Answer:
        """Call the provider without sharing the response."""
        breaker = self._breakers[operation.name]
        breaker.check(self.monotonic())
        try:
            answer = await call()
        except NotAdmitted:  # the provider was not called: no cost, and no information about its state
            raise
        except BaseException as error:  # also a cancelled caller: the call was made and costs units
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

    def _start(self, key: Hashable, work: ProviderCall[Answer]) -> SharedCall:
        task = asyncio.ensure_future(work())
        # If every caller was cancelled, nobody retrieves the exception, and asyncio would log it.
        task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        shared = self.shared_calls[key] = SharedCall(task)
        return shared

    async def _ask_and_cache(self, operation: Operation, question: Hashable, call: ProviderCall[Answer]) -> Answer:
        answer = await self.ask_once(operation, call)
        if operation.fresh_seconds:
            self._keep(operation, question, answer)
        return answer

    def _keep(self, operation: Operation, question: Hashable, answer: object) -> None:
        """Cache a response. Responses of one operation expire in the order in which they were added, so the oldest come
        first.
        """
        now, kept = self.monotonic(), self.answers[operation.name]
        kept.pop(question, None)
        while kept and (len(kept) >= MOST_ANSWERS_KEPT or next(iter(kept.values()))[0] <= now):
            kept.popitem(last=False)
        kept[question] = (now + operation.fresh_seconds, answer)


class Charges:
    """The cost of calls that is not yet saved in the database."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # calls are made on the event loop, and saved in a thread
        self._charges: dict[str, tuple[int, int]] = {}

    def add(self, operation: str, cost_units: int, calls: int = 1) -> None:
        with self._lock:
            before = self._charges.get(operation, (0, 0))
            self._charges[operation] = (before[0] + calls, before[1] + cost_units)

    def take(self) -> list[tuple[str, int, int]]:
        """Return (operation, calls, cost units) and reset the counters. The caller saves them."""
        with self._lock:
            charges, self._charges = self._charges, {}
        return [(operation, calls, units) for operation, (calls, units) in charges.items()]

    def give_back(self, charges: Iterable[tuple[str, int, int]]) -> None:
        for operation, calls, units in charges:
            self.add(operation, units, calls)


Follower = Callable[[float], None]
"""Called repeatedly with the finished share, from 0 to 1."""


class Followers:
    """Progress callbacks of shared work: equal work is done once, and each waiting caller is told its progress."""

    def __init__(self) -> None:
        self._followers: defaultdict[Hashable, list[Follower]] = defaultdict(list)

    @contextmanager
    def with_one(self, work: Hashable, follower: Follower) -> Iterator[None]:
        self._followers[work].append(follower)
        try:
            yield
        finally:
            self._followers[work].remove(follower)
            if not self._followers[work]:
                del self._followers[work]

    def tell(self, work: Hashable, share: float) -> None:
        for follower in self._followers.get(work, ()):
            follower(share)
