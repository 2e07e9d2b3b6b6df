"""What the tools return that are about results, files and settings rather than about one bot or run."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from strategybot.backtests.schemas import ExplanationView
from strategybot.conversations.agent.facts import BotName, Facts, RunMetrics, TokenFacts, VerdictFacts
from strategybot.market.schemas import Kline, Risk


class AnyRunFacts(Facts):
    """A run of any kind, with everything that is told of this kind."""

    model_config = ConfigDict(from_attributes=True, frozen=True, extra="allow")

    kind: str
    run_id: str
    status: str
    progress: float | None = None
    error: str | None = None
    metrics: RunMetrics | dict[str, Any] | None = None
    verdict: VerdictFacts | dict[str, Any] | None = None


class ListedRunFacts(Facts):
    kind: str
    run_id: str
    status: str
    created_at: datetime
    token: str | None
    chain: str | None
    kline_interval: str
    start_time: datetime | None
    end_time: datetime | None
    total_return: float | None


class RunListFacts(Facts):
    runs: list[ListedRunFacts]


class ExplanationFacts(ExplanationView):
    run_id: str


class ShareFacts(Facts):
    run_id: str
    shared: bool
    url: str | None


class DeletedFacts(Facts):
    deleted: BotName


class HoldoutFacts(Facts):
    bot_id: str
    sealed: bool
    starts_at: Annotated[datetime, Field(description="Backtests end here while it is sealed")]
    sealed_at: datetime
    opened_at: datetime | None


class CandlesFacts(Facts):
    token_id: str
    kline_interval: str
    data_source: str
    candles: list[Kline]


class TokenWithRiskFacts(TokenFacts):
    risk: Risk | None
    data_source: str


class TargetFacts(Facts):
    name: str
    kind: str | None
    url: str
    events: list[str]
    enabled: bool
    last_error: str | None


class TargetsFacts(Facts):
    targets: list[TargetFacts]
    test_sent: bool | None
    test_error: str | None
