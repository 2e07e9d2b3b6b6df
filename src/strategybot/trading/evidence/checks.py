"""The checks of a verdict: what would break a strategy that looks good. One small function each.

A check that fails is a weakness. `value` and `limit` are in the unit that the check's sentence uses; `parts` are the
numbers behind it, for a picture.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from strategybot.trading.engine.backtest import BacktestResult
from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.columns import Flags
from strategybot.trading.engine.conditions import Wanted, one_later, wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.ledger import BUDGET, CASH, ENTRY, PROCEEDS
from strategybot.trading.engine.loop import STOP_REQUESTED, Market, market_of
from strategybot.trading.engine.step import Rules, rules_of
from strategybot.trading.engine.trades import Trades
from strategybot.trading.evidence.neighbours import neighbours
from strategybot.trading.evidence.stress import log_growth, total_return, with_costs
from strategybot.trading.language.conditions import Condition
from strategybot.trading.language.strategy import Strategy

COST_FACTORS = (0.0, 1.0, 2.0)
LEAST_KEPT = 0.5
BEST_SHARE = 0.05
LEAST_PROFITABLE_NEIGHBOURS = 0.8
TRADES_FOR_THIRDS = 100


class Cancelled(Exception):
    """A stop was requested before all checks were done."""


class Part(NamedTuple):
    label: str
    value: float  # percent


class Finding(NamedTuple):
    name: str
    passed: bool
    value: float
    limit: float
    parts: tuple[Part, ...] = ()


class Examined(Protocol):
    """A finished run that can be computed again under other circumstances. Returns are fractions of the cash."""

    @property
    def strategy(self) -> Strategy: ...

    @property
    def interval_seconds(self) -> int: ...

    @property
    def trade_count(self) -> int: ...

    @property
    def total(self) -> float: ...

    @property
    def is_open(self) -> bool:
        """Return whether a position is open at the end."""

    def total_at_costs(self, factor: float) -> float:
        """Return the total return with fee, slippage and price impact multiplied."""

    def total_of(self, neighbour: Strategy) -> float:
        """Return the total return of a neighbour on the same candles."""

    def total_entering_late(self) -> float:
        """Return the total return if every entry comes one candle later."""

    def growths(self) -> Floats:
        """Return the log growth of the equity by each closed trade."""

    def entry_parts(self, pieces: int) -> Integers:
        """Return in which of so many equal parts of the time each closed trade was opened."""


@dataclass(frozen=True, eq=False)
class Tested:
    """A finished run on one token with its inputs."""

    strategy: Strategy
    candles: Candles
    costs: Costs
    start: int
    result: BacktestResult
    control: Integers

    @property
    def trades(self) -> Trades:
        return self.result.trades

    @property
    def interval_seconds(self) -> int:
        return self.candles.interval_seconds

    @property
    def trade_count(self) -> int:
        return len(self.trades)

    @property
    def is_open(self) -> bool:
        return self.result.open_position is not None

    @cached_property
    def market(self) -> Market:
        return market_of(self.candles, self.result.minutes)

    @cached_property
    def wanted(self) -> Wanted:
        return wanted_of(self.strategy, self.candles, self._columns)

    @cached_property
    def _columns(self) -> dict[Condition, Flags]:
        """Columns of the strategy's own conditions, which its neighbours share."""
        return {}

    @cached_property
    def rules(self) -> Rules:
        return rules_of(self.strategy, self.costs, self.candles.interval_seconds)

    @property
    def total(self) -> float:
        percent = self.result.metrics["total_return"]
        return percent / 100 if isinstance(percent, float) else math.inf

    def total_at_costs(self, factor: float) -> float:
        self.go_on()
        return self._total(with_costs(self.rules, factor), self.wanted)

    def total_of(self, neighbour: Strategy) -> float:
        self.go_on()
        rules = rules_of(neighbour, self.costs, self.candles.interval_seconds)
        return self._total(rules, wanted_of(neighbour, self.candles, dict(self._columns)))

    def total_entering_late(self) -> float:
        self.go_on()
        return self._total(self.rules, one_later(self.wanted))

    def _total(self, rules: Rules, wanted: Wanted) -> float:
        return total_return(rules, self.market, wanted, self.start, self.result.initial_cash, self.control)

    def go_on(self) -> None:
        """Raise `Cancelled` if a stop was requested."""
        if self.control[STOP_REQUESTED]:
            raise Cancelled

    def entry_parts(self, pieces: int) -> Integers:
        entries: Integers = self.trades.places[:, ENTRY] - self.start
        return entries * pieces // (len(self.candles) - self.start)

    def growths(self) -> Floats:
        amounts = self.trades.amounts
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log((amounts[:, CASH] + amounts[:, PROCEEDS]) / (amounts[:, CASH] + amounts[:, BUDGET]))


