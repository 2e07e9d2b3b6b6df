"""Reads have their own threads: they wait neither for a few long ones nor for writes."""

import asyncio
import threading

import pytest

from strategybot.kit.threads import READING_THREADS, run_blocking, run_read


def test_a_short_read_finishes_while_long_ones_run() -> None:
    async def read_beside_long_ones() -> None:
        end = threading.Event()
        long = [asyncio.ensure_future(run_read(end.wait, 30)) for _ in range(READING_THREADS - 1)]
        try:
            assert await asyncio.wait_for(run_read(pow, 3, 2), 10) == 9
            assert not any(read.done() for read in long)
        finally:
            end.set()
        assert all(await asyncio.gather(*long))

    asyncio.run(read_beside_long_ones())


def test_a_read_does_not_wait_for_writes_that_wait_for_a_lock() -> None:
    async def read_beside_writes() -> None:
        end = threading.Event()
        writes = [asyncio.ensure_future(run_blocking(end.wait, 30)) for _ in range(100)]
        try:
            assert await asyncio.wait_for(run_read(pow, 3, 2), 10) == 9
        finally:
            end.set()
        assert all(await asyncio.gather(*writes))

    asyncio.run(read_beside_writes())


def test_an_error_is_raised_in_the_caller() -> None:
    async def read() -> None:
        await run_read(int, "none")

    with pytest.raises(ValueError, match="invalid literal"):
        asyncio.run(read())
