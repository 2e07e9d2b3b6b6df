"""Request and response bodies of the search endpoints."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from strategybot.backtests.schemas import MetricsView, TokenBacktestRequest
from strategybot.bots.schemas import Holdout
from strategybot.kit.paging import PageView
from strategybot.kit.validation import Body
from strategybot.runs.schemas import CostNotes, RunSummary, StrategySummary
from strategybot.trading.engine.candles import DataReport
from strategybot.trading.engine.instruments import TokenAddress, TokenChain
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
    first: Annotated[float | None, Field(alias="from", description="The first value")] = None
    last: Annotated[float | None, Field(alias="to", description="The last value at most")] = None
    step: Annotated[float | None, Field(gt=0, description="From one value to the next")] = None
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
    parameters: Annotated[
        list[ParameterRequest], Field(min_length=1, max_length=MOST_PARAMETERS, description="What to vary")
    ]
    objective: Annotated[Objective, Field(description="What is to be as large as possible")] = "return"
    minimum_trades: Annotated[
        int, Field(ge=1, le=10_000, description="A variant with fewer is never chosen"), WHOLE
    ] = 20


class ParameterView(BaseModel):
    path: Annotated[str, Field(description="Where it is in the strategy")]
    values: Annotated[list[Value], Field(description="The values that it is given")]


class Point(BaseModel):
    """One variant, with all its metrics."""

    parameters: Values
    strategy: Annotated[Strategy, Field(description="The strategy with these values")]
    strategy_summary: StrategySummary
    metrics: Annotated[MetricsView, Field(description="What it came to")]


class WalkBlock(BaseModel):
    start_time: Annotated[datetime, Field(description="When the block begins")]
    end_time: Annotated[datetime, Field(description="When the block ends")]
    parameters: Annotated[
        Values | None,
        Field(description="The values chosen on all time before the block; null if no variant had enough trades"),
    ]
    total_return: Annotated[float | None, Field(description="Percent")]
    trades: Annotated[int, Field(description="Closed trades in the block")]


class WalkForwardView(BaseModel):
    """The return on time that was not used to choose the values. This is the figure to believe."""

    total_return: Annotated[float | None, Field(description="Percent, over all blocks")]
    trades: Annotated[int, Field(description="Closed trades of all blocks")]
    blocks: Annotated[list[WalkBlock], Field(description="The blocks, oldest first")]


class OptimisationSummary(RunSummary):
    token: TokenAddress
    chain: TokenChain
    token_symbol: Annotated[str | None, Field(description="Null until it begins, and if it is not plain text")]
    parameters: Annotated[list[ParameterView], Field(description="What is varied, and the values of each")]
    objective: Annotated[Objective, Field(description="What is to be as large as possible")]
    minimum_trades: Annotated[int, Field(description="A variant with fewer trades is never chosen")]
    variants_total: Annotated[int, Field(description="How many combinations there are")]
    variants_done: Annotated[int, Field(description="Fewer than all if it was stopped")]
    error: Annotated[str | None, Field(description="Why it failed, or why it ended early")]
    details_kept: Annotated[bool, Field(description="Whether the variants are still there; old searches lose them")]


class OptimisationView(OptimisationSummary):
    strategy: Annotated[Strategy, Field(description="The strategy that was varied, whatever the bot holds now")]
    strategy_summary: StrategySummary
    cost_notes: CostNotes
    best: Annotated[
        Point | None, Field(description="The best on the searched time. It was chosen after the fact, so expect less")
    ]
    recommended: Annotated[
        Point | None, Field(description="The values with the best mean of themselves and their direct neighbours")
    ]
    walk_forward: Annotated[
        WalkForwardView | None,
        Field(description="The result on time that was not used to choose; null until completed"),
    ]
    not_recommended: Annotated[
        str | None, Field(description="Why these values are not recommended; null if nothing is against them")
    ]
    p_loss: Annotated[
        float | None,
        Field(description="Share of 70 ways to halve the time in which the best of one half loses in the other"),
    ]
    verdict: Annotated[VerdictView | None, Field(description="Of the recommended point; every variant counts as a try")]
    data_report: Annotated[
        DataReport | None, Field(description="What was put right in the candles; null until it is known")
    ]
    holdout: Annotated[Holdout | None, Field(description="The bot's sealed history; null without one")]


class OptimisationPage(PageView):
    optimisations: Annotated[list[OptimisationSummary], Field(description="Searches, newest first")]
    total_optimisations: Annotated[int, Field(description="How many there are in all")]


class VariantView(BaseModel):
    """The metrics of one variant, to seven digits. They are null if it was not run."""

    number: Annotated[int, Field(description="From 0; the last parameter changes first")]
    parameters: Values
    total_return: Annotated[float | None, Field(description="Percent")]
    total_trades: Annotated[int | None, Field(description="Closed trades; null if it was not run")]
    win_rate: Annotated[float | None, Field(description="Percent of the closed trades")]
    expectancy_percent: Annotated[float | None, Field(description="Mean profit of a trade, in percent")]
    deviation_percent: Annotated[
        float | None, Field(description="Standard deviation of the profits of its trades, in percent")
    ]
    max_drawdown: Annotated[float | None, Field(description="Percent: the deepest fall below the highest value so far")]
    blocks: Annotated[list[float | None], Field(description="Log growth of the trades entered in each of 8 blocks")]


class VariantsPage(PageView):
    variants: Annotated[list[VariantView], Field(description="Variants by their number")]
    total_variants: Annotated[int, Field(description="How many there are in all")]
