"""`/api/bots/{id}/holdout`: seal the newest history of a bot, and open it once."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from strategybot.accounts.dependencies import CurrentPrincipal
from strategybot.bots.schemas import BotView
from strategybot.kit.http.answers import answers
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.parameters import Id
from strategybot.research.holdouts import Holdouts
from strategybot.research.schemas import HoldoutRequest

router = APIRouter(prefix="/api/bots/{bot_id}/holdout", tags=["Research"], route_class=JsonRoute)


async def _holdouts(request: Request) -> Holdouts:
    holdouts = request.app.state.holdouts
    assert isinstance(holdouts, Holdouts)  # noqa: S101  set by the composition root
    return holdouts


HoldoutsService = Annotated[Holdouts, Depends(_holdouts)]


@router.post("", responses=answers(401, 404, 409))
def seal(
    holdouts: HoldoutsService, principal: CurrentPrincipal, bot_id: Id, request: HoldoutRequest | None = None
) -> BotView:
    """Seal the newest part of the bot's history: backtests do not see it until it is opened."""
    return holdouts.seal(principal, bot_id, request or HoldoutRequest())


@router.post("/open", responses=answers(401, 404, 409))
def open_once(holdouts: HoldoutsService, principal: CurrentPrincipal, bot_id: Id) -> BotView:
    """Open the sealed history. This is recorded, shown with every later result, and cannot be undone."""
    return holdouts.open(principal, bot_id)
