"""The terms of a strategy and the state of its position, and at which prices something happens to it."""

from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Floats
from strategybot.trading.engine.jit import inlined

NOTHING, STOP_LOSS, TAKE_PROFIT, TRAILING_STOP, EXIT_CONDITIONS, MAX_HOLDING, ENTER, LADDER, BREAK_EVEN = range(9)
STOPPED_TRADING = 9  # of a token in a portfolio: its position is written down
EXACT, RESOLVED, ASSUMED = 0, 1, 2  # how sure the outcome of a candle is; a larger number is less sure
LONG_AGO, FOREVER = -(2**61), 2**61  # moments beyond every candle
MOST_STEPS, MOST_TARGETS = 10, 5
STEP, STEP_SHARE, TARGET, TARGET_SHARE = 0, 10, 20, 25  # where each begins in `Terms.levels`
LEVELS = 30


class Terms(NamedTuple):
    """Size, costs and risk settings. A setting that is off has a factor that can never be reached."""

    share: float
    fee: float
    slippage: float
    impact: float  # of a fill on its price, per unit of money: 2 / the pool's liquidity
    buy_kept: float  # share of a purchase that the token's tax leaves
    sell_kept: float
    stop_factor: float  # 1 for a stop at a distance
    trailing_factor: float
    break_even_factor: float
    stop_times: float  # the distance in ATR; 0 if it is a share of the price
    trailing_times: float
    amount: float  # money of one buy; 0 if its size is said otherwise
    risk: float  # share of the equity that one buy may lose; 0 if its size is said otherwise
    max_holding: int
    cooldown: int
    interval: int
    max_entries: int
    entry_gap: int
    steps: int  # of the ladder
    targets: int
    levels: Floats  # factors and shares of the ladder steps, then of the targets


class Parts(NamedTuple):
    """What a position that is bought and sold in parts has done. Without one, the totals of the last one stay."""

    bought: float
    spent: float
    received: float
    first_price: float
    first_cash: float  # of which its shares are taken: the cash before the first buy, or a portfolio's equity by place
    entries: int  # buys without ladder steps
    last_entry: int  # time of the candle of the last of them
    step: int  # the next one of the ladder
    target: int
    is_armed: bool  # the stop is at least the average price
    stop_distance: float
    trailing_distance: float


class State(NamedTuple):
    cash: float
    quantity: float
    budget: float  # spent on what is held, fee included
    entry_price: float  # the average of what is held
    entry_time: int
    peak: float  # highest price since the entry; kept only for a trailing stop
    ready_time: int  # no entry is decided before it
    pending: int  # what the last close decided
    parts: Parts


NO_PARTS = Parts(0.0, 0.0, 0.0, 0.0, 0.0, 0, LONG_AGO, 0, 0, False, 0.0, 0.0)


@inlined
def stop_level(terms: Terms, state: State) -> tuple[float, int]:
    """Return the price of the stop now, and which of the stops it is."""
    fixed = state.entry_price * terms.stop_factor - state.parts.stop_distance
    trailing = state.peak * terms.trailing_factor - state.parts.trailing_distance
    level, reason = (trailing, TRAILING_STOP) if trailing > fixed else (fixed, STOP_LOSS)
    if state.parts.is_armed and state.entry_price >= level:
        return state.entry_price, BREAK_EVEN
    return level, reason


@inlined
def target_level(terms: Terms, state: State) -> float:
    """Return the price of the next target; infinity if none is left."""
    if state.parts.target >= terms.targets:
        return np.inf
    return float(state.entry_price * terms.levels[TARGET + state.parts.target])


@inlined
def ladder_level(terms: Terms, state: State) -> float:
    """Return the price of the next ladder step; 0 if none is left."""
    if state.parts.step >= terms.steps:
        return 0.0
    return float(state.parts.first_price * terms.levels[STEP + state.parts.step])


@inlined
def break_even_level(terms: Terms, state: State) -> float:
    """Return the price that arms the stop at the average price; infinity if it is armed or off."""
    return np.inf if state.parts.is_armed else state.entry_price * terms.break_even_factor


@inlined
def quiet_prices(terms: Terms, state: State) -> tuple[float, float]:
    """Return two prices: a candle between them changes nothing of a held position, and is not in doubt."""
    stop, _ = stop_level(terms, state)
    floor = max(stop, ladder_level(terms, state), 0.0)
    ceiling = min(target_level(terms, state), break_even_level(terms, state))
    return floor, min(ceiling, state.peak) if terms.trailing_factor > 0.0 else ceiling


@inlined
def raise_peak(terms: Terms, state: State, high: float, average: float) -> State:
    """Return the state after a candle. A new peak, and a stop at the average price, count from the next one on.

    `average` is the price of what was held after the fills of its open.
    """
    peak = high if terms.trailing_factor > 0.0 and high > state.peak else state.peak
    is_armed = state.parts.is_armed or high >= average * terms.break_even_factor
    if peak == state.peak and is_armed == state.parts.is_armed:
        return state
    cash, quantity, budget, entry_price, entry_time, _, ready_time, pending, parts = state
    bought, spent, received, price, first_cash, entries, last, step, target, _, stop, trailing = parts
    parts = Parts(bought, spent, received, price, first_cash, entries, last, step, target, is_armed, stop, trailing)
    return State(cash, quantity, budget, entry_price, entry_time, peak, ready_time, pending, parts)


@inlined
def could_move_its_stop(terms: Terms, state: State, high: float, low: float) -> bool:
    """Return whether the candle's own high could have moved a stop above its low."""
    trailing = high * terms.trailing_factor - state.parts.trailing_distance
    trails = terms.trailing_factor > 0.0 and high > state.peak and low <= trailing
    return bool(trails or (high >= break_even_level(terms, state) and low <= state.entry_price))


@inlined
def only_raises_peak(terms: Terms, state: State, time: int, high: float, low: float) -> bool:
    """Return whether a new peak is all that the candle changes of a held position, and it is not in doubt."""
    if terms.trailing_factor == 0.0 or time + terms.interval - state.entry_time >= terms.max_holding:
        return False
    floor, _ = quiet_prices(terms, state)
    is_below = high < target_level(terms, state) and high < break_even_level(terms, state)
    return low > floor and is_below and not could_move_its_stop(terms, state, high, low)
