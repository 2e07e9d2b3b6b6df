"""The metrics of a run: one pure function each, which returns a number or the reason why there is none.

No result is ever NaN, infinite or a stand-in number. E0 is the initial cash, E the marked equity, D the last mark of
each UTC day with D[0] = E0, and r its daily returns.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.step import EXIT_REASONS, RARE_EXITS

DAYS_A_YEAR = 365
DAY = 86_400
LEAST_DAILY_RETURNS = 20
LEAST_DAYS_FOR_A_YEAR = 90
DAYS_THAT_SPEAK = 90  # with fewer, a ratio is shown with its error


class Missing(NamedTuple):
    """A metric without a value, and the reason."""

    why: str


@dataclass(frozen=True)
class MetricInputs:
    """The inputs of all metrics. The arrays have one item per closed trade; `daily` is D."""

    initial_cash: float
    final_equity: float
    daily: Floats
    drawdown: float
    longest_drawdown_seconds: int
    span_seconds: int
    candles: int
    candles_held: int
    pnl: Floats
    pnl_percent: Floats
    holding_seconds: Integers
    reasons: Integers
    fees_paid: float
    slippage_paid: float
    tax_paid: float
    impact_paid: float
    return_without_pool_costs: float | None  # percent; None if the run had no such costs
    hold_cost: float  # what one unit costs at the first open, with all costs of buying it
    last_close: float

    @cached_property
    def daily_returns(self) -> Floats:
        return self.daily[1:] / self.daily[:-1] - 1

    @cached_property
    def sharpe(self) -> "Ratio | Missing":
        return _sharpe(self.daily_returns)

    @cached_property
    def sortino(self) -> "Ratio | Missing":
        return _sortino(self.daily_returns)


Value = float | int | dict[str, int]
Metric = Callable[[MetricInputs], Value | Missing]
NO_TRADES = Missing("No trade was closed.")
NO_CANDLES = Missing("There are no candles.")


def total_return(facts: MetricInputs) -> Value | Missing:
    return (facts.final_equity / facts.initial_cash - 1) * 100


def win_rate(facts: MetricInputs) -> Value | Missing:
    if len(facts.pnl) == 0:
        return NO_TRADES
    return 100 * int(np.count_nonzero(facts.pnl > 0)) / len(facts.pnl)


def max_drawdown(facts: MetricInputs) -> Value | Missing:
    return 100 * facts.drawdown


class Ratio(NamedTuple):
    """A mean over the root of a mean square, a year, with its standard error."""

    value: float
    error: float


def _ratio(returns: Floats, squares: Floats, spread: float) -> Ratio:
    """Return mean(r) / spread × √365, where the spread is the root of the mean of the squares.

    The error follows from how much each day changes the ratio (the delta method).
    """
    mean = float(np.mean(returns))
    changes = (returns - mean) / spread - mean / spread / 2 * (squares / spread**2 - 1)
    error = math.sqrt(float(np.mean(changes**2)) / len(returns))
    return Ratio(mean / spread * math.sqrt(DAYS_A_YEAR), error * math.sqrt(DAYS_A_YEAR))


def _sharpe(returns: Floats) -> Ratio | Missing:
    if len(returns) < LEAST_DAILY_RETURNS:
        return _too_few(returns, "Sharpe")
    squares = (returns - np.mean(returns)) ** 2
    deviation = math.sqrt(float(squares.sum()) / (len(returns) - 1))
    if deviation == 0:
        return Missing("Sharpe needs daily returns that differ; these are all the same.")
    return _ratio(returns, squares, deviation)


def _sortino(returns: Floats) -> Ratio | Missing:
    """Return Sharpe's ratio over the root mean square of the losses (a gain counts as zero)."""
    if len(returns) < LEAST_DAILY_RETURNS:
        return _too_few(returns, "Sortino")
    squares = np.minimum(returns, 0) ** 2
    downside = math.sqrt(float(np.mean(squares)))
    if downside == 0:
        return Missing("Sortino needs a losing day; there was none.")
    return _ratio(returns, squares, downside)


def _value(ratio: Ratio | Missing) -> Value | Missing:
    return ratio if isinstance(ratio, Missing) else ratio.value


def _error(ratio: Ratio | Missing, days: int) -> Value | Missing:
    if isinstance(ratio, Missing):
        return ratio
    return ratio.error if days < DAYS_THAT_SPEAK else Missing(f"It is said of fewer than {DAYS_THAT_SPEAK} days.")


def cagr(facts: MetricInputs) -> Value | Missing:
    if _days(facts) < LEAST_DAYS_FOR_A_YEAR:
        return _too_short(facts, "CAGR")
    years = facts.span_seconds / (DAYS_A_YEAR * DAY)
    return (math.pow(facts.final_equity / facts.initial_cash, 1 / years) - 1) * 100


def calmar_ratio(facts: MetricInputs) -> Value | Missing:
    if _days(facts) < LEAST_DAYS_FOR_A_YEAR:
        return _too_short(facts, "Calmar")
    if facts.drawdown == 0:
        return Missing("Calmar needs a drawdown; there was none.")
    growth = cagr(facts)
    assert isinstance(growth, float)  # noqa: S101 - the span was looked at above
    return growth / (100 * facts.drawdown)


