"""Request and response bodies of the bot endpoints."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from strategybot.kit.paging import PageView
from strategybot.kit.validation import NAME_PATTERN, Body, Moment
from strategybot.trading.engine.instruments import Address, Chain, Interval, TokenAddress, TokenChain
from strategybot.trading.language.strategy import EXAMPLE_STRATEGY, Strategy
from strategybot.trading.language.values import WHOLE
from strategybot.trading.words.reason_data import Reasons

DEFAULT_SPAN_SECONDS = 30 * 86400  # of a run that names no start
TEXT_PATTERN = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"

Name = Annotated[str, Field(min_length=1, max_length=100, pattern=NAME_PATTERN, examples=["Dip buyer"])]
Description = Annotated[str, Field(max_length=1000, pattern=TEXT_PATTERN)]
Tag = Annotated[str, Field(min_length=1, max_length=30, pattern=NAME_PATTERN, examples=["memecoins"])]
Tags = Annotated[list[Tag], Field(max_length=10, description="Words by which its owner finds it again")]

_EXAMPLE: JsonDict = {
    "name": "Dip buyer",
    "description": "Buys sudden dips",
    "chain": "solana",
    "strategy": EXAMPLE_STRATEGY,
}


OF_MANY = Field(exclude_if=lambda value: value is None)  # a run on one token does not have it


class UniverseToken(Body):
    """One of the tokens of a portfolio."""

    token: Annotated[Address, Field(description="An address or a token id")]
    chain: Annotated[Chain | None, Field(description="The bot's, or the one of your settings, by default")] = None


class TrendingUniverse(Body):
    """The trending tokens of a chain, as they are listed when the run begins, or on each of its days."""

    trending: Annotated[Chain, Field(description="The chain whose list it is")]
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

    name: Annotated[Name, Field(description="A name that no other bot of yours has")]
    description: Annotated[Description, Field(description="What it is for")] = ""
    token: Annotated[Address | None, Field(description="Default token of its runs: an address or a token id")] = None
    chain: Annotated[Chain | None, Field(description="Default chain of its runs")] = None
    universe: Annotated[
        UniverseTokens | TrendingUniverse | None,
        Field(description="Tokens that its backtests trade with one purse, if the request names none"),
    ] = None
    strategy: Annotated[Strategy | None, Field(description="What it does; it may be set later")] = None
    tags: Tags = Field(default_factory=list)


class BotPatch(BotDraft):
    """Any subset of the fields; omitted ones are unchanged."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Patient dip buyer", "chain": "base"}]})

    name: Annotated[Name, Field(default_factory=str, description="A name that no other bot of yours has")]


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
    sealed_at: Annotated[datetime, Field(description="When it was sealed")]
    opened_at: Annotated[datetime | None, Field(description="When it was opened; it cannot be sealed again")]

    @property
    def sealed(self) -> bool:
        return self.opened_at is None


class BotView(BaseModel):
    id: Annotated[str, Field(description="The bot's id")]
    name: Annotated[str, Field(description="The bot's name")]
    description: Annotated[str, Field(description="What it is for")]
    token: Annotated[str | None, Field(description="The default token of its runs")]
    chain: Annotated[str | None, Field(description="The default chain of its runs")]
    universe: Annotated[
        UniverseTokens | TrendingUniverse | None, Field(description="The default tokens of its portfolios")
    ] = None
    strategy: Annotated[Strategy | None, Field(description="What it does; null until it is set")]
    strategy_summary: Annotated[str | None, Field(description="The strategy in plain English")]
    recommended_kline_interval: Annotated[
        Interval | None, Field(description="The longest candles that show every window of the strategy twice")
    ]
    warnings: Annotated[list[str], Field(description="What the strategy cannot do as it is written, in sentences")]
    holdout: Annotated[Holdout | None, Field(description="The bot's sealed history; null without one")]
    conversation_id: Annotated[str | None, Field(description="The newest conversation about it; null without one")]
    created_at: Annotated[datetime, Field(description="When it was made")]
    updated_at: Annotated[datetime, Field(description="When it was changed last")]
    revision: Annotated[int, Field(description="Counts the changes of the strategy; 0 before the first")]
    tags: Tags


class UnusableInterval(BaseModel):
    interval: Annotated[Interval, Field(description="How long a candle is")]
    reason: Annotated[str, Field(description="Why the strategy cannot run on it")]


class StrategyDescription(BaseModel):
    """A strategy in words, and the candles that can show what it looks at."""

    strategy_summary: Annotated[str, Field(description="The strategy in plain English")]
    conditions: Annotated[list[str], Field(description="Each condition in a phrase, in their order")]
    exit_conditions: Annotated[list[str], Field(description="Each exit condition in words")]
    recommended_kline_interval: Annotated[Interval, Field(description="The candles that suit it best")]
    unusable_intervals: Annotated[
        list[UnusableInterval], Field(description="Candles on which the strategy cannot run, and why")
    ]


