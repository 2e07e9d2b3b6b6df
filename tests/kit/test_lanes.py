"""Lanes: a few pieces of long work at a time, owners in turn, and what is cancelled before it begins is not done."""

import asyncio
import threading
from functools import partial

from strategybot.kit.lanes import FairLane
from strategybot.kit.threads import COMPUTING_THREADS, READING_THREADS, computing, run_read


def test_owners_take_turns() -> None:
    async def run() -> list[str]:
        lane, begin = FairLane(1), threading.Event()
        done: list[str] = []
        first = asyncio.create_task(lane.run("mallory", begin.wait, 10))
        await asyncio.sleep(0)
        names = ["mallory 1", "mallory 2", "mallory 3", "ada 1", "bob 1"]
        others = [asyncio.create_task(lane.run(name.split()[0], done.append, name)) for name in names]
        await asyncio.sleep(0)
        begin.set()
        await asyncio.gather(first, *others)
        return done

    assert asyncio.run(run()) == ["mallory 1", "ada 1", "bob 1", "mallory 2", "mallory 3"]


def test_work_that_is_cancelled_while_it_waits_is_not_done_and_holds_no_place() -> None:
    async def run() -> list[int]:
        lane, begin = FairLane(2), threading.Event()
        done: list[int] = []
        running = [asyncio.create_task(lane.run("a", begin.wait, 10)) for _ in range(2)]
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(lane.run("a", done.append, number)) for number in range(20)]
        await asyncio.sleep(0)
        for task in waiting[:19]:
            task.cancel()
        begin.set()
        await asyncio.gather(*running, *waiting, return_exceptions=True)
        await asyncio.wait_for(asyncio.gather(*(lane.run("b", done.append, 100 + n) for n in range(3))), 5)
        return done

    assert sorted(asyncio.run(run())) == [19, 100, 101, 102]


def test_a_place_that_is_assigned_to_cancelled_work_goes_to_the_next() -> None:
    async def run() -> None:
        lane, begin = FairLane(1), threading.Event()
        running = asyncio.create_task(lane.run("a", begin.wait, 10))
        await asyncio.sleep(0)
        chosen, following = (asyncio.create_task(lane.run("a", int)) for _ in range(2))
        await asyncio.sleep(0)
        running.add_done_callback(lambda _: chosen.cancel())  # after its place was passed on to the chosen one
        begin.set()
        assert await asyncio.wait_for(following, 5) == 0

    asyncio.run(run())


def test_reads_do_not_wait_for_long_work() -> None:
    async def run() -> None:
        end = threading.Event()
        long = [asyncio.create_task(computing(end.wait, 30)) for _ in range(150)]
        try:
            for _ in range(20):
                assert await asyncio.wait_for(run_read(pow, 3, 2), 5) == 9
        finally:
            end.set()
        assert all(await asyncio.gather(*long))

    asyncio.run(run())
    assert COMPUTING_THREADS < 8


def test_a_read_that_is_cancelled_before_it_begins_is_not_done() -> None:
    async def run() -> list[int]:
        done: list[int] = []
        end = threading.Event()
        busy = [asyncio.create_task(run_read(end.wait, 30)) for _ in range(READING_THREADS)]
        late = asyncio.create_task(run_read(partial(done.append, 1)))
        await asyncio.sleep(0.01)
        late.cancel()
        end.set()
        await asyncio.gather(*busy)
        await run_read(done.append, 2)
        return done

    assert asyncio.run(run()) == [2]
