"""Explains a decision at candle i: the measured value and the threshold of every condition."""

import math

import numpy as np
from pydantic import BaseModel, ConfigDict

from strategybot.trading.engine.candles import Candles
from strategybot.trading.language.condition_kind import ConditionKind
from strategybot.trading.language.conditions import Compare, Condition, Group, PriceLevel
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import Match
from strategybot.trading.words.numbers import finite
from strategybot.trading.words.reason_data import Reason, Why, all_of
from strategybot.trading.words.reasons import (
    comparison_distance,
    level_distance,
    threshold_of,
    unknown_words,
    waiting_group,
    waiting_words,
)
from strategybot.trading.words.why import group_reason, met_reason, unknown_reason, unmet_reason


class ConditionReading(BaseModel):
    """One condition at one candle. `distance` is what is missing, in the unit of the threshold; 0 when it fired."""

    model_config = ConfigDict(frozen=True)

    kind: str
    measured: float | None
    threshold: float | None
    unit: str
    distance: float | None
    known: bool
    fired: bool
    sentence: str
    reason: Reason
    conditions: list["ConditionReading"] = []  # of a group


class SideReading(BaseModel):
    """A list of conditions at one candle, and whether the list as a whole is true."""

    model_config = ConfigDict(frozen=True)

    match: Match
    fired: bool
    conditions: list[ConditionReading]

    def why(self) -> Why:
        """Return why the list is true."""
        return all_of(each.reason for each in self.conditions if each.fired)

    def waiting(self) -> Why:
        """Return what the list waits for."""
        missing = [each for each in self.conditions if not each.fired]
        return Why("; ".join(each.sentence for each in missing), [each.reason for each in missing])


class Explanation(BaseModel):
    model_config = ConfigDict(frozen=True)

    time: int
    close: float
    entry: SideReading
    exit: SideReading


def explain(strategy: Strategy, candles: Candles, i: int) -> Explanation:
    """Return every condition of the strategy at candle i. Only candles up to i are read."""
    if not 0 <= i < len(candles):
        raise IndexError(f"candle {i} of {len(candles)}")
    return Explanation(
        time=int(candles.time[i]),
        close=float(candles.close[i]),
        entry=entry_reading(strategy, candles, i),
        exit=exit_reading(strategy, candles, i),
    )


def entry_reading(strategy: Strategy, candles: Candles, i: int) -> SideReading:
    return _side(strategy.conditions, strategy.match, candles, i)


def exit_reading(strategy: Strategy, candles: Candles, i: int) -> SideReading:
    return _side(strategy.exit_conditions, strategy.exit_match, candles, i)


def _side(conditions: list[Condition], match: Match, candles: Candles, i: int) -> SideReading:
    readings = [_reading(each, candles, i) for each in conditions]
    truths = [each.fired for each in readings]
    fired = bool(truths) and (all(truths) if match == "all" else any(truths))
    return SideReading(match=match, fired=fired, conditions=readings)


def _reading(condition: ConditionKind, candles: Candles, i: int) -> ConditionReading:
    fired, values = condition.read(candles, np.array([i]))
    if isinstance(condition, Group):
        return _group_reading(condition, bool(fired[0]), float(values[0][0]), candles, i)
    if isinstance(condition, Compare):
        return _comparison_reading(condition, bool(fired[0]), [float(each[0]) for each in values], candles, i)
    measured = float(values[0][0])
    threshold, unit = threshold_of(condition)
    known = math.isfinite(measured)
    sentence, reason = _words(condition, bool(fired[0]), known, (measured, math.nan), candles, i)
    return ConditionReading(
        kind=condition.kind,
        measured=finite(measured),
        threshold=threshold,
        unit=unit,
        distance=_distance(condition, measured, bool(fired[0])) if known else None,
        known=known,
        fired=bool(fired[0]),
        sentence=sentence,
        reason=reason,
    )


def _group_reading(group: Group, fired: bool, true: float, candles: Candles, i: int) -> ConditionReading:
    members = [_reading(each, candles, i) for each in group.conditions]
    first = max(0, i - group.reach(candles.interval_seconds))
    known = bool(group.known(candles[first : i + 1], {})[-1])
    if fired:
        reason = met_reason(group, *(float(each[0]) for each in group.measured(candles, np.array([i]))))
        sentence = reason["text"]
    else:
        unknown = [each.sentence for each in members if not each.known]
        told = waiting_group(group, [(each.fired, each.sentence) for each in members])
        sentence = told if known or not unknown else unknown[0]
        reason = group_reason(group, true, known, sentence)
    return ConditionReading(
        kind=group.kind,
        measured=true,
        threshold=group.needed,
        unit="conditions",
        distance=abs(group.needed - true) if known and not fired else 0.0 if fired else None,
        known=known,
        fired=fired,
        sentence=sentence,
        reason=reason,
        conditions=members,
    )


def _comparison_reading(
    condition: Compare, fired: bool, values: list[float], candles: Candles, i: int
) -> ConditionReading:
    left, right = values if len(values) > 1 else (values[0], float(condition.right))  # type: ignore[arg-type]
    measured = math.isfinite(left) and math.isfinite(right)
    distance = comparison_distance(condition, left, right) if measured else None
    sentence, reason = _words(condition, fired, measured, (left, right), candles, i)
    return ConditionReading(
        kind=condition.kind,
        measured=finite(left),
        threshold=finite(right),
        unit="",
        distance=0.0 if fired else distance,
        known=fired or measured,  # it may have been true within the last candles, and the value be unknown now
        fired=fired,
        sentence=sentence,
        reason=reason,
    )


def _words(
    condition: ConditionKind, fired: bool, known: bool, measured: tuple[float, float], candles: Candles, i: int
) -> tuple[str, Reason]:
    """Return the exact words, and the same as data."""
    if fired:
        reason = met_reason(condition, *measured)
        return reason["text"], reason
    if known:
        return waiting_words(condition, *measured), unmet_reason(condition, *measured)
    return unknown_words(condition, candles, i), unknown_reason(condition, candles, i)


def _distance(condition: ConditionKind, measured: float, fired: bool) -> float | None:
    if fired:
        return 0.0
    if isinstance(condition, PriceLevel):
        return level_distance(condition, measured)
    threshold, _ = threshold_of(condition)
    return None if threshold is None else max(0.0, threshold - measured)
