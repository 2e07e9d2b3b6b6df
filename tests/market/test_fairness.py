"""Order of requests: runs before browsing, owners in turn, and no waiting for a cancelled request."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from strategybot.kit.logs import request_facts
from strategybot.market.pace import FairPace, running_for
from strategybot.market.provider import NotAdmitted

SECOND = timedelta(seconds=1)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Turns:
    """A pace that gives a slot when the test says so."""

    def __init__(self, patience: timedelta = 30 * SECOND) -> None:
        self._given = asyncio.Semaphore(0)
        self.fair = FairPace(self._take, patience)
        self.served: list[str] = []
        self.requests: list[asyncio.Task[None]] = []

    async def _take(self) -> None:
        await self._given.acquire()

    async def queue_runs(self, *owners: str) -> None:
        """Start one waiting request of a run for each of these owners."""
        for owner in owners:
            with running_for(owner):
                await self._wait(owner)

    async def browsing_of(self, *owners: str) -> None:
        for owner in owners:
            with request_facts(account=owner):
                await self._wait(f"{owner} browses")

    async def _wait(self, name: str) -> None:
        async def request() -> None:
            await self.fair()
            self.served.append(name)

        self.requests.append(asyncio.create_task(request()))
        await asyncio.sleep(0)

    async def give(self, turns: int) -> list[str]:
        """Give this many slots, and return all served owners so far."""
        for _ in range(turns):
            self._given.release()
            for _ in range(10):  # let woken requests continue, so that the next one becomes the leader
                await asyncio.sleep(0)
        return self.served


Arrive = Callable[[Turns], Awaitable[None]]


async def one_with_many(turns: Turns) -> None:
    await turns.queue_runs("ada", "ada", "ada", "ada", "bob", "eve", "bob")


async def browsing_first(turns: Turns) -> None:
    await turns.browsing_of("ada", "ada", "bob")
    await turns.queue_runs("eve")


async def a_long_download(turns: Turns) -> None:
    await turns.queue_runs(*["ada"] * 9)
    await turns.browsing_of("bob", "bob")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("arrive", "served"),
    [
        (one_with_many, ["ada", "bob", "eve", "ada", "bob", "ada", "ada"]),
        (browsing_first, ["eve", "ada browses", "bob browses", "ada browses"]),
        (a_long_download, ["ada"] * 4 + ["bob browses"] + ["ada"] * 4 + ["bob browses", "ada"]),
    ],
)
async def test_runs_are_served_first_and_owners_in_turn(arrive: Arrive, served: list[str]) -> None:
    turns = Turns()
    await arrive(turns)
    assert await turns.give(len(served)) == served
    await asyncio.gather(*turns.requests)


@pytest.mark.anyio
@pytest.mark.parametrize("gone", [0, 1, 2])
async def test_a_cancelled_request_releases_its_slot(gone: int) -> None:
    turns = Turns()
    await turns.queue_runs("ada", "bob", "eve")
    turns.requests.pop(gone).cancel()
    await asyncio.sleep(0)
    expected = [name for place, name in enumerate(("ada", "bob", "eve")) if place != gone]
    assert await turns.give(2) == expected
    await asyncio.gather(*turns.requests)


@pytest.mark.anyio
async def test_a_request_that_waits_too_long_is_refused_and_the_next_is_served() -> None:
    turns = Turns(patience=SECOND / 50)
    await turns.queue_runs("ada", "bob")
    for request in turns.requests:
        with pytest.raises(NotAdmitted, match="our share of the provider's plan is used up"):
            await request
    await turns.queue_runs("eve")
    assert await turns.give(1) == ["eve"]
