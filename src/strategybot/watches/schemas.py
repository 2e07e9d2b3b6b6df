"""Request and response bodies of the watch endpoints."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from strategybot.kit.paging import PageView
from strategybot.kit.validation import Body
from strategybot.runs.schemas import BotId, CandleLength, DataSource, RunId, RunToken, StrategyRevision, StrategySummary
from strategybot.trading.engine.instruments import Interval, TokenAddress, TokenChain
from strategybot.trading.language.strategy import Strategy

MOST_TOKENS = 100
Status = Literal["running", "stopped"]
StopReason = Literal["user", "replaced", "failed"]


class WatchRequest(Body):
    """Which tokens to follow. Nothing is bought or sold, not even on paper."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "tokens": [{"token": "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N", "chain": "solana"}],
                    "kline_interval": "1m",
                }
            ]
        }
    )

    tokens: Annotated[
        list[RunToken] | None,
        Field(min_length=1, max_length=MOST_TOKENS, description="The bot's own token by default"),
    ] = None
    kline_interval: Annotated[
        Interval | None,
        Field(description="The one of your settings, if it fits the strategy, or the bot's recommended one by default"),
    ] = None


class WatchedToken(BaseModel):
    """One token, as its last closed candle shows it."""

    token: TokenAddress
    chain: TokenChain
    symbol: Annotated[str | None, Field(description="Null if it is not known or not plain text")]
    met: Annotated[
        bool | None, Field(description="Whether the entry conditions are true; null until a candle was read")
    ]
    last_time: Annotated[int | None, Field(description="The last candle that was read, by its unix seconds")]
    price: Annotated[float | None, Field(description="The close of that candle")]
    signals: Annotated[int, Field(description="How often the entry conditions have become true")]
    waiting: Annotated[str | None, Field(description="Why it waits, in the provider's words")]


class WatchSignal(BaseModel):
    """The entry conditions of a token have become true."""

    model_config = ConfigDict(from_attributes=True)

    number: Annotated[int, Field(description="Counted from 1, oldest first")]
    time: Annotated[int, Field(description="The candle that made them true, by its unix seconds")]
    token: TokenAddress
    chain: TokenChain
    symbol: Annotated[
        str | None, Field(description="The symbol of the token; null if it is not known or not plain text")
    ]
    price: Annotated[float, Field(description="The close that decided")]
    reason: Annotated[str, Field(description="Why, in words")]


class WatchSummary(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    run_id: RunId
    bot_id: BotId
    status: Annotated[Status, Field(description="Whether it goes on or has ended")]
    stop_reason: Annotated[StopReason | None, Field(description="Why it ended; null while it goes on")]
    created_at: Annotated[datetime, Field(description="When it was asked for")]
    stopped_at: Annotated[datetime | None, Field(description="When it was stopped; null while it goes on")]
    kline_interval: CandleLength
    strategy_revision: StrategyRevision
    data_source: DataSource
    tokens: Annotated[list[WatchedToken], Field(description="The tokens that are watched")]
    total_signals: Annotated[int, Field(description="How often the conditions of a token became true")]
    details_kept: Annotated[bool, Field(description="Whether the signals are still there; old watches lose them")]


class WatchView(WatchSummary):
    strategy: Annotated[Strategy, Field(description="The strategy it watches for, whatever the bot holds now")]
    strategy_summary: StrategySummary
    signals: Annotated[list[WatchSignal], Field(description="The newest 100, newest first")]


class WatchPage(PageView):
    watches: Annotated[list[WatchSummary], Field(description="Watches, newest first")]
    total_watches: Annotated[int, Field(description="How many there are in all")]
