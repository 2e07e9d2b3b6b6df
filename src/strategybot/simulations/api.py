"""`/api/bots/{id}/simulate`: paper-trade a bot, follow it, stop it, and verify its results."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request

from strategybot.accounts.dependencies import CurrentUser
from strategybot.backtests.schemas import LinesView
from strategybot.bots.dependencies import STALE, ExpectedRevisions, RunOfCaller
from strategybot.kit.clock import LATEST_MOMENT
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.error_responses import ErrorView, error_responses
from strategybot.kit.http.leaving import while_connected
from strategybot.kit.http.parameters import FromTime, HundredAPage, Id, OfToken, ToTime
from strategybot.kit.http.provided import provide
from strategybot.kit.threads import computing
from strategybot.simulations.schemas import ParityView, SimulationPage, SimulationRequest, SimulationView
from strategybot.simulations.service import Simulations

router = APIRouter(prefix="/api/bots/{bot_id}", tags=["Simulations"], route_class=JsonRoute)


async def _named_run(user: CurrentUser, bot_id: Id, run_id: Id) -> RunOfCaller:
    return RunOfCaller(user.principal, bot_id, run_id)


NamedRun = Annotated[RunOfCaller, Depends(_named_run)]
SimulationsService = Annotated[Simulations, Depends(provide(Simulations))]
Since = Annotated[
    int | None,
    Query(ge=0, le=LATEST_MOMENT, description="Unix seconds: klines, signals and log only from this candle on"),
]
# The klines are fetched before the response, so provider errors are returned here.
FETCHING: dict[int | str, dict[str, Any]] = {
    **error_responses(401, 403, 404, 429),
    **STALE,
    500: {"model": ErrorView, "description": "`Failed to fetch klines: …`: the provider gave no usable answer"},
    "default": {"model": ErrorView, "description": "`upstream API error: …`, with the provider's own status"},
}


@router.post("/simulate", status_code=201, responses=FETCHING)
async def start_simulation(
    simulations: SimulationsService,
    user: CurrentUser,
    bot_id: Id,
    expected: ExpectedRevisions,
    request: SimulationRequest | None = None,
) -> SimulationView:
    """Start a simulation. A running one of this bot is stopped; the first candle is processed at once."""
    return await simulations.start(user.principal, user.settings, bot_id, request or SimulationRequest(), expected)


@router.get("/simulations", responses=error_responses(401, 404))
def list_simulations(
    simulations: SimulationsService, user: CurrentUser, bot_id: Id, paging: HundredAPage
) -> SimulationPage:
    """Return all simulations of the bot, newest first, without their long fields."""
    return simulations.page(user.principal, bot_id, paging)


@router.get("/simulate/{run_id}", responses=error_responses(401, 404))
def read_simulation(
    simulations: SimulationsService, run: NamedRun, since: Since = None, token_id: OfToken = None
) -> SimulationView:
    """Return status, portfolio, klines, signals and trade log of a run: its last 500 candles, or the first 500 from
    `since`.
    """
    return simulations.run(*run, since, token_id)


@router.post("/simulate/{run_id}/stop", responses=error_responses(401, 404))
def stop_simulation(simulations: SimulationsService, run: NamedRun) -> SimulationView:
    """Stop a run and keep its results. A stopped run is not changed."""
    return simulations.stop(*run)


@router.post("/simulate/{run_id}/pause", responses=error_responses(401, 404, 409))
def pause_simulation(simulations: SimulationsService, run: NamedRun) -> SimulationView:
    """Pause a run: it keeps its portfolio and processes no candle. It still counts as running for your tier."""
    return simulations.pause(*run)


@router.post("/simulate/{run_id}/resume", responses=error_responses(401, 404, 409))
def resume_simulation(simulations: SimulationsService, run: NamedRun) -> SimulationView:
    """Resume a paused run: a replay continues where it was, a live run skips the candles that closed meanwhile."""
    return simulations.resume(*run)


@router.get("/simulate/{run_id}/series", responses=error_responses(401, 404, 410))
async def read_simulation_series(
    request: Request,
    simulations: SimulationsService,
    run: NamedRun,
    start_time: FromTime = None,
    end_time: ToTime = None,
    token_id: OfToken = None,
) -> LinesView:
    """Return the indicators of the run's conditions for its chart."""
    lines = computing(simulations.lines, *run, start_time, end_time, token_id)
    return await while_connected(request, lines)


@router.get("/simulate/{run_id}/parity", responses=error_responses(401, 404, 410))
async def read_simulation_parity(request: Request, simulations: SimulationsService, run: NamedRun) -> ParityView:
    """Run the engine again on the candles that the run has seen. Return whether the results are equal, or the
    differences.
    """
    return await while_connected(request, simulations.parity(*run))
