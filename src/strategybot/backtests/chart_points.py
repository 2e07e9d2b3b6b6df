"""Candles and series for a chart, merged until they fit into a number of points."""

import numpy as np

from strategybot.backtests.schemas import LinePoint, LinesView, LineView
from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.lines import lines_of
from strategybot.trading.words.numbers import finite


def fit(candles: Candles, most: int) -> Candles:
    """Return at most `most` candles for the same span, each merged from a whole number of original ones."""
    factor = _factor(candles, most)
    return candles if factor == 1 else _join(candles, factor)


def last_rows(candles: Candles, most: int) -> Integers:
    """Return the last original candle of each candle that `fitted` returns."""
    starts = _starts(candles, _factor(candles, most))
    return np.append(starts[1:], len(candles)) - 1 if len(starts) else starts


def fitted_lines(strategy: Strategy, candles: Candles, start: int, most: int) -> LinesView:
    """Return the series of the strategy from `start` on: the last value in each candle that `fitted` returns.

    The candles before `start` are the look-back of the series.
    """
    shown = candles.between(start, int(candles.time[-1]) + 1) if len(candles) else candles
    factor = _factor(shown, most)
    seconds = candles.interval_seconds * factor
    rows = last_rows(shown, most) + len(candles) - len(shown)
    times = (shown.time[_starts(shown, factor)] // seconds * seconds).tolist()
    return LinesView(
        interval_seconds=seconds,
        series=[
            LineView(
                name=line.phrase,
                series=line.series,
                pane=line.pane,
                bounds=None if line.series.bounds is None else list(line.series.bounds),
                levels=line.levels,
                points=_points(times, line.values[rows]),
            )
            for line in lines_of(strategy, candles)
        ],
    )


def _points(times: list[int], values: Floats) -> list[LinePoint]:
    return [LinePoint(time=time, value=finite(value)) for time, value in zip(times, values.tolist(), strict=True)]


def _factor(candles: Candles, most: int) -> int:
    factor = 1
    while len(_starts(candles, factor)) > most:
        factor *= 2
    return factor


def _starts(candles: Candles, factor: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the rows at which a merged candle begins."""
    buckets = candles.time // (candles.interval_seconds * factor)
    return np.flatnonzero(np.diff(buckets, prepend=-1))


def _join(candles: Candles, factor: int) -> Candles:
    interval, starts = candles.interval_seconds * factor, _starts(candles, factor)
    lasts = np.append(starts[1:], len(candles)) - 1
    return Candles(
        interval,
        candles.time[starts] // interval * interval,
        candles.open[starts],
        np.maximum.reduceat(candles.high, starts),
        np.minimum.reduceat(candles.low, starts),
        candles.close[lasts],
        np.add.reduceat(candles.volume, starts),
    )