class BotSimulation(BaseModel):
    """The simulation of a bot that is running or paused."""

    run_id: Annotated[str, Field(description="The id of the run")]
    status: Annotated[Literal["running", "paused"], Field(description="Whether it goes on or is paused")]
    mode: Annotated[
        Literal["replay", "live"], Field(description="Whether it replays the last hour or follows the market")
    ]
    token: TokenAddress
    chain: TokenChain
    token_symbol: Annotated[str | None, Field(description="Null if it is not known or not plain text")]
    kline_interval: Annotated[Interval, Field(description="How long a candle is")]
    started_at: Annotated[datetime, Field(description="When it began")]
    initial_cash: Annotated[float, Field(description="The cash it begins with")]
    total_value: Annotated[float | None, Field(description="Cash and position together")]
    pnl: Annotated[float | None, Field(description="Profit in cash, costs included; negative for a loss")]
    pnl_percent: Annotated[float | None, Field(description="Profit in percent")]
    quantity: Annotated[float | None, Field(description="Of the token it holds; 0 without a position")]
    position_value: Annotated[float | None, Field(description="What the position is worth")]
    entry_price: Annotated[float | None, Field(description="Null without a position")]
    last_time: Annotated[int | None, Field(description="The last candle it processed, by its unix seconds")]
    last_action: Annotated[Literal["BUY", "SELL", "HOLD"] | None, Field(description="What the last candle decided")]
    last_reason: Annotated[str | None, Field(description="Why, in words")]
    last_reasons: Reasons = []
    last_symbol: Annotated[str | None, OF_MANY, Field(description="With many tokens: of the one that it was about")] = (
        None
    )
    places_used: Annotated[int | None, OF_MANY, Field(description="With many tokens: how many are held")] = None
    max_open: Annotated[int | None, OF_MANY, Field(description="With many tokens: how many places there are")] = None
    next_check_at: Annotated[datetime | None, Field(description="Null while it is paused")]


class LatestRun(BaseModel):
    """The newest run of one kind."""

    kind: Annotated[str, Field(description="`backtest`, `optimisation`, `survey`, `simulation` or `watch`")]
    run_id: Annotated[str, Field(description="The id of the run")]
    status: Annotated[str, Field(description="How far it is")]
    created_at: Annotated[datetime, Field(description="When it was made")]
    ended_at: Annotated[datetime | None, Field(description="When it ended; null while it goes on")]


class ListedBot(BotView):
    simulation: Annotated[BotSimulation | None, Field(description="The simulation that it has; null without one")]
    latest_runs: Annotated[
        list[LatestRun] | None,
        Field(
            description="Its newest run of each kind; only if `runs` is asked for", exclude_if=lambda runs: runs is None
        ),
    ] = None


class PaperTotal(BaseModel):
    """All simulations of an owner that are running or paused, together."""

    simulations: Annotated[int, Field(description="How many there are")]
    initial_cash: Annotated[float, Field(description="The cash that they began with")]
    total_value: Annotated[float, Field(description="What they are worth")]
    pnl: Annotated[float, Field(description="Profit in cash, costs included; negative for a loss")]
    pnl_percent: Annotated[float | None, Field(description="Profit in percent")]

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
    detail: Annotated[str, Field(description="What is wrong, in one sentence")]
    current: Annotated[BotView, Field(description="The bot as it is now")]


class BotPage(PageView):
    bots: Annotated[list[ListedBot], Field(description="Bots, newest first")]
    total_bots: Annotated[int, Field(description="How many there are in all")]
    paper_total: Annotated[PaperTotal, Field(description="All running simulations together")]


class RevisionView(BaseModel):
    revision: Annotated[int, Field(description="Counted from 1")]
    strategy: Annotated[Strategy | None, Field(description="The strategy of this revision; null if it had none")]
    strategy_summary: Annotated[str | None, Field(description="That strategy in plain English")]
    created_at: Annotated[datetime, Field(description="When it was made")]


class RevisionPage(PageView):
    revisions: Annotated[list[RevisionView], Field(description="Revisions, newest first")]
    total_revisions: Annotated[int, Field(description="How many are kept")]


class StrategyExport(Body):
    """A strategy as one file. It contains nothing about its owner."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"strategybot_version": "0.1.0", "language_version": 3, "name": "Dips", "strategy": EXAMPLE_STRATEGY}
            ]
        }
    )

    strategybot_version: Annotated[
        str, Field(max_length=40, pattern=NAME_PATTERN, description="The version that wrote the file")
    ]
    language_version: Annotated[Literal[1, 2, 3], Field(description="The version of the strategy language")]
    name: Annotated[Name, Field(description="The bot's name")]
    description: Annotated[Description, Field(description="What it is for")] = ""
    strategy: Annotated[Strategy, Field(description="The strategy")]
