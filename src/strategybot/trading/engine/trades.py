"""The fills and the closed round trips of a run. They are columns; rows are made only for a requested page."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.costs import Costs, Paid, paid_by_trades
from strategybot.trading.engine.filled import (
    FILL_FIELDS,
    Table,
    are_buys,
    charge,
    fills_of_whole_trades,
    paid_by_fills,
)
from strategybot.trading.engine.fills import FillCounts
from strategybot.trading.engine.ledger import (
    AMOUNT,
    BASE,
    BUDGET,
    CANDLE,
    CASH_AFTER,
    CERTAINTY,
    ENTRY,
    ENTRY_PRICE,
    EXIT,
    EXIT_BASE,
    EXIT_PRICE,
    FILLS,
    FIRST_FILL,
    HELD,
    LAST_FILL,
    MONEY,
    PROCEEDS,
    QUANTITY,
    WHAT,
    WHY,
    Ledger,
    RoundTrips,
    average_prices,
    largest_held,
    numbers_of,
    reasons_of,
)
from strategybot.trading.engine.risk import ASSUMED, STOPPED_TRADING
from strategybot.trading.engine.step import EVEN
from strategybot.trading.engine.tables import TradeRow, measured_at, trade_fields, trade_rows
from strategybot.trading.language.strategy import Strategy

DAY = 86_400


def moments(candles: Candles, places: Integers, reasons: Integers) -> Integers:
    """Return the times of fills. A token is known to have stopped trading a day after its last candle."""
    found: Integers = candles.time[places] + np.where(reasons == STOPPED_TRADING, DAY, 0)
    return found


@dataclass(frozen=True, eq=False)
class Fills:
    """Every buy and sale of a run, oldest first."""

    candles: Candles
    costs: Costs
    places: Integers
    amounts: Floats
    open_since: int  # the first fill of the position that is open at the end; the number of fills if none is

    @classmethod
    def of(cls, candles: Candles, costs: Costs, ledger: Ledger, trips: RoundTrips) -> "Fills":
        count = int(ledger.counts[FILLS])
        return cls(candles, costs, ledger.places[:count], ledger.amounts[:count], trips.open_since)

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def reasons(self) -> Integers:
        return reasons_of(self.places[:, WHAT])

    @cached_property
    def are_buys(self) -> NDArray[np.bool_]:
        return are_buys(self.reasons)

    @cached_property
    def largest(self) -> Floats:
        """Return for each fill the most that its position has held so far."""
        return largest_held(self.amounts)

    @cached_property
    def prices(self) -> Floats:
        slippage = self.costs.slippage
        factors = np.where(self.are_buys, 1.0 + slippage, 1.0 - slippage)
        return self.amounts[:, BASE] * np.where(self.reasons == STOPPED_TRADING, 1.0, factors)

    @cached_property
    def averages(self) -> Floats:
        return average_prices(self.places, self.amounts, self.costs.slippage)

    @cached_property
    def entries(self) -> Integers:
        """Return for each fill the candle of the first buy of its position."""
        held_before = np.append(0.0, self.amounts[:-1, HELD])
        first = np.flatnonzero(held_before == 0)
        found: Integers = np.repeat(self.places[first, CANDLE], np.diff(first, append=len(self)))
        return found

    @cached_property
    def still_open(self) -> "Fills":
        """Return those of the position that is open at the end."""
        return Fills(self.candles, self.costs, self.places[self.open_since :], self.amounts[self.open_since :], 0)

    def paid_while_open(self) -> tuple[float, float, float, float]:
        """Return the fees, slippage, tax and impact of the position that is open at the end."""
        held = self.still_open
        if len(held) == 0:
            return 0.0, 0.0, 0.0, 0.0
        columns = (held.paid.fees, held.slippage, held.paid.tax, held.paid.impact)
        fees, slippage, tax, impact = (float(each.sum()) for each in columns)
        return fees, slippage, tax, impact

    @cached_property
    def paid(self) -> Paid:
        return paid_by_fills(self.costs, self.are_buys, charge(self.prices, self.reasons), self.amounts[:, AMOUNT])

    @property
    def money(self) -> Floats:
        """Return what each fill spent or received."""
        return self.amounts[:, MONEY]

    @cached_property
    def slippage(self) -> Floats:
        return self.amounts[:, AMOUNT] * np.abs(self.prices - self.amounts[:, BASE])

    def table(self, offset: int, limit: int) -> Table:
        part = slice(offset, offset + limit)
        places, amounts = self.places[part], self.amounts[part]
        table = np.empty(len(places), FILL_FIELDS)
        table["reason"], table["number"] = self.reasons[part], numbers_of(places[:, WHAT])
        table["time"] = moments(self.candles, places[:, CANDLE], self.reasons[part])
        table["price"], table["average"], table["quantity"] = self.prices[part], self.averages[part], amounts[:, AMOUNT]
        table["cash"], table["held"] = amounts[:, CASH_AFTER], amounts[:, HELD]
        return table


@dataclass(frozen=True, eq=False)
class Trades:
    """The closed round trips of a run, oldest first."""

    strategy: Strategy
    candles: Candles
    costs: Costs
    places: Integers
    amounts: Floats
    parts: Fills

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
        if self.strategy.trades_in_parts:
            return Paid(*(self._sum(each) for each in self.parts.paid))
        quantity, entry, exits = (self.amounts[:, column] for column in (QUANTITY, ENTRY_PRICE, EXIT_PRICE))
        return paid_by_trades(self.costs, quantity, entry, charge(exits, self.places[:, WHY]))

    @cached_property
    def slippage(self) -> Floats:
        if self.strategy.trades_in_parts:
            return self._sum(self.parts.slippage)
        entry = self.amounts[:, ENTRY_PRICE] - self.candles.open[self.places[:, ENTRY]]
        return self.amounts[:, QUANTITY] * (entry + self.amounts[:, EXIT_BASE] - self.amounts[:, EXIT_PRICE])

    def _sum(self, values: Floats) -> Floats:
        """Return the sums of values of the fills, one for each trade."""
        if not len(self):
            return np.empty(0)
        return np.add.reduceat(values[: self.places[-1, LAST_FILL] + 1], self.places[:, FIRST_FILL])

    @cached_property
    def fills(self) -> FillCounts:
        """Return the number of exits by how sure they are."""
        exact, resolved, assumed = np.bincount(self.places[:, CERTAINTY], minlength=ASSUMED + 1).tolist()
        return FillCounts(exact=exact, resolved=resolved, assumed=assumed)

    @cached_property
    def holding_seconds(self) -> Integers:
        return self.exit_times - self.candles.time[self.places[:, ENTRY]]

    @property
    def last_fills(self) -> Integers:
        """Return for each trade which of the fills ended it."""
        return self.places[:, LAST_FILL]

    @property
    def fill_ranges(self) -> Integers:
        """Return for each trade its first and its last fill."""
        return self.places[:, [FIRST_FILL, LAST_FILL]]

    @property
    def ended_by_death(self) -> bool:
        """Return whether the last trade ended because its token stopped trading."""
        return len(self) > 0 and int(self.places[-1, WHY]) == STOPPED_TRADING

    @cached_property
    def exit_times(self) -> Integers:
        return moments(self.candles, self.places[:, EXIT], self.places[:, WHY])

    def page(self, offset: int, limit: int) -> list[TradeRow]:
        table = self.table(offset, limit)
        fills = fills_of_whole_trades(table)
        if self.strategy.trades_in_parts:
            places = self.places[offset : offset + limit]
            first, end = (int(places[0, FIRST_FILL]), int(places[-1, LAST_FILL]) + 1) if len(places) else (0, 0)
            fills = self.parts.table(first, end - first)
        return trade_rows(self.strategy, self.costs, table, fills, offset + 1)

    def table(self, offset: int, limit: int) -> Table:
        part = slice(offset, offset + limit)
        places, amounts = self.places[part], self.amounts[part]
        table = np.empty(len(places), trade_fields(self.strategy))
        table["entry_time"] = self.candles.time[places[:, ENTRY]]
        table["exit_time"] = self.exit_times[part]
        table["entry_price"], table["exit_price"] = amounts[:, ENTRY_PRICE], amounts[:, EXIT_PRICE]
        table["quantity"] = amounts[:, QUANTITY]
        table["pnl"], table["pnl_percent"], table["fees"] = self.pnl[part], self.pnl_percent[part], self.paid.fees[part]
        table["exit_reason"] = places[:, WHY]
        table["measured"] = measured_at(self.strategy.conditions, self.candles, places[:, ENTRY] - 1)
        if self.strategy.trades_in_parts:
            table["first_fill"], table["last_fill"] = places[:, FIRST_FILL], places[:, LAST_FILL]
        return table
