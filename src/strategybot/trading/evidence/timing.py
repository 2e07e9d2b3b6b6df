"""Whether a strategy was in the market when it rose, candle by candle and summed over UTC days.

The share of a position that is held during a candle is known at its open. In a market without a pattern its product
with the candle's move above the mean has therefore no drift, whatever closes the position. `evidence` turns the sums
into chances; docs/verdict.md has the formulas with the same letters.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.backtest import BacktestResult
from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.ledger import BUDGET, ENTRY, EXIT, EXIT_BASE, PROCEEDS, QUANTITY

DAY = 86_400
LEAST_GROWTH = 1e-9  # of what was held in a candle: all of it lost has no logarithm
ROUNDING = 1e-12  # of the values themselves: a smaller spread is noise of the last digits
WHOLE = 1e-9  # added before rounding down, so that 30 equal days are 30 days


class Exposure(NamedTuple):
    """One value for each candle of a run."""

    moves: Floats  # m: the logarithm of the next open over this one; the last candle counts to its close
    shares: Floats  # h: what is held after the open's fills, as a part of the most that its position has held
    gains: Floats  # u: the log return of what was held, with the real fills and all costs, times its share


def log_levels(candles: Candles) -> Floats:
    """Return the logarithm of every open and of the last close: the moves of candles i to k − 1 sum to [k] − [i]."""
    return np.log(np.append(candles.open, candles.close[-1:]))


def exposure_of(candles: Candles, start: int, result: BacktestResult) -> Exposure:
    """Return the exposure of a complete run that traded from candle `start` on. A trade holds one whole position."""
    following = np.append(candles.open[1:], candles.close[-1:])
    moves = _moves(candles.open, following)
    places, amounts = result.trades.places, result.trades.amounts
    entry, exit_ = places[:, ENTRY], places[:, EXIT]
    # A position that is closed in the candle of its entry was held in it, at whatever price it was closed.
    at_open = (exit_ > entry) & (amounts[:, EXIT_BASE] == candles.open[exit_])
    edges = np.zeros(len(candles) + 1, np.int64)
    np.add.at(edges, entry, 1)
    np.add.at(edges, np.where(at_open, exit_, exit_ + 1), -1)
    if result.open_position is not None:
        edges[result.last_entry] += 1
    shares = np.cumsum(edges[:-1]).astype(np.float64)
    gains = shares * moves
    with np.errstate(all="ignore"):
        worth = amounts[:, QUANTITY] * following[entry]
        gains[entry] = _growth(worth, amounts[:, BUDGET])
        is_short = entry == exit_
        spent = np.where(is_short, amounts[:, BUDGET], amounts[:, QUANTITY] * candles.open[exit_])
        gains[exit_] = _growth(amounts[:, PROCEEDS], spent)
        if result.open_position is not None:
            state = result.state
            gains[result.last_entry] = _growth(state.quantity * following[result.last_entry], state.budget)
    return Exposure(moves[start:], shares[start:], gains[start:])


def _moves(opens: Floats, following: Floats) -> Floats:
    """Return the logarithm of the quotient: more exact than a difference, except where no float can hold it."""
    with np.errstate(all="ignore"):
        moves = np.log(following / opens)
    found: Floats = np.where(np.isfinite(moves), moves, np.log(following) - np.log(opens))
    return found


def _growth(received: Floats | float, spent: Floats | float) -> Floats:
    found: Floats = np.log(np.fmax(np.divide(received, spent), LEAST_GROWTH))
    return found


@dataclass(frozen=True, eq=False)
class DaySums:
    """The sums of a run over each UTC day that has a candle; a candle belongs to the day of its open."""

    days: Integers
    candles: Floats  # n
    held: Floats  # H: the sum of h
    squares: Floats  # the sum of h²
    moves: Floats  # M
    caught: Floats  # A: the sum of h · m
    net: Floats  # U

    @cached_property
    def mean_share(self) -> float:
        return float(self.held.sum() / self.candles.sum()) if len(self.days) else 0.0

    @cached_property
    def expected(self) -> Floats:
        """Return what holding the mean share all the time, and as much as was held in the mean market, would give."""
        return expected(self.candles, self.held, self.moves, self.candles.sum())

    @cached_property
    def gross(self) -> Floats:
        """Return what the timing brought, without costs."""
        return self.caught - self.expected

    @cached_property
    def excess(self) -> Floats:
        """Return what was made above holding the mean share all the time, with fills and costs."""
        return self.net - self.expected

    @cached_property
    def contrast(self) -> Floats:
        """Return the sum of (h − its mean)²: only days on which it differs can tell in from out."""
        mean = self.mean_share
        return np.maximum(0.0, self.squares - 2 * mean * self.held + self.candles * mean**2)

    @property
    def size(self) -> float:
        """Return the sum of the numbers of which gross and excess are differences."""
        return float(sum(np.abs(each).sum() for each in (self.caught, self.net, self.expected)))


def expected(candles: Floats, held: Floats, moves: Floats, total: float) -> Floats:
    """Return h̄ · M + m̄ · H − n · h̄ · m̄ for each column of sums; `total` is the number of all candles."""
    share = held.sum(axis=-1, keepdims=True) / total
    move = moves.sum(axis=-1, keepdims=True) / total
    found: Floats = share * moves + move * held - candles * share * move
    return found


def day_sums(times: Integers, exposure: Exposure) -> DaySums:
    days = times // DAY
    first = np.flatnonzero(np.diff(days, prepend=-1))

    def summed(values: Floats) -> Floats:
        return np.add.reduceat(values, first) if len(first) else np.empty(0)

    moves, shares, gains = exposure
    return DaySums(
        days=days[first],
        candles=np.diff(first, append=len(times)).astype(np.float64),
        held=summed(shares),
        squares=summed(shares * shares),
        moves=summed(moves),
        caught=summed(shares * moves),
        net=summed(gains),
    )


class Strength(NamedTuple):
    """How far the sums over days are from zero, in standard errors, and the degrees of freedom of their spread."""

    gross: float = 0.0
    net: float = 0.0
    excess: float = 0.0
    degrees: int = 0


def strength_of(every: Sequence[DaySums]) -> Strength:
    """Return the strength of a run, or of several tokens together: their sums are added by calendar day."""
    if not every:
        return Strength()
    days = np.unique(np.concatenate([each.days for each in every]))
    added = np.zeros((5, len(days)))
    for each in every:
        added[:, np.searchsorted(days, each.days)] += (
            each.gross,
            each.net,
            each.excess,
            each.candles,
            each.contrast,
        )
    gross, net, excess, candles, contrast = added
    size = sum(each.size for each in every)
    return Strength(
        t_of(gross, candles, size), t_of(net, candles, size), t_of(excess, candles, size), degrees_of(contrast)
    )


def t_of(values: Floats, candles: Floats, size: float) -> float:
    """Return ΣD / √(G/(G−1) · Σ(D − n · ΣD/N)²) over G days; 0 where the spread is only rounding.

    `size` is the sum of the numbers that the values are made of: the difference of two of them is never more exact.
    """
    count, total = len(values), float(values.sum())
    if count < 2:
        return 0.0
    rest = values - candles * (total / float(candles.sum()))
    spread = math.sqrt(count / (count - 1) * float(np.sum(rest**2)))
    return total / spread if ROUNDING * size < spread < math.inf else 0.0


def degrees_of(contrast: Floats) -> int:
    """Return ⌊(Σw)² / Σw²⌋ − 1, at least 0; w is the contrast of each day."""
    total = float(contrast.sum())
    # Of a share that never changes only rounding is left.
    if total <= ROUNDING * len(contrast):
        return 0
    return max(0, math.floor(total**2 / float(np.sum(contrast**2)) + WHOLE) - 1)
