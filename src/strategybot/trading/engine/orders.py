"""The fills of a position, compiled: each changes the state and writes its row to the ledger."""

import numpy as np

from strategybot.trading.engine.jit import inlined, lean
from strategybot.trading.engine.ledger import (
    AMOUNT,
    BASE,
    BYTE,
    CANDLE,
    CASH_AFTER,
    FILLS,
    HELD,
    LEVEL,
    MONEY,
    WHAT,
    Ledger,
)
from strategybot.trading.engine.risk import (
    ENTER,
    LADDER,
    LONG_AGO,
    NOTHING,
    STEP_SHARE,
    TAKE_PROFIT,
    TARGET_SHARE,
    Parts,
    State,
    Terms,
    ladder_level,
    stop_level,
    target_level,
)

LEAST_MONEY = 1.0  # smaller buys are not made, except a first one by a share of the cash
ALL_SHARES = 1 - 1e-9  # decimal fractions that add up to 100 % may be rounded below it


@inlined
def worse_by(terms: Terms, value: float) -> float:
    """Return the factor by which a fill of this value makes its own price worse; exactly 1 without a pool."""
    return 1.0 + terms.impact * value if terms.impact > 0.0 else 1.0


@inlined
def entry_budget(terms: Terms, state: State, open_: float, whole: float, equity: float) -> float:
    """Return the money of a decided buy at this open; 0 if it is too little.

    A share is taken of `whole`, a risk of the equity.
    """
    if terms.amount > 0.0:
        budget = min(terms.amount, state.cash)
    elif terms.risk > 0.0:
        budget = min(budget_at_risk(terms, state, open_, equity), state.cash)
    elif state.quantity == 0.0:
        return min(whole * terms.share, state.cash)
    else:
        budget = min(state.parts.first_cash * terms.share, state.cash)
    return budget if budget >= LEAST_MONEY else 0.0


@inlined
def budget_at_risk(terms: Terms, state: State, open_: float, equity: float) -> float:
    """Return the money of which the stop of this buy loses its share of the equity, costs included, without impact."""
    price = open_ * (1.0 + terms.slippage)
    fixed = price * terms.stop_factor - state.parts.stop_distance
    stop = max(fixed, price * terms.trailing_factor - state.parts.trailing_distance, 0.0)
    kept = (1.0 - terms.slippage) * (1.0 - terms.fee) * terms.buy_kept * terms.sell_kept / (1.0 + terms.fee)
    lost = 1.0 - stop / price * kept
    return terms.risk * equity / lost if lost > 0.0 else np.inf


@inlined
def buy(
    terms: Terms,
    ledger: Ledger,
    place: int,
    time: int,
    state: State,
    reason: int,
    base: float,
    level: float,
    budget: float,
    whole: float,
) -> State:
    """Return the state after a buy with this money. An amount that no float can hold is not bought.

    Shares of a position that it begins are taken of `whole`.
    """
    price = base * (1.0 + terms.slippage)
    paid = price * worse_by(terms, budget / (1.0 + terms.fee))
    quantity = budget / (paid * (1.0 + terms.fee)) * terms.buy_kept
    if not 0.0 < quantity < np.inf:
        return state
    old, is_entry = state.parts, reason == ENTER
    cash, held = state.cash - budget, state.quantity + quantity
    if state.quantity == 0.0:
        average, since, peak = price, time, price
        parts = Parts(
            quantity, budget, 0.0, price, whole, 1, time, 0, 0, False, old.stop_distance, old.trailing_distance
        )
    else:
        average, since, peak = (
            (state.quantity * state.entry_price + quantity * price) / held,
            state.entry_time,
            state.peak,
        )
        parts = Parts(
            old.bought + quantity,
            old.spent + budget,
            old.received,
            old.first_price,
            old.first_cash,
            old.entries + 1 if is_entry else old.entries,
            time if is_entry else old.last_entry,
            old.step,
            old.target,
            old.is_armed,
            old.stop_distance,
            old.trailing_distance,
        )
    number = 0 if is_entry else old.step + 1
    write(ledger, place, reason, number, base, quantity, budget, cash, held, level)
    return State(cash, held, state.budget + budget, average, since, peak, state.ready_time, NOTHING, parts)


