"""Request and response bodies of the backtest endpoints."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from strategybot.backtests.portfolio_views import PortfolioView as PortfolioView  # noqa: PLC0414
from strategybot.backtests.result_views import FillView as FillView  # noqa: PLC0414
from strategybot.backtests.result_views import MetricsView as MetricsView  # noqa: PLC0414  other slices import schemas
from strategybot.backtests.result_views import OpenPosition as OpenPosition  # noqa: PLC0414
from strategybot.backtests.result_views import TradeView as TradeView  # noqa: PLC0414
from strategybot.bots.schemas import Description, Holdout, Name
from strategybot.kit.paging import PageView
from strategybot.kit.validation import Body, Moment
from strategybot.market.schemas import Kline
from strategybot.runs.schemas import (
    CandleLength,
    CostNotes,
    CostsOfRun,
    DataSource,
    EquityPoint,
    FeeOfRun,
    HistoryRequest,
    HowIntrabar,
    InitialCash,
    PurseRequest,
    RunRequest,
    RunSummary,
    SignalView,
    SlippageOfRun,
    Status,
    StrategySummary,
)
from strategybot.trading.engine.candles import DataReport
from strategybot.trading.engine.instruments import TokenAddress, TokenChain
from strategybot.trading.engine.pool import PoolResult
from strategybot.trading.language.series import AnySeries
from strategybot.trading.language.series_kind import Pane
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import WHOLE
from strategybot.trading.words.drawn_rules import DrawnCondition, LevelStep, PriceStep
from strategybot.trading.words.verdicts import METHOD, impersonal
from strategybot.verdicts.schemas import VerdictView

TotalTrades = Annotated[int, Field(description="How many closed trades there are in all")]


class TokenBacktestRequest(HistoryRequest, RunRequest):
    """The fields of a backtest on one token. Omitted ones come from the bot, the user's settings or the defaults."""


class BacktestRequest(TokenBacktestRequest, PurseRequest):
    """A backtest on one token, or on many with one purse. Omitted fields come from the bot, the user's settings or the
    defaults.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "token": "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N",
                    "chain": "solana",
                    "kline_interval": "15m",
                    "initial_cash": 5000,
                }
            ]
        }
    )


class BacktestPatch(Body):
    """Any subset of the owner's annotations; omitted ones are unchanged."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Tighter stop", "starred": True}]})

    name: Annotated[Name | None, Field(description="Null removes it")] = None
    note: Annotated[Description, Field(description="A note of its owner")] = ""
    starred: Annotated[bool, Field(description="Whether it is marked; marked runs are kept longest")] = False


class BacktestSummary(RunSummary):
    token: TokenAddress
    chain: TokenChain
    token_symbol: Annotated[str | None, Field(description="Null until it begins, and if it is not plain text")]
    intrabar: HowIntrabar
    name: Annotated[str | None, Field(description="Given by its owner")]
    note: Annotated[str, Field(description="A note of its owner")]
    starred: Annotated[bool, Field(description="Whether its owner has marked it")]
    metrics: Annotated[MetricsView | None, Field(description="Null until completed")]
    error: Annotated[str | None, Field(description="Why it failed")]
    tokens_total: Annotated[int, Field(description="1, or how many tokens it trades with one purse")]
    details_kept: Annotated[
        bool, Field(description="Whether trades, signals and equity curve are still there; old runs keep their metrics")
    ]


class BacktestView(BacktestSummary, PortfolioView):
    strategy: Annotated[Strategy, Field(description="The strategy it ran, whatever the bot holds now")]
    strategy_summary: Annotated[str, Field(description="That strategy in plain English")]
    cost_notes: CostNotes
    metric_notes: Annotated[dict[str, str] | None, Field(description="Why a metric is null")]
    data_report: Annotated[
        DataReport | None, Field(description="What was put right in the candles; null until it is known")
    ]
    open_position: Annotated[
        OpenPosition | None, Field(description="What was still held at the end; null if nothing was")
    ]
    no_trade_reason: Annotated[
        str | None, Field(description="Why a completed run closed no trade, in a sentence; null if it closed one")
    ]
    equity_curve: Annotated[list[EquityPoint] | None, Field(description="At most 1000 points, extremes kept")]
    verdict: Annotated[VerdictView | None, Field(description="Follows a moment after the metrics; null until then")]
    pool: Annotated[
        PoolResult | None,
        Field(
            description="Only for runs of older versions: their result with the token's pool and taxes. In newer runs "
            "both are in the metrics",
            deprecated=True,
        ),
    ]
    holdout: Annotated[Holdout | None, Field(description="The bot's sealed history, as it was when the run began")]
    verdict_error: Annotated[str | None, Field(description="Why there is no verdict")]


