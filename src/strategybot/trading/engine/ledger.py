"""The fills and decisions of a run as columns, one row each, and the round trips that the fills make up.

A full column grows. A step writes its own fills (`orders`); a run adds decisions and candles in doubt.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.jit import compiled, inlined
from strategybot.trading.engine.risk import ENTER, EXACT, LADDER, STOPPED_TRADING

CANDLE, WHAT = 0, 1  # columns of `places`; WHAT holds a reason, a number and a certainty, see `reasons_of`
BASE, AMOUNT, MONEY, CASH_AFTER, HELD, LEVEL = range(6)  # columns of `amounts`
BYTE = 8  # bits of each part of WHAT
TOKEN = 32  # where a portfolio has the token of a row, in WHAT, DECISION and a doubt
DECISION = 1  # column of `signals`, after the candle
FILLS, SIGNALS, DOUBTS, LEAST_SURE = 0, 1, 2, 3  # cells of `counts`; the last since the entry
FIRST_ROWS = 128
GROWTH = 4  # of a full column; rows that are not written take no memory
MOST_FILLS = 32  # of one candle: an entry, ten ladder steps, five targets and a stop, with those taken back again


class Ledger(NamedTuple):
    places: Integers
    amounts: Floats
    signals: Integers
    doubts: Integers  # candles in doubt that no minutes decided
    counts: Integers


class Fill(NamedTuple):
    """One row of the fills."""

    reason: int
    number: int  # of the target or the ladder step, counted from 1; 0 for other fills
    base: float  # the price before slippage
    quantity: float
    money: float  # spent or received
    held: float  # after it
    level: float  # the stop, the target or the ladder step that was reached

    @property
    def is_buy(self) -> bool:
        return self.reason in (ENTER, LADDER)


@compiled
def new_ledger() -> Ledger:
    return Ledger(
        np.empty((FIRST_ROWS, 2), np.int64),
        np.empty((FIRST_ROWS, 6), np.float64),
        np.empty((FIRST_ROWS, 2), np.int64),
        np.empty(FIRST_ROWS, np.int64),
        np.array([0, 0, 0, EXACT], np.int64),
    )


@inlined
def reset(ledger: Ledger) -> None:
    """Forget all rows."""
    ledger.counts[:] = 0


@compiled
def with_room(ledger: Ledger, tokens: int = 1) -> Ledger:
    """Return the ledger with room for one more candle of so many tokens."""
    fills, signals, count = ledger.counts[FILLS], ledger.counts[SIGNALS], ledger.counts[DOUBTS]
    wider = ledger
    if fills + tokens * MOST_FILLS > len(ledger.places):
        rows = GROWTH * max(len(ledger.places), tokens * MOST_FILLS)
        places, amounts = np.empty((rows, 2), np.int64), np.empty((rows, 6), np.float64)
        places[:fills], amounts[:fills] = ledger.places[:fills], ledger.amounts[:fills]
        wider = Ledger(places, amounts, wider.signals, wider.doubts, wider.counts)
    if signals + tokens > len(ledger.signals):
        decisions = np.empty((GROWTH * len(ledger.signals), 2), np.int64)
        decisions[:signals] = ledger.signals[:signals]
        wider = Ledger(wider.places, wider.amounts, decisions, wider.doubts, wider.counts)
    if count + tokens > len(ledger.doubts):
        doubts = np.empty(GROWTH * len(ledger.doubts), np.int64)
        doubts[:count] = ledger.doubts[:count]
        wider = Ledger(wider.places, wider.amounts, wider.signals, doubts, wider.counts)
    return wider


@inlined
def is_full(ledger: Ledger, tokens: int = 1) -> bool:
    counts = ledger.counts
    has_fills = counts[FILLS] + tokens * MOST_FILLS <= len(ledger.places)
    has_signals = counts[SIGNALS] + tokens <= len(ledger.signals)
    return bool(not has_fills or not has_signals or counts[DOUBTS] + tokens > len(ledger.doubts))


@inlined
def write_decision(ledger: Ledger, i: int, decision: int) -> None:
    row = ledger.counts[SIGNALS]
    ledger.signals[row, CANDLE] = i
    ledger.signals[row, DECISION] = decision
    ledger.counts[SIGNALS] = row + 1


@inlined
def write_doubt(ledger: Ledger, i: int) -> None:
    row = ledger.counts[DOUBTS]
    ledger.doubts[row] = i
    ledger.counts[DOUBTS] = row + 1


@inlined
def note_certainty(ledger: Ledger, first: int, certainty: int, is_new: bool) -> None:
    """Write to the fills from row `first` on how sure they are: no surer than the candles since the entry."""
    least = max(certainty, EXACT if is_new else ledger.counts[LEAST_SURE])
    ledger.counts[LEAST_SURE] = least
    for row in range(first, ledger.counts[FILLS]):
        ledger.places[row, WHAT] |= least << 2 * BYTE


def reasons_of(what: Integers) -> Integers:
    return what & 0xFF


def numbers_of(what: Integers) -> Integers:
    """Return which target or ladder step each fill is, counted from 1; 0 for other fills."""
    return what >> BYTE & 0xFF


def fills_from(ledger: Ledger, first: int) -> list[Fill]:
    rows = slice(first, int(ledger.counts[FILLS]))
    what, amounts = ledger.places[rows, WHAT], ledger.amounts[rows].tolist()
    return [
        Fill(reason, number, base, quantity, money, held, level)
        for reason, number, (base, quantity, money, _, held, level) in zip(
            reasons_of(what).tolist(), numbers_of(what).tolist(), amounts, strict=True
        )
    ]


# columns of `RoundTrips.places`: its candles, why it ended, how sure that is, and its rows of the fills
ENTRY, EXIT, WHY, CERTAINTY, FIRST_FILL, LAST_FILL = range(6)
QUANTITY, BUDGET, CASH, ENTRY_PRICE, EXIT_BASE, EXIT_PRICE, PROCEEDS = range(7)  # columns of `RoundTrips.amounts`


class RoundTrips(NamedTuple):
    """The closed positions, from the first buy until nothing is held. Prices are averages weighted by quantity."""

    places: Integers
    amounts: Floats
    last_entry: int  # candle of the first buy of the last position; -1 if nothing was bought
    open_since: int  # row of the first fill of the position that is open at the end; the number of fills if none is


@compiled
def round_trips(ledger: Ledger, slippage: float) -> RoundTrips:
    count = ledger.counts[FILLS]
    # Each column lies together: metrics read few of them, for all trades.
    places, amounts = np.empty((6, count // 2), np.int64).T, np.empty((7, count // 2), np.float64).T
    trades, begin, held = 0, 0, 0.0
    for row in range(count):
        if held == 0.0:
            begin = row
        held = ledger.amounts[row, HELD]
        if held == 0.0:
            write_round_trip(ledger, slippage, begin, row, places[trades], amounts[trades])
            trades += 1
    last_entry = ledger.places[begin, CANDLE] if count > 0 else -1
    return RoundTrips(places[:trades], amounts[:trades], last_entry, begin if held > 0.0 else count)


@inlined
def sale_price(reason: int, base: float, slippage: float) -> float:
    """Return the price of a sale; that of a token which has stopped trading has no slippage."""
    return base if reason == STOPPED_TRADING else base * (1.0 - slippage)


@inlined
def write_round_trip(ledger: Ledger, slippage: float, begin: int, last: int, places: Integers, amounts: Floats) -> None:
    """Write the position whose fills are these. One of two fills keeps their prices and amounts as they are."""
    first, end, is_plain, what = (
        ledger.amounts[begin],
        ledger.amounts[last],
        last == begin + 1,
        ledger.places[last, WHAT],
    )
    sold_at = sale_price(what & 0xFF, end[BASE], slippage)
    bought, spent, received, sold = first[AMOUNT], first[MONEY], end[MONEY], end[AMOUNT]
    entry_price, exit_price = first[BASE] * (1.0 + slippage), sold_at
    if not is_plain:
        paid_for, sold_for, received, sold = bought * entry_price, 0.0, 0.0, 0.0
        for row in range(begin + 1, last + 1):
            fill, reason = ledger.amounts[row], ledger.places[row, WHAT] & 0xFF
            if reason in (ENTER, LADDER):
                bought += fill[AMOUNT]
                paid_for += fill[AMOUNT] * (fill[BASE] * (1.0 + slippage))
                spent += fill[MONEY]
            else:
                sold += fill[AMOUNT]
                sold_for += fill[AMOUNT] * sale_price(reason, fill[BASE], slippage)
                received += fill[MONEY]
        entry_price, exit_price = paid_for / bought, sold_for / sold
    places[ENTRY], places[EXIT] = ledger.places[begin, CANDLE], ledger.places[last, CANDLE]
    places[WHY], places[CERTAINTY] = what & 0xFF, what >> 2 * BYTE
    places[FIRST_FILL], places[LAST_FILL] = begin, last
    amounts[QUANTITY], amounts[BUDGET], amounts[PROCEEDS] = bought, spent, received
    amounts[CASH] = first[CASH_AFTER] - (spent - first[MONEY])
    amounts[ENTRY_PRICE], amounts[EXIT_PRICE], amounts[EXIT_BASE] = entry_price, exit_price, end[BASE]


@compiled
def largest_held(amounts: Floats) -> Floats:
    """Return for each fill the most that its position has held so far."""
    found, largest = np.empty(len(amounts), np.float64), 0.0
    for row in range(len(amounts)):
        largest = max(largest, amounts[row, HELD])
        found[row] = largest
        if amounts[row, HELD] == 0.0:
            largest = 0.0
    return found


@compiled
def average_prices(places: Integers, amounts: Floats, slippage: float) -> Floats:
    """Return the average price of what is held after each buy, and before each sale, as `orders.buy` computes it."""
    found, held, average = np.empty(len(amounts), np.float64), 0.0, 0.0
    for row in range(len(amounts)):
        price, quantity = amounts[row, BASE] * (1.0 + slippage), amounts[row, AMOUNT]
        if places[row, WHAT] & 0xFF in (ENTER, LADDER):
            average = price if held == 0.0 else (held * average + quantity * price) / (held + quantity)
        held = amounts[row, HELD]
        found[row] = average
    return found
