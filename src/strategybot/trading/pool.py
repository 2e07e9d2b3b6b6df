"""What the token's pool and taxes would have cost a run: an estimate next to the plain result.

The pool is taken as constant-product with its present liquidity on both sides: a trade of a size moves the price by
size / (liquidity / 2). Stops and targets stay where they were.
"""

import math
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from strategybot.trading.candles import Floats
from strategybot.trading.jit import lean
from strategybot.trading.verdict_words import signed
from strategybot.trading.words import finite

LITTLE_IMPACT = 0.01
RiskLevel = Literal["low", "medium", "high", "unknown"]


class PoolFacts(BaseModel):
    """The provider's current figures of a token; None where it has none."""

    model_config = ConfigDict(frozen=True)

    liquidity_usd: float | None = None
    buy_tax_percent: float | None = None
    sell_tax_percent: float | None = None
    can_be_sold: bool | None = None
    risk_level: RiskLevel = "unknown"


class PoolResult(PoolFacts):
    """The result of the run with the costs of the pool."""

    total_return: float | None = None
    expectancy_percent: float | None = None
    largest_impact_percent: float | None = None
    largest_position_usd: float | None = None  # it moves the price by 1 %
    sentences: list[str] = []


def with_pool(facts: PoolFacts, returns: Floats, share: float, initial_cash: float, plain_growth: float) -> PoolResult:
    """Return the result with the impact of every fill and the taxes.

    `returns` are those of the closed trades as fractions of their budgets; `plain_growth` is the run's last equity over
    its initial cash, which also holds an open position.
    """
    known = facts.model_dump()
    depth = (facts.liquidity_usd or 0.0) / 2
    if depth <= 0:
        return PoolResult(**known, sentences=_sentences(facts, None, None))
    taxes = (1 - (facts.buy_tax_percent or 0.0) / 100) * (1 - (facts.sell_tax_percent or 0.0) / 100)
    after, impact = np.empty_like(returns), np.zeros(1)
    cash = trade_in_pool(returns, share, initial_cash, depth, max(0.0, taxes), after, impact)
    closed = float(np.prod(1 + share * returns))
    growth = cash / initial_cash * (plain_growth / closed if closed > 0 else 1.0)
    total = finite(100 * (growth - 1))
    return PoolResult(
        **known,
        total_return=total,
        expectancy_percent=finite(100 * float(np.mean(after))) if len(after) else None,
        largest_impact_percent=finite(100 * float(impact[0])) if len(after) else None,
        largest_position_usd=LITTLE_IMPACT * depth,
        sentences=_sentences(facts, total, 100 * (plain_growth - 1)),
    )


@lean
def trade_in_pool(
    returns: Floats, share: float, cash: float, depth: float, taxes: float, after: Floats, impact: Floats
) -> float:
    """Trade the returns one after the other against a pool of this depth; the last cash is returned."""
    for k in range(len(returns)):
        budget = cash * share
        bought = budget / (1.0 + budget / depth)
        worth = bought * (1.0 + returns[k]) * taxes
        proceeds = worth / (1.0 + worth / depth)
        impact[0] = max(impact[0], budget / depth, worth / depth)
        # Without cash left, the trade still counts with what its taxes leave of it.
        after[k] = (proceeds - budget) / budget if budget > 0.0 else (1.0 + returns[k]) * taxes - 1.0
        cash += proceeds - budget
    return cash


def _sentences(facts: PoolFacts, total: float | None, plain: float | None) -> list[str]:
    return [_pool_sentence(facts, total, plain), _tax_sentence(facts), *_sale_sentences(facts)]


def _pool_sentence(facts: PoolFacts, total: float | None, plain: float | None) -> str:
    if facts.liquidity_usd is None or total is None or plain is None or not math.isfinite(plain):
        return (
            "The liquidity of this token is unknown, so nobody can say whether its pool would have borne these trades."
        )
    most = facts.liquidity_usd / 2 * LITTLE_IMPACT
    pool = f"With this pool (${facts.liquidity_usd:,.0f} in it)"
    return (
        f"{pool} the total is {signed(total)} % instead of {signed(plain)} %. "
        f"A position of at most ${most:,.0f} moves its price by less than 1 %."
    )


def _tax_sentence(facts: PoolFacts) -> str:
    if facts.buy_tax_percent is None or facts.sell_tax_percent is None:
        return "Whether the token takes a tax on trades is unknown."
    if facts.buy_tax_percent == facts.sell_tax_percent == 0:
        return "The token takes no tax on trades."
    return f"The token takes {facts.buy_tax_percent:g} % of a purchase and {facts.sell_tax_percent:g} % of a sale."


def _sale_sentences(facts: PoolFacts) -> list[str]:
    words = {
        None: "Whether it can be sold is unknown.",
        False: "It can probably not be sold: this return could not have been had.",
    }
    found = [words[facts.can_be_sold]] if facts.can_be_sold is not True else []
    return [*found, *(["The risk of this token is high."] if facts.risk_level == "high" else [])]