class BacktestPage(PageView):
    backtests: Annotated[list[BacktestSummary], Field(description="Backtests, newest first")]
    total_backtests: Annotated[int, Field(description="How many there are in all")]


class TradesPage(PageView):
    trades: Annotated[list[TradeView], Field(description="Closed trades, oldest first")]
    total_trades: TotalTrades


class SignalsPage(PageView):
    signals: Annotated[list[SignalView], Field(description="Decisions to buy or to sell, oldest first")]
    total_signals: Annotated[int, Field(description="How many there are in all")]


class ChartView(BaseModel):
    interval_seconds: Annotated[int, Field(description="Longer than the run's own where candles were put together")]
    klines: Annotated[list[Kline], Field(description="Candles, oldest first")]
    equity: Annotated[
        list[float | None], Field(description="Of the account at the end of each candle; null before the run's start")
    ]


class TradeRules(BaseModel):
    """What a chart draws of a trade. What the close of one candle decides is filled on a later one.

    The position that is open at the end of the run comes after the last trade, without an exit.
    """

    number: Annotated[int, Field(description="Counted from 1, oldest first")]
    entry_decided_at: Annotated[int, Field(description="The candle whose close decided to buy")]
    entry_filled_at: Annotated[int, Field(description="The candle on which it bought")]
    entry_price: Annotated[float | None, Field(description="The price of the entry")]
    exit_decided_at: Annotated[
        int | None, Field(description="The same as `exit_filled_at` for a stop and a target; null while it is held")
    ]
    exit_filled_at: Annotated[int | None, Field(description="The candle on which it sold; null while it is held")]
    entry: Annotated[list[DrawnCondition], Field(description="The entry conditions that were true")]
    exit: Annotated[list[DrawnCondition], Field(description="The exit conditions that were true")]
    stop: Annotated[list[PriceStep], Field(description="Fixed or trailing; empty without one")]
    target: Annotated[float | None, Field(description="The first one, from the first price")]
    average: Annotated[
        list[LevelStep], Field(description="Price of what is held; empty unless the strategy trades in parts")
    ]
    targets: Annotated[list[LevelStep], Field(description="The next one; empty unless the strategy trades in parts")]
    ladder: Annotated[list[LevelStep], Field(description="The next step; empty without a ladder")]
    fills: Annotated[list[FillView], Field(description="Its purchases and sales, oldest first")]


class TradeRulesPage(PageView):
    rules: Annotated[list[TradeRules], Field(description="What to draw of each trade, oldest first")]
    total_trades: TotalTrades


class TradeCourse(BaseModel):
    number: Annotated[int, Field(description="Counted from 1, oldest first")]
    run_up_percent: Annotated[float | None, Field(description="Highest price while held, from the entry price")]
    drawdown_percent: Annotated[float | None, Field(description="Lowest price while held, from the entry price")]
    slippage: Annotated[float | None, Field(description="What slippage cost, in cash")]


class TradeCourses(BaseModel):
    courses: Annotated[list[TradeCourse], Field(description="Of the newest 2000 trades, oldest first")]
    total_trades: TotalTrades


class LinePoint(BaseModel):
    time: Annotated[int, Field(description="The candle, by its unix seconds")]
    value: Annotated[float | None, Field(description="Null where the series is unknown")]


class LineView(BaseModel):
    """A series of the strategy, drawn over the price, over the volume or in its own pane."""

    name: Annotated[str, Field(description="The series in words")]
    series: Annotated[AnySeries, Field(description="The series as the strategy has it")]
    pane: Annotated[Pane, Field(description="Where it is drawn")]
    bounds: Annotated[list[int] | None, Field(description="Of its values, where they have any")]
    levels: Annotated[list[float], Field(description="The numbers it is compared with")]
    points: Annotated[list[LinePoint], Field(description="Its values, oldest first")]


class LinesView(BaseModel):
    interval_seconds: Annotated[int, Field(description="Longer than the run's own where candles were put together")]
    series: Annotated[list[LineView], Field(description="The series of the strategy's conditions")]


