"""Windows in which each earlier value is compared with the present one: weighted means, distances and ranks.

A value is added lag by lag, so that the order of the additions follows from the window alone.
"""

import numpy as np

from strategybot.trading.engine.candles import Floats
from strategybot.trading.engine.indicators.sliding import BLOCK
from strategybot.trading.engine.jit import lean

WEIGHTED, DISTANCE, AT_MOST = 0, 1, 2


def weighted_mean(values: Floats, window: int) -> Floats:
    """Return the mean with the weights 1 to `window`, the newest the largest; a flat line stays exact."""
    return values + _totals(WEIGHTED, values, values, window - 1, window)


def mean_distance(values: Floats, bases: Floats, window: int) -> Floats:
    """Return the mean distance of the values of the window from the base of its last candle."""
    return _totals(DISTANCE, values, bases, window - 1, window) / window


def share_at_most(values: Floats, window: int) -> Floats:
    """Return how many percent of the `window` values before each are at most as large."""
    return 100 * _totals(AT_MOST, values, values, window, window) / window


def _totals(kind: int, values: Floats, bases: Floats, longest: int, window: int) -> Floats:
    totals = np.full(len(values), np.nan)
    fill_totals(kind, values, bases, longest, window, totals)
    return totals


@lean
def fill_totals(kind: int, values: Floats, bases: Floats, longest: int, window: int, totals: Floats) -> None:
    """Write the sum over the lags up to `longest`, from where there is a value with that lag."""
    for low in range(longest, len(values), BLOCK):
        high = min(low + BLOCK, len(values))
        total, base = totals[low:high], bases[low:high]
        total[:] = 0.0
        for lag in range(0 if kind == DISTANCE else 1, longest + 1):
            earlier = values[low - lag : high - lag]
            if kind == WEIGHTED:
                weight = 2.0 * (window - lag) / (window * (window + 1.0))
                for k in range(len(total)):
                    total[k] += weight * (earlier[k] - base[k])
            elif kind == DISTANCE:
                for k in range(len(total)):
                    total[k] += abs(earlier[k] - base[k])
            else:
                for k in range(len(total)):
                    total[k] += earlier[k] <= base[k]
