"""What the closes of a portfolio decide, compiled: what each token sells, and which tokens are bought."""

from strategybot.trading.engine.candles import Floats
from strategybot.trading.engine.guards import NOT_REFUSED, Watch, after_refusal, refusal
from strategybot.trading.engine.jit import inlined, lean
from strategybot.trading.engine.ledger import TOKEN, Ledger, write_decision
from strategybot.trading.engine.positions import (
    DAY,
    PENDING,
    QUANTITY,
    REFUSED_TIME,
    RISE,
    TURN,
    TURNED_AWAY,
    VOLUME,
    Books,
    Places,
    Universe,
    has_candle,
    keep,
    state_at,
)
from strategybot.trading.engine.risk import ENTER, FOREVER, NOTHING
from strategybot.trading.engine.step import Rules, Wish, decide, decision

MOST_TOKENS = 256


@lean
def decisions(
    rules: Rules, places: Places, universe: Universe, books: Books, ledger: Ledger, watch: Watch, g: int
) -> Watch:
    """Decide at the closes: what each token sells, and which tokens are bought."""
    terms, table, time = rules.terms, books.table, universe.time[g]
    is_timed, count, further = terms.max_holding < FOREVER, 0, 0
    for k in range(len(universe.begin)):
        if not has_candle(universe, k, g):
            continue
        is_held = table[QUANTITY, k] > 0.0
        row = universe.offset[k] + g
        enter, leave = universe.entry[row] != 0, universe.exit[row] != 0
        if not enter and not (is_held and (leave or is_timed)):
            continue
        stop = universe.stop_range[row] if terms.stop_times > 0.0 else 0.0
        trailing = universe.trailing_range[row] if terms.trailing_times > 0.0 else 0.0
        wish, state = Wish(enter, leave, stop, trailing), state_at(table, k, 0.0)
        what = decision(terms, state, time, wish)
        if what == NOTHING:
            continue
        keep(table, k, decide(state, what, wish, terms))
        if what == ENTER:
            books.wanting[count], count, further = k, count + 1, further + 1 if is_held else further
        else:
            write_decision(ledger, row - universe.first[k], what | k << TOKEN)
    if count == 0:
        return watch
    free, waiting = free_places(places, universe, table, g)
    if count > 1 and (free > 0 or further > 0):
        rank(places.prefer, universe, books, count, g, DAY // terms.interval)
    return admit(rules, universe, books, ledger, watch, g, count, free, waiting)


@inlined
def free_places(places: Places, universe: Universe, table: Floats, g: int) -> tuple[int, int]:
    """Return the free places, and how many decided buys wait for a candle of their token.

    A decided sale frees its place. A buy that waits has one; the other buys are those that want one now.
    """
    free, waiting = places.max_open, 0
    for k in range(len(universe.begin)):
        is_held, pending = table[QUANTITY, k] > 0.0, table[PENDING, k]
        free -= 1 if is_held else 0
        if pending == ENTER and not has_candle(universe, k, g):
            waiting += 1
            free -= 0 if is_held else 1
        elif pending not in (ENTER, NOTHING):
            free += 1
    return free, waiting


@inlined
def admit(
    rules: Rules,
    universe: Universe,
    books: Books,
    ledger: Ledger,
    watch: Watch,
    g: int,
    count: int,
    free: int,
    waiting: int,
) -> Watch:
    """Give the free places to the tokens that want to be bought, the best first."""
    table, time, interval = books.table, universe.time[g], rules.terms.interval
    for number in range(count):
        k = books.wanting[number]
        by = NOT_REFUSED
        if rules.are_guarded:
            by = refusal(rules.guards, watch, time, interval, waiting)
        if by != NOT_REFUSED:
            watch = after_refusal(with_refused_time(watch, int(table[REFUSED_TIME, k])), time, interval, by)
            table[REFUSED_TIME, k], table[PENDING, k] = time, NOTHING
        elif table[QUANTITY, k] == 0.0 and free <= 0:
            table[TURNED_AWAY, k] += 1.0
            table[PENDING, k] = NOTHING
        else:
            free, waiting = free if table[QUANTITY, k] > 0.0 else free - 1, waiting + 1
            table[TURN, k] = float(time) * MOST_TOKENS + number
            write_decision(ledger, universe.offset[k] + g - universe.first[k], ENTER | k << TOKEN)
    return watch


@inlined
def with_refused_time(watch: Watch, moment: int) -> Watch:
    peak_equity, halt_time, losses, paused_until, day, buys, _, by_drawdown, by_streak, by_day = watch
    return Watch(peak_equity, halt_time, losses, paused_until, day, buys, moment, by_drawdown, by_streak, by_day)


@lean
def rank(prefer: int, universe: Universe, books: Books, count: int, g: int, day: int) -> None:
    """Sort the tokens that want to be bought, the preferred one first; equal ones stay in the order of their ids."""
    for number in range(count):
        k = books.wanting[number]
        first, row = universe.first[k], universe.offset[k] + g
        if prefer == VOLUME:
            books.scores[number] = volume_of(universe.volume, max(first, row - day + 1), row + 1)
        else:
            before = universe.close[max(first, row - day)]
            change = (universe.close[row] - before) / before
            books.scores[number] = change if prefer == RISE else -change
    for number in range(1, count):
        k, score, at = books.wanting[number], books.scores[number], number
        while at > 0 and books.scores[at - 1] < score:
            books.wanting[at], books.scores[at] = books.wanting[at - 1], books.scores[at - 1]
            at -= 1
        books.wanting[at], books.scores[at] = k, score


@lean
def volume_of(volume: Floats, first: int, end: int) -> float:
    """Return the sum of the known volumes."""
    total = 0.0
    for row in range(first, end):
        total += volume[row] if volume[row] >= 0.0 else 0.0
    return total
