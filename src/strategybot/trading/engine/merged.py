"""The trades, decisions and fills of all tokens of a portfolio: one table each, in the order of what happened."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from strategybot.trading.engine.candles import Integers
from strategybot.trading.engine.filled import Table
from strategybot.trading.engine.signals import Signals
from strategybot.trading.engine.trades import Fills, Trades

TOKEN_FIELD = ("token", "<u2")  # the place of the token in the order of the ids


class Traded(Protocol):
    """What a token has done. The rows say when, among those of all tokens."""

    @property
    def trades(self) -> Trades: ...

    @property
    def fills(self) -> Fills: ...

    @property
    def signals(self) -> Signals: ...

    @property
    def ledger_rows(self) -> Integers: ...

    @property
    def signal_rows(self) -> Integers: ...


def with_token(fields: np.dtype[np.void]) -> np.dtype[np.void]:
    return np.dtype([*fields.descr, TOKEN_FIELD])


def merged_trades(tokens: Sequence[Traded]) -> Table:
    """Return the trades by their ends. `first_fill` and `last_fill` are places in `merged_fills`."""
    table = _merge([each.trades.table(0, len(each.trades)) for each in tokens])
    table = table[_order_of_trades(tokens)]
    if tokens[0].trades.strategy.trades_in_parts:
        fills = table["last_fill"] - table["first_fill"] + 1
        table["last_fill"] = np.cumsum(fills) - 1
        table["first_fill"] = table["last_fill"] - fills + 1
    return table


def merged_signals(tokens: Sequence[Traded]) -> Table:
    table = _merge([each.signals.table(0, len(each.signals)) for each in tokens])
    order = np.argsort(np.concatenate([each.signal_rows for each in tokens]), kind="stable")
    found: Table = table[order]
    return found


def merged_fills(tokens: Sequence[Traded]) -> Table:
    """Return the fills of the trades in the order of these, then those of the open positions."""
    offsets = np.cumsum([0, *(len(each.fills) for each in tokens[:-1])])
    ranges = [each.trades.fill_ranges + offset for each, offset in zip(tokens, offsets, strict=True)]
    closed = np.concatenate(ranges)[_order_of_trades(tokens)]
    still = [
        np.arange(each.fills.open_since, len(each.fills)) + offset for each, offset in zip(tokens, offsets, strict=True)
    ]
    rows = [*(np.arange(first, last + 1) for first, last in closed.tolist()), *still]
    found: Table = _merge([each.fills.table(0, len(each.fills)) for each in tokens])[np.concatenate(rows)]
    return found


def _order_of_trades(tokens: Sequence[Traded]) -> Integers:
    ends = np.concatenate([each.ledger_rows[each.trades.last_fills] for each in tokens])
    return np.argsort(ends, kind="stable")


def _merge(tables: Sequence[Table]) -> Table:
    fields = with_token(tables[0].dtype)
    merged = np.empty(sum(map(len, tables)), fields)
    names, place = tables[0].dtype.names or (), 0
    for number, table in enumerate(tables):
        part = merged[place : place + len(table)]
        for name in names:
            part[name] = table[name]
        part["token"] = number
        place += len(table)
    return merged
