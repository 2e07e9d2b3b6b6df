"""How far every rule of a strategy is from acting now: what an entry waits for, and what could end a position.

It reads the candles up to the present one. A change of the price within a time is measured from references that are
already known; later candles can only add more.
"""

import math
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.guards import NOT_REFUSED, Watch, guard_terms, refusal
from strategybot.trading.engine.moments import local_moment
from strategybot.trading.engine.risk import (
    FOREVER,
    State,
    Terms,
    break_even_level,
    ladder_level,
    stop_level,
    target_level,
)
from strategybot.trading.engine.step import terms_of
from strategybot.trading.language.conditions import Condition, Group, PriceDrop, PriceLevel, PriceRise, VolumeSpike
from strategybot.trading.language.moments import MomentKind
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import plain
from strategybot.trading.words.explain import ConditionReading, entry_reading, exit_reading
from strategybot.trading.words.numbers import amount_words, duration_words, finite, price_words
from strategybot.trading.words.reason_data import Reason, ReasonCode, Why
from strategybot.trading.words.reasons import waiting_group
from strategybot.trading.words.why import RISK_CODES, cooling_why, gap_why, ladder_need, refusal_why

LEVEL_NAMES: dict[ReasonCode, str] = {
    "stop_loss": "stop loss",
    "trailing_stop": "trailing stop",
    "break_even": "break even",
    "take_profit": "take profit",
    "ladder": "ladder",
    "max_holding": "longest holding",
}


class NextCondition(BaseModel):
    """One rule at the present candle."""

    model_config = ConfigDict(frozen=True)

    condition: Annotated[str, Field(description="The rule in words")]
    sentence: Annotated[str, Field(description="How far it is, in words")]
    value: float | None = Field(description="What is measured now, in the unit of the limit")
    limit: Annotated[float | None, Field(description="Where it acts")]
    met: Annotated[bool, Field(description="Whether it is true now")]
    reason: Annotated[Reason, Field(description="The same as data")]


class Outlook(NamedTuple):
    entry: list[NextCondition]  # what a purchase waits for; nothing if no further one can come
    exit: list[NextCondition]  # what could end the position; nothing without one


class Needed(NamedTuple):
    """The smallest move of the price that meets a condition, and within how many candles."""

    percent: float
    candles: int


def outlook(strategy: Strategy, costs: Costs, candles: Candles, book: State, watch: Watch | None = None) -> Outlook:
    """Return how far each rule is from acting after the last of these candles."""
    if not len(candles):
        return Outlook([], [])
    last = len(candles) - 1
    terms = terms_of(strategy, costs, candles.interval_seconds)
    if book.quantity > 0:
        readings = exit_reading(strategy, candles, last).conditions
        conditions = _conditions(strategy.exit_conditions, readings, candles)
        return Outlook(_further(strategy, terms, book, candles), [*conditions, *_levels(terms, book, candles)])
    readings = entry_reading(strategy, candles, last).conditions
    waits = _waits(strategy, terms, book, watch, int(candles.time[last]))
    return Outlook([*_conditions(strategy.conditions, readings, candles), *waits], [])


def _further(strategy: Strategy, terms: Terms, book: State, candles: Candles) -> list[NextCondition]:
    """Return what a further buy of an open position waits for; nothing if it has bought as often as allowed."""
    if book.parts.entries >= terms.max_entries:
        return []
    last = len(candles) - 1
    readings = entry_reading(strategy, candles, last).conditions
    left = int(book.parts.last_entry) + terms.entry_gap - int(candles.time[last]) - terms.interval
    waits = [_wait("entry gap", gap_why(left), terms.entry_gap - left, terms.entry_gap)] if left > 0 else []
    return [*_conditions(strategy.conditions, readings, candles), *waits]


def _conditions(conditions: list[Condition], readings: list[ConditionReading], candles: Candles) -> list[NextCondition]:
    return [
        NextCondition(
            condition=condition.phrase(),
            sentence=_missing_words(condition, reading, candles),
            value=reading.measured,
            limit=reading.threshold,
            met=reading.fired,
            reason=reading.reason,
        )
        for condition, reading in zip(conditions, readings, strict=True)
    ]


def _missing_words(condition: Condition, reading: ConditionReading, candles: Candles) -> str:
    if reading.fired or not reading.known or reading.measured is None:
        return reading.sentence
    match condition:
        case PriceDrop() | PriceRise():
            return _change_words(condition, needed_change(condition, candles), candles)
        case VolumeSpike():
            return _volume_words(condition, candles)
        case PriceLevel():
            return _level_words(condition, reading)
        case MomentKind():
            return _moment_words(condition, reading, candles)
        case Group():
            pairs = zip(condition.conditions, reading.conditions, strict=True)
            return waiting_group(condition, [(each.fired, _missing_words(own, each, candles)) for own, each in pairs])
        case _:
            return reading.sentence


def _moment_words(condition: MomentKind, reading: ConditionReading, candles: Candles) -> str:
    close = int(candles.time[-1]) + candles.interval_seconds
    coming = condition.next_true(close, candles.interval_seconds)
    if coming is None:
        return reading.sentence
    return f"is true in {duration_words(coming - close)}, {local_moment(coming, 'UTC'):%Y-%m-%d %H:%M} UTC"


