"""One candle of trading, compiled: state in, state out. The backtest, paper trading, the stress checks and the search
all take this step and nothing else (`loop`).

The order inside a candle: fill what the last close decided at the open, then the risk exits, then decide at the close.
A refusal is a value: an entry whose quantity no float can hold is not filled.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.costs import Costs
from strategybot.trading.guards import (
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
from strategybot.trading.jit import inlined
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import duration_seconds
from strategybot.trading.risk import (
    ENTER,
    EXACT,
    EXIT_CONDITIONS,
    FOREVER,
    LONG_AGO,
    MAX_HOLDING,
    NOTHING,
    STOP_LOSS,
    TAKE_PROFIT,
    TRAILING_STOP,
    Minutes,
    State,
    Terms,
    exit_inside,
    raised,
)

EXIT_REASONS = {
    STOP_LOSS: "stop_loss",
    TAKE_PROFIT: "take_profit",
    TRAILING_STOP: "trailing_stop",
    EXIT_CONDITIONS: "exit_conditions",
    MAX_HOLDING: "max_holding",
}


EVEN = 1e-9  # of the budget: what is closer to zero is rounding, and neither a win nor a loss


class Rules(NamedTuple):
    """How a strategy trades what its conditions want, with its costs."""

    terms: Terms
    guards: GuardTerms
    are_guarded: bool


class Candle(NamedTuple):
    time: int
    open: float
    high: float
    low: float
    close: float


class Sale(NamedTuple):
    """A position closed in this candle; the reason is NOTHING if none was closed."""

    reason: int
    base: float  # the price before slippage
    price: float
    level: float  # the stop or the target that was reached
    quantity: float
    entry_price: float
    budget: float
    cash: float  # beside the position, while it was held
    proceeds: float


class Filled(NamedTuple):
    """What happens in a candle before its close."""

    state: State
    bought: bool
    sale: Sale
    certainty: int  # of what the risk settings did inside the candle


class Outcome(NamedTuple):
    """What happens in a candle. `state.pending` is what its close decides."""

    state: State
    watch: Watch
    bought: bool
    sale: Sale
    certainty: int
    refused_by: int  # the guard that refused an entry at this close, or NOT_REFUSED


def rules_of(strategy: Strategy, costs: Costs, interval_seconds: int) -> Rules:
    guards = guard_terms(strategy.guards)
    return Rules(terms_of(strategy, costs, interval_seconds), guards, guards != NO_GUARDS)


def terms_of(strategy: Strategy, costs: Costs, interval_seconds: int) -> Terms:
    risk = strategy.risk_management
    return Terms(
        share=strategy.position_percent / 100,
        fee=costs.fee,
        slippage=costs.slippage,
        impact=costs.impact,
        buy_kept=costs.buy_kept,
        sell_kept=costs.sell_kept,
        stop_factor=0.0 if risk.stop_loss_percent is None else 1 - risk.stop_loss_percent / 100,
        trailing_factor=0.0 if risk.trailing_stop_percent is None else 1 - risk.trailing_stop_percent / 100,
        target_factor=np.inf if risk.take_profit_percent is None else 1 + risk.take_profit_percent / 100,
        max_holding=FOREVER if risk.max_holding is None else duration_seconds(risk.max_holding),
        cooldown=0 if risk.cooldown is None else duration_seconds(risk.cooldown),
        interval=interval_seconds,
    )


@inlined
def opening_state(cash: float) -> State:
    return State(float(cash), 0.0, 0.0, 0.0, LONG_AGO, 0.0, LONG_AGO, NOTHING)


@inlined
def no_sale() -> Sale:
    return Sale(NOTHING, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inlined
def worse_by(terms: Terms, value: float) -> float:
    """Return the factor by which a fill of this value makes its own price worse; exactly 1 without a pool."""
    return 1.0 + terms.impact * value if terms.impact > 0.0 else 1.0


@inlined
def buy(terms: Terms, state: State, time: int, base: float) -> State:
    price = base * (1.0 + terms.slippage)
    budget = state.cash * terms.share
    paid = price * worse_by(terms, budget / (1.0 + terms.fee))
    quantity = budget / (paid * (1.0 + terms.fee)) * terms.buy_kept
    if not 0.0 < quantity < np.inf:
        return State(state.cash, 0.0, 0.0, 0.0, LONG_AGO, 0.0, state.ready_time, NOTHING)
    return State(state.cash - budget, quantity, budget, price, time, price, state.ready_time, NOTHING)


@inlined
def sell(terms: Terms, state: State, time: int, reason: int, base: float, level: float) -> Filled:
    price = base * (1.0 - terms.slippage)
    value = state.quantity * price
    proceeds = value / worse_by(terms, value) * (1.0 - terms.fee) * terms.sell_kept
    after = State(state.cash + proceeds, 0.0, 0.0, 0.0, LONG_AGO, 0.0, time + terms.cooldown, NOTHING)
    sale = Sale(reason, base, price, level, state.quantity, state.entry_price, state.budget, state.cash, proceeds)
    return Filled(after, False, sale, EXACT)


@inlined
def gain_of(budget: float, proceeds: float) -> float:
    """Return what a position made; 0 if that is only rounding."""
    gain = proceeds - budget
    return 0.0 if abs(gain) <= EVEN * budget else gain


@inlined
def step(
    rules: Rules, minutes: Minutes, state: State, watch: Watch, candle: Candle, enter: bool, leave: bool
) -> Outcome:
    """Return the outcome of a closed candle; `enter` and `leave` are whether the conditions of each side are met."""
    terms, time = rules.terms, candle.time
    state, bought, sale, certainty = filled(terms, minutes, state, candle)
    state = with_pending(state, decision(terms, state, time, enter, leave))
    if not rules.are_guarded:
        return Outcome(state, watch, bought, sale, certainty, NOT_REFUSED)
    guards = rules.guards
    watch = after_fills(guards, watch, time, bought, sale.reason != NOTHING, gain_of(sale.budget, sale.proceeds) < 0.0)
    watch = after_close(guards, watch, time, state.cash + state.quantity * candle.close)
    by = NOT_REFUSED
    if state.pending == ENTER:
        by = refusal(guards, watch, time, terms.interval)
    if by != NOT_REFUSED:
        state, watch = with_pending(state, NOTHING), after_refusal(watch, time, terms.interval, by)
    return Outcome(state, watch, bought, sale, certainty, by)


@inlined
def filled(terms: Terms, minutes: Minutes, state: State, candle: Candle) -> Filled:
    """Fill what is pending at the open, then leave at the stop or at the target."""
    bought, time, open_ = False, candle.time, candle.open
    if state.pending == ENTER:
        state = buy(terms, state, time, open_)
        bought = state.quantity > 0.0
    elif state.pending != NOTHING:
        return sell(terms, state, time, state.pending, open_, open_)
    if state.quantity == 0.0:
        return Filled(state, False, no_sale(), EXACT)
    left = exit_inside(terms, minutes, state, time, open_, candle.high, candle.low)
    if left.reason != NOTHING:
        sold = sell(terms, state, time, left.reason, left.base, left.level)
        return Filled(sold.state, bought, sold.sale, left.certainty)
    return Filled(raised(terms, state, candle.high), bought, no_sale(), left.certainty)


@inlined
def decision(terms: Terms, state: State, time: int, enter: bool, leave: bool) -> int:
    """Return what the close decides."""
    if state.quantity == 0.0:
        return ENTER if enter and time >= state.ready_time else NOTHING
    if leave:
        return EXIT_CONDITIONS
    held = time + terms.interval - state.entry_time
    return MAX_HOLDING if held >= terms.max_holding else NOTHING


@inlined
def with_pending(state: State, pending: int) -> State:
    cash, quantity, budget, entry_price, entry_time, peak, ready_time, _ = state
    return State(cash, quantity, budget, entry_price, entry_time, peak, ready_time, pending)
