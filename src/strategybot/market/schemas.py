"""The market records of the API, equal for every provider; null means unknown."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from strategybot.kit.validation import Body
from strategybot.trading.engine.instruments import Address, Chain, TokenId

RiskLevel = Literal["low", "medium", "high", "unknown"]
AMOUNT_PATTERN = r"^[1-9][0-9]{0,77}$"


class Record(BaseModel):
    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class Token(Record):
    token_id: str
    address: str
    chain: str
    symbol: str
    name: str
    decimals: int | None = None
    price_usd: float | None = None
    price_change_24h_percent: float | None = None
    volume_24h_usd: float | None = None
    liquidity_usd: float | None = None
    market_cap_usd: float | None = None
    holders: int | None = None
    risk_score: float | None = None
    logo_url: str | None = None
    created_at: datetime | None = None


class Pair(Record):
    pair: str
    exchange: str | None = None
    base: str | None = None
    quote: str | None = None
    price_usd: float | None = None
    liquidity_usd: float | None = None
    volume_24h_usd: float | None = None


class TokenDetail(Token):
    pairs: list[Pair]


class Price(Record):
    price_usd: float
    price_change_24h_percent: float | None = None
    liquidity_usd: float | None = None
    volume_24h_usd: float | None = None
    updated_at: datetime | None = None


class Kline(Record):
    time: Annotated[int, Field(description="Start of the candle, unix seconds UTC")]
    open: float
    high: float
    low: float
    close: float
    volume: float | None


class Risk(Record):
    token_id: str
    risk_score: Annotated[float | None, Field(description="0 to 100, higher is worse")] = None
    risk_level: RiskLevel
    is_honeypot: bool | None = None
    buy_tax_percent: float | None = None
    sell_tax_percent: float | None = None
    is_mintable: bool | None = None
    is_open_source: bool | None = None
    owner_renounced: bool | None = None
    liquidity_locked_percent: float | None = None
    top_holders_percent: float | None = None
    holders: int | None = None
    warnings: list[str]


_EXAMPLE_QUOTE: JsonDict = {
    "chain": "bsc",
    "from_token": "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
    "to_token": "0x050214445aa52e252a06112ac43da77038091725",
    "amount": "1000000000000000000",
}


class QuoteRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE_QUOTE]})

    chain: Chain
    from_token: Address
    to_token: Address
    amount: Annotated[str, Field(pattern=AMOUNT_PATTERN, description="A whole number of the token's smallest unit")]
    slippage: Annotated[float, Field(ge=0, le=50, description="Percent")] = 0.5


class SwapRequest(QuoteRequest):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{**_EXAMPLE_QUOTE, "wallet_address": "0x00000000219ab540356cbb839cbe05303d7705fa"}]
        }
    )

    wallet_address: Address


class Quote(Record):
    chain: str
    from_token: str
    to_token: str
    amount: str
    slippage: float
    estimated_out: str
    decimals: int | None = None
    spender: str | None = None


class UnsignedTransaction(Record):
    """The transaction for the user's wallet: `to, data, value, gas_limit` on EVM chains, `serialized` (base64) on
    Solana.
    """

    to: str | None = None
    data: str | None = None
    value: str | None = None
    gas_limit: str | None = None
    serialized: str | None = None


class Swap(Quote):
    wallet_address: str
    minimum_out: str | None = None
    transaction: UnsignedTransaction


class PricesRequest(Body):
    token_ids: Annotated[
        list[TokenId],
        Field(max_length=200, examples=[["So11111111111111111111111111111111111111112-solana"]]),
    ]


class MarketResponse(BaseModel):
    """The response of a proxy operation. If nothing is found it has a second shape, as specified."""


class TokensAnswer(MarketResponse):
    tokens: list[Token]


class PricesAnswer(MarketResponse):
    prices: dict[str, Price]


class KlinesAnswer(MarketResponse):
    klines: list[Kline]


class TokenFound(MarketResponse):
    token: TokenDetail


class NoToken(MarketResponse):
    token: None = None
    upsell_message: str | None = None


class RiskFound(MarketResponse):
    risk: Risk


class NoRisk(MarketResponse):
    risk: None = None
    upsell_message: str | None = None


class QuoteFound(MarketResponse):
    quote: Quote


class NoQuote(MarketResponse):
    quote: None = None
    upsell_message: str | None = None


class SwapFound(MarketResponse):
    swap: Swap


class NoSwap(MarketResponse):
    swap: None = None
    upsell_message: Annotated[str | None, Field(description="Which tier has swaps, when yours does not")] = None
