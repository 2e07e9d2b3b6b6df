"""The routes of the toy."""

from typing import Annotated

from fastapi import APIRouter, Depends

from strategybot.accounts.dependencies import CurrentPrincipal, Defaults
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.parameters import HundredAPage, Id
from strategybot.kit.http.provided import provide
from tests.runs.toy.schemas import CountPage, CountRequest, CountView
from tests.runs.toy.service import Counts

router = APIRouter(prefix="/api/bots/{bot_id}", route_class=JsonRoute)
CountsService = Annotated[Counts, Depends(provide(Counts))]


@router.post("/count", status_code=202)
async def start(
    counts: CountsService, principal: CurrentPrincipal, defaults: Defaults, bot_id: Id, request: CountRequest
) -> CountView:
    return await counts.start(principal, defaults, bot_id, request)


@router.get("/counts")
def page(counts: CountsService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage) -> CountPage:
    return counts.page(principal, bot_id, paging)


@router.get("/count/{run_id}")
def read(counts: CountsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> CountView:
    return counts.run(principal, bot_id, run_id)


@router.post("/count/{run_id}/stop")
def stop(counts: CountsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> CountView:
    return counts.stop(principal, bot_id, run_id)
