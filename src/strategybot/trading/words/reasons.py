"""The sentences of the log: why a condition is true, or how far it is from true; why a position was sold or held."""

import math
from collections.abc import Sequence

import numpy as np

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.columns import mean_volumes
from strategybot.trading.engine.ledger import Fill
from strategybot.trading.engine.moments import local_moment
from strategybot.trading.engine.risk import (
    BREAK_EVEN,
    EXACT,
    RESOLVED,
    STOP_LOSS,
    TAKE_PROFIT,
    State,
    Terms,
    ladder_level,
    stop_level,
    target_level,
)
from strategybot.trading.language.condition_kind import ConditionKind
from strategybot.trading.language.conditions import (
    Compare,
    Group,
    PriceDrop,
    PriceLevel,
    PriceRise,
    VolumeSpike,
)
from strategybot.trading.language.moments import Every, Time
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import plain
from strategybot.trading.words.numbers import amount_words, counted, duration_words, price_words

RISK_WORDS = {STOP_LOSS: "stop loss", TAKE_PROFIT: "take profit", BREAK_EVEN: "break even"}
BY_MINUTES = "decided on 1-minute candles"
STOP_FIRST = "assumed: the order of the prices inside this candle is unknown"
NOT_BOUGHT = "not bought: at this price the quantity is no finite number"
TOO_LITTLE = "not bought: less than 1 would be spent, because too little cash is left"


def threshold_of(condition: ConditionKind) -> tuple[float | None, str]:
    """Return the limit of a condition and its unit; None if it has none."""
    match condition:
        case PriceDrop() | PriceRise():
            return condition.percent, "%"
        case VolumeSpike():
            return condition.multiplier, "×"
        case PriceLevel():
            return condition.level, "price"
        case Group():
            return condition.needed, "conditions"
        case _:
            return None, ""


def level_distance(condition: PriceLevel, measured: float) -> float | None:
    """Return how far the price must move; None if it must first go back to the other side of the level."""
    missing = condition.level - measured if condition.direction == "above" else measured - condition.level
    return missing if missing > 0 else None


def comparison_distance(condition: Compare, left: float, right: float) -> float | None:
    """Return how far the left side must move; None if it must first go back to the other side of the right one."""
    missing = right - left if condition.upward else left - right
    return max(missing, 0.0) if missing >= 0 else None


def fired_words(condition: ConditionKind, *numbers: float) -> str:
    """Return why a condition is true, by what it measured: two numbers of a comparison of two series."""
    measured, *others = numbers
    if isinstance(condition, Group):
        return _fired_group(condition, others)
    if isinstance(condition, Compare):
        return _fired_comparison(condition, measured, *others)
    if not math.isfinite(measured):
        return f"{condition.kind} is beyond any number"
    match condition:
        case PriceDrop() | PriceRise():
            verb = "fell" if isinstance(condition, PriceDrop) else "rose"
            origin = "in" if condition.reference == "close" else "from its"
            extreme = "" if condition.reference == "close" else f" {condition.reference}"
            threshold = plain(condition.percent)
            percent = amount_words(measured, condition.percent)
            return f"price {verb} {percent} % {origin} {condition.window}{extreme}, threshold {threshold} %"
        case VolumeSpike():
            times = amount_words(measured, condition.multiplier)
            return f"volume {times} × its {condition.window} average, threshold {plain(condition.multiplier)} ×"
        case PriceLevel():
            verb = "crossed" if condition.trigger == "cross" else "is at or"
            return f"price {price_words(measured)} {verb} {condition.direction} {plain(condition.level)}"
        case Time() | Every():
            return _moment_words(condition, measured, fired=True)
        case _:
            return condition.phrase()


def _fired_group(group: Group, numbers: Sequence[float]) -> str:
    """Return why a group is true, by the numbers of its members; one that is not true has no first number."""
    if group.match == "none":
        return group.phrase()
    values = iter(numbers)
    read = [(each, [next(values) for _ in range(each.numbers())]) for each in group.conditions]
    true = [fired_words(each, *own) for each, own in read if not math.isnan(own[0])]
    said = " and ".join(true)
    if group.match == "at_least":
        said = f"{len(true)} of {len(group.conditions)}: {said}"
    return f"({said})" if len(true) > 1 else said


