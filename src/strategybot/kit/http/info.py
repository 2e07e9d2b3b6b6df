"""What this installation is, for anyone who asks: the browser app shows it to people without an account too."""

from fastapi import APIRouter
from pydantic import BaseModel, Field


class InfoView(BaseModel):
    version: str
    provider: str = Field(description="Where market data comes from; `demo` is an invented market")


def info_router(version: str, provider: str) -> APIRouter:
    router = APIRouter(tags=["Operation"])
    info = InfoView(version=version, provider=provider)

    @router.get("/api/info")
    async def read_info() -> InfoView:
        """The version, and whose market this is."""
        return info

    return router
