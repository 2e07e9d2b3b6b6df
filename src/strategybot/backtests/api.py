"""`/api/bots/{id}/backtest`: start a backtest of a bot, follow it, stop it, and read its results."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from strategybot.accounts.dependencies import ClientAddress, CurrentPrincipal, Defaults
from strategybot.backtests.charts import Charts, Shown
from strategybot.backtests.previews import Previews
from strategybot.backtests.schemas import (
    BacktestPage,
    BacktestPatch,
    BacktestRequest,
    BacktestView,
    ChartView,
    LinesView,
    PreviewRequest,
    PreviewView,
    SharedBacktest,
    ShareView,
    SignalsPage,
    TradeCourses,
    TradeRulesPage,
    TradesPage,
)
from strategybot.backtests.service import Backtests
from strategybot.backtests.share_page import share_page
from strategybot.backtests.sharing import NotShared, Shares, ShareViews
from strategybot.bots.dependencies import STALE, ExpectedRevisions, NamedRun
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.caching import cached_response
from strategybot.kit.http.csv_files import CSV_RESPONSE, csv_file
from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.leaving import while_connected
from strategybot.kit.http.parameters import FromTime, HundredAPage, Id, Moment, OfToken, ToTime, TwentyAPage
from strategybot.kit.http.provided import provide
from strategybot.kit.http.site import POLICY

router = APIRouter(prefix="/api/bots/{bot_id}", tags=["Backtests"], route_class=JsonRoute)


async def limit_share_views(views: Annotated[ShareViews, Depends(provide(ShareViews))], address: ClientAddress) -> None:
    """Strangers may read shares, so each client address may read only so many."""
    views.admit(address)


share_router = APIRouter(prefix="/api/shares", tags=["Shared backtests"], dependencies=[Depends(limit_share_views)])
SHARE_RESPONSES: dict[int | str, dict[str, Any]] = {
    304: {"description": "The client has it already: `If-None-Match` names its `ETag`"},
    **error_responses(404, 429),
}

BacktestsService = Annotated[Backtests, Depends(provide(Backtests))]
ChartsService = Annotated[Charts, Depends(provide(Charts))]
PreviewsService = Annotated[Previews, Depends(provide(Previews))]
SharesService = Annotated[Shares, Depends(provide(Shares))]
ShareId = Annotated[str, Path(max_length=100, description="The last part of a share's address")]
Most = Annotated[int, Query(ge=1, le=5000, description="Candles at the most")]
Before = Annotated[int, Query(ge=0, le=500, description="Candles before the start of the run that may be included")]


@router.post("/backtest", status_code=202, responses={**error_responses(401, 403, 404, 429), **STALE})
async def start_backtest(
    backtests: BacktestsService,
    principal: CurrentPrincipal,
    defaults: Defaults,
    bot_id: Id,
    expected: ExpectedRevisions,
    request: BacktestRequest | None = None,
) -> BacktestView:
    """Start a backtest. It runs in the background; read the run again to follow its progress."""
    return await backtests.start(principal, defaults, bot_id, request or BacktestRequest(), expected)


@router.post("/preview", responses=error_responses(401, 403, 404, 429))
async def preview_strategy(
    connection: Request,
    previews: PreviewsService,
    principal: CurrentPrincipal,
    defaults: Defaults,
    address: ClientAddress,
    bot_id: Id,
    request: PreviewRequest,
) -> PreviewView:
    """Return where a strategy would buy, saved or not. It does not count as a backtest. At most 60 a minute."""
    return await while_connected(connection, previews.preview(principal, defaults, bot_id, request, address))


@router.get("/backtests", responses=error_responses(401, 404))
def list_backtests(
    backtests: BacktestsService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage
) -> BacktestPage:
    """Return all backtests of the bot, newest first, without their long fields."""
    return backtests.page(principal, bot_id, paging)


@router.get("/backtest/{run_id}", responses=error_responses(401, 404))
def read_backtest(backtests: BacktestsService, run: NamedRun) -> BacktestView:
    """Return the status and results of a run."""
    return backtests.opened(*run)


@router.patch("/backtest/{run_id}", responses=error_responses(401, 404))
def annotate_backtest(backtests: BacktestsService, run: NamedRun, patch: BacktestPatch) -> BacktestView:
    """Set the name, note or star of a run. Its parameters and results cannot be changed."""
    return backtests.annotate(*run, patch)


@router.delete("/backtest/{run_id}", status_code=204, responses=error_responses(401, 404))
def delete_backtest(backtests: BacktestsService, run: NamedRun) -> None:
    """Delete a run with its trades. A pending or running one is stopped."""
    backtests.delete(*run)


@router.post("/backtest/{run_id}/stop", responses=error_responses(401, 404, 409))
def stop_backtest(backtests: BacktestsService, run: NamedRun) -> BacktestView:
    """Stop a pending or running backtest. Its results so far are kept."""
    return backtests.stop(*run)


@router.get("/backtest/{run_id}/trades", responses=error_responses(401, 404, 410))
def list_trades(backtests: BacktestsService, run: NamedRun, paging: TwentyAPage) -> TradesPage:
    """Return the closed trades of a run, oldest first."""
    return backtests.trades(*run, paging)


@router.get(
    "/backtest/{run_id}/trades.csv",
    response_class=Response,
    responses={**CSV_RESPONSE, **error_responses(401, 404, 410)},
)
def download_trades(backtests: BacktestsService, run: NamedRun) -> Response:
    """Return all closed trades as CSV."""
    return csv_file(backtests.trades_csv(*run), f"trades-{run.run_id}")


@router.get("/backtest/{run_id}/signals", responses=error_responses(401, 404, 410))
def list_signals(backtests: BacktestsService, run: NamedRun, paging: HundredAPage) -> SignalsPage:
    """Return the decisions of a run with their time and reason, oldest first."""
    return backtests.signals(*run, paging)


@router.get("/backtest/{run_id}/rules", responses=error_responses(401, 404, 410))
async def read_backtest_rules(
    request: Request, charts: ChartsService, run: NamedRun, paging: TwentyAPage, token_id: OfToken = None
) -> TradeRulesPage:
    """Return what a chart draws of each trade: the conditions that decided, its stop and its target.

    Oldest first; the position that is open at the end comes last.
    """
    return await while_connected(request, charts.rules(*run, paging, token_id))


@router.get("/backtest/{run_id}/courses", responses=error_responses(401, 404, 410))
async def read_backtest_courses(
    request: Request, charts: ChartsService, run: NamedRun, token_id: OfToken = None
) -> TradeCourses:
    """Return how far each closed trade rose and fell while it was held, and what slippage cost it."""
    return await while_connected(request, charts.courses(*run, token_id))


@router.get("/backtest/{run_id}/klines", responses=error_responses(401, 404, 429))
async def read_backtest_klines(
    request: Request,
    charts: ChartsService,
    run: NamedRun,
    start_time: Moment = None,
    end_time: Moment = None,
    limit: Most = 1000,
    before: Before = 0,
    token_id: OfToken = None,
) -> ChartView:
    """Return the candles of the run for a chart, merged if there are more than `limit`."""
    shown = Shown(start_time, end_time, limit, before, token_id)
    return await while_connected(request, charts.chart(*run, shown))


@router.get("/backtest/{run_id}/series", responses=error_responses(401, 404))
async def read_backtest_series(
    request: Request,
    charts: ChartsService,
    run: NamedRun,
    start_time: FromTime = None,
    end_time: ToTime = None,
    limit: Most = 1000,
    before: Before = 0,
    token_id: OfToken = None,
) -> LinesView:
    """Return the indicators of the run's conditions for its chart, at the same candles as the klines."""
    shown = Shown(start_time, end_time, limit, before, token_id)
    return await while_connected(request, charts.lines(*run, shown))


