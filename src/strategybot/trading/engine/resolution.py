"""Which candle interval can show what a strategy looks at.

Every window, cooldown, longest holding and pause must be a whole number of candles, and a series on longer candles
needs candles that divide them: otherwise the run would measure another span than the rule says.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from strategybot.trading.engine.conditions import all_conditions, comparisons_of, known_after_candles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, INTERVALS, Interval
from strategybot.trading.language.conditions import (
    Compare,
    Condition,
    Group,
    PriceDrop,
    PriceRise,
    VolumeSpike,
    leaves,
)
from strategybot.trading.language.moments import Every, Time
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import duration_seconds

MOST_LOOKBACK = 43_200  # candles: 30 days of minutes, the longest window
WITHOUT_SPANS: Interval = "1h"
A_NEW_YEAR = 1_767_225_600  # 2026-01-01, a whole number of all intervals
CANDLES_A_SPAN = 2  # a rule is seen at least this often within its own window


def spans(strategy: Strategy) -> list[str]:
    """Return every duration of the strategy: the windows of its conditions, cooldown, longest holding and pause."""
    windows = [
        each.window
        for each in leaves(all_conditions(strategy))
        if isinstance(each, PriceDrop | PriceRise | VolumeSpike)
    ]
    risk = strategy.risk_management
    streak = None if strategy.guards is None else strategy.guards.losing_streak
    pause = None if streak is None else streak.pause
    return windows + [each for each in (risk.cooldown, risk.max_holding, pause) if each is not None]


def series_intervals(strategy: Strategy) -> list[Interval]:
    """Return the intervals of the longer candles on which series of the strategy are computed."""
    sides = [side for each in comparisons_of(strategy) for side in each.series()]
    return [side.interval for side in sides if side.interval is not None]


def hidden_span(strategy: Strategy, interval_seconds: int) -> str | None:
    """Return the first span of the strategy that is not a whole number of candles, or the period below a candle."""
    looked_at = [*spans(strategy), *series_intervals(strategy)]
    hidden = [span for span in looked_at if duration_seconds(span) % interval_seconds != 0]
    periods = [each.period for each in leaves(all_conditions(strategy)) if isinstance(each, Every)]
    hidden += [period for period in periods if duration_seconds(period) < interval_seconds]
    return hidden[0] if hidden else None


def fits(strategy: Strategy, interval: Interval) -> bool:
    return (
        hidden_span(strategy, INTERVAL_SECONDS[interval]) is None
        and _minutes_needed(strategy, interval) <= MOST_LOOKBACK
    )


def misfit(strategy: Strategy, interval: Interval, among: Sequence[Interval] = INTERVALS) -> str | None:
    """Return why candles of this interval cannot show what the strategy looks at; None if they can."""
    if fits(strategy, interval):
        return None
    best = recommended_interval(strategy, among)
    if not fits(strategy, best):
        return _too_far_back(strategy, best, "Use shorter periods.")
    hidden = hidden_span(strategy, INTERVAL_SECONDS[interval])
    if hidden is None:
        return _too_far_back(strategy, interval, "Use longer candles or shorter periods.")
    longest = next(each for each in reversed(INTERVALS) if each in among and fits(strategy, each))
    advice = f"Use {longest}." if longest == INTERVALS[0] else f"Use {longest} or shorter."
    return f"The strategy looks at {hidden}; candles of {interval} cannot show that. {advice}"


def recommended_interval(strategy: Strategy, among: Sequence[Interval] = INTERVALS) -> Interval:
    """Return the longest interval that fits twice into every window; if there is none, the longest that fits at all.

    If the strategy looks back too far on all of them, return the one that needs the fewest candles.
    """
    return _recommended_interval(strategy, tuple(among))


@lru_cache(maxsize=4096)  # each list of bots asks it for every bot
def _recommended_interval(strategy: Strategy, among: tuple[Interval, ...]) -> Interval:
    showing = [each for each in among if hidden_span(strategy, INTERVAL_SECONDS[each]) is None]
    fitting = [each for each in showing if fits(strategy, each)]
    if not fitting:
        return showing[-1]  # there is one: every span is a whole number of minutes
    fitting = [each for each in fitting if _closes_in_hours(strategy, INTERVAL_SECONDS[each])] or fitting
    shortest = min((duration_seconds(each) for each in spans(strategy)), default=None)
    if shortest is None:
        return _longest_up_to(fitting, WITHOUT_SPANS)
    often = [each for each in fitting if INTERVAL_SECONDS[each] * CANDLES_A_SPAN <= shortest]
    return often[-1] if often else fitting[-1]


def _closes_in_hours(strategy: Strategy, interval_seconds: int) -> bool:
    """Return whether some candle closes in the hours of each condition about the time."""
    times = [each for each in leaves(all_conditions(strategy)) if isinstance(each, Time)]
    return all(each.next_true(A_NEW_YEAR, interval_seconds) is not None for each in times)


def as_measured(strategy: Strategy, interval_seconds: int) -> Strategy:
    """Return the strategy with the windows that candles of this interval measured.

    Runs from before intervals had to fit measured a window rounded up to whole candles, and their reasons must say so.
    """
    return _with_conditions(strategy, lambda condition: _measure(condition, interval_seconds))


def without_textbook(strategy: Strategy) -> Strategy:
    """Return the strategy as older versions ran it: a series is unknown until its whole reach is there."""
    return _with_conditions(strategy, _older)


def _with_conditions(strategy: Strategy, changed: Callable[[Condition], Condition]) -> Strategy:
    def deep(condition: Condition) -> Condition:
        if isinstance(condition, Group):
            return condition.model_copy(update={"conditions": [deep(each) for each in condition.conditions]})
        return changed(condition)

    sides = {side: [deep(each) for each in getattr(strategy, side)] for side in ("conditions", "exit_conditions")}
    return strategy.model_copy(update=sides)


def _older(condition: Condition) -> Condition:
    if not isinstance(condition, Compare):
        return condition
    right = condition.right.without_textbook() if isinstance(condition.right, Series) else condition.right
    return condition.model_copy(update={"left": condition.left.without_textbook(), "right": right})


def _measure(condition: Condition, interval_seconds: int) -> Condition:
    if not isinstance(condition, PriceDrop | PriceRise | VolumeSpike):
        return condition
    if duration_seconds(condition.window) % interval_seconds == 0:
        return condition
    minutes = condition.reach(interval_seconds) * interval_seconds // 60
    return condition.model_copy(update={"window": f"{minutes}m"})


def _too_far_back(strategy: Strategy, interval: Interval, advice: str) -> str:
    candles = _minutes_needed(strategy, interval)
    seen = f"The strategy looks back on {candles} candles of {interval}, and at most {MOST_LOOKBACK} are possible."
    return f"{seen} {advice}"


def _minutes_needed(strategy: Strategy, interval: Interval) -> int:
    return known_after_candles(strategy, INTERVAL_SECONDS[interval])


def _longest_up_to(intervals: Sequence[Interval], most: Interval) -> Interval:
    short = [each for each in intervals if INTERVAL_SECONDS[each] <= INTERVAL_SECONDS[most]]
    return short[-1] if short else intervals[0]
