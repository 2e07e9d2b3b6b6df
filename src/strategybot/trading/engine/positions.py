"""The positions of a portfolio as one table of numbers, and the candles of its tokens on one grid of times."""

from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.columns import Flags
from strategybot.trading.engine.guards import Watch
from strategybot.trading.engine.inside import Minutes
from strategybot.trading.engine.jit import inlined
from strategybot.trading.engine.risk import LONG_AGO, Parts, State

# rows of the table of positions, which has a column for each token: its state, then what only a portfolio needs
(
    QUANTITY,
    BUDGET,
    ENTRY_PRICE,
    ENTRY_TIME,
    PEAK,
    READY_TIME,
    PENDING,
    BOUGHT,
    SPENT,
    RECEIVED,
    FIRST_PRICE,
    FIRST_CASH,
    ENTRIES,
    LAST_ENTRY,
    STEP,
    TARGET,
    IS_ARMED,
    STOP_DISTANCE,
    TRAILING_DISTANCE,
    FLOOR,  # a candle between these two prices changes nothing
    CEILING,
    SURE,  # how sure its candles since the entry are
    TURN,  # decided buys are filled in this order
    REFUSED_TIME,
    TURNED_AWAY,
) = range(25)
TABLE_ROWS = 25

VOLUME, FALL, RISE = 0, 1, 2
DAY = 86_400


class Places(NamedTuple):
    """How many tokens are held at a time, which are preferred, and what is left of one that stops trading."""

    max_open: int
    prefer: int
    dead_kept: float


class Universe(NamedTuple):
    """The candles of all tokens, one after the other, each without gaps, and the grid of times that they share.

    A token's candle at place g of the grid is row `offset` + g, if `begin` ≤ g < `end` and the row is `real`.
    """

    time: Integers  # of the grid
    open: Floats
    high: Floats
    low: Floats
    close: Floats
    volume: Floats
    entry: Flags
    exit: Flags
    real: Flags  # 0 for a candle that only fills a gap: the token has none then
    stop_range: Floats
    trailing_range: Floats
    offset: Integers
    first: Integers  # row of its first candle, which may only warm up
    begin: Integers
    end: Integers
    costs: Floats  # impact and the shares that taxes leave of a purchase and a sale, for each token
    minutes: Minutes
    minutes_end: Integers  # a token's minutes end here, and begin where those of the one before end


class Books(NamedTuple):
    """What changes in a run, and room to compute."""

    table: Floats
    wanting: Integers  # tokens that a phase trades, or that want to be bought
    scores: Floats
    buys: Integers  # the row of a buy at this open, or -1
    events: Integers
    inside: Integers  # how sure the order of what happened inside this candle is
    equity: Floats  # at each close of the grid
    used: Flags  # places that are used then


class Purse(NamedTuple):
    cash: float
    watch: Watch


def new_table(tokens: int) -> Floats:
    table = np.zeros((TABLE_ROWS, tokens))
    table[[ENTRY_TIME, READY_TIME, LAST_ENTRY, REFUSED_TIME]] = LONG_AGO
    return table


def new_books(table: Floats, places: int) -> Books:
    tokens = table.shape[1]
    return Books(
        table,
        np.zeros(tokens, np.int64),
        np.zeros(tokens),
        np.full(tokens, -1, np.int64),
        np.zeros(tokens, np.int64),
        np.zeros(tokens, np.int64),
        np.zeros(places),
        np.zeros(places, np.uint8),
    )


@inlined
def state_at(table: Floats, k: int, cash: float) -> State:
    parts = Parts(
        table[BOUGHT, k],
        table[SPENT, k],
        table[RECEIVED, k],
        table[FIRST_PRICE, k],
        table[FIRST_CASH, k],
        int(table[ENTRIES, k]),
        int(table[LAST_ENTRY, k]),
        int(table[STEP, k]),
        int(table[TARGET, k]),
        table[IS_ARMED, k] != 0.0,
        table[STOP_DISTANCE, k],
        table[TRAILING_DISTANCE, k],
    )
    return State(
        cash,
        table[QUANTITY, k],
        table[BUDGET, k],
        table[ENTRY_PRICE, k],
        int(table[ENTRY_TIME, k]),
        table[PEAK, k],
        int(table[READY_TIME, k]),
        int(table[PENDING, k]),
        parts,
    )


@inlined
def keep(table: Floats, k: int, state: State) -> None:
    _, quantity, budget, entry_price, entry_time, peak, ready_time, pending, parts = state
    bought, spent, received, price, first_cash, entries, last, step, target, is_armed, stop, trailing = parts
    table[QUANTITY, k], table[BUDGET, k], table[ENTRY_PRICE, k] = quantity, budget, entry_price
    table[ENTRY_TIME, k], table[PEAK, k], table[READY_TIME, k] = entry_time, peak, ready_time
    table[PENDING, k], table[BOUGHT, k], table[SPENT, k] = pending, bought, spent
    table[RECEIVED, k], table[FIRST_PRICE, k], table[FIRST_CASH, k] = received, price, first_cash
    table[ENTRIES, k], table[LAST_ENTRY, k], table[STEP, k] = entries, last, step
    table[TARGET, k], table[IS_ARMED, k] = target, 1.0 if is_armed else 0.0
    table[STOP_DISTANCE, k], table[TRAILING_DISTANCE, k] = stop, trailing


@inlined
def has_candle(universe: Universe, k: int, g: int) -> bool:
    return bool(universe.begin[k] <= g < universe.end[k] and universe.real[universe.offset[k] + g] != 0)


@inlined
def last_row(universe: Universe, k: int, g: int) -> int:
    """Return the row of the token's last candle until place g."""
    return int(universe.offset[k] + min(g, universe.end[k] - 1))
