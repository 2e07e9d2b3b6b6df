"""Warnings about a strategy that is valid but cannot do what it says."""

import math

from strategybot.trading.engine.costs import Costs
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import plain
from strategybot.trading.words.numbers import amount_words


def round_trip_percent(costs: Costs, spent: float = 0.0, share: float = 1.0) -> float:
    """Return how far above the entry price a sale only gives back what its part of the purchase cost, in percent.

    `spent` is the money of the purchase and `share` the part of it that is sold: price impact depends on both.
    """
    wanted = (1 + costs.fee) * (1 + costs.impact * spent / (1 + costs.fee))
    kept = costs.buy_kept * costs.sell_kept * (1 - costs.fee) * (1 - costs.slippage)
    received = costs.impact * spent * share / ((1 - costs.fee) * costs.sell_kept) if costs.sell_kept else 1.0
    if kept == 0 or received >= 1:  # no price is high enough
        return math.inf
    return 100 * (wanted / (kept * (1 - received)) - 1)


def cautions(strategy: Strategy, costs: Costs, cash: float = 0.0) -> list[str]:
    """Return one sentence for each caution; none for most strategies. `cash` is what a run begins with."""
    targets = strategy.risk_management.targets
    if not targets:
        return []
    target = targets[0].gain_percent
    cost = round_trip_percent(costs, _first_purchase(strategy, cash), targets[0].sell_percent / 100)
    if target > cost:
        return []
    where = " on this token" if costs.has_pool_costs else ""
    size = f"about {amount_words(cost, target)} %" if cost < math.inf else "more than any gain can pay"
    costs_more = f"is below what a round trip costs{where} ({size}), so reaching it loses money."
    return [f"The take profit of {plain(target)} % {costs_more}"]


def _first_purchase(strategy: Strategy, cash: float) -> float:
    """Return the money of the first purchase of a run; 0 if it depends on the price at that time."""
    if strategy.position_amount is not None:
        return min(strategy.position_amount, cash)
    if strategy.risk_percent is not None:
        stop = strategy.risk_management.stop_loss_percent
        return 0.0 if stop is None else cash * min(1.0, strategy.risk_percent / stop)
    return cash * strategy.position_percent / 100
