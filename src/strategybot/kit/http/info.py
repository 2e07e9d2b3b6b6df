"""Public information about this installation, which the web app also shows to visitors."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field


class InfoView(BaseModel):
    version: Annotated[str, Field(description="The version of the server")]
    provider: str = Field(description="Where market data comes from; `demo` is an invented market")
    visitor_candles: Annotated[int, Field(description="Candles in a backtest of a visitor without an account")]


def info_router(version: str, provider: str, visitor_candles: int) -> APIRouter:
    router = APIRouter(tags=["Operation"])
    info = InfoView(version=version, provider=provider, visitor_candles=visitor_candles)

    @router.get("/api/info")
    async def read_info() -> InfoView:
        """Return the version, the market-data provider and how long the backtest of a visitor may be."""
        return info

    return router
