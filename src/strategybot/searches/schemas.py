"""Request and response bodies of the search endpoints."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from strategybot.backtests.schemas import MetricsView, TokenBacktestRequest
from strategybot.bots.schemas import Holdout
from strategybot.kit.paging import PageView
from strategybot.kit.validation import Body
from strategybot.runs.schemas import CostNotes, RunSummary
from strategybot.trading.engine.candles import DataReport
from strategybot.trading.language.paths import LONGEST_PATH
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import WHOLE
from strategybot.trading.search.results import Objective
from strategybot.verdicts.schemas import VerdictView

MOST_PARAMETERS = 4
MOST_VALUES = 1000  # of one parameter
Value = float | str
Values = Annotated[dict[str, Value], Field(description="The value of each parameter, by its path")]


class ParameterRequest(Body):
    """A number or a duration of the strategy, and which values it is given: `from`, `to` and `step`, or `values`."""

    path: Annotated[str, Field(max_length=LONGEST_PATH, description="As `conditions.0.percent` or `stop_loss_percent`")]
    first: Annotated[float | None, Field(alias="from")] = None
    last: Annotated[float | None, Field(alias="to")] = None
    step: Annotated[float | None, Field(gt=0)] = None
    values: Annotated[
        list[Value] | None, Field(min_length=1, max_length=MOST_VALUES, description="Numbers, or durations such as 15m")
    ] = None


class OptimiseRequest(TokenBacktestRequest):
    """The fields of a backtest, and the parameters to vary. Every combination of their values is run."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "token": "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N",
                    "chain": "solana",
                    "parameters": [
                        {"path": "conditions.0.percent", "from": 2, "to": 10, "step": 1},
                        {"path": "stop_loss_percent", "values": [2, 5, 10]},
                    ],
                }
            ]
        }
    )

    intrabar: Annotated[
        Literal["off"], Field(description="If a candle reaches both the stop and the target, the stop counts")
    ] = "off"
    parameters: Annotated[list[ParameterRequest], Field(min_length=1, max_length=MOST_PARAMETERS)]
    objective: Objective = "return"
    minimum_trades: Annotated[
        int, Field(ge=1, le=10_000, description="A variant with fewer is never chosen"), WHOLE
    ] = 20


class ParameterView(BaseModel):
    path: str
    values: list[Value]


class Point(BaseModel):
    """One variant, with all its metrics."""

    parameters: Values
    strategy: Strategy
    strategy_summary: str
    metrics: MetricsView


class WalkBlock(BaseModel):
    start_time: datetime
    end_time: datetime
    parameters: Annotated[
        Values | None,
        Field(description="The values chosen on all time before the block; null if no variant had enough trades"),
    ]
    total_return: Annotated[float | None, Field(description="Percent")]
    trades: int


class WalkForwardView(BaseModel):
    """The return on time that was not used to choose the values. This is the figure to believe."""

    total_return: Annotated[float | None, Field(description="Percent, over all blocks")]
    trades: int
    blocks: list[WalkBlock]


class OptimisationSummary(RunSummary):
    token: str
    chain: str
    token_symbol: Annotated[str | None, Field(description="Null until it begins, and if it is not plain text")]
    parameters: list[ParameterView]
    objective: Objective
    minimum_trades: int
    variants_total: int
    variants_done: Annotated[int, Field(description="Fewer than all if it was stopped")]
    error: Annotated[str | None, Field(description="Why it failed, or why it ended early")]
    details_kept: Annotated[bool, Field(description="Whether the variants are still there; old searches lose them")]


class OptimisationView(OptimisationSummary):
    strategy: Annotated[Strategy, Field(description="The strategy that was varied, whatever the bot holds now")]
    strategy_summary: str
    cost_notes: CostNotes
    best: Annotated[
        Point | None, Field(description="The best on the searched time. It was chosen after the fact, so expect less")
    ]
    recommended: Annotated[
        Point | None, Field(description="The values with the best mean of themselves and their direct neighbours")
    ]
    walk_forward: WalkForwardView | None
    not_recommended: Annotated[
        str | None, Field(description="Why these values are not recommended; null if nothing is against them")
    ]
    p_loss: Annotated[
        float | None,
        Field(description="Share of 70 ways to halve the time in which the best of one half loses in the other"),
    ]
    verdict: Annotated[VerdictView | None, Field(description="Of the recommended point; every variant counts as a try")]
    data_report: DataReport | None
    holdout: Holdout | None


class OptimisationPage(PageView):
    optimisations: list[OptimisationSummary]
    total_optimisations: int


class VariantView(BaseModel):
    """The metrics of one variant, to seven digits. They are null if it was not run."""

    number: Annotated[int, Field(description="From 0; the last parameter changes first")]
    parameters: Values
    total_return: float | None
    total_trades: int | None
    win_rate: float | None
    expectancy_percent: float | None
    deviation_percent: float | None
    max_drawdown: float | None
    blocks: Annotated[list[float | None], Field(description="Log growth of the trades entered in each of 8 blocks")]


class VariantsPage(PageView):
    variants: list[VariantView]
    total_variants: int
