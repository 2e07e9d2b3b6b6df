"""Longer candles made of the run's own candles, without look-ahead.

At the close of a run's candle only longer candles that have closed by then exist.
"""

import numpy as np

from strategybot.trading.engine.candles import Candles, Integers


def longer_candles(candles: Candles, interval_seconds: int) -> Candles:
    """Merge the candles into longer ones. An incomplete first one, and a last one that is still open, are left out."""
    bucket = candles.time // interval_seconds
    first = np.flatnonzero(np.diff(bucket, prepend=bucket[:1] - 1))
    last = np.append(first[1:], len(bucket))
    whole = np.ones(len(first), dtype=np.bool_)
    if len(first) > 0:
        whole[0] = candles.time[0] % interval_seconds == 0
        whole[-1] &= candles.time[-1] + candles.interval_seconds >= (bucket[-1] + 1) * interval_seconds
    first, last = first[whole], last[whole]
    end = last[-1] if len(last) else 0
    return Candles(
        interval_seconds,
        bucket[first] * interval_seconds,
        candles.open[first],
        np.maximum.reduceat(candles.high[:end], first) if len(first) else candles.high[:0],
        np.minimum.reduceat(candles.low[:end], first) if len(first) else candles.low[:0],
        candles.close[last - 1],
        np.add.reduceat(candles.volume[:end], first) if len(first) else candles.volume[:0],
        born=candles.born,
    )


def last_closed(candles: Candles, longer: Candles) -> Integers:
    """Return for each candle the index of the last longer candle that has closed by its close; -1 if there is none."""
    closes = candles.time + candles.interval_seconds
    return np.searchsorted(longer.time + longer.interval_seconds, closes, side="right") - 1
