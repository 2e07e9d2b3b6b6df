"""`run_backtest` runs a strategy over candles. Its result has columns; rows are made only for a requested page."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from strategybot.trading.engine.candles import NO_MINUTES, Candles, DataReport, Floats, Integers
from strategybot.trading.engine.conditions import wanted_of
from strategybot.trading.engine.costs import Costs, hold_cost
from strategybot.trading.engine.equity import Fall, Holdings, daily_equity, equity_at, fall_and_curve, holdings_of
from strategybot.trading.engine.filled import fill_rows
from strategybot.trading.engine.first_values import with_warm_up
from strategybot.trading.engine.ledger import DOUBTS, SIGNALS, WHY, round_trips
from strategybot.trading.engine.loop import Run, market_of, new_control, run
from strategybot.trading.engine.metrics import MetricInputs, Value, measure
from strategybot.trading.engine.risk import State
from strategybot.trading.engine.signals import Signals
from strategybot.trading.engine.step import opening_state, rules_of
from strategybot.trading.engine.trades import Fills, Trades
from strategybot.trading.evidence.stress import total_return, without_pool
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.explain import entry_reading
from strategybot.trading.words.guards import skipped_summary
from strategybot.trading.words.numbers import finite
from strategybot.trading.words.reason_data import Reason
from strategybot.trading.words.runs import no_trade_words


class OpenTrade(NamedTuple):
    """The position that is held at the end. A number is None if it is too large for a float."""

    entry_time: int
    entry_price: float | None
    quantity: float | None
    current_price: float
    value: float | None
    unrealized_pnl: float | None
    unrealized_pnl_percent: float | None
    entry_reason: str
    entry_reasons: list[Reason]
    fills: list[dict[str, Any]]  # as `FillRow`


class EquityAt(NamedTuple):
    time: int
    equity: float | None


@dataclass(frozen=True, eq=False)
class BacktestResult:
    initial_cash: float
    trades: Trades
    fills: Fills
    signals: Signals
    open_position: OpenTrade | None
    equity_times: Integers  # at most a thousand points, extremes kept
    equity_values: Floats
    metrics: dict[str, Value | None]
    metric_notes: dict[str, str]
    candles_processed: int
    stopped: bool
    state: State  # after the last candle
    last_entry: int  # the candle of the last purchase
    doubts: Integers  # times of the candles in doubt that no minutes decided
    minutes: Candles  # that were known
    guards_summary: str | None  # entries that the guards refused

    def reported(self, report: DataReport) -> DataReport:
        """Return the report with the warm-up of the series, how sure the exits are, and what the guards refused."""
        fills = self.trades.fills
        found = {"fills_resolved": fills, "fills_summary": fills.sentence(), "guards_summary": self.guards_summary}
        return with_warm_up(report.model_copy(update=found), self.trades.strategy, self.trades.candles)

    def no_trade_words(self, *, never_known: bool) -> str | None:
        """Return why no trade closed; None if one did. `never_known`: its conditions were unknown all the time."""
        held = self.open_position
        percent, fills = (None, []) if held is None else (held.unrealized_pnl_percent, [held.fills])
        return no_trade_words(len(self.trades), len(self.signals), percent, fills, never_known=never_known)

    def equity_curve(self) -> list[EquityAt]:
        points = zip(self.equity_times.tolist(), self.equity_values.tolist(), strict=True)
        return [EquityAt(time, finite(equity)) for time, equity in points]


def run_backtest(
    strategy: Strategy,
    candles: Candles,
    costs: Costs,
    initial_cash: float,
    *,
    start_index: int = 0,
    control: Integers | None = None,
    minutes: Candles = NO_MINUTES,
) -> BacktestResult:
    """Trade the candles from `start_index` on; the earlier ones are seen by the conditions and trade nothing.

    `minutes` are 1-minute candles that decide candles in doubt (`risk`). With a `control` (see `loop`) another thread
    can follow and stop the run; what was done until then is the result.
    """
    rules = rules_of(strategy, costs, candles.interval_seconds)
    market, wanted = market_of(candles, minutes), wanted_of(strategy, candles)
    control = new_control() if control is None else control
    done = run(rules, market, wanted, start_index, opening_state(initial_cash), control)
    plain = None
    if costs.has_pool_costs:
        plain = total_return(without_pool(rules), market, wanted, start_index, initial_cash, control)
    with np.errstate(over="ignore", invalid="ignore"):
        return _result(strategy, candles, minutes, costs, float(initial_cash), start_index, done, plain)


def _result(
    strategy: Strategy,
    candles: Candles,
    minutes: Candles,
    costs: Costs,
    initial_cash: float,
    start: int,
    done: Run,
    plain: float | None,
) -> BacktestResult:
    ledger, trips = done.ledger, round_trips(done.ledger, costs.slippage)
    fills = Fills.of(candles, costs, ledger, trips)
    trades = Trades(strategy, candles, costs, trips.places, trips.amounts, fills)
    holdings = holdings_of(ledger, start, done.end, initial_cash)
    entry = trips.last_entry
    fall, points = fall_and_curve(holdings, candles, initial_cash)
    metrics, notes = measure(_facts(trades, holdings, fall, initial_cash, plain))
    return BacktestResult(
        initial_cash=initial_cash,
        trades=trades,
        fills=fills,
        signals=Signals(strategy, candles, ledger.signals[: ledger.counts[SIGNALS]], trades.places, entry),
        open_position=open_trade(fills, strategy, done.state, float(candles.close[done.end - 1]), entry)
        if done.state.quantity > 0
        else None,
        equity_times=candles.time[points],
        equity_values=equity_at(holdings, candles.close, points),
        metrics=metrics,
        metric_notes=notes,
        candles_processed=done.end - start,
        stopped=done.end < len(candles),
        state=done.state,
        last_entry=entry,
        doubts=candles.time[ledger.doubts[: ledger.counts[DOUBTS]]],
        minutes=minutes,
        guards_summary=skipped_summary(strategy.guards, done.watch),
    )


def _facts(trades: Trades, holdings: Holdings, fall: Fall, initial_cash: float, plain: float | None) -> MetricInputs:
    start, end, costs, candles = holdings.start, holdings.end, trades.costs, trades.candles
    traded = end > start
    fees, slippage, tax, impact = trades.parts.paid_while_open()
    last = np.arange(end - 1, end) if traded else np.arange(0)
    return MetricInputs(
        initial_cash=initial_cash,
        final_equity=float(equity_at(holdings, candles.close, last)[0]) if traded else initial_cash,
        daily=daily_equity(holdings, candles, initial_cash),
        drawdown=float(fall.deepest),
        longest_drawdown_seconds=int(fall.longest),
        span_seconds=int(candles.time[end - 1] - candles.time[start]) + candles.interval_seconds if traded else 0,
        candles=end - start,
        candles_held=holdings.candles_held,
        pnl=trades.pnl,
        pnl_percent=trades.pnl_percent,
        holding_seconds=trades.holding_seconds,
        reasons=trades.places[:, WHY],
        fees_paid=float(trades.paid.fees.sum()) + fees,
        slippage_paid=float(trades.slippage.sum()) + slippage,
        tax_paid=float(trades.paid.tax.sum()) + tax,
        impact_paid=float(trades.paid.impact.sum()) + impact,
        return_without_pool_costs=None if plain is None else 100 * plain,
        hold_cost=hold_cost(costs, initial_cash, float(candles.open[start])) if traded else 0.0,
        last_close=float(candles.close[end - 1]) if traded else 0.0,
    )


def open_trade(fills: Fills, strategy: Strategy, state: State, close: float, entry: int) -> OpenTrade:
    """Return the position that is held at this close; `entry` is the candle of its first buy."""
    value = state.quantity * close
    bought = entry_reading(strategy, fills.candles, entry - 1).why()
    return OpenTrade(
        entry_time=int(state.entry_time),
        entry_price=finite(state.entry_price),
        quantity=finite(state.quantity),
        current_price=close,
        value=finite(value),
        unrealized_pnl=finite(value - state.budget),
        unrealized_pnl_percent=finite((value / state.budget - 1) * 100),
        entry_reason=bought.words,
        entry_reasons=bought.reasons,
        fills=[row._asdict() for row in fill_rows(fills.costs, fills.still_open.table(0, len(fills)))],
    )
