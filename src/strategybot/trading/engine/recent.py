"""The newest candles of a growing series. Appending a candle does not copy the others."""

from dataclasses import replace

import numpy as np

from strategybot.trading.engine.candles import FIELDS, Candles, empty_candles

SPARE = 32  # free places: the kept candles are copied once every so many


class Recent:
    def __init__(self, interval_seconds: int, kept: int) -> None:
        self._kept = kept
        self.room = empty_candles(interval_seconds)
        self._begin = self._end = 0
        self._born: int | None = None

    @property
    def interval_seconds(self) -> int:
        return self.room.interval_seconds

    def add(self, candles: Candles) -> Candles:
        """Append later candles; return the kept candles followed by them."""
        seen = self.peek(candles)
        self._end += len(candles)
        self._begin = max(self._begin, self._end - self._kept)
        return seen

    def peek(self, candles: Candles) -> Candles:
        """Return what `add` would return, without keeping the candles. It is valid until the next `peek` or `add`."""
        if self._end + len(candles) > len(self.room):
            self._make_room(len(candles))
        end = self._end + len(candles)
        for column, more in zip(self.room.columns(), candles.columns(), strict=True):
            column[self._end : end] = more
        self._born = candles.born if self._born is None else self._born
        return replace(self.room[self._begin : end], born=self._born)

    def _make_room(self, count: int) -> None:
        """Allocate new columns, so that candles returned earlier stay unchanged."""
        kept = self.room[self._begin : self._end]
        size = len(kept) + count + SPARE
        self.room = Candles(kept.interval_seconds, np.empty(size, np.int64), *(np.empty(size) for _ in FIELDS[1:]))
        self._begin, self._end = 0, len(kept)
        for column, old in zip(self.room.columns(), kept.columns(), strict=True):
            column[: self._end] = old
