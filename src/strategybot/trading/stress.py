"""Total returns of a strategy under changed circumstances: only the last equity is kept, so a run costs little.

Returns are fractions of the initial cash; an open position counts at the last close.
"""

import math

from strategybot.trading.candles import Integers
from strategybot.trading.conditions import Columns
from strategybot.trading.fast.blocks import Scratch, flagged, new_scratch
from strategybot.trading.fast.guarded import run_rules
from strategybot.trading.fast.scan import STOP_REQUESTED
from strategybot.trading.guards import opening_watch
from strategybot.trading.jit import compiled, lean
from strategybot.trading.kernel import Outcome, Rules, decided, decision, guarded, opening_state, trade
from strategybot.trading.risk import State

LARGEST_COST = 0.999  # a price or a sum cannot lose more than all of itself


def total_return(rules: Rules, columns: Columns, start: int, cash: float, control: Integers) -> float:
    """Return what the strategy makes from candle `start` on."""
    return _marked(run_rules(rules, columns, start, opening_state(cash), control).state, columns, cash)


def total_return_entering_late(rules: Rules, columns: Columns, start: int, cash: float, control: Integers) -> float:
    """Return what it makes if every entry is decided one candle after its conditions were met."""
    state = run_entering_late(rules, columns, start, opening_state(cash), rules.are_guarded, control)
    return _marked(state, columns, cash)


def with_costs(rules: Rules, factor: float) -> Rules:
    """Return the same rules with fee, slippage and price impact multiplied. The token's tax is a fixed share."""
    fee, slippage = (min(LARGEST_COST, factor * cost) for cost in (rules.terms.fee, rules.terms.slippage))
    return rules._replace(terms=rules.terms._replace(fee=fee, slippage=slippage, impact=factor * rules.terms.impact))


def without_pool(rules: Rules) -> Rules:
    """Return the same rules without tax and price impact."""
    return rules._replace(terms=rules.terms._replace(impact=0.0, buy_kept=1.0, sell_kept=1.0))


def log_growth(total: float) -> float:
    """Return the logarithm of 1 + a return; minus infinity if everything is lost."""
    return math.log1p(total) if total > -1 else -math.inf


def _marked(state: State, columns: Columns, cash: float) -> float:
    return float((state.cash + state.quantity * columns.close[-1]) / cash - 1) if len(columns.close) else 0.0


@compiled
def run_entering_late(
    rules: Rules, columns: Columns, start: int, state: State, has_guards: bool, control: Integers
) -> State:
    entry = new_scratch(rules.entry, len(columns.time))
    exit_ = new_scratch(rules.exit, len(columns.time))
    return step_late(rules, columns, entry, exit_, start, state, has_guards, control)


@lean
def step_late(
    rules: Rules,
    columns: Columns,
    entry: Scratch,
    exit_: Scratch,
    start: int,
    state: State,
    has_guards: bool,
    control: Integers,
) -> State:
    """Run a loop of the engine's step in which entry conditions are read one candle earlier."""
    watch = opening_watch(state.cash)
    for i in range(start, len(columns.time)):
        if i % 4096 == 0 and control[STOP_REQUESTED] != 0:
            return state
        prices = columns.open[i], columns.high[i], columns.low[i]
        done = trade(rules.terms, columns.minutes, state, columns.time[i], *prices)
        if done.state.quantity == 0.0:
            wanted = i > 0 and flagged(rules.entry, columns, entry, i - 1)
        else:
            wanted = flagged(rules.exit, columns, exit_, i)
        state = decided(done.state, decision(rules.terms, done.state, columns.time[i], wanted))
        if has_guards:
            outcome = Outcome(state, done.bought, done.sale, done.certainty)
            seen = guarded(rules.guards, rules.terms.interval, watch, columns.time[i], columns.close[i], outcome)
            state, watch = seen.outcome.state, seen.watch
    return state
