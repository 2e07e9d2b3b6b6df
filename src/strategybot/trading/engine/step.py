"""One candle of trading, compiled: state in, state out. The backtest, paper trading, the stress checks and the search
all take this step and nothing else (`loop`).

The order inside a candle: fill what the last close decided at the open, then the risk exits, then decide at the close.
A refusal is a value: an entry whose quantity no float can hold is not filled.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Floats
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.guards import (
    NO_GUARDS,
    NOT_REFUSED,
    GuardTerms,
    Watch,
    after_close,
    after_fills,
    after_refusal,
    guard_terms,
    refusal,
)
from strategybot.trading.engine.inside import Candle, Minutes, inside
from strategybot.trading.engine.jit import inlined
from strategybot.trading.engine.ledger import FILLS, Ledger, note_certainty
from strategybot.trading.engine.orders import buy, entry_budget, sell
from strategybot.trading.engine.risk import (
    BREAK_EVEN,
    ENTER,
    EXACT,
    EXIT_CONDITIONS,
    FOREVER,
    LEVELS,
    LONG_AGO,
    MAX_HOLDING,
    NO_PARTS,
    NOTHING,
    STEP,
    STEP_SHARE,
    STOP_LOSS,
    STOPPED_TRADING,
    TAKE_PROFIT,
    TARGET,
    TARGET_SHARE,
    TRAILING_STOP,
    Parts,
    State,
    Terms,
)
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import duration_seconds

EXIT_REASONS = {
    STOP_LOSS: "stop_loss",
    TAKE_PROFIT: "take_profit",
    TRAILING_STOP: "trailing_stop",
    EXIT_CONDITIONS: "exit_conditions",
    MAX_HOLDING: "max_holding",
    BREAK_EVEN: "break_even",
    STOPPED_TRADING: "stopped_trading",
}
RARE_EXITS = {"break_even", "stopped_trading"}  # few strategies have them: named only where they happened


EVEN = 1e-9  # of the budget: what is closer to zero is rounding, and neither a win nor a loss


class Rules(NamedTuple):
    """How a strategy trades what its conditions want, with its costs."""

    terms: Terms
    guards: GuardTerms
    are_guarded: bool


class Wish(NamedTuple):
    """What the conditions want at the close of a candle, and the distances of a position that it decides to buy."""

    enter: bool
    leave: bool
    stop_distance: float
    trailing_distance: float


class Filled(NamedTuple):
    """What happens in a candle before its close."""

    state: State
    bought: bool  # a decided entry
    certainty: int  # of what happened inside the candle


class Outcome(NamedTuple):
    """What happens in a candle. `state.pending` is what its close decides."""

    state: State
    watch: Watch
    bought: bool
    certainty: int
    refused_by: int  # the guard that refused an entry at this close, or NOT_REFUSED


def rules_of(strategy: Strategy, costs: Costs, interval_seconds: int) -> Rules:
    guards = guard_terms(strategy.guards)
    return Rules(terms_of(strategy, costs, interval_seconds), guards, guards != NO_GUARDS)


def terms_of(strategy: Strategy, costs: Costs, interval_seconds: int) -> Terms:
    risk, ladder = strategy.risk_management, strategy.ladder or []
    break_even = risk.break_even_after_percent
    return Terms(
        share=strategy.position_percent / 100,
        fee=costs.fee,
        slippage=costs.slippage,
        impact=costs.impact,
        buy_kept=costs.buy_kept,
        sell_kept=costs.sell_kept,
        stop_factor=_stop_factor(risk.stop_loss_percent, risk.stop_loss_atr is not None),
        trailing_factor=_stop_factor(risk.trailing_stop_percent, risk.trailing_stop_atr is not None),
        break_even_factor=np.inf if break_even is None else 1 + break_even / 100,
        stop_times=0.0 if risk.stop_loss_atr is None else risk.stop_loss_atr.times,
        trailing_times=0.0 if risk.trailing_stop_atr is None else risk.trailing_stop_atr.times,
        amount=strategy.position_amount or 0.0,
        risk=(strategy.risk_percent or 0.0) / 100,
        max_holding=FOREVER if risk.max_holding is None else duration_seconds(risk.max_holding),
        cooldown=0 if risk.cooldown is None else duration_seconds(risk.cooldown),
        interval=interval_seconds,
        max_entries=strategy.max_entries,
        entry_gap=0 if strategy.entry_gap is None else duration_seconds(strategy.entry_gap),
        steps=len(ladder),
        targets=len(risk.targets),
        levels=_levels(strategy),
    )


def _stop_factor(percent: float | None, is_distance: bool) -> float:
    if percent is not None:
        return 1 - percent / 100
    return 1.0 if is_distance else 0.0


def _levels(strategy: Strategy) -> Floats:
    levels = np.zeros(LEVELS)
    for number, step_ in enumerate(strategy.ladder or []):
        levels[STEP + number], levels[STEP_SHARE + number] = 1 - step_.drop_percent / 100, step_.size_percent / 100
    for number, target in enumerate(strategy.risk_management.targets):
        levels[TARGET + number], levels[TARGET_SHARE + number] = (
            1 + target.gain_percent / 100,
            target.sell_percent / 100,
        )
    return levels


@inlined
def opening_state(cash: float) -> State:
    return State(float(cash), 0.0, 0.0, 0.0, LONG_AGO, 0.0, LONG_AGO, NOTHING, NO_PARTS)


@inlined
def gain_of(budget: float, proceeds: float) -> float:
    """Return what a position made; 0 if that is only rounding."""
    gain = proceeds - budget
    return 0.0 if abs(gain) <= EVEN * budget else gain


@inlined
def step(
    rules: Rules, minutes: Minutes, ledger: Ledger, state: State, watch: Watch, candle: Candle, wish: Wish
) -> Outcome:
    """Return the outcome of a closed candle, and write its fills to the ledger."""
    terms, time, was_held = rules.terms, candle.time, state.quantity > 0.0
    state, bought, certainty = fill(terms, minutes, ledger, state, candle, watch.halt_time == FOREVER)
    was_closed = state.quantity == 0.0 and (was_held or bought)
    state = decide(state, decision(terms, state, time, wish), wish, terms)
    if not rules.are_guarded:
        return Outcome(state, watch, bought, certainty, NOT_REFUSED)
    guards = rules.guards
    was_lost = was_closed and gain_of(state.parts.spent, state.parts.received) < 0.0
    watch = after_fills(guards, watch, time, bought, was_closed, was_lost)
    watch = after_close(guards, watch, time, state.cash + state.quantity * candle.close)
    by = NOT_REFUSED
    if state.pending == ENTER:
        by = refusal(guards, watch, time, terms.interval, 0)
    if by != NOT_REFUSED:
        state, watch = with_pending(state, NOTHING), after_refusal(watch, time, terms.interval, by)
    return Outcome(state, watch, bought, certainty, by)


@inlined
def fill(terms: Terms, minutes: Minutes, ledger: Ledger, state: State, candle: Candle, may_add: bool) -> Filled:
    """Fill what is pending at the open, then what the levels of the position do inside the candle."""
    first, was_held, certainty = ledger.counts[FILLS], state.quantity > 0.0, EXACT
    is_entry, equity = state.pending == ENTER, state.cash + state.quantity * candle.open
    state = fill_at_open(terms, ledger, state, candle, state.cash, equity)
    bought = is_entry and ledger.counts[FILLS] > first
    if state.quantity > 0.0:
        state, certainty = inside(terms, minutes, ledger, candle, state, may_add)
    if was_held or bought:
        note_certainty(ledger, first, certainty, not was_held)
    return Filled(state, bought, certainty)


@inlined
def fill_at_open(terms: Terms, ledger: Ledger, state: State, candle: Candle, whole: float, equity: float) -> State:
    """Fill what is pending at the open. The size of a buy is a share of `whole`, or risks a share of the equity."""
    place, time, open_, pending = candle.place, candle.time, candle.open, state.pending
    state = with_pending(state, NOTHING)
    if pending == ENTER:
        budget = entry_budget(terms, state, open_, whole, equity)
        return buy(terms, ledger, place, time, state, ENTER, open_, open_, budget, whole)
    if pending != NOTHING:
        return sell(terms, ledger, place, time, state, pending, open_, open_, state.quantity)
    return state


@inlined
def decision(terms: Terms, state: State, time: int, wish: Wish) -> int:
    """Return what the close decides."""
    if state.quantity == 0.0:
        return ENTER if wish.enter and time >= state.ready_time else NOTHING
    if wish.leave:
        return EXIT_CONDITIONS
    end = time + terms.interval
    if end - state.entry_time >= terms.max_holding:
        return MAX_HOLDING
    is_next = state.parts.entries < terms.max_entries and end - state.parts.last_entry >= terms.entry_gap
    return ENTER if wish.enter and is_next else NOTHING


@inlined
def decide(state: State, pending: int, wish: Wish, terms: Terms) -> State:
    """Return the state with what the close decides; a first entry fixes the distances of its stops."""
    if pending != ENTER or state.quantity > 0.0 or terms.stop_times + terms.trailing_times == 0.0:
        return with_pending(state, pending)
    cash, quantity, budget, entry_price, entry_time, peak, ready_time, _, parts = state
    bought, spent, received, price, first_cash, entries, last, next_step, target, is_armed, _, _ = parts
    stop, trailing = terms.stop_times * wish.stop_distance, terms.trailing_times * wish.trailing_distance
    parts = Parts(
        bought, spent, received, price, first_cash, entries, last, next_step, target, is_armed, stop, trailing
    )
    return State(cash, quantity, budget, entry_price, entry_time, peak, ready_time, pending, parts)


@inlined
def with_pending(state: State, pending: int) -> State:
    cash, quantity, budget, entry_price, entry_time, peak, ready_time, _, parts = state
    return State(cash, quantity, budget, entry_price, entry_time, peak, ready_time, pending, parts)
