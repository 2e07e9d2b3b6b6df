"""Health, readiness and metrics endpoints for monitoring."""

import asyncio
from collections.abc import Callable
from typing import Annotated

import anyio.to_thread
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from strategybot.kit.database import DatabaseUnavailable
from strategybot.kit.http.error_responses import ErrorView
from strategybot.kit.http.prometheus import Prometheus

SECONDS_TO_LOOK = 3.0
POLL_SECONDS = 0.1


class Readiness:
    """Whether the database is whole and can be written to within a time limit.

    Concurrent and immediately following requests share one check: a frozen database blocks its callers for ever, and
    probes must not keep the disk busy.
    """

    def __init__(
        self, ping: Callable[[], None], seconds: float = SECONDS_TO_LOOK, seconds_between: float = POLL_SECONDS
    ) -> None:
        self._ping, self._seconds, self._seconds_between = ping, seconds, seconds_between
        self._looking: asyncio.Task[DatabaseUnavailable | None] | None = None
        self._next_look = 0.0

    async def check(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._looking is None or (self._looking.done() and now >= self._next_look):
            self._next_look = now + self._seconds_between
            self._looking = asyncio.create_task(self._look())
        finished, _ = await asyncio.wait([self._looking], timeout=self._seconds)
        fault = self._looking.result() if finished else DatabaseUnavailable()
        if fault is not None:
            raise fault

    async def _look(self) -> DatabaseUnavailable | None:
        """Return what is wrong with the database, or None."""
        try:
            await anyio.to_thread.run_sync(self._ping, abandon_on_cancel=True)
        except DatabaseUnavailable as fault:
            return fault
        return None


class StatusView(BaseModel):
    status: Annotated[str, Field(description="Always ok")] = "ok"


def probes_router(prometheus: Prometheus | None) -> APIRouter:
    router = APIRouter(tags=["Operation"])

    @router.get("/healthz")
    async def healthz() -> StatusView:
        """The process responds. Nothing else is checked."""
        return StatusView()

    @router.get(
        "/readyz", responses={503: {"model": ErrorView, "description": "The database cannot be reached, or is damaged"}}
    )
    async def readyz(request: Request) -> StatusView:
        """The process responds, can write to its database, and has found no damage in it."""
        await request.app.state.readiness.check()
        return StatusView()

    if prometheus is not None:
        page = prometheus.page

        @router.get("/metrics", include_in_schema=False)
        def metrics_page() -> Response:
            return page()

    return router
