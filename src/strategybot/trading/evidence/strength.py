"""How strong the evidence of a run is, and the grade that follows from it. Pure numbers, no clock.

All thresholds are those of docs/verdict.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from statistics import NormalDist
from typing import Literal

import numpy as np

from strategybot.trading.engine.candles import Floats
from strategybot.trading.evidence.timing import DaySums, Strength, strength_of

Grade = Literal["holds_up", "fragile", "luck", "too_few", "loses"]

LEAST_TRADES = 20
STRONG_P = 0.03
POSSIBLE_P = 0.2
EXCESS_WEIGHT = 4  # beating the mean share need only be probable
LOW_SEARCH_LOSS = 0.1
LEAST_VARIANTS = 20  # with different trades, before the splits of a search say anything
GOOD_SHARE = 0.6
BAD_SHARE = 0.25
POOLED_T = 2.33
SEARCH_BLOCKS = 8
_NORMAL = NormalDist()


def upper_tail(t: float, degrees: int) -> float:
    """Return the chance that a Student's t with so many degrees of freedom is above t.

    It is within 0.0005 from 4 degrees on; below, it is too large rather than too small in the tail.
    """
    if degrees < 1:
        return 1.0
    size = math.sqrt(degrees * math.log1p(t * t / degrees)) * (8 * degrees + 1) / (8 * degrees + 3)
    tail = 0.5 * math.erfc(size / math.sqrt(2))
    return tail if t >= 0 else 1 - tail


def adjust(p: float, tries: int) -> float:
    """Return the chance that the best of so many tries without a pattern has a p at least as small."""
    return -math.expm1(tries * math.log1p(-p)) if p < 1 else 1.0


def chance_of(strength: Strength) -> float:
    """Return how often a strategy without a pattern has better timing, makes as much, and beats its mean share."""
    gross, net, excess = (upper_tail(t, strength.degrees) for t in strength[:3])
    return max(gross, net, excess / EXCESS_WEIGHT)


@dataclass(frozen=True, eq=False)
class Sample:
    """A run on one token: the returns of its closed trades as fractions, and its sums over days."""

    returns: Floats
    sums: DaySums

    def __len__(self) -> int:
        return len(self.returns)

    @property
    def mean(self) -> float:
        return float(np.mean(self.returns)) if len(self.returns) else 0.0

    @property
    def good(self) -> bool:
        """Return whether it made money, and more than holding its mean share all the time."""
        return len(self) > 0 and float(self.sums.excess.sum()) > 0 and float(self.sums.net.sum()) > 0

    @cached_property
    def strength(self) -> Strength:
        return strength_of([self.sums])


@dataclass(frozen=True)
class Elsewhere:
    """The same rules on other tokens."""

    share: float
    pooled_t: float

    @property
    def good(self) -> bool:
        return self.share >= GOOD_SHARE and self.pooled_t > POOLED_T

    @property
    def bad(self) -> bool:
        return self.share <= BAD_SHARE


def elsewhere(samples: Sequence[Sample]) -> Elsewhere | None:
    """Return what the tokens with at least one trade say together; None if there is none."""
    traded = [each for each in samples if len(each)]
    if not traded:
        return None
    together = strength_of([each.sums for each in traded])
    return Elsewhere(sum(each.good for each in traded) / len(traded), min(together.gross, together.net))


@dataclass(frozen=True)
class SearchEvidence:
    """What a search says about the point it recommends."""

    loss: float  # share of losing splits
    variants: int  # with different trades
    earlier_tries: int = 0


def losing_splits(blocks: Floats) -> float:
    """Return in which share of the 70 ways to halve 8 blocks of time the best variant of one half loses in the other.

    `blocks` has a row per variant, a column per block: what its timing brought. (With the returns themselves a rising
    market alone makes every variant win in both halves.)
    """
    halves = list(combinations(range(SEARCH_BLOCKS), SEARCH_BLOCKS // 2))
    chosen = np.zeros((SEARCH_BLOCKS, len(halves)))
    for column, half in enumerate(halves):
        chosen[list(half), column] = 1.0
    inside, outside = blocks @ chosen, blocks @ (1.0 - chosen)
    best = np.argmax(inside, axis=0)
    return float(np.mean(outside[best, np.arange(len(halves))] <= 0))


@dataclass(frozen=True)
class Evidence:
    """Everything that a grade depends on."""

    total_return: float
    trades: int
    mean: float
    strength: Strength
    tries: int = 1
    searched: SearchEvidence | None = None  # if the strategy was found by a search
    elsewhere: Elsewhere | None = None

    @property
    def p(self) -> float:
        return chance_of(self.strength)

    @property
    def p_adjusted(self) -> float:
        return adjust(self.p, self.tries)

    @property
    def has_timing(self) -> bool:
        """Return whether the timing alone, without costs, is better than luck."""
        return adjust(upper_tail(self.strength.gross, self.strength.degrees), self.tries) <= POSSIBLE_P

    @property
    def strong_here(self) -> bool:
        return self.p_adjusted <= STRONG_P or self._found_by_search

    @property
    def _found_by_search(self) -> bool:
        """Return whether the splits of a search stand for the number of its own variants."""
        found = self.searched
        if found is None or found.loss >= LOW_SEARCH_LOSS or found.variants < LEAST_VARIANTS:
            return False
        return adjust(self.p, 1 + found.earlier_tries) <= STRONG_P

    @property
    def good_elsewhere(self) -> bool:
        return self.elsewhere is not None and self.elsewhere.good

    @property
    def bad_elsewhere(self) -> bool:
        """Return whether the evidence on the token itself is strong, and the other tokens contradict it."""
        return self.elsewhere is not None and self.elsewhere.bad and self.strong_here

    @property
    def strong(self) -> bool:
        return self.strong_here or (self.good_elsewhere and self.p <= POSSIBLE_P)

    @property
    def costs_eat_it(self) -> bool:
        """Return whether the result would be called luck, but for a timing that is better than that."""
        weak = self.p_adjusted > POSSIBLE_P and not self.good_elsewhere and not self.strong
        return self.trades >= LEAST_TRADES and weak and self.has_timing


def grade_of(evidence: Evidence, has_weakness: bool) -> Grade:
    """Return the first grade that fits. Without a closed trade nothing is decided yet, whatever is held is worth."""
    if evidence.trades == 0:
        return "too_few"
    if evidence.total_return <= 0 or evidence.mean <= 0:
        return "loses"
    if evidence.trades < LEAST_TRADES:
        return "too_few"
    if evidence.strong:
        return "fragile" if has_weakness else "holds_up"
    is_possible = evidence.p_adjusted <= POSSIBLE_P or evidence.good_elsewhere or evidence.has_timing
    return "too_few" if is_possible else "luck"


def trades_needed(evidence: Evidence) -> int | None:
    """Return about how many trades like these would be strong evidence after so many tries; None if none would."""
    if evidence.p >= 0.5:
        return LEAST_TRADES if evidence.trades < LEAST_TRADES else None
    bar = _NORMAL.inv_cdf((1 - STRONG_P) ** (1 / evidence.tries))
    reached = _NORMAL.inv_cdf(1 - max(evidence.p, 1e-15))
    needed = math.ceil(min(1e9, evidence.trades * (bar / reached) ** 2))
    return max(LEAST_TRADES, needed, evidence.trades + 1)