class PreviewRequest(TokenBacktestRequest):
    """A strategy that need not be saved, on recent candles or on the dates of a backtest."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "strategy": {"conditions": [{"kind": "price_drop", "percent": 5, "window": "1h"}]},
                    "token": "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N",
                    "chain": "solana",
                }
            ]
        }
    )

    strategy: Annotated[Strategy | None, Field(description="The bot's by default")] = None
    start_time: Annotated[Moment | None, Field(description="As many candles before the end as are drawn")] = None
    candles: Annotated[int, Field(ge=0, le=1000, description="How many of the newest candles to return"), WHOLE] = 300


class EasierStrategy(BaseModel):
    """A strategy with smaller numbers that would have bought."""

    strategy: Annotated[Strategy, Field(description="The strategy")]
    strategy_summary: StrategySummary
    total_entries: Annotated[int, Field(description="How often it would have bought")]


class PreviewView(BaseModel):
    """Where a strategy would have bought. Nothing is saved, and no backtest is used up."""

    token: TokenAddress
    chain: TokenChain
    kline_interval: CandleLength
    start_time: Annotated[datetime, Field(description="When the span begins")]
    end_time: Annotated[datetime, Field(description="When the span ends, not included")]
    klines: Annotated[list[Kline], Field(description="Candles, oldest first")]
    series: Annotated[list[LineView], Field(description="The series of the strategy's conditions")]
    entries: Annotated[list[SignalView], Field(description="Decisions to buy at the candles returned")]
    total_entries: Annotated[int, Field(description="Between start_time and end_time")]
    warnings: Annotated[list[str], Field(description="What a trader should know about the strategy, in sentences")]
    easier: Annotated[EasierStrategy | None, Field(description="If it would never buy, and smaller numbers would")]


class ConditionAt(BaseModel):
    """A condition at one candle."""

    condition: str
    met: bool
    sentence: str


class ExplanationView(BaseModel):
    """Why a run did what it did at one candle."""

    time: datetime
    price: float | None
    answer: str
    held_since: datetime | None
    entry: list[ConditionAt]
    exit: list[ConditionAt]


class ShareView(BaseModel):
    url: Annotated[str, Field(description="Where everybody who knows it can read the backtest, without a login")]


class SharedBacktest(PortfolioView):
    """The public part of a shared backtest: no name, note or id of its owner."""

    tokens_total: Annotated[int, Field(description="How many tokens it traded")]
    token: TokenAddress
    chain: TokenChain
    token_symbol: Annotated[str | None, Field(description="As the market named it when the backtest was shared")]
    token_name: Annotated[str | None, Field(description="As the market named it when the backtest was shared")]
    kline_interval: CandleLength
    start_time: Annotated[datetime, Field(description="When the span begins")]
    end_time: Annotated[datetime, Field(description="When the span ends, not included")]
    initial_cash: InitialCash
    fee_percent: FeeOfRun
    slippage_percent: SlippageOfRun
    costs: CostsOfRun
    cost_notes: CostNotes
    data_source: DataSource
    status: Annotated[Status, Field(description="How far it is")]
    strategy: Annotated[Strategy, Field(description="The strategy")]
    strategy_summary: StrategySummary
    metrics: Annotated[MetricsView | None, Field(description="What it came to; null until completed")]
    metric_notes: Annotated[dict[str, str] | None, Field(description="Why a metric is null")]
    data_report: Annotated[
        DataReport | None, Field(description="What was put right in the candles; null until it is known")
    ]
    open_position: Annotated[
        OpenPosition | None, Field(description="What was still held at the end; null if nothing was")
    ]
    no_trade_reason: Annotated[str | None, Field(description="Why it closed no trade; null if it closed one")]
    equity_curve: Annotated[list[EquityPoint] | None, Field(description="At most 1000 points, extremes kept")]
    verdict: Annotated[
        VerdictView | None, Field(description=f"How far to trust it; null until it is graded. {impersonal(METHOD)}")
    ]
    verdict_error: Annotated[str | None, Field(description="Why there is no verdict")]
    pool: Annotated[
        PoolResult | None,
        Field(description="Only for runs of older versions: their result with the token's pool and taxes"),
    ]
    trades: Annotated[list[TradeView], Field(description="The newest 2000, oldest first")]
    total_trades: TotalTrades


class ResultCard(BaseModel):
    """A backtest with its chart, as a host of MCP Apps draws it."""

    run: Annotated[SharedBacktest, Field(description="The result, as a reader of a share sees it")]
    chart: Annotated[ChartView, Field(description="Its candles and its equity")]
