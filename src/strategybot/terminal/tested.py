"""A finished backtest with its parameters, for the report and for JSON output."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from strategybot.backtests.result_views import OpenPosition, TradeView
from strategybot.kit.clock import iso_text, utc_moment
from strategybot.runs.schemas import SignalView
from strategybot.terminal.request import Instrument
from strategybot.trading.engine.backtest import BacktestResult
from strategybot.trading.engine.candles import DataReport, Floats
from strategybot.trading.engine.costs import Costs, hold_cost
from strategybot.trading.engine.fills import Intrabar
from strategybot.trading.engine.preparation import Prepared
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.evidence.verdict import Verdict, examine, judge
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.costs import Traded, cost_notes
from strategybot.trading.words.numbers import duration_words
from strategybot.trading.words.runs import source_note

MUCH_FILLED = 0.1  # of the candles


@dataclass(frozen=True, eq=False)
class Material:
    """The candles of a backtest and their source."""

    source: str
    instrument: Instrument | None  # None for the user's own candles
    prepared: Prepared
    start: int
    end: int
    run_costs: RunCosts
    data_source: str | None  # the provider; None for the user's own candles

    @property
    def interval(self) -> str:
        return duration_words(self.prepared.candles.interval_seconds)

    @property
    def fill_note(self) -> str | None:
        """Return a warning if many of the user's own candles were added where the file has none."""
        filled, candles = self.prepared.report.filled, len(self.prepared.candles)
        if self.instrument is not None or filled <= MUCH_FILLED * candles:
            return None
        share = f"{100 * filled / candles:.0f} % of the candles were added where the file has none"
        return f"{share}, at the price before. If this market closes, --no-fill trades the file as it is."


@dataclass(frozen=True, eq=False)
class Tested:
    strategy: Strategy
    material: Material
    cash: float
    intrabar: Intrabar
    result: BacktestResult
    tries: int | None = None  # of an account; None if they are not counted

    @property
    def tries_counted(self) -> bool:
        return self.tries is not None

    @property
    def run_costs(self) -> RunCosts:
        return self.material.run_costs

    @cached_property
    def costs(self) -> Costs:
        return self.run_costs.traded()

    @property
    def cost_notes(self) -> list[str]:
        return cost_notes(self.run_costs, self.result.metrics, traded=Traded(self.strategy, self.cash))

    @property
    def source_note(self) -> str | None:
        return source_note(self.material.data_source)

    @cached_property
    def held_values(self) -> Floats:
        """Return the value of buying at the first open and holding, at the times of the equity curve."""
        candles, start = self.material.prepared.candles, self.material.prepared.start_index
        cost = hold_cost(self.costs, self.cash, float(candles.open[start]))
        closes = candles.close[np.searchsorted(candles.time, self.result.equity_times)]
        return np.asarray(self.cash / cost * closes)

    @cached_property
    def data_report(self) -> DataReport:
        return self.result.reported(self.material.prepared.report)

    @cached_property
    def verdict(self) -> Verdict:
        """Return the verdict. Without an account there is no record of other tries: it is that of the first one."""
        ready, untested = self.material.prepared, self.data_report.untested
        examination = examine(
            self.strategy, ready.candles, self.costs, ready.start_index, self.result, untested=untested
        )
        return judge(examination, self.tries or 1, can_be_sold=self.run_costs.can_be_sold)

    def document(self) -> dict[str, Any]:
        """Return the whole result as JSON, with the names of the API."""
        return {**self._request_fields(), **self._result_fields()}

    def _request_fields(self) -> dict[str, Any]:
        instrument = self.material.instrument
        return {
            "strategy": self.strategy.model_dump(mode="json"),
            "strategy_summary": self.strategy.summary,
            "token": instrument.address if instrument else None,
            "chain": instrument.chain if instrument else None,
            "kline_interval": self.material.interval,
            "start_time": _iso(self.material.start),
            "end_time": _iso(self.material.end),
            "initial_cash": self.cash,
            "fee_percent": self.costs.fee_percent,
            "slippage_percent": self.costs.slippage_percent,
            "costs": self.run_costs.model_dump(mode="json"),
            "cost_notes": self.cost_notes,
            "data_source": self.material.data_source,
            "data_source_note": self.source_note,
            "intrabar": self.intrabar,
        }

    def _result_fields(self) -> dict[str, Any]:
        result = self.result
        held = result.open_position
        position = None if held is None else OpenPosition.model_validate(held)
        trades = result.trades.page(0, len(result.trades))
        signals = result.signals.page(0, len(result.signals))
        return {
            "metrics": result.metrics,
            "metric_notes": result.metric_notes,
            "verdict": self.verdict.model_dump(mode="json"),
            "tries_counted": self.tries_counted,
            "fill_note": self.material.fill_note,
            "data_report": self.data_report.model_dump(),
            "candles_processed": result.candles_processed,
            "open_position": position and position.model_dump(mode="json"),
            "trades": [TradeView.model_validate(trade).model_dump(mode="json") for trade in trades],
            "signals": [SignalView.model_validate(signal).model_dump(mode="json") for signal in signals],
            "equity_curve": [point._asdict() for point in result.equity_curve()],
        }


def _iso(seconds: int) -> str:
    return iso_text(utc_moment(seconds))
