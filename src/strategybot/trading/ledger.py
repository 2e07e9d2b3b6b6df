"""What a run did, as columns that grow by doubling: a row a closed trade, a row a decision."""

from typing import NamedTuple

import numpy as np

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.jit import compiled, inlined
from strategybot.trading.kernel import NOTHING, Outcome, Sale

ENTRY, EXIT, REASON = 0, 1, 2  # columns of `places`: candle of the entry, candle of the exit, why
QUANTITY, BUDGET, CASH, ENTRY_PRICE, EXIT_BASE, EXIT_PRICE, PROCEEDS = 0, 1, 2, 3, 4, 5, 6  # columns of `amounts`
CANDLE, DECISION = 0, 1  # columns of `signals`
TRADES, SIGNALS, LAST_ENTRY = 0, 1, 2  # cells of `counts`
FIRST_ROWS = 64


class Ledger(NamedTuple):
    places: Integers
    amounts: Floats
    signals: Integers
    counts: Integers


@compiled
def new_ledger() -> Ledger:
    return Ledger(
        np.empty((FIRST_ROWS, 3), np.int64),
        np.empty((FIRST_ROWS, 7), np.float64),
        np.empty((2 * FIRST_ROWS, 2), np.int64),
        np.array([0, 0, -1], np.int64),
    )


@compiled
def with_room(ledger: Ledger) -> Ledger:
    """The ledger with room for one more candle; a candle adds at most one trade and one decision."""
    trades, signals = ledger.counts[TRADES], ledger.counts[SIGNALS]
    wider = ledger
    if trades == len(ledger.places):
        places, amounts = np.empty((2 * trades, 3), np.int64), np.empty((2 * trades, 7), np.float64)
        places[:trades], amounts[:trades] = ledger.places, ledger.amounts  # the rest costs nothing until it is written
        wider = Ledger(places, amounts, wider.signals, wider.counts)
    if signals == len(ledger.signals):
        decisions = np.empty((2 * signals, 2), np.int64)
        decisions[:signals] = ledger.signals
        wider = Ledger(wider.places, wider.amounts, decisions, wider.counts)
    return wider


@inlined
def is_full(ledger: Ledger) -> bool:
    return bool(ledger.counts[TRADES] == len(ledger.places) or ledger.counts[SIGNALS] == len(ledger.signals))


@inlined
def record(ledger: Ledger, i: int, outcome: Outcome) -> None:
    if outcome.bought:
        ledger.counts[LAST_ENTRY] = i
    if outcome.sale.reason != NOTHING:
        write_trade(ledger, i, outcome.sale)
    if outcome.state.pending != NOTHING:
        row = ledger.counts[SIGNALS]
        ledger.signals[row, CANDLE] = i
        ledger.signals[row, DECISION] = outcome.state.pending
        ledger.counts[SIGNALS] = row + 1


@inlined
def write_trade(ledger: Ledger, i: int, sale: Sale) -> None:
    row = ledger.counts[TRADES]
    ledger.places[row, ENTRY] = ledger.counts[LAST_ENTRY]
    ledger.places[row, EXIT] = i
    ledger.places[row, REASON] = sale.reason
    amounts = ledger.amounts[row]
    amounts[QUANTITY] = sale.quantity
    amounts[BUDGET] = sale.budget
    amounts[CASH] = sale.cash
    amounts[ENTRY_PRICE] = sale.entry_price
    amounts[EXIT_BASE] = sale.base
    amounts[EXIT_PRICE] = sale.price
    amounts[PROCEEDS] = sale.proceeds
    ledger.counts[TRADES] = row + 1
