"""What a chart of a run needs: candles with the equity, series, and what is drawn of its trades."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from strategybot.accounts.service import Principal
from strategybot.backtests import storage
from strategybot.backtests.chart_points import fit, last_rows
from strategybot.backtests.rows import OwnTrades, held_at_end, own_trades
from strategybot.backtests.schemas import (
    ChartView,
    LinesView,
    TradeCourse,
    TradeCourses,
    TradeRules,
    TradeRulesPage,
)
from strategybot.backtests.service import Backtests, lines_view, refuse_without_details
from strategybot.backtests.storage import Backtest
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import AppError, FieldError, InvalidInput
from strategybot.kit.paging import Paging, page_fields
from strategybot.kit.threads import computing, run_read
from strategybot.market.service import Market
from strategybot.runs.storage import token_id_of
from strategybot.trading.engine.candles import Candles, DataReport, Integers, densify
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.equity import Holdings, equity_at
from strategybot.trading.engine.excursions import excursions, holdings_of_fills, holdings_of_trades
from strategybot.trading.engine.filled import Table, fill_rows
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.engine.preparation import warm_up_start
from strategybot.trading.engine.resolution import as_measured
from strategybot.trading.engine.risk import EXIT_CONDITIONS, MAX_HOLDING, NOTHING
from strategybot.trading.engine.tables import first_fills, trade_rows
from strategybot.trading.words.drawn_rules import entry_conditions, exit_conditions, position_levels, target_price
from strategybot.trading.words.numbers import finite

MOST_COURSES = 2000
Span = tuple[int, int]


class _Traded(NamedTuple):
    """A trade; an open position has no exit."""

    number: int
    entry_time: int
    entry_price: float
    exit_time: int | None
    exit_reason: int
    fills: Table


class Shown(NamedTuple):
    """What a chart shows of a run: a span, with some candles before its start, as so many points at the most."""

    start: int | None
    end: int | None
    most: int
    before: int = 0
    token_id: str | None = None  # of a portfolio the first by default


class Charts:
    def __init__(self, database: Database, backtests: Backtests, market: Market) -> None:
        self._database, self._backtests, self._market = database, backtests, market

    async def chart(self, principal: Principal, bot_id: str, run_id: str, shown: Shown) -> ChartView:
        """Return the run's candles in the span, merged if there are more than `shown.most`.

        Candles that were not fetched for the run are not fetched now, because the caller waits. Only the few candles
        `before` its start are fetched if they are missing.
        """
        run = await run_read(self._brief, principal, bot_id, run_id)
        span = _span(run, shown)
        candles = await self._candles(run, span, fetch=span[0] < run.start_time, token_id=shown.token_id)
        return await computing(chart_of, self._database, run, candles, shown.most)

    async def lines(self, principal: Principal, bot_id: str, run_id: str, shown: Shown) -> LinesView:
        """Return the series of the run's conditions at the candles of its chart."""
        run = await run_read(self._brief, principal, bot_id, run_id)
        first, last = _span(run, shown)
        span = (seen_from(run, first), last)
        candles = await self._candles(run, span, fetch=first < run.start_time, token_id=shown.token_id)
        return await computing(lines_view, run.strategy_as_run, candles, first, shown.most)

    async def rules(
        self, principal: Principal, bot_id: str, run_id: str, paging: Paging, token_id: str | None = None
    ) -> TradeRulesPage:
        """Return what the chart draws of some trades and of the open position, computed from the run's candles.

        Of a portfolio it draws one token, whose trades keep the numbers that they have among all.
        """
        run = await run_read(self._brief, principal, bot_id, run_id)
        refuse_without_details(run)
        own = await run_read(self._own, run, token_id, paging.offset, paging.per_page)
        trades = _traded(run, own, paging)
        rules: list[TradeRules] = []
        if trades:
            seconds = INTERVAL_SECONDS[run.kline_interval]
            early = seen_from(run, trades[0].entry_time - seconds)
            last = trades[-1].exit_time
            span = (early, run.end_time if last is None else last + seconds)
            candles = await self._candles(run, span, token_id=token_id)
            rules = await computing(_rules, run, candles, trades, own.costs)
        shown = own.total + bool(len(own.open_fills))
        return TradeRulesPage(rules=rules, total_trades=own.total, **page_fields(paging, shown))

    async def courses(
        self, principal: Principal, bot_id: str, run_id: str, token_id: str | None = None
    ) -> TradeCourses:
        """Return how far the newest trades rose and fell while they were held, and what slippage cost them. Of a
        portfolio they are those of one token.
        """
        run = await run_read(self._brief, principal, bot_id, run_id)
        refuse_without_details(run)
        own = await run_read(self._own, run, token_id, None, MOST_COURSES)
        first = int(own.trades["entry_time"].min()) if len(own.trades) else run.end_time
        candles = await self._candles(run, (first, run.end_time), token_id=token_id)
        return TradeCourses(courses=await computing(_courses, run, candles, own), total_trades=own.total)

    def _own(self, run: Backtest, token_id: str | None, offset: int | None, limit: int) -> OwnTrades:
        with self._database.read() as session:
            return own_trades(session, run, drawn_token(run, token_id), offset, limit)

    async def _candles(self, run: Backtest, span: Span, *, fetch: bool = False, token_id: str | None = None) -> Candles:
        """Return the candles of the run's token; of a portfolio, those of one of its tokens, the first by default."""
        token_id = drawn_token(run, token_id)
        if fetch:
            try:
                return (await self._market.candles(token_id, run.kline_interval, *span))[0]
            except AppError:
                pass  # a chart without the candles before the start is better than none
        return await self._market.stored_candles(token_id, run.kline_interval, *span)

    def _brief(self, principal: Principal, bot_id: str, run_id: str) -> Backtest:
        with self._database.read() as session:
            run = self._backtests.find_owned(session, principal, bot_id, run_id, without=("equity_curve", "verdict"))
            if run.asked_tokens is not None:
                _ = run.equity_curve  # it is read now: the chart of a token shows the equity of the purse
            return run


