"""The market service, for routes."""

from typing import Annotated

from fastapi import Depends, Request

from strategybot.market.service import Market


async def _market(request: Request) -> Market:
    market = request.app.state.market
    assert isinstance(market, Market)  # noqa: S101  set by the composition root
    return market


MarketService = Annotated[Market, Depends(_market)]
