"""What is tested on market candles: the span, the tokens, and the candles of one of them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from strategybot.backtests.intrabar import MinuteFetcher
from strategybot.kit.clock import iso_text, system_clock
from strategybot.kit.errors import AppError
from strategybot.market.schemas import Token
from strategybot.market.service import Market, NoKlines
from strategybot.terminal.material import prepare_candles
from strategybot.terminal.output import show_progress
from strategybot.terminal.request import Instrument, Request, span_of
from strategybot.terminal.setup import open_services, open_settings
from strategybot.terminal.stop import NOTHING_TO_WORK_WITH, Stop
from strategybot.terminal.tested import Material
from strategybot.terminal.token_choice import chosen_instrument
from strategybot.trading.engine.backtest import BacktestResult
from strategybot.trading.engine.candles import MOST_CANDLES, Candles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval, closed_until
from strategybot.trading.engine.preparation import warm_up_start
from strategybot.trading.engine.resolution import misfit, recommended_interval
from strategybot.trading.language.strategy import Strategy

Found = TypeVar("Found")


def with_market(work: Callable[[Market], Awaitable[Found]]) -> Found:
    """Return what the work finds on the market of this installation. An error of the market ends the command."""

    async def do(market: Market) -> Found:
        try:
            return await work(market)
        except AppError as error:
            raise Stop(str(error), NOTHING_TO_WORK_WITH) from error
        finally:
            await market.close()

    with open_services(open_settings()) as services:
        return asyncio.run(do(services.market))


def market_span(strategy: Strategy, request: Request) -> tuple[Interval, int, int]:
    """Return how long a candle is, and where the span begins and ends. Raise if such candles cannot show enough."""
    interval = request.interval or recommended_interval(strategy)
    problem = misfit(strategy, interval)
    if problem is not None:
        raise Stop(problem)
    return interval, *span_of(request, closed_until(system_clock().timestamp(), INTERVAL_SECONDS[interval]))


async def trending_tokens(market: Market, chain: str, limit: int) -> list[Token]:
    found = await market.trending(chain, limit)
    return list(found[:limit])


def market_material(strategy: Strategy, request: Request) -> Material:
    interval, start, end = market_span(strategy, request)
    first = warm_up_start(start, strategy, INTERVAL_SECONDS[interval])
    _refuse_too_many(first, end, interval)

    async def find(market: Market) -> Material:
        instrument = await chosen_instrument(market.search, request.token, request.chain)
        token_id = instrument.token_id
        costs = request.costs().read(await market.pool(token_id), iso_text(system_clock()))
        with show_progress("Fetching candles") as tell:
            found = await market.candles(token_id, interval, first, end, tell, traded_from=start)
        ready = prepare_candles(*found, start)
        if not ready.candles_to_trade:
            raise NoKlines(*instrument)
        name = f"{instrument.address} on {instrument.chain}"
        return Material(name, instrument, ready, start, end, costs, market.source)

    return with_market(find)


def resolve(
    result: BacktestResult, material: Material, instrument: Instrument, compute: Callable[[Candles], BacktestResult]
) -> BacktestResult:
    """Return the result after candles with an ambiguous order of stop and target were resolved on 1-minute candles."""

    async def refine(market: Market) -> BacktestResult:
        refined, seconds = result, material.prepared.candles.interval_seconds
        minutes = MinuteFetcher(market, instrument.token_id, (material.start, material.end), MOST_CANDLES)
        with show_progress("Fetching 1-minute candles") as tell:
            while len(refined.doubts) and await minutes.fetch(refined.doubts, seconds, tell):
                refined = compute(minutes.minutes)
        return refined

    return with_market(refine)


def _refuse_too_many(start: int, end: int, interval: Interval) -> None:
    count = (end - start) // INTERVAL_SECONDS[interval]
    if count > MOST_CANDLES:
        raise Stop(f"From --start to --end there are {count} candles; at most {MOST_CANDLES} can be tested at once.")
