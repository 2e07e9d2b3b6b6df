"""How a held position leaves inside a candle: at its stop or at its target, and which of the two came first.

A candle does not tell in which order its prices came. Where that matters the candle is in doubt, and its 1-minute
candles decide if they are known. Without them the stop counts as first. Paper trading and backtests share this code.
"""

from typing import NamedTuple

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.jit import inlined, lean

NOTHING, STOP_LOSS, TAKE_PROFIT, TRAILING_STOP, EXIT_CONDITIONS, MAX_HOLDING, ENTER = 0, 1, 2, 3, 4, 5, 6
EXACT, RESOLVED, ASSUMED = 0, 1, 2  # how sure the outcome of a candle is; a larger number is less sure
LONG_AGO, FOREVER = -(2**61), 2**61  # moments beyond every candle
MATCH = 1e-4  # minutes belong to a candle if their extremes are its own, but for what a provider rounds


class Terms(NamedTuple):
    """Size, costs and risk settings. A setting that is off has a factor that can never be reached."""

    share: float
    fee: float
    slippage: float
    impact: float  # of a fill on its price, per unit of money: 2 / the pool's liquidity
    buy_kept: float  # share of a purchase that the token's tax leaves
    sell_kept: float
    stop_factor: float
    trailing_factor: float
    target_factor: float
    max_holding: int
    cooldown: int
    interval: int


class State(NamedTuple):
    cash: float
    quantity: float
    budget: float  # spent on the open position, fee included
    entry_price: float
    entry_time: int
    peak: float  # highest price since the entry; kept only for a trailing stop
    ready_time: int  # no entry is decided before it
    pending: int  # what the last close decided


class Minutes(NamedTuple):
    """The 1-minute candles that are known, ascending; usually only those of candles in doubt."""

    time: Integers
    open: Floats
    high: Floats
    low: Floats


class Exit(NamedTuple):
    """An exit inside a candle; the reason is NOTHING if the position was held."""

    reason: int
    base: float  # the price before slippage
    level: float  # the stop or the target that was reached
    certainty: int


@inlined
def stop_level(terms: Terms, state: State) -> tuple[float, int]:
    """Return the price of the stop now, and which of the two stops it is."""
    fixed = state.entry_price * terms.stop_factor
    trailing = state.peak * terms.trailing_factor
    return (trailing, TRAILING_STOP) if trailing > fixed else (fixed, STOP_LOSS)


@inlined
def risk_exit(terms: Terms, state: State, open_: float, high: float, low: float) -> tuple[int, float, float]:
    """Return reason, price before slippage and level of an exit inside the candle. The stop counts as first."""
    stop, reason = stop_level(terms, state)
    if open_ <= stop:
        return reason, open_, stop
    if low <= stop:
        return reason, stop, stop
    target = state.entry_price * terms.target_factor
    if open_ >= target:
        return TAKE_PROFIT, open_, target
    if high >= target:
        return TAKE_PROFIT, target, target
    return NOTHING, 0.0, 0.0


@inlined
def quiet_prices(terms: Terms, state: State) -> tuple[float, float]:
    """Return two prices: a candle between them changes nothing of a held position, and is not in doubt."""
    stop, _ = stop_level(terms, state)
    target = state.entry_price * terms.target_factor
    return stop, min(target, state.peak) if terms.trailing_factor > 0.0 else target


@inlined
def raised(terms: Terms, state: State, high: float) -> State:
    """Return the state after a candle without an exit. A new peak counts from the next candle on."""
    if terms.trailing_factor == 0.0 or high <= state.peak:
        return state
    cash, quantity, budget, entry_price, entry_time, _, ready_time, pending = state
    return State(cash, quantity, budget, entry_price, entry_time, high, ready_time, pending)


@inlined
def in_doubt(terms: Terms, state: State, open_: float, high: float, low: float) -> bool:
    """Return whether the outcome depends on the order of the prices inside the candle.

    It does if the candle reaches both the stop and the target from between them, or if its own new high could have
    raised the trailing stop above its low.
    """
    stop, _ = stop_level(terms, state)
    if open_ <= stop:
        return False
    target = state.entry_price * terms.target_factor
    reaches_both = open_ < target and low <= stop and high >= target
    is_trailing = terms.trailing_factor > 0.0
    return bool(reaches_both or (is_trailing and high > state.peak and low <= high * terms.trailing_factor))


@inlined
def exit_inside(terms: Terms, minutes: Minutes, state: State, time: int, open_: float, high: float, low: float) -> Exit:
    """Return the exit of a held position inside the candle, by its 1-minute candles if it is in doubt."""
    reason, base, level = risk_exit(terms, state, open_, high, low)
    if not in_doubt(terms, state, open_, high, low):
        return Exit(reason, base, level, EXACT)
    return by_minutes(terms, minutes, state, time, high, low, Exit(reason, base, level, ASSUMED))


@lean
def by_minutes(terms: Terms, minutes: Minutes, state: State, time: int, high: float, low: float, assumed: Exit) -> Exit:
    """Step through the minutes of the candle; `assumed` if they are unknown or do not show what the candle shows."""
    first = first_at(minutes.time, time)
    end = first_at(minutes.time, time + terms.interval)
    if not are_of(minutes, first, end, high, low):
        return assumed
    for k in range(first, end):
        minute_open = min(max(minutes.open[k], low), high)  # no fill lies outside of its candle
        minute_high, minute_low = min(minutes.high[k], high), max(minutes.low[k], low)
        reason, base, level = risk_exit(terms, state, minute_open, minute_high, minute_low)
        if reason != NOTHING:
            return Exit(reason, base, level, RESOLVED)
        state = raised(terms, state, minute_high)
    return assumed if assumed.reason != NOTHING else Exit(NOTHING, 0.0, 0.0, RESOLVED)


@lean
def are_of(minutes: Minutes, first: int, end: int, high: float, low: float) -> bool:
    """Return whether there are minutes and they have the high and the low of the candle."""
    if first == end:
        return False
    top, bottom = minutes.high[first], minutes.low[first]
    for k in range(first + 1, end):
        top, bottom = max(top, minutes.high[k]), min(bottom, minutes.low[k])
    return bool(abs(top - high) <= MATCH * high and abs(bottom - low) <= MATCH * low)


@lean
def first_at(time: Integers, moment: int) -> int:
    """Return the first row that begins at the moment or later."""
    begin, end = 0, len(time)
    while begin < end:
        middle = (begin + end) // 2
        if time[middle] < moment:
            begin = middle + 1
        else:
            end = middle
    return begin
