"""Whether a strategy was in the market when it rose, candle by candle and summed over UTC days.

The share of a position that is held during a candle is known at its open. In a market without a pattern its product
with the candle's move above the mean has therefore no drift, whatever closes the position. `evidence` turns the sums
into chances; docs/verdict.md has the formulas with the same letters.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.ledger import BASE, CANDLE, HELD, MONEY
from strategybot.trading.engine.trades import Fills

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


class HasFills(Protocol):
    """A run on one token, or the part of a portfolio that traded it."""

    @property
    def fills(self) -> Fills: ...


def exposure_of(candles: Candles, start: int, result: HasFills) -> Exposure:
    """Return the exposure of a complete run that traded from candle `start` on."""
    following = np.append(candles.open[1:], candles.close[-1:])
    moves = _moves(candles.open, following)
    shares, changed = np.zeros(len(candles)), _by_candle(candles, result)
    # Between two candles with fills the share stays as it was after the first of them.
    rest = np.repeat(changed.share_after, np.diff(changed.candle, append=len(candles)))
    shares[len(candles) - len(rest) :] = rest
    shares[changed.candle] = changed.share
    gains = shares * moves
    with np.errstate(all="ignore"):
        worth = changed.before * candles.open[changed.candle] + changed.spent
        received = changed.received + changed.after * following[changed.candle]
        gains[changed.candle] = np.maximum(changed.share, changed.share_before) * _growth(received, worth)
    return Exposure(moves[start:], shares[start:], gains[start:])


class Changed(NamedTuple):
    """The candles with fills, one row each: what was held before, and after them, and the money of its fills."""

    candle: Integers
    before: Floats
    after: Floats
    share_before: Floats
    share: Floats  # after the fills of the open
    share_after: Floats
    spent: Floats
    received: Floats


def _by_candle(candles: Candles, result: HasFills) -> Changed:
    fills = result.fills
    if not len(fills):
        return Changed(np.empty(0, np.int64), *np.empty((7, 0)))
    candle, held, money = fills.places[:, CANDLE], fills.amounts[:, HELD], fills.amounts[:, MONEY]
    first = np.flatnonzero(np.diff(candle, prepend=-1))
    last = np.append(first[1:], len(candle)) - 1
    before = np.append(0.0, held[:-1])
    share_after = held / fills.largest
    share_before = np.append(0.0, share_after[:-1])
    # A position that is closed in the candle of its entry was held in it, at whatever price it was closed.
    is_entered_here = candle == fills.entries
    at_open = (fills.amounts[:, BASE] == candles.open[candle]) & (fills.are_buys | ~is_entered_here)
    opened = np.add.reduceat(at_open.astype(np.int64), first)  # the fills of the open are the first ones of a candle
    share = np.where(opened > 0, share_after[np.minimum(first + opened - 1, last)], share_before[first])
    return Changed(
        candle[first],
        before[first],
        held[last],
        share_before[first],
        share,
        share_after[last],
        np.add.reduceat(np.where(fills.are_buys, money, 0.0), first),
        np.add.reduceat(np.where(fills.are_buys, 0.0, money), first),
    )


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

    @property
    def tokens(self) -> int:
        return 1

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


@dataclass(frozen=True, eq=False)
class AddedSums(DaySums):
    """The sums of several tokens by calendar day. What each is compared with is that of its own market."""

    parts: Sequence[DaySums] = ()

    @property
    def tokens(self) -> int:
        return len(self.parts)

    @cached_property
    def expected(self) -> Floats:
        return _add(self.days, [(each.days, each.expected) for each in self.parts])

    @cached_property
    def contrast(self) -> Floats:
        return _add(self.days, [(each.days, each.contrast) for each in self.parts])

    @property
    def size(self) -> float:
        return sum(each.size for each in self.parts)


def added(parts: Sequence[DaySums]) -> AddedSums:
    days = np.unique(np.concatenate([each.days for each in parts]))
    names = ("candles", "held", "squares", "moves", "caught", "net")
    columns = {name: _add(days, [(each.days, getattr(each, name)) for each in parts]) for name in names}
    return AddedSums(days, **columns, parts=parts)


def _add(days: Integers, parts: Sequence[tuple[Integers, Floats]]) -> Floats:
    total = np.zeros(len(days))
    for own, values in parts:
        total[np.searchsorted(days, own)] += values
    return total


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
