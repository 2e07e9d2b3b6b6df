"""What a fill costs: fee, slippage, the token's tax, and the impact of the fill on the price of the token's pool.

The pool is constant-product with its present liquidity L, both sides in dollars, at every candle, and it recovers
before the next fill: a fill of V makes its own mean price worse by the factor 1 + 2V/L. Prices of a run (`entry_price`,
stops and targets) contain slippage, but neither impact nor tax, so that a thin pool does not trigger its own stop.
"""

from typing import NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from strategybot.trading.engine.candles import Floats
from strategybot.trading.words.numbers import finite


class Costs(BaseModel):
    """The costs that a run trades with. A pool that is not known has no impact."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False, extra="forbid")

    fee_percent: float = Field(default=0.1, ge=0, lt=100)
    slippage_percent: float = Field(default=0.05, ge=0, lt=100)
    buy_tax_percent: float = Field(default=0.0, ge=0, le=100)
    sell_tax_percent: float = Field(default=0.0, ge=0, le=100)
    liquidity_usd: float | None = Field(default=None, gt=0)

    @property
    def fee(self) -> float:
        return self.fee_percent / 100

    @property
    def slippage(self) -> float:
        return self.slippage_percent / 100

    @property
    def impact(self) -> float:
        """Return by which share a fill of one dollar makes its own price worse."""
        return 0.0 if self.liquidity_usd is None else 2 / self.liquidity_usd

    @property
    def buy_kept(self) -> float:
        """Return the share of a purchase that the tax leaves."""
        return 1 - self.buy_tax_percent / 100

    @property
    def sell_kept(self) -> float:
        return 1 - self.sell_tax_percent / 100

    @property
    def has_pool_costs(self) -> bool:
        return self.impact > 0 or self.buy_kept < 1 or self.sell_kept < 1

    def without_pool(self) -> "Costs":
        return Costs(fee_percent=self.fee_percent, slippage_percent=self.slippage_percent)


class Paid(NamedTuple):
    """What trades paid, in money, one value each; slippage is the difference between two prices and not in here."""

    fees: Floats
    tax: Floats
    impact: Floats


def spent_per_value(costs: Costs, quantity: Floats, entry_price: Floats) -> Floats | np.float64:
    """Return how much money went into the pool for each dollar of tokens received; the fee is not in it."""
    with np.errstate(divide="ignore", invalid="ignore"):
        left = 1.0 - costs.impact * np.divide(quantity * entry_price, costs.buy_kept) if costs.impact else 1.0
        return np.divide(1.0, left * costs.buy_kept)


def received_per_value(costs: Costs, quantity: Floats, exit_price: Floats) -> Floats | np.float64:
    """Return how much money came out of the pool for each dollar of tokens sold, before fee and tax."""
    return 1.0 / (1.0 + costs.impact * (quantity * exit_price)) if costs.impact else np.float64(1.0)


def budget_of(costs: Costs, quantity: Floats, entry_price: Floats) -> Floats:
    """Return the money that a purchase took from the cash."""
    return quantity * entry_price * spent_per_value(costs, quantity, entry_price) * (1 + costs.fee)


def paid_by_trades(costs: Costs, quantity: Floats, entry_price: Floats, exit_price: Floats) -> Paid:
    """Return what round trips paid. A price of 0 leaves that fill out."""
    spent = spent_per_value(costs, quantity, entry_price)
    received = received_per_value(costs, quantity, exit_price)
    taxed = np.divide(1.0, costs.buy_kept) if costs.buy_kept > 0 else 1.0
    bought, sold = quantity * entry_price, quantity * exit_price
    return Paid(
        fees=quantity * (entry_price * spent + exit_price * received) * costs.fee,
        tax=bought * (taxed - 1.0) + sold * received * (1 - costs.fee) * (1 - costs.sell_kept),
        impact=bought * (spent - taxed) + sold * (1.0 - received),
    )


class FillCosts(NamedTuple):
    """What one fill paid, in money. A number is None if it is beyond any float."""

    fees: float | None
    slippage: float | None
    tax: float | None
    impact: float | None


NO_FILL = FillCosts(None, None, None, None)


def paid_by_fill(costs: Costs, quantity: float, base: float, price: float, *, is_sale: bool) -> FillCosts:
    """Return what a purchase or a sale at `price` paid; `base` is the price before slippage."""
    prices = (0.0, price) if is_sale else (price, 0.0)
    paid = paid_by_trades(costs, *np.array([[quantity], [prices[0]], [prices[1]]]))
    slippage = quantity * abs(price - base)
    return FillCosts(*map(finite, (float(paid.fees[0]), slippage, float(paid.tax[0]), float(paid.impact[0]))))


def hold_cost(costs: Costs, cash: float, price: float) -> float:
    """Return what one unit costs that is bought with all the cash at this price; infinity if the tax takes all."""
    worse = 1 + costs.impact * (cash / (1 + costs.fee))
    cost = price * (1 + costs.slippage) * worse * (1 + costs.fee)
    return cost / costs.buy_kept if costs.buy_kept > 0 else np.inf
