"""`/api/bots/{id}/backtest`: start a backtest of a bot, follow it, stop it, and read what it found."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from fastapi.responses import StreamingResponse

from strategybot.accounts.dependencies import CurrentPrincipal, Defaults
from strategybot.backtests.schemas import (
    BacktestPage,
    BacktestPatch,
    BacktestRequest,
    BacktestView,
    ChartView,
    LinesView,
    SignalsPage,
    TradesPage,
)
from strategybot.backtests.service import Backtests
from strategybot.bots.dependencies import STALE, ExpectedRevisions
from strategybot.kit.http.answers import answers
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.pages import HundredAPage, TwentyAPage
from strategybot.kit.http.parameters import FromTime, Id, Moment, ToTime
from strategybot.kit.http.provided import provided

router = APIRouter(prefix="/api/bots/{bot_id}", tags=["Backtests"], route_class=JsonRoute)


BacktestsService = Annotated[Backtests, Depends(provided(Backtests))]
Most = Annotated[int, Query(ge=1, le=5000, description="Candles at the most")]


@router.post("/backtest", status_code=202, responses={**answers(401, 403, 404), **STALE})
async def start(
    backtests: BacktestsService,
    principal: CurrentPrincipal,
    defaults: Defaults,
    bot_id: Id,
    expected: ExpectedRevisions,
    request: BacktestRequest | None = None,
) -> BacktestView:
    """Start a backtest. It runs in the background: read it again to follow its progress."""
    return await backtests.start(principal, defaults, bot_id, request or BacktestRequest(), expected)


@router.get("/backtests", responses=answers(401, 404))
def page(backtests: BacktestsService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage) -> BacktestPage:
    """All backtests of the bot, newest first, without their long members."""
    return backtests.page(principal, bot_id, paging)


@router.get("/backtest/{run_id}", responses=answers(401, 404))
async def read(backtests: BacktestsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> BacktestView:
    """Status and results of a run."""
    return await backtests.opened(principal, bot_id, run_id)


@router.patch("/backtest/{run_id}", responses=answers(401, 404))
def annotate(
    backtests: BacktestsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id, patch: BacktestPatch
) -> BacktestView:
    """Give a run a name, a note or a star. What it tested and what came of it cannot be changed."""
    return backtests.annotate(principal, bot_id, run_id, patch)


@router.delete("/backtest/{run_id}", status_code=204, responses=answers(401, 404))
def delete(backtests: BacktestsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> None:
    """Delete a run with its trades. One that is pending or running is stopped."""
    backtests.delete(principal, bot_id, run_id)


@router.post("/backtest/{run_id}/stop", responses=answers(401, 404, 409))
def stop(backtests: BacktestsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> BacktestView:
    """Stop a run that is pending or running. What it did until then stays."""
    return backtests.stop(principal, bot_id, run_id)


@router.get("/backtest/{run_id}/trades", responses=answers(401, 404, 410))
def trades(
    backtests: BacktestsService,
    principal: CurrentPrincipal,
    bot_id: Id,
    run_id: Id,
    paging: TwentyAPage,
) -> TradesPage:
    """The closed trades of a run, oldest first."""
    return backtests.trades(principal, bot_id, run_id, paging)


@router.get(
    "/backtest/{run_id}/trades.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}, **answers(401, 404, 410)},
)
def trades_csv(backtests: BacktestsService, principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> Response:
    """All closed trades as a table for a spreadsheet."""
    parts = backtests.trades_csv(principal, bot_id, run_id)
    name = f"attachment; filename=trades-{run_id}.csv"
    return StreamingResponse(parts, media_type="text/csv", headers={"Content-Disposition": name})


@router.get("/backtest/{run_id}/signals", responses=answers(401, 404, 410))
def signals(
    backtests: BacktestsService,
    principal: CurrentPrincipal,
    bot_id: Id,
    run_id: Id,
    paging: HundredAPage,
) -> SignalsPage:
    """What was decided at which close, and why, oldest first."""
    return backtests.signals(principal, bot_id, run_id, paging)


@router.get("/backtest/{run_id}/klines", responses=answers(401, 404, 429))
async def klines(
    backtests: BacktestsService,
    principal: CurrentPrincipal,
    bot_id: Id,
    run_id: Id,
    start_time: Moment = None,
    end_time: Moment = None,
    limit: Most = 1000,
) -> ChartView:
    """The candles of the run for a chart, put together where there are more than fit."""
    return await backtests.chart(principal, bot_id, run_id, start_time, end_time, limit)


@router.get("/backtest/{run_id}/series", responses=answers(401, 404))
async def series(
    backtests: BacktestsService,
    principal: CurrentPrincipal,
    bot_id: Id,
    run_id: Id,
    start_time: FromTime = None,
    end_time: ToTime = None,
    limit: Most = 1000,
) -> LinesView:
    """The indicators of the run's conditions for its chart, at the same candles as the klines."""
    return await backtests.lines(principal, bot_id, run_id, start_time, end_time, limit)
