"""Runs many variants of one strategy over the same candles, each equal to the bit to its own run (`loop.run`).

What variants have in common is computed once: the candles at which a condition is true (a row of flags for each of its
values), and the extremes of every group of candles. In a candle in doubt the stop counts as first: 1-minute candles are
not used here.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.conditions import Wanted
from strategybot.trading.engine.guards import GuardTerms, opening_watch
from strategybot.trading.engine.jit import compiled, inlined, lean
from strategybot.trading.engine.ledger import (
    BASE,
    CANDLE,
    CASH_AFTER,
    FILLS,
    HELD,
    MONEY,
    WHAT,
    Ledger,
    new_ledger,
    reset,
    with_room,
)
from strategybot.trading.engine.loop import GROUP, STOP_REQUESTED, Market, take_steps
from strategybot.trading.engine.risk import ENTER, LADDER, State, Terms
from strategybot.trading.engine.step import Rules, gain_of, opening_state

MIXER, FINGERPRINTS = 1_000_003, 2**41 - 21  # their product is below 2^63
Counts = NDArray[np.int32]


class Field(NamedTuple):
    """What all variants have in common."""

    market: Market
    words: Integers  # a row of flags for each condition and value of it, eight flags a word
    any_entry: bool  # one condition of the entry is enough
    any_exit: bool
    start: int
    cash: float
    guarded: bool
    levels: Floats  # the logarithm of each open and of the last close (`timing.log_levels`)
    edges: Integers  # the candles at which the blocks of days begin, and the end
    stop_range: Floats  # as in `Wanted`
    trailing_range: Floats
    known: Integers  # flags of the candles at which both are known, eight a word; empty if no stop needs them


class Variants(NamedTuple):
    """The variants, one row each."""

    entry: Integers  # for each entry condition, its row in `Field.words`
    exit: Integers
    terms: Floats  # the fields of `Terms`, in its order, the levels one by one
    guards: Floats  # the fields of `GuardTerms`


class Tallies(NamedTuple):
    """The results of each variant, one row each; `trades` is -1 until the variant was run.

    Some have a column for each of several equal stretches of time. `marks` is the equity at its end; `falls`, `closed`
    and `won` are the deepest drawdown, the closed trades and the trades won until then. `growth` is the summed log
    growth of the trades that were entered in it. `held` and `caught` have a column for each block of days: the candles
    in which a position was held, and the sum of their moves. `fingerprint` is equal for variants with the same trades.
    """

    equity: Floats
    drawdown: Floats
    trades: Counts
    wins: Counts
    returns: Floats  # the sum of the trades' returns in percent
    squares: Floats
    marks: Floats
    falls: Floats
    closed: Counts
    won: Counts
    growth: Floats
    held: Floats
    caught: Floats
    fingerprint: Integers


class Mark(NamedTuple):
    """The candle up to which the equity is known, its peak, and its lowest value since the peak."""

    next: int
    peak: float
    trough: float
    deepest: float


class Stay(NamedTuple):
    """What is held from a candle on."""

    block: int  # of days, of an earlier candle
    first: int
    held: float
    largest: float  # that the position has held so far


@compiled
def run_variants(field: Field, variants: Variants, into: Tallies, first: int, last: int, control: Integers) -> None:
    """Run the variants from `first` to the one before `last`, or until a stop is requested."""
    entry, exit_ = np.zeros(field.words.shape[1], np.int64), np.zeros(field.words.shape[1], np.int64)
    wanted = Wanted(entry.view(np.uint8), exit_.view(np.uint8), entry, exit_, field.stop_range, field.trailing_range)
    ledger = new_ledger()
    for number in range(first, last):
        if control[STOP_REQUESTED] != 0:
            return
        if number == first or differs(variants.entry, number):
            join_rows(field.words, variants.entry[number], field.any_entry, entry)
            for k in range(len(field.known)):
                entry[k] &= field.known[k]
        if number == first or differs(variants.exit, number):
            join_rows(field.words, variants.exit[number], field.any_exit, exit_)
        rules = Rules(terms_at(variants.terms[number]), guards_at(variants.guards[number]), field.guarded)
        reset(ledger)
        state, watch, i = opening_state(field.cash), opening_watch(field.cash), field.start
        while i < len(field.market.time):
            i, state, watch = take_steps(rules, field.market, wanted, ledger, state, watch, i, len(field.market.time))
            ledger = with_room(ledger)
        tally(field, ledger, state, into, number)


@inlined
def differs(rows: Integers, number: int) -> bool:
    """Return whether the variant has other conditions than the one before it."""
    found = 0
    for place in range(rows.shape[1]):
        found |= rows[number, place] != rows[number - 1, place]
    return found != 0


@compiled
def terms_at(row: Floats) -> Terms:
    costs = row[0], row[1], row[2], row[3], row[4], row[5]
    exits_and_size = row[6], row[7], row[8], row[9], row[10], row[11], row[12]
    counts = int(row[13]), int(row[14]), int(row[15]), int(row[16]), int(row[17]), int(row[18]), int(row[19])
    return Terms(*costs, *exits_and_size, *counts, row[20:])


@inlined
def guards_at(row: Floats) -> GuardTerms:
    return GuardTerms(row[0], int(row[1]), int(row[2]), int(row[3]))


@lean
def join_rows(words: Integers, rows: Integers, any_one: bool, into: Integers) -> None:
    for place in range(len(rows)):
        row = words[rows[place]]
        if place == 0:
            for k in range(len(into)):
                into[k] = row[k]
        elif any_one:
            for k in range(len(into)):
                into[k] |= row[k]
        else:
            for k in range(len(into)):
                into[k] &= row[k]


@lean
def tally(field: Field, ledger: Ledger, state: State, into: Tallies, number: int) -> None:
    """Write the figures of a variant that has traded to the end."""
    count, stay = len(field.market.time), Stay(0, field.start, 0.0, 0.0)
    mark, cash, held = Mark(field.start, field.cash, np.inf, 0.0), field.cash, 0.0
    entry, beside, budget, proceeds = 0, 0.0, 0.0, 0.0
    into.trades[number] = 0
    for row in range(ledger.counts[FILLS]):
        candle, reason, fill = ledger.places[row, CANDLE], ledger.places[row, WHAT] & 0xFF, ledger.amounts[row]
        mark = advance_mark(field, into, number, mark, cash, held, candle)
        is_buy = reason in (ENTER, LADDER)
        if held == 0.0:
            entry, beside, budget, proceeds = candle, fill[CASH_AFTER], fill[MONEY], 0.0
        elif is_buy:
            beside, budget = beside - fill[MONEY], budget + fill[MONEY]
        else:
            proceeds += fill[MONEY]
        cash, held = fill[CASH_AFTER], fill[HELD]
        at_open = fill[BASE] == field.market.open[candle] and (is_buy or candle > entry)
        stay = after_fill(field, into, number, stay, candle if at_open else candle + 1, held)
        if held == 0.0:
            count_trade(field, into, number, budget, proceeds, beside, entry)
    mark = advance_mark(field, into, number, mark, state.cash, state.quantity, count)
    after_fill(field, into, number, stay, count, 0.0)
    into.drawdown[number] = deepest(mark)
    close = field.market.close
    into.equity[number] = state.cash + state.quantity * close[count - 1] if state.quantity > 0.0 else state.cash


@inlined
def advance_mark(field: Field, into: Tallies, number: int, mark: Mark, cash: float, quantity: float, end: int) -> Mark:
    """Compute the equity of all candles before `end`, and save the figures at the end of each stretch of time."""
    stretches, span = into.marks.shape[1], len(field.market.time) - field.start
    while mark.next < end:
        stretch = (mark.next - field.start) * stretches // span
        border = field.start + ((stretch + 1) * span + stretches - 1) // stretches  # the first candle of the next one
        stop = min(end, border)
        mark = after_marks(field, mark, cash, quantity, stop)
        if stop == border:
            into.marks[number, stretch] = cash + quantity * field.market.close[stop - 1] if quantity > 0.0 else cash
            into.falls[number, stretch] = deepest(mark)
            into.closed[number, stretch] = into.trades[number]
            into.won[number, stretch] = into.wins[number]
    return mark


@inlined
def after_marks(field: Field, mark: Mark, cash: float, quantity: float, end: int) -> Mark:
    """Return the mark at `end`. Between two peaks the lowest equity has the deepest fall, also after rounding."""
    if quantity == 0.0:
        return after_one(mark, cash, end)
    close, groups = field.market.close, field.market.groups
    while mark.next < end:
        i = mark.next
        group = i // GROUP
        stop = min(end, (group + 1) * GROUP)
        if stop - i == GROUP and cash + quantity * groups.top[group] < mark.peak:
            lowest = cash + quantity * groups.bottom[group]
            mark = Mark(stop, mark.peak, min(mark.trough, lowest), mark.deepest)
            continue
        for k in range(i, stop):
            mark = after_one(mark, cash + quantity * close[k], k + 1)
    return mark


@inlined
def after_one(mark: Mark, equity: float, following: int) -> Mark:
    if equity >= mark.peak:
        return Mark(following, equity, np.inf, deepest(mark))
    return Mark(following, mark.peak, min(mark.trough, equity), mark.deepest)


@inlined
def deepest(mark: Mark) -> float:
    return max(mark.deepest, 1.0 - mark.trough / mark.peak) if mark.trough < np.inf else mark.deepest


@inlined
def count_trade(
    field: Field, into: Tallies, number: int, budget: float, proceeds: float, cash: float, entered: int
) -> None:
    """Count a closed position; `cash` is what was not spent on it."""
    gain = gain_of(budget, proceeds)
    percent = gain / budget * 100
    into.trades[number] += 1
    into.wins[number] += 1 if gain > 0.0 else 0
    into.returns[number] += percent
    into.squares[number] += percent * percent
    stretches, span = into.growth.shape[1], len(field.market.time) - field.start
    stretch = (entered - field.start) * stretches // span
    into.growth[number, stretch] += math.log((cash + proceeds) / (cash + budget))


@inlined
def after_fill(field: Field, into: Tallies, number: int, stay: Stay, until: int, held: float) -> Stay:
    """Return the stay from candle `until` on, and count the candles before it with what was held in them.

    A share of a candle is what is held in it, of the most that its position has held so far.
    """
    block, first = stay.block, stay.first
    if until > first and stay.held > 0.0:
        into.fingerprint[number] = (into.fingerprint[number] * MIXER + first * 31 + until) % FINGERPRINTS
        share = stay.held / stay.largest
        while first < until:
            while field.edges[block + 1] <= first:
                block += 1
            stop = min(until, field.edges[block + 1])
            into.held[number, block] += share * (stop - first)
            into.caught[number, block] += share * (field.levels[stop] - field.levels[first])
            first = stop
    largest = max(stay.largest, held) if stay.held > 0.0 else held
    return Stay(block, max(until, stay.first), held, largest)
