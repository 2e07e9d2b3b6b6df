"""The results of a sweep: the best point, the recommended one, and the walk-forward.

A variant with too few trades is never chosen. The recommended point has the best mean of itself and its direct
neighbours on the grid, so that a single lucky cell does not win. Walk-forward: time is cut into equal blocks; for each
block but the first the recommended point of all time before it is traded in it.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategybot.trading.engine.candles import Floats
from strategybot.trading.evidence.strength import losing_splits
from strategybot.trading.search.sweep import WALK_BLOCKS
from strategybot.trading.search.variants import Counts, Tallies

Objective = Literal["return", "return_over_drawdown", "win_rate"]
Singles = NDArray[np.float32]

SMALLEST_DRAWDOWN = 0.01  # a smaller one counts as this, or a variant with one trade would have the best ratio
COLUMNS = ("total_return", "total_trades", "win_rate", "expectancy_percent", "deviation_percent", "max_drawdown")
"""What is kept of each variant, followed by the log growth of the trades in each of 8 blocks of time."""


class Walked(NamedTuple):
    """One block of time: which variant was chosen before it (None: no variant had enough trades), and what it made."""

    variant: int | None
    growth: float
    trades: int

    @property
    def total_return(self) -> float:
        """In percent."""
        return 100 * math.expm1(self.growth)


@dataclass(frozen=True)
class WalkForward:
    blocks: tuple[Walked, ...]

    @property
    def total_return(self) -> float:
        """In percent."""
        return 100 * math.expm1(sum(each.growth for each in self.blocks))

    @property
    def trades(self) -> int:
        return sum(each.trades for each in self.blocks)


@dataclass(frozen=True, eq=False)
class Search:
    """The tallies of a grid of this shape. Variants that were not run are never chosen."""

    tallies: Tallies
    shape: tuple[int, ...]
    initial_cash: float
    objective: Objective = "return"
    minimum_trades: int = 20

    @cached_property
    def ran(self) -> NDArray[np.bool_]:
        return self.tallies.trades >= 0

    @cached_property
    def scores(self) -> Floats:
        """Return the objective of each variant; larger is better."""
        tallies = self.tallies
        return self._scores(tallies.equity, tallies.drawdown, tallies.trades, tallies.wins)

    def best(self) -> int | None:
        """Return the variant with the best score; None if no variant has enough trades."""
        return _largest(self.scores, self._enough(self.tallies.trades, 1.0))

    def recommend(self) -> int | None:
        """Return the variant with the best mean of itself and its neighbours."""
        return _largest(self.plateau, self._enough(self.tallies.trades, 1.0))

    @cached_property
    def plateau(self) -> Floats:
        """Return for each variant the mean score of itself and its direct neighbours."""
        return with_neighbours(self.scores, self.shape)

    def walk_forward(self) -> WalkForward:
        return WalkForward(tuple(self._walk(block) for block in range(1, WALK_BLOCKS)))

    def p_loss(self, gross_blocks: Floats) -> float:
        """Return the share of losing splits (`evidence.losing_splits`) of what the timing of each variant brought."""
        enough = self._enough(self.tallies.trades, 1.0)
        return losing_splits(gross_blocks[enough]) if enough.any() else 1.0

    def different_trades(self) -> int:
        """Return how many variants with enough trades bought or sold in other candles than all others."""
        return len(np.unique(self.tallies.fingerprint[self._enough(self.tallies.trades, 1.0)]))

    def pack(self) -> Singles:
        """Return a row per variant: `COLUMNS`, then the blocks. A variant that was not run is NaN."""
        tallies = self.tallies
        trades = np.maximum(tallies.trades, 0).astype(np.float64)
        with np.errstate(all="ignore"):
            mean = tallies.returns / trades
            spread = np.sqrt(np.maximum(0.0, tallies.squares - trades * mean * mean) / (trades - 1))
            columns = (
                (tallies.equity / self.initial_cash - 1) * 100,
                trades,
                100 * tallies.wins / trades,
                mean,
                np.where(trades > 1, spread, np.nan),
                100 * tallies.drawdown,
            )
            table = np.hstack((np.column_stack(columns), tallies.growth)).astype(np.float32)
        table[~self.ran] = np.nan
        return table

    def _walk(self, block: int) -> Walked:
        tallies, before = self.tallies, block - 1
        closed = tallies.closed[:, before]
        scores = self._scores(tallies.marks[:, before], tallies.falls[:, before], closed, tallies.won[:, before])
        enough = self._enough(closed, block / WALK_BLOCKS)
        chosen = _largest(with_neighbours(scores, self.shape), enough)
        if chosen is None:
            return Walked(None, 0.0, 0)
        growth = _log(tallies.marks[chosen, block]) - _log(tallies.marks[chosen, before])
        return Walked(chosen, float(growth), int(tallies.closed[chosen, block] - tallies.closed[chosen, before]))

    def _scores(self, equity: Floats, drawdown: Floats, trades: Counts, wins: Counts) -> Floats:
        with np.errstate(all="ignore"):
            if self.objective == "win_rate":
                return np.where(trades > 0, wins / np.maximum(trades, 1), 0.0)
            growth = _log(equity) - math.log(self.initial_cash)
            if self.objective == "return":
                return growth
            return np.expm1(growth) / np.maximum(drawdown, SMALLEST_DRAWDOWN)

    def _enough(self, trades: Counts, share: float) -> NDArray[np.bool_]:
        """Return which variants were run and have enough trades for this share of the time."""
        return self.ran & (trades >= max(1, math.ceil(self.minimum_trades * share)))


def with_neighbours(scores: Floats, shape: tuple[int, ...]) -> Floats:
    """Return for each cell of the grid the mean of itself and of those one step away on one axis."""
    cells = scores.reshape(shape)
    total, count = cells.copy(), np.ones(shape)
    for axis, size in enumerate(shape):
        before, after = _part(len(shape), axis, slice(0, size - 1)), _part(len(shape), axis, slice(1, size))
        total[before] += cells[after]
        total[after] += cells[before]
        count[before] += 1
        count[after] += 1
    return (total / count).reshape(-1)


def _part(axes: int, axis: int, cells: slice) -> tuple[slice, ...]:
    return tuple(cells if each == axis else slice(None) for each in range(axes))


def _largest(scores: Floats, allowed: NDArray[np.bool_]) -> int | None:
    """Return the first of the largest values among those allowed."""
    known = np.where(allowed & np.isfinite(scores), scores, -np.inf)
    best = int(np.argmax(known))
    return best if known[best] > -np.inf else None


def _log(equity: Floats) -> Floats:
    """Return the logarithm. An equity of 0 counts as the smallest positive number."""
    found: Floats = np.log(np.maximum(equity, np.finfo(np.float64).tiny))
    return found
