"""Prepares candles for a run: how much look-back it needs, and at which candle trading begins."""

from dataclasses import dataclass

import numpy as np

from strategybot.trading.engine.candles import Candles, DataReport, densify
from strategybot.trading.engine.conditions import lookback_candles
from strategybot.trading.engine.resolution import MOST_LOOKBACK
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
    """Return on how many seconds before its start the first candle of a run depends at most."""
    return interval_seconds * lookback_candles(strategy, interval_seconds)


def warm_up_start(start: int, strategy: Strategy, interval_seconds: int) -> int:
    """Return from where on candles are fetched for a run that trades from `start` on."""
    return candles_before(start, lookback_candles(strategy, interval_seconds), interval_seconds)


def candles_before(start: int, candles: int, interval_seconds: int) -> int:
    """Return the time so many candles before `start`, but no more than a run may look back on, and not before 0."""
    return max(0, start - min(candles, MOST_LOOKBACK) * interval_seconds)


def prepare(candles: Candles, report: DataReport, start: int) -> Prepared:
    """Fill buckets without a trade, and set the start to the first candle that does not begin before `start`.

    Raise `TooManyCandles` if there are too many. A market that is younger than the warm-up starts with its first
    candle.
    """
    dense, report = densify(candles, report)
    index = int(np.searchsorted(dense.time, start, side="left"))
    counts = {"candles": len(dense) - index, "warm_up_candles": index}
    return Prepared(dense, report.model_copy(update=counts), index)
