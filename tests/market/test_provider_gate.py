"""The guard: one call for equal requests, cached responses, a circuit breaker, and a count of every call."""

import asyncio
import gc
import threading
from collections import Counter
from dataclasses import dataclass, field

import pytest

from strategybot.market import provider_gate
from strategybot.market.provider import (
    NotAdmitted,
    ProviderError,
    ProviderFailure,
    ProviderRateLimited,
    ProviderStatus,
    ProviderUnreachable,
)
from strategybot.market.provider_gate import (
    FAILURES_TO_OPEN,
    MOST_ANSWERS_KEPT,
    Breaker,
    Charges,
    Operation,
    ProviderGate,
)

pytestmark = pytest.mark.anyio

KEPT_2_SECONDS = Operation("short", "things", 5, 2)
NEVER_KEPT = Operation("never kept", "things", 7, 0)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Bench:
    """A guard with a stopped clock, and an upstream that responds when the gate is open."""

    now: float = 100.0
    calls: int = 0
    given_up: int = 0
    fault: Exception | None = None
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    spent: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.guard = ProviderGate(charged=[self._charge], monotonic=lambda: self.now)

    def _charge(self, operation: str, cost_units: int) -> None:
        self.spent[operation] += cost_units

    async def upstream(self) -> int:
        self.calls += 1
        number = self.calls
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        if self.fault is not None:
            raise self.fault
        return number

    async def ask(self, question: str = "?", operation: Operation = KEPT_2_SECONDS) -> int:
        return await self.guard.ask(operation, question, self.upstream)


@pytest.fixture
async def bench(anyio_backend: str) -> Bench:
    return Bench()


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize("operation", [KEPT_2_SECONDS, NEVER_KEPT])
async def test_equal_concurrent_requests_make_one_call(bench: Bench, operation: Operation) -> None:
    asking = [asyncio.create_task(bench.ask(operation=operation)) for _ in range(50)]
    await settle()
    bench.gate.set()
    assert await asyncio.gather(*asking) == [1] * 50
    assert bench.calls == 1
    assert bench.spent == {operation.name: operation.cost_units}


async def test_different_requests_and_operations_are_not_shared(bench: Bench) -> None:
    bench.gate.set()
    answers = tuple(await asyncio.gather(bench.ask("a"), bench.ask("b"), bench.ask("a", NEVER_KEPT)))
    assert answers == (1, 2, 3)


@pytest.mark.parametrize(
    "fault", [ProviderFailure("no"), ProviderRateLimited("HTTP 429"), ProviderStatus(500, "x"), NotAdmitted("full")]
)
async def test_an_error_is_shared_and_not_cached(bench: Bench, fault: ProviderError) -> None:
    bench.fault = fault
    asking = [asyncio.create_task(bench.ask()) for _ in range(50)]
    await settle()
    bench.gate.set()
    assert await asyncio.gather(*asking, return_exceptions=True) == [fault] * 50
    assert bench.calls == 1
    bench.fault = None
    assert await bench.ask() == 2


async def test_a_cancelled_caller_does_not_affect_the_others(bench: Bench) -> None:
    asking = [asyncio.create_task(bench.ask()) for _ in range(3)]
    await settle()
    asking[0].cancel()  # the caller that started the call
    await settle()
    bench.gate.set()
    assert await asyncio.gather(*asking[1:]) == [1, 1]
    assert asking[0].cancelled()
    assert bench.given_up == 0


async def test_when_the_last_caller_leaves_the_call_is_cancelled_and_the_next_starts_a_new_one(bench: Bench) -> None:
    asking = [asyncio.create_task(bench.ask()) for _ in range(2)]
    await settle()
    for task in asking:
        task.cancel()
    later = asyncio.create_task(bench.ask())  # requested before the first call has noticed its cancellation
    await settle()
    assert bench.given_up == 1
    bench.gate.set()
    assert await later == 2
    assert bench.spent == {"short": 10}  # a cancelled call may have reached the provider


async def test_an_error_without_a_waiting_caller_is_not_logged(bench: Bench) -> None:
    noise: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: noise.append(context))
    bench.fault = ProviderFailure("no")
    bench.gate.set()
    task = asyncio.create_task(bench.ask())
    await asyncio.sleep(0)
    task.cancel()
    await settle()
    del task
    gc.collect()
    await settle()
    assert noise == []


async def test_a_response_is_cached_while_it_is_fresh(bench: Bench) -> None:
    bench.gate.set()
    seen = []
    for now in (100, 101, 101.99, 102, 103.9, 104):
        bench.now = now
        seen.append(await bench.ask())
    assert seen == [1, 1, 1, 2, 2, 3]


async def test_an_operation_without_caching_calls_each_time(bench: Bench) -> None:
    bench.gate.set()
    assert [await bench.ask(operation=NEVER_KEPT) for _ in range(3)] == [1, 2, 3]
    once = [bench.guard.ask_once(KEPT_2_SECONDS, bench.upstream) for _ in range(3)]
    assert await asyncio.gather(*once) == [4, 5, 6]


def kept(bench: Bench) -> int:
    return sum(map(len, bench.guard.answers.values()))


async def test_the_cache_is_limited_in_number_and_age(bench: Bench) -> None:
    bench.gate.set()
    for number in range(MOST_ANSWERS_KEPT + 50):
        await bench.ask(str(number))
    assert kept(bench) == MOST_ANSWERS_KEPT
    calls = bench.calls
    await bench.ask(str(MOST_ANSWERS_KEPT + 49))
    assert bench.calls == calls  # the newest was kept, the oldest dropped
    await bench.ask("0")
    assert bench.calls == calls + 1
    bench.now += KEPT_2_SECONDS.fresh_seconds
    await bench.ask("another")
    assert kept(bench) == 1
    assert not bench.guard.shared_calls


