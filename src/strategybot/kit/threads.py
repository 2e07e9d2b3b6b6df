"""Blocking work off the event loop, one hop a unit of work."""

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

import anyio.to_thread

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


async def in_thread(work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    return await anyio.to_thread.run_sync(work, *arguments)
