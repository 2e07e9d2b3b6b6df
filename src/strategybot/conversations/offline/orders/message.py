"""A message as an intent is looked for in it: its line, its plain text, and what was said before."""

from dataclasses import dataclass
from typing import Any

from strategybot.conversations.offline.orders import signs
from strategybot.conversations.offline.orders.mood import Mood, mood_of
from strategybot.conversations.offline.words.lines import Line
from strategybot.conversations.offline.words.quantities import DAY


@dataclass(frozen=True)
class Message:
    line: Line
    flat: str  # the text in small letters, without apostrophes
    memory: dict[str, Any]

    @property
    def orders(self) -> bool:
        return mood_of(self.line) is Mood.ORDER

    @property
    def has_number(self) -> bool:
        return any(item.is_number for item in self.line.items)

    @property
    def has_period(self) -> bool:
        return any(item.is_duration for item in self.line.items)

    @property
    def has_amount(self) -> bool:
        return self.has_number or self.has_period

    @property
    def has_days(self) -> bool:
        return any(item.token is not None and item.token.value >= DAY for item in self.line.items if item.is_duration)

    @property
    def asks_for_past(self) -> bool:
        """ "simulate the last 7 days": what has been is tested, not simulated."""
        return self.has_days and self.line.has("last|past|ABOVE|previous")

    @property
    def is_strategic(self) -> bool:
        return self.line.has(signs.STRATEGIC)

    @property
    def refuses(self) -> bool:
        return self.line.has("NOT")
