"""Request and response bodies of the simulation endpoints."""

from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from strategybot.bots.schemas import OF_MANY, TrendingUniverse
from strategybot.kit.paging import PageView
from strategybot.market.schemas import Kline
from strategybot.runs.schemas import (
    BotId,
    CostNotes,
    CostsOfRun,
    DataSource,
    FeeOfRun,
    HowIntrabar,
    InitialCash,
    PurseRequest,
    RunId,
    RunRequest,
    SignalView,
    SlippageOfRun,
    StrategyRevision,
    TokenOfPurse,
)
from strategybot.trading.engine.fills import FillCounts
from strategybot.trading.engine.instruments import TokenAddress, TokenChain
from strategybot.trading.evidence.expectation import Expectation
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.outlook import NextCondition
from strategybot.trading.words.reason_data import Reasons

Status = Literal["running", "paused", "stopped"]
StopReason = Literal["completed", "user", "replaced", "stale", "failed"]
Mode = Literal["replay", "live"]
CheckInterval = Literal[10, 30, 60]
KlineInterval = Literal["1m", "5m", "15m", "1h"]
KLINE_INTERVALS: tuple[KlineInterval, ...] = get_args(KlineInterval)
Action = Literal["BUY", "SELL", "HOLD"]


class SimulationRequest(RunRequest, PurseRequest):
    """A simulation on one token, or a live one on many with one purse. Omitted fields come from the bot, the user's
    settings or the defaults.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "token": "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N",
                    "chain": "solana",
                    "check_interval": 10,
                    "kline_interval": "1m",
                    "mode": "replay",
                }
            ]
        }
    )

    check_interval: Annotated[
        CheckInterval | None, Field(description="Seconds between two steps; the one of your settings by default")
    ] = None
    kline_interval: Annotated[
        KlineInterval | None, Field(description="The longest that shows every window of the strategy twice by default")
    ] = None
    mode: Annotated[
        Mode, Field(description="`replay` the last hour, or follow the market `live`; with many tokens always `live`")
    ] = "replay"


class PositionView(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    quantity: Annotated[float | None, Field(description="How much of the token is held")]
    value: Annotated[float | None, Field(description="Quantity × current price")]


class TokenPositionView(BaseModel):
    """A position of a purse: its value at the last close, its average price, and the candle of its first buy."""

    model_config = ConfigDict(from_attributes=True)

    token_id: Annotated[str, Field(description="The token's id, as `address-chain`")]
    symbol: Annotated[str | None, Field(description="Null if it is not plain text")]
    quantity: Annotated[float | None, Field(description="Tokens held")]
    value: Annotated[float | None, Field(description="At the token's last close")]
    entry_price: Annotated[float | None, Field(description="The average of what it bought")]
    entry_time: Annotated[int, Field(description="The candle of its first buy, by its unix seconds")]
    current_price: Annotated[float | None, Field(description="The token's last close")]
    unrealized_pnl: Annotated[float | None, Field(description="Its value less what was spent, in cash")]


class PortfolioView(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    initial_cash: InitialCash
    cash_balance: Annotated[float | None, Field(description="The cash that is not invested")]
    position: Annotated[PositionView, Field(description="What is held")]
    entry_price: Annotated[float | None, Field(description="Null without a position")]
    current_price: Annotated[float | None, Field(description="The last close")]
    unrealized_pnl: Annotated[float | None, Field(description="Value of the position less what was spent, in cash")]
    total_value: Annotated[float | None, Field(description="Cash and position together")]
    pnl: Annotated[float | None, Field(description="Total value less initial cash")]
    pnl_percent: Annotated[float | None, Field(description="The same in percent")]
    positions: Annotated[
        list[TokenPositionView] | None, OF_MANY, Field(description="Of many tokens: each with its token")
    ] = None
    places_used: Annotated[int | None, OF_MANY, Field(description="Of many tokens: how many are held")] = None
    max_open: Annotated[int | None, OF_MANY, Field(description="Of many tokens: how many may be held")] = None
    turned_away: Annotated[int | None, OF_MANY, Field(description="Of many tokens: wanted while no place was free")] = (
        None
    )


class PurseTokenView(TokenOfPurse):
    last_candle: Annotated[int | None, Field(description="The newest it has seen, by its unix seconds")] = None
    listed: Annotated[
        bool | None,
        OF_MANY,
        Field(description="With the list of each day: whether it is on today's; if not, it is not bought again"),
    ] = None
    next_entry: Annotated[
        list[NextCondition],
        Field(default_factory=list, description="What its next purchase waits for; empty if none can come now"),
    ]
    next_exit: Annotated[
        list[NextCondition],
        Field(default_factory=list, description="What could end its position; empty without one"),
    ]


class LogEntryView(BaseModel):
    number: Annotated[int, Field(description="Counted from 1; negative for notes about the pool")]
    time: Annotated[int, Field(description="The candle, by its unix seconds")]
    action: Annotated[Action, Field(description="What was decided")]
    price: Annotated[float | None, Field(description="Of the fill; the close for HOLD")]
    reason: Annotated[str, Field(description="Why, in words")]
    reasons: Reasons = []
    entry_price: Annotated[
        float | None, Field(description="The average price of what is held; null without a position")
    ]
    quantity: Annotated[float | None, Field(description="How much of the token was bought or sold; null for HOLD")]
    pnl: Annotated[float | None, Field(description="Profit of a sale in cash; null unless it sold")]
    fees: Annotated[float | None, Field(description="What this fill paid, in cash; null for HOLD")] = None
    slippage: Annotated[float | None, Field(description="What slippage cost, in cash")] = None
    tax: Annotated[float | None, Field(description="What the token's tax cost, in cash")] = None
    impact: Annotated[float | None, Field(description="What moving the price cost, in cash")] = None
    exit_reason: Annotated[str | None, Field(description="Such as `stop_loss`; null unless it sold")] = None
    token_id: Annotated[
        str | None, OF_MANY, Field(description="With many tokens: which one, unless it is about the purse")
    ] = None
    symbol: Annotated[str | None, OF_MANY, Field(description="With many tokens: of that one")] = None
    late: Annotated[bool, Field(description="Whether a live run processed this candle late, after an outage")]


class SimulationSummary(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    run_id: RunId
    bot_id: BotId
    status: Annotated[Status, Field(description="Whether it goes on, is paused or has ended")]
    stop_reason: Annotated[StopReason | None, Field(description="Why it ended; null while it goes on")]
    mode: Annotated[Mode, Field(description="Whether it replays the last hour or follows the market")]
    token: TokenAddress
    chain: TokenChain
    token_symbol: Annotated[
        str | None, Field(description="Null if it is not known or not plain text; of many, how many there are")
    ]
    tokens_total: Annotated[
        int, Field(exclude_if=lambda value: value == 1, description="How many tokens it trades with one purse, if many")
    ] = 1
    check_interval: Annotated[int, Field(description="Seconds between two steps")]
    kline_interval: Annotated[KlineInterval, Field(description="How long a candle is")]
    created_at: Annotated[datetime, Field(description="When it was asked for")]
    started_at: Annotated[datetime, Field(description="When it began")]
    stopped_at: Annotated[datetime | None, Field(description="When it was stopped; null while it goes on")]
    paused_at: Annotated[datetime | None, Field(description="When it was paused last; null if never")]
    resumed_at: Annotated[datetime | None, Field(description="When it was resumed last; null if never")]
    progress: Annotated[float, Field(ge=0, le=100, description="Percent of the candles known so far")]
    candles_processed: Annotated[int, Field(description="How many candles it has traded")]
    candles_total: Annotated[int, Field(description="How many candles are known so far")]
    initial_cash: InitialCash
    fee_percent: FeeOfRun
    slippage_percent: SlippageOfRun
    costs: CostsOfRun
    intrabar: HowIntrabar
    strategy_revision: StrategyRevision
    data_source: DataSource
    portfolio: Annotated[PortfolioView, Field(description="What it has now")]
    details_kept: Annotated[
        bool, Field(description="Whether candles, signals and log are still there; old runs keep their portfolio")
    ]
    waiting: Annotated[str | None, Field(description="Why a run waits or has failed, in the provider's words")]


class ExpectationView(Expectation):
    """The run beside the newest finished backtest of the same strategy."""

    backtest_run_id: Annotated[str, Field(description="The backtest that it is compared with")]


class SimulationView(SimulationSummary):
    tokens: Annotated[list[PurseTokenView] | None, OF_MANY, Field(description="With many tokens: a row for each")] = (
        None
    )
    universe: Annotated[
        TrendingUniverse | None, OF_MANY, Field(description="The lists that it trades, if they are those of each day")
    ] = None
    dead_token_loss_percent: Annotated[
        float | None,
        OF_MANY,
        Field(description="What a position loses whose token has no candle for 24 hours; 50 unless it is given"),
    ] = None
    klines: Annotated[
        list[Kline],
        Field(
            description="For the chart: at most 500, those to come in a replay included. With many tokens those of "
            "`token_id` in the query, or of the first token"
        ),
    ]
    signals: Annotated[list[SignalView], Field(description="Decisions to buy or to sell, oldest first")]
    trade_log: Annotated[list[LogEntryView], Field(description="Of at most 500 candles, oldest first")]
    strategy: Annotated[Strategy, Field(description="The strategy it runs, whatever the bot holds now")]
    cost_notes: CostNotes
    pool_warning: Annotated[
        str | None, Field(description="What has become of the token's pool since the run began, if it matters")
    ]
    fills_resolved: Annotated[FillCounts, Field(description="Its exits so far, by how sure they are")]
    guards_summary: Annotated[str | None, Field(description="Which entries the strategy's guards refused so far")]
    next_entry: Annotated[
        list[NextCondition],
        Field(
            description="What the next purchase waits for; empty while a position is held. With many tokens see "
            "`tokens`"
        ),
    ]
    next_exit: Annotated[
        list[NextCondition],
        Field(
            description="What could end the position, and how far it is; empty without one. With many tokens see "
            "`tokens`"
        ),
    ]
    expectation: Annotated[
        ExpectationView | None,
        Field(description="Null without a finished backtest of the same strategy, token or tokens, and candle length"),
    ]


class SimulationPage(PageView):
    simulations: Annotated[list[SimulationSummary], Field(description="Simulations, newest first")]
    total_simulations: Annotated[int, Field(description="How many there are in all")]


class Difference(BaseModel):
    what: Annotated[str, Field(description="Such as `signals`, `trades` or `book.cash`")]
    time: Annotated[int | None, Field(description="The candle, where it is about one")]
    simulation: Annotated[str | None, Field(description="What the simulation has")]
    engine: Annotated[str | None, Field(description="What the engine has")]
    cause: Annotated[str, Field(description="Why they may differ")]


class ParityView(BaseModel):
    """The simulation compared with a backtest over exactly the candles that it has seen."""

    run_id: RunId
    equal: Annotated[bool, Field(description="Whether every bit is the same")]
    candles_processed: Annotated[int, Field(description="How many candles were compared")]
    warm_up_candles: Annotated[int, Field(description="How many earlier candles were read first")]
    signals: Annotated[int, Field(description="How many signals were compared")]
    trades: Annotated[int, Field(description="How many trades were compared")]
    differences: Annotated[list[Difference], Field(description="What is not the same")]
