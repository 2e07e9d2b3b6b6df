"""The two columns of a strategy that a run reads: where its conditions want to buy, and where to sell what is held."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Candles, Integers
from strategybot.trading.engine.columns import Flags
from strategybot.trading.engine.jit import inlined
from strategybot.trading.language.condition_kind import SeriesColumns
from strategybot.trading.language.conditions import Compare, Condition, leaves
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import Match

WORD = 8  # flags in one word


class Wanted(NamedTuple):
    """A flag for each candle and side. The words are the same memory, eight flags each."""

    entry: Flags
    exit: Flags
    entry_words: Integers
    exit_words: Integers


def all_conditions(strategy: Strategy) -> list[Condition]:
    return [*strategy.conditions, *strategy.exit_conditions]


def comparisons_of(strategy: Strategy) -> list[Compare]:
    return [each for each in leaves(all_conditions(strategy)) if isinstance(each, Compare)]


def lookback_candles(strategy: Strategy, interval_seconds: int) -> int:
    """Return on how many earlier candles the conditions of the strategy depend at most."""
    return max(each.reach(interval_seconds) for each in all_conditions(strategy))


def known_after_candles(strategy: Strategy, interval_seconds: int) -> int:
    """Return how many earlier candles a candle needs for every condition of the strategy to be known."""
    return max(each.warm_up(interval_seconds) for each in all_conditions(strategy))


def wanted_of(strategy: Strategy, candles: Candles, known: dict[Condition, Flags] | None = None) -> Wanted:
    """Return where the conditions of each side are met. Columns are taken from `known`, and kept there."""
    columns: dict[Condition, Flags] = {} if known is None else known
    series: SeriesColumns = {}
    for each in all_conditions(strategy):
        if each not in columns:
            columns[each] = each.flags(candles, series)
    entry = _folded([columns[each] for each in strategy.conditions], strategy.match, len(candles))
    exit_ = _folded([columns[each] for each in strategy.exit_conditions], strategy.exit_match, len(candles))
    return Wanted(flags_in(entry, len(candles)), flags_in(exit_, len(candles)), entry, exit_)


def last_wanted(strategy: Strategy, candles: Candles, count: int) -> Wanted:
    """Return the last `count` rows of the same columns. No condition reads candles beyond its reach."""
    columns: dict[Condition, Flags] = {}
    series: dict[int, SeriesColumns] = {}
    for each in all_conditions(strategy):
        reach = each.reach(candles.interval_seconds)
        seen = candles[max(0, len(candles) - count - reach) :]
        columns[each] = each.flags(seen, series.setdefault(reach, {}))[len(seen) - count :]
    return wanted_of(strategy, candles[len(candles) - count :], columns)


def one_later(wanted: Wanted) -> Wanted:
    """Return the same with every entry one candle later."""
    late = np.zeros_like(wanted.entry_words)
    flags = flags_in(late, len(wanted.entry))
    flags[1:] = wanted.entry[:-1]
    return wanted._replace(entry=flags, entry_words=late)


def _folded(columns: Sequence[Flags], match: Match, count: int) -> Integers:
    """Return the words of one column: where all of these are set, or any. Without columns nothing is set."""
    words = np.zeros(-(-count // WORD), np.int64)
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
