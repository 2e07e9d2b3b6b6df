"""The market service, for routes."""

from typing import Annotated

from fastapi import Depends

from strategybot.kit.http.provided import provided
from strategybot.market.service import Market

MarketService = Annotated[Market, Depends(provided(Market))]