def drawn_token(run: Backtest, token_id: str | None) -> str:
    """Return the token of a chart: of a portfolio the first by default. Raise if the run has not traded it."""
    known = [run.token_id] if run.asked_tokens is None else [token_id_of(each) for each in run.asked_tokens]
    if token_id is not None and token_id not in known:
        raise InvalidInput([FieldError("token_id", "is no token of this run")])
    return token_id or known[0]


def chart_of(database: Database, run: Backtest, candles: Candles, most: int) -> ChartView:
    """Return the candles of a run, merged to at most `most`, each with the equity at its end."""
    shown, rows = fit(candles, most), last_rows(candles, most)
    equity: list[float | None] = [None] * len(rows)
    if run.asked_tokens is not None:
        equity = _purse_equity(run, candles.time[rows])
    elif run.details_kept:
        with database.read() as session:
            holdings = _holdings(session, run, candles)
        values = equity_at(holdings, candles.close, rows).tolist()
        known = (candles.time[rows] >= run.start_time).tolist()
        equity = [finite(value) if is_known else None for value, is_known in zip(values, known, strict=True)]
    return ChartView.model_validate(
        {"interval_seconds": shown.interval_seconds, "klines": shown.records(), "equity": equity}
    )


def _purse_equity(run: Backtest, times: Integers) -> list[float | None]:
    """Return the equity of the purse at these times, as its curve has it: the last known value before each."""
    curve = [point for point in run.equity_curve or [] if point["equity"] is not None]
    places = np.searchsorted(np.array([point["time"] for point in curve], np.int64), times, side="right") - 1
    return [curve[place]["equity"] if place >= 0 else None for place in places.tolist()]