def needed_change(condition: PriceDrop | PriceRise, candles: Candles) -> Needed:
    """Return the smallest move, in percent of the last close, that meets the condition at a later candle.

    `candles` is how long the present reference stays in the window. With 0 percent the condition is met if the price
    stays the same.
    """
    window, last = condition.reach(candles.interval_seconds), len(candles) - 1
    falls = isinstance(condition, PriceDrop)
    extremes = candles.high if falls else candles.low
    column = candles.close if condition.reference == "close" else extremes
    known = column[max(0, last + 1 - window) : last + 1]
    extreme = float(known.max() if falls else known.min())
    # Of equal extremes the last one stays in the window for longest.
    place = len(known) - 1 - int(np.argmax(known[::-1] == extreme))
    limit = condition.percent / 100
    target = extreme * (1 - limit if falls else 1 + limit)
    close = float(candles.close[last])
    move = 1 - target / close if falls else target / close - 1
    return Needed(100 * max(0.0, move), place + 1 + window - len(known))


def _change_words(condition: PriceDrop | PriceRise, needed: Needed, candles: Candles) -> str:
    time, move = duration_words(needed.candles * candles.interval_seconds), "fall"
    if isinstance(condition, PriceRise):
        move = "rise"
    if needed.percent == 0:
        return f"is met within {time} if the price stays"
    return f"needs a {amount_words(needed.percent)} % {move} within {time}"


def _volume_words(condition: VolumeSpike, candles: Candles) -> str:
    window, last = condition.reach(candles.interval_seconds), len(candles) - 1
    mean = float(candles.volume[max(0, last + 1 - window) : last + 1].mean())
    times, has = plain(condition.multiplier), amount_words(float(candles.volume[last]))
    if not math.isfinite(mean):
        return f"needs a volume of {times} × its {condition.window} average; the last candle had {has}"
    least = amount_words(mean * condition.multiplier)
    return f"needs a volume of {least} in one candle ({times} × its {condition.window} average); the last had {has}"


def _level_words(condition: PriceLevel, reading: ConditionReading) -> str:
    level, close = plain(condition.level), reading.measured or math.nan
    move, side = ("rise", "below") if condition.direction == "above" else ("fall", "above")
    if reading.distance is None:
        return f"the price must first come back {side} {level}, then cross it"
    return f"needs a {amount_words(100 * reading.distance / close)} % {move} to {level}"


def _waits(strategy: Strategy, terms: Terms, book: State, watch: Watch | None, time: int) -> list[NextCondition]:
    """Return what prevents an entry even if all conditions are met."""
    found = []
    if time < book.ready_time:
        left = int(book.ready_time) - time
        found.append(_wait("cooldown", cooling_why(left), terms.cooldown - left, terms.cooldown))
    if strategy.guards is not None and watch is not None:
        by = refusal(guard_terms(strategy.guards), watch, time, terms.interval, 0)
        if by != NOT_REFUSED:
            found.append(_wait("guards", refusal_why(strategy.guards, watch, int(by)), None, None))
    return found


def _wait(condition: str, why: Why, value: float | None, limit: float | None) -> NextCondition:
    [reason] = why.reasons
    return NextCondition(condition=condition, sentence=why.words, value=value, limit=limit, met=False, reason=reason)


def _levels(terms: Terms, book: State, candles: Candles) -> list[NextCondition]:
    """Return the stop, what arms break even, the next target and ladder step, and the longest holding time."""
    close, found = float(candles.close[-1]), []
    stop, kind = stop_level(terms, book)
    if stop > 0:
        code: ReasonCode = RISK_CODES.get(kind, "trailing_stop")
        words = f"needs a {amount_words(100 * (1 - stop / close))} % fall to {price_words(stop)}"
        found.append(_level(code, words, close, float(stop), met=close <= stop))
    target, ladder = target_level(terms, book), ladder_level(terms, book)
    arms = break_even_level(terms, book)
    if arms < math.inf:
        rise = f"needs a {amount_words(max(0.0, 100 * (arms / close - 1)))} % rise to {price_words(arms)}"
        words = f"{rise}; from then on the stop is at least {price_words(book.entry_price)}"
        row = _level("break_even", words, close, arms, met=False)
        found.append(row.model_copy(update={"condition": "arms break even"}))  # "break even" is the stop that it arms
    if target < math.inf:
        words = f"needs a {amount_words(100 * (target / close - 1))} % rise to {price_words(target)}"
        found.append(_level("take_profit", words, close, target, met=close >= target))
    if ladder > 0:
        found.append(_level("ladder", ladder_need(terms, book, close), close, ladder, met=close <= ladder))
    if terms.max_holding < FOREVER:
        held = int(candles.time[-1]) + terms.interval - int(book.entry_time)
        left = max(0, terms.max_holding - held)
        words = f"sells in {duration_words(left)} at the latest" if left else "held as long as allowed"
        found.append(_level("max_holding", words, held, terms.max_holding, met=left == 0))
    return found


def _level(code: ReasonCode, sentence: str, value: float, limit: float, *, met: bool) -> NextCondition:
    now, end = finite(value), finite(limit)
    reason = Reason(code=code, values={"value": now, "limit": end}, text=sentence)
    return NextCondition(condition=LEVEL_NAMES[code], sentence=sentence, value=now, limit=end, met=met, reason=reason)
