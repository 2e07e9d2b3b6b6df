"""One place of the grid of a portfolio, for a session that is given its candles one after the other."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import NO_MINUTES, Candles, Floats
from strategybot.trading.engine.conditions import last_wanted
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.guards import Watch
from strategybot.trading.engine.inside import Minutes
from strategybot.trading.engine.ledger import Ledger, new_ledger, with_room
from strategybot.trading.engine.positions import DAY, Books, Places, Purse, Universe, new_books
from strategybot.trading.engine.purse import take_places
from strategybot.trading.engine.step import Rules
from strategybot.trading.language.strategy import Strategy

NEVER = 2**31  # a place of the grid that is not reached


class Here(NamedTuple):
    """A token at a place of the grid: its last candles, whether the last begins there, and whether it may be bought."""

    seen: Candles
    costs: Costs
    has_candle: bool
    is_listed: bool
    minutes: Candles | None


class PurseStep(NamedTuple):
    purse: Purse
    books: Books
    ledger: Ledger


def step_purse(
    strategy: Strategy,
    rules: Rules,
    places: Places,
    purse: Purse,
    table: Floats,
    time: int,
    tokens: Sequence[Here | None],
) -> PurseStep:
    """Return what the candles of this time do. The given table stays as it is."""
    universe = _universe(strategy, rules.terms.interval, time, tokens)
    books, ledger = new_books(table.copy(), 1), with_room(new_ledger(), len(tokens))
    _, (cash, watch) = take_places(rules, places, universe, books, ledger, purse, 0, 1)
    return PurseStep(Purse(float(cash), Watch(*watch)), books, ledger)


def _universe(strategy: Strategy, interval: int, time: int, tokens: Sequence[Here | None]) -> Universe:
    """Return the tokens' last candles on a grid whose only place is this time."""
    lengths = np.array([0 if each is None else len(each.seen) for each in tokens], np.int64)
    first = np.cumsum(lengths) - lengths
    rows, risk = int(lengths.sum()), strategy.risk_management
    entry, exit_ = np.zeros(rows, np.uint8), np.zeros(rows, np.uint8)
    stop = np.zeros(rows if risk.stop_loss_atr is not None else 0)
    trailing = np.zeros(rows if risk.trailing_stop_atr is not None else 0)
    end = np.full(len(tokens), NEVER, np.int64)
    costs = np.tile((0.0, 1.0, 1.0), (len(tokens), 1))
    minutes = []
    for k, each in enumerate(tokens):
        minutes.append(NO_MINUTES if each is None or each.minutes is None else each.minutes)
        if each is None:
            continue
        # A day without a candle that passed in a pause ends now.
        silent = min((time - int(each.seen.time[-1])) // interval, DAY // interval)
        end[k], last = 1 - silent, int(first[k] + lengths[k]) - 1
        costs[k] = each.costs.impact, each.costs.buy_kept, each.costs.sell_kept
        if each.has_candle:
            wanted = last_wanted(strategy, each.seen, 1)
            entry[last], exit_[last] = wanted.entry[-1] if each.is_listed else 0, wanted.exit[-1]
            for column, values in ((stop, wanted.stop_range), (trailing, wanted.trailing_range)):
                if len(column):
                    column[last] = values[-1]
    begin = np.where(end == NEVER, NEVER, -NEVER)
    inside = Minutes(
        *(np.concatenate([getattr(each, name) for each in minutes]) for name in ("time", "open", "high", "low"))
    )
    return Universe(
        time=np.array([time], np.int64),
        open=_join(tokens, "open"),
        high=_join(tokens, "high"),
        low=_join(tokens, "low"),
        close=_join(tokens, "close"),
        volume=_join(tokens, "volume"),
        entry=entry,
        exit=exit_,
        real=np.ones(rows, np.uint8),
        stop_range=stop,
        trailing_range=trailing,
        offset=np.where(end == NEVER, first, first + lengths - end),
        first=first,
        begin=begin,
        end=end,
        costs=costs,
        minutes=inside,
        minutes_end=np.cumsum([len(each) for each in minutes]),
    )


def _join(tokens: Sequence[Here | None], name: str) -> Floats:
    return np.concatenate([np.empty(0), *(getattr(each.seen, name) for each in tokens if each is not None)])
