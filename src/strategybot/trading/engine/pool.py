"""What the provider says about a token's pool, and the estimate that runs of older versions stored."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

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

    liquidity_usd: float | None = None
    buy_tax_percent: float | None = None
    sell_tax_percent: float | None = None
    can_be_sold: bool | None = None
    risk_level: RiskLevel = "unknown"
    total_return: float | None = None
    expectancy_percent: float | None = None
    largest_impact_percent: float | None = None
    largest_position_usd: float | None = None
    sentences: list[str] = []
