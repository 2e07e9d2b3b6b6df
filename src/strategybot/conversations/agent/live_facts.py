"""What a tool returns about a simulation or a watch."""

from typing import Annotated

from pydantic import ConfigDict, Field

from strategybot.conversations.agent.facts import Facts, TokenRunFacts
from strategybot.simulations.schemas import LogEntryView, PortfolioView
from strategybot.trading.words.outlook import NextCondition
from strategybot.trading.words.reason_data import Reason
from strategybot.watches.schemas import WatchedToken, WatchSignal


class SimulationFacts(TokenRunFacts):
    stop_reason: str | None
    mode: str
    data_source: str | None
    check_interval: int
    candles_processed: int
    candles_total: int
    portfolio: PortfolioView


class LogFacts(LogEntryView):
    model_config = ConfigDict(from_attributes=True)

    reasons: Annotated[
        list[Reason], Field(default_factory=list, exclude=True)
    ]  # the words say the same with fewer tokens


class NextFacts(NextCondition):
    model_config = ConfigDict(from_attributes=True)

    reason: Annotated[Reason, Field(exclude=True)]


class SimulationWithLogFacts(SimulationFacts):
    trade_log: list[LogFacts]
    next_entry: list[NextFacts]
    next_exit: list[NextFacts]


class WatchFacts(Facts):
    run_id: str
    status: str
    stop_reason: str | None
    kline_interval: str
    strategy_summary: str
    tokens: list[WatchedToken]
    total_signals: int
    signals: list[WatchSignal]
    untrusted: tuple[str, ...] = ("symbol",)
