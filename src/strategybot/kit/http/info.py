"""Public information about this installation, which the web app also shows to visitors."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field


class InfoView(BaseModel):
    version: Annotated[str, Field(description="The version of the server")]
    provider: str = Field(description="Where market data comes from; `demo` is an invented market")


def info_router(version: str, provider: str) -> APIRouter:
    router = APIRouter(tags=["Operation"])
    info = InfoView(version=version, provider=provider)

    @router.get("/api/info")
    async def read_info() -> InfoView:
        """Return the version and the market-data provider."""
        return info

    return router
