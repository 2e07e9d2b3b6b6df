"""A verdict as it is shown, and the finished run that it grades."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from strategybot.runs.storage import QueuedRun
from strategybot.trading.engine.backtest import BacktestResult
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.instruments import Interval
from strategybot.trading.engine.portfolio import PortfolioResult
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.engine.universe import Together
from strategybot.trading.evidence.verdict import Verdict
from strategybot.trading.language.strategy import Strategy


class VerdictView(Verdict):
    """How far to trust the result. It is about the past of one market, and no recommendation."""

    graded_at: Annotated[datetime, Field(description="When it was graded")]
    other_tokens_pending: Annotated[bool, Field(description="The other tokens follow, and may change the grade once")]


@dataclass(frozen=True, eq=False)
class FinishedPortfolio:
    """A completed run of many tokens with its inputs, for the grader."""

    run_id: str
    run: QueuedRun
    together: Together
    result: PortfolioResult
    dead_token_loss_percent: float
    can_be_sold: bool | None  # False if a traded token cannot
    untested: str | None


@dataclass(frozen=True, eq=False)
class FinishedRun:
    """A completed run with its inputs, for the grader."""

    run_id: str
    owner_id: str
    token: str
    chain: str
    kline_interval: Interval
    fetched_from: int  # the start of the warm-up
    start_time: int
    end_time: int
    asked_at: float  # when the run was requested
    strategy: Strategy
    costs: Costs
    run_costs: RunCosts | None  # where `costs` come from; None for runs of older versions
    initial_cash: float
    candles: Candles
    start_index: int
    result: BacktestResult
    untested: str | None = None  # why its entry conditions were never known, as in its data report

    @property
    def token_id(self) -> str:
        return f"{self.token}-{self.chain}"

    @property
    def can_be_sold(self) -> bool | None:
        return None if self.run_costs is None else self.run_costs.can_be_sold
