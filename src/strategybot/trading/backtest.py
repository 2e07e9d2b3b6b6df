"""`run_backtest` runs a strategy over candles. Its result has columns; rows are made only for a requested page."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from strategybot.trading.candles import NO_MINUTES, Candles, DataReport, Floats, Integers
from strategybot.trading.conditions import wanted_of
from strategybot.trading.costs import Costs, Paid, hold_cost, paid_by_trades
from strategybot.trading.equity import Fall, Holdings, daily_equity, equity_at, fall_and_curve, holdings_of
from strategybot.trading.explain import entry_reading
from strategybot.trading.fills import FillCounts
from strategybot.trading.first_values import with_warm_up
from strategybot.trading.guard_words import skipped_summary
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.ledger import (
    BUDGET,
    CERTAINTY,
    DOUBTS,
    ENTRY,
    ENTRY_PRICE,
    EXIT,
    EXIT_BASE,
    EXIT_PRICE,
    LAST_ENTRY,
    PROCEEDS,
    QUANTITY,
    REASON,
    SIGNALS,
    TRADES,
)
from strategybot.trading.loop import Run, market_of, new_control, run
from strategybot.trading.metrics import MetricInputs, Value, measure
from strategybot.trading.reason_data import Reason
from strategybot.trading.risk import ASSUMED, State
from strategybot.trading.run_words import no_trade_words
from strategybot.trading.signals import Signals
from strategybot.trading.step import EVEN, opening_state, rules_of
from strategybot.trading.stress import total_return, without_pool
from strategybot.trading.tables import Table, TradeRow, measured_at, trade_fields, trade_rows
from strategybot.trading.words import finite


@dataclass(frozen=True, eq=False)
class Trades:
    """The closed round trips of a run, oldest first."""

    strategy: Strategy
    candles: Candles
    costs: Costs
    places: Integers
    amounts: Floats

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def pnl(self) -> Floats:
        """Return what each made; 0 if that is only rounding, as `step.gain_of` says."""
        gains, budgets = self.amounts[:, PROCEEDS] - self.amounts[:, BUDGET], self.amounts[:, BUDGET]
        return np.where(np.abs(gains) <= EVEN * budgets, 0.0, gains)

    @cached_property
    def pnl_percent(self) -> Floats:
        return self.pnl / self.amounts[:, BUDGET] * 100

    @cached_property
    def paid(self) -> Paid:
        quantity, entry, exits = (self.amounts[:, column] for column in (QUANTITY, ENTRY_PRICE, EXIT_PRICE))
        return paid_by_trades(self.costs, quantity, entry, exits)

    @cached_property
    def slippage(self) -> Floats:
        entry = self.amounts[:, ENTRY_PRICE] - self.candles.open[self.places[:, ENTRY]]
        return self.amounts[:, QUANTITY] * (entry + self.amounts[:, EXIT_BASE] - self.amounts[:, EXIT_PRICE])

    @cached_property
    def fills(self) -> FillCounts:
        """Return the number of exits by how sure they are."""
        exact, resolved, assumed = np.bincount(self.places[:, CERTAINTY], minlength=ASSUMED + 1).tolist()
        return FillCounts(exact=exact, resolved=resolved, assumed=assumed)

    @cached_property
    def holding_seconds(self) -> Integers:
        return self.candles.time[self.places[:, EXIT]] - self.candles.time[self.places[:, ENTRY]]

    def page(self, offset: int, limit: int) -> list[TradeRow]:
        return trade_rows(self.strategy, self.costs, self.table(offset, limit), offset + 1)

    def table(self, offset: int, limit: int) -> Table:
        part = slice(offset, offset + limit)
        places, amounts = self.places[part], self.amounts[part]
        table = np.empty(len(places), trade_fields(self.strategy))
        table["entry_time"] = self.candles.time[places[:, ENTRY]]
        table["exit_time"] = self.candles.time[places[:, EXIT]]
        table["entry_price"], table["exit_price"] = amounts[:, ENTRY_PRICE], amounts[:, EXIT_PRICE]
        table["quantity"] = amounts[:, QUANTITY]
        table["pnl"], table["pnl_percent"], table["fees"] = self.pnl[part], self.pnl_percent[part], self.paid.fees[part]
        table["exit_reason"] = places[:, REASON]
        table["measured"] = measured_at(self.strategy.conditions, self.candles, places[:, ENTRY] - 1)
        return table


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


class EquityAt(NamedTuple):
    time: int
    equity: float | None


@dataclass(frozen=True, eq=False)
class BacktestResult:
    initial_cash: float
    trades: Trades
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
        percent = None if held is None else held.unrealized_pnl_percent
        return no_trade_words(
            len(self.trades), len(self.signals), percent, holds=held is not None, never_known=never_known
        )

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
    ledger = done.ledger
    count = int(ledger.counts[TRADES])
    trades = Trades(strategy, candles, costs, ledger.places[:count], ledger.amounts[:count])
    holdings = holdings_of(ledger, done.state, start, done.end, initial_cash)
    entry = int(ledger.counts[LAST_ENTRY])
    fall, points = fall_and_curve(holdings, candles, initial_cash)
    metrics, notes = measure(_facts(trades, holdings, fall, initial_cash, done.state, plain))
    return BacktestResult(
        initial_cash=initial_cash,
        trades=trades,
        signals=Signals(strategy, candles, ledger.signals[: ledger.counts[SIGNALS]], trades.places, entry),
        open_position=_open_position(strategy, candles, done, entry) if done.state.quantity > 0 else None,
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


def _facts(
    trades: Trades, holdings: Holdings, fall: Fall, initial_cash: float, state: State, plain: float | None
) -> MetricInputs:
    start, end, costs, candles = holdings.start, holdings.end, trades.costs, trades.candles
    traded = end > start
    opened, entry_slippage = paid_by_trades(costs, *np.zeros((3, 1))), 0.0
    if state.quantity > 0:
        opened = paid_by_trades(costs, *np.array([[state.quantity], [state.entry_price], [0.0]]))
        entry_slippage = state.quantity * (state.entry_price - float(candles.open[holdings.first[-1]]))
    last = np.arange(end - 1, end) if traded else np.arange(0)
    return MetricInputs(
        initial_cash=initial_cash,
        final_equity=float(equity_at(holdings, candles.close, last)[0]) if traded else initial_cash,
        daily=daily_equity(holdings, candles, initial_cash),
        drawdown=float(fall.deepest),
        longest_drawdown_seconds=int(fall.longest),
        span_seconds=int(candles.time[end - 1] - candles.time[start]) + candles.interval_seconds if traded else 0,
        candles=end - start,
        candles_held=int((holdings.last - holdings.first).sum()),
        pnl=trades.pnl,
        pnl_percent=trades.pnl_percent,
        holding_seconds=trades.holding_seconds,
        reasons=trades.places[:, REASON],
        fees_paid=float(trades.paid.fees.sum() + opened.fees[0]),
        slippage_paid=float(trades.slippage.sum()) + entry_slippage,
        tax_paid=float(trades.paid.tax.sum() + opened.tax[0]),
        impact_paid=float(trades.paid.impact.sum() + opened.impact[0]),
        return_without_pool_costs=None if plain is None else 100 * plain,
        hold_cost=hold_cost(costs, initial_cash, float(candles.open[start])) if traded else 0.0,
        last_close=float(candles.close[end - 1]) if traded else 0.0,
    )


def _open_position(strategy: Strategy, candles: Candles, done: Run, entry: int) -> OpenTrade:
    state, close = done.state, float(candles.close[done.end - 1])
    value = state.quantity * close
    bought = entry_reading(strategy, candles, entry - 1).why()
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
    )
