"""The equity of a run, computed without storing it for every candle: it follows from the closes and the positions.

The equity at the close of a candle is its mark. A run is a sequence of pieces: without a position the equity is
constant, with one it follows the close. Groups of candles without a new peak or a deeper fall are skipped by a vector
test.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.jit import compiled, lean
from strategybot.trading.engine.ledger import CANDLE, CASH_AFTER, FILLS, HELD, Ledger

DAY = 86_400
MOST_POINTS = 1000
GROUP = 64
ROUNDING = 1e-12  # far above what rounding can change in a share of the peak


class Holdings(NamedTuple):
    """What is owned, one row for each change: from the mark of `first` to the one before the next row."""

    first: Integers
    cash: Floats
    quantity: Floats
    start: int
    end: int

    @property
    def candles_held(self) -> int:
        """Return the number of marks with a position."""
        return int(np.diff(self.first, append=self.end)[self.quantity > 0].sum())


class Piece(NamedTuple):
    end: int
    cash: float
    quantity: float
    row: int


class Fall(NamedTuple):
    """The drawdown so far."""

    peak: float
    peak_time: int  # the last mark at the peak
    deepest: float
    longest: int
    under: bool


def holdings_of(ledger: Ledger, start: int, end: int, initial_cash: float) -> Holdings:
    count = ledger.counts[FILLS]
    return Holdings(*changes(ledger.places[:count], ledger.amounts[:count], start, initial_cash), start, end)


@compiled
def changes(places: Integers, amounts: Floats, start: int, initial_cash: float) -> tuple[Integers, Floats, Floats]:
    """Return the candles at which what is owned changes, with the cash and the quantity from there on."""
    rows, last = len(places) + 1, 0
    first, cash, quantity = np.empty(rows, np.int64), np.empty(rows, np.float64), np.empty(rows, np.float64)
    first[0], cash[0], quantity[0] = start, initial_cash, 0.0
    for row in range(len(places)):
        last += 1 if places[row, CANDLE] != first[last] else 0
        first[last], cash[last], quantity[last] = places[row, CANDLE], amounts[row, CASH_AFTER], amounts[row, HELD]
    return first[: last + 1], cash[: last + 1], quantity[: last + 1]


def holdings_after(candles: Integers, cash: Floats, held: Floats, end: int, initial_cash: float) -> Holdings:
    """Return the holdings on candles from 0 on; each fill has its candle, and the cash and the quantity after it."""
    last = np.append(np.diff(candles) != 0, np.ones(min(1, len(candles)), np.bool_))  # of several in one candle
    return Holdings(
        np.append(0, candles[last]), np.append(initial_cash, cash[last]), np.append(0.0, held[last]), 0, end
    )


def equity_at(holdings: Holdings, close: Floats, candles: Integers) -> Floats:
    """Return the marks of these candles: exactly cash + quantity × close."""
    row = np.searchsorted(holdings.first, candles, side="right") - 1
    with np.errstate(over="ignore"):
        return holdings.cash[row] + holdings.quantity[row] * close[candles]


def daily_equity(holdings: Holdings, candles: Candles, initial_cash: float) -> Floats:
    """Return the initial cash and the last mark of each UTC day; a day without a candle has that of the day before."""
    time = candles.time[holdings.start : holdings.end]
    if len(time) == 0:
        return np.array([initial_cash])
    first_day = int(time[0]) // DAY
    ends = np.empty(int(time[-1]) // DAY + 1 - first_day, np.int64)
    fill_day_ends(time, first_day, DAY // candles.interval_seconds, ends)
    return np.append(initial_cash, equity_at(holdings, candles.close, ends - 1 + holdings.start))


@lean
def fill_day_ends(time: Integers, first_day: int, candles_a_day: int, ends: Integers) -> None:
    """Write for each day the first candle after it. It is looked for at once where a day without gaps ends."""
    end = 0
    for k in range(len(ends)):
        moment, near = (first_day + k + 1) * DAY, end + candles_a_day
        is_there = 0 < near < len(time) and time[near - 1] < moment <= time[near]
        end = near if is_there else end + int(np.searchsorted(time[end:], moment))
        ends[k] = end


def fall_and_curve(holdings: Holdings, candles: Candles, initial_cash: float) -> tuple[Fall, Integers]:
    """Return the drawdown of the run, and at most 1,000 candles for its equity curve.

    These are the first, the last and the extremes of each stretch of time; or all of them.
    """
    is_short = holdings.end - holdings.start <= MOST_POINTS
    stretches = 1 if is_short else MOST_POINTS // 2 - 1
    seconds = candles.interval_seconds
    fall, extremes = follow(holdings, candles.time, candles.close, seconds, initial_cash, stretches)
    if is_short:
        return fall, np.arange(holdings.start, holdings.end)
    return fall, _with_ends(extremes, holdings.start, holdings.end)


def _with_ends(extremes: Integers, start: int, end: int) -> Integers:
    """Return the candles of pairs that follow each other, and the first and the last candle: ascending, each once."""
    pairs = extremes.reshape(-1, 2)
    points = np.concatenate(((start,), np.sort(pairs).ravel(), (end - 1,)))
    found: Integers = points[np.append(points[:-1] != points[1:], True)]
    return found


@lean
def piece_at(holdings: Holdings, i: int, row: int) -> Piece:
    """Return the piece that contains candle i. The search begins at `row`, which must not be a later one."""
    while row + 1 < len(holdings.first) and holdings.first[row + 1] <= i:
        row += 1
    end = holdings.first[row + 1] if row + 1 < len(holdings.first) else holdings.end
    return Piece(end, holdings.cash[row], holdings.quantity[row], row)


@lean
def after_mark(fall: Fall, equity: float, moment: int) -> Fall:
    if equity >= fall.peak:
        longest = max(fall.longest, moment - fall.peak_time) if fall.under else fall.longest
        return Fall(equity, moment, fall.deepest, longest, False)
    depth = 1.0 - equity / fall.peak
    return Fall(fall.peak, fall.peak_time, depth if depth > fall.deepest else fall.deepest, fall.longest, True)


@lean
def after_held(fall: Fall, piece: Piece, i: int, time: Integers, close: Floats, interval: int) -> Fall:
    while i < piece.end:
        stop = min(i + GROUP, piece.end)
        if nothing_new(fall, piece, close[i:stop]):
            i = stop
        while i < stop:
            fall = after_mark(fall, piece.cash + piece.quantity * close[i], time[i] + interval)
            i += 1
    return fall


@lean
def nothing_new(fall: Fall, piece: Piece, close: Floats) -> bool:
    """Return whether all marks are below the peak, and surely none is a deeper fall than before."""
    floor = fall.peak * (1.0 - fall.deepest + ROUNDING)  # a division for each mark would take most of the time
    found = 0 if fall.under else 1
    for k in range(len(close)):
        equity = piece.cash + piece.quantity * close[k]
        found |= (equity >= fall.peak) | (equity <= floor)
    return found == 0


@compiled
def follow(
    holdings: Holdings, time: Integers, close: Floats, interval: int, initial_cash: float, stretches: int
) -> tuple[Fall, Integers]:
    """Return the drawdown of the whole run, and the candles of the lowest and the highest mark of each stretch.

    The stretches are equally long. The longest drawdown is measured between marks, at the ends of candles.
    """
    fall = Fall(initial_cash, time[holdings.start] if holdings.start < holdings.end else 0, 0.0, 0, False)
    found, bits, ends = np.empty(2 * stretches, np.int64), close.view(np.int64), np.empty(2, np.int64)
    prices = ends.view(np.float64)
    total, row = holdings.end - holdings.start, 0
    for stretch in range(stretches if total > 0 else 0):
        i = holdings.start + total * stretch // stretches
        last = holdings.start + total * (stretch + 1) // stretches
        lowest, highest = (i, bits[i]), (i, bits[i])  # where the piece with the extreme begins, and its price
        least, most = np.inf, -np.inf
        while i < last:
            piece = piece_at(holdings, i, row)
            row, piece = piece.row, Piece(min(piece.end, last), piece.cash, piece.quantity, piece.row)
            ends[0], ends[1] = lowest_and_highest(bits[i : piece.end] if piece.quantity > 0.0 else bits[i : i + 1])
            low_mark, high_mark = piece.cash + piece.quantity * prices[0], piece.cash + piece.quantity * prices[1]
            if low_mark < least:
                lowest, least = (i, ends[0]), low_mark
            if high_mark > most:
                highest, most = (i, ends[1]), high_mark
            if piece.quantity == 0.0:
                fall = after_mark(fall, piece.cash, time[i] + interval)
                fall = after_mark(fall, piece.cash, time[piece.end - 1] + interval)
            elif high_mark < fall.peak:  # the deepest fall is at the lowest price
                fall = after_mark(fall, low_mark, time[i])
            else:
                fall = after_held(fall, piece, i, time, close, interval)
            i = piece.end
        found[2 * stretch], found[2 * stretch + 1] = place_of(bits, *lowest), place_of(bits, *highest)
    longest = fall.longest
    if fall.under:
        longest = max(longest, time[holdings.end - 1] + interval - fall.peak_time)
    return Fall(fall.peak, fall.peak_time, fall.deepest, longest, fall.under), found


@lean
def lowest_and_highest(bits: Integers) -> tuple[int, int]:
    """Return the lowest and the highest price, as integers.

    The bits of positive floats have the same order, and the compiler vectorises only comparisons of integers, in arrays
    that are read from their first item on.
    """
    bottom, top = bits[0], bits[0]
    for k in range(len(bits)):
        bottom, top = min(bottom, bits[k]), max(top, bits[k])
    return bottom, top


@lean
def place_of(bits: Integers, i: int, price: int) -> int:
    """Return the first candle from i on with this price, which there is."""
    while bits[i] != price:
        i += 1
    return i


def fall_and_curve_of_marks(time: Integers, marks: Floats, interval: int, initial_cash: float) -> tuple[Fall, Integers]:
    """Return the same of a run whose marks are stored, one for each of these times."""
    stretches = 1 if len(marks) <= MOST_POINTS else MOST_POINTS // 2 - 1
    extremes = np.empty(2 * stretches, np.int64)
    fall = follow_marks(time, marks, interval, initial_cash, extremes)
    if len(marks) <= MOST_POINTS:
        return fall, np.arange(len(marks))
    return fall, _with_ends(extremes, 0, len(marks))


@lean
def follow_marks(time: Integers, marks: Floats, interval: int, initial_cash: float, found: Integers) -> Fall:
    """Return the drawdown, and write to `found` the lowest and the highest mark of each stretch of time."""
    fall, stretches, total = (
        Fall(initial_cash, time[0] if len(time) > 0 else 0, 0.0, 0, False),
        len(found) // 2,
        len(marks),
    )
    for stretch in range(stretches if total > 0 else 0):
        begin = total * stretch // stretches
        lowest, highest = begin, begin
        for i in range(begin, total * (stretch + 1) // stretches):
            lowest = i if marks[i] < marks[lowest] else lowest
            highest = i if marks[i] > marks[highest] else highest
            fall = after_mark(fall, marks[i], time[i] + interval)
        found[2 * stretch], found[2 * stretch + 1] = lowest, highest
    if not fall.under:
        return fall
    longest = max(fall.longest, time[total - 1] + interval - fall.peak_time)
    return Fall(fall.peak, fall.peak_time, fall.deepest, longest, True)


def daily_marks(time: Integers, marks: Floats, initial_cash: float) -> Floats:
    """Return the initial cash and the last mark of each UTC day; the times have no gaps."""
    last = np.flatnonzero(np.diff(time // DAY, append=-1))
    return np.append(initial_cash, marks[last])