def waiting_group(group: Group, members: Sequence[tuple[bool, str]]) -> str:
    """Return what a group waits for; of each member, whether it is true, and the words for that or what it lacks."""
    if group.match == "none":
        return f"must end: {' and '.join(words for fired, words in members if fired)}"
    missing = [words for fired, words in members if not fired]
    if group.match == "at_least":
        left = group.needed - (len(members) - len(missing))
        return f"{left} more of ({'; '.join(missing)})"
    said = (" and " if group.match == "all" else " or ").join(missing)
    return f"({said})" if len(missing) > 1 else said


def _moment_words(condition: Time | Every, close: float, *, fired: bool) -> str:
    """Return when the candle closed, in the zone of the condition, and why that is true or not."""
    if isinstance(condition, Time):
        return f"the candle closed {_moment(close, condition.timezone)}, {'' if fired else 'not '}{condition.rule()}"
    if fired:
        return f"a period of {condition.period} began: the candle closed {_moment(close, 'UTC')}"
    return f"the next period of {condition.period} begins {_moment(condition.next_begin(int(close)), 'UTC')}"


def _moment(moment: float, zone: str) -> str:
    """Return a moment such as Mon 2026-01-05 09:00 UTC."""
    return f"{local_moment(moment, zone):%a %Y-%m-%d %H:%M} {zone}"


def _fired_comparison(condition: Compare, left: float, right: float = math.nan) -> str:
    operator = condition.operator.removeprefix("crosses_")
    value, limit = _sides(condition, left, right)
    if condition.within_candles > 1:
        return f"{condition.phrase()}, now {value}"
    name = condition.left.phrase()
    if condition.crosses:
        return f"{name} {value} crossed {operator} {limit}"
    if isinstance(condition.right, Series):
        return f"{name} {value} was {operator} {limit}"
    return f"{name} was {value}, {operator} {limit}"


def waiting_comparison(condition: Compare, left: float, right: float, link: str = ": must") -> str:
    """Return how far a comparison is from being true; `link` joins the value and what it must do."""
    operator = condition.operator.removeprefix("crosses_")
    name, (value, limit) = condition.left.phrase(), _sides(condition, left, right)
    missing = comparison_distance(condition, left, right)
    if missing is None:
        return f"{name} {value} is already {operator} {limit}, no cross"
    move, verb = "rise" if condition.upward else "fall", "cross" if condition.crosses else "be"
    amount = f" {amount_words(missing)}" if missing > 0 else ""  # strict: equal is not enough
    return f"{name} is {value}{link} {move}{amount} to {verb} {operator} {limit}"


def _sides(condition: Compare, left: float, right: float) -> tuple[str, str]:
    """Return the measured left side, and the right side with its name if it is a series."""
    if not isinstance(condition.right, Series):
        return _value_words(condition.left, left, condition.right), plain(condition.right)
    limit = _value_words(condition.right, right, left)
    return _value_words(condition.left, left, right), f"{condition.right.phrase()} {limit}"


def _value_words(series: Series, value: float, beside: float) -> str:
    """Return the value as text: a price with the digits of prices, any other with a few digits, but never so few that
    it looks equal to the value beside it.
    """
    if not math.isfinite(value):
        return "unknown"
    if series.drawn_in() == "price":
        return price_words(value)
    return amount_words(value, beside if math.isfinite(beside) else None)


def waiting_words(condition: ConditionKind, measured: float, right: float = math.nan) -> str:
    """Return how far a condition is from being true."""
    if isinstance(condition, Compare):
        return waiting_comparison(condition, measured, right)
    if isinstance(condition, Time | Every):
        return _moment_words(condition, measured, fired=False)
    if not isinstance(condition, PriceLevel):
        threshold, unit = threshold_of(condition)
        if threshold is None:
            return f"not true: {condition.phrase()}"
        return f"{condition.kind} {amount_words(measured, threshold)} of {plain(threshold)} {unit}"
    level = f"{condition.direction} {plain(condition.level)}"
    if level_distance(condition, measured) is None:
        return f"price_level {price_words(measured)} is already {level}, no cross"
    return f"price_level {price_words(measured)} is not {level}"


def had_no_volume(condition: VolumeSpike, candles: Candles, i: int) -> bool:
    """Return whether nothing was traded in the window before candle i, so that no volume is a multiple of it."""
    window = condition.warm_up(candles.interval_seconds)
    return bool(mean_volumes(candles, window, np.array([i]))[0] == 0)


