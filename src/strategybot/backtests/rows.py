"""The trades and decisions of a run as rows, each with its token if the run trades many."""

from typing import NamedTuple

import numpy as np

from strategybot.backtests.storage import ALL_ROWS, Backtest, fill_table, fills_of, signal_table, trade_table
from strategybot.kit.database import Session
from strategybot.kit.json_object import Json
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.filled import FILL_FIELDS, Table, fills_of_whole_trades, open_fill
from strategybot.trading.engine.resolution import as_measured
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.engine.tables import SignalRow, TradeRow, first_fills, signal_rows, trade_rows

NO_FILLS: Table = np.empty(0, FILL_FIELDS)


class TokenTrade(NamedTuple):
    token_id: str | None  # None in a run on one token
    row: TradeRow


class TokenSignal(NamedTuple):
    token_id: str | None
    row: SignalRow


def trades_of(session: Session, run: Backtest, offset: int, limit: int) -> list[TokenTrade]:
    """Return the trades with their tokens. The costs of a fill are those of its token."""
    table = trade_table(session, run, offset, limit)
    strategy, fills = as_measured(run.strategy, run.interval_seconds), fills_of(session, run, table)
    if run.asked_tokens is None:
        rows = trade_rows(strategy, run.traded_costs, table, fills, offset + 1)
        return [TokenTrade(None, row) for row in rows]
    ends, names, found = first_fills(strategy, table), run.token_ids, []
    costs = _costs(run)
    for place, token in enumerate(table["token"].tolist()):
        own = fills[ends[place] : ends[place + 1]]
        [row] = trade_rows(strategy, costs[token], table[place : place + 1], own, offset + place + 1)
        found.append(TokenTrade(names[token], row))
    return found


def signals_of(session: Session, run: Backtest, offset: int, limit: int) -> list[TokenSignal]:
    table = signal_table(session, run, offset, limit)
    rows, names = signal_rows(as_measured(run.strategy, run.interval_seconds), table), run.token_ids
    if run.asked_tokens is None:
        return [TokenSignal(None, row) for row in rows]
    return [TokenSignal(names[number], row) for number, row in zip(table["token"].tolist(), rows, strict=True)]


class OwnTrades(NamedTuple):
    """What a run did with one of its tokens. The tables are those of the trades that were asked for."""

    trades: Table
    fills: Table
    numbers: list[int]  # of the trades, among those of all tokens
    open_fills: Table  # of the position that is open at the end
    costs: Costs
    total: int


def own_trades(session: Session, run: Backtest, token_id: str, offset: int | None, limit: int) -> OwnTrades:
    """Return so many trades of one token from `offset` on, or the newest. A token that was not tested has none."""
    if run.asked_tokens is None:
        first = max(0, run.trade_count - limit) if offset is None else offset
        trades = trade_table(session, run, first, limit)
        numbers = [*range(first + 1, first + len(trades) + 1)]
        still = _open_fills(session, run, run.open_position)
        return OwnTrades(trades, fills_of(session, run, trades), numbers, still, run.traded_costs, run.trade_count)
    number = run.token_ids.index(token_id) if token_id in run.token_ids else -1
    costs = _costs(run)[number] if number >= 0 else run.traded_costs
    still = _open_fills(session, run, held_of_token(run, token_id))
    still = still[still["token"] == number] if run.strategy.trades_in_parts and len(still) else still
    every = trade_table(session, run, 0, run.trade_count)
    places = np.flatnonzero(every["token"] == number)
    wanted = places[-limit:] if offset is None else places[offset : offset + limit]
    own, fills = every[wanted].copy(), fills_of_whole_trades(every[wanted])
    if run.strategy.trades_in_parts:
        all_fills = fill_table(session, run, 0, ALL_ROWS)
        parts = [all_fills[first : last + 1] for first, last in zip(own["first_fill"], own["last_fill"], strict=True)]
        fills, counts = np.concatenate([all_fills[:0], *parts]), own["last_fill"] - own["first_fill"] + 1
        own["last_fill"] = np.cumsum(counts) - 1
        own["first_fill"] = own["last_fill"] - counts + 1
    return OwnTrades(own, fills, (wanted + 1).tolist(), still, costs, len(places))


def held_at_end(position: Json | None) -> tuple[int, float, float] | None:
    """Return time, price and quantity of an open position; None if there is none, or it is beyond any number."""
    if position is None or position["entry_price"] is None or position["quantity"] is None:
        return None
    return position["entry_time"], position["entry_price"], position["quantity"]


def _open_fills(session: Session, run: Backtest, position: Json | None) -> Table:
    """Return the fills of an open position; in a run that trades in parts, of all tokens that are held."""
    held = held_at_end(position)
    if held is None or not run.strategy.trades_in_parts:
        return NO_FILLS if held is None else open_fill(*held)
    last = trade_table(session, run, max(0, run.trade_count - 1), 1)
    return fill_table(session, run, int(last["last_fill"][0]) + 1 if run.trade_count else 0, ALL_ROWS)


def held_of_token(run: Backtest, token_id: str) -> Json | None:
    """Return the position in a token that a portfolio held at its end."""
    return next((row.get("open_position") for row in run.tokens or [] if row["token_id"] == token_id), None)


def _costs(run: Backtest) -> list[Costs]:
    """Return what the fills of each token of a portfolio pay."""
    return [RunCosts.model_validate(row["costs"]).traded() for row in run.traded_tokens]
