"""The decisions of a run: what was decided at which close, and why; rows are made only for the page asked for."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from strategybot.trading.candles import Candles, Integers
from strategybot.trading.explain import entry_reading, exit_reading, max_holding_words
from strategybot.trading.kernel import ENTER, MAX_HOLDING
from strategybot.trading.ledger import ENTRY
from strategybot.trading.strategy import Strategy


@dataclass(frozen=True, eq=False)
class Signals:
    strategy: Strategy
    candles: Candles
    decisions: Integers  # a row a decision: its candle and what it was
    places: Integers  # of the closed trades
    last_entry: int

    def __len__(self) -> int:
        return len(self.decisions)

    def page(self, offset: int, limit: int) -> list[dict[str, Any]]:
        return [self._row(*pair) for pair in self.decisions[offset : offset + limit].tolist()]

    def _row(self, i: int, decision: int) -> dict[str, Any]:
        return {
            "time": int(self.candles.time[i]),
            "side": "buy" if decision == ENTER else "sell",
            "price": float(self.candles.close[i]),
            "reason": self._reason(i, decision),
        }

    def _reason(self, i: int, decision: int) -> str:
        if decision == ENTER:
            return entry_reading(self.strategy, self.candles, i).reason()
        if decision == MAX_HOLDING:
            return max_holding_words(self.strategy, self._held_seconds(i))
        return exit_reading(self.strategy, self.candles, i).reason()

    def _held_seconds(self, i: int) -> int:
        """From the entry of the position held at candle i to the candle's end."""
        entries = np.append(self.places[:, ENTRY], self.last_entry)
        entry = entries[np.searchsorted(entries, i, side="right") - 1]
        return int(self.candles.time[i] - self.candles.time[entry]) + self.candles.interval_seconds
