"""What happens to a held position inside a candle, and in which order.

A candle does not tell in which order its prices came. Where that matters the candle is in doubt, and its 1-minute
candles decide if they are known. Without them the fall counts as first if it reaches the stop, otherwise the rise.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.jit import inlined, lean
from strategybot.trading.engine.ledger import FILLS, Ledger
from strategybot.trading.engine.orders import at_open, go_down, go_up
from strategybot.trading.engine.risk import (
    ASSUMED,
    EXACT,
    RESOLVED,
    State,
    Terms,
    could_move_its_stop,
    ladder_level,
    raise_peak,
    stop_level,
    target_level,
)

MATCH = 1e-4  # minutes belong to a candle if their extremes are its own, but for what a provider rounds


class Minutes(NamedTuple):
    """The 1-minute candles that are known, ascending; usually only those of candles in doubt."""

    time: Integers
    open: Floats
    high: Floats
    low: Floats


class Candle(NamedTuple):
    place: int
    time: int
    open: float
    high: float
    low: float
    close: float


class Passed(NamedTuple):
    state: State
    is_in_doubt: bool


@inlined
def pass_candle(terms: Terms, ledger: Ledger, candle: Candle, state: State, may_add: bool) -> Passed:
    """Return a held position after the candle, and whether that depends on the order of the prices inside it.

    It does if going down first and going up first give different fills, or if its own high could have moved a stop
    above its low. What only tries an order is taken back from the ledger.
    """
    place, time = candle.place, candle.time
    opened = at_open(terms, ledger, place, time, state, candle.open, may_add)
    if opened.quantity == 0.0:
        return Passed(opened, False)
    doubt = could_move_its_stop(terms, opened, candle.high, candle.low)
    before, after = ledger.counts[FILLS], opened
    if candle.low <= first_below(terms, opened, may_add):
        down = go_down(terms, ledger, place, time, opened, candle.low, may_add)
        opens_below = candle.open < target_level(terms, opened)
        if ledger.counts[FILLS] > before and opens_below:
            reached = opened if down.quantity == 0.0 else down
            doubt = doubt or candle.high >= target_level(terms, reached)
        if down.quantity == 0.0:
            return Passed(down, doubt)
        ledger.counts[FILLS] = before
        up = go_up(terms, ledger, place, time, opened, candle.open, candle.high)
        risen = ledger.counts[FILLS]
        after = go_down(terms, ledger, place, time, up, candle.low, may_add)
        if before < risen < ledger.counts[FILLS] and opens_below:  # a target may pay for a step that had no cash
            doubt = True
    elif candle.high >= target_level(terms, opened):
        after = go_up(terms, ledger, place, time, opened, candle.open, candle.high)
    if after.quantity > 0.0:
        after = raise_peak(terms, after, candle.high, opened.entry_price)
    return Passed(after, doubt)


@inlined
def first_below(terms: Terms, state: State, may_add: bool) -> float:
    """Return the highest price at which a fall would fill something."""
    stop, _ = stop_level(terms, state)
    return max(stop, ladder_level(terms, state)) if may_add else stop


@inlined
def inside(
    terms: Terms, minutes: Minutes, ledger: Ledger, candle: Candle, state: State, may_add: bool
) -> tuple[State, int]:
    """Return a held position after the candle and how sure that is."""
    first = ledger.counts[FILLS]
    assumed, is_in_doubt = pass_candle(terms, ledger, candle, state, may_add)
    if not is_in_doubt:
        return assumed, EXACT
    return by_minutes(terms, minutes, ledger, candle, state, may_add, assumed, first)


@lean
def by_minutes(
    terms: Terms,
    minutes: Minutes,
    ledger: Ledger,
    candle: Candle,
    state: State,
    may_add: bool,
    assumed: State,
    before: int,
) -> tuple[State, int]:
    """Pass the minutes of the candle; `assumed` if they are unknown or do not show what the candle shows.

    `before` is the number of fills before the candle.
    """
    first = first_at(minutes.time, candle.time)
    end = first_at(minutes.time, candle.time + terms.interval)
    high, low, filled = candle.high, candle.low, ledger.counts[FILLS]
    if not are_of(minutes, first, end, high, low):
        return assumed, ASSUMED
    ledger.counts[FILLS] = before
    walked = state
    for k in range(first, end):
        minute_open = min(max(minutes.open[k], low), high)  # no fill lies outside of its candle
        minute_high, minute_low = min(minutes.high[k], high), max(minutes.low[k], low)
        minute = Candle(candle.place, candle.time, minute_open, minute_high, minute_low, candle.close)
        walked, _ = pass_candle(terms, ledger, minute, walked, may_add)
        if walked.quantity == 0.0:
            return walked, RESOLVED
    if ledger.counts[FILLS] == before and filled > before:
        again, _ = pass_candle(terms, ledger, candle, state, may_add)
        return again, ASSUMED
    return raise_peak(terms, walked, high, np.inf), RESOLVED  # the minutes have armed the stop, or not


@lean
def are_of(minutes: Minutes, first: int, end: int, high: float, low: float) -> bool:
    """Return whether there are minutes and they have the high and the low of the candle."""
    if first == end:
        return False
    top, bottom = minutes.high[first], minutes.low[first]
    for k in range(first + 1, end):
        top, bottom = max(top, minutes.high[k]), min(bottom, minutes.low[k])
    return bool(abs(top - high) <= MATCH * high and abs(bottom - low) <= MATCH * low)


@lean
def first_at(time: Integers, moment: int) -> int:
    """Return the first row that begins at the moment or later."""
    begin, end = 0, len(time)
    while begin < end:
        middle = (begin + end) // 2
        if time[middle] < moment:
            begin = middle + 1
        else:
            end = middle
    return begin
