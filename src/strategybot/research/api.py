"""`/api/bots/{id}/holdout`, `/optimise` and `/survey`: seal history, search for better values, test many tokens."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from strategybot.accounts.dependencies import CurrentPrincipal, Defaults
from strategybot.bots.schemas import BotView
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.csv_files import CSV_RESPONSE, csv_file
from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.parameters import HundredAPage, Id, Page
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


@router.post("/holdout/open", responses=error_responses(401, 404, 409, 429))
def open_once(holdouts: HoldoutsService, principal: CurrentPrincipal, bot_id: Id) -> BotView:
    """Open the sealed history. This is recorded, shown with every later result, and cannot be undone."""
    return holdouts.open(principal, bot_id)


@router.post("/optimise", status_code=202, responses=error_responses(401, 403, 404, 429))
async def optimise(
    optimisations: OptimisationsService,
    principal: CurrentPrincipal,
    defaults: Defaults,
    bot_id: Id,
    request: OptimiseRequest,
) -> OptimisationView:
    """Start a search, which runs every combination of the parameters' values. Read it again to follow its progress."""
    return await optimisations.start(principal, defaults, bot_id, request)


@router.get("/optimisations", responses=error_responses(401, 404))
def optimisations_page(
    optimisations: OptimisationsService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage
) -> OptimisationPage:
    """Return all optimisations of the bot, newest first, without their results."""
    return optimisations.page(principal, bot_id, paging)


@router.get("/optimise/{run_id}", responses=error_responses(401, 404))
def optimisation(
    optimisations: OptimisationsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id
) -> OptimisationView:
    """Return the status and results of a search. Its `walk_forward` is the figure to believe."""
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
    """Return the metrics of each variant, in the order of their numbers."""
    return optimisations.variants(principal, bot_id, run_id, Paging(page, per_page))


@router.post("/optimise/{run_id}/stop", responses=error_responses(401, 404, 409))
def stop_optimisation(
    optimisations: OptimisationsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id
) -> OptimisationView:
    """Stop a pending or running search. The variants that were run are kept."""
    return optimisations.stop(principal, bot_id, run_id)


@router.post("/survey", status_code=202, responses=error_responses(401, 403, 404, 429))
async def survey(
    surveys: SurveysService, principal: CurrentPrincipal, defaults: Defaults, bot_id: Id, request: SurveyRequest
) -> SurveyView:
    """Start a survey, which runs the bot's strategy on many tokens. Read it again to follow its progress."""
    return await surveys.start(principal, defaults, bot_id, request)


@router.get("/surveys", responses=error_responses(401, 404))
def surveys_page(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage) -> SurveyPage:
    """Return all surveys of the bot, newest first, without their rows."""
    return surveys.page(principal, bot_id, paging)


@router.get("/survey/{run_id}", responses=error_responses(401, 404))
def read_survey(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> SurveyView:
    """Return the status and rows of a survey. A row is added as soon as its token is tested."""
    return surveys.run(principal, bot_id, run_id)


@router.get(
    "/survey/{run_id}/rows.csv",
    response_class=Response,
    responses={**CSV_RESPONSE, **error_responses(401, 404, 410)},
)
def rows_csv(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> Response:
    """Return the rows as CSV."""
    return csv_file(surveys.rows_csv(principal, bot_id, run_id), f"survey-{run_id}")


@router.post("/survey/{run_id}/stop", responses=error_responses(401, 404, 409))
def stop_survey(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> SurveyView:
    """Stop a pending or running survey. The rows of tested tokens are kept."""
    return surveys.stop(principal, bot_id, run_id)