@router.post("/backtest/{run_id}/share", responses=error_responses(401, 404, 409))
async def share_backtest(shares: SharesService, run: NamedRun, request: Request) -> ShareView:
    """Share this completed backtest with everyone who knows its address. The share does not identify you."""
    return _share_view(request, await shares.share(*run))


@router.get("/backtest/{run_id}/share", responses=error_responses(401, 404))
def read_share_address(shares: SharesService, run: NamedRun, request: Request) -> ShareView:
    """Return the address under which this backtest is shared; 404 if it is not shared."""
    return _share_view(request, shares.share_id(*run))


@router.delete("/backtest/{run_id}/share", status_code=204, responses=error_responses(401, 404))
def end_share(shares: SharesService, run: NamedRun) -> None:
    """End the share. Its address stops working, and a new share gets a new address."""
    shares.end(*run)


@share_router.get("/{share_id}", response_model=SharedBacktest, responses=SHARE_RESPONSES)
async def read_share(request: Request, shares: SharesService, share_id: ShareId) -> Response:
    """Return a shared backtest. Everyone who knows the address may read it."""
    return cached_response(request, await while_connected(request, shares.facts(share_id)), "application/json")


@share_router.get("/{share_id}/klines", response_model=ChartView, responses=SHARE_RESPONSES)
async def read_share_klines(
    request: Request, shares: SharesService, share_id: ShareId, token_id: OfToken = None
) -> Response:
    """Return the candles of a shared backtest, merged if there are more than 2000."""
    return cached_response(
        request, await while_connected(request, shares.chart(share_id, token_id)), "application/json"
    )


def share_pages_router(index: str | None) -> APIRouter:
    """Return the router of the share pages for people and link previews. `index` is the page of the web app, if it is
    built.
    """
    pages = APIRouter(prefix="/s", include_in_schema=False, dependencies=[Depends(limit_share_views)])
    private = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex", "Content-Security-Policy": POLICY}

    @pages.get("/{share_id}")
    async def page(shares: SharesService, request: Request, share_id: str) -> Response:
        try:
            found, status = await while_connected(request, shares.heading(share_id)), 200
        except NotShared:
            found, status = None, 404
        html = share_page(index, found, f"{request.base_url}s/{share_id}" if found else "")
        return Response(html, status, private, "text/html; charset=utf-8")

    @pages.get("/{share_id}/preview.png")
    async def picture(request: Request, shares: SharesService, share_id: str) -> Response:
        content = await while_connected(request, shares.picture(share_id))
        return cached_response(request, content, "image/png", private)

    return pages


def _share_view(request: Request, share_id: str) -> ShareView:
    return ShareView(url=f"{request.base_url}s/{share_id}")
