"""`run_portfolio` trades many tokens with one purse. Its result has the purse first, then each token."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from strategybot.trading.engine.backtest import EquityAt, OpenTrade, open_trade
from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.columns import Flags
from strategybot.trading.engine.conditions import Wanted
from strategybot.trading.engine.costs import hold_cost
from strategybot.trading.engine.equity import Fall, daily_marks, fall_and_curve_of_marks
from strategybot.trading.engine.filled import Table
from strategybot.trading.engine.fills import FillCounts
from strategybot.trading.engine.guards import opening_watch
from strategybot.trading.engine.ledger import DECISION, DOUBTS, FILLS, SIGNALS, TOKEN, WHAT, WHY, Ledger, round_trips
from strategybot.trading.engine.loop import new_control
from strategybot.trading.engine.merged import merged_fills, merged_signals, merged_trades
from strategybot.trading.engine.metrics import MetricInputs, Value, measure
from strategybot.trading.engine.positions import (
    DAY,
    FALL,
    RISE,
    TURNED_AWAY,
    VOLUME,
    Books,
    Places,
    Purse,
    Universe,
    new_books,
    new_table,
    state_at,
)
from strategybot.trading.engine.purse import Traded, trade_places
from strategybot.trading.engine.signals import Signals
from strategybot.trading.engine.step import Rules, rules_of
from strategybot.trading.engine.trades import Fills, Trades
from strategybot.trading.engine.universe import Together, Token
from strategybot.trading.language.portfolio import DEFAULT_PORTFOLIO
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.guards import skipped_summary
from strategybot.trading.words.numbers import finite

DEAD_TOKEN_LOSS_PERCENT = 50.0
_PREFER = {"volume": VOLUME, "fall": FALL, "rise": RISE}


@dataclass(frozen=True, eq=False)
class TokenResult:
    """What the purse did with one token."""

    token: Token
    trades: Trades
    fills: Fills
    signals: Signals
    ledger_rows: Integers  # of its fills
    signal_rows: Integers  # of its decisions
    doubts: Integers  # times of the candles in doubt that no minutes decided
    open_position: OpenTrade | None
    pnl: float  # of what was sold, and of what is held at its last close
    turned_away: int
    stopped_trading: int | None  # time of its last candle, if no candle followed for 24 hours
    hold_growth: float  # what one unit of money becomes that buys the token at its first open

    @property
    def written_down(self) -> bool:
        """Return whether a position was held when the token stopped trading."""
        return self.trades.ended_by_death


@dataclass(frozen=True, eq=False)
class PortfolioResult:
    strategy: Strategy
    initial_cash: float
    tokens: list[TokenResult]
    time: Integers
    equity: Floats
    used: Flags  # places, at each close
    points: Integers  # of the curve: at most a thousand, extremes kept
    metrics: dict[str, Value | None]
    metric_notes: dict[str, str]
    candles_processed: int  # of the grid
    stopped: bool
    guards_summary: str | None

    @property
    def turned_away(self) -> int:
        return sum(each.turned_away for each in self.tokens)

    @property
    def trade_count(self) -> int:
        return sum(len(each.trades) for each in self.tokens)

    @property
    def signal_count(self) -> int:
        return sum(len(each.signals) for each in self.tokens)

    @cached_property
    def trades(self) -> Table:
        """Return the closed trades of all tokens in the order of their ends, each with the number of its token."""
        return merged_trades(self.tokens)

    @cached_property
    def signals(self) -> Table:
        return merged_signals(self.tokens)

    @cached_property
    def fills(self) -> Table:
        """Return the fills in the order of the trades, then those of what is open."""
        return merged_fills(self.tokens)

    @property
    def fill_counts(self) -> FillCounts:
        counts = [each.trades.fills for each in self.tokens]
        return FillCounts(
            exact=sum(each.exact for each in counts),
            resolved=sum(each.resolved for each in counts),
            assumed=sum(each.assumed for each in counts),
        )

    def equity_curve(self) -> list[EquityAt]:
        points = zip(self.time[self.points].tolist(), self.equity[self.points].tolist(), strict=True)
        return [EquityAt(time, finite(equity)) for time, equity in points]

    def places_used(self) -> list[tuple[int, int]]:
        """Return the used places at the times of the curve."""
        return list(zip(self.time[self.points].tolist(), self.used[self.points].tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Trading:
    """How a strategy trades these tokens: everything that a run of the compiled code needs."""

    rules: Rules
    places: Places
    universe: Universe

    def run(self, initial_cash: float, control: Integers) -> tuple[Traded, Books]:
        count = len(self.universe.time)
        books = new_books(new_table(len(self.universe.begin)), count)
        purse = Purse(initial_cash, opening_watch(initial_cash))
        return trade_places(self.rules, self.places, self.universe, books, purse, 0, count, control), books

    def total_return(self, initial_cash: float, control: Integers) -> float:
        done, books = self.run(initial_cash, control)
        return float(books.equity[done.end - 1] / initial_cash - 1) if done.end else 0.0


def places_of(strategy: Strategy, dead_token_loss_percent: float) -> Places:
    portfolio = strategy.portfolio or DEFAULT_PORTFOLIO
    return Places(portfolio.max_open, _PREFER[portfolio.prefer], 1 - dead_token_loss_percent / 100)


def trading_of(
    strategy: Strategy, together: Together, dead_token_loss_percent: float, wanted: list[Wanted] | None = None
) -> Trading:
    """Return the strategy on these tokens. All of them have the same fee and slippage."""
    places = places_of(strategy, dead_token_loss_percent)
    rules = rules_of(strategy, together.tokens[0].costs, together.interval_seconds)
    return Trading(rules, places, together.universe(strategy, wanted))


def run_portfolio(
    strategy: Strategy,
    together: Together,
    initial_cash: float,
    *,
    dead_token_loss_percent: float = DEAD_TOKEN_LOSS_PERCENT,
    control: Integers | None = None,
) -> PortfolioResult:
    """Trade the tokens on their grid. With a `control` (see `loop`) another thread can follow and stop the run."""
    control, cash = new_control() if control is None else control, float(initial_cash)
    trading = trading_of(strategy, together, dead_token_loss_percent)
    done, books = trading.run(cash, control)
    plain = None
    if any(each.costs.has_pool_costs for each in together.tokens):
        costs = np.tile((0.0, 1.0, 1.0), (len(together.tokens), 1))
        free = Trading(trading.rules, trading.places, trading.universe._replace(costs=costs))
        plain = free.total_return(cash, control)
    with np.errstate(over="ignore", invalid="ignore"):
        return _result(strategy, together, trading, cash, done, books, plain)


def _result(
    strategy: Strategy,
    together: Together,
    trading: Trading,
    initial_cash: float,
    done: Traded,
    books: Books,
    plain: float | None,
) -> PortfolioResult:
    tokens = [_token_result(strategy, together, trading, initial_cash, done, books, k) for k in range(len(books.buys))]
    time, equity, used = together.time[: done.end], books.equity[: done.end], books.used[: done.end]
    fall, points = fall_and_curve_of_marks(time, equity, together.interval_seconds, initial_cash)
    inputs = _inputs(tokens, time, equity, used, fall, initial_cash, together.interval_seconds, plain)
    metrics, notes = measure(inputs)
    return PortfolioResult(
        strategy=strategy,
        initial_cash=initial_cash,
        tokens=tokens,
        time=time,
        equity=equity,
        used=used,
        points=points,
        metrics=metrics,
        metric_notes=notes,
        candles_processed=done.end,
        stopped=done.end < len(together.time),
        guards_summary=skipped_summary(strategy.guards, done.purse.watch),
    )


def _token_result(
    strategy: Strategy,
    together: Together,
    trading: Trading,
    initial_cash: float,
    done: Traded,
    books: Books,
    k: int,
) -> TokenResult:
    token, silent = together.tokens[k], DAY // together.interval_seconds
    candles, costs = token.candles, token.costs
    own, rows, signal_rows = ledger_of(done.ledger, k)
    trips = round_trips(own, costs.slippage)
    fills = Fills.of(candles, costs, own, trips)
    trades = Trades(strategy, candles, costs, trips.places, trips.amounts, fills)
    state = state_at(books.table, k, 0.0)
    last = min(len(candles), max(1, done.end - int(together.origin[k]))) - 1
    close, is_dead = float(candles.close[last]), int(together.origin[k]) + last + silent < done.end
    worth = close * (trading.places.dead_kept if is_dead else 1.0)
    cost = hold_cost(costs, initial_cash / len(together.tokens), float(candles.open[token.start]))
    return TokenResult(
        token=token,
        trades=trades,
        fills=fills,
        signals=Signals(strategy, candles, own.signals, trips.places, trips.last_entry),
        ledger_rows=rows,
        signal_rows=signal_rows,
        doubts=candles.time[own.doubts],
        open_position=open_trade(fills, strategy, state, close, trips.last_entry) if state.quantity > 0 else None,
        pnl=_pnl(fills, float(state.quantity) * close),
        turned_away=int(books.table[TURNED_AWAY, k]),
        stopped_trading=int(candles.time[last]) if is_dead else None,
        hold_growth=worth / cost,
    )


def ledger_of(ledger: Ledger, k: int) -> tuple[Ledger, Integers, Integers]:
    """Return the rows of one token as a ledger, and which rows of all tokens its fills and its decisions are."""
    counts = ledger.counts
    rows = np.flatnonzero(ledger.places[: counts[FILLS], WHAT] >> TOKEN == k)
    signal_rows = np.flatnonzero(ledger.signals[: counts[SIGNALS], DECISION] >> TOKEN == k)
    doubts = ledger.doubts[: counts[DOUBTS]]
    places, signals = ledger.places[rows], ledger.signals[signal_rows]
    mask = (1 << TOKEN) - 1
    places[:, WHAT] &= mask
    signals[:, DECISION] &= mask
    doubts = doubts[doubts >> TOKEN == k] & mask
    own = np.array([len(places), len(signals), len(doubts), 0], np.int64)
    return Ledger(places, ledger.amounts[rows], signals, doubts, own), rows, signal_rows


def _pnl(fills: Fills, held: float) -> float:
    money = fills.money
    return float(money[~fills.are_buys].sum() - money[fills.are_buys].sum()) + held


def _inputs(
    tokens: list[TokenResult],
    time: Integers,
    equity: Floats,
    used: Flags,
    fall: Fall,
    initial_cash: float,
    interval: int,
    plain: float | None,
) -> MetricInputs:
    trades, count = [each.trades for each in tokens], len(time)
    order = np.argsort(np.concatenate([each.ledger_rows[each.trades.last_fills] for each in tokens]), kind="stable")
    open_costs = np.sum([each.fills.paid_while_open() for each in tokens], axis=0).tolist()
    closed = [
        sum(float(each.sum()) for each in column)
        for column in zip(
            *((each.paid.fees, each.slippage, each.paid.tax, each.paid.impact) for each in trades), strict=True
        )
    ]
    fees, slippage, tax, impact = (done + still for done, still in zip(closed, open_costs, strict=True))
    return MetricInputs(
        initial_cash=initial_cash,
        final_equity=float(equity[-1]) if count else initial_cash,
        daily=daily_marks(time, equity, initial_cash),
        drawdown=float(fall.deepest),
        longest_drawdown_seconds=int(fall.longest),
        span_seconds=int(time[-1] - time[0]) + interval if count else 0,
        candles=count,
        candles_held=int(np.count_nonzero(used)),
        pnl=np.concatenate([each.pnl for each in trades])[order],
        pnl_percent=np.concatenate([each.pnl_percent for each in trades])[order],
        holding_seconds=np.concatenate([each.holding_seconds for each in trades])[order],
        reasons=np.concatenate([each.places[:, WHY] for each in trades])[order],
        fees_paid=fees,
        slippage_paid=slippage,
        tax_paid=tax,
        impact_paid=impact,
        return_without_pool_costs=None if plain is None else 100 * plain,
        hold_cost=1.0,
        last_close=sum(each.hold_growth for each in tokens) / len(tokens),
    )
