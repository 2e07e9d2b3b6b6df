"""Trades and decisions as tables of numbers, which is how a run stores them.

Their reasons follow from the strategy and from what its conditions measured, so they are put into words only when a row
is read: a run may trade on every candle, and a person reads twenty rows.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.costs import Costs, paid_by_trades
from strategybot.trading.engine.filled import (
    FillRow,
    Table,
    are_buys,
    charge,
    fill_rows,
    paid_by_fills,
    slippage_by_fills,
)
from strategybot.trading.engine.risk import ENTER, MAX_HOLDING
from strategybot.trading.engine.step import EXIT_REASONS
from strategybot.trading.language.conditions import Condition
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.numbers import finite
from strategybot.trading.words.reason_data import Reason, Why, all_of
from strategybot.trading.words.why import max_holding_why, met_reason

NUMBERS = ("entry_time", "entry_price", "exit_time", "exit_price", "quantity", "pnl", "pnl_percent", "fees")


class TradeRow(NamedTuple):
    """A closed trade. A number is None where it is beyond any float."""

    number: int
    entry_time: int
    entry_price: float | None
    exit_time: int
    exit_price: float | None
    quantity: float | None
    pnl: float | None
    pnl_percent: float | None
    fees: float | None
    slippage: float | None
    tax: float | None
    impact: float | None
    entry_reason: str
    exit_reason: str
    entry_reasons: list[Reason]
    fills: list[FillRow]


class SignalRow(NamedTuple):
    """A decision to buy or sell at the close of a candle."""

    time: int
    side: Literal["buy", "sell"]
    price: float
    reason: str
    reasons: list[Reason]


def trade_fields(strategy: Strategy) -> np.dtype[np.void]:
    """Return the fields of a trade. `measured` has a value per entry condition; NaN if it was not true."""
    return np.dtype(
        [
            *((name, "<i8" if name.endswith("_time") else "<f8") for name in NUMBERS),
            ("exit_reason", "u1"),
            ("measured", "<f8", (_measure(strategy.conditions),)),
            *((name, "<i8") for name in ("first_fill", "last_fill") if strategy.trades_in_parts),
        ]
    )


def signal_fields(strategy: Strategy) -> np.dtype[np.void]:
    """Return the fields of a decision. `measured` has a value per condition of its side.

    For a position that was held too long, the seconds come first.
    """
    widest = max(_measure(strategy.conditions), _measure(strategy.exit_conditions))
    return np.dtype([("time", "<i8"), ("price", "<f8"), ("decision", "u1"), ("measured", "<f8", (widest,))])


def measured_at(conditions: Sequence[Condition], candles: Candles, places: Integers) -> Floats:
    """Return a row of numbers for each of these ascending candles.

    A number is NaN if its condition was not true, and infinite if it was true without a value.
    """
    columns = [number for condition in conditions for number in condition.measured(candles, places)]
    return np.column_stack(columns) if columns else np.empty((len(places), 0))


def trade_rows(strategy: Strategy, costs: Costs, table: Table, fills: Table, first_number: int) -> list[TradeRow]:
    """Return the trades with their fills, which are those of these trades and no others."""
    numbers = (*(table[name] for name in NUMBERS), *_costs_of(strategy, costs, table, fills))
    rows = zip(*(column.tolist() for column in numbers), strict=True)
    why = zip(table["measured"].tolist(), table["exit_reason"].tolist(), strict=True)
    parts, ends = fill_rows(costs, fills), first_fills(strategy, table)
    return [
        TradeRow._make(
            (
                number,
                *(value if isinstance(value, int) else finite(value) for value in row),
                entry.words,
                EXIT_REASONS[exit_reason],
                entry.reasons,
                parts[ends[place] : ends[place + 1]],
            )
        )
        for place, (row, (measured, exit_reason)) in enumerate(zip(rows, why, strict=True))
        for entry, number in [(why_met(strategy.conditions, measured), first_number + place)]
    ]


def first_fills(strategy: Strategy, table: Table) -> list[int]:
    """Return where the fills of each trade begin among those of all these trades, and the end."""
    if not strategy.trades_in_parts:
        return list(range(0, 2 * len(table) + 1, 2))
    firsts = np.append(table["first_fill"], table["last_fill"][-1:] + 1)
    found: list[int] = (firsts - firsts[:1]).tolist()
    return found


def _costs_of(strategy: Strategy, costs: Costs, table: Table, fills: Table) -> tuple[Floats, Floats, Floats]:
    """Return what each trade paid: slippage, tax and impact."""
    if not strategy.trades_in_parts:
        exits = charge(table["exit_price"], table["exit_reason"])
        paid = paid_by_trades(costs, table["quantity"], table["entry_price"], exits)
        return slippage_of(costs, table), paid.tax, paid.impact
    is_buy, quantity = are_buys(fills["reason"]), fills["quantity"]
    price = charge(fills["price"], fills["reason"])
    paid = paid_by_fills(costs, is_buy, price, quantity)
    firsts = first_fills(strategy, table)[:-1]
    columns = slippage_by_fills(costs, is_buy, price, quantity), paid.tax, paid.impact
    slippage, tax, impact = (np.add.reduceat(each, firsts) if firsts else np.empty(0) for each in columns)
    return slippage, tax, impact


def slippage_of(costs: Costs, trades: Table) -> Floats:
    """Return what slippage cost each trade on both sides."""
    bought = trades["entry_price"] * costs.slippage / (1 + costs.slippage)
    sold = charge(trades["exit_price"], trades["exit_reason"]) * costs.slippage / (1 - costs.slippage)
    cost: Floats = trades["quantity"] * (bought + sold)
    return cost


def signal_rows(strategy: Strategy, table: Table) -> list[SignalRow]:
    columns = (table[name].tolist() for name in ("time", "price", "decision", "measured"))
    return [
        SignalRow(time, "buy" if decision == ENTER else "sell", price, *_why_decided(strategy, decision, measured))
        for time, price, decision, measured in zip(*columns, strict=True)
    ]


def _why_decided(strategy: Strategy, decision: int, measured: list[float]) -> Why:
    if decision == ENTER:
        return why_met(strategy.conditions, measured)
    if decision == MAX_HOLDING:
        return max_holding_why(strategy, int(measured[0]))
    return why_met(strategy.exit_conditions, measured)


def why_met(conditions: Iterable[Condition], measured: Iterable[float]) -> Why:
    """Return why a list of conditions was true."""
    values = iter(measured)  # a table is as wide as the longer side of the strategy
    read = [(each, [next(values) for _ in range(each.numbers())]) for each in conditions]
    return all_of(met_reason(condition, *numbers) for condition, numbers in read if not math.isnan(numbers[0]))


def _measure(conditions: Iterable[Condition]) -> int:
    return sum(each.numbers() for each in conditions)
