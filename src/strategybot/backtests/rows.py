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
    """What a portfolio did with one token, as a run on this token alone would have it."""

    trades: Table
    fills: Table
    numbers: list[int]  # of the trades, among those of all tokens
    open_fills: Table
    costs: Costs


def own_trades(session: Session, run: Backtest, token_id: str) -> OwnTrades:
    """Return the trades of one token of a portfolio. A token that could not be tested has none."""
    trades = trade_table(session, run, 0, run.trade_count)
    number = _number_of(run, token_id)
    rows = np.flatnonzero(trades["token"] == number)
    own, numbers = trades[rows].copy(), (rows + 1).tolist()
    costs = _costs(run)[number] if number >= 0 else run.traded_costs
    held = held_of_token(run, token_id)
    if not run.strategy.trades_in_parts:
        still = open_fill(held["entry_time"], held["entry_price"], held["quantity"]) if held else NO_FILLS
        return OwnTrades(own, fills_of_whole_trades(own), numbers, still, costs)
    fills = fill_table(session, run, 0, ALL_ROWS)
    closed = int(trades["last_fill"][-1]) + 1 if len(trades) else 0
    parts = [fills[first : last + 1] for first, last in zip(own["first_fill"], own["last_fill"], strict=True)]
    counts = own["last_fill"] - own["first_fill"] + 1
    own["last_fill"] = np.cumsum(counts) - 1
    own["first_fill"] = own["last_fill"] - counts + 1
    still = fills[closed:]
    return OwnTrades(own, np.concatenate([fills[:0], *parts]), numbers, still[still["token"] == number], costs)


def of_token(run: Backtest, trades: Table, token_id: str) -> Table:
    own: Table = trades[trades["token"] == _number_of(run, token_id)]
    return own


def held_of_token(run: Backtest, token_id: str) -> Json | None:
    """Return the position in a token that a portfolio held at its end."""
    return next((row.get("open_position") for row in run.tokens or [] if row["token_id"] == token_id), None)


def _number_of(run: Backtest, token_id: str) -> int:
    return run.token_ids.index(token_id) if token_id in run.token_ids else -1


def _costs(run: Backtest) -> list[Costs]:
    """Return what the fills of each token of a portfolio pay."""
    return [RunCosts.model_validate(row["costs"]).traded() for row in run.traded_tokens]
