"""One candle of a portfolio, compiled: many tokens, one purse, on one grid of times.

The opens of all tokens come first, sales before buys; then each token's candle; then all closes: the equity, the
guards and the decisions (`decisions`). What happens to a token at its open and inside its candle is what `step` is
made of.
"""

from typing import NamedTuple

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.decisions import decisions
from strategybot.trading.engine.guards import Watch, after_close, after_fills
from strategybot.trading.engine.inside import Candle, Minutes, inside
from strategybot.trading.engine.jit import inlined, lean
from strategybot.trading.engine.ledger import (
    BYTE,
    CASH_AFTER,
    FILLS,
    TOKEN,
    WHAT,
    Ledger,
    is_full,
    new_ledger,
    with_room,
    write_doubt,
)
from strategybot.trading.engine.loop import BLOCK, DONE, STOP_REQUESTED
from strategybot.trading.engine.orders import sell
from strategybot.trading.engine.positions import (
    CEILING,
    DAY,
    FLOOR,
    PENDING,
    QUANTITY,
    RECEIVED,
    SPENT,
    SURE,
    TURN,
    TURNED_AWAY,
    Books,
    Places,
    Purse,
    Universe,
    has_candle,
    keep,
    last_row,
    state_at,
)
from strategybot.trading.engine.risk import (
    ASSUMED,
    ENTER,
    EXACT,
    FOREVER,
    NOTHING,
    STOPPED_TRADING,
    Terms,
    quiet_prices,
)
from strategybot.trading.engine.step import Rules, fill_at_open, gain_of, with_pending

SALES, BUYS, CANDLES, DEATHS = 0, 1, 2, 3  # the phases of a candle, in this order
PHASES = 4
WAS_BOUGHT, WAS_CLOSED = 1, 2  # in this candle


class Traded(NamedTuple):
    ledger: Ledger
    purse: Purse
    end: int


def trade_places(
    rules: Rules, places: Places, universe: Universe, books: Books, purse: Purse, g: int, end: int, control: Integers
) -> Traded:
    """Trade the grid from place g to `end`, or until a stop is requested."""
    tokens = len(universe.begin)
    ledger = with_room(new_ledger(), tokens)
    while g < end and control[STOP_REQUESTED] == 0:
        begin = g
        g, purse = take_places(rules, places, universe, books, ledger, purse, g, min(end, g + BLOCK))
        ledger = with_room(ledger, tokens)
        control[DONE] += g - begin
    return Traded(ledger, purse, g)


@lean
def take_places(
    rules: Rules, places: Places, universe: Universe, books: Books, ledger: Ledger, purse: Purse, g: int, end: int
) -> tuple[int, Purse]:
    """Trade until `end` or a full ledger. Money that a token receives inside a candle is locked until the next open."""
    tokens, silent = len(universe.begin), DAY // rules.terms.interval
    cash, watch = purse
    while g < end and not is_full(ledger, tokens):
        equity, may_add, todo = 0.0, watch.halt_time == FOREVER, phases_at(universe, books.table, g, silent)
        for phase in range(PHASES):
            if not todo & 1 << phase:
                continue
            locked = 0.0
            if phase == BUYS:
                equity = at_opens(universe, books, cash, g)
            count = list_concerned(places, universe, books, phase, g, silent)
            for number in range(count):
                k = books.wanting[number]
                free, whole = cash - locked, equity / places.max_open
                if phase == DEATHS:
                    whole = universe.close[last_row(universe, k, g)] * places.dead_kept
                after = trade_token(rules, universe, books, ledger, free, locked, k, g, phase, whole, equity, may_add)
                cash = after + locked
                locked += max(0.0, after - free) if phase == CANDLES else 0.0
        equity = mark(universe, books, cash, g)
        if rules.are_guarded:
            watch = watch_purse(rules, universe, books, watch, g, equity)
        watch = decisions(rules, places, universe, books, ledger, watch, g)
        g += 1
    return g, Purse(cash, watch)


@inlined
def phases_at(universe: Universe, table: Floats, g: int, silent: int) -> int:
    """Return the phases that may have something to do, as bits."""
    todo = 0
    for k in range(len(universe.begin)):
        pending = table[PENDING, k]
        if pending != NOTHING:
            todo |= 1 << (BUYS if pending == ENTER else SALES) | 1 << CANDLES
        if table[QUANTITY, k] > 0.0:
            todo |= 1 << CANDLES
        if g - universe.end[k] + 1 == silent:
            todo |= 1 << DEATHS
    return todo


@inlined
def at_opens(universe: Universe, books: Books, cash: float, g: int) -> float:
    """Return the equity at the opens; a token without a candle counts at its last close."""
    equity = cash
    for k in range(len(universe.begin)):
        if books.table[QUANTITY, k] > 0.0:
            row = last_row(universe, k, g)
            price = universe.open[row] if has_candle(universe, k, g) else universe.close[row]
            equity += books.table[QUANTITY, k] * price
    return equity


@lean
def list_concerned(places: Places, universe: Universe, books: Books, phase: int, g: int, silent: int) -> int:
    """List the tokens that a phase of the candle trades, in their order, and return how many there are."""
    table, count, held = books.table, 0, 0
    for k in range(len(universe.begin)):
        quantity, pending, is_here = table[QUANTITY, k], table[PENDING, k], has_candle(universe, k, g)
        held += 1 if quantity > 0.0 else 0
        if phase == CANDLES:
            is_concerned = quantity > 0.0 and is_here and (books.buys[k] >= 0 or not is_quiet(universe, table, k, g))
        elif phase == DEATHS:
            has_something = quantity > 0.0 or pending != NOTHING
            is_concerned = has_something and g - universe.end[k] + 1 == silent  # no candle for 24 hours
        elif pending == NOTHING:
            continue
        else:
            is_concerned = is_here and (pending == ENTER) == (phase == BUYS)
        if is_concerned:
            books.wanting[count], count = k, count + 1
    return by_turn(table, books.wanting, count, places.max_open - held) if phase == BUYS else count


