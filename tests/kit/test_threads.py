"""Reads have their own threads: few while reads are short, more as soon as long ones block others."""

import asyncio
import threading

import pytest

from strategybot.kit.threads import READING_THREADS, reading, use_readers


def readers() -> int:
    return sum(thread.name == "reader" for thread in threading.enumerate())


@pytest.mark.parametrize("ready", [1, 2])
def test_short_reads_share_the_ready_threads_and_each_gets_its_own_result(ready: int) -> None:
    async def read_many() -> list[int]:
        use_readers(ready)
        before = readers()
        found = await asyncio.gather(*(reading(pow, number, 2) for number in range(500)))
        assert readers() - before <= ready
        return found

    assert asyncio.run(read_many()) == [number**2 for number in range(500)]


def test_a_short_read_finishes_while_long_ones_run() -> None:
    async def read_beside_long_ones() -> None:
        use_readers(1)
        end = threading.Event()
        long = [asyncio.ensure_future(reading(end.wait, 30)) for _ in range(READING_THREADS - 1)]
        try:
            assert await asyncio.wait_for(reading(pow, 3, 2), 10) == 9
            assert not any(read.done() for read in long)
        finally:
            end.set()
        assert all(await asyncio.gather(*long))

    asyncio.run(read_beside_long_ones())


def test_an_error_is_raised_in_the_caller() -> None:
    async def read() -> None:
        await reading(int, "none")

    with pytest.raises(ValueError, match="invalid literal"):
        asyncio.run(read())
