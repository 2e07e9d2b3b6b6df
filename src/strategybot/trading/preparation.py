"""Prepares candles for a run: how much look-back it needs, and at which candle trading begins."""

from dataclasses import dataclass

import numpy as np

from strategybot.trading.candles import Candles, DataReport, densify
from strategybot.trading.conditions import lookback_candles
from strategybot.trading.language.strategy import Strategy


@dataclass(frozen=True, eq=False, slots=True)
class Prepared:
    candles: Candles  # one per bucket; those before `start_index` only warm up the windows
    report: DataReport
    start_index: int

    @property
    def candles_to_trade(self) -> int:
        """Number of candles after the warm-up; 0 if the provider has none in the range."""
        return len(self.candles) - self.start_index


def warm_up_seconds(strategy: Strategy, interval_seconds: int) -> int:
    """Return how many seconds before its start a run needs candles, so that every condition is known at its first
    candle.
    """
    return interval_seconds * lookback_candles(strategy, interval_seconds)


def warm_up_start(start: int, strategy: Strategy, interval_seconds: int) -> int:
    """Return where the candles of a run begin that trades from `start` on."""
    return candles_before(start, lookback_candles(strategy, interval_seconds), interval_seconds)


def candles_before(start: int, candles: int, interval_seconds: int) -> int:
    """Return the time so many candles before `start`, or 0 if that would be earlier."""
    return max(0, start - candles * interval_seconds)


def prepare(candles: Candles, report: DataReport, start: int) -> Prepared:
    """Fill buckets without a trade, and set the start to the first candle that does not begin before `start`.

    Raise `TooManyCandles` if there are too many. A market that is younger than the warm-up starts with its first
    candle.
    """
    dense, report = densify(candles, report)
    return Prepared(dense, report, int(np.searchsorted(dense.time, start, side="left")))
