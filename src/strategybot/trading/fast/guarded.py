"""Runs of strategies with guards: the same two loops as in `scan`, which also update the state of the guards.

They are separate functions, so that a strategy without guards takes no more time.
"""

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.conditions import Columns
from strategybot.trading.fast.blocks import Scratch, new_scratch
from strategybot.trading.fast.scan import DONE, STOP_REQUESTED, Run, event, run, seek
from strategybot.trading.fast.windows import BLOCK
from strategybot.trading.guards import GuardTerms, Watch, after_close, opening_watch, watches_equity
from strategybot.trading.jit import compiled, inlined, lean
from strategybot.trading.kernel import Rules, guarded, step_guarded
from strategybot.trading.ledger import Ledger, is_full, new_ledger, record, with_room
from strategybot.trading.risk import NOTHING, State


def run_rules(rules: Rules, columns: Columns, start: int, state: State, control: Integers) -> Run:
    """Run the rules from candle `start` on, with their guards if they have any."""
    return (run_guarded if rules.are_guarded else run)(rules, columns, start, state, control)


@compiled
def run_steps_guarded(rules: Rules, columns: Columns, start: int, state: State, control: Integers) -> Run:
    ledger, watch = new_ledger(), opening_watch(state.cash)
    i = start
    while i < len(columns.time) and control[STOP_REQUESTED] == 0:
        ledger = with_room(ledger)
        i, state, watch = take_guarded_steps(rules, columns, ledger, state, watch, i, control)
    return Run(ledger, state, i, watch)


@compiled
def run_guarded(rules: Rules, columns: Columns, start: int, state: State, control: Integers) -> Run:
    ledger, watch = new_ledger(), opening_watch(state.cash)
    entry = new_scratch(rules.entry, len(columns.time))
    exit_ = new_scratch(rules.exit, len(columns.time))
    i = start
    while i < len(columns.time) and control[STOP_REQUESTED] == 0:
        ledger = with_room(ledger)
        i, state, watch = skip_ahead_guarded(rules, columns, entry, exit_, ledger, state, watch, i, control)
    return Run(ledger, state, i, watch)


@lean
def take_guarded_steps(
    rules: Rules, columns: Columns, ledger: Ledger, state: State, watch: Watch, i: int, control: Integers
) -> tuple[int, State, Watch]:
    """Step through every candle until the end, a requested stop or a full ledger."""
    while i < len(columns.time) and control[STOP_REQUESTED] == 0 and not is_full(ledger):
        done = step_guarded(rules, columns, i, state, watch)
        record(ledger, i, done.outcome)
        state, watch = done.outcome.state, done.watch
        i += 1
        control[DONE] += 1
    return i, state, watch


@lean
def skip_ahead_guarded(
    rules: Rules,
    columns: Columns,
    entry: Scratch,
    exit_: Scratch,
    ledger: Ledger,
    state: State,
    watch: Watch,
    i: int,
    control: Integers,
) -> tuple[int, State, Watch]:
    """Step from event to event until the end, a requested stop or a full ledger."""
    while i < len(columns.time) and control[STOP_REQUESTED] == 0 and not is_full(ledger):
        begin, end = i, min(len(columns.time), i - i % BLOCK + BLOCK)
        if state.pending == NOTHING:
            i, state = seek(rules, columns, entry, exit_, state, i, end)
            if state.quantity > 0.0 and watches_equity(rules.guards):
                watch = after_closes(rules.guards, watch, columns.time, columns.close, state, begin, i)
        if i < end:
            outcome = event(rules, columns, entry, exit_, state, i)
            done = guarded(rules.guards, rules.terms.interval, watch, columns.time[i], columns.close[i], outcome)
            record(ledger, i, done.outcome)
            state, watch = done.outcome.state, done.watch
            i += 1
        control[DONE] += i - begin
    return i, state, watch


@inlined
def after_closes(
    guards: GuardTerms, watch: Watch, time: Integers, close: Floats, state: State, begin: int, end: int
) -> Watch:
    """Return the watch after candles in which nothing was traded."""
    for i in range(begin, end):
        watch = after_close(guards, watch, time[i], state.cash + state.quantity * close[i])
    return watch
