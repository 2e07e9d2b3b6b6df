"""Fills as tables of numbers, which is how a run stores them, and as rows for people and programs.

The fills of a position that is bought and sold at once follow from its trade, so only runs that trade in parts store
theirs.
"""

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.costs import Costs, Paid, paid_by_trades
from strategybot.trading.engine.risk import ENTER, LADDER, STOPPED_TRADING
from strategybot.trading.engine.step import EXIT_REASONS
from strategybot.trading.words.numbers import finite

Table = NDArray[np.void]
FILL_REASONS = {ENTER: "entry", LADDER: "ladder", **EXIT_REASONS}
FILL_FIELDS = np.dtype(
    [("time", "<i8"), ("reason", "u1"), ("number", "u1")]
    + [(name, "<f8") for name in ("price", "quantity", "cash", "held", "average")]
)


class FillRow(NamedTuple):
    """One buy or sale. A number is None where it is beyond any float."""

    time: int
    action: Literal["BUY", "SELL"]
    price: float | None
    quantity: float | None
    value: float | None  # quantity × price
    reason: str
    fee: float | None
    slippage: float | None
    tax: float | None
    impact: float | None
    number: int | None  # of the target or the ladder step, counted from 1


def are_buys(reasons: Integers) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (reasons == ENTER) | (reasons == LADDER)
    return found


def charge(price: Floats, reasons: Integers) -> Floats:
    """Return the prices with 0, which costs nothing, for what was written down because its token stopped trading."""
    return np.where(reasons == STOPPED_TRADING, 0.0, price)


def paid_by_fills(costs: Costs, is_buy: NDArray[np.bool_], price: Floats, quantity: Floats) -> Paid:
    return paid_by_trades(costs, quantity, np.where(is_buy, price, 0.0), np.where(is_buy, 0.0, price))


def slippage_by_fills(costs: Costs, is_buy: NDArray[np.bool_], price: Floats, quantity: Floats) -> Floats:
    """Return what slippage cost each fill."""
    base = np.where(is_buy, 1 + costs.slippage, 1 - costs.slippage)
    cost: Floats = quantity * (price * costs.slippage / base)
    return cost


def fill_rows(costs: Costs, table: Table) -> list[FillRow]:
    price, quantity, is_buy = table["price"], table["quantity"], are_buys(table["reason"])
    costly = charge(price, table["reason"])
    paid = paid_by_fills(costs, is_buy, costly, quantity)
    numbers = (price, quantity, price * quantity, paid.fees, slippage_by_fills(costs, is_buy, costly, quantity))
    columns = (*numbers, paid.tax, paid.impact)
    named = (table[name].tolist() for name in ("time", "reason", "number"))
    rows = zip(*named, *(each.tolist() for each in columns), strict=True)
    return [
        FillRow(
            time,
            "BUY" if reason in (ENTER, LADDER) else "SELL",
            finite(at),
            finite(amount),
            finite(value),
            FILL_REASONS[reason],
            finite(fee),
            finite(slippage),
            finite(tax),
            finite(impact),
            number or None,
        )
        for time, reason, number, at, amount, value, fee, slippage, tax, impact in rows
    ]


def fills_of_whole_trades(trades: Table) -> Table:
    """Return the two fills of each trade that was bought and sold at once; what they left is not in it."""
    table = np.zeros(2 * len(trades), FILL_FIELDS)
    for part, name in ((table[::2], "entry"), (table[1::2], "exit")):
        part["time"], part["price"] = trades[f"{name}_time"], trades[f"{name}_price"]
        part["quantity"], part["average"] = trades["quantity"], trades["entry_price"]
    table["reason"][::2], table["reason"][1::2] = ENTER, trades["exit_reason"]
    table["held"][::2] = trades["quantity"]
    return table


def open_fill(time: int, price: float, quantity: float) -> Table:
    """Return the buy of a position that was bought at once and is still open; the cash is not in it."""
    table = np.zeros(1, FILL_FIELDS)
    for name, value in (("time", time), ("reason", ENTER), ("price", price), ("average", price)):
        table[name] = value
    table["quantity"] = table["held"] = quantity
    return table
