"""Blocking work in threads, and background loops that survive errors.

Reads have their own threads, so that they do not wait for writes that wait for a lock, and so has long work.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

import anyio
import anyio.to_thread
from anyio.lowlevel import RunVar

from strategybot.kit.lanes import FairLane
from strategybot.kit.logs import requester

logger = logging.getLogger("strategybot")

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

Sleep = Callable[[float], Awaitable[None]]
"""Waits for so many seconds."""

READING_THREADS = 4  # together with the 40 of `run_blocking` fewer than the 60 connections of the database's pool
COMPUTING_THREADS = 2

_readers: RunVar[anyio.CapacityLimiter] = RunVar("readers")
_computing: RunVar[FairLane] = RunVar("computing")


async def run_blocking(work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Run work that may write to the database or block on something else."""
    return await anyio.to_thread.run_sync(work, *arguments)


async def run_read(work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Run work that only reads the database, or computes for a few milliseconds."""
    limiter = _readers.get(None)
    if limiter is None:
        limiter = anyio.CapacityLimiter(READING_THREADS)
        _readers.set(limiter)
    return await anyio.to_thread.run_sync(work, *arguments, limiter=limiter)


async def computing(work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Run work that takes long, such as a chart or a picture. It runs beside the reads, and requesters take turns."""
    lane = _computing.get(None)
    if lane is None:
        lane = FairLane(COMPUTING_THREADS)
        _computing.set(lane)
    return await lane.run(requester(), work, *arguments)


async def repeat(
    what: str,
    work: Callable[[], Awaitable[None]],
    seconds: float,
    sleep: Sleep = anyio.sleep,
    *,
    first_after: float = 0,
) -> None:
    """Run the work repeatedly, with a pause of this many seconds, until cancelled. Errors are only logged."""
    if first_after:
        await sleep(first_after)
    while True:
        try:
            await work()
        except Exception:  # the boundary of a background loop: it must survive a database outage
            logger.exception("%s failed", what)
        await sleep(seconds)
