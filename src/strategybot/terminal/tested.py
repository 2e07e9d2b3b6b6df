"""A finished backtest with its parameters, for the report and for JSON output."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from strategybot.backtests.result_views import OpenPosition, SignalView, TradeView
from strategybot.kit.clock import utc_moment
from strategybot.terminal.request import Instrument
from strategybot.trading.backtest import BacktestResult
from strategybot.trading.candles import DataReport, Floats
from strategybot.trading.fills import Intrabar
from strategybot.trading.kernel import Costs
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.preparation import Prepared
from strategybot.trading.verdict import Verdict, examine, judge
from strategybot.trading.words import duration_words


@dataclass(frozen=True, eq=False)
class Material:
    """The candles of a backtest and their source."""

    source: str
    instrument: Instrument | None  # None for the user's own candles
    prepared: Prepared
    start: int
    end: int

    @property
    def interval(self) -> str:
        return duration_words(self.prepared.candles.interval_seconds)


@dataclass(frozen=True, eq=False)
class Tested:
    strategy: Strategy
    material: Material
    costs: Costs
    cash: float
    intrabar: Intrabar
    result: BacktestResult

    @cached_property
    def held_values(self) -> Floats:
        """Return the value of buying at the first open and holding, at the times of the equity curve."""
        candles, start = self.material.prepared.candles, self.material.prepared.start_index
        cost = candles.open[start] * (1 + self.costs.slippage_percent / 100) * (1 + self.costs.fee_percent / 100)
        closes = candles.close[np.searchsorted(candles.time, self.result.equity_times)]
        return np.asarray(self.cash / cost * closes)

    @cached_property
    def data_report(self) -> DataReport:
        return self.result.reported(self.material.prepared.report)

    @cached_property
    def verdict(self) -> Verdict:
        """Return the verdict for one try on one token: without an account there is no record of other tries."""
        ready, untested = self.material.prepared, self.data_report.untested
        return judge(
            examine(self.strategy, ready.candles, self.costs, ready.start_index, self.result, untested=untested)
        )

    def document(self) -> dict[str, Any]:
        """Return the whole result as JSON, with the names of the API."""
        return {**self._asked(), **self._found()}

    def _asked(self) -> dict[str, Any]:
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
            **self.costs.model_dump(),
            "intrabar": self.intrabar,
        }

    def _found(self) -> dict[str, Any]:
        result = self.result
        held = result.open_position
        position = None if held is None else OpenPosition.model_validate(held)
        trades = result.trades.page(0, len(result.trades))
        signals = result.signals.page(0, len(result.signals))
        return {
            "metrics": result.metrics,
            "metric_notes": result.metric_notes,
            "verdict": self.verdict.model_dump(mode="json"),
            "data_report": self.data_report.model_dump(),
            "candles_processed": result.candles_processed,
            "open_position": position and position.model_dump(mode="json"),
            "trades": [TradeView.model_validate(trade).model_dump(mode="json") for trade in trades],
            "signals": [SignalView.model_validate(signal).model_dump(mode="json") for signal in signals],
            "equity_curve": [point._asdict() for point in result.equity_curve()],
        }


def _iso(seconds: int) -> str:
    return f"{utc_moment(seconds):%Y-%m-%dT%H:%M:%SZ}"
