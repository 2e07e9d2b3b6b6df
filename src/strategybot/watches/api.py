"""`/api/bots/{id}/watch`: be told when the entry conditions of a bot become true, and trade nothing."""

from typing import Annotated

from fastapi import APIRouter, Depends

from strategybot.accounts.dependencies import CurrentPrincipal, Defaults
from strategybot.bots.dependencies import NamedRun
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.parameters import HundredAPage, Id
from strategybot.kit.http.provided import provide
from strategybot.watches.schemas import WatchPage, WatchRequest, WatchView
from strategybot.watches.service import Watches

router = APIRouter(prefix="/api/bots/{bot_id}", tags=["Watches"], route_class=JsonRoute)

WatchesService = Annotated[Watches, Depends(provide(Watches))]


@router.post("/watch", status_code=201, responses=error_responses(401, 403, 404, 429))
def start_watch(
    watches: WatchesService,
    principal: CurrentPrincipal,
    defaults: Defaults,
    bot_id: Id,
    request: WatchRequest | None = None,
) -> WatchView:
    """Start a watch: you are notified whenever the entry conditions of a token become true. A running one is stopped.

    It goes on until it is stopped, also across restarts. Conditions that are true already are told once, at the start.
    """
    return watches.start(principal, defaults, bot_id, request or WatchRequest())


@router.get("/watches", responses=error_responses(401, 404))
def list_watches(watches: WatchesService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage) -> WatchPage:
    """Return all watches of the bot, newest first, without their signals."""
    return watches.page(principal, bot_id, paging)


@router.get("/watch/{run_id}", responses=error_responses(401, 404))
def read_watch(watches: WatchesService, run: NamedRun) -> WatchView:
    """Return a watch with the state of its tokens and its newest signals."""
    return watches.run(*run)


@router.post("/watch/{run_id}/stop", responses=error_responses(401, 404))
def stop_watch(watches: WatchesService, run: NamedRun) -> WatchView:
    """Stop a watch and keep its signals. A stopped one is not changed."""
    return watches.stop(*run)
