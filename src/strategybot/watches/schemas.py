"""Request and response bodies of the watch endpoints."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from strategybot.kit.paging import PageView
from strategybot.kit.validation import Body
from strategybot.runs.schemas import DataSource, RunToken, StrategyRevision
from strategybot.trading.engine.instruments import Interval
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

    token: str
    chain: str
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

    number: int
    time: Annotated[int, Field(description="The candle that made them true, by its unix seconds")]
    token: str
    chain: str
    symbol: str | None
    price: float
    reason: str


class WatchSummary(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    run_id: str
    bot_id: str
    status: Status
    stop_reason: StopReason | None
    created_at: datetime
    stopped_at: datetime | None
    kline_interval: Interval
    strategy_revision: StrategyRevision
    data_source: DataSource
    tokens: list[WatchedToken]
    total_signals: int
    details_kept: Annotated[bool, Field(description="Whether the signals are still there; old watches lose them")]


class WatchView(WatchSummary):
    strategy: Annotated[Strategy, Field(description="The strategy it watches for, whatever the bot holds now")]
    strategy_summary: str
    signals: Annotated[list[WatchSignal], Field(description="The newest 100, newest first")]


class WatchPage(PageView):
    watches: list[WatchSummary]
    total_watches: int
