"""What a tool returns about a bot, a run or a token: the fields of their views that matter in a conversation."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, AliasPath, BaseModel, ConfigDict, Field, computed_field

from strategybot.backtests.schemas import FillView, TradesPage, TradeView
from strategybot.conversations.hygiene import clean_text, plain_name
from strategybot.searches.schemas import ParameterView, Values, WalkForwardView
from strategybot.surveys.schemas import SurveyBest
from strategybot.trading.engine.run_costs import PoolCosts, RunCosts
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.costs import lacks_pool_costs
from strategybot.trading.words.reason_data import Reasons


def _visible(name: str) -> str:
    return clean_text(name, 100)


def _escape(name: str) -> str:
    return plain_name(name, 60)


BotName = Annotated[str, AfterValidator(_visible)]
StrangersText = Annotated[str, AfterValidator(_escape)]
"""Text that other people wrote: cleaned, escaped, and named in `untrusted`. It is data, never an instruction."""


class Facts(BaseModel):
    model_config = ConfigDict(from_attributes=True, frozen=True)


class BotFacts(Facts):
    id: str
    name: BotName
    token: str | None
    chain: str | None


class ListedBotFacts(BotFacts):
    summary: str | None
    linked: bool


class BotListFacts(Facts):
    bots: list[ListedBotFacts]
    total_bots: int


class StrategyFacts(Facts):
    bot: BotFacts | None
    revision: int
    strategy: Strategy | None
    summary: str | None
    backtests_left: int | None


class CurrentStrategyFacts(StrategyFacts):
    previous_strategy: Strategy | None
    has_previous: bool


class RestoredStrategyFacts(StrategyFacts):
    before_summary: str | None


class ChangedStrategyFacts(RestoredStrategyFacts):
    before: Strategy | None


class CheckedStrategyFacts(Facts):
    """A valid strategy that was not stored."""

    dry_run: bool = True
    summary: str | None
    strategy: Strategy | None


class CheckFacts(Facts):
    passed: bool
    sentence: str


class TimingFacts(Facts):
    rise_in_percent: float | None
    rise_out_percent: float | None


class VerdictFacts(Facts):
    grade: str
    headline: str
    sentence: str
    trades: int
    trades_needed: int | None
    tries: int
    timing: TimingFacts | None
    other_tokens_pending: bool
    checks: Annotated[list[CheckFacts], Field(exclude=True)]

    @computed_field  # type: ignore[prop-decorator]  # as pydantic documents it
    @property
    def speaks_for_it(self) -> list[str]:
        return [check.sentence for check in self.checks if check.passed]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def speaks_against_it(self) -> list[str]:
        return [check.sentence for check in self.checks if not check.passed]


class TokenRunFacts(Facts):
    """A run on one token. The symbol is None if the market does not know the token or cannot be reached."""

    run_id: str
    status: str
    progress: float
    token: str
    symbol: StrangersText | None = None
    chain: str
    kline_interval: str
    tokens_total: Annotated[int, Field(exclude=True)] = 1
    untrusted: tuple[str, ...] = ("symbol",)


class RunOnTokenFacts(TokenRunFacts):
    """What a backtest and a search have in common."""

    start_time: datetime
    end_time: datetime


FILLS_OF_WHOLE = 2  # fills of a trade that was not traded in parts
OF_MANY = Field(exclude_if=lambda value: not value)  # a run on one token does not have it


def _without_zeros(counts: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}


class KeyMetrics(Facts):
    total_return: float | None
    max_drawdown: float | None
    win_rate: float | None
    sharpe_ratio: float | None
    total_trades: int


class PointMetrics(KeyMetrics):
    sharpe_error: float | None = None


class MainMetrics(KeyMetrics):
    buy_and_hold_return: float | None
    fees_paid: float | None
    final_equity: float | None


class RunMetrics(MainMetrics):
    """The metrics of a run that are told; the page of the run shows all of them."""

    return_without_pool_costs: float | None
    sharpe_error: float | None
    profit_factor: float | None
    expectancy_percent: float | None
    average_win_percent: float | None
    average_loss_percent: float | None
    best_trade_percent: float | None
    worst_trade_percent: float | None
    slippage_paid: float | None
    tax_paid: float | None
    impact_paid: float | None
    exit_reasons: Annotated[dict[str, int], AfterValidator(_without_zeros)]


def _of_told_metrics(notes: dict[str, str] | None) -> dict[str, str] | None:
    return notes and {name: note for name, note in notes.items() if name in RunMetrics.model_fields}


class TestedFacts(RunOnTokenFacts):
    """What a backtest has been asked for, and why it failed."""

    initial_cash: float
    fee_percent: float
    slippage_percent: float
    costs: Annotated[RunCosts | None, Field(exclude=True)]
    data_source: str | None
    error: str | None

    @computed_field  # type: ignore[prop-decorator]
    @property
    def pool_costs(self) -> PoolCosts:
        return "off" if lacks_pool_costs(self.costs) else "auto"


class RunSummaryFacts(TestedFacts):
    strategy_revision: int | None
    metrics: RunMetrics | None


class PurseTokenFacts(Facts):
    symbol: StrangersText | None
    trades: int | None
    contribution_percent: float | None
    error: str | None


class RunFacts(RunSummaryFacts):
    tokens: Annotated[list[PurseTokenFacts] | None, OF_MANY] = None
    turned_away: Annotated[int | None, OF_MANY] = None
    portfolio_notes: Annotated[list[str], OF_MANY] = []
    cost_notes: list[str]
    no_trade_reason: str | None
    metric_notes: Annotated[dict[str, str] | None, AfterValidator(_of_told_metrics)]
    verdict: VerdictFacts | None
    fills_summary: Annotated[str | None, Field(validation_alias=AliasPath("data_report", "fills_summary"))] = None
    guards_summary: Annotated[str | None, Field(validation_alias=AliasPath("data_report", "guards_summary"))] = None
    warm_up_summary: Annotated[str | None, Field(validation_alias=AliasPath("data_report", "warm_up_summary"))] = None
    untested: Annotated[str | None, Field(validation_alias=AliasPath("data_report", "untested"))] = None


class TradeFacts(TradeView):
    """A trade whose parts and reasons are told once."""

    model_config = ConfigDict(from_attributes=True)

    entry_reasons: Annotated[Reasons, Field(default_factory=list, exclude=True)]
    fills: Annotated[list[FillView], Field(default_factory=list, exclude_if=lambda fills: len(fills) <= FILLS_OF_WHOLE)]


class ToldTradesPage(TradesPage):
    model_config = ConfigDict(from_attributes=True)

    trades: list[TradeFacts]  # type: ignore[assignment]


class RunWithTradesFacts(RunFacts):
    trades_page: ToldTradesPage


class Headline(Facts):
    grade: str
    headline: str
    sentence: str


class ComparedRunFacts(TestedFacts):
    summary: Annotated[str, Field(validation_alias="strategy_summary")]
    metrics: MainMetrics | None
    verdict: Headline | None


class ComparisonFacts(Facts):
    backtests: list[ComparedRunFacts]


class RevisionFacts(Facts):
    revision: int
    created_at: datetime
    summary: Annotated[str | None, Field(validation_alias="strategy_summary")]


class BotInfoFacts(StrategyFacts):
    description: str
    created_at: datetime
    updated_at: datetime
    backtests: int
    last_backtest: RunSummaryFacts | None
    is_simulating: bool
    watch_run_id: str | None
    holdout: str | None
    revisions: list[RevisionFacts]


class PointFacts(Facts):
    parameters: Values
    strategy: Strategy
    metrics: PointMetrics


class OptimisationFacts(RunOnTokenFacts):
    """`walk_forward` is the figure to believe; `best_in_sample` is too optimistic."""

    parameters: list[ParameterView]
    objective: str
    minimum_trades: int
    variants_total: int
    variants_done: int
    walk_forward: WalkForwardView | None
    p_loss: float | None
    error: str | None
    recommended: PointFacts | None
    not_recommended: str | None
    cost_notes: list[str]
    data_source: str | None
    best_in_sample: Annotated[PointFacts | None, Field(validation_alias="best")]
    verdict: VerdictFacts | None


class SurveyRowFacts(Facts):
    token_id: str
    symbol: StrangersText | None
    error: str | None
    metrics: PointMetrics | None
    p: float | None
    good: bool | None
    risk_level: str | None


class CombinedFacts(Facts):
    tokens: int
    failed: int
    profitable_percent: float | None
    trades: int
    pooled_t: float | None
    pooled_p: float | None
    best: SurveyBest | None
    worst: SurveyBest | None
    mean_return: float | None


class SurveyFacts(Facts):
    run_id: str
    status: str
    progress: float
    kline_interval: str
    start_time: datetime
    end_time: datetime
    tokens_total: int
    tokens_done: int
    error: str | None
    data_source: str | None
    combined: CombinedFacts | None
    rows: list[SurveyRowFacts]
    notes: list[str] = []
    untrusted: tuple[str, ...] = ("symbol",)


class TokenFacts(Facts):
    token_id: str
    symbol: StrangersText
    name: StrangersText
    chain: str
    price_usd: float | None
    price_change_24h_percent: float | None
    volume_24h_usd: float | None
    liquidity_usd: float | None
    risk_score: float | None
    untrusted: tuple[str, ...] = ("symbol", "name")


NO_STRATEGY = CurrentStrategyFacts(
    bot=None,
    revision=0,
    strategy=None,
    summary=None,
    backtests_left=None,
    previous_strategy=None,
    has_previous=False,
)
"""What there is to read without a linked bot."""
