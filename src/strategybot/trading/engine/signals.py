"""The decisions of a run: what was decided at which close, and why."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from strategybot.trading.engine.candles import Candles, Integers
from strategybot.trading.engine.filled import Table
from strategybot.trading.engine.ledger import CANDLE, DECISION, ENTRY
from strategybot.trading.engine.risk import ENTER, EXIT_CONDITIONS, MAX_HOLDING
from strategybot.trading.engine.tables import SignalRow, measured_at, signal_fields, signal_rows
from strategybot.trading.language.strategy import Strategy


@dataclass(frozen=True, eq=False)
class Signals:
    strategy: Strategy
    candles: Candles
    decisions: Integers  # a row per decision: its candle and what it was
    places: Integers  # of the closed trades
    last_entry: int

    def __len__(self) -> int:
        return len(self.decisions)

    def page(self, offset: int, limit: int) -> list[SignalRow]:
        return signal_rows(self.strategy, self.table(offset, limit))

    def table(self, offset: int, limit: int) -> Table:
        part = self.decisions[offset : offset + limit]
        places, decisions = part[:, CANDLE], part[:, DECISION]
        table = np.empty(len(part), signal_fields(self.strategy))
        table["time"], table["price"] = self.candles.time[places], self.candles.close[places]
        table["decision"], table["measured"] = decisions, np.nan
        sides = ((ENTER, self.strategy.conditions), (EXIT_CONDITIONS, self.strategy.exit_conditions))
        for decision, conditions in sides:
            chosen = np.flatnonzero(decisions == decision)
            values = measured_at(conditions, self.candles, places[chosen])
            table["measured"][chosen, : values.shape[1]] = values
        too_long = np.flatnonzero(decisions == MAX_HOLDING)
        table["measured"][too_long, 0] = self._held_seconds(places[too_long])
        return table

    @cached_property
    def _entries(self) -> Integers:
        return np.append(self.places[:, ENTRY], self.last_entry)

    def _held_seconds(self, places: Integers) -> Integers:
        """Return for each of these candles the seconds from the entry of its position to the end of the candle."""
        entries = self._entries[np.searchsorted(self._entries, places, side="right") - 1]
        return self.candles.time[places] - self.candles.time[entries] + self.candles.interval_seconds