def _holdings(session: Session, run: Backtest, candles: Candles) -> Holdings:
    if run.strategy.trades_in_parts:
        fills = storage.fill_table(session, run, 0, storage.ALL_ROWS)
        return holdings_of_fills(fills, run.initial_cash, candles.time)
    trades = storage.trade_table(session, run, 0, run.trade_count)
    return holdings_of_trades(trades, held_at_end(run.open_position), run.traded_costs, run.initial_cash, candles.time)


def _span(run: Backtest, shown: Shown) -> Span:
    first = max(0, run.start_time - shown.before * INTERVAL_SECONDS[run.kline_interval])
    end = run.end_time if shown.end is None else shown.end
    return max(first, shown.start or 0), min(run.end_time, end)


def seen_from(run: Backtest, moment: int) -> int:
    """Return where the candles begin on which the run's series depend at this time."""
    early = warm_up_start(moment, run.strategy, INTERVAL_SECONDS[run.kline_interval])
    return early if run.first_candle is None else max(early, run.first_candle)


def _traded(run: Backtest, own: OwnTrades, paging: Paging) -> list[_Traded]:
    """Return the trades of one token, then the position that is open at the end, if it belongs to this page."""
    firsts = first_fills(run.strategy, own.trades)
    closed = [
        _Traded(
            number,
            int(trade["entry_time"]),
            float(trade["entry_price"]),
            int(trade["exit_time"]),
            int(trade["exit_reason"]),
            own.fills[firsts[place] : firsts[place + 1]],
        )
        for place, (number, trade) in enumerate(zip(own.numbers, own.trades, strict=True))
    ]
    if not len(own.open_fills) or not 0 <= own.total - paging.offset < paging.per_page:
        return closed
    first = own.open_fills[0]
    still = _Traded(run.trade_count + 1, int(first["time"]), float(first["price"]), None, NOTHING, own.open_fills)
    return [*closed, still]


def _rules(run: Backtest, candles: Candles, trades: Sequence[_Traded], costs: Costs) -> list[TradeRules]:
    dense = densify(candles, DataReport())[0]
    strategy = as_measured(run.strategy_as_run, dense.interval_seconds)
    rules = []
    for trade in trades:
        is_held, last = trade.exit_time is None, len(dense) - 1
        entry = int(np.searchsorted(dense.time, trade.entry_time))
        out = last if trade.exit_time is None else int(np.searchsorted(dense.time, trade.exit_time))
        if entry < 1 or entry > last or out > last:
            continue  # candles that the store no longer has
        levels = position_levels(strategy, dense, entry, out, trade.fills)
        decided = out - (trade.exit_reason in (EXIT_CONDITIONS, MAX_HOLDING))
        rules.append(
            TradeRules(
                number=trade.number,
                entry_decided_at=int(dense.time[entry - 1]),
                entry_filled_at=int(dense.time[entry]),
                entry_price=finite(trade.entry_price),
                exit_decided_at=None if is_held else int(dense.time[decided]),
                exit_filled_at=None if is_held else int(dense.time[out]),
                entry=entry_conditions(strategy, dense, entry - 1),
                exit=exit_conditions(strategy, dense, out - 1) if trade.exit_reason == EXIT_CONDITIONS else [],
                stop=levels.stop,
                target=target_price(run.strategy, float(trade.fills["price"][0])),
                average=levels.average,
                targets=levels.target,
                ladder=levels.ladder,
                fills=fill_rows(costs, trade.fills),
            )
        )
    return rules


def _courses(run: Backtest, candles: Candles, own: OwnTrades) -> list[TradeCourse]:
    highest, lowest = excursions(own.trades, candles)
    rows = trade_rows(run.strategy, own.costs, own.trades, own.fills, 1)
    return [
        TradeCourse(number=number, run_up_percent=finite(up), drawdown_percent=finite(down), slippage=row.slippage)
        for number, row, up, down in zip(own.numbers, rows, highest.tolist(), lowest.tolist(), strict=True)
    ]
