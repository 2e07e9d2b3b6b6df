"""Request and response bodies of the simulation endpoints."""

from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from strategybot.kit.paging import PageView
from strategybot.market.schemas import Kline
from strategybot.runs.schemas import (
    CostNotes,
    CostsOfRun,
    DataSource,
    HowIntrabar,
    PurseRequest,
    RunRequest,
    StrategyRevision,
)
from strategybot.trading.engine.fills import FillCounts
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
Side = Literal["buy", "sell"]


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

    quantity: float | None
    value: float | None


OF_MANY = Field(exclude_if=lambda value: value is None)  # a run on one token does not have it


class TokenPositionView(BaseModel):
    """A position of a purse: its value at the last close, its average price, and the candle of its first buy."""

    model_config = ConfigDict(from_attributes=True)

    token_id: str
    symbol: str | None
    quantity: float | None
    value: float | None
    entry_price: float | None
    entry_time: int
    current_price: float | None
    unrealized_pnl: float | None


class PortfolioView(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    initial_cash: float
    cash_balance: float | None
    position: PositionView
    entry_price: Annotated[float | None, Field(description="Null without a position")]
    current_price: float | None
    unrealized_pnl: float | None
    total_value: float | None
    pnl: float | None
    pnl_percent: float | None
    positions: Annotated[
        list[TokenPositionView] | None, OF_MANY, Field(description="Of many tokens: each with its token")
    ] = None
    places_used: Annotated[int | None, OF_MANY, Field(description="Of many tokens: held ones")] = None
    max_open: Annotated[int | None, OF_MANY, Field(description="Of many tokens: places")] = None
    turned_away: Annotated[int | None, OF_MANY, Field(description="Of many tokens: wanted while no place was free")] = (
        None
    )


class PurseTokenView(BaseModel):
    """One token of a purse. If it cannot be traded, `error` says why."""

    token_id: str
    token: str
    chain: str
    symbol: Annotated[str | None, Field(description="Null if it is not plain text")]
    trades: Annotated[int | None, Field(description="Closed round trips so far")] = None
    pnl: Annotated[float | None, Field(description="In cash, what is held counted at its last close")] = None
    contribution_percent: Annotated[float | None, Field(description="Of the initial cash")] = None
    turned_away: Annotated[int | None, Field(description="Closes at which it was wanted and no place was free")] = None
    last_candle: Annotated[int | None, Field(description="The newest it has seen, by its unix seconds")] = None
    stopped_trading: Annotated[
        bool | None, Field(description="No candle for 24 hours: a position was written down")
    ] = None
    risk_level: str | None = None
    costs: CostsOfRun = None
    error: str | None = None


class LogEntryView(BaseModel):
    number: int
    time: Annotated[int, Field(description="The candle, by its unix seconds")]
    action: Action
    price: Annotated[float | None, Field(description="Of the fill; the close for HOLD")]
    reason: str
    reasons: Reasons = []
    entry_price: float | None
    quantity: float | None
    pnl: float | None
    fees: Annotated[float | None, Field(description="What this fill paid, in cash; null for HOLD")] = None
    slippage: float | None = None
    tax: float | None = None
    impact: float | None = None
    exit_reason: Annotated[str | None, Field(description="Such as `stop_loss`; null unless it sold")] = None
    token_id: Annotated[
        str | None, OF_MANY, Field(description="With many tokens: which one, unless it is about the purse")
    ] = None
    symbol: Annotated[str | None, OF_MANY, Field(description="With many tokens: of that one")] = None
    late: Annotated[bool, Field(description="Whether a live run processed this candle late, after an outage")]


class SignalView(BaseModel):
    time: int
    side: Side
    price: float
    reason: str
    reasons: Reasons = []
    token_id: Annotated[str | None, OF_MANY, Field(description="With many tokens: which one")] = None


class SimulationSummary(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    run_id: str
    bot_id: str
    status: Status
    stop_reason: StopReason | None
    mode: Mode
    token: str
    chain: str
    token_symbol: Annotated[
        str | None, Field(description="Null if it is not known or not plain text; of many, how many there are")
    ]
    tokens_total: Annotated[
        int, Field(exclude_if=lambda value: value == 1, description="How many tokens it trades with one purse, if many")
    ] = 1
    check_interval: int
    kline_interval: KlineInterval
    created_at: datetime
    started_at: datetime
    stopped_at: datetime | None
    paused_at: Annotated[datetime | None, Field(description="When it was paused last; null if never")]
    resumed_at: Annotated[datetime | None, Field(description="When it was resumed last; null if never")]
    progress: Annotated[float, Field(ge=0, le=100, description="Percent of the candles known so far")]
    candles_processed: int
    candles_total: int
    initial_cash: float
    fee_percent: float
    slippage_percent: float
    costs: CostsOfRun
    intrabar: HowIntrabar
    strategy_revision: StrategyRevision
    data_source: DataSource
    portfolio: PortfolioView
    details_kept: Annotated[
        bool, Field(description="Whether candles, signals and log are still there; old runs keep their portfolio")
    ]
    waiting: Annotated[str | None, Field(description="Why a run waits or has failed, in the provider's words")]


class ExpectationView(Expectation):
    """The run beside the newest finished backtest of the same strategy."""

    backtest_run_id: str


class SimulationView(SimulationSummary):
    tokens: Annotated[list[PurseTokenView] | None, OF_MANY, Field(description="With many tokens: a row for each")] = (
        None
    )
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
    signals: list[SignalView]
    trade_log: Annotated[list[LogEntryView], Field(description="Of at most 500 candles, oldest first")]
    strategy: Annotated[Strategy, Field(description="The strategy it runs, whatever the bot holds now")]
    cost_notes: CostNotes
    pool_warning: Annotated[
        str | None, Field(description="What has become of the token's pool since the run began, if it matters")
    ]
    fills_resolved: Annotated[FillCounts, Field(description="Its exits so far, by how sure they are")]
    guards_summary: Annotated[str | None, Field(description="Which entries the strategy's guards refused so far")]
    next_entry: Annotated[
        list[NextCondition], Field(description="What the next purchase waits for; empty while a position is held")
    ]
    next_exit: Annotated[
        list[NextCondition], Field(description="What could end the position, and how far it is; empty without one")
    ]
    expectation: Annotated[
        ExpectationView | None,
        Field(description="Null without a finished backtest of the same strategy, token and candle length"),
    ]


class SimulationPage(PageView):
    simulations: list[SimulationSummary]
    total_simulations: int


class Difference(BaseModel):
    what: Annotated[str, Field(description="Such as `signals`, `trades` or `book.cash`")]
    time: Annotated[int | None, Field(description="The candle, where it is about one")]
    simulation: str | None
    engine: str | None
    cause: str


class ParityView(BaseModel):
    """The simulation compared with a backtest over exactly the candles that it has seen."""

    run_id: str
    equal: bool
    candles_processed: int
    warm_up_candles: int
    signals: int
    trades: int
    differences: list[Difference]
