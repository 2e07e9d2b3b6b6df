"""How strong the evidence of a list of trades is, and the grade that follows from it. Pure numbers, no clock.

Trades of one day move together, so a day counts as one observation (a cluster). All thresholds are those of
docs/verdict.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Literal, NamedTuple

import numpy as np

from strategybot.trading.candles import Floats, Integers

Grade = Literal["holds_up", "fragile", "luck", "too_few", "loses"]

DAY = 86_400
LEAST_TRADES = 20
STRONG_P = 0.05
POSSIBLE_P = 0.2
LOW_SEARCH_LOSS = 0.1
GOOD_SHARE = 0.6
BAD_SHARE = 0.25
POOLED_T = 1.645
SEARCH_BLOCKS = 8
_NORMAL = NormalDist()


class Clustered(NamedTuple):
    t: float
    clusters: int


def clustered_t(values: Floats, clusters: Integers) -> Clustered:
    """Return Σq / √(G/(G−1) · Σ over clusters (Σ in the cluster (q − mean))²); 0 where it is undefined."""
    if len(values) == 0:
        return Clustered(0.0, 0)
    _, place = np.unique(clusters, return_inverse=True)
    sums = np.bincount(place, weights=values - np.mean(values))
    count, total = len(sums), float(np.sum(values))
    if count < 2 or total == 0:
        return Clustered(0.0, count)
    spread = math.sqrt(count / (count - 1) * float(np.sum(sums**2)))
    # Rounding alone leaves about 1e-16 of each value: below it the trades are all alike.
    if spread <= 1e-12 * float(np.sum(np.abs(values))):
        return Clustered(math.copysign(math.inf, total), count)
    return Clustered(total / spread, count)


def upper_tail(t: float, degrees: int) -> float:
    """Return the chance that a Student's t with so many degrees of freedom is above t.

    It is within 0.0003 from 4 degrees on; below, it is too large rather than too small in the tail.
    """
    if degrees < 1:
        return 1.0
    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    size = math.sqrt(degrees * math.log1p(t * t / degrees)) * (8 * degrees + 1) / (8 * degrees + 3)
    tail = 0.5 * math.erfc(size / math.sqrt(2))
    return tail if t >= 0 else 1 - tail


def adjusted(p: float, tries: int) -> float:
    """Return the chance that the best of so many tries without a pattern has a p at least as small."""
    return -math.expm1(tries * math.log1p(-p)) if p < 1 else 1.0


def days_of(times: Integers) -> Integers:
    return times // DAY


@dataclass(frozen=True, eq=False)
class Sample:
    """The closed trades of one token: returns as fractions, UTC days of their entries, and the average entry."""

    returns: Floats
    days: Integers
    average_entry: float | None

    def __len__(self) -> int:
        return len(self.returns)

    @property
    def mean(self) -> float:
        return float(np.mean(self.returns)) if len(self.returns) else 0.0

    @property
    def base(self) -> float:
        return self.average_entry or 0.0

    @property
    def good(self) -> bool:
        """Return whether the trades made money, and more than buying at any moment did."""
        return len(self.returns) > 0 and self.mean > 0 and self.mean > self.base

    def strength(self) -> Clustered:
        """Return the smaller of two t values: of the returns, and of the returns above the average entry."""
        own = clustered_t(self.returns, self.days)
        above = clustered_t(self.returns - self.base, self.days)
        return min(own, above)


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
    returns, days = (np.concatenate(each) for each in zip(*((e.returns, e.days) for e in traded), strict=True))
    bases = np.repeat([each.base for each in traded], [len(each) for each in traded])
    # As for the token itself: a market that rises everywhere is no evidence for the entry rule.
    pooled = min(clustered_t(returns, days).t, clustered_t(returns - bases, days).t)
    return Elsewhere(sum(each.good for each in traded) / len(traded), pooled)


def losing_splits(blocks: Floats) -> float:
    """Return in which share of the 70 ways to halve 8 blocks of time the best variant of one half loses in the other.

    `blocks` has a row a variant and a column a block: its log return above that of the average entry. (Without that, a
    rising market alone makes every variant win in both halves: 10 % of made markets without an edge held up.)
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
    t: float
    clusters: int
    tries: int = 1
    search_loss: float | None = None  # share of losing splits, if the strategy was found by a search
    elsewhere: Elsewhere | None = None

    @property
    def p(self) -> float:
        return upper_tail(self.t, self.clusters - 1)

    @property
    def p_adjusted(self) -> float:
        return adjusted(self.p, self.tries)

    @property
    def strong_here(self) -> bool:
        found_by_search = self.search_loss is not None and self.search_loss < LOW_SEARCH_LOSS
        return self.p_adjusted <= STRONG_P or (found_by_search and self.p <= STRONG_P)

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
    if evidence.p_adjusted > POSSIBLE_P and not evidence.good_elsewhere:
        return "luck"
    return "too_few"


def trades_needed(evidence: Evidence) -> int | None:
    """Return about how many trades like these would be strong evidence after so many tries; None if none would."""
    if evidence.t <= 0:
        return LEAST_TRADES if evidence.trades < LEAST_TRADES else None
    bar = _NORMAL.inv_cdf((1 - STRONG_P) ** (1 / evidence.tries))
    needed = math.ceil(min(1e9, evidence.trades * (bar / evidence.t) ** 2))
    return max(LEAST_TRADES, needed, evidence.trades + 1)
