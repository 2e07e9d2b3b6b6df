"""A grid: all combinations of the values that some numbers and durations of a strategy are given.

Variants are numbered as in a table whose last axis moves fastest. A strategy object is made for each value of a
condition, never for each variant.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.conditions import known_after_candles, lookback_candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.guards import guard_terms
from strategybot.trading.engine.instruments import INTERVALS, Interval
from strategybot.trading.engine.resolution import misfit
from strategybot.trading.engine.step import terms_of
from strategybot.trading.language.conditions import Condition
from strategybot.trading.language.paths import PathError, Place, Step, Value, place_of, with_values
from strategybot.trading.language.strategy import Strategy

ENTRY, EXIT = "conditions", "exit_conditions"
BOUND_TOGETHER: tuple[set[Step], ...] = ({"take_profits"}, {"ladder", "position_percent"})  # values limit each other


@dataclass(frozen=True)
class Axis:
    """A number or a duration of the strategy, and the values it is given."""

    path: str
    values: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class ConditionRow:
    """One condition of the strategy with every value that the axes give it."""

    side: str
    forms: list[Condition]
    form_of: Integers  # for each variant of the grid


@dataclass(frozen=True, eq=False)
class Grid:
    strategy: Strategy
    axes: tuple[Axis, ...]

    @cached_property
    def places(self) -> list[Place]:
        return [place_of(self.strategy, axis.path) for axis in self.axes]

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """Return the axes as they are stored."""
        return [{"path": axis.path, "values": list(axis.values)} for axis in self.axes]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(axis.values) for axis in self.axes)

    def __len__(self) -> int:
        return math.prod(self.shape)

    def check(self) -> None:
        """Raise `PathError` if a path or a value does not fit."""
        steps = [place.steps for place in self.places]
        if len(set(steps)) < len(steps):
            raise PathError("two of them have the same path")
        for axis, place in enumerate(self.places):
            if place.steps[0] not in (ENTRY, EXIT):
                self._forms([axis])
            if place.steps[0] == "risk_management" and place.steps[-1] == "period":
                raise PathError("the period of a stop in ATR stays the same in a search; its `times` can change")
        for side, number in self._conditions:
            self._forms(self._axes_of(side, number))
        for part in BOUND_TOGETHER:
            self._forms([axis for axis, place in enumerate(self.places) if part & set(place.steps[:2])])

    def values_at(self, number: int) -> dict[str, Value]:
        """Return the values of a variant, by path."""
        place = np.unravel_index(number, self.shape)
        return {axis.path: axis.values[int(at)] for axis, at in zip(self.axes, place, strict=True)}

    def strategy_at(self, number: int) -> Strategy:
        return with_values(self.strategy, self.values_at(number))

    @cached_property
    def one_at_a_time(self) -> list[Strategy]:
        """Return the strategy with each value of one axis at a time. Together they have every span of every variant."""
        return [form for axis in range(len(self.axes)) for form in self._forms([axis])]

    def misfit(self, interval: Interval, among: Sequence[Interval]) -> str | None:
        """Return why candles of this interval cannot show what some variant looks at; None if they can."""
        return next((found for each in self.one_at_a_time if (found := misfit(each, interval, among))), None)

    def fitting_intervals(self) -> list[Interval]:
        """Return the intervals whose candles can show what every variant looks at."""
        return [each for each in INTERVALS if self.misfit(each, INTERVALS) is None]

    def longest_variant(self, interval_seconds: int) -> Strategy:
        """Return the first variant with the longest look-back."""
        forms = [(row, number) for row in self.rows for number in range(len(row.forms))]
        row, form = max(forms, key=lambda each: each[0].forms[each[1]].reach(interval_seconds))
        return self.strategy_at(int(np.flatnonzero(row.form_of == form)[0]))

    def lookback_candles(self, interval_seconds: int) -> int:
        """Return on how many earlier candles the conditions and stops of all variants depend at most."""
        own = lookback_candles(self.strategy, interval_seconds)
        return max(own, *(form.reach(interval_seconds) for row in self.rows for form in row.forms))

    def known_after_candles(self, interval_seconds: int) -> int:
        """Return how many earlier candles a candle needs for every condition of every variant to be known."""
        own = known_after_candles(self.strategy, interval_seconds)
        return max(own, *(form.warm_up(interval_seconds) for row in self.rows for form in row.forms))

    @cached_property
    def rows(self) -> list[ConditionRow]:
        """Return the conditions of the entry, then those of the exit."""
        found = []
        for side, number in self._conditions:
            axes = self._axes_of(side, number)
            forms = [_side(each, side)[number] for each in self._forms(axes)]
            found.append(ConditionRow(side, forms, self._form_of(axes)))
        return found

    def terms(self, costs: Costs, interval_seconds: int) -> Floats:
        """Return the fields of `Terms` of each variant, the levels one by one."""

        def encoded(strategy: Strategy) -> list[float]:
            *numbers, levels = terms_of(strategy, costs, interval_seconds)
            return [*numbers, *levels]

        return self._encode(encoded)

    def guards(self) -> Floats:
        """Return the fields of `GuardTerms` of each variant."""
        return self._encode(lambda each: guard_terms(each.guards))

    def _encode(self, encode: Callable[[Strategy], Sequence[float]]) -> Floats:
        """Return a row of numbers for each variant. An axis changes only the columns in which its values differ."""
        own = np.array(encode(self.strategy), np.float64)
        table = np.tile(own, (len(self), 1))
        for axis, place in enumerate(self.places):
            if place.steps[0] not in (ENTRY, EXIT):
                forms = np.array([encode(each) for each in self._forms([axis])], np.float64)
                moved = np.any(forms != own, axis=0)
                table[:, moved] = forms[self._coordinates[axis]][:, moved]
        return table

    @cached_property
    def _coordinates(self) -> tuple[Integers, ...]:
        """Return for each axis which of its values each variant has."""
        return np.unravel_index(np.arange(len(self)), self.shape)

    @property
    def _conditions(self) -> Iterable[tuple[str, int]]:
        return [(side, number) for side in (ENTRY, EXIT) for number in range(len(_side(self.strategy, side)))]

    def _axes_of(self, side: str, number: int) -> list[int]:
        return [axis for axis, place in enumerate(self.places) if place.steps[:2] == (side, number)]

    def _forms(self, axes: Sequence[int]) -> list[Strategy]:
        """Return the strategy with every combination of the values of these axes."""
        own = [self.axes[axis] for axis in axes]
        return [
            with_values(self.strategy, {axis.path: value for axis, value in zip(own, values, strict=True)})
            for values in product(*(axis.values for axis in own))
        ]

    def _form_of(self, axes: Sequence[int]) -> Integers:
        if not axes:
            return np.zeros(len(self), np.int64)
        shape = [self.shape[axis] for axis in axes]
        return np.ravel_multi_index([self._coordinates[axis] for axis in axes], shape).astype(np.int64)


def _side(strategy: Strategy, side: str) -> list[Condition]:
    return strategy.conditions if side == ENTRY else strategy.exit_conditions
