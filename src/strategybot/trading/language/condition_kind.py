"""What every kind of condition can say about itself and about candles.

The engine, paper trading, the search and the reasons ask a condition for nothing but the methods of `ConditionKind`.
"""

from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.columns import Flags, Truths
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.values import Language, described, duration_seconds

SeriesColumns = dict[Series, Floats]


def candles_in(window: str, interval_seconds: int) -> int:
    """Return how many candles a window has, rounded up."""
    return max(1, -(-duration_seconds(window) // interval_seconds))


class Reading(NamedTuple):
    """A condition at some candles: whether it is true, and the numbers behind it; NaN where one is unknown."""

    fired: Truths
    values: tuple[Floats, ...]


class ConditionKind(Language):
    """What every kind of condition has. `kind` is its name in the language."""

    model_config = described(kind="The kind of the condition")

    kind: str

    def phrase(self) -> str:
        """Return the condition in words, after "when"."""
        raise NotImplementedError

    def reach(self, interval_seconds: int) -> int:
        """Return on how many earlier candles it depends at most."""
        raise NotImplementedError

    def warm_up(self, interval_seconds: int) -> int:
        """Return how many earlier candles a candle needs for it to be known."""
        return self.reach(interval_seconds)

    def flags(self, candles: Candles, series: SeriesColumns) -> Flags:
        """Return 1 at each candle where it is true. Values of series are taken from `series`, and kept there."""
        raise NotImplementedError

    def known(self, candles: Candles, series: SeriesColumns) -> Truths:  # noqa: ARG002
        """Return where it is known: elsewhere it is neither true nor false."""
        return np.arange(len(candles)) >= self.reach(candles.interval_seconds)

    def read(self, candles: Candles, places: Integers) -> Reading:
        """Return the condition at these ascending candles. Only candles up to them are read."""
        raise NotImplementedError

    def measured(self, candles: Candles, places: Integers) -> list[Floats]:
        """Return the numbers at these ascending candles: NaN where it is not true, infinite where it has no value."""
        fired, values = self.read(candles, places)
        return [np.where(fired, np.where(np.isnan(each), np.inf, each), np.nan) for each in values]

    def numbers(self) -> int:
        """Return how many numbers `measured` has."""
        return 1


class WindowKind(ConditionKind):
    """A condition about the time before a candle."""

    def read(self, candles: Candles, places: Integers) -> Reading:
        """Return what is measured where the window is complete."""
        early = int(np.searchsorted(places, self.reach(candles.interval_seconds)))
        fired, values = self.measure(candles, places[early:])
        nothing = np.full(early, np.nan)
        return Reading(np.append(np.zeros(early, np.bool_), fired), (np.append(nothing, values),))

    def measure(self, candles: Candles, places: Integers) -> tuple[Truths, Floats]:
        """Return whether it is true, and what it measures, at ascending candles with a complete window."""
        raise NotImplementedError
