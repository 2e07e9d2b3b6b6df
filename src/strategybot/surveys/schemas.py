"""Request and response bodies of the survey endpoints."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from strategybot.backtests.schemas import MetricsView
from strategybot.bots.schemas import Holdout
from strategybot.kit.paging import PageView
from strategybot.runs.schemas import CostNotes, CostsOfRun, EquityPoint, HistoryRequest, RunSummary, RunToken
from strategybot.trading.engine.instruments import Chain
from strategybot.trading.evidence.verdict import AverageEntry
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import WHOLE

MOST_TOKENS = 100


class SurveyRequest(HistoryRequest):
    """The fields of a backtest without its token, and `tokens` or `trending`."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"trending": "solana", "limit": 5}]})

    intrabar: Annotated[
        Literal["off"], Field(description="If a candle reaches both the stop and the target, the stop counts")
    ] = "off"
    tokens: Annotated[list[RunToken] | None, Field(min_length=1, max_length=MOST_TOKENS)] = None
    trending: Annotated[Chain | None, Field(description="A chain: its trending tokens are tested")] = None
    limit: Annotated[
        int | None,
        Field(ge=1, le=MOST_TOKENS, description="How many trending tokens; as many as the tier allows by default"),
        WHOLE,
    ] = None


class SurveyRow(BaseModel):
    """One token. If it could not be tested, `error` says why and the metrics are null."""

    token_id: str
    token: str
    chain: str
    symbol: Annotated[
        str | None, Field(description="As the provider gives it; anyone can choose the symbol of a token")
    ]
    error: str | None
    metrics: MetricsView | None
    trades: int | None
    average_entry_percent: AverageEntry = None
    t: Annotated[float | None, Field(description="The smaller t, by days, of its timing and of what it made")]
    p: Annotated[float | None, Field(description="How often a strategy without an edge looks this good by chance")]
    good: Annotated[bool | None, Field(description="Made money, and more than holding its mean share all the time")]
    risk_level: str | None
    younger: Annotated[bool | None, Field(description="Whether its first candle came after the start")] = None
    costs: CostsOfRun = None
    cost_notes: CostNotes = []
    sparkline: Annotated[list[EquityPoint], Field(description="At most 60 points of its equity")]


class SurveyBest(BaseModel):
    token_id: str
    total_return: float


class SurveyCombined(BaseModel):
    """The result of all tokens together."""

    tokens: int
    failed: int
    profitable_percent: Annotated[float | None, Field(description="Percent of the tokens with a return above 0")]
    trades: int
    pooled_t: Annotated[float | None, Field(description="The same t of all tokens, added by day")]
    pooled_p: float | None
    best: SurveyBest | None
    worst: SurveyBest | None
    mean_return: Annotated[float | None, Field(description="Percent, with the same cash in every tested token")]
    equity_curve: Annotated[
        list[EquityPoint], Field(description="With the same cash in every tested token, at most 200 points")
    ]


class SurveySummary(RunSummary):
    trending: str | None
    tokens_total: int
    tokens_done: int
    combined: SurveyCombined | None
    error: str | None
    details_kept: Annotated[bool, Field(description="Whether the rows are still there; old surveys lose them")]


class SurveyView(SurveySummary):
    strategy: Strategy
    strategy_summary: str
    rows: Annotated[list[SurveyRow], Field(description="The best return first")]
    holdout: Holdout | None
    notes: Annotated[
        list[str], Field(description="What the choice of tokens did to the result, in sentences; empty until it ended")
    ]


class SurveyPage(PageView):
    surveys: list[SurveySummary]
    total_surveys: int
