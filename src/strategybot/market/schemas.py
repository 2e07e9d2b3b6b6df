"""The market records of the API, equal for every provider; null means unknown."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from strategybot.kit.validation import Body
from strategybot.trading.engine.instruments import Address, AddressAndChain, Chain, TokenAddress, TokenChain, TokenId

RiskLevel = Literal["low", "medium", "high", "unknown"]
AMOUNT_PATTERN = r"^[1-9][0-9]{0,77}$"


class Record(BaseModel):
    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class Token(Record):
    token_id: AddressAndChain
    address: TokenAddress
    chain: TokenChain
    symbol: Annotated[str, Field(description="As the provider gives it; anyone can choose the symbol of a token")]
    name: Annotated[str, Field(description="As the provider gives it; anyone can choose the name of a token")]
    decimals: Annotated[int | None, Field(description="How many digits its amounts have after the point")] = None
    price_usd: Annotated[float | None, Field(description="Price in US dollars")] = None
    price_change_24h_percent: Annotated[
        float | None, Field(description="Change of the price in 24 hours, in percent")
    ] = None
    volume_24h_usd: Annotated[float | None, Field(description="Volume of the last 24 hours in US dollars")] = None
    liquidity_usd: Annotated[float | None, Field(description="Liquidity of its pools in US dollars")] = None
    market_cap_usd: Annotated[float | None, Field(description="Market value in US dollars")] = None
    holders: Annotated[int | None, Field(description="How many hold it")] = None
    risk_score: Annotated[float | None, Field(description="0 to 100, higher is worse; null if it is unknown")] = None
    logo_url: Annotated[str | None, Field(description="A picture of it")] = None
    created_at: Annotated[datetime | None, Field(description="When it was first traded; null if it is unknown")] = None


class Pair(Record):
    pair: Annotated[str, Field(description="The address of the pair")]
    exchange: Annotated[str | None, Field(description="Where it is traded")] = None
    base: Annotated[str | None, Field(description="The symbol of the token")] = None
    quote: Annotated[str | None, Field(description="The symbol of what it is priced in")] = None
    price_usd: Annotated[float | None, Field(description="Price in US dollars")] = None
    liquidity_usd: Annotated[float | None, Field(description="Liquidity of its pools in US dollars")] = None
    volume_24h_usd: Annotated[float | None, Field(description="Volume of the last 24 hours in US dollars")] = None


class TokenDetail(Token):
    pairs: Annotated[list[Pair], Field(description="Its trading pairs")]


class Price(Record):
    price_usd: Annotated[float, Field(description="Price in US dollars")]
    price_change_24h_percent: Annotated[
        float | None, Field(description="Change of the price in 24 hours, in percent")
    ] = None
    liquidity_usd: Annotated[float | None, Field(description="Liquidity of its pools in US dollars")] = None
    volume_24h_usd: Annotated[float | None, Field(description="Volume of the last 24 hours in US dollars")] = None
    updated_at: Annotated[datetime | None, Field(description="When the provider read it; null if it does not say")] = (
        None
    )


class Kline(Record):
    time: Annotated[int, Field(description="Start of the candle, unix seconds UTC")]
    open: Annotated[float, Field(description="The first price")]
    high: Annotated[float, Field(description="The highest price")]
    low: Annotated[float, Field(description="The lowest price")]
    close: Annotated[float, Field(description="The last price")]
    volume: Annotated[float | None, Field(description="The traded volume; null if it is unknown")]


class Risk(Record):
    token_id: AddressAndChain
    risk_score: Annotated[float | None, Field(description="0 to 100, higher is worse")] = None
    risk_level: Annotated[RiskLevel, Field(description="How risky the token is, by its contract")]
    is_honeypot: Annotated[bool | None, Field(description="Whether it cannot be sold; null if it is unknown")] = None
    buy_tax_percent: Annotated[float | None, Field(description="What the token takes of each purchase, in percent")] = (
        None
    )
    sell_tax_percent: Annotated[float | None, Field(description="What the token takes of each sale, in percent")] = None
    is_mintable: Annotated[bool | None, Field(description="Whether more of it can be made; null if it is unknown")] = (
        None
    )
    is_open_source: Annotated[
        bool | None, Field(description="Whether its contract can be read; null if it is unknown")
    ] = None
    owner_renounced: Annotated[
        bool | None, Field(description="Whether nobody owns its contract any more; null if it is unknown")
    ] = None
    liquidity_locked_percent: Annotated[
        float | None, Field(description="How much of its liquidity cannot be taken away, in percent")
    ] = None
    top_holders_percent: Annotated[float | None, Field(description="What the largest holders have, in percent")] = None
    holders: Annotated[int | None, Field(description="How many hold it")] = None
    warnings: Annotated[list[str], Field(description="What to know before buying it, in sentences")]


_EXAMPLE_QUOTE: JsonDict = {
    "chain": "bsc",
    "from_token": "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
    "to_token": "0x050214445aa52e252a06112ac43da77038091725",
    "amount": "1000000000000000000",
}


class QuoteRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE_QUOTE]})

    chain: Annotated[Chain, Field(description="The chain of both tokens")]
    from_token: Annotated[Address, Field(description="The address of what is given")]
    to_token: Annotated[Address, Field(description="The address of what is wanted")]
    amount: Annotated[str, Field(pattern=AMOUNT_PATTERN, description="A whole number of the token's smallest unit")]
    slippage: Annotated[float, Field(ge=0, le=50, description="Percent")] = 0.5


class SwapRequest(QuoteRequest):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{**_EXAMPLE_QUOTE, "wallet_address": "0x00000000219ab540356cbb839cbe05303d7705fa"}]
        }
    )

    wallet_address: Annotated[Address, Field(description="The wallet that is to sign")]


class Quote(Record):
    chain: TokenChain
    from_token: Annotated[str, Field(description="The address of what is given")]
    to_token: Annotated[str, Field(description="The address of what is wanted")]
    amount: Annotated[str, Field(description="How much is given, in the smallest unit")]
    slippage: Annotated[float, Field(description="The slippage that is accepted, in percent")]
    estimated_out: Annotated[str, Field(description="How much it would yield, in the smallest unit")]
    decimals: Annotated[int | None, Field(description="Of what is wanted; null if they are unknown")] = None
    spender: Annotated[
        str | None, Field(description="The contract that must be allowed to spend; null if none must")
    ] = None


class UnsignedTransaction(Record):
    """The transaction for the user's wallet: `to, data, value, gas_limit` on EVM chains, `serialized` (base64) on
    Solana.
    """

    to: Annotated[str | None, Field(description="The address that it is sent to")] = None
    data: Annotated[str | None, Field(description="What it calls")] = None
    value: Annotated[str | None, Field(description="What it sends, in the smallest unit")] = None
    gas_limit: Annotated[str | None, Field(description="The most gas it may use")] = None
    serialized: Annotated[str | None, Field(description="The whole transaction, on chains that serialise it")] = None


class Swap(Quote):
    wallet_address: Annotated[str, Field(description="The wallet that is to sign")]
    minimum_out: Annotated[
        str | None, Field(description="The least it yields, in the smallest unit; null if it is unknown")
    ] = None
    transaction: Annotated[UnsignedTransaction, Field(description="What the wallet is to sign")]


class PricesRequest(Body):
    token_ids: Annotated[
        list[TokenId],
        Field(
            max_length=200,
            examples=[["So11111111111111111111111111111111111111112-solana"]],
            description="Up to 200 token ids",
        ),
    ]


class MarketResponse(BaseModel):
    """The response of a proxy operation. If nothing is found it has a second shape, as specified."""


class TokensAnswer(MarketResponse):
    tokens: Annotated[list[Token], Field(description="The tokens that were found")]


class PricesAnswer(MarketResponse):
    prices: Annotated[dict[str, Price], Field(description="The price of each known token, by its token id")]


class KlinesAnswer(MarketResponse):
    klines: Annotated[list[Kline], Field(description="Candles, oldest first")]


class TokenFound(MarketResponse):
    token: Annotated[TokenDetail, Field(description="The token")]


class NoToken(MarketResponse):
    token: Annotated[None, Field(description="Always null: the provider does not know it")] = None
    upsell_message: Annotated[str | None, Field(description="Which tier would answer; null if none would")] = None


class RiskFound(MarketResponse):
    risk: Annotated[Risk, Field(description="What is known of its risk")]


class NoRisk(MarketResponse):
    risk: Annotated[None, Field(description="Always null: the provider knows nothing about it")] = None
    upsell_message: Annotated[str | None, Field(description="Which tier would answer; null if none would")] = None


class QuoteFound(MarketResponse):
    quote: Annotated[Quote, Field(description="The quote")]


class NoQuote(MarketResponse):
    quote: Annotated[None, Field(description="Always null: the provider has no quote")] = None
    upsell_message: Annotated[str | None, Field(description="Which tier would answer; null if none would")] = None


class SwapFound(MarketResponse):
    swap: Annotated[Swap, Field(description="The swap, unsigned")]


class NoSwap(MarketResponse):
    swap: Annotated[None, Field(description="Always null: nothing is prepared")] = None
    upsell_message: Annotated[str | None, Field(description="Which tier has swaps, when yours does not")] = None
