"""`/api/market`: the proxy to the market-data provider, for users who are logged in; demo tokens for everybody."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query

from strategybot.accounts.dependencies import CurrentUser, ReadingUser
from strategybot.kit.errors import MethodNotAllowed
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.error_responses import ErrorView, error_responses
from strategybot.kit.http.parameters import Moment
from strategybot.kit.http.provided import provide
from strategybot.market.schemas import (
    KlinesAnswer,
    NoQuote,
    NoRisk,
    NoSwap,
    NoToken,
    PricesAnswer,
    PricesRequest,
    QuoteFound,
    QuoteRequest,
    RiskFound,
    SwapFound,
    SwapRequest,
    TokenFound,
    TokensAnswer,
)
from strategybot.market.service import Market
from strategybot.trading.engine.instruments import CHAIN_PATTERN, TOKEN_ID_PATTERN, Interval

router = APIRouter(prefix="/api/market", tags=["Market"], route_class=JsonRoute)

MarketService = Annotated[Market, Depends(provide(Market))]
Chain = Annotated[str | None, Query(pattern=CHAIN_PATTERN, description="Such as solana, bsc, eth or base")]
Words = Annotated[
    str | None, Query(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$", description="Symbol, name or address")
]
TokenLimit = Annotated[int, Query(ge=1, le=100, description="How many tokens at the most")]
KlineLimit = Annotated[int, Query(ge=1, le=1000, description="How many candles at the most")]
KlineInterval = Annotated[Interval, Query(description="How long a candle is")]
TokenId = Annotated[str, Path(pattern=TOKEN_ID_PATTERN, description="`<address>-<chain>`")]

ERRORS: dict[int | str, dict[str, Any]] = {
    **error_responses(401, 429),
    500: {"model": ErrorView, "description": "`Failed to fetch …`: the provider gave no usable answer"},
    "default": {"model": ErrorView, "description": "`upstream API error: …`, with the provider's own status"},
}


@router.get("/tokens", responses=ERRORS)
async def search_tokens(
    market: MarketService, _user: CurrentUser, query: Words = None, chain: Chain = None, limit: TokenLimit = 20
) -> TokensAnswer:
    """Find tokens by symbol, name or address."""
    return TokensAnswer(tokens=await market.search(query, chain, limit))


@router.post("/tokens/price", responses=ERRORS)
async def read_prices(market: MarketService, _user: ReadingUser, request: PricesRequest) -> PricesAnswer:
    """Return the prices of up to 200 tokens by token id. Unknown tokens are left out."""
    return PricesAnswer(prices=await market.prices(request.token_ids))


@router.get("/tokens/price", include_in_schema=False)
async def prices_are_posted() -> None:
    """Answer with 405; without this route, `/tokens/{token_id}` would match `price`."""
    raise MethodNotAllowed("POST")


@router.get("/demo-tokens", responses=error_responses(404, 429))
async def list_demo_tokens(
    market: MarketService, query: Words = None, chain: Chain = None, limit: TokenLimit = 20
) -> TokensAnswer:
    """Return the invented tokens of the demo market, without a login; 404 if the server's prices are real."""
    return TokensAnswer(tokens=await market.demo_tokens(query, chain, limit))


# Must be declared before /tokens/{token_id}, which would match it too.
@router.get("/tokens/trending", responses=ERRORS)
async def list_trending_tokens(
    market: MarketService, _user: CurrentUser, chain: Chain = None, limit: TokenLimit = 20
) -> TokensAnswer:
    """Return the tokens that are traded most at the moment."""
    return TokensAnswer(tokens=await market.trending(chain, limit))


@router.get("/tokens/{token_id}", responses=ERRORS)
async def read_token(market: MarketService, _user: CurrentUser, token_id: TokenId) -> TokenFound | NoToken:
    """Return one token with its trading pairs."""
    found = await market.token(token_id)
    return NoToken() if found is None else TokenFound(token=found)


@router.get("/klines/{token_id}", responses=ERRORS)
async def read_klines(
    market: MarketService,
    _user: CurrentUser,
    token_id: TokenId,
    interval: KlineInterval = "1h",
    limit: KlineLimit = 100,
    start_time: Moment = None,
    end_time: Moment = None,
) -> KlinesAnswer:
    """Return the latest candles of a token in ascending order. The last one may still be open."""
    candles = await market.klines(token_id, interval, start_time, end_time, limit)
    return KlinesAnswer.model_validate({"klines": candles.records()})


@router.get("/contracts/{contract_id}", responses=ERRORS)
async def read_token_risk(market: MarketService, _user: CurrentUser, contract_id: TokenId) -> RiskFound | NoRisk:
    """Return the risk score of a token, with warnings as sentences."""
    found = await market.risk(contract_id)
    return NoRisk() if found is None else RiskFound(risk=found)


@router.post("/chain/quote", responses=ERRORS)
async def read_quote(market: MarketService, _user: ReadingUser, request: QuoteRequest) -> QuoteFound | NoQuote:
    """Return how much of `to_token` a trade would yield at this moment."""
    found = await market.quote(request)
    return NoQuote() if found is None else QuoteFound(quote=found)


@router.post("/chain/swap", responses=ERRORS)
async def prepare_swap(market: MarketService, user: ReadingUser, request: SwapRequest) -> SwapFound | NoSwap:
    """Return an unsigned transaction for your own wallet to sign. The service never executes it."""
    return await market.swap(user.principal, request)
