"""One candle of trading, compiled: state in, state out. Paper trading calls `step`; a backtest is a loop of it.

The order inside a candle: fill what the last close decided at the open, then the risk exits, then decide at the close.
A refusal is a value: an entry whose quantity no float can hold is not filled.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.conditions import Columns, Conditions, conditions_met, encode
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
from strategybot.trading.jit import inlined, lean
from strategybot.trading.language.conditions import Compare
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
    """A strategy and its costs, as the compiled code reads them."""

    entry: Conditions
    exit: Conditions
    terms: Terms
    guards: GuardTerms

    @property
    def are_guarded(self) -> bool:
        return self.guards != NO_GUARDS


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


class Outcome(NamedTuple):
    state: State
    bought: bool
    sale: Sale
    certainty: int  # of what the risk settings did inside the candle


class Guarded(NamedTuple):
    """The outcome of a candle as the guards permit it."""

    outcome: Outcome
    watch: Watch
    refused_by: int  # the guard that refused an entry at this close, or NOT_REFUSED


def rules_of(strategy: Strategy, costs: Costs, interval_seconds: int) -> Rules:
    entry_comparisons = sum(isinstance(each, Compare) for each in strategy.conditions)
    return Rules(
        encode(strategy.conditions, strategy.match, interval_seconds),
        encode(strategy.exit_conditions, strategy.exit_match, interval_seconds, entry_comparisons),
        terms_of(strategy, costs, interval_seconds),
        guard_terms(strategy.guards),
    )


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


def opening_state(initial_cash: float) -> State:
    return State(float(initial_cash), 0.0, 0.0, 0.0, LONG_AGO, 0.0, LONG_AGO, NOTHING)


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
def sell(terms: Terms, state: State, time: int, reason: int, base: float, level: float) -> Outcome:
    price = base * (1.0 - terms.slippage)
    value = state.quantity * price
    proceeds = value / worse_by(terms, value) * (1.0 - terms.fee) * terms.sell_kept
    after = State(state.cash + proceeds, 0.0, 0.0, 0.0, LONG_AGO, 0.0, time + terms.cooldown, NOTHING)
    sale = Sale(reason, base, price, level, state.quantity, state.entry_price, state.budget, state.cash, proceeds)
    return Outcome(after, False, sale, EXACT)


@inlined
def gain_of(sale: Sale) -> float:
    """Return what the position made; 0 if that is only rounding."""
    gain = sale.proceeds - sale.budget
    return 0.0 if abs(gain) <= EVEN * sale.budget else gain


@inlined
def trade(terms: Terms, minutes: Minutes, state: State, time: int, open_: float, high: float, low: float) -> Outcome:
    """Return what happens in the candle before its close: pending fills at the open, then the risk exits."""
    bought = False
    if state.pending == ENTER:
        state = buy(terms, state, time, open_)
        bought = state.quantity > 0.0
    elif state.pending != NOTHING:
        return sell(terms, state, time, state.pending, open_, open_)
    if state.quantity == 0.0:
        return Outcome(state, False, no_sale(), EXACT)
    left = exit_inside(terms, minutes, state, time, open_, high, low)
    if left.reason != NOTHING:
        sold = sell(terms, state, time, left.reason, left.base, left.level)
        return Outcome(sold.state, bought, sold.sale, left.certainty)
    return Outcome(raised(terms, state, high), bought, no_sale(), left.certainty)


@inlined
def decision(terms: Terms, state: State, time: int, wanted: bool) -> int:
    """Return what the close decides; `wanted` is whether the conditions to buy, or to sell a held position, are met."""
    if state.quantity == 0.0:
        return ENTER if wanted and time >= state.ready_time else NOTHING
    if wanted:
        return EXIT_CONDITIONS
    held = time + terms.interval - state.entry_time
    return MAX_HOLDING if held >= terms.max_holding else NOTHING


@inlined
def decided(state: State, pending: int) -> State:
    return State(
        state.cash,
        state.quantity,
        state.budget,
        state.entry_price,
        state.entry_time,
        state.peak,
        state.ready_time,
        pending,
    )


@lean
def step(rules: Rules, columns: Columns, i: int, state: State) -> Outcome:
    """Return the outcome of candle i, which is closed. Only candles up to i are read."""
    prices = columns.open[i], columns.high[i], columns.low[i]
    done = trade(rules.terms, columns.minutes, state, columns.time[i], *prices)
    side = rules.entry if done.state.quantity == 0.0 else rules.exit
    wanted = conditions_met(side, columns, i)
    pending = decision(rules.terms, done.state, columns.time[i], wanted)
    return Outcome(decided(done.state, pending), done.bought, done.sale, done.certainty)


@inlined
def guarded(guards: GuardTerms, interval: int, watch: Watch, time: int, close: float, outcome: Outcome) -> Guarded:
    """Update the guards with the candle, and drop its entry if one of them refuses it."""
    sale, state = outcome.sale, outcome.state
    sold = sale.reason != NOTHING
    watch = after_fills(guards, watch, time, outcome.bought, sold, gain_of(sale) < 0.0)
    watch = after_close(guards, watch, time, state.cash + state.quantity * close)
    if state.pending != ENTER:
        return Guarded(outcome, watch, NOT_REFUSED)
    by = refusal(guards, watch, time, interval)
    if by == NOT_REFUSED:
        return Guarded(outcome, watch, by)
    refused = Outcome(decided(state, NOTHING), outcome.bought, sale, outcome.certainty)
    return Guarded(refused, after_refusal(watch, time, interval, by), by)


@lean
def step_guarded(rules: Rules, columns: Columns, i: int, state: State, watch: Watch) -> Guarded:
    """Return the outcome of a closed candle of a strategy with guards."""
    outcome = step(rules, columns, i, state)
    return guarded(rules.guards, rules.terms.interval, watch, columns.time[i], columns.close[i], outcome)
