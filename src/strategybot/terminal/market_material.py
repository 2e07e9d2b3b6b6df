"""Market candles for a backtest, fetched in parts so that progress can be shown."""

import asyncio
from collections.abc import Callable, Iterator
from typing import NamedTuple

from strategybot.backtests.intrabar import MinuteFetcher
from strategybot.kit.clock import iso_text, system_clock
from strategybot.kit.errors import AppError
from strategybot.market.service import Market, NoKlines
from strategybot.terminal.material import prepare_candles
from strategybot.terminal.output import Tell, show_progress
from strategybot.terminal.request import Instrument, Request, span_of
from strategybot.terminal.setup import open_services, open_settings
from strategybot.terminal.stop import NOTHING_TO_WORK_WITH, Stop
from strategybot.terminal.tested import Material
from strategybot.terminal.token_choice import chosen_instrument
from strategybot.trading.engine.backtest import BacktestResult
from strategybot.trading.engine.candles import MOST_CANDLES, Candles, DataReport
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval, closed_until
from strategybot.trading.engine.preparation import warm_up_start
from strategybot.trading.engine.resolution import misfit, recommended_interval
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.language.strategy import Strategy

MOST_PARTS = 20
LEAST_CANDLES_A_PART = 5000


def market_material(strategy: Strategy, request: Request) -> Material:
    interval = request.interval or recommended_interval(strategy)
    problem = misfit(strategy, interval)
    if problem is not None:
        raise Stop(problem)
    seconds = INTERVAL_SECONDS[interval]
    start, end = span_of(request, closed_until(system_clock().timestamp(), seconds))
    first = warm_up_start(start, strategy, seconds)
    _refuse_too_many(first, end, interval)
    with open_services(open_settings()) as services:
        found = asyncio.run(_find(services.market, request, interval, Span(first, start, end)))
        source = services.market.source
    instrument, ready = found.instrument, prepare_candles(found.candles, found.report, start)
    if not ready.candles_to_trade:
        raise Stop(str(NoKlines(*instrument)), NOTHING_TO_WORK_WITH)
    return Material(f"{instrument.address} on {instrument.chain}", instrument, ready, start, end, found.costs, source)


def resolve(
    result: BacktestResult, material: Material, instrument: Instrument, compute: Callable[[Candles], BacktestResult]
) -> BacktestResult:
    """Return the result after candles with an ambiguous order of stop and target were resolved on 1-minute candles."""
    with open_services(open_settings()) as services:
        return asyncio.run(_resolve(services.market, result, material, instrument, compute))


async def _resolve(
    market: Market,
    result: BacktestResult,
    material: Material,
    instrument: Instrument,
    compute: Callable[[Candles], BacktestResult],
) -> BacktestResult:
    seconds = material.prepared.candles.interval_seconds
    minutes = MinuteFetcher(market, instrument.token_id, (material.start, material.end), MOST_CANDLES)
    try:
        with show_progress("Fetching 1-minute candles") as tell:
            while len(result.doubts) and await minutes.fetch(result.doubts, seconds, tell):
                result = compute(minutes.minutes)
        return result
    finally:
        await market.close()


def parts_of(start: int, end: int, interval_seconds: int) -> Iterator[tuple[int, int]]:
    """Yield the span in a few parts, oldest first, each large enough for an efficient request."""
    length = interval_seconds * max(LEAST_CANDLES_A_PART, -(-(end - start) // (interval_seconds * MOST_PARTS)))
    for first in range(start, end, length):
        yield first, min(first + length, end)


class Span(NamedTuple):
    """The candles of a run, in unix seconds: from the warm-up over the start of trading to the end."""

    first: int
    start: int
    end: int


class _Found(NamedTuple):
    instrument: Instrument
    costs: RunCosts
    candles: Candles
    report: DataReport


async def _find(market: Market, request: Request, interval: Interval, span: Span) -> _Found:
    try:
        instrument = await chosen_instrument(market.search, request.token, request.chain)
        costs = request.costs().read(await market.pool(instrument.token_id), iso_text(system_clock()))
        with show_progress("Fetching candles") as tell:
            return _Found(instrument, costs, *await _fetch(market, instrument, interval, span, tell))
    except AppError as error:
        raise Stop(str(error), NOTHING_TO_WORK_WITH) from error
    finally:
        await market.close()


async def _fetch(
    market: Market, instrument: Instrument, interval: Interval, span: Span, tell: Tell
) -> tuple[Candles, DataReport]:
    """Fetch the traded span part by part into the store, then the warm-up, and read all of it."""
    start, end = span.start, span.end
    for first, last in list(parts_of(start, end, INTERVAL_SECONDS[interval]))[:-1]:
        await market.candles(instrument.token_id, interval, first, last)
        tell((last - start) / (end - start))
    return await market.candles(instrument.token_id, interval, span.first, end, traded_from=start)


def _refuse_too_many(start: int, end: int, interval: Interval) -> None:
    count = (end - start) // INTERVAL_SECONDS[interval]
    if count > MOST_CANDLES:
        raise Stop(f"From --start to --end there are {count} candles; at most {MOST_CANDLES} can be tested at once.")
