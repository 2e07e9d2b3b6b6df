"""A run over many candles: a loop of `step` that writes what happened to a ledger.

Without a position nothing happens until the next candle whose entry conditions are met, so the loop goes there. While
one is held it passes groups of candles in which a step would change nothing (`risk.quiet_prices`), and candles in which
it would only raise the peak of a trailing stop. A search computes the extremes of the groups once for all its variants.

With `control` another thread follows and ends a run: the run writes the number of processed candles to the first cell,
and stops soon after the second cell is set.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import NO_MINUTES, Candles, Floats, Integers
from strategybot.trading.engine.conditions import Wanted, first_set
from strategybot.trading.engine.guards import Watch, opening_watch, watches_equity
from strategybot.trading.engine.inside import Candle, Minutes
from strategybot.trading.engine.jit import compiled, inlined, lean
from strategybot.trading.engine.ledger import Ledger, is_full, new_ledger, with_room, write_decision, write_doubt
from strategybot.trading.engine.risk import (
    ASSUMED,
    FOREVER,
    NOTHING,
    State,
    Terms,
    only_raises_peak,
    quiet_prices,
    raise_peak,
)
from strategybot.trading.engine.step import Outcome, Rules, Wish, step

DONE, STOP_REQUESTED = 0, 1  # cells of `control`
BLOCK = 16_384  # candles between two looks at `control`
GROUP = 32  # candles that are passed at once


class Groups(NamedTuple):
    """Extremes of each whole group of candles; empty unless many runs share them."""

    high: Floats
    low: Floats
    top: Floats  # the highest close
    bottom: Floats


class Market(NamedTuple):
    """Candles as the compiled code reads them."""

    time: Integers
    open: Floats
    high: Floats
    low: Floats
    close: Floats
    minutes: Minutes  # that decide candles in doubt
    groups: Groups


class Run(NamedTuple):
    ledger: Ledger
    state: State
    end: int  # the candle after the last one processed
    watch: Watch  # of the guards; without guards it stays as it began


def new_control() -> Integers:
    return np.zeros(2, dtype=np.int64)


NO_GROUPS = Groups(np.empty(0), np.empty(0), np.empty(0), np.empty(0))


def market_of(candles: Candles, minutes: Candles = NO_MINUTES, *, groups: bool = False) -> Market:
    time, open_, high, low, close, _ = candles.columns()
    inside = Minutes(minutes.time, minutes.open, minutes.high, minutes.low)
    return Market(time, open_, high, low, close, inside, _groups_of(candles) if groups else NO_GROUPS)


def _groups_of(candles: Candles) -> Groups:
    whole = candles[: len(candles) - len(candles) % GROUP]
    high, low, close = (column.reshape(-1, GROUP) for column in (whole.high, whole.low, whole.close))
    return Groups(high.max(axis=1), low.min(axis=1), close.max(axis=1), close.min(axis=1))


@compiled
def run(rules: Rules, market: Market, wanted: Wanted, start: int, state: State, control: Integers) -> Run:
    ledger, watch, i = new_ledger(), opening_watch(state.cash), start
    while i < len(market.time) and control[STOP_REQUESTED] == 0:
        end = min(len(market.time), i + BLOCK)
        begin = i
        i, state, watch = take_steps(rules, market, wanted, ledger, state, watch, i, end)
        ledger = with_room(ledger)
        control[DONE] += i - begin
    return Run(ledger, state, i, watch)


@inlined
def candle_at(market: Market, i: int) -> Candle:
    return Candle(i, market.time[i], market.open[i], market.high[i], market.low[i], market.close[i])


@inlined
def wish_at(terms: Terms, wanted: Wanted, i: int) -> Wish:
    stop = wanted.stop_range[i] if terms.stop_times > 0.0 else 0.0
    trailing = wanted.trailing_range[i] if terms.trailing_times > 0.0 else 0.0
    return Wish(wanted.entry[i] != 0, wanted.exit[i] != 0, stop, trailing)


@inlined
def step_at(
    rules: Rules, market: Market, wanted: Wanted, ledger: Ledger, i: int, state: State, watch: Watch
) -> Outcome:
    """Return the outcome of candle i, which is closed, and write it to the ledger. Only candles up to i are read."""
    wish = wish_at(rules.terms, wanted, i)
    done = step(rules, market.minutes, ledger, state, watch, candle_at(market, i), wish)
    if done.certainty == ASSUMED:
        write_doubt(ledger, i)
    if done.state.pending != NOTHING:
        write_decision(ledger, i, done.state.pending)
    return done


@lean
def take_steps(
    rules: Rules, market: Market, wanted: Wanted, ledger: Ledger, state: State, watch: Watch, i: int, end: int
) -> tuple[int, State, Watch]:
    """Trade candles until `end` or a full ledger."""
    may_pass, leave_at, enter_at = not watches_equity(rules.guards), -1, -1
    while i < end and not is_full(ledger):
        if state.pending == NOTHING:
            if state.quantity == 0.0:
                i = first_wanted(market, wanted, state, i, end)
            elif may_pass:
                leave_at = first_set(wanted.exit_words, i, end) if leave_at < i else leave_at
                until = leave_at
                if state.parts.entries < rules.terms.max_entries:
                    enter_at = first_set(wanted.entry_words, i, end) if enter_at < i else enter_at
                    until = min(until, enter_at)
                i = first_loud(rules.terms, market, state, i, until)
                if i < until and only_raises_peak(rules.terms, state, market.time[i], market.high[i], market.low[i]):
                    state = raise_peak(rules.terms, state, market.high[i], state.entry_price)
                    i += 1
                    continue
            if i >= end:
                break
        done = step_at(rules, market, wanted, ledger, i, state, watch)
        state, watch = done.state, done.watch
        i += 1
    return i, state, watch


@inlined
def first_wanted(market: Market, wanted: Wanted, state: State, i: int, end: int) -> int:
    """Return the first candle from i on that may decide an entry: its conditions are met and the cooldown is over."""
    i = first_set(wanted.entry_words, i, end)
    while i < end and market.time[i] < state.ready_time:
        i = first_set(wanted.entry_words, i + 1, end)
    return i


@inlined
def first_loud(terms: Terms, market: Market, state: State, i: int, end: int) -> int:
    """Return the first candle from i on that may change a held position or decide its end; otherwise `end`.

    The exit conditions are not met before `end`.
    """
    floor, ceiling = quiet_prices(terms, state)
    is_timed, due = terms.max_holding < FOREVER, state.entry_time + terms.max_holding - terms.interval
    if floor == 0.0 and ceiling == np.inf and not is_timed:
        return end
    while i < end:
        until = min(end, i - i % GROUP + GROUP)
        if until - i < GROUP:  # what is left of a group that had an event often has the next one
            is_quiet = False
        elif len(market.groups.high) > 0:
            is_quiet = market.groups.low[i // GROUP] > floor and market.groups.high[i // GROUP] < ceiling
        else:
            is_quiet = are_between(market.low[i:until], market.high[i:until], floor, ceiling)
        if not is_quiet or (is_timed and market.time[until - 1] >= due):
            while i < until:
                if market.low[i] <= floor or market.high[i] >= ceiling or (is_timed and market.time[i] >= due):
                    return i
                i += 1
        i = until
    return end


@inlined
def are_between(low: Floats, high: Floats, floor: float, ceiling: float) -> bool:
    found = 0
    for k in range(len(high)):
        found |= (low[k] <= floor) | (high[k] >= ceiling)
    return found == 0
