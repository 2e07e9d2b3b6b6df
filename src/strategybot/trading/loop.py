"""A run over many candles: a loop of `step` that writes what happened to a ledger.

Without a position nothing happens until the next candle whose entry conditions are met, so the loop goes there. While
one is held it takes every step, except that a search, whose variants share the extremes of every group of candles,
passes groups in which a step can change nothing.

With `control` another thread follows and ends a run: the run writes the number of processed candles to the first cell,
and stops soon after the second cell is set.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.candles import NO_MINUTES, Candles, Floats, Integers
from strategybot.trading.conditions import WORD, Wanted, first_set
from strategybot.trading.guards import Watch, opening_watch, watches_equity
from strategybot.trading.jit import compiled, inlined, lean
from strategybot.trading.ledger import Ledger, is_full, new_ledger, record, with_room
from strategybot.trading.risk import EXACT, NOTHING, Minutes, State, quiet_prices
from strategybot.trading.step import Candle, Outcome, Rules, step

DONE, STOP_REQUESTED = 0, 1  # cells of `control`
BLOCK = 16_384  # candles between two looks at `control`
GROUP = 32


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


def market_of(candles: Candles, minutes: Candles = NO_MINUTES, *, groups: bool = False) -> Market:
    count = len(candles) // GROUP if groups else 0

    def grouped(column: Floats) -> Floats:
        return column[: count * GROUP].reshape(count, GROUP)

    return Market(
        candles.time,
        candles.open,
        candles.high,
        candles.low,
        candles.close,
        Minutes(minutes.time, minutes.open, minutes.high, minutes.low),
        Groups(
            grouped(candles.high).max(axis=1),
            grouped(candles.low).min(axis=1),
            grouped(candles.close).max(axis=1),
            grouped(candles.close).min(axis=1),
        ),
    )


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


@lean
def step_at(rules: Rules, market: Market, wanted: Wanted, i: int, state: State, watch: Watch) -> Outcome:
    """Return the outcome of candle i, which is closed. Only candles up to i are read."""
    candle = Candle(market.time[i], market.open[i], market.high[i], market.low[i], market.close[i])
    return step(rules, market.minutes, state, watch, candle, wanted.entry[i] != 0, wanted.exit[i] != 0)


@lean
def take_steps(
    rules: Rules, market: Market, wanted: Wanted, ledger: Ledger, state: State, watch: Watch, i: int, end: int
) -> tuple[int, State, Watch]:
    """Trade candles until `end` or a full ledger."""
    in_groups = len(market.groups.high) > 0 and not watches_equity(rules.guards)
    while i < end:
        if state.pending == NOTHING:
            if state.quantity == 0.0:
                i = first_set(wanted.entry_words, i, end)
            elif in_groups and i % GROUP == 0:
                i = after_quiet_groups(rules, market, wanted, state, i, end)
            if i >= end:
                break
        candle = Candle(market.time[i], market.open[i], market.high[i], market.low[i], market.close[i])
        done = step(rules, market.minutes, state, watch, candle, wanted.entry[i] != 0, wanted.exit[i] != 0)
        state, watch = done.state, done.watch
        i += 1
        if done.bought or done.sale.reason != NOTHING or state.pending != NOTHING or done.certainty != EXACT:
            record(ledger, i - 1, done)
            if is_full(ledger):
                break
    return i, state, watch


@inlined
def after_quiet_groups(rules: Rules, market: Market, wanted: Wanted, state: State, i: int, end: int) -> int:
    """Return the first candle from i on, the begin of a group, whose group may change the state or decide anything."""
    terms, groups = rules.terms, market.groups
    floor, ceiling = quiet_prices(terms, state)
    due = state.entry_time + terms.max_holding - terms.interval
    while i + GROUP <= end:
        group, word = i // GROUP, i // WORD
        leaving = wanted.exit_words[word] | wanted.exit_words[word + 1]
        leaving |= wanted.exit_words[word + 2] | wanted.exit_words[word + 3]
        inside = groups.low[group] > floor and groups.high[group] < ceiling
        if leaving != 0 or not inside or market.time[i + GROUP - 1] >= due:
            break
        i += GROUP
    return i
