"""The demo market at a given time: candles up to it, and the price, change and volume of those candles."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from strategybot.market.demo_candles import DAY_MINUTES, TICK_SECONDS, TICKS, make_candles
from strategybot.market.demo_tokens import Listing
from strategybot.trading.engine.candles import Candles, DataReport, concatenate, empty_candles, tidy

CHUNK_MINUTES: Final = 32 * DAY_MINUTES
KEPT_FROM: Final = 240  # candles of at least this many minutes are few but slow to compute: finished chunks are cached


class Moment(NamedTuple):
    minute: int  # since 1970
    ticks: int  # trades of that minute so far

    @classmethod
    def at(cls, seconds: int) -> "Moment":
        return cls(seconds // 60, seconds % 60 // TICK_SECONDS + 1)


class Snapshot(NamedTuple):
    price: float
    change_percent: float  # in 24 hours
    volume: float  # in 24 hours
    traded_at: int  # second of the last trade


class Span(NamedTuple):
    """Candles of `size` minutes that start from `first` to `last`, both multiples of `size` in minutes since 1970."""

    size: int
    first: int
    last: int


def born(listing: Listing) -> int:
    return int(listing.created_at.timestamp()) // 60


def last_minute(listing: Listing) -> int | None:
    """Return the last minute in which a token trades that has an end."""
    return None if listing.ended_at is None else int(listing.ended_at.timestamp()) // 60 - 1


class DemoHistory:
    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.chunk = lru_cache(maxsize=1024)(self._make_chunk)
        self.snapshot = lru_cache(maxsize=256)(self._make_snapshot)

    def candles(self, listing: Listing, span: Span, limit: int, now: Moment) -> tuple[Candles, DataReport]:
        """Return the last `limit` candles of the span. Empty buckets do not count, so earlier chunks may be
        read too.
        """
        parts: list[Candles] = []
        found, reach, last = 0, limit, span.last
        while found < limit and last >= span.first:
            first = max(span.first, last - (reach - 1) * span.size)
            parts.insert(0, self._closed_and_open(listing, Span(span.size, first, last), now))
            found += len(parts[0])
            last, reach = first - span.size, reach * 2
        candles = concatenate(parts or [empty_candles(span.size * 60)])[-limit:]
        return tidy(*candles.columns(), interval_seconds=candles.interval_seconds)

    def _make_snapshot(self, listing: Listing, now: Moment) -> Snapshot:
        # Every day has at least one trade, so reading from the start of yesterday always gives a price before the
        # window.
        yesterday = now.minute - now.minute % DAY_MINUTES - DAY_MINUTES
        seen = self._closed_and_open(listing, Span(1, yesterday, now.minute), now)
        window = int(np.searchsorted(seen.time, (now.minute - DAY_MINUTES) * 60, side="right"))
        price, last = float(seen.close[-1]), int(seen.time[-1])
        # A candle opens at the close of the one before, so the first open is the price 24 hours ago.
        before = float(seen.open[window]) if window < len(seen.open) else price
        ticks = now.ticks if last == now.minute * 60 else TICKS
        traded_at = last + (ticks - 1) * TICK_SECONDS
        return Snapshot(price, (price / before - 1) * 100, float(seen.volume[window:].sum()), traded_at)

    def _closed_and_open(self, listing: Listing, span: Span, now: Moment) -> Candles:
        if span.size < KEPT_FROM:
            return self._make(listing, span, now)
        return concatenate(self._of_chunk(listing, part, now) for part in _by_chunk(span))

    def _of_chunk(self, listing: Listing, span: Span, now: Moment) -> Candles:
        number = span.first // CHUNK_MINUTES
        if (number + 1) * CHUNK_MINUTES > now.minute:
            return self._make(listing, span, now)
        return self.chunk(listing, span.size, number).between(span.first * 60, span.last * 60 + 1)

    def _make_chunk(self, listing: Listing, size: int, number: int) -> Candles:
        first = number * CHUNK_MINUTES
        return make_candles(listing.series(self._seed), first, first + CHUNK_MINUTES - 1, TICKS, size)

    def _make(self, listing: Listing, span: Span, now: Moment) -> Candles:
        last = min(span.last + span.size - 1, now.minute)
        ticks = now.ticks if last == now.minute else TICKS
        return make_candles(listing.series(self._seed), span.first, last, ticks, span.size)


def _by_chunk(span: Span) -> Iterator[Span]:
    first = span.first
    while first <= span.last:
        following = (first // CHUNK_MINUTES + 1) * CHUNK_MINUTES
        yield Span(span.size, first, min(span.last, following - span.size))
        first = following
