"""Health, readiness and metrics, for whoever watches the service."""

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from strategybot.kit.http.answers import ErrorView
from strategybot.kit.http.metrics import Metrics


class StatusView(BaseModel):
    status: str = "ok"


def probes_router(metrics: Metrics | None) -> APIRouter:
    router = APIRouter(tags=["Operation"])

    @router.get("/healthz")
    async def healthz() -> StatusView:
        """The process answers; nothing else is asked."""
        return StatusView()

    @router.get("/readyz", responses={503: {"model": ErrorView, "description": "The database cannot be reached"}})
    def readyz(request: Request) -> StatusView:
        """The process answers and reaches its database."""
        request.app.state.ping()
        return StatusView()

    if metrics is not None:
        page = metrics.page

        @router.get("/metrics", include_in_schema=False)
        def metrics_page() -> Response:
            return page()

    return router
