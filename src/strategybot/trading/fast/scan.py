"""A run over many candles. `run_steps` is the reference: a loop of `step`. `run` is much faster and equal to the bit.

Between events a candle changes only the equity and, with a trailing stop, the peak. `run` finds the next candle at
which anything can happen and takes the step of that candle.

With `control` another thread follows and ends a run: the run writes the number of processed candles to the first cell,
and stops soon after the second cell is set.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.conditions import Columns
from strategybot.trading.fast.blocks import Scratch, first_flag, flagged, new_scratch
from strategybot.trading.fast.windows import BLOCK
from strategybot.trading.guards import Watch, opening_watch
from strategybot.trading.jit import compiled, inlined, lean
from strategybot.trading.kernel import Outcome, Rules, decided, decision, no_sale, step, trade
from strategybot.trading.ledger import Ledger, is_full, new_ledger, record, with_room
from strategybot.trading.risk import (
    ENTER,
    EXACT,
    NOTHING,
    State,
    Terms,
    in_doubt,
    raised,
    risk_exit,
    stop_level,
)

DONE, STOP_REQUESTED = 0, 1  # cells of `control`
GROUP = 32  # candles tested against a stop and a target together


class Run(NamedTuple):
    ledger: Ledger
    state: State
    end: int  # the candle after the last one processed
    watch: Watch  # of the guards; without guards it stays as it began


def new_control() -> Integers:
    return np.zeros(2, dtype=np.int64)


@compiled
def run_steps(rules: Rules, columns: Columns, start: int, state: State, control: Integers) -> Run:
    ledger = new_ledger()
    i = start
    while i < len(columns.time) and control[STOP_REQUESTED] == 0:
        ledger = with_room(ledger)
        i, state = take_steps(rules, columns, ledger, state, i, control)
    return Run(ledger, state, i, opening_watch(0.0))


@compiled
def run(rules: Rules, columns: Columns, start: int, state: State, control: Integers) -> Run:
    ledger = new_ledger()
    entry = new_scratch(rules.entry, len(columns.time))
    exit_ = new_scratch(rules.exit, len(columns.time))
    i = start
    while i < len(columns.time) and control[STOP_REQUESTED] == 0:
        ledger = with_room(ledger)
        i, state = skip_ahead(rules, columns, entry, exit_, ledger, state, i, control)
    return Run(ledger, state, i, opening_watch(0.0))


@lean
def take_steps(
    rules: Rules, columns: Columns, ledger: Ledger, state: State, i: int, control: Integers
) -> tuple[int, State]:
    """Step through every candle until the end, a requested stop or a full ledger."""
    while i < len(columns.time) and control[STOP_REQUESTED] == 0 and not is_full(ledger):
        outcome = step(rules, columns, i, state)
        record(ledger, i, outcome)
        state = outcome.state
        i += 1
        control[DONE] += 1
    return i, state


@lean
def skip_ahead(
    rules: Rules,
    columns: Columns,
    entry: Scratch,
    exit_: Scratch,
    ledger: Ledger,
    state: State,
    i: int,
    control: Integers,
) -> tuple[int, State]:
    """Step from event to event until the end, a requested stop or a full ledger."""
    while i < len(columns.time) and control[STOP_REQUESTED] == 0 and not is_full(ledger):
        begin, end = i, min(len(columns.time), i - i % BLOCK + BLOCK)
        if state.pending == NOTHING:
            i, state = seek(rules, columns, entry, exit_, state, i, end)
        if i < end:
            outcome = event(rules, columns, entry, exit_, state, i)
            record(ledger, i, outcome)
            state = outcome.state
            i += 1
        control[DONE] += i - begin
    return i, state


@inlined
def event(rules: Rules, columns: Columns, entry: Scratch, exit_: Scratch, state: State, i: int) -> Outcome:
    """Return the step of candle i, with its conditions read from the block."""
    done = Outcome(state, False, no_sale(), EXACT)
    if state.pending != NOTHING or state.quantity > 0.0:  # else the prices need not be read
        high = low = open_ = columns.open[i]
        if at_risk(rules.terms) and (state.pending == ENTER or state.pending == NOTHING):
            high, low = columns.high[i], columns.low[i]
        done = trade(rules.terms, columns.minutes, state, columns.time[i], open_, high, low)
    if done.state.quantity == 0.0:
        wanted = flagged(rules.entry, columns, entry, i)
    else:
        wanted = flagged(rules.exit, columns, exit_, i)
    pending = decision(rules.terms, done.state, columns.time[i], wanted)
    return Outcome(decided(done.state, pending), done.bought, done.sale, done.certainty)


@inlined
def at_risk(terms: Terms) -> bool:
    """Return whether a price inside a candle can close a position."""
    return bool(terms.stop_factor > 0.0 or terms.trailing_factor > 0.0 or terms.target_factor < np.inf)


@inlined
def seek(
    rules: Rules, columns: Columns, entry: Scratch, exit_: Scratch, state: State, i: int, end: int
) -> tuple[int, State]:
    """Return the first candle from i on, in one block, with an event, or `end`; and the state with its peak."""
    time = columns.time
    if state.quantity == 0.0:
        if time[end - 1] < state.ready_time:
            return end, state
        if time[i] < state.ready_time:
            i = first_from(time, state.ready_time, i, end)
        return first_flag(rules.entry, columns, entry, i, end), state
    due = state.entry_time + rules.terms.max_holding - rules.terms.interval
    if time[end - 1] >= due:
        end = first_from(time, due, i, end)
    if len(rules.exit.kinds) > 0 and i < end:
        end = first_flag(rules.exit, columns, exit_, i, end)
    return next_risk(rules.terms, columns.open, columns.high, columns.low, state, i, end, True)


@inlined
def first_from(time: Integers, moment: int, i: int, end: int) -> int:
    """Return the first candle from i on that begins at the moment or later, or `end`."""
    while i < end:
        middle = (i + end) // 2
        if time[middle] < moment:
            i = middle + 1
        else:
            end = middle
    return i


@inlined
def next_risk(
    terms: Terms, open_: Floats, high: Floats, low: Floats, state: State, i: int, stop: int, doubts_too: bool
) -> tuple[int, State]:
    """Return the first candle from i on with a risk exit, or with `doubts_too` one in doubt; otherwise `stop`.

    Groups of candles without either are skipped: a candle in doubt has a new peak or reaches the stop.
    """
    while i < stop:
        end = min(i + GROUP, stop)
        level, _ = stop_level(terms, state)
        ceiling = state.entry_price * terms.target_factor
        if terms.trailing_factor > 0.0:
            ceiling = min(ceiling, state.peak)  # a new peak moves the stop
        if level == 0.0 and ceiling == np.inf:  # no price can close the position
            return stop, state
        if quiet(high[i:end], low[i:end], level, ceiling):
            i = end
        while i < end:
            reason, _, _ = risk_exit(terms, state, open_[i], high[i], low[i])
            if reason != NOTHING or (doubts_too and in_doubt(terms, state, open_[i], high[i], low[i])):
                return i, state
            state = raised(terms, state, high[i])
            i += 1
    return i, state


@inlined
def quiet(high: Floats, low: Floats, floor: float, ceiling: float) -> bool:
    """Return whether all prices are above `floor` and below `ceiling`."""
    found = 0
    for k in range(len(high)):
        found |= (low[k] <= floor) | (high[k] >= ceiling)
    return found == 0
