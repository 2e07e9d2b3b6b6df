"""The work of a request ends when its client leaves."""

import asyncio
from typing import Any

import pytest
from fastapi import Request

from strategybot.kit.http.leaving import ClientLeft, while_connected
from strategybot.kit.http.middleware import CatchAll


def connection(leaves_after: float) -> Request:
    messages = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        for message in messages:
            return message
        await asyncio.sleep(leaves_after)
        return {"type": "http.disconnect"}

    return Request({"type": "http"}, receive)


def test_the_result_is_returned_to_a_client_that_waits() -> None:
    assert asyncio.run(while_connected(connection(60), asyncio.sleep(0, "done"))) == "done"


def test_an_error_is_raised_as_it_is() -> None:
    async def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        asyncio.run(while_connected(connection(60), fail()))


def test_the_work_is_cancelled_when_the_client_leaves() -> None:
    ended = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append(True)
            raise

    async def run() -> None:
        with pytest.raises(ClientLeft):
            await while_connected(connection(0.01), work())
        await asyncio.sleep(0)

    asyncio.run(run())
    assert ended == [True]


def test_a_client_that_left_is_no_defect(caplog: pytest.LogCaptureFixture) -> None:
    async def app(*_: Any) -> None:
        raise ClientLeft

    asyncio.run(CatchAll(app)({"type": "http"}, None, None))  # type: ignore[arg-type]
    assert caplog.records == []
