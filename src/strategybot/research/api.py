"""`/api/bots/{id}/holdout`, `/optimise` and `/survey`: seal history, search for better values, test many tokens."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import StreamingResponse

from strategybot.accounts.dependencies import CurrentPrincipal, Defaults
from strategybot.bots.schemas import BotView
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.pages import HundredAPage, Page
from strategybot.kit.http.parameters import Id
from strategybot.kit.http.provided import provided
from strategybot.kit.paging import Paging
from strategybot.research.holdouts import Holdouts
from strategybot.research.schemas import (
    HoldoutRequest,
    OptimisationPage,
    OptimisationView,
    OptimiseRequest,
    SurveyPage,
    SurveyRequest,
    SurveyView,
    VariantsPage,
)
from strategybot.research.service import Optimisations, Surveys

router = APIRouter(prefix="/api/bots/{bot_id}", tags=["Research"], route_class=JsonRoute)

HoldoutsService = Annotated[Holdouts, Depends(provided(Holdouts))]
OptimisationsService = Annotated[Optimisations, Depends(provided(Optimisations))]
SurveysService = Annotated[Surveys, Depends(provided(Surveys))]
ManyAPage = Annotated[int, Query(ge=1, le=5000, description="Entries a page")]


@router.post("/holdout", responses=error_responses(401, 404, 409))
def seal(
    holdouts: HoldoutsService, principal: CurrentPrincipal, bot_id: Id, request: HoldoutRequest | None = None
) -> BotView:
    """Seal the newest part of the bot's history: backtests do not see it until it is opened."""
    return holdouts.seal(principal, bot_id, request or HoldoutRequest())


@router.post("/holdout/open", responses=error_responses(401, 404, 409))
def open_once(holdouts: HoldoutsService, principal: CurrentPrincipal, bot_id: Id) -> BotView:
    """Open the sealed history. This is recorded, shown with every later result, and cannot be undone."""
    return holdouts.open(principal, bot_id)


@router.post("/optimise", status_code=202, responses=error_responses(401, 403, 404))
async def optimise(
    optimisations: OptimisationsService,
    principal: CurrentPrincipal,
    defaults: Defaults,
    bot_id: Id,
    request: OptimiseRequest,
) -> OptimisationView:
    """Run every combination of the parameters' values. It runs in the background: read it again to follow it."""
    return await optimisations.start(principal, defaults, bot_id, request)


@router.get("/optimisations", responses=error_responses(401, 404))
def optimisations_page(
    optimisations: OptimisationsService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage
) -> OptimisationPage:
    """All optimisations of the bot, newest first, without what they found."""
    return optimisations.page(principal, bot_id, paging)


@router.get("/optimise/{run_id}", responses=error_responses(401, 404))
def optimisation(
    optimisations: OptimisationsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id
) -> OptimisationView:
    """Status and results of a search. Its `walk_forward` is the figure to believe."""
    return optimisations.run(principal, bot_id, run_id)


@router.get("/optimise/{run_id}/variants", responses=error_responses(401, 404, 410))
def variants(
    optimisations: OptimisationsService,
    principal: CurrentPrincipal,
    bot_id: Id,
    run_id: Id,
    page: Page = 1,
    per_page: ManyAPage = 1000,
) -> VariantsPage:
    """What came of each variant, in the order of their numbers."""
    return optimisations.variants(principal, bot_id, run_id, Paging(page, per_page))


@router.post("/optimise/{run_id}/stop", responses=error_responses(401, 404, 409))
def stop_optimisation(
    optimisations: OptimisationsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id
) -> OptimisationView:
    """Stop a search that is pending or running. The variants that were run stay."""
    return optimisations.stop(principal, bot_id, run_id)


@router.post("/survey", status_code=202, responses=error_responses(401, 403, 404))
async def survey(
    surveys: SurveysService, principal: CurrentPrincipal, defaults: Defaults, bot_id: Id, request: SurveyRequest
) -> SurveyView:
    """Run the bot's strategy on many tokens. It runs in the background: read it again to follow it."""
    return await surveys.start(principal, defaults, bot_id, request)


@router.get("/surveys", responses=error_responses(401, 404))
def surveys_page(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage) -> SurveyPage:
    """All surveys of the bot, newest first, without their rows."""
    return surveys.page(principal, bot_id, paging)


@router.get("/survey/{run_id}", responses=error_responses(401, 404))
def read_survey(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> SurveyView:
    """Status and rows of a survey; rows come one by one."""
    return surveys.run(principal, bot_id, run_id)


@router.get(
    "/survey/{run_id}/rows.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}, **error_responses(401, 404, 410)},
)
def rows_csv(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> Response:
    """The rows as a table for a spreadsheet."""
    parts = surveys.rows_csv(principal, bot_id, run_id)
    name = f"attachment; filename=survey-{run_id}.csv"
    return StreamingResponse(parts, media_type="text/csv", headers={"Content-Disposition": name})


@router.post("/survey/{run_id}/stop", responses=error_responses(401, 404, 409))
def stop_survey(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> SurveyView:
    """Stop a survey that is pending or running. The tokens that were tested stay."""
    return surveys.stop(principal, bot_id, run_id)
