"""What a run knows about its costs, and where each figure comes from.

A run is saved with what its request says. The figures of the token's pool are read once, before the first candle, and
stored with the run, so that a resumed run and a parity check trade with the same numbers.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.pool import PoolFacts, RiskLevel

PoolCosts = Literal["auto", "off"]
"""`auto`: a run pays the token's tax and the price impact of its fills, as far as they are known. `off`: neither."""
Source = Literal["provider", "request", "unknown"]


class CostSources(BaseModel):
    model_config = ConfigDict(frozen=True)

    liquidity: Annotated[Source, Field(description="Who says what the liquidity is")] = "unknown"
    tax: Annotated[Source, Field(description="Who says what the taxes are")] = "unknown"


class RunCosts(BaseModel):
    """The costs of a run. A figure that is null is not known, and not in the result."""

    model_config = ConfigDict(frozen=True)

    pool_costs: Annotated[PoolCosts, Field(description="Whether tax and price impact are paid")] = "auto"
    fee_percent: Annotated[float, Field(description="The fee, in percent of each fill")]
    slippage_percent: Annotated[float, Field(description="How far each price moves against the trader, in percent")]
    buy_tax_percent: Annotated[float | None, Field(description="What the token takes of each purchase, in percent")] = (
        None
    )
    sell_tax_percent: Annotated[float | None, Field(description="What the token takes of each sale, in percent")] = None
    liquidity_usd: Annotated[
        float | None, Field(description="Of the pool, both sides; its present value stands for all of the past")
    ] = None
    liquidity_read_at: Annotated[
        str | None,
        Field(
            description="When the market was asked, ISO 8601; null until the run begins",
            json_schema_extra={"format": "date-time"},
        ),
    ] = None
    sources: Annotated[CostSources, Field(description="Who says what the token costs")] = CostSources()
    can_be_sold: Annotated[bool | None, Field(description="False for a honeypot; null if it is not known")] = None
    risk_level: Annotated[RiskLevel, Field(description="How risky the token is, by its contract")] = "unknown"

    @property
    def are_read(self) -> bool:
        return self.liquidity_read_at is not None

    def traded(self) -> Costs:
        """Return the numbers that the engine trades with."""
        return Costs(
            fee_percent=self.fee_percent,
            slippage_percent=self.slippage_percent,
            buy_tax_percent=self.buy_tax_percent or 0.0,
            sell_tax_percent=self.sell_tax_percent or 0.0,
            liquidity_usd=self.liquidity_usd,
        )

    def requested(self) -> "RunCosts":
        """Return the costs as the request said them, without what the provider says of the pool."""
        asks_tax = self.sources.tax == "request"
        return requested_costs(
            self.pool_costs,
            self.fee_percent,
            self.slippage_percent,
            self.liquidity_usd if self.sources.liquidity == "request" else None,
            self.buy_tax_percent if asks_tax else None,
            self.sell_tax_percent if asks_tax else None,
        )

    def read(self, facts: PoolFacts, moment: str) -> "RunCosts":
        """Return the costs with the provider's figures where the request has none; with `off`, without them.

        `moment` is when the provider was asked, as ISO 8601.
        """
        told = {"liquidity_read_at": moment, "can_be_sold": facts.can_be_sold, "risk_level": facts.risk_level}
        if self.pool_costs == "off":
            return self.model_copy(update=told)
        sources, found = self.sources, {}
        if sources.liquidity == "unknown" and facts.liquidity_usd is not None and facts.liquidity_usd > 0:
            found["liquidity_usd"] = facts.liquidity_usd
            sources = sources.model_copy(update={"liquidity": "provider"})
        taxes = {name: getattr(facts, name) for name in ("buy_tax_percent", "sell_tax_percent")}
        missing = {name: tax for name, tax in taxes.items() if getattr(self, name) is None and tax is not None}
        if missing and sources.tax == "unknown":
            sources = sources.model_copy(update={"tax": "provider"})
        return self.model_copy(update={**told, **found, **missing, "sources": sources})


def requested_costs(
    pool_costs: PoolCosts,
    fee_percent: float,
    slippage_percent: float,
    liquidity_usd: float | None = None,
    buy_tax_percent: float | None = None,
    sell_tax_percent: float | None = None,
) -> RunCosts:
    """Return the costs of a new run, before the market is asked."""
    has_tax = buy_tax_percent is not None or sell_tax_percent is not None
    return RunCosts(
        pool_costs=pool_costs,
        fee_percent=fee_percent,
        slippage_percent=slippage_percent,
        buy_tax_percent=buy_tax_percent,
        sell_tax_percent=sell_tax_percent,
        liquidity_usd=liquidity_usd,
        sources=CostSources(
            liquidity="unknown" if liquidity_usd is None else "request", tax="request" if has_tax else "unknown"
        ),
    )
