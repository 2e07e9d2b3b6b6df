"""A sweep runs every variant of a grid, each exactly as a backtest of its own would, on threads.

Inside a candle the stop counts as first, as with `intrabar` off: to fetch 1-minute candles for thousands of variants
would take longer than all the rest.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.conditions import WORD, flags_in, ranges_at
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.loop import STOP_REQUESTED, market_of
from strategybot.trading.evidence.strength import SEARCH_BLOCKS
from strategybot.trading.evidence.timing import DAY, expected, log_levels
from strategybot.trading.language.series_kind import Series
from strategybot.trading.search.grid import ENTRY, EXIT, Grid
from strategybot.trading.search.variants import Field, Tallies, Variants, run_variants

WALK_BLOCKS = 6
MOST_COLUMNS = 64  # columns of series that are kept for the next condition


class Room(NamedTuple):
    """Limits on what is computed at once. The results do not depend on them."""

    work: int = 20_000_000  # variants times candles: about 20 ms
    flags: int = 128 * 2**20  # bytes


USUAL_ROOM = Room()


class Sweep:
    """Runs the variants. `done` counts them, and may be read while another thread is in `run`."""

    def __init__(
        self, grid: Grid, candles: Candles, costs: Costs, initial_cash: float, start: int, room: Room = USUAL_ROOM
    ) -> None:
        self.grid, self.candles, self.done, self._room = grid, candles, 0, room
        self._start, self._cash = start, float(initial_cash)
        self._market = market_of(candles, groups=True)
        self._levels, self._edges = log_levels(candles), _day_blocks(candles, start)
        self._known: dict[Series, Floats] = {}
        self._forms = [form for row in grid.rows for form in row.forms]
        terms = grid.terms(costs, candles.interval_seconds)
        self._variants = Variants(self._rows_of(ENTRY), self._rows_of(EXIT), terms, grid.guards())
        self.tallies = _new_tallies(len(grid))

    def run(self, control: Integers, threads: int = 1) -> None:
        """Run all variants, or as many as there are until a stop is requested through `control`."""
        with ThreadPoolExecutor(threads) as pool:
            for first, last in self._batches(len(self.grid)):
                part = Variants._make(table[first:last] for table in self._variants)
                field, encoded = self._field(part, pool, control)
                into = Tallies._make(column[first:last] for column in self.tallies)
                work = partial(self._run_piece, field, encoded, into, control)
                list(pool.map(work, _pieces(last - first, self._room.work // max(1, len(self.candles)))))

    def gross_blocks(self) -> Floats:
        """Return what the timing of each variant brought in each block of days, without costs."""
        candles = np.diff(self._edges).astype(np.float64)
        moves, held = np.diff(self._levels[self._edges]), self.tallies.held
        return self.tallies.caught - expected(candles, held, moves, max(1.0, candles.sum()))

    def different_variants(self) -> int:
        """Return how many of the variants that ran have different rules: 60m and 1h are one value."""
        ran = self.tallies.trades >= 0
        rules = np.hstack([table.astype(np.float64) for table in self._variants])
        return len(np.unique(rules[ran], axis=0))

    def _run_piece(
        self, field: Field, variants: Variants, into: Tallies, control: Integers, piece: tuple[int, int]
    ) -> None:
        run_variants(field, variants, into, *piece, control)
        if not control[STOP_REQUESTED]:
            self.done += piece[1] - piece[0]

    def _rows_of(self, side: str) -> Integers:
        """Return the row of each variant and condition of the side in the list of all conditions with values."""
        first, columns = 0, [np.empty((len(self.grid), 0), np.int64)]
        for row in self.grid.rows:
            if row.side == side:
                columns.append((first + row.form_of)[:, np.newaxis])
            first += len(row.forms)
        return np.ascontiguousarray(np.hstack(columns))

    def _batches(self, count: int) -> Iterator[tuple[int, int]]:
        """Yield ranges of variants: one for all, if the flags of all conditions fit into memory."""
        most = self._room.flags // max(1, len(self.candles))
        whole = len(self._forms) <= most
        return iter(_pieces(count, count if whole else max(1, most // len(self.grid.rows))))

    def _field(self, part: Variants, pool: ThreadPoolExecutor, control: Integers) -> tuple[Field, Variants]:
        """Return the flags that these variants need, and the variants with the rows of those flags."""
        used, rows = np.unique(np.hstack((part.entry, part.exit)), return_inverse=True)
        rows = rows.reshape(len(part.entry), -1)
        words = np.zeros((max(1, len(used)), -(-len(self.candles) // WORD)), np.int64)
        flags = words.view(np.uint8)

        def fill(place: int) -> None:
            if not control[STOP_REQUESTED]:
                flags[place, : len(self.candles)] = self._forms[used[place]].flags(self.candles, self._series())

        list(pool.map(fill, range(len(used))))
        strategy, entries = self.grid.strategy, part.entry.shape[1]
        field = Field(
            self._market,
            words,
            strategy.match == "any",
            strategy.exit_match == "any",
            self._start,
            self._cash,
            strategy.guards is not None,
            self._levels,
            self._edges,
            *self._ranges,
            self._known_ranges(),
        )
        entry, exit_ = np.ascontiguousarray(rows[:, :entries]), np.ascontiguousarray(rows[:, entries:])
        return field, Variants(entry, exit_, np.ascontiguousarray(part.terms), np.ascontiguousarray(part.guards))

    @cached_property
    def _ranges(self) -> tuple[Floats, Floats]:
        return ranges_at(self.grid.strategy, self.candles, len(self.candles))

    def _known_ranges(self) -> Integers:
        used = [values for values in self._ranges if len(values)]
        words = np.zeros(-(-len(self.candles) // WORD) if used else 0, np.int64)
        if used:
            flags_in(words, len(self.candles))[:] = ~np.isnan(used).any(axis=0)
        return words

    def _series(self) -> dict[Series, Floats]:
        """Return the columns of series that are kept for the next condition."""
        if len(self._known) > MOST_COLUMNS:
            self._known = {}
        return self._known


def _pieces(count: int, size: int) -> list[tuple[int, int]]:
    size = max(1, size)
    return [(first, min(count, first + size)) for first in range(0, count, size)]


def _new_tallies(count: int) -> Tallies:
    walk, blocks = (count, WALK_BLOCKS), (count, SEARCH_BLOCKS)
    return Tallies(
        equity=np.zeros(count),
        drawdown=np.zeros(count),
        trades=np.full(count, -1, np.int32),
        wins=np.zeros(count, np.int32),
        returns=np.zeros(count),
        squares=np.zeros(count),
        marks=np.zeros(walk),
        falls=np.zeros(walk),
        closed=np.zeros(walk, np.int32),
        won=np.zeros(walk, np.int32),
        growth=np.zeros(blocks),
        held=np.zeros(blocks),
        caught=np.zeros(blocks),
        fingerprint=np.zeros(count, np.int64),
    )


def _day_blocks(candles: Candles, start: int) -> Integers:
    """Return where each block of whole UTC days begins, from candle `start` on, and the end."""
    days = candles.time[start:] // DAY
    first = np.append(np.flatnonzero(np.diff(days, prepend=-1)), len(days)) + start
    found: Integers = first[np.arange(SEARCH_BLOCKS + 1) * (len(first) - 1) // SEARCH_BLOCKS]
    return found
