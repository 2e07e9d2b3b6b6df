"""The trades and decisions of a run as rows, each with its token if the run trades many."""

from typing import NamedTuple

from strategybot.backtests.storage import Backtest, fills_of, signal_table, trade_table
from strategybot.kit.database import Session
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.resolution import as_measured
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.engine.tables import SignalRow, TradeRow, first_fills, signal_rows, trade_rows


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


def _costs(run: Backtest) -> list[Costs]:
    """Return what the fills of each token of a portfolio pay."""
    rows = [row for row in run.tokens or [] if row["error"] is None]
    return [RunCosts.model_validate(row["costs"]).traded() for row in rows]