@pytest.mark.parametrize(
    ("operation", "cost_units", "longest_fresh"),
    [
        (provider_gate.SEARCH, 5, 0.25),
        (provider_gate.TOKEN, 5, 0.25),
        (provider_gate.TRENDING, 5, 0.25),
        (provider_gate.KLINES, 10, 0.25),
        (provider_gate.RISK, 10, 0.25),
        (provider_gate.PRICES, 100, 0.25),
        (provider_gate.QUOTE, 0, 0),
        (provider_gate.SWAP, 0, 0),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_every_operation_has_its_cost_and_cache_time(
    operation: Operation, cost_units: int, longest_fresh: float
) -> None:
    assert operation.cost_units == cost_units
    assert 0 <= operation.fresh_seconds <= longest_fresh


class TestBreaker:
    async def fail(self, bench: Bench, times: int, fault: Exception, operation: Operation = KEPT_2_SECONDS) -> None:
        bench.fault = fault
        bench.gate.set()
        for _ in range(times):
            with pytest.raises(type(fault)):
                await bench.ask(operation=operation)
        bench.fault = None

    async def test_it_opens_after_ten_in_a_row_and_closes_after_five_seconds(self, bench: Bench) -> None:
        await self.fail(bench, FAILURES_TO_OPEN - 1, ProviderUnreachable("away"))
        bench.fault = ProviderUnreachable("away")
        with pytest.raises(ProviderUnreachable, match=r"^away$"):
            await bench.ask()
        assert bench.calls == 10
        for later, words in [(0, "in 5 s"), (2, "in 3 s"), (4.9, "in 1 s")]:
            bench.now = 100 + later
            sentence = f"^the provider cannot be reached; the next try is {words}$"
            with pytest.raises(ProviderUnreachable, match=sentence):
                await bench.ask()
        assert (bench.calls, bench.spent["short"]) == (10, 50)  # while it is open nothing is called or charged
        bench.now, bench.fault = 105, None
        assert await bench.ask() == 11

    async def test_a_failure_after_the_pause_opens_it_again_at_once(self, bench: Bench) -> None:
        await self.fail(bench, FAILURES_TO_OPEN, ProviderUnreachable("away"))
        bench.now += 5
        await self.fail(bench, 1, ProviderUnreachable("still away"))
        with pytest.raises(ProviderUnreachable, match="the next try is in 5 s"):
            await bench.ask()
        assert bench.calls == 11

    @pytest.mark.parametrize(
        "answer", [None, ProviderStatus(500, "x"), ProviderRateLimited("HTTP 429"), ProviderFailure("not JSON")]
    )
    async def test_any_response_resets_the_count(self, bench: Bench, answer: ProviderError | None) -> None:
        await self.fail(bench, FAILURES_TO_OPEN - 1, ProviderUnreachable("away"))
        if answer is None:
            await bench.ask("another question")
        else:
            await self.fail(bench, 1, answer)
        await self.fail(bench, FAILURES_TO_OPEN - 1, ProviderUnreachable("away"))
        assert await bench.ask()

    @pytest.mark.parametrize("silent", [NotAdmitted("full"), OSError("our own database")])
    async def test_an_error_of_our_own_does_not_count(self, bench: Bench, silent: Exception) -> None:
        await self.fail(bench, FAILURES_TO_OPEN - 1, ProviderUnreachable("away"))
        await self.fail(bench, 1, silent)
        await self.fail(bench, 1, ProviderUnreachable("away"))
        with pytest.raises(ProviderUnreachable, match="the next try"):
            await bench.ask()

    def test_an_answer_that_comes_while_it_is_open_closes_it(self) -> None:
        breaker = Breaker()
        for _ in range(FAILURES_TO_OPEN):
            breaker.record(100, reached=False)
        with pytest.raises(ProviderUnreachable):
            breaker.check(101)
        breaker.record(101, reached=True)
        breaker.check(101)

    async def test_each_operation_has_its_own_breaker(self, bench: Bench) -> None:
        await self.fail(bench, FAILURES_TO_OPEN, ProviderUnreachable("away"))
        assert await bench.ask(operation=NEVER_KEPT)


async def test_every_call_that_was_made_costs_units_even_if_it_failed(bench: Bench) -> None:
    bench.gate.set()
    for fault in (None, ProviderFailure("no"), ProviderUnreachable("away"), ProviderStatus(500, "x")):
        bench.fault = fault
        await asyncio.gather(bench.ask(operation=NEVER_KEPT), return_exceptions=True)
    assert bench.spent == {"never kept": 28}
    bench.fault = NotAdmitted("full")
    await asyncio.gather(bench.ask(operation=NEVER_KEPT), return_exceptions=True)
    assert bench.spent == {"never kept": 28}


def test_charges_from_many_threads_are_each_taken_once() -> None:
    charges, taken = Charges(), Counter[str]()

    def add() -> None:
        for _ in range(5_000):
            charges.add("klines", 10)

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        for _, calls, units in charges.take():
            taken.update(calls=calls, units=units)
    for _, calls, units in charges.take():
        taken.update(calls=calls, units=units)
    assert taken == {"calls": 20_000, "units": 200_000}


def test_charges_that_could_not_be_saved_are_kept() -> None:
    charges = Charges()
    charges.add("klines", 10)
    taken = charges.take()
    charges.add("klines", 10)
    charges.give_back(taken)
    assert charges.take() == [("klines", 2, 20)]
    assert charges.take() == []
