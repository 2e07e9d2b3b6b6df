"""Candles for a chart: neighbours are put together until no more are left than fit."""

import numpy as np

from strategybot.trading.candles import Candles


def fitted(candles: Candles, most: int) -> Candles:
    """At most so many candles over the same span, each of a whole number of the original ones."""
    factor = 1
    while len(_starts(candles, factor)) > most:
        factor *= 2
    return candles if factor == 1 else _joined(candles, factor)


def _starts(candles: Candles, factor: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """The rows that begin a new long candle."""
    buckets = candles.time // (candles.interval_seconds * factor)
    return np.flatnonzero(np.diff(buckets, prepend=-1))


def _joined(candles: Candles, factor: int) -> Candles:
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
