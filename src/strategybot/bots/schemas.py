"""Request and response bodies of the bot endpoints."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from strategybot.kit.paging import PageView
from strategybot.kit.validation import NAME_PATTERN, Body, Moment
from strategybot.trading.engine.instruments import Address, Chain, Interval
from strategybot.trading.language.strategy import EXAMPLE_STRATEGY, Strategy
from strategybot.trading.language.values import WHOLE
from strategybot.trading.words.reason_data import Reasons

DEFAULT_SPAN_SECONDS = 30 * 86400  # of a run that names no start
TEXT_PATTERN = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"

Name = Annotated[str, Field(min_length=1, max_length=100, pattern=NAME_PATTERN, examples=["Dip buyer"])]
Description = Annotated[str, Field(max_length=1000, pattern=TEXT_PATTERN)]

_EXAMPLE: JsonDict = {
    "name": "Dip buyer",
    "description": "Buys sudden dips",
    "chain": "solana",
    "strategy": EXAMPLE_STRATEGY,
}


class UniverseToken(Body):
    """One of the tokens of a portfolio."""

    token: Annotated[Address, Field(description="An address or a token id")]
    chain: Annotated[Chain | None, Field(description="The bot's, or the one of your settings, by default")] = None


class TrendingUniverse(Body):
    """The trending tokens of a chain, as they are listed when the run begins, or on each of its days."""

    trending: Chain
    limit: Annotated[int | None, Field(ge=1, le=50, description="As many as the tier allows by default"), WHOLE] = None
    as_of: Annotated[
        Literal["each_day"] | None,
        Field(
            exclude_if=lambda value: value is None,
            description="`each_day`: on each day those that were listed on that day, dead ones included. At most 200 "
            "in all. By default those of today",
        ),
    ] = None


UniverseTokens = Annotated[list[UniverseToken], Field(min_length=1, max_length=50)]


class BotDraft(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    name: Name
    description: Description = ""
    token: Annotated[Address | None, Field(description="Default token of its runs: an address or a token id")] = None
    chain: Annotated[Chain | None, Field(description="Default chain of its runs")] = None
    universe: Annotated[
        UniverseTokens | TrendingUniverse | None,
        Field(description="Tokens that its backtests trade with one purse, if the request names none"),
    ] = None
    strategy: Strategy | None = None


class BotPatch(BotDraft):
    """Any subset of the fields; omitted ones are unchanged."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Patient dip buyer", "chain": "base"}]})

    name: Annotated[Name, Field(default_factory=str)]  # never read when omitted, and has no default in the schema


class HoldoutRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"from": "2026-01-01T00:00:00Z"}]})

    from_time: Annotated[
        Moment | None,
        Field(alias="from", description="By default the newest quarter of the bot's history that no run has seen"),
    ] = None


class Holdout(BaseModel):
    """The newest part of a bot's history, which backtests cannot use until it is opened, once."""

    model_config = ConfigDict(frozen=True, serialize_by_alias=True, validate_by_name=True, validate_by_alias=True)

    from_time: Annotated[datetime, Field(alias="from", description="Backtests end here while it is sealed")]
    sealed_at: datetime
    opened_at: Annotated[datetime | None, Field(description="When it was opened; it cannot be sealed again")]

    @property
    def sealed(self) -> bool:
        return self.opened_at is None


class BotView(BaseModel):
    id: str
    name: str
    description: str
    token: str | None
    chain: str | None
    universe: UniverseTokens | TrendingUniverse | None = None
    strategy: Strategy | None
    strategy_summary: Annotated[str | None, Field(description="The strategy in plain English")]
    recommended_kline_interval: Annotated[
        Interval | None, Field(description="The longest candles that show every window of the strategy twice")
    ]
    warnings: Annotated[list[str], Field(description="What the strategy cannot do as it is written, in sentences")]
    holdout: Holdout | None
    conversation_id: str | None
    created_at: datetime
    updated_at: datetime
    revision: Annotated[int, Field(description="Counts the changes of the strategy; 0 before the first")]


class UnusableInterval(BaseModel):
    interval: Interval
    reason: str


class StrategyDescription(BaseModel):
    """A strategy in words, and the candles that can show what it looks at."""

    strategy_summary: Annotated[str, Field(description="The strategy in plain English")]
    conditions: Annotated[list[str], Field(description="Each condition in a phrase, in their order")]
    exit_conditions: list[str]
    recommended_kline_interval: Interval
    unusable_intervals: Annotated[
        list[UnusableInterval], Field(description="Candles on which the strategy cannot run, and why")
    ]


class BotSimulation(BaseModel):
    """The simulation of a bot that is running or paused."""

    run_id: str
    status: Literal["running", "paused"]
    mode: Literal["replay", "live"]
    token: str
    chain: str
    token_symbol: Annotated[str | None, Field(description="Null if it is not known or not plain text")]
    kline_interval: Interval
    started_at: datetime
    initial_cash: float
    total_value: float | None
    pnl: float | None
    pnl_percent: float | None
    quantity: Annotated[float | None, Field(description="Of the token it holds; 0 without a position")]
    position_value: float | None
    entry_price: Annotated[float | None, Field(description="Null without a position")]
    last_time: Annotated[int | None, Field(description="The last candle it processed, by its unix seconds")]
    last_action: Literal["BUY", "SELL", "HOLD"] | None
    last_reason: str | None
    last_reasons: Reasons = []
    next_check_at: Annotated[datetime | None, Field(description="Null while it is paused")]


class LatestRun(BaseModel):
    """The newest run of one kind."""

    kind: Annotated[str, Field(description="`backtest`, `optimisation`, `survey`, `simulation` or `watch`")]
    run_id: str
    status: str
    created_at: datetime
    ended_at: datetime | None


class ListedBot(BotView):
    simulation: BotSimulation | None
    latest_runs: Annotated[
        list[LatestRun] | None,
        Field(
            description="Its newest run of each kind; only if `runs` is asked for", exclude_if=lambda runs: runs is None
        ),
    ] = None


class PaperTotal(BaseModel):
    """All simulations of an owner that are running or paused, together."""

    simulations: int
    initial_cash: float
    total_value: float
    pnl: float
    pnl_percent: float | None

    @classmethod
    def of(cls, simulations: Collection[BotSimulation]) -> "PaperTotal":
        """Return their sums, without simulations whose value is not a finite number."""
        known = [(each.initial_cash, each.total_value) for each in simulations if each.total_value is not None]
        began, worth = sum(cash for cash, _ in known), sum(value for _, value in known)
        return cls(
            simulations=len(simulations),
            initial_cash=began,
            total_value=worth,
            pnl=worth - began,
            pnl_percent=100 * (worth / began - 1) if began > 0 else None,
        )


class StaleBotView(BaseModel):
    detail: str
    current: Annotated[BotView, Field(description="The bot as it is now")]


class BotPage(PageView):
    bots: list[ListedBot]
    total_bots: int
    paper_total: PaperTotal


class RevisionView(BaseModel):
    revision: int
    strategy: Strategy | None
    strategy_summary: str | None
    created_at: datetime


class RevisionPage(PageView):
    revisions: list[RevisionView]
    total_revisions: int


class StrategyExport(Body):
    """A strategy as one file. It contains nothing about its owner."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"strategybot_version": "0.1.0", "language_version": 3, "name": "Dips", "strategy": EXAMPLE_STRATEGY}
            ]
        }
    )

    strategybot_version: Annotated[str, Field(max_length=40, pattern=NAME_PATTERN)]
    language_version: Literal[1, 2, 3]
    name: Name
    description: Description = ""
    strategy: Strategy
