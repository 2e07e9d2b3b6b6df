"""The two columns of a strategy that a run reads: where its conditions want to buy, and where to sell what is held."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.columns import Flags
from strategybot.trading.engine.comparisons import series_reach, series_values, series_warm_up
from strategybot.trading.engine.jit import inlined
from strategybot.trading.language.condition_kind import SeriesColumns
from strategybot.trading.language.conditions import Compare, Condition, leaves
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import Match

WORD = 8  # flags in one word


class Wanted(NamedTuple):
    """A flag for each candle and side. The words are the same memory, eight flags each."""

    entry: Flags
    exit: Flags
    entry_words: Integers
    exit_words: Integers
    stop_range: Floats  # the ATR of each candle for a stop at a distance; empty without one
    trailing_range: Floats


def all_conditions(strategy: Strategy) -> list[Condition]:
    return [*strategy.conditions, *strategy.exit_conditions]


def comparisons_of(strategy: Strategy) -> list[Compare]:
    return [each for each in leaves(all_conditions(strategy)) if isinstance(each, Compare)]


def stop_ranges(strategy: Strategy) -> tuple[Series | None, Series | None]:
    """Return the ATR of the stop loss and of the trailing stop, where their distance is measured in it."""
    risk = strategy.risk_management
    stop, trailing = risk.stop_loss_atr, risk.trailing_stop_atr
    return None if stop is None else stop.series, None if trailing is None else trailing.series


def series_of(strategy: Strategy) -> list[Series]:
    """Return every series that the strategy reads."""
    compared = [each for comparison in comparisons_of(strategy) for each in comparison.series()]
    return compared + [each for each in stop_ranges(strategy) if each is not None]


def lookback_candles(strategy: Strategy, interval_seconds: int) -> int:
    """Return on how many earlier candles the conditions and stops of the strategy depend at most."""
    ranges = [series_reach(each, interval_seconds) for each in stop_ranges(strategy) if each is not None]
    return max(*ranges, *(each.reach(interval_seconds) for each in all_conditions(strategy)), 0)


def known_after_candles(strategy: Strategy, interval_seconds: int) -> int:
    """Return how many earlier candles a candle needs for every condition and stop of the strategy to be known."""
    ranges = [series_warm_up(each, interval_seconds) for each in stop_ranges(strategy) if each is not None]
    return max(*ranges, *(each.warm_up(interval_seconds) for each in all_conditions(strategy)), 0)


def wanted_of(strategy: Strategy, candles: Candles, known: dict[Condition, Flags] | None = None) -> Wanted:
    """Return where the conditions of each side are met. Columns are taken from `known`, and kept there."""
    columns: dict[Condition, Flags] = {} if known is None else known
    series: SeriesColumns = {}
    for each in all_conditions(strategy):
        if each not in columns:
            columns[each] = each.flags(candles, series)
    return _join(strategy, columns, len(candles), ranges_at(strategy, candles, len(candles)))


def last_wanted(strategy: Strategy, candles: Candles, count: int) -> Wanted:
    """Return the last `count` rows of the same columns. No condition reads candles beyond its reach."""
    columns: dict[Condition, Flags] = {}
    series: dict[int, SeriesColumns] = {}
    for each in all_conditions(strategy):
        reach = each.reach(candles.interval_seconds)
        seen = candles[max(0, len(candles) - count - reach) :]
        columns[each] = each.flags(seen, series.setdefault(reach, {}))[len(seen) - count :]
    return _join(strategy, columns, count, ranges_at(strategy, candles, count))


def ranges_at(strategy: Strategy, candles: Candles, count: int) -> tuple[Floats, Floats]:
    """Return the ATR of both stops at the last `count` candles; empty where a stop is not measured in it."""
    stop, trailing = stop_ranges(strategy)
    return _last_values(stop, candles, count), _last_values(trailing, candles, count)


def _last_values(series: Series | None, candles: Candles, count: int) -> Floats:
    if series is None:
        return np.empty(0)
    seen = candles[max(0, len(candles) - count - series_reach(series, candles.interval_seconds)) :]
    return series_values(series, seen)[len(seen) - count :]


def _join(strategy: Strategy, columns: dict[Condition, Flags], count: int, ranges: tuple[Floats, Floats]) -> Wanted:
    """Return the columns of both sides. An entry is not wanted while the distance of its stop is unknown."""
    entry = _fold([columns[each] for each in strategy.conditions], strategy.match, count)
    exit_ = _fold([columns[each] for each in strategy.exit_conditions], strategy.exit_match, count)
    wanted = Wanted(flags_in(entry, count), flags_in(exit_, count), entry, exit_, *ranges)
    for values in ranges:
        if len(values):
            wanted.entry[np.isnan(values)] = 0
    return wanted


def one_later(wanted: Wanted) -> Wanted:
    """Return the same with every entry one candle later."""
    late = np.zeros_like(wanted.entry_words)
    flags = flags_in(late, len(wanted.entry))
    flags[1:] = wanted.entry[:-1]
    return wanted._replace(entry=flags, entry_words=late)


def _fold(columns: Sequence[Flags], match: Match, count: int) -> Integers:
    """Return the words of one column: where all of these are set, or any. Without columns nothing is set."""
    words = np.empty(-(-count // WORD), np.int64) if columns else np.zeros(-(-count // WORD), np.int64)
    words[-1:] = 0  # behind the last candle nothing is set
    flags = flags_in(words, count)
    for place, column in enumerate(columns):
        if place == 0:
            flags[:] = column
        elif match == "any":
            flags |= column
        else:
            flags &= column
    return words


def flags_in(words: Integers, count: int) -> Flags:
    return words.view(np.uint8)[:count]


@inlined
def first_set(words: Integers, i: int, end: int) -> int:
    """Return the first candle from i on whose flag is set, or `end`."""
    if i >= end:
        return end
    at, last = i // WORD, (end - 1) // WORD
    word = words[at] & (-1 << (WORD * (i % WORD)))
    while word == 0 and at < last:
        at += 1
        word = words[at]
    return end if word == 0 else min(end, WORD * at + lowest_flag(word))


@inlined
def lowest_flag(word: int) -> int:
    """Return the index of the first set flag: one bit per lower flag remains, and modulo 255 counts those bits."""
    return (((word & -word) - 1) & 0x0101010101010101) % 255
