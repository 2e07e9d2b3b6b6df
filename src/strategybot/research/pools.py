"""The provider's current data about a token's pool."""

from strategybot.backtests.schemas import FinishedRun
from strategybot.market.schemas import Risk, TokenDetail
from strategybot.market.service import Market
from strategybot.trading.pool import PoolFacts, PoolResult, with_pool


async def pool_of(market: Market, finished: FinishedRun) -> PoolResult:
    """Return the run with the pool of its token; figures that the provider does not have are None."""
    facts = pool_facts(
        await market.token_if_reachable(finished.token_id), await market.risk_if_reachable(finished.token_id)
    )
    total = finished.result.metrics["total_return"]
    growth = 1 + total / 100 if isinstance(total, float) else float("inf")
    returns = finished.result.trades.pnl_percent / 100
    return with_pool(facts, returns, finished.strategy.position_percent / 100, finished.initial_cash, growth)


def pool_facts(detail: TokenDetail | None, risk: Risk | None) -> PoolFacts:
    liquidity = None if detail is None else detail.liquidity_usd
    if risk is None:
        return PoolFacts(liquidity_usd=liquidity)
    return PoolFacts(
        liquidity_usd=liquidity,
        buy_tax_percent=risk.buy_tax_percent,
        sell_tax_percent=risk.sell_tax_percent,
        can_be_sold=None if risk.is_honeypot is None else not risk.is_honeypot,
        risk_level=risk.risk_level,
    )
