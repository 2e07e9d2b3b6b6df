"""Request and response bodies of the simulation endpoints."""

from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from strategybot.kit.paging import PageView
from strategybot.market.schemas import Kline
from strategybot.runs.schemas import CostNotes, CostsOfRun, DataSource, HowIntrabar, RunRequest, StrategyRevision
from strategybot.trading.expectation import Expectation
from strategybot.trading.fills import FillCounts
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.outlook import NextCondition
from strategybot.trading.reason_data import Reasons

Status = Literal["running", "paused", "stopped"]
StopReason = Literal["completed", "user", "replaced", "stale", "failed"]
Mode = Literal["replay", "live"]
CheckInterval = Literal[10, 30, 60]
KlineInterval = Literal["1m", "5m", "15m", "1h"]
KLINE_INTERVALS: tuple[KlineInterval, ...] = get_args(KlineInterval)
Action = Literal["BUY", "SELL", "HOLD"]
Side = Literal["buy", "sell"]


class SimulationRequest(RunRequest):
    """Omitted fields come from the bot, the user's settings or the defaults."""

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
    mode: Annotated[Mode, Field(description="`replay` the last hour, or follow the market `live`")] = "replay"


class PositionView(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    quantity: float | None
    value: float | None


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
    late: Annotated[bool, Field(description="Whether a live run processed this candle late, after an outage")]


class SignalView(BaseModel):
    time: int
    side: Side
    price: float
    reason: str
    reasons: Reasons = []


class SimulationSummary(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    run_id: str
    bot_id: str
    status: Status
    stop_reason: StopReason | None
    mode: Mode
    token: str
    chain: str
    token_symbol: Annotated[str | None, Field(description="Null if it is not known or not plain text")]
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
    klines: Annotated[list[Kline], Field(description="For the chart: at most 500, those to come in a replay included")]
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
