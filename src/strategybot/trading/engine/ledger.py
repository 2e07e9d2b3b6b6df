"""The trades and decisions of a run as columns, one row each. The columns grow by doubling."""

from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.jit import compiled, inlined
from strategybot.trading.engine.risk import ASSUMED, EXACT, NOTHING
from strategybot.trading.engine.step import Outcome, Sale

ENTRY, EXIT, REASON, CERTAINTY = 0, 1, 2, 3  # columns of `places`: candle of entry and of exit, why, how sure it is
QUANTITY, BUDGET, CASH, ENTRY_PRICE, EXIT_BASE, EXIT_PRICE, PROCEEDS = 0, 1, 2, 3, 4, 5, 6  # columns of `amounts`
CANDLE, DECISION = 0, 1  # columns of `signals`
TRADES, SIGNALS, LAST_ENTRY, DOUBTS, LEAST_SURE = 0, 1, 2, 3, 4  # cells of `counts`; the last since the entry
FIRST_ROWS = 64


class Ledger(NamedTuple):
    places: Integers
    amounts: Floats
    signals: Integers
    doubts: Integers  # candles in doubt that no minutes decided
    counts: Integers


@compiled
def new_ledger() -> Ledger:
    return Ledger(
        np.empty((FIRST_ROWS, 4), np.int64),
        np.empty((FIRST_ROWS, 7), np.float64),
        np.empty((2 * FIRST_ROWS, 2), np.int64),
        np.empty(FIRST_ROWS, np.int64),
        np.array([0, 0, -1, 0, EXACT], np.int64),
    )


@inlined
def reset(ledger: Ledger) -> None:
    """Forget all rows."""
    ledger.counts[:] = 0
    ledger.counts[LAST_ENTRY] = -1


@compiled
def with_room(ledger: Ledger) -> Ledger:
    """Return the ledger with room for one more candle, which adds at most one row to each table."""
    trades, signals, count = ledger.counts[TRADES], ledger.counts[SIGNALS], ledger.counts[DOUBTS]
    wider = ledger
    if trades == len(ledger.places):
        places, amounts = np.empty((2 * trades, 4), np.int64), np.empty((2 * trades, 7), np.float64)
        places[:trades], amounts[:trades] = ledger.places, ledger.amounts
        wider = Ledger(places, amounts, wider.signals, wider.doubts, wider.counts)
    if signals == len(ledger.signals):
        decisions = np.empty((2 * signals, 2), np.int64)
        decisions[:signals] = ledger.signals
        wider = Ledger(wider.places, wider.amounts, decisions, wider.doubts, wider.counts)
    if count == len(ledger.doubts):
        doubts = np.empty(2 * count, np.int64)
        doubts[:count] = ledger.doubts
        wider = Ledger(wider.places, wider.amounts, wider.signals, doubts, wider.counts)
    return wider


@inlined
def is_full(ledger: Ledger) -> bool:
    counts = ledger.counts
    has_rows = counts[TRADES] < len(ledger.places) and counts[SIGNALS] < len(ledger.signals)
    return bool(not has_rows or counts[DOUBTS] == len(ledger.doubts))


@inlined
def record(ledger: Ledger, i: int, outcome: Outcome) -> None:
    if outcome.bought:
        ledger.counts[LAST_ENTRY] = i
        ledger.counts[LEAST_SURE] = EXACT
    if outcome.certainty != EXACT:
        write_doubt(ledger, i, outcome.certainty)
    if outcome.sale.reason != NOTHING:
        write_trade(ledger, i, outcome.sale)
    if outcome.state.pending != NOTHING:
        row = ledger.counts[SIGNALS]
        ledger.signals[row, CANDLE] = i
        ledger.signals[row, DECISION] = outcome.state.pending
        ledger.counts[SIGNALS] = row + 1


@inlined
def write_doubt(ledger: Ledger, i: int, certainty: int) -> None:
    ledger.counts[LEAST_SURE] = max(ledger.counts[LEAST_SURE], certainty)
    if certainty == ASSUMED:
        row = ledger.counts[DOUBTS]
        ledger.doubts[row] = i
        ledger.counts[DOUBTS] = row + 1


@inlined
def write_trade(ledger: Ledger, i: int, sale: Sale) -> None:
    row = ledger.counts[TRADES]
    ledger.places[row, ENTRY] = ledger.counts[LAST_ENTRY]
    ledger.places[row, EXIT] = i
    ledger.places[row, REASON] = sale.reason
    ledger.places[row, CERTAINTY] = ledger.counts[LEAST_SURE]
    amounts = ledger.amounts[row]
    amounts[QUANTITY] = sale.quantity
    amounts[BUDGET] = sale.budget
    amounts[CASH] = sale.cash
    amounts[ENTRY_PRICE] = sale.entry_price
    amounts[EXIT_BASE] = sale.base
    amounts[EXIT_PRICE] = sale.price
    amounts[PROCEEDS] = sale.proceeds
    ledger.counts[TRADES] = row + 1
