"""Work in the background: blocking work off the event loop, and loops that outlive an error."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

import anyio
import anyio.to_thread

logger = logging.getLogger("strategybot")

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


async def in_thread(work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Do the work in a thread: one hop for each unit of work."""
    return await anyio.to_thread.run_sync(work, *arguments)


async def repeat(
    what: str,
    work: Callable[[], Awaitable[None]],
    seconds: float,
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
) -> None:
    """Do the work again and again, with a pause of so many seconds, until cancelled. An error is only logged."""
    while True:
        try:
            await work()
        except Exception:  # the edge of a background loop: it must outlive a database that is away for a while
            logger.exception("%s failed", what)
        await sleep(seconds)
