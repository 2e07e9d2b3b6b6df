"""`/api/bots/{id}/survey`: test a strategy on many tokens."""

from typing import Annotated

from fastapi import APIRouter, Depends, Response

from strategybot.accounts.dependencies import CurrentPrincipal, Defaults
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.csv_files import CSV_RESPONSE, csv_file
from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.parameters import HundredAPage, Id
from strategybot.kit.http.provided import provide
from strategybot.surveys.schemas import SurveyPage, SurveyRequest, SurveyView
from strategybot.surveys.service import Surveys

router = APIRouter(prefix="/api/bots/{bot_id}", tags=["Research"], route_class=JsonRoute)

SurveysService = Annotated[Surveys, Depends(provide(Surveys))]


@router.post("/survey", status_code=202, responses=error_responses(401, 403, 404, 429))
async def start_survey(
    surveys: SurveysService, principal: CurrentPrincipal, defaults: Defaults, bot_id: Id, request: SurveyRequest
) -> SurveyView:
    """Start a survey, which runs the bot's strategy on many tokens. Read it again to follow its progress."""
    return await surveys.start(principal, defaults, bot_id, request)


@router.get("/surveys", responses=error_responses(401, 404))
def list_surveys(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage) -> SurveyPage:
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
def download_survey(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> Response:
    """Return the rows as CSV."""
    return csv_file(surveys.rows_csv(principal, bot_id, run_id), f"survey-{run_id}")


@router.post("/survey/{run_id}/stop", responses=error_responses(401, 404, 409))
def stop_survey(surveys: SurveysService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> SurveyView:
    """Stop a pending or running survey. The rows of tested tokens are kept."""
    return surveys.stop(principal, bot_id, run_id)
