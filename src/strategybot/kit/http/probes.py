"""Health, readiness and metrics, for whoever watches the service."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

import anyio.to_thread
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from strategybot.kit.database import DatabaseUnavailable
from strategybot.kit.http.answers import ErrorView
from strategybot.kit.http.metrics import Metrics

SECONDS_TO_LOOK = 3.0


class Readiness:
    """Whether the database answers, in time. One look serves all who ask meanwhile: a database that is frozen keeps
    its callers for ever, and must not be given one more with every probe."""

    def __init__(self, ping: Callable[[], None], seconds: float = SECONDS_TO_LOOK) -> None:
        self._ping, self._seconds = ping, seconds
        self._looking: asyncio.Task[bool] | None = None

    async def check(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        finished, _ = await asyncio.wait([self._looking], timeout=self._seconds)
        if not finished or not self._looking.result():
            raise DatabaseUnavailable

    async def _look(self) -> bool:
        with suppress(DatabaseUnavailable):
            await anyio.to_thread.run_sync(self._ping, abandon_on_cancel=True)
            return True
        return False


class StatusView(BaseModel):
    status: str = "ok"


def probes_router(metrics: Metrics | None) -> APIRouter:
    router = APIRouter(tags=["Operation"])

    @router.get("/healthz")
    async def healthz() -> StatusView:
        """The process answers; nothing else is asked."""
        return StatusView()

    @router.get("/readyz", responses={503: {"model": ErrorView, "description": "The database cannot be reached"}})
    async def readyz(request: Request) -> StatusView:
        """The process answers and reaches its database."""
        await request.app.state.readiness.check()
        return StatusView()

    if metrics is not None:
        page = metrics.page

        @router.get("/metrics", include_in_schema=False)
        def metrics_page() -> Response:
            return page()

    return router
