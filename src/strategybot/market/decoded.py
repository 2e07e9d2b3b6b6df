"""A cache of decoded candles in this process.

Decompressing a million candles takes 0.3 s; a backtest of them takes 6 ms. Candles of an answered span never change, so
a span that is answered completely can be cached.
"""

import threading
from collections import OrderedDict

from strategybot.trading.engine.candles import Candles

LEAST_CANDLES = 20_000
"""Smaller spans are not cached: they are read in a few milliseconds, and there may be thousands of them."""
MOST_BYTES = 96 * 1024 * 1024

Span = tuple[int, int]
"""Start (inclusive) and end (exclusive), in unix seconds on the interval's grid."""


class DecodedCandles:
    """The most recent span of each series, up to a total number of bytes."""

    def __init__(self, least_candles: int = LEAST_CANDLES, most_bytes: int = MOST_BYTES) -> None:
        self._least_candles, self._most_bytes = least_candles, most_bytes
        self._spans: OrderedDict[str, tuple[Span, Candles]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def find(self, series_id: str, span: Span) -> Candles | None:
        """Return the candles of the span, or None if the cache does not cover it completely."""
        with self._lock:
            found = self._spans.get(series_id)
            if found is None or span[0] < found[0][0] or span[1] > found[0][1]:
                return None
            self._spans.move_to_end(series_id)
        return found[1].between(*span)

    def keep(self, series_id: str, span: Span, candles: Candles) -> None:
        """Cache the candles of a completely answered span. The caller must not change them."""
        if len(candles) < self._least_candles or _size(candles) > self._most_bytes:
            return
        with self._lock:
            self._drop(series_id)
            self._spans[series_id] = span, candles
            self._bytes += _size(candles)
            while self._bytes > self._most_bytes:
                self._drop(next(iter(self._spans)))

    def _drop(self, series_id: str) -> None:
        dropped = self._spans.pop(series_id, None)
        if dropped is not None:
            self._bytes -= _size(dropped[1])


def _size(candles: Candles) -> int:
    return sum(column.nbytes for column in candles.columns())
