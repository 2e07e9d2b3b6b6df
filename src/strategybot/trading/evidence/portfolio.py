"""The checks and the sample of a portfolio, for its verdict: the purse computed again, its timing by calendar day."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.conditions import one_later, wanted_of
from strategybot.trading.engine.loop import STOP_REQUESTED, new_control
from strategybot.trading.engine.portfolio import PortfolioResult, Trading, trading_of
from strategybot.trading.engine.universe import Together
from strategybot.trading.evidence.checks import CHECKS, Cancelled
from strategybot.trading.evidence.strength import Sample
from strategybot.trading.evidence.stress import with_costs
from strategybot.trading.evidence.timing import added, day_sums, exposure_of
from strategybot.trading.evidence.verdict import Examination
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.runs import no_trade_words


@dataclass(frozen=True, eq=False)
class TestedPortfolio:
    """A finished run of a portfolio with its inputs."""

    strategy: Strategy
    together: Together
    result: PortfolioResult
    dead_token_loss_percent: float
    control: Integers

    @property
    def interval_seconds(self) -> int:
        return self.together.interval_seconds

    @property
    def trade_count(self) -> int:
        return self.result.trade_count

    @property
    def total(self) -> float:
        percent = self.result.metrics["total_return"]
        return percent / 100 if isinstance(percent, float) else math.inf

    @property
    def is_open(self) -> bool:
        return any(each.open_position is not None for each in self.result.tokens)

    @cached_property
    def trading(self) -> Trading:
        return trading_of(self.strategy, self.together, self.dead_token_loss_percent)

    def total_at_costs(self, factor: float) -> float:
        universe = self.trading.universe
        costs = universe.costs * (factor, 1.0, 1.0)  # the token's tax is a fixed share
        rules = with_costs(self.trading.rules, factor)
        return self._total(replace(self.trading, rules=rules, universe=universe._replace(costs=costs)))

    def total_of(self, neighbour: Strategy) -> float:
        return self._total(trading_of(neighbour, self.together, self.dead_token_loss_percent))

    def total_entering_late(self) -> float:
        late = [one_later(wanted_of(self.strategy, each.candles)) for each in self.together.tokens]
        return self._total(trading_of(self.strategy, self.together, self.dead_token_loss_percent, late))

    def _total(self, trading: Trading) -> float:
        self.go_on()
        return trading.total_return(self.result.initial_cash, self.control)

    def go_on(self) -> None:
        """Raise `Cancelled` if a stop was requested."""
        if self.control[STOP_REQUESTED]:
            raise Cancelled

    def growths(self) -> Floats:
        """Return for each trade the logarithm of the equity at its end over what it would be without the trade."""
        trades, result = self.result.trades, self.result
        place = np.searchsorted(result.time, trades["exit_time"])
        equity = result.equity[np.minimum(place, len(result.equity) - 1)]
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = np.log(equity / (equity - trades["pnl"]))
        return found

    def entry_parts(self, pieces: int) -> Integers:
        seconds = self.result.trades["entry_time"] - self.result.time[0]
        found: Integers = seconds * pieces // (len(self.result.time) * self.interval_seconds)
        return found


def sample_of_portfolio(result: PortfolioResult) -> Sample:
    """Return what a complete run says about its rules: all trades, and the day sums of all tokens."""
    sums = [
        day_sums(each.token.candles.time[each.token.start :], exposure_of(each.token.candles, each.token.start, each))
        for each in result.tokens
    ]
    return Sample(result.trades["pnl_percent"] / 100, added(sums))


def examine_portfolio(
    strategy: Strategy,
    together: Together,
    result: PortfolioResult,
    dead_token_loss_percent: float,
    control: Integers | None = None,
    untested: str | None = None,
) -> Examination:
    """Run the checks on the purse. Raises `Cancelled` when a stop is requested through `control`."""
    control = new_control() if control is None else control
    tested = TestedPortfolio(strategy, together, result, dead_token_loss_percent, control)
    sample = sample_of_portfolio(result)
    findings = tuple(check(tested) for check in CHECKS) if len(sample) else ()
    tested.go_on()
    return Examination(tested.total, sample, findings, no_trade_reason(result, untested), untested)


def no_trade_reason(result: PortfolioResult, untested: str | None) -> str | None:
    """Return why no trade closed; None if one did."""
    held = [each.open_position for each in result.tokens if each.open_position is not None]
    percent = held[0].unrealized_pnl_percent if len(held) == 1 else None
    fills = [each.fills for each in held]
    return no_trade_words(result.trade_count, result.signal_count, percent, fills, never_known=untested is not None)
