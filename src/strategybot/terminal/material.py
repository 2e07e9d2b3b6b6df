"""Candles for a test: the market's, fetched part by part so that progress can be seen, or the user's own."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from strategybot.backtests.preparation import Prepared, prepare, warm_up_seconds
from strategybot.kit.clock import system_clock
from strategybot.kit.errors import AppError
from strategybot.market.service import Market, NoKlines
from strategybot.terminal.opening import NOTHING_TO_WORK_WITH, Stop, open_services, open_settings
from strategybot.terminal.own_candles import read_candles
from strategybot.terminal.progress import Tell, shown
from strategybot.terminal.request import Instrument, Request, instrument_of, span_of
from strategybot.terminal.tested import Material
from strategybot.trading.candles import END_OF_TIME, MOST_CANDLES, Candles, DataReport, TooManyCandles
from strategybot.trading.instruments import INTERVAL_SECONDS, Interval
from strategybot.trading.language.strategy import Strategy

DEFAULT_INTERVAL: Interval = "1h"
MOST_PARTS = 20
LEAST_CANDLES_A_PART = 5000


def own_material(strategy: Strategy, request: Request, file: Path) -> Material:
    given = None if request.interval is None else INTERVAL_SECONDS[request.interval]
    with shown("Reading candles"):
        candles, report = read_candles(file, given)
    seconds = candles.interval_seconds
    start = int(candles.time[0]) if request.start is None else request.start
    end = int(candles.time[-1]) + seconds if request.end is None else request.end
    seen = candles.between(start - warm_up_seconds(strategy, seconds), min(end, END_OF_TIME))
    prepared = _prepared(seen, report, start)
    if not prepared.candles_to_trade:
        raise Stop(f"{file} has no candles between --start and --end.", NOTHING_TO_WORK_WITH)
    return Material(str(file), None, prepared, start, end)


def market_material(strategy: Strategy, request: Request) -> Material:
    instrument = instrument_of(request.token, request.chain)
    interval = request.interval or DEFAULT_INTERVAL
    seconds = INTERVAL_SECONDS[interval]
    start, end = span_of(request, int(system_clock().timestamp()) // seconds * seconds)
    first = max(0, start - warm_up_seconds(strategy, seconds))
    _refuse_too_many(first, end, interval)
    with open_services(open_settings()) as services, shown("Fetching candles") as tell:
        candles, report = asyncio.run(_fetched(services.market, instrument, interval, first, end, tell))
    prepared = _prepared(candles, report, start)
    if not prepared.candles_to_trade:
        raise Stop(str(NoKlines(*instrument)), NOTHING_TO_WORK_WITH)
    return Material(f"{instrument.address} on {instrument.chain}", instrument, prepared, start, end)


def parts_of(start: int, end: int, interval_seconds: int) -> Iterator[tuple[int, int]]:
    """The span in a few parts, oldest first, each worth a provider's while."""
    length = interval_seconds * max(LEAST_CANDLES_A_PART, -(-(end - start) // (interval_seconds * MOST_PARTS)))
    for first in range(start, end, length):
        yield first, min(first + length, end)


async def _fetched(
    market: Market, instrument: Instrument, interval: Interval, start: int, end: int, tell: Tell
) -> tuple[Candles, DataReport]:
    """Have the store filled part by part; the whole span is read from it, and the last part asked for, at the end."""
    try:
        for first, last in list(parts_of(start, end, INTERVAL_SECONDS[interval]))[:-1]:
            await market.candles(instrument.token_id, interval, first, last)
            tell((last - start) / (end - start))
        return await market.candles(instrument.token_id, interval, start, end)
    except AppError as error:
        raise Stop(str(error), NOTHING_TO_WORK_WITH) from error
    finally:
        await market.close()


def _refuse_too_many(start: int, end: int, interval: Interval) -> None:
    count = (end - start) // INTERVAL_SECONDS[interval]
    if count > MOST_CANDLES:
        raise Stop(f"From --start to --end there are {count} candles; at most {MOST_CANDLES} can be tested at once.")


def _prepared(candles: Candles, report: DataReport, start: int) -> Prepared:
    try:
        return prepare(candles, report, start)
    except TooManyCandles as error:
        raise Stop(f"There are too many empty buckets: {error}.") from None
