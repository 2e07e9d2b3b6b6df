"""The tokens of a paper session with one purse: the candles that each keeps, and what is told of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Candles, DataReport, concatenate, densify
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.diary import Diary
from strategybot.trading.engine.log_entries import LogEntry
from strategybot.trading.engine.paper import TokenPosition
from strategybot.trading.engine.recent import Recent
from strategybot.trading.engine.risk import State
from strategybot.trading.words.numbers import finite
from strategybot.trading.words.portfolios import list_words
from strategybot.trading.words.reason_data import Reasons


class TradedToken(NamedTuple):
    token_id: str
    symbol: str | None
    costs: Costs
    listed: Sequence[Sequence[int]] | None = None  # spans in which a close may decide to buy it; None if every one may

    def is_listed(self, close: int) -> bool:
        return self.listed is None or any(begin <= close < end for begin, end in self.listed)


def list_change(tokens: Sequence[TradedToken], before: int, close: int) -> str | None:
    """Return which tokens are on the list at a close that were not on it before, and the other way round."""
    joined, left = (
        [
            token.symbol or f"{token.token_id[:6]}…"
            for token in tokens
            if token.is_listed(new) and not token.is_listed(old)
        ]
        for new, old in ((close, before), (before, close))
    )
    return list_words(joined, left)


class TokenSignal(NamedTuple):
    """What a close decided, and about which token."""

    time: int
    side: str
    price: float
    reason: str
    reasons: Reasons
    token_id: str


class PurseAdvance(NamedTuple):
    log: list[LogEntry]
    signals: list[TokenSignal]


@dataclass
class Coin:
    """A token of the session."""

    token: TradedToken
    diary: Diary
    recent: Recent
    last: Candles
    """Its last candle; none before the first."""
    is_dead: bool = False
    trades: int = 0
    money: float = 0.0
    """What its sales brought, without what its purchases cost."""

    @property
    def last_time(self) -> int | None:
        return int(self.last.time[0]) if len(self.last) else None

    @property
    def price(self) -> float:
        return float(self.last.close[0]) if len(self.last) else 0.0

    def coming(self, candles: Candles) -> Candles:
        """Return the candles with those that fill the gap before them."""
        return densify(concatenate([self.last, candles]), DataReport())[0][len(self.last) :]

    def see(self, candles: Candles, most: int) -> Candles:
        """Keep the candles, at most so many; return what is kept with them."""
        came = self.coming(candles) if len(candles) else candles
        self.last = came[len(came) - 1 :] if len(came) else self.last
        return self.recent.add(came[max(0, len(came) - most) :])

    def die_at(self, time: int, price: float) -> None:
        """Let the token be dead, with its last candle at this time and price."""
        self.is_dead = True
        at = np.array([price])
        self.last = Candles(self.last.interval_seconds, np.array([time]), at, at, at, at, np.zeros(1))

    def position(self, state: State) -> TokenPosition:
        value = float(state.quantity) * self.price
        return TokenPosition(
            token_id=self.token.token_id,
            symbol=self.token.symbol,
            quantity=finite(float(state.quantity)),
            value=finite(value),
            entry_price=finite(float(state.entry_price)),
            entry_time=int(state.entry_time),
            current_price=finite(self.price),
            unrealized_pnl=finite(value - float(state.budget)),
        )


def value_of(held: Sequence[TokenPosition]) -> float | None:
    """Return what the positions are worth; None if one is beyond any float."""
    values = [each.value for each in held]
    return None if any(value is None for value in values) else float(sum(value or 0.0 for value in values))
