"""Ends the work of a request when its client leaves: what has not begun is not done."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request
from starlette.types import Receive

Result = TypeVar("Result")


class ClientLeft(Exception):
    """The client closed the connection before its request was complete or answered."""


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """Return the result of the work. If the client leaves, cancel the work and raise `ClientLeft`.

    The body of the request must have been read.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_wait_until_left(request.receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientLeft
        return working.result()
    finally:
        leaving.cancel()
        working.cancel()
        working.add_done_callback(_forget)


def _forget(task: asyncio.Future[Any]) -> None:
    """Read the exception of a task that nobody waits for, so that it is not reported as forgotten."""
    if not task.cancelled():
        task.exception()


async def _wait_until_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
