"""Turns of the plan: runs before browsing, owners one after the other, and nobody waits for one who has left."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from strategybot.kit.logs import request_facts
from strategybot.market.fairness import FairPace, running_for
from strategybot.market.provider import NotAdmitted

SECOND = timedelta(seconds=1)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Turns:
    """A pace that gives a turn whenever the test says so."""

    def __init__(self, patience: timedelta = 30 * SECOND) -> None:
        self._given = asyncio.Semaphore(0)
        self.fair = FairPace(self._take, patience)
        self.served: list[str] = []
        self.requests: list[asyncio.Task[None]] = []

    async def _take(self) -> None:
        await self._given.acquire()

    async def run_of(self, *owners: str) -> None:
        """A request of a run of each of these owners begins to wait."""
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
        """Give so many turns, and return who has been served since the beginning."""
        for _ in range(turns):
            self._given.release()
            for _ in range(10):  # whoever is woken goes on, and the next one leads
                await asyncio.sleep(0)
        return self.served


Arrive = Callable[[Turns], Awaitable[None]]


async def one_with_many(turns: Turns) -> None:
    await turns.run_of("ada", "ada", "ada", "ada", "bob", "eve", "bob")


async def browsing_first(turns: Turns) -> None:
    await turns.browsing_of("ada", "ada", "bob")
    await turns.run_of("eve")


async def a_long_download(turns: Turns) -> None:
    await turns.run_of(*["ada"] * 9)
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
async def test_turns_go_to_runs_first_and_to_owners_one_after_the_other(arrive: Arrive, served: list[str]) -> None:
    turns = Turns()
    await arrive(turns)
    assert await turns.give(len(served)) == served
    await asyncio.gather(*turns.requests)


@pytest.mark.anyio
@pytest.mark.parametrize("gone", [0, 1, 2])
async def test_a_request_that_is_cancelled_leaves_its_place_to_the_others(gone: int) -> None:
    turns = Turns()
    await turns.run_of("ada", "bob", "eve")
    turns.requests.pop(gone).cancel()
    await asyncio.sleep(0)
    expected = [name for place, name in enumerate(("ada", "bob", "eve")) if place != gone]
    assert await turns.give(2) == expected
    await asyncio.gather(*turns.requests)


@pytest.mark.anyio
async def test_whoever_waits_too_long_is_refused_and_the_next_one_is_served() -> None:
    turns = Turns(patience=SECOND / 50)
    await turns.run_of("ada", "bob")
    for request in turns.requests:
        with pytest.raises(NotAdmitted, match="our share of the provider's plan is used up"):
            await request
    await turns.run_of("eve")
    assert await turns.give(1) == ["eve"]
