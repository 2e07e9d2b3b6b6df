"""Market candles made ready for a backtest: how far before its start to ask, and at which candle it begins to trade."""

from dataclasses import dataclass

import numpy as np

from strategybot.trading.candles import Candles, DataReport, densify
from strategybot.trading.conditions import lookback_candles
from strategybot.trading.language.strategy import Strategy


@dataclass(frozen=True, eq=False, slots=True)
class Prepared:
    candles: Candles  # one a bucket; those before `start_index` warm the windows up and trade nothing
    report: DataReport
    start_index: int

    @property
    def candles_to_trade(self) -> int:
        """None of them: the market has nothing from the start on, and there is nothing to test."""
        return len(self.candles) - self.start_index


def warm_up_seconds(strategy: Strategy, interval_seconds: int) -> int:
    """How much earlier than its start a run asks for candles, so that every condition is known at its first one."""
    return interval_seconds * lookback_candles(strategy, interval_seconds)


def prepare(candles: Candles, report: DataReport, start: int) -> Prepared:
    """Fill the buckets without a trade and trade from the first candle that does not begin before `start`.

    May raise `TooManyCandles`. A market that is younger than the start of the warm-up begins where it begins.
    """
    dense, report = densify(candles, report)
    return Prepared(dense, report, int(np.searchsorted(dense.time, start, side="left")))
