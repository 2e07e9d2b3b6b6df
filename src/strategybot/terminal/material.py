"""Loads a user's own candles for a backtest, and shows how far a test is."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

import numpy as np

from strategybot.kit.clock import iso_text, utc_moment
from strategybot.terminal.output import show_progress
from strategybot.terminal.own_candles import read_candles
from strategybot.terminal.request import DAY_SECONDS, OwnFile, Request
from strategybot.terminal.stop import NOTHING_TO_WORK_WITH, Stop
from strategybot.terminal.tested import Material
from strategybot.trading.engine.candles import END_OF_TIME, Candles, DataReport, Integers, TooManyCandles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.engine.loop import STOP_REQUESTED
from strategybot.trading.engine.pool import PoolFacts
from strategybot.trading.engine.preparation import Prepared, prepare, warm_up_seconds
from strategybot.trading.engine.resolution import hidden_span
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.numbers import duration_words

POLL_SECONDS = 0.05
Computed = TypeVar("Computed")


def own_material(strategy: Strategy, request: Request, own: OwnFile) -> Material:
    file = own.path
    given = None if request.interval is None else INTERVAL_SECONDS[request.interval]
    with show_progress("Reading candles"):
        candles, report = read_candles(file, given)
    seconds = candles.interval_seconds
    hidden = hidden_span(strategy, seconds)
    if hidden is not None:
        raise Stop(f"The strategy looks at {hidden}; candles of {duration_words(seconds)} cannot show that.")
    end = int(candles.time[-1]) + seconds if request.end is None else request.end
    start = _start(request, int(candles.time[0]), end)
    seen = candles.between(start - warm_up_seconds(strategy, seconds), min(end, END_OF_TIME))
    ready = prepare_candles(seen, report, start) if own.fill else as_they_are(seen, report, start)
    if not ready.candles_to_trade:
        raise Stop(f"{file} has no candles between --start and --end.", NOTHING_TO_WORK_WITH)
    costs = request.costs().read(PoolFacts(), iso_text(utc_moment(end)))
    return Material(str(file), None, ready, start, end, costs, None)


def _start(request: Request, first: int, end: int) -> int:
    if request.days is not None:
        return max(0, end - round(request.days * DAY_SECONDS))
    return first if request.start is None else request.start


def as_they_are(candles: Candles, report: DataReport, start: int) -> Prepared:
    """Return the candles without any added where there are none."""
    return Prepared(candles, report, int(np.searchsorted(candles.time, start)))


def prepare_candles(candles: Candles, report: DataReport, start: int) -> Prepared:
    try:
        return prepare(candles, report, start)
    except TooManyCandles as error:
        raise Stop(f"There are too many empty buckets: {error}.") from None


def compute(what: str, work: Callable[[], Computed], share_done: Callable[[], float], control: Integers) -> Computed:
    """Do the work in a thread and show its progress. Return what it returns."""
    with show_progress(what) as tell, ThreadPoolExecutor(1) as pool:
        run = pool.submit(work)
        try:
            while wait([run], POLL_SECONDS).not_done:
                tell(share_done())
        finally:
            control[STOP_REQUESTED] = 1  # after Ctrl+C the thread must end too
    return run.result()
