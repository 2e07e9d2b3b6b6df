"""`/api/bots/{id}/optimise`: search for better values of a strategy."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from strategybot.accounts.dependencies import CurrentPrincipal, Defaults
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.parameters import HundredAPage, Id, Page
from strategybot.kit.http.provided import provide
from strategybot.kit.paging import Paging
from strategybot.searches.schemas import OptimisationPage, OptimisationView, OptimiseRequest, VariantsPage
from strategybot.searches.service import Optimisations

router = APIRouter(prefix="/api/bots/{bot_id}", tags=["Research"], route_class=JsonRoute)

OptimisationsService = Annotated[Optimisations, Depends(provide(Optimisations))]
ManyAPage = Annotated[int, Query(ge=1, le=5000, description="Entries a page")]


@router.post("/optimise", status_code=202, responses=error_responses(401, 403, 404, 429))
async def start_optimisation(
    optimisations: OptimisationsService,
    principal: CurrentPrincipal,
    defaults: Defaults,
    bot_id: Id,
    request: OptimiseRequest,
) -> OptimisationView:
    """Start a search, which runs every combination of the parameters' values. Read it again to follow its progress."""
    return await optimisations.start(principal, defaults, bot_id, request)


@router.get("/optimisations", responses=error_responses(401, 404))
def list_optimisations(
    optimisations: OptimisationsService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage
) -> OptimisationPage:
    """Return all optimisations of the bot, newest first, without their results."""
    return optimisations.page(principal, bot_id, paging)


@router.get("/optimise/{run_id}", responses=error_responses(401, 404))
def read_optimisation(
    optimisations: OptimisationsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id
) -> OptimisationView:
    """Return the status and results of a search. Its `walk_forward` is the figure to believe."""
    return optimisations.run(principal, bot_id, run_id)


@router.get("/optimise/{run_id}/variants", responses=error_responses(401, 404, 410))
def list_variants(
    optimisations: OptimisationsService,
    principal: CurrentPrincipal,
    bot_id: Id,
    run_id: Id,
    page: Page = 1,
    per_page: ManyAPage = 1000,
) -> VariantsPage:
    """Return the metrics of each variant, in the order of their numbers."""
    return optimisations.variants(principal, bot_id, run_id, Paging(page, per_page))


@router.post("/optimise/{run_id}/stop", responses=error_responses(401, 404, 409))
def stop_optimisation(
    optimisations: OptimisationsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id
) -> OptimisationView:
    """Stop a pending or running search. The variants that were run are kept."""
    return optimisations.stop(principal, bot_id, run_id)
