"""Warnings about a strategy that is valid but cannot do what it says."""

import math

from strategybot.trading.engine.costs import Costs
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import plain
from strategybot.trading.words.numbers import amount_words


def round_trip_percent(costs: Costs) -> float:
    """Return by how much the price must rise, in percent, before a purchase and a sale have paid for themselves."""
    kept = costs.buy_kept * costs.sell_kept
    if kept == 0:
        return math.inf
    return 100 * ((1 + costs.slippage) * (1 + costs.fee) / ((1 - costs.slippage) * (1 - costs.fee) * kept) - 1)


def cautions(strategy: Strategy, costs: Costs) -> list[str]:
    """Return one sentence for each caution; none for most strategies."""
    targets, cost = strategy.risk_management.targets, round_trip_percent(costs)
    if not targets or targets[0].gain_percent > cost:
        return []
    target = targets[0].gain_percent
    below = (
        f"The take profit of {plain(target)} % is below the cost of buying and selling, about {amount_words(cost)} %"
    )
    return [f"{below}: a trade that reaches it makes next to nothing, or loses."]