def check_delay(tested: Examined) -> Finding:
    """Fail if entries one candle later keep less than half of the log return."""
    own = log_growth(tested.total)
    late = tested.total_entering_late()
    kept = log_growth(late) / own if 0 < own < math.inf else 0.0
    parts = (Part("on time", 100 * tested.total), Part("one candle later", 100 * late))
    return Finding("delay", kept >= LEAST_KEPT, 100 * kept, 100 * LEAST_KEPT, parts)


def check_costs(tested: Examined) -> Finding:
    """Fail if the total is not above zero at twice the costs."""
    totals = [tested.total_at_costs(factor) for factor in COST_FACTORS]
    parts = tuple(Part(f"{factor:g} × costs", 100 * each) for factor, each in zip(COST_FACTORS, totals, strict=True))
    return Finding("costs", totals[-1] > 0, 100 * totals[-1], 0.0, parts)


def check_best_trades(tested: Examined) -> Finding:
    """Fail if the total is not above zero without the best 5 % of the trades (at least one)."""
    count = best_trades(tested.trade_count)
    growths = tested.growths()
    rest = log_growth(tested.total) - float(np.sum(np.sort(growths)[len(growths) - count :]))
    total = math.expm1(min(rest, 700.0)) if not math.isnan(rest) else -1.0
    parts = (Part("all trades", 100 * tested.total), Part("without the best", 100 * total))
    return Finding("best_trades", total > 0, 100 * total, 0.0, parts)


def best_trades(trades: int) -> int:
    """Return how many trades the best 5 % are."""
    return min(trades, max(1, int(BEST_SHARE * trades)))


def check_neighbours(tested: Examined) -> Finding:
    """Fail if fewer than 80 % of the neighbours make money."""
    totals = [
        Part(each.label, 100 * tested.total_of(each.strategy))
        for each in neighbours(tested.strategy, tested.interval_seconds)
    ]
    share = sum(part.value > 0 for part in totals) / len(totals) if totals else 1.0
    passed = share >= LEAST_PROFITABLE_NEIGHBOURS
    return Finding("neighbours", passed, 100 * share, 100 * LEAST_PROFITABLE_NEIGHBOURS, tuple(totals))


def check_time(tested: Examined) -> Finding:
    """Fail if the last quarter of the time loses; with 100 trades or more, if any third does."""
    thirds = tested.trade_count >= TRADES_FOR_THIRDS
    returns = _returns_by_time(tested, 3 if thirds else 4)
    worst = min(returns) if thirds else returns[-1]
    name = "third" if thirds else "quarter"
    parts = tuple(Part(f"{name} {number}", 100 * each) for number, each in enumerate(returns, 1))
    return Finding("time", worst >= 0, 100 * worst, 0.0, parts)


def _returns_by_time(tested: Examined, pieces: int) -> list[float]:
    """Return the return of the trades that were opened in each of `pieces` equal parts of the run."""
    growths = tested.growths()
    sums = np.bincount(tested.entry_parts(pieces), weights=growths, minlength=pieces)
    if tested.is_open:
        sums[-1] += log_growth(tested.total) - float(np.sum(growths))
    return [float(each) for each in np.expm1(np.minimum(sums, 700.0))]


# The order is that of the headline: the first weakness of a fragile strategy is named there.
CHECKS = (check_delay, check_costs, check_best_trades, check_neighbours, check_time)
