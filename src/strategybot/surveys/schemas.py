"""Request and response bodies of the survey endpoints."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from strategybot.backtests.schemas import MetricsView
from strategybot.bots.schemas import Holdout
from strategybot.kit.paging import PageView
from strategybot.runs.schemas import (
    CostNotes,
    CostsOfRun,
    EquityPoint,
    HistoryRequest,
    RunSummary,
    RunToken,
    StrategySummary,
)
from strategybot.trading.engine.instruments import AddressAndChain, Chain, TokenAddress, TokenChain
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
    tokens: Annotated[
        list[RunToken] | None,
        Field(min_length=1, max_length=MOST_TOKENS, description="The tokens to test; or give `trending`"),
    ] = None
    trending: Annotated[Chain | None, Field(description="A chain: its trending tokens are tested")] = None
    limit: Annotated[
        int | None,
        Field(ge=1, le=MOST_TOKENS, description="How many trending tokens; as many as the tier allows by default"),
        WHOLE,
    ] = None


class SurveyRow(BaseModel):
    """One token. If it could not be tested, `error` says why and the metrics are null."""

    token_id: AddressAndChain
    token: TokenAddress
    chain: TokenChain
    symbol: Annotated[
        str | None, Field(description="As the provider gives it; anyone can choose the symbol of a token")
    ]
    error: Annotated[str | None, Field(description="Why it could not be tested; null if it was")]
    metrics: Annotated[MetricsView | None, Field(description="What it came to; null if it could not be tested")]
    trades: Annotated[int | None, Field(description="Closed trades; null if it could not be tested")]
    average_entry_percent: AverageEntry = None
    t: Annotated[float | None, Field(description="The smaller t, by days, of its timing and of what it made")]
    p: Annotated[float | None, Field(description="How often a strategy without an edge looks this good by chance")]
    good: Annotated[bool | None, Field(description="Made money, and more than holding its mean share all the time")]
    risk_level: Annotated[str | None, Field(description="How risky the token is, by its contract")]
    younger: Annotated[bool | None, Field(description="Whether its first candle came after the start")] = None
    costs: CostsOfRun = None
    cost_notes: CostNotes = []
    sparkline: Annotated[list[EquityPoint], Field(description="At most 60 points of its equity")]


class SurveyBest(BaseModel):
    token_id: AddressAndChain
    total_return: Annotated[float, Field(description="Percent")]


class SurveyCombined(BaseModel):
    """The result of all tokens together."""

    tokens: Annotated[int, Field(description="How many tokens were tested")]
    failed: Annotated[int, Field(description="How many could not be tested")]
    profitable_percent: Annotated[float | None, Field(description="Percent of the tokens with a return above 0")]
    trades: Annotated[int, Field(description="Closed trades of all tokens")]
    pooled_t: Annotated[float | None, Field(description="The same t of all tokens, added by day")]
    pooled_p: Annotated[
        float | None, Field(description="How often strategies without an edge look this good by chance")
    ]
    best: Annotated[SurveyBest | None, Field(description="The token with the best return")]
    worst: Annotated[SurveyBest | None, Field(description="The token with the worst return")]
    mean_return: Annotated[float | None, Field(description="Percent, with the same cash in every tested token")]
    equity_curve: Annotated[
        list[EquityPoint], Field(description="With the same cash in every tested token, at most 200 points")
    ]


class SurveySummary(RunSummary):
    trending: Annotated[
        str | None, Field(description="The chain whose trending tokens are tested; null if the tokens were named")
    ]
    tokens_total: Annotated[int, Field(description="How many tokens it has")]
    tokens_done: Annotated[int, Field(description="How many are done")]
    combined: Annotated[SurveyCombined | None, Field(description="All tokens together; null until completed")]
    error: Annotated[str | None, Field(description="Why it failed; null if it did not")]
    details_kept: Annotated[bool, Field(description="Whether the rows are still there; old surveys lose them")]


class SurveyView(SurveySummary):
    strategy: Annotated[Strategy, Field(description="The strategy it ran, whatever the bot holds now")]
    strategy_summary: StrategySummary
    rows: Annotated[list[SurveyRow], Field(description="The best return first")]
    holdout: Annotated[Holdout | None, Field(description="The bot's sealed history; null without one")]
    notes: Annotated[
        list[str], Field(description="What the choice of tokens did to the result, in sentences; empty until it ended")
    ]


class SurveyPage(PageView):
    surveys: Annotated[list[SurveySummary], Field(description="Surveys, newest first")]
    total_surveys: Annotated[int, Field(description="How many there are in all")]
