"""The costs of a run in sentences. Web app, chat, terminal, MCP and share page show these and no others."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from strategybot.trading.engine.pool import PoolFacts
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.language.cautions import cautions
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import plain
from strategybot.trading.words.numbers import signed

LITTLE_IMPACT = 0.01
MOST_NAMES = 5
OF_AN_OLDER_VERSION = "This result is without tax and price impact: it is from before they were part of every run."
SWITCHED_OFF = "Token tax and price impact are switched off in this run."
UNKNOWN_POOL = "The size of this pool is not known: price impact is not in this result."
UNKNOWN_TAX = "Whether this token takes a tax on trades is not known: no tax is in this result."
UNKNOWN_TAX_AND_SALE = (
    "Whether this token takes a tax on trades, and whether it can be sold, is not known: no tax is in this result."
)
CANNOT_BE_SOLD = "This token can probably not be sold: nobody could have had this result."
HIGH_RISK = "The risk of this token is high."
WITHOUT_POOL_COSTS = "Without tax and price impact."
WHAT_A_RESULT_LACKS = {
    OF_AN_OLDER_VERSION,
    SWITCHED_OFF,
    UNKNOWN_POOL,
    UNKNOWN_TAX,
    UNKNOWN_TAX_AND_SALE,
    CANNOT_BE_SOLD,
    HIGH_RISK,
}
_ABOUT_TOKENS: list[tuple[str, Callable[[RunCosts], bool]]] = [
    ("Can probably not be sold", lambda costs: costs.can_be_sold is False),
    ("Size of the pool not known, so no price impact is in the result", lambda costs: costs.liquidity_usd is None),
    (
        "Tax on trades not known, so none is in the result",
        lambda costs: costs.buy_tax_percent is None and costs.sell_tax_percent is None,
    ),
    ("Token tax is paid", lambda costs: bool(costs.buy_tax_percent or costs.sell_tax_percent)),
    ("High risk", lambda costs: costs.risk_level == "high"),
]


class Traded(NamedTuple):
    """What a run trades, with which money."""

    strategy: Strategy
    initial_cash: float


def cost_notes(
    costs: RunCosts | None,
    metrics: Mapping[str, Any] | None = None,
    *,
    traded: Traded | None = None,
    is_simulation: bool = False,
    tokens: Sequence[Mapping[str, Any]] = (),
) -> list[str]:
    """Return what a reader must know about the costs of a run: what they make impossible for the strategy, then what
    is missing in them, then what they are. With many tokens each has its own costs in its row.
    """
    if costs is None:
        return [OF_AN_OLDER_VERSION]
    if not costs.are_read:
        return [*_notes_by_token(tokens), *without_pool_words(metrics or {})]
    warnings = [CANNOT_BE_SOLD] if costs.can_be_sold is False else []
    if traded is not None:
        warnings += cautions(traded.strategy, costs.traded(), traded.initial_cash)
    if costs.pool_costs == "off":
        return [*warnings, SWITCHED_OFF]
    return [
        *warnings,
        *_unknown(costs),
        *_known_costs(costs, is_simulation=is_simulation),
        *without_pool_words(metrics or {}),
    ]


def lacks_pool_costs(costs: RunCosts | None) -> bool:
    """Return whether a result is without tax and price impact by choice or by its age."""
    return costs is None or costs.pool_costs == "off"


def pool_warning(began: RunCosts, now: PoolFacts) -> str | None:
    """Return what has become of a pool since a run began, if it matters: it is half gone, or nobody can sell."""
    if now.can_be_sold is False and began.can_be_sold is not False:
        return "This token can probably no longer be sold. The run goes on with the costs with which it began."
    before, left = began.liquidity_usd, now.liquidity_usd
    if before is None or left is None or began.sources.liquidity != "provider" or left > before / 2:
        return None
    return (
        f"The pool has lost half of its liquidity since the run began: it held ${before:,.0f}. Real fills would now "
        "move the price more than in this run."
    )


def _unknown(costs: RunCosts) -> list[str]:
    found = [UNKNOWN_POOL] if costs.liquidity_usd is None else []
    if costs.buy_tax_percent is None and costs.sell_tax_percent is None:
        found.append(UNKNOWN_TAX if costs.can_be_sold is not None else UNKNOWN_TAX_AND_SALE)
    return found


def _notes_by_token(tokens: Sequence[Mapping[str, Any]]) -> list[str]:
    read = [
        (row["symbol"] or row["token"], RunCosts.model_validate(row["costs"])) for row in tokens if row.get("costs")
    ]
    if any(costs.pool_costs == "off" for _, costs in read):
        return [SWITCHED_OFF]
    about = [(words, [symbol for symbol, costs in read if holds(costs)]) for words, holds in _ABOUT_TOKENS]
    return [f"{words}: {_listed(symbols)}." for words, symbols in about if symbols]


def _listed(names: list[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _known_costs(costs: RunCosts, *, is_simulation: bool) -> list[str]:
    found = [HIGH_RISK] if costs.risk_level == "high" else []
    tax = _tax(costs)
    if tax is not None:
        found.append(tax)
    if costs.liquidity_usd is not None:
        size = f"${costs.liquidity_usd:,.0f}"
        most = costs.liquidity_usd / 2 * LITTLE_IMPACT
        pool = f"The pool holds {size} today, which stands for all of the past"
        if costs.sources.liquidity == "request":
            pool = f"The pool holds {size}"
        elif is_simulation:
            pool = f"The pool held {size} when the run began"
        found.append(
            f"{pool}. A fill of up to ${most:,.0f} gets a price that is at most 1 % worse, and moves the pool's own "
            "price by at most 2 %."
        )
    return found


def _tax(costs: RunCosts) -> str | None:
    buy, sell = costs.buy_tax_percent, costs.sell_tax_percent
    if buy is None and sell is None:
        return None
    if not buy and not sell:
        return "The token takes no tax on trades."
    return f"The token takes {plain(buy or 0)} % of each purchase and {plain(sell or 0)} % of each sale."


def without_pool_words(metrics: Mapping[str, Any]) -> list[str]:
    """Return the result without tax and impact, if it looks different."""
    total, plain_total = metrics.get("total_return"), metrics.get("return_without_pool_costs")
    if total is None or plain_total is None or signed(total) == signed(plain_total):
        return []
    return [f"Without tax and price impact: {signed(plain_total)} %"]
