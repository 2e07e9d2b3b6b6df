"""Runs many variants of one strategy over the same candles, each equal to the bit to its own run (`scan.run`).

What variants have in common is computed once: the candles at which a condition is true (a row of flags for each of its
values), and the extremes of every group of candles, which allow whole groups to be skipped. In a candle in doubt the
stop counts as first: 1-minute candles are not used here.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.comparisons import Flags
from strategybot.trading.conditions import Columns, Conditions
from strategybot.trading.fast.blocks import load_block, lowest_flag, new_scratch
from strategybot.trading.fast.guarded import after_closes
from strategybot.trading.fast.scan import STOP_REQUESTED, first_from, next_risk
from strategybot.trading.fast.windows import BLOCK
from strategybot.trading.guards import GuardTerms, Watch, opening_watch, watches_equity
from strategybot.trading.jit import compiled, inlined, lean
from strategybot.trading.kernel import Outcome, decided, decision, gain_of, guarded, trade
from strategybot.trading.risk import FOREVER, LONG_AGO, NOTHING, State, Terms, stop_level

GROUP = 32
WORD = 8  # flags in one word
MIXER, FINGERPRINTS = 1_000_003, 2**41 - 21  # their product is below 2^63
Counts = NDArray[np.int32]


class Groups(NamedTuple):
    """Extremes of each whole group of candles."""

    high: Floats
    low: Floats
    top: Floats  # the highest close
    bottom: Floats


class Field(NamedTuple):
    """What all variants have in common."""

    columns: Columns
    groups: Groups
    words: Integers  # a row of flags for each condition and value of it, eight flags a word
    any_entry: bool  # one condition of the entry is enough
    any_exit: bool
    start: int
    cash: float
    guarded: bool
    levels: Floats  # the logarithm of each open and of the last close (`timing.log_levels`)
    edges: Integers  # the candles at which the blocks of days begin, and the end


class Variants(NamedTuple):
    """The variants, one row each."""

    entry: Integers  # for each entry condition, its row in `Field.words`
    exit: Integers
    terms: Floats  # the fields of `Terms`, in its order
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


def groups_of(columns: Columns) -> Groups:
    count = len(columns.time) // GROUP

    def grouped(column: Floats) -> Floats:
        return column[: count * GROUP].reshape(count, GROUP)

    return Groups(
        grouped(columns.high).max(axis=1),
        grouped(columns.low).min(axis=1),
        grouped(columns.close).max(axis=1),
        grouped(columns.close).min(axis=1),
    )


@compiled
def fill_flags_of(condition: Conditions, columns: Columns, flags: Flags) -> None:
    """Set the flag of each candle at which the condition is true. `any_one` must be set, so that blocks are exact."""
    scratch = new_scratch(condition, len(columns.time))
    for low in range(0, len(columns.time), BLOCK):
        load_block(condition, columns, scratch, low // BLOCK)
        size = min(BLOCK, len(columns.time) - low)
        flags[low : low + size] = scratch.flags[:size] != 0


@compiled
def run_variants(field: Field, variants: Variants, into: Tallies, first: int, last: int, control: Integers) -> None:
    """Run the variants from `first` to the one before `last`, or until a stop is requested."""
    entry, exit_ = np.zeros(field.words.shape[1], np.int64), np.zeros(field.words.shape[1], np.int64)
    run_each(field, variants, into, first, last, entry, exit_, control)


@lean
def run_each(
    field: Field,
    variants: Variants,
    into: Tallies,
    first: int,
    last: int,
    entry: Integers,
    exit_: Integers,
    control: Integers,
) -> None:
    for number in range(first, last):
        if control[STOP_REQUESTED] != 0:
            return
        if number == first or differs(variants.entry, number):
            join_rows(field.words, variants.entry[number], field.any_entry, entry)
        if number == first or differs(variants.exit, number):
            join_rows(field.words, variants.exit[number], field.any_exit, exit_)
        terms, guards = terms_at(variants.terms[number]), guards_at(variants.guards[number])
        trade_variant(field, terms, guards, entry, exit_, variants.exit.shape[1] > 0, into, number)


@inlined
def differs(rows: Integers, number: int) -> bool:
    """Return whether the variant has other conditions than the one before it."""
    found = 0
    for place in range(rows.shape[1]):
        found |= rows[number, place] != rows[number - 1, place]
    return found != 0


@inlined
def terms_at(row: Floats) -> Terms:
    return Terms(
        row[0],
        row[1],
        row[2],
        row[3],
        row[4],
        row[5],
        row[6],
        row[7],
        row[8],
        int(row[9]),
        int(row[10]),
        int(row[11]),
    )


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
def trade_variant(
    field: Field,
    terms: Terms,
    guards: GuardTerms,
    entry: Integers,
    exit_: Integers,
    has_exit: bool,
    into: Tallies,
    number: int,
) -> None:
    columns, count = field.columns, len(field.columns.time)
    state = State(field.cash, 0.0, 0.0, 0.0, LONG_AGO, 0.0, LONG_AGO, NOTHING)
    watch = opening_watch(field.cash)
    mark = Mark(field.start, field.cash, np.inf, 0.0)
    i, entered, next_exit, block = field.start, field.start, -1, 0
    into.trades[number] = 0
    while i < count:
        if state.pending == NOTHING:
            if state.quantity == 0.0:
                i = next_entry(columns.time, entry, state.ready_time, terms.interval, i)
            else:
                begin, next_exit = i, exit_from(exit_, has_exit, next_exit, i, count)
                i, state = next_event(field, terms, state, i, next_exit)
                watch = after_held(columns, guards, watch, state, begin, i)
            if i >= count:
                break
        done = trade(terms, columns.minutes, state, columns.time[i], columns.open[i], columns.high[i], columns.low[i])
        if done.bought:
            mark = marked(field, into, number, mark, state.cash, 0.0, i)
            entered = i
        if done.sale.reason != NOTHING:
            mark = marked(field, into, number, mark, done.sale.cash, done.sale.quantity, i)
            count_trade(field, into, number, done, entered)
            at_open = i > entered and done.sale.base == columns.open[i]
            block = count_stay(field, into, number, block, entered, i if at_open else i + 1)
        state = done.state
        wanted = is_set(entry, i) if state.quantity == 0.0 else has_exit and is_set(exit_, i)
        state = decided(state, decision(terms, state, columns.time[i], wanted))
        state, watch = permitted(field, terms, guards, watch, done, state, i)
        i += 1
    mark = marked(field, into, number, mark, state.cash, state.quantity, count)
    into.drawdown[number] = deepest(mark)
    into.equity[number] = state.cash
    if state.quantity > 0.0:
        into.equity[number] = state.cash + state.quantity * columns.close[count - 1]
        count_stay(field, into, number, block, entered, count)


@inlined
def after_held(columns: Columns, guards: GuardTerms, watch: Watch, state: State, begin: int, end: int) -> Watch:
    if not watches_equity(guards):
        return watch
    return after_closes(guards, watch, columns.time, columns.close, state, begin, end)


@inlined
def permitted(
    field: Field, terms: Terms, guards: GuardTerms, watch: Watch, done: Outcome, state: State, i: int
) -> tuple[State, Watch]:
    """Return the state after candle i, as the guards permit it, and the state of the guards."""
    if not field.guarded:
        return state, watch
    outcome = Outcome(state, done.bought, done.sale, done.certainty)
    seen = guarded(guards, terms.interval, watch, field.columns.time[i], field.columns.close[i], outcome)
    return seen.outcome.state, seen.watch


@inlined
def next_entry(time: Integers, entry: Integers, ready_time: int, interval: int, i: int) -> int:
    if time[i] < ready_time:
        furthest = min(len(time), i + (ready_time - time[i] + interval - 1) // interval)
        i = first_from(time, ready_time, i, furthest)
    return first_set(entry, i, len(time))


@inlined
def exit_from(exit_: Integers, has_exit: bool, known: int, i: int, count: int) -> int:
    """Return the first candle from i on whose close decides an exit; `known` is the result for an earlier candle."""
    if not has_exit:
        return count
    return first_set(exit_, i, count) if known < i else known


@inlined
def next_event(field: Field, terms: Terms, state: State, i: int, end: int) -> tuple[int, State]:
    """Return the first candle from i on at which the position may be closed, or `end`; and the state with its peak."""
    time = field.columns.time
    if terms.max_holding < FOREVER:
        due = state.entry_time + terms.max_holding - terms.interval
        furthest = min(end, i + max(0, (due - time[i] + terms.interval - 1) // terms.interval))
        end = first_from(time, due, i, furthest)
    return next_risk_by_groups(field, terms, state, i, end)


@inlined
def next_risk_by_groups(field: Field, terms: Terms, state: State, i: int, stop: int) -> tuple[int, State]:
    """Do the same as `next_risk`, with groups whose extremes are known."""
    columns, groups = field.columns, field.groups
    while i < stop:
        level, _ = stop_level(terms, state)
        ceiling = state.entry_price * terms.target_factor
        if terms.trailing_factor > 0.0:
            ceiling = min(ceiling, state.peak)  # a new peak moves the stop
        if level == 0.0 and ceiling == np.inf:
            return stop, state
        group = i // GROUP
        end = min(stop, (group + 1) * GROUP)
        if end - i == GROUP and groups.low[group] > level and groups.high[group] < ceiling:
            i = end
            continue
        i, state = next_risk(terms, columns.open, columns.high, columns.low, state, i, end, False)
        if i < end:
            return i, state
    return i, state


@inlined
def is_set(words: Integers, i: int) -> bool:
    return bool((words[i // WORD] >> (WORD * (i % WORD))) & 1 != 0)


@inlined
def first_set(words: Integers, i: int, end: int) -> int:
    """Return the first candle from i on whose flag is set, or `end`."""
    if i >= end:
        return end
    at, last = i // WORD, (end - 1) // WORD
    word = words[at] & (-1 << (WORD * (i % WORD)))
    while word == 0 and at < last:
        at += 1
        word = words[at]
    return end if word == 0 else min(end, WORD * at + lowest_flag(word))


@inlined
def marked(field: Field, into: Tallies, number: int, mark: Mark, cash: float, quantity: float, end: int) -> Mark:
    """Compute the equity of all candles before `end`, and save the figures at the end of each stretch of time."""
    stretches, span = into.marks.shape[1], len(field.columns.time) - field.start
    while mark.next < end:
        stretch = (mark.next - field.start) * stretches // span
        border = field.start + ((stretch + 1) * span + stretches - 1) // stretches  # the first candle of the next one
        stop = min(end, border)
        mark = after_marks(field, mark, cash, quantity, stop)
        if stop == border:
            into.marks[number, stretch] = cash + quantity * field.columns.close[stop - 1] if quantity > 0.0 else cash
            into.falls[number, stretch] = deepest(mark)
            into.closed[number, stretch] = into.trades[number]
            into.won[number, stretch] = into.wins[number]
    return mark


@inlined
def after_marks(field: Field, mark: Mark, cash: float, quantity: float, end: int) -> Mark:
    """Return the mark at `end`. Between two peaks the lowest equity has the deepest fall, also after rounding."""
    if quantity == 0.0:
        return after_one(mark, cash, end)
    close, groups = field.columns.close, field.groups
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
def count_trade(field: Field, into: Tallies, number: int, done: Outcome, entered: int) -> None:
    sale = done.sale
    gain = gain_of(sale)
    percent = gain / sale.budget * 100
    into.trades[number] += 1
    into.wins[number] += 1 if gain > 0.0 else 0
    into.returns[number] += percent
    into.squares[number] += percent * percent
    stretches, span = into.growth.shape[1], len(field.columns.time) - field.start
    stretch = (entered - field.start) * stretches // span
    into.growth[number, stretch] += math.log((sale.cash + sale.proceeds) / (sale.cash + sale.budget))


@inlined
def count_stay(field: Field, into: Tallies, number: int, block: int, first: int, end: int) -> int:
    """Add the candles from `first` to the one before `end`, in which a position was held. Return the block of the end.

    `block` is that of an earlier candle.
    """
    into.fingerprint[number] = (into.fingerprint[number] * MIXER + first * 31 + end) % FINGERPRINTS
    while first < end:
        while field.edges[block + 1] <= first:
            block += 1
        stop = min(end, field.edges[block + 1])
        into.held[number, block] += stop - first
        into.caught[number, block] += field.levels[stop] - field.levels[first]
        first = stop
    return block
