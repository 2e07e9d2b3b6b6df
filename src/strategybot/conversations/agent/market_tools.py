"""The tools about tokens and where the user is notified, and the prices that the commands show."""

from pydantic import ValidationError

from strategybot.conversations.agent.arguments import (
    AnyCandles,
    AnyToken,
    End,
    MostCandles,
    OnChain,
    Query,
    Start,
    TargetEvents,
    TargetName,
    TargetUrl,
)
from strategybot.conversations.agent.facts import TokenFacts
from strategybot.conversations.agent.refusals import NothingKnown
from strategybot.conversations.agent.result_facts import (
    CandlesFacts,
    TargetFacts,
    TargetsFacts,
    TokenWithRiskFacts,
)
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.conversations.hygiene import clean_text
from strategybot.kit.errors import InvalidInput
from strategybot.kit.json_object import Json
from strategybot.kit.threads import run_read
from strategybot.kit.validation import field_errors
from strategybot.market.schemas import Kline, Price, Risk
from strategybot.notifications.schemas import TargetDraft

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


async def token_with_risk(work: ToolContext, token_id: AnyToken, chain: OnChain = None) -> TokenWithRiskFacts:
    """A token's price, volume and liquidity, and how dangerous it is: taxes, honeypot, holders, warnings in words."""
    found = await work.services.token_choice.token_id(token_id, chain)
    token = await work.services.market.token(found)
    if token is None:
        raise NothingKnown
    risk = await work.services.market.risk(found)
    source = work.services.market.source
    return TokenWithRiskFacts(**dict(TokenFacts.model_validate(token)), risk=risk, data_source=source)


async def market_candles(
    work: ToolContext,
    token: AnyToken,
    kline_interval: AnyCandles,
    chain: OnChain = None,
    start: Start = None,
    end: End = None,
    limit: MostCandles = 50,
) -> CandlesFacts:
    """Prices of a token as candles, oldest first; the last one may still be open."""
    token_id = await work.services.token_choice.token_id(token, chain)
    candles = await work.services.market.klines(token_id, kline_interval, start, end, limit)
    rows = [Kline.model_validate(row) for row in candles.records()]
    source = work.services.market.source
    return CandlesFacts(token_id=token_id, kline_interval=kline_interval, data_source=source, candles=rows)


async def notify_me(
    work: ToolContext, url: TargetUrl = None, events: TargetEvents = None, name: TargetName = "Notifications"
) -> TargetsFacts:
    """Send what happens to the user's runs to a phone, chat or webhook of theirs, from now on; one message is sent as a
    test. The web app's bell shows everything anyway.
    """
    notifications, principal = work.services.notifications, work.caller.principal
    test = None
    if url is not None:
        fields = {"name": name, "url": url} | ({} if events is None else {"events": events})
        added = await notifications.create(principal, _target(fields))
        test = await notifications.test(principal, added.id)
    targets = await run_read(notifications.targets, principal)
    return TargetsFacts(
        targets=[TargetFacts.model_validate(target) for target in targets],
        test_sent=test and test.sent,
        test_error=test and test.error,
    )


def _target(fields: Json) -> TargetDraft:
    try:
        return TargetDraft.model_validate(fields)
    except ValidationError as error:
        raise InvalidInput(field_errors(error.errors(), fields)) from None


async def get_price(work: ToolContext, token_id: str) -> Price:
    prices: dict[str, Price] = await work.services.market.prices([token_id])
    if not prices:
        raise NothingKnown
    return next(iter(prices.values()))