@inlined
def sell(
    terms: Terms,
    ledger: Ledger,
    place: int,
    time: int,
    state: State,
    reason: int,
    base: float,
    level: float,
    quantity: float,
) -> State:
    """Return the state after a sale of so much; of everything, it is flat and waits for its cooldown."""
    price = base * (1.0 - terms.slippage)
    value = quantity * price
    proceeds = value / worse_by(terms, value) * (1.0 - terms.fee) * terms.sell_kept
    cost = state.budget * (quantity / state.quantity)
    cash, held, old = state.cash + proceeds, state.quantity - quantity, state.parts
    is_target = reason == TAKE_PROFIT
    number = old.target + 1 if is_target else 0
    write(ledger, place, reason, number, base, quantity, proceeds, cash, held, level)
    parts = Parts(
        old.bought,
        old.spent,
        old.received + proceeds,
        old.first_price,
        old.first_cash,
        old.entries,
        old.last_entry,
        old.step,
        old.target + 1 if is_target else old.target,
        old.is_armed,
        old.stop_distance,
        old.trailing_distance,
    )
    if held == 0.0:
        return State(cash, 0.0, 0.0, 0.0, LONG_AGO, 0.0, time + terms.cooldown, NOTHING, parts)
    return State(
        cash,
        held,
        state.budget - cost,
        state.entry_price,
        state.entry_time,
        state.peak,
        state.ready_time,
        NOTHING,
        parts,
    )


@inlined
def write(
    ledger: Ledger, place: int, reason: int, number: int, base: float, quantity: float, money: float, cash: float,
    held: float, level: float,
) -> None:  # fmt: skip
    row = ledger.counts[FILLS]
    places, amounts = ledger.places[row], ledger.amounts[row]
    places[CANDLE], places[WHAT] = place, reason | number << BYTE
    amounts[BASE], amounts[AMOUNT], amounts[MONEY] = base, quantity, money
    amounts[CASH_AFTER], amounts[HELD], amounts[LEVEL] = cash, held, level
    ledger.counts[FILLS] = row + 1


@inlined
def add_step(terms: Terms, ledger: Ledger, place: int, time: int, state: State, base: float, level: float) -> State:
    """Return the state after the next ladder step; it is used up even if there is too little cash for it."""
    whole = state.parts.first_cash
    budget = min(whole * terms.levels[STEP_SHARE + state.parts.step], state.cash)
    if budget >= LEAST_MONEY:
        state = buy(terms, ledger, place, time, state, LADDER, base, level, budget, whole)
    cash, quantity, spent, average, since, peak, ready, pending, parts = state
    bought, total, received, first, first_cash, entries, last, step, target, is_armed, stop, trailing = parts
    parts = Parts(bought, total, received, first, first_cash, entries, last, step + 1, target, is_armed, stop, trailing)
    return State(cash, quantity, spent, average, since, peak, ready, pending, parts)


@inlined
def at_open(terms: Terms, ledger: Ledger, place: int, time: int, state: State, open_: float, may_add: bool) -> State:
    """Return the state after what an open beyond a level fills: the stop, otherwise ladder steps."""
    stop, reason = stop_level(terms, state)
    if open_ <= stop:
        return sell(terms, ledger, place, time, state, reason, open_, stop, state.quantity)
    while may_add and ladder_level(terms, state) >= open_:
        state = add_step(terms, ledger, place, time, state, open_, ladder_level(terms, state))
    return state


@lean
def go_down(terms: Terms, ledger: Ledger, place: int, time: int, state: State, low: float, may_add: bool) -> State:
    """Return the state after a fall to `low`: from the top, ladder steps and the stop, which moves with each."""
    while state.quantity > 0.0:
        stop, reason = stop_level(terms, state)
        level = ladder_level(terms, state) if may_add else 0.0
        if low > max(stop, level):
            break
        if level > stop:
            state = add_step(terms, ledger, place, time, state, level, level)
        else:
            return sell(terms, ledger, place, time, state, reason, stop, stop, state.quantity)
    return state


@lean
def go_up(terms: Terms, ledger: Ledger, place: int, time: int, state: State, open_: float, high: float) -> State:
    """Return the state after a rise to `high`: each target sells its share of everything bought so far."""
    while state.quantity > 0.0:
        level = target_level(terms, state)
        if high < level:
            break
        base = open_ if open_ >= level else level
        state = sell(terms, ledger, place, time, state, TAKE_PROFIT, base, level, target_quantity(terms, state))
    return state


@inlined
def target_quantity(terms: Terms, state: State) -> float:
    shares, number = 0.0, state.parts.target
    for each in range(number + 1):
        shares += terms.levels[TARGET_SHARE + each]
    part = state.parts.bought * terms.levels[TARGET_SHARE + number]
    return state.quantity if shares >= ALL_SHARES else min(state.quantity, part)
