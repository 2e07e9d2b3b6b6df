"""How far each trade ran up and fell while it was held, and which positions a run held."""

import numpy as np

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.costs import Costs, budget_of
from strategybot.trading.engine.equity import Holdings, holdings_after
from strategybot.trading.engine.filled import Table


def excursions(trades: Table, candles: Candles) -> tuple[Floats, Floats]:
    """Return the highest and the lowest price of each trade, in percent of its entry price.

    They are those of the candles from the entry to the exit. On the last candle only its open and the exit price are
    certain to have come before the sale.
    """
    first, last = _rows(candles, trades["entry_time"]), _rows(candles, trades["exit_time"])
    entry, exits = trades["entry_price"], trades["exit_price"]
    if len(candles) == 0 or len(trades) == 0:
        return np.full(len(trades), np.nan), np.full(len(trades), np.nan)
    top, bottom = np.maximum(entry, exits), np.minimum(entry, exits)
    held = np.flatnonzero(last > first)
    bounds = np.column_stack((first[held], last[held])).ravel()
    if len(held):
        top[held] = np.maximum(top[held], np.maximum.reduceat(np.append(candles.high, 0.0), bounds)[::2])
        lows = np.append(candles.low, np.inf)
        bottom[held] = np.minimum(bottom[held], np.minimum.reduceat(lows, bounds)[::2])
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        return 100 * (top / entry - 1), 100 * (bottom / entry - 1)


def holdings_of_trades(
    trades: Table, open_trade: tuple[int, float, float] | None, costs: Costs, initial_cash: float, time: Integers
) -> Holdings:
    """Return the positions on candles with these times; `open_trade` is entry time, entry price and quantity.

    Each trade was bought and sold at once.
    """
    quantity, flat = trades["quantity"], initial_cash + np.append(0.0, np.cumsum(trades["pnl"]))
    cash = np.column_stack((flat[:-1] - budget_of(costs, quantity, trades["entry_price"]), flat[1:])).ravel()
    held = np.column_stack((quantity, np.zeros(len(trades)))).ravel()
    moments = np.column_stack((trades["entry_time"], trades["exit_time"])).ravel()
    if open_trade is not None:
        moment, price, amount = open_trade
        left = flat[-1] - budget_of(costs, *np.array([[amount], [price]]))
        moments, cash, held = np.append(moments, moment), np.append(cash, left), np.append(held, amount)
    return holdings_after(np.searchsorted(time, moments), cash, held, len(time), initial_cash)


def holdings_of_fills(fills: Table, initial_cash: float, time: Integers) -> Holdings:
    """Return the positions on candles with these times."""
    rows = np.searchsorted(time, fills["time"])
    return holdings_after(rows, fills["cash"], fills["held"], len(time), initial_cash)


def _rows(candles: Candles, moments: Integers) -> Integers:
    rows: Integers = np.searchsorted(candles.time, moments)
    return rows
