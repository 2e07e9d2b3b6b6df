"""Total returns of a strategy under changed circumstances: only the last equity is kept, so a run costs little.

Returns are fractions of the initial cash; an open position counts at the last close.
"""

import math

from strategybot.trading.engine.candles import Integers
from strategybot.trading.engine.conditions import Wanted
from strategybot.trading.engine.loop import Market, run
from strategybot.trading.engine.step import Rules, opening_state

LARGEST_COST = 0.999  # a price or a sum cannot lose more than all of itself


def total_return(rules: Rules, market: Market, wanted: Wanted, start: int, cash: float, control: Integers) -> float:
    """Return what the rules make from candle `start` on."""
    if len(market.close) == 0:
        return 0.0
    state = run(rules, market, wanted, start, opening_state(cash), control).state
    return float((state.cash + state.quantity * market.close[-1]) / cash - 1)


def with_costs(rules: Rules, factor: float) -> Rules:
    """Return the same rules with fee, slippage and price impact multiplied. The token's tax is a fixed share."""
    fee, slippage = (min(LARGEST_COST, factor * cost) for cost in (rules.terms.fee, rules.terms.slippage))
    return rules._replace(terms=rules.terms._replace(fee=fee, slippage=slippage, impact=factor * rules.terms.impact))


def without_pool(rules: Rules) -> Rules:
    """Return the same rules without tax and price impact."""
    return rules._replace(terms=rules.terms._replace(impact=0.0, buy_kept=1.0, sell_kept=1.0))


def log_growth(total: float) -> float:
    """Return the logarithm of 1 + a return; minus infinity if everything is lost."""
    return math.log1p(total) if total > -1 else -math.inf