def unknown_words(condition: ConditionKind, candles: Candles, i: int) -> str:
    """Return why nothing can be measured at candle i."""
    seconds = candles.interval_seconds
    name = condition.last_known(seconds).phrase() if isinstance(condition, Compare) else condition.kind
    needed = condition.warm_up(seconds)
    if i < needed:
        return f"{name} needs {counted(needed, 'candle')} before it, has {i}"
    if isinstance(condition, VolumeSpike) and had_no_volume(condition, candles, i):
        return f"{condition.kind} has no volume in {condition.window} to compare with"
    if isinstance(condition, VolumeSpike):
        return f"{condition.kind} misses a volume in {condition.window}"
    if isinstance(condition, Compare):
        return f"{name} is undefined here: {condition.last_known(seconds).undefined}"
    return f"{condition.kind} is beyond any number"


def risk_words(strategy: Strategy, fill: Fill, certainty: int, open_: float, high: float, low: float) -> str:
    """Return why something was sold inside a candle, and how sure that is."""
    name = risk_name(strategy, fill)
    level, sign = ("target", "≥") if fill.reason == TAKE_PROFIT else ("stop", "≤")
    extreme, price = ("high", high) if fill.reason == TAKE_PROFIT else ("low", low)
    gap = ""
    if fill.base != fill.level:  # a minute may open beyond a level as well
        extreme, price, gap = "open" if fill.base == open_ else "price", fill.base, " (gap)"
    doubt = "" if certainty == EXACT else f"; {BY_MINUTES if certainty == RESOLVED else STOP_FIRST}"
    return f"{name}: {extreme} {price_words(price)} {sign} {level} {price_words(fill.level)}{gap}{doubt}"


def risk_name(strategy: Strategy, fill: Fill) -> str:
    """Return what sold, such as `take profit 1 of 2: +10.0 % on half`."""
    targets = strategy.risk_management.take_profits
    if fill.reason != TAKE_PROFIT or targets is None:
        return RISK_WORDS.get(fill.reason, "trailing stop")
    target, part = targets[fill.number - 1], targets[fill.number - 1].sell_percent
    share = {50.0: "half", 100.0: "all"}.get(part, f"{plain(part)} %")
    gain = max(f"{target.gain_percent:.1f}", plain(target.gain_percent), key=len)  # 10.0, but never 0.1 for 0.15
    return f"take profit {fill.number} of {len(targets)}: +{gain} % on {share}"


def ladder_words(strategy: Strategy, fill: Fill) -> str:
    """Return why more was bought on the way down."""
    steps = strategy.ladder or []
    step = steps[fill.number - 1]
    share, drop = plain(step.size_percent), plain(step.drop_percent)
    gap = " (gap)" if fill.base != fill.level else ""
    reached = f"{price_words(fill.base)} ≤ {price_words(fill.level)}{gap}"
    return f"ladder {fill.number} of {len(steps)}: {share} % of the cash at {drop} % below the first buy, {reached}"


def holding_words(terms: Terms, state: State, close: float) -> str:
    """Return the gain, the stop, the target and the next ladder step of an open position in words."""
    change = 100 * (close / state.entry_price - 1)
    words = [f"holding: {amount_words(change)} % from the entry {price_words(state.entry_price)}"]
    stop, _ = stop_level(terms, state)
    if stop > 0:
        words.append(f"stop {price_words(stop)}")
    target, ladder = target_level(terms, state), ladder_level(terms, state)
    if target < math.inf:
        words.append(f"target {price_words(target)}")
    if ladder > 0:
        words.append(f"adds at {price_words(ladder)}")
    return ", ".join(words)


def cooling_words(seconds: int) -> str:
    return f"cooling down for another {duration_words(seconds)}"


def skipped_words(first: int, last: int, interval_seconds: int, dropped_entry: bool) -> str:
    """Return what happened to the candles of a pause."""
    count = (last - first) // interval_seconds + 1
    candles = "1 candle was" if count == 1 else f"{count} candles were"
    entry = "; the entry decided before was dropped" if dropped_entry else ""
    return f"paused: {candles} skipped, nothing was traded and no stop or target worked{entry}"


def max_holding_words(strategy: Strategy, held_seconds: int) -> str:
    return f"held {duration_words(held_seconds)}, the longest allowed is {strategy.risk_management.max_holding}"
