"""The shared rate limit: slots are exact for every number of callers, a wait that is too long is refused, and a clock
that is set back blocks nobody. On both databases.
"""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from strategybot.kit.clock import Clock, system_clock
from strategybot.kit.database import Database
from strategybot.market.pace import PATIENCE, SharedPace
from strategybot.market.provider import NotAdmitted
from tests.support import ManualClock

SECOND = timedelta(seconds=1)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def databases(database_url: str) -> Iterator[list[Database]]:
    """Two databases with their own connections, like two processes."""
    databases = [Database(database_url), Database(database_url)]
    yield databases
    for database in databases:
        database.close()


def paces(databases: list[Database], clock: Clock, spacing: timedelta = SECOND, burst: int = 1) -> list[SharedPace]:
    return [SharedPace(database, clock, "scripted", spacing, burst) for database in databases]


def waits(pace: SharedPace, turns: int) -> list[float | None]:
    taken = [pace.take_turn() for _ in range(turns)]
    return [None if wait is None else wait.total_seconds() for wait in taken]


@pytest.mark.parametrize(
    ("spacing", "burst", "expected"),
    [
        (SECOND, 1, [0, 1, 2, 3, 4, 5, None, None]),
        (SECOND, 3, [0, 0, 0, 1, 2, 3, 4, 5, None]),
        (2 * SECOND, 5, [0, 0, 0, 0, 0, 2, 4, None]),
        (SECOND * 1.5, 1, [0, 1.5, 3, 4.5, None]),
    ],
)
def test_slots_follow_each_other_until_the_wait_exceeds_the_patience(
    databases: list[Database], clock: ManualClock, spacing: timedelta, burst: int, expected: list[float | None]
) -> None:
    one, other = paces(databases, clock, spacing, burst)
    assert [waits((one, other)[number % 2], 1)[0] for number in range(len(expected))] == expected


@pytest.mark.parametrize(("spacing", "burst"), [(SECOND, 1), (SECOND, 3), (SECOND / 5, 1), (SECOND / 20, 1)])
def test_concurrent_callers_get_different_slots(
    databases: list[Database], clock: ManualClock, spacing: timedelta, burst: int
) -> None:
    both = paces(databases, clock, spacing, burst)
    with ThreadPoolExecutor(16) as pool:
        taken = list(pool.map(lambda number: both[number % 2].take_turn(), range(120)))
    given = sorted(wait for wait in taken if wait is not None)
    most = PATIENCE // spacing + burst
    assert given == [max(timedelta(0), (number - burst + 1) * spacing) for number in range(min(most, 120))]


def test_no_window_has_more_requests_than_the_plan_allows(databases: list[Database], clock: ManualClock) -> None:
    """With any pauses between requests: in any window of n seconds at most n slots, plus the burst."""
    spacing, burst = SECOND, 3
    one, other = paces(databases, clock, spacing, burst)
    began, moments = clock.now, []
    for number in range(80):
        clock.advance(seconds=(0, 0, 0.4, 0, 2.5, 0, 0, 9, 0.1)[number % 9])
        wait = (one, other)[number % 2].take_turn()
        if wait is not None:
            moments.append((clock.now + wait - began).total_seconds())
    assert len(moments) > 30
    for index, start in enumerate(moments):
        for window in (1, 2, 5, 20):
            inside = [moment for moment in moments[index:] if start <= moment < start + window]
            assert len(inside) <= window / spacing.total_seconds() + burst - 1 + 1e-9


def test_a_refusal_takes_no_slot(databases: list[Database], clock: ManualClock) -> None:
    pace = paces(databases, clock)[0]
    assert waits(pace, 16) == [0, 1, 2, 3, 4, 5, *[None] * 10]
    clock.advance(seconds=3)
    assert waits(pace, 4) == [3, 4, 5, None]
    clock.advance(seconds=60)
    assert waits(pace, 2) == [0, 1]


@pytest.mark.parametrize("back", [0.5, 4, 30, 200, 100_000])
@pytest.mark.parametrize("burst", [1, 5])
def test_a_clock_that_is_set_back_blocks_no_caller(
    databases: list[Database], clock: ManualClock, back: float, burst: int
) -> None:
    pace = paces(databases, clock, burst=burst)[0]
    while waits(pace, 1) != [None]:
        pass
    clock.advance(seconds=-back)
    for _ in range(8):  # after a few seconds at most, slots are given again
        clock.advance(seconds=1)
        if waits(pace, 1) != [None]:
            break
    else:
        raise AssertionError("frozen")


def test_each_provider_has_its_own_pace(databases: list[Database], clock: ManualClock) -> None:
    assert waits(SharedPace(databases[0], clock, "one", SECOND), 2) == [0, 1]
    assert waits(SharedPace(databases[0], clock, "other", SECOND), 2) == [0, 1]


@pytest.mark.anyio
async def test_a_caller_waits_for_its_slot_or_is_refused(databases: list[Database]) -> None:
    both = paces(databases, system_clock, spacing=SECOND / 5)
    began, moments = time.monotonic(), []

    async def take(number: int) -> None:
        await both[number % 2]()
        moments.append(time.monotonic() - began)

    await asyncio.gather(*(take(number) for number in range(6)))
    # No caller is early: the nth slot is at least n spacings after the first.
    assert all(moment >= number * 0.2 - 0.02 for number, moment in enumerate(sorted(moments)))
    slow = SharedPace(databases[0], system_clock, "slow", timedelta(seconds=30))
    await slow()
    with pytest.raises(NotAdmitted, match="our share of the provider's plan is used up"):
        await slow()
