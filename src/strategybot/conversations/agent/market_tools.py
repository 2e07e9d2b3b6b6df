"""The tools about tokens, and the prices that the commands show."""

from strategybot.conversations.agent.arguments import AnyToken, OnChain, Query
from strategybot.conversations.agent.facts import TokenFacts
from strategybot.conversations.agent.refusals import NothingKnown
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.conversations.hygiene import clean_text
from strategybot.market.schemas import Price, Risk

MOST_TOKENS = 10


async def search_tokens(work: ToolContext, query: Query, chain: OnChain = None) -> list[TokenFacts]:
    """Find tokens, at most 10."""
    words = clean_text(query, 100)
    if not words:
        return await trending_tokens(work, chain)
    found = await work.services.market.search(words, chain, MOST_TOKENS)
    return [TokenFacts.model_validate(token) for token in found]


async def trending_tokens(work: ToolContext, chain: OnChain = None) -> list[TokenFacts]:
    found = await work.services.market.trending(chain, MOST_TOKENS)
    return [TokenFacts.model_validate(token) for token in found]


async def get_token(work: ToolContext, token_id: AnyToken) -> TokenFacts:
    """A token's price, volume, liquidity and risk score."""
    token = await work.services.market.token(await work.services.token_choice.token_id(token_id))
    if token is None:
        raise NothingKnown
    return TokenFacts.model_validate(token)


async def get_token_risk(work: ToolContext, token_id: AnyToken) -> Risk:
    """How dangerous a token is: taxes, honeypot, holders, with warnings in words."""
    risk = await work.services.market.risk(await work.services.token_choice.token_id(token_id))
    if risk is None:
        raise NothingKnown
    return risk


async def get_price(work: ToolContext, token_id: str) -> Price:
    prices: dict[str, Price] = await work.services.market.prices([token_id])
    if not prices:
        raise NothingKnown
    return next(iter(prices.values()))
