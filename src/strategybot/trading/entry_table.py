"""The entry table: what one unit bought at each candle's open becomes under a strategy's own exits and costs.

It equals stepping the engine from every candle, bit for bit, but skips candles at which nothing can happen. Entries
that are still open at the end have no value (NaN). A candle in doubt is read as stop first: minutes are known only
where the run itself needed them. Where all candles would take too long, every 16th (256th, 4096th)
is taken: the number of candles looked at decides, never the clock.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.conditions import Columns
from strategybot.trading.fast.blocks import Scratch, flagged, new_scratch
from strategybot.trading.fast.scan import STOP_REQUESTED, next_risk
from strategybot.trading.jit import compiled, lean
from strategybot.trading.kernel import Rules, buy, sell
from strategybot.trading.risk import FOREVER, LONG_AGO, NOTHING, State, Terms, risk_exit

STRIDES = (4096, 256, 16, 1)
MOST_LOOKS = 500_000_000  # candles that are read; about 0.3 s
TRAILING_WEIGHT = 8  # with a trailing stop most candles are read one by one
NEVER = 2**62
ONE_UNIT = State(1.0, 0.0, 0.0, 0.0, LONG_AGO, 0.0, LONG_AGO, NOTHING)


class EntryTable(NamedTuple):
    """`values[k]` is the return, as a fraction, of the entry at candle `start + k * stride`."""

    start: int
    stride: int
    values: Floats

    @property
    def average(self) -> float | None:
        """Return the mean of all entries that were closed; None if there is none."""
        closed = self.values[np.isfinite(self.values)]
        return float(np.mean(closed)) if len(closed) else None


def entry_table(rules: Rules, columns: Columns, start: int, control: Integers) -> EntryTable:
    """Return the table of all entries from candle `start` on, as fine as the limit of work allows."""
    whole = rules._replace(terms=rules.terms._replace(share=1.0))
    due = exit_decisions(whole, columns, start, control)
    weight = TRAILING_WEIGHT if rules.terms.trailing_factor > 0 else 1
    table = EntryTable(start, STRIDES[0], np.empty(0))
    for stride in STRIDES:
        looks = np.zeros(1, np.int64)
        table = EntryTable(start, stride, entry_returns(whole, columns, due, start, stride, looks, control))
        finer = 16 * weight * int(looks[0])
        if finer > MOST_LOOKS or control[STOP_REQUESTED]:
            break
    return table


@compiled
def exit_decisions(rules: Rules, columns: Columns, start: int, control: Integers) -> Integers:
    """Return for each candle the first candle from it on whose close decides an exit, whenever the entry was."""
    count = len(columns.time)
    found = np.full(count, NEVER, np.int64)
    if len(rules.exit.kinds) == 0:
        return found
    scratch = new_scratch(rules.exit, count)
    mark_exits(rules, columns, scratch, start, found, control)
    nearest = NEVER
    for i in range(count - 1, start - 1, -1):
        nearest = min(nearest, found[i])
        found[i] = nearest
    return found


@lean
def mark_exits(
    rules: Rules, columns: Columns, scratch: Scratch, start: int, found: Integers, control: Integers
) -> None:
    for i in range(start, len(columns.time)):
        if i % 4096 == 0 and control[STOP_REQUESTED] != 0:
            return
        if flagged(rules.exit, columns, scratch, i):
            found[i] = i


@compiled
def entry_returns(
    rules: Rules, columns: Columns, due: Integers, start: int, stride: int, looks: Integers, control: Integers
) -> Floats:
    """Return the returns of the entries at `start`, `start + stride`, …; `looks` counts the candles that are read."""
    count = max(0, (len(columns.time) - start + stride - 1) // stride)
    values = np.full(count, np.nan)
    fill_returns(rules, columns, due, start, stride, values, looks, control)
    return values


@lean
def fill_returns(
    rules: Rules,
    columns: Columns,
    due: Integers,
    start: int,
    stride: int,
    values: Floats,
    looks: Integers,
    control: Integers,
) -> None:
    latest = start  # the candle at which `max_holding` ends; it only moves forward
    for k in range(len(values)):
        if k % 256 == 0 and control[STOP_REQUESTED] != 0:
            return
        entry = start + k * stride
        if rules.terms.max_holding < FOREVER:
            latest = holding_end(columns.time, rules.terms.max_holding - rules.terms.interval, entry, latest)
        else:
            latest = len(columns.time)
        decision_candle = min(due[entry], latest)
        values[k], last = entry_return(rules.terms, columns, entry, decision_candle)
        looks[0] += last - entry + 1


@lean
def holding_end(time: Integers, seconds: int, entry: int, i: int) -> int:
    """Return the first candle from max(i, entry) on that begins at least `seconds` after the entry."""
    i = max(i, entry)
    while i < len(time) and time[i] < time[entry] + seconds:
        i += 1
    return i


@lean
def entry_return(terms: Terms, columns: Columns, entry: int, decision_candle: int) -> tuple[float, int]:
    """Return the return of one entry, NaN if it stays open, and the last candle that was read."""
    count = len(columns.time)
    state = buy(terms, ONE_UNIT, columns.time[entry], columns.open[entry])
    if state.quantity == 0.0:
        return np.nan, entry
    end = min(decision_candle + 1, count)
    i, state = next_risk(terms, columns.open, columns.high, columns.low, state, entry, end, False)
    if i < end:
        reason, base, level = risk_exit(terms, state, columns.open[i], columns.high[i], columns.low[i])
    elif end < count:
        reason, base, level = 1, columns.open[end], columns.open[end]  # the reason changes no price
    else:
        return np.nan, count
    sold = sell(terms, state, columns.time[i], reason, base, level)
    return sold.sale.proceeds - sold.sale.budget, i
