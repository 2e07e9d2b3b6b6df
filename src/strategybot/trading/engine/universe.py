"""The tokens of a portfolio: their candles in shared columns, and the grid of times on which they trade.

A column of all tokens is one array, and the candles of a token are views of it, so that a run needs no second copy.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from strategybot.trading.engine.candles import NO_MINUTES, Candles, Floats, Integers
from strategybot.trading.engine.columns import Flags
from strategybot.trading.engine.conditions import Wanted, wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.inside import Minutes
from strategybot.trading.engine.positions import DAY, Universe
from strategybot.trading.language.strategy import Strategy


@dataclass(frozen=True, eq=False, slots=True)
class Token:
    """A token with its candles, which have no gaps; those before `start` only warm up."""

    token_id: str
    candles: Candles
    start: int
    costs: Costs
    minutes: Candles = NO_MINUTES
    real: Flags | None = None  # 0 where a candle only fills a gap and cannot be traded; None if all can
    listed: Flags | None = None  # 0 where a close cannot decide to buy it; None if every one can


def before_silence(candles: Candles, start: int) -> Candles:
    """Return the candles before the first 24 hours without one since `start`: the token counts as dead from then on.

    These are the provider's candles, with gaps.
    """
    ends = np.flatnonzero((np.diff(candles.time) > DAY) & (candles.time[:-1] >= start))
    return candles[: int(ends[0]) + 1] if len(ends) else candles


def real_candles(dense: Candles, given: Candles) -> Flags | None:
    """Return 0 for each candle without gaps that the provider has not given; None if it has given all."""
    return None if len(dense) == len(given) else np.isin(dense.time, given.time).astype(np.uint8)


def listed_candles(candles: Candles, spans: Sequence[Sequence[int]]) -> Flags:
    """Return 1 for each candle that closes inside one of the spans: what it decides is filled from then on."""
    closes, found = candles.time + candles.interval_seconds, np.zeros(len(candles), np.uint8)
    for begin, end in spans:
        found[(closes >= begin) & (closes < end)] = 1
    return found


@dataclass(frozen=True, eq=False)
class Together:
    """Tokens in the order of their ids, with the columns of which their candles are views."""

    tokens: list[Token]
    columns: tuple[Floats, Floats, Floats, Floats, Floats]  # open, high, low, close and volume
    first: Integers  # row of each token's first candle
    time: Integers  # of the grid
    origin: Integers  # place in the grid of each token's first candle; below 0 in the warm-up

    @property
    def interval_seconds(self) -> int:
        return self.tokens[0].candles.interval_seconds

    def with_minutes(self, minutes: dict[str, Candles]) -> "Together":
        found = [replace(each, minutes=minutes.get(each.token_id, each.minutes)) for each in self.tokens]
        return replace(self, tokens=found)

    def universe(self, strategy: Strategy, wanted: list[Wanted] | None = None) -> Universe:
        """Return the tokens as the compiled code reads them, with where the conditions want to buy and to sell.

        The columns of a token's conditions are computed and joined before those of the next one.
        """
        rows = len(self.columns[0])
        entry, exit_, real = np.empty(rows, np.uint8), np.empty(rows, np.uint8), np.ones(rows, np.uint8)
        risk = strategy.risk_management
        stop = np.empty(rows if risk.stop_loss_atr is not None else 0)
        trailing = np.empty(rows if risk.trailing_stop_atr is not None else 0)
        for k, token in enumerate(self.tokens):
            own = wanted_of(strategy, token.candles) if wanted is None else wanted[k]
            begin, end = int(self.first[k]), int(self.first[k]) + len(token.candles)
            entry[begin:end], exit_[begin:end] = own.entry, own.exit
            if token.real is not None:
                real[begin:end] = token.real
            if token.listed is not None:
                entry[begin:end] &= token.listed
            for column, values in ((stop, own.stop_range), (trailing, own.trailing_range)):
                if len(column):
                    column[begin:end] = values
        return self._universe((entry, exit_, real), (stop, trailing))

    def _universe(self, flags: tuple[Flags, Flags, Flags], ranges: tuple[Floats, Floats]) -> Universe:
        costs = [(each.costs.impact, each.costs.buy_kept, each.costs.sell_kept) for each in self.tokens]
        lengths = np.array([len(each.candles) for each in self.tokens], np.int64)
        starts = np.array([each.start for each in self.tokens], np.int64)
        minutes = [each.minutes for each in self.tokens]
        inside = Minutes(
            *(np.concatenate([getattr(each, name) for each in minutes]) for name in ("time", "open", "high", "low"))
        )
        open_, high, low, close, volume = self.columns
        return Universe(
            self.time,
            open_,
            high,
            low,
            close,
            volume,
            *flags,
            *ranges,
            offset=self.first - self.origin,
            first=self.first,
            begin=self.origin + starts,
            end=self.origin + lengths,
            costs=np.array(costs, np.float64),
            minutes=inside,
            minutes_end=np.cumsum([len(each) for each in minutes]),
        )


def together(tokens: list[Token]) -> Together:
    """Join the columns of tokens that have a candle to trade. The list is emptied, to free each column as it is joined.

    A token trades from its first candle on, and the grid ends with the last candle of all.
    """
    tokens.sort(key=lambda each: each.token_id)
    seconds = tokens[0].candles.interval_seconds
    begin = min(int(each.candles.time[each.start]) for each in tokens)
    last = max(int(each.candles.time[-1]) for each in tokens)
    earliest = min(int(each.candles.time[0]) for each in tokens)
    times = np.arange(earliest, last + 1, seconds)
    firsts = [(int(each.candles.time[0]) - earliest) // seconds for each in tokens]
    lengths = [len(each.candles) for each in tokens]
    rest = [(each.token_id, each.start, each.costs, each.minutes, each.real, each.listed) for each in tokens]
    parts = [[getattr(each.candles, name) for each in tokens] for name in ("open", "high", "low", "close", "volume")]
    tokens.clear()
    open_, high, low, close, volume = (_join(each) for each in parts)
    columns = open_, high, low, close, volume
    first = np.cumsum([0, *lengths[:-1]], dtype=np.int64)
    found = [
        Token(
            token_id,
            Candles(seconds, times[at : at + length], *(each[row : row + length] for each in columns)),
            start,
            costs,
            minutes,
            real,
            listed,
        )
        for (token_id, start, costs, minutes, real, listed), at, row, length in zip(
            rest, firsts, first.tolist(), lengths, strict=True
        )
    ]
    grid = (begin - earliest) // seconds
    return Together(found, columns, first, times[grid:], np.array(firsts, np.int64) - grid)


def _join(parts: list[Floats]) -> Floats:
    """Return the parts as one array, and forget them."""
    whole: Floats = np.concatenate(parts)
    parts.clear()
    return whole