def profit_factor(facts: MetricInputs) -> Value | Missing:
    if len(facts.pnl) == 0:
        return NO_TRADES
    lost = -float(facts.pnl[facts.pnl < 0].sum())
    if lost == 0:
        return Missing("Profit factor needs a losing trade; there was none.")
    return float(facts.pnl[facts.pnl > 0].sum()) / lost


def expectancy_percent(facts: MetricInputs) -> Value | Missing:
    return _mean(facts.pnl_percent, NO_TRADES)


def average_win_percent(facts: MetricInputs) -> Value | Missing:
    return _mean(facts.pnl_percent[facts.pnl > 0], Missing("No trade was won."))


def average_loss_percent(facts: MetricInputs) -> Value | Missing:
    return _mean(facts.pnl_percent[facts.pnl < 0], Missing("No trade was lost."))


def best_trade_percent(facts: MetricInputs) -> Value | Missing:
    return float(facts.pnl_percent.max()) if len(facts.pnl_percent) else NO_TRADES


def worst_trade_percent(facts: MetricInputs) -> Value | Missing:
    return float(facts.pnl_percent.min()) if len(facts.pnl_percent) else NO_TRADES


def exposure_percent(facts: MetricInputs) -> Value | Missing:
    return 100 * facts.candles_held / facts.candles if facts.candles else NO_CANDLES


def average_holding_seconds(facts: MetricInputs) -> Value | Missing:
    return _mean(facts.holding_seconds, NO_TRADES)


def buy_and_hold_return(facts: MetricInputs) -> Value | Missing:
    return 100 * (facts.last_close / facts.hold_cost - 1) if facts.candles else NO_CANDLES


def return_without_pool_costs(facts: MetricInputs) -> Value | Missing:
    plain = facts.return_without_pool_costs
    return total_return(facts) if plain is None else plain


def exit_reasons(facts: MetricInputs) -> Value | Missing:
    """Return the closed trades by their reason; a rare one only where it happened."""
    counts = {name: int(np.count_nonzero(facts.reasons == code)) for code, name in EXIT_REASONS.items()}
    return {name: count for name, count in counts.items() if count or name not in RARE_EXITS}


METRICS: Mapping[str, Metric] = {
    "total_return": total_return,
    "win_rate": win_rate,
    "max_drawdown": max_drawdown,
    "sharpe_ratio": lambda facts: _value(facts.sharpe),
    "sharpe_error": lambda facts: _error(facts.sharpe, len(facts.daily_returns)),
    "total_trades": lambda facts: len(facts.pnl),
    "sortino_ratio": lambda facts: _value(facts.sortino),
    "sortino_error": lambda facts: _error(facts.sortino, len(facts.daily_returns)),
    "calmar_ratio": calmar_ratio,
    "cagr": cagr,
    "profit_factor": profit_factor,
    "expectancy_percent": expectancy_percent,
    "average_win_percent": average_win_percent,
    "average_loss_percent": average_loss_percent,
    "best_trade_percent": best_trade_percent,
    "worst_trade_percent": worst_trade_percent,
    "exposure_percent": exposure_percent,
    "average_holding_seconds": average_holding_seconds,
    "longest_drawdown_seconds": lambda facts: facts.longest_drawdown_seconds,
    "fees_paid": lambda facts: facts.fees_paid,
    "slippage_paid": lambda facts: facts.slippage_paid,
    "tax_paid": lambda facts: facts.tax_paid,
    "impact_paid": lambda facts: facts.impact_paid,
    "return_without_pool_costs": return_without_pool_costs,
    "final_equity": lambda facts: facts.final_equity,
    "buy_and_hold_return": buy_and_hold_return,
    "exit_reasons": exit_reasons,
}


def measure(facts: MetricInputs) -> tuple[dict[str, Value | None], dict[str, str]]:
    """Return every metric by name, and for each that is None the reason in a sentence."""
    metrics: dict[str, Value | None] = {}
    notes: dict[str, str] = {}
    with np.errstate(all="ignore"):
        for name, metric in METRICS.items():
            answer = _answer(metric, facts)
            metrics[name] = None if isinstance(answer, Missing) else answer
            if isinstance(answer, Missing):
                notes[name] = answer.why
    return metrics, notes


def _answer(metric: Metric, facts: MetricInputs) -> Value | Missing:
    try:
        answer = metric(facts)
    except OverflowError:
        answer = math.inf
    if isinstance(answer, float) and not math.isfinite(answer):
        return Missing("The number is too large.")
    return answer


def _mean(values: Floats | Integers, otherwise: Missing) -> Value | Missing:
    return float(np.mean(values)) if len(values) else otherwise


def _too_few(returns: Floats, name: str) -> Missing:
    return Missing(f"{name} needs {LEAST_DAILY_RETURNS} daily returns, has {len(returns)}.")


def _too_short(facts: MetricInputs, name: str) -> Missing:
    return Missing(f"{name} needs {LEAST_DAYS_FOR_A_YEAR} days, has {_days(facts):g}.")


def _days(facts: MetricInputs) -> float:
    """Return the length of the run as it is shown: a limit is compared with the number that people read."""
    return round(facts.span_seconds / DAY, 1)