@inlined
def is_quiet(universe: Universe, table: Floats, k: int, g: int) -> bool:
    row = universe.offset[k] + g
    return bool(universe.low[row] > table[FLOOR, k] and universe.high[row] < table[CEILING, k])


@inlined
def by_turn(table: Floats, wanting: Integers, count: int, free: int) -> int:
    """Sort decided buys by their turn. One that finds no place is turned away: a decided sale could not be filled."""
    for number in range(1, count):
        k, at = wanting[number], number
        while at > 0 and table[TURN, wanting[at - 1]] > table[TURN, k]:
            wanting[at], at = wanting[at - 1], at - 1
        wanting[at] = k
    kept = 0
    for number in range(count):
        k = wanting[number]
        is_first = table[QUANTITY, k] == 0.0
        if is_first and free <= 0:
            table[PENDING, k] = NOTHING
            table[TURNED_AWAY, k] += 1.0
        else:
            free -= 1 if is_first else 0
            wanting[kept], kept = k, kept + 1
    return kept


@lean
def trade_token(
    rules: Rules,
    universe: Universe,
    books: Books,
    ledger: Ledger,
    cash: float,
    locked: float,
    k: int,
    g: int,
    phase: int,
    whole: float,
    equity: float,
    may_add: bool,
) -> float:
    """Trade one token and return the cash after it. A token that is dead is sold at `whole`, without costs."""
    t, costs, table, row = rules.terms, universe.costs[k], books.table, last_row(universe, k, g)
    is_free = phase == DEATHS
    terms = Terms(
        t.share,
        0.0 if is_free else t.fee,
        0.0 if is_free else t.slippage,
        0.0 if is_free else costs[0],
        1.0 if is_free else costs[1],
        1.0 if is_free else costs[2],
        t.stop_factor,
        t.trailing_factor,
        t.break_even_factor,
        t.stop_times,
        t.trailing_times,
        t.amount,
        t.risk,
        t.max_holding,
        t.cooldown,
        t.interval,
        t.max_entries,
        t.entry_gap,
        t.steps,
        t.targets,
        t.levels,
    )
    place, close = row - universe.first[k], universe.close[row]
    candle = Candle(place, universe.time[g], universe.open[row], universe.high[row], universe.low[row], close)
    state, first, certainty = state_at(table, k, cash), ledger.counts[FILLS], EXACT
    was_held, is_entry = state.quantity > 0.0, state.pending == ENTER
    if phase == CANDLES:
        begin, end = 0 if k == 0 else universe.minutes_end[k - 1], universe.minutes_end[k]
        own = universe.minutes
        minutes = Minutes(own.time[begin:end], own.open[begin:end], own.high[begin:end], own.low[begin:end])
        state, certainty = inside(terms, minutes, ledger, candle, state, may_add)
        books.inside[k] = certainty
        if certainty == ASSUMED:
            write_doubt(ledger, place | k << TOKEN)
    elif phase == DEATHS:
        state = with_pending(state, NOTHING)
        if was_held:
            state = sell(terms, ledger, place, candle.time, state, STOPPED_TRADING, whole, close, state.quantity)
    else:
        state = fill_at_open(terms, ledger, state, candle, whole, equity)
    if was_held and state.quantity == 0.0:
        books.events[k] |= WAS_CLOSED
    if phase == BUYS and is_entry and ledger.counts[FILLS] > first:
        books.events[k] |= WAS_BOUGHT
        books.buys[k] = first  # how sure it is, is known at the end of the candle
        table[SURE, k] = table[SURE, k] if was_held else EXACT
        ledger.places[first, WHAT] |= k << TOKEN
    else:
        write_certainty(books, ledger, k, first, certainty, locked)
    keep(table, k, state)
    if state.quantity > 0.0:
        table[FLOOR, k], table[CEILING, k] = quiet_prices(terms, state)
    return state.cash


@inlined
def write_certainty(books: Books, ledger: Ledger, k: int, first: int, certainty: int, locked: float) -> None:
    """Write to a token's fills from row `first` on how sure they are, whose they are, and all the cash after them."""
    least = max(certainty, int(books.table[SURE, k]))
    books.table[SURE, k] = least
    for fill in range(first, ledger.counts[FILLS]):
        ledger.places[fill, WHAT] |= k << TOKEN | least << 2 * BYTE
        ledger.amounts[fill, CASH_AFTER] += locked
    if books.buys[k] >= 0:
        ledger.places[books.buys[k], WHAT] |= least << 2 * BYTE
        books.buys[k] = -1


@inlined
def mark(universe: Universe, books: Books, cash: float, g: int) -> float:
    equity, used = cash, 0
    for k in range(len(universe.begin)):
        quantity = books.table[QUANTITY, k]
        if quantity > 0.0:
            equity += quantity * universe.close[last_row(universe, k, g)]
            used += 1
    books.equity[g], books.used[g] = equity, used
    return equity


@inlined
def watch_purse(rules: Rules, universe: Universe, books: Books, watch: Watch, g: int, equity: float) -> Watch:
    table, time = books.table, universe.time[g]
    for k in range(len(universe.begin)):
        event = books.events[k]
        if event != 0:
            was_lost = event & WAS_CLOSED != 0 and gain_of(table[SPENT, k], table[RECEIVED, k]) < 0.0
            watch = after_fills(rules.guards, watch, time, event & WAS_BOUGHT != 0, event & WAS_CLOSED != 0, was_lost)
            books.events[k] = 0
    return after_close(rules.guards, watch, time, equity)
