"""The parts of requests and responses that several kinds of run share."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from strategybot.bots.schemas import TrendingUniverse, UniverseTokens
from strategybot.kit.validation import Body, Moment
from strategybot.trading.engine.fills import Intrabar
from strategybot.trading.engine.instruments import Address, Chain, Interval
from strategybot.trading.engine.run_costs import PoolCosts, RunCosts, requested_costs
from strategybot.trading.language.values import Cash, CostPercent
from strategybot.trading.words.reason_data import Reasons

OfPortfolio = Annotated[
    str | None,
    Field(description="Which token it is about; only in runs of many tokens", exclude_if=lambda value: value is None),
]
Status = Literal["pending", "running", "completed", "failed", "stopped"]


RunId = Annotated[str, Field(description="The id of the run")]
BotId = Annotated[str, Field(description="The id of its bot")]
StrategySummary = Annotated[str, Field(description="The strategy in plain English")]
CandleLength = Annotated[Interval, Field(description="How long a candle is")]
InitialCash = Annotated[float, Field(description="The cash it begins with")]
FeeOfRun = Annotated[float, Field(description="The fee, in percent of each fill")]
SlippageOfRun = Annotated[float, Field(description="How far each price moves against the trader, in percent")]


class SpanRequest(Body):
    """Which candles a run sees."""

    kline_interval: Annotated[
        Interval | None,
        Field(description="The one of your settings, if it fits the strategy, or the bot's recommended one by default"),
    ] = None
    start_time: Annotated[Moment | None, Field(description="30 days before the end by default")] = None
    end_time: Annotated[Moment | None, Field(description="Now by default")] = None


class InstrumentRequest(Body):
    token: Annotated[Address | None, Field(description="An address or a token id; the bot's by default")] = None
    chain: Annotated[Chain | None, Field(description="The bot's, or the one of your settings, by default")] = None


class RunToken(Body):
    """One of the tokens of a run."""

    token: Annotated[Address, Field(description="An address or a token id")]
    chain: Annotated[Chain | None, Field(description="The bot's, or the one of your settings, by default")] = None


class PurseRequest(InstrumentRequest):
    """One token, or many that are traded with one purse."""

    tokens: Annotated[
        UniverseTokens | None, Field(description="Instead of `token`: traded with one purse; the bot's by default")
    ] = None
    universe: Annotated[
        TrendingUniverse | None, Field(description="Instead of `tokens`: the trending tokens of a chain, as of now")
    ] = None
    dead_token_loss_percent: Annotated[
        float | None,
        Field(
            ge=0,
            le=100,
            description="What is lost of a position whose token has had no candle for 24 hours; 50 by default. Only "
            "with many tokens",
        ),
    ] = None


class CostsRequest(Body):
    initial_cash: Annotated[
        Cash | None, Field(description="The cash it begins with; that of your settings by default")
    ] = None
    fee_percent: Annotated[CostPercent | None, Field(description="Of each fill; that of your settings by default")] = (
        None
    )
    slippage_percent: Annotated[
        CostPercent | None, Field(description="Of each price; that of your settings by default")
    ] = None
    intrabar: Annotated[
        Intrabar,
        Field(
            description="`auto`: where stop and target, or a trailing stop, depend on the order of the prices inside a "
            "candle, its 1-minute candles decide if the provider has them. `off`: the stop counts as first"
        ),
    ] = "auto"

    pool_costs: Annotated[
        PoolCosts,
        Field(
            description="`auto`: the run pays the token's tax and the price impact of its fills, as far as the market "
            "knows them. `off`: neither is in its result"
        ),
    ] = "auto"
    liquidity_usd: Annotated[
        float | None, Field(gt=0, le=1e15, description="Of the pool, both sides, instead of what the market says")
    ] = None
    buy_tax_percent: Annotated[float | None, Field(ge=0, le=100, description="Instead of what the market says")] = None
    sell_tax_percent: Annotated[float | None, Field(ge=0, le=100, description="Instead of what the market says")] = None

    @field_validator("liquidity_usd", "buy_tax_percent", "sell_tax_percent")
    @classmethod
    def _only_with_pool_costs(cls, value: float | None, others: ValidationInfo) -> float | None:
        if value is not None and others.data.get("pool_costs") == "off":
            raise PydanticCustomError("pool_costs_off", "cannot be given while pool_costs is off")
        return value

    def run_costs(self, fee_percent: float, slippage_percent: float) -> RunCosts:
        """Return the costs of the run before the market is asked; fee and slippage are those that the run uses."""
        return requested_costs(
            self.pool_costs,
            fee_percent,
            slippage_percent,
            self.liquidity_usd,
            self.buy_tax_percent,
            self.sell_tax_percent,
        )


class RunRequest(CostsRequest, InstrumentRequest):
    """The fields that backtest and simulation requests share."""


CostsOfRun = Annotated[
    RunCosts | None,
    Field(description="What it trades with; null for runs of older versions, which are without tax and price impact"),
]
CostNotes = Annotated[list[str], Field(description="What a reader must know about these costs, in sentences")]
HowIntrabar = Annotated[Intrabar, Field(description="Whether 1-minute candles decide what a candle cannot show")]
StrategyRevision = Annotated[
    int | None, Field(description="The revision of the bot's strategy that it runs; null for runs of older versions")
]
DataSource = Annotated[
    str | None,
    Field(description="Whose prices it uses: `demo` prices are invented; null for runs of older versions"),
]


class HistoryRequest(SpanRequest, CostsRequest):
    """The fields of every request for a run over a span of history."""


class EquityPoint(BaseModel):
    time: Annotated[int, Field(description="The candle, by its unix seconds")]
    equity: Annotated[float | None, Field(description="Cash and position together; null if it is beyond any number")]


class RunSummary(BaseModel):
    """What all runs over a span of history have in common."""

    model_config = ConfigDict(from_attributes=True)

    run_id: RunId
    bot_id: BotId
    status: Annotated[Status, Field(description="How far it is")]
    progress: Annotated[float, Field(ge=0, le=100, description="Percent")]
    created_at: Annotated[datetime, Field(description="When it was asked for")]
    started_at: Annotated[datetime | None, Field(description="When a worker began with it; null while it is pending")]
    finished_at: Annotated[datetime | None, Field(description="When it ended; null until then")]
    kline_interval: CandleLength
    start_time: Annotated[datetime, Field(description="When the span begins")]
    end_time: Annotated[datetime, Field(description="When the span ends, not included")]
    initial_cash: InitialCash
    fee_percent: FeeOfRun
    slippage_percent: SlippageOfRun
    costs: CostsOfRun
    strategy_revision: StrategyRevision
    data_source: DataSource


class SignalView(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    time: Annotated[int, Field(description="The candle, by its unix seconds")]
    side: Annotated[Literal["buy", "sell"], Field(description="Whether to buy or to sell")]
    price: Annotated[float, Field(description="The close that decided")]
    reason: Annotated[str, Field(description="Why, in words")]
    token_id: OfPortfolio = None
    reasons: Reasons = []


class TokenOfPurse(BaseModel):
    """One token of a run of many. If it could not be traded, `error` says why."""

    token_id: Annotated[str, Field(description="The token's id, as `address-chain`")]
    token: Annotated[str, Field(description="The address of the token")]
    chain: Annotated[str, Field(description="The chain of the token, such as solana")]
    symbol: Annotated[str | None, Field(description="Null if it is not plain text")]
    trades: Annotated[int | None, Field(description="Closed round trips")] = None
    pnl: Annotated[float | None, Field(description="In cash, what is held counted at its last close")] = None
    contribution_percent: Annotated[
        float | None, Field(description="Of the initial cash; the tokens add up to the total return")
    ] = None
    turned_away: Annotated[int | None, Field(description="Closes at which it was wanted and no place was free")] = None
    stopped_trading: Annotated[
        bool | None, Field(description="No candle for 24 hours: a position was written down")
    ] = None
    risk_level: Annotated[str | None, Field(description="How risky the token is, by its contract")] = None
    costs: CostsOfRun = None
    error: Annotated[str | None, Field(description="Why it could not be traded; null if it could")] = None
