"""What the provider says about a token's pool, and the estimate that runs of older versions stored."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

RiskLevel = Literal["low", "medium", "high", "unknown"]


class PoolFacts(BaseModel):
    """The provider's current figures of a token; None where it has none. `symbol` is None unless it is plain text."""

    model_config = ConfigDict(frozen=True)

    liquidity_usd: float | None = None
    buy_tax_percent: float | None = None
    sell_tax_percent: float | None = None
    can_be_sold: bool | None = None
    risk_level: RiskLevel = "unknown"
    symbol: str | None = None


class PoolResult(BaseModel):
    """The result of a run of an older version with the costs of the pool, which its metrics do not contain."""

    model_config = ConfigDict(frozen=True)

    liquidity_usd: Annotated[float | None, Field(description="Liquidity of its pools in US dollars")] = None
    buy_tax_percent: Annotated[float | None, Field(description="What the token takes of each purchase, in percent")] = (
        None
    )
    sell_tax_percent: Annotated[float | None, Field(description="What the token takes of each sale, in percent")] = None
    can_be_sold: Annotated[bool | None, Field(description="Whether the token can be sold; null if it is unknown")] = (
        None
    )
    risk_level: Annotated[RiskLevel, Field(description="How risky the token is, by its contract")] = "unknown"
    total_return: Annotated[float | None, Field(description="Percent, with tax and price impact")] = None
    expectancy_percent: Annotated[
        float | None, Field(description="Mean profit of a trade with tax and price impact, in percent")
    ] = None
    largest_impact_percent: Annotated[
        float | None, Field(description="The largest price impact of a fill, in percent")
    ] = None
    largest_position_usd: Annotated[float | None, Field(description="The largest position in US dollars")] = None
    sentences: Annotated[list[str], Field(description="The same in sentences")] = []
