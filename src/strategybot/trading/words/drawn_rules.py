"""What a chart draws of a trade: the prices its conditions looked at, and its stop and target while it was held."""

from collections.abc import Iterable, Iterator

import numpy as np
from pydantic import BaseModel, ConfigDict

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.columns import change_references
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.risk import NOTHING, State, raised, stop_level
from strategybot.trading.engine.step import terms_of
from strategybot.trading.language.conditions import Compare, Condition, Group, PriceDrop, PriceLevel, PriceRise
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.explain import ConditionReading, entry_reading, exit_reading
from strategybot.trading.words.numbers import finite


class DrawnCondition(BaseModel):
    """A condition that was true, with the prices and the span of time it looked at."""

    model_config = ConfigDict(frozen=True)

    sentence: str
    from_time: int  # where its window begins
    to_time: int  # the candle that decided
    reference: float | None  # the price it was measured from
    reference_time: int | None
    level: float | None  # the price at which it becomes true


class PriceStep(BaseModel):
    """A price from this candle on."""

    model_config = ConfigDict(frozen=True)

    time: int
    price: float


def entry_conditions(strategy: Strategy, candles: Candles, i: int) -> list[DrawnCondition]:
    """Return the entry conditions that are true at the close of candle i."""
    return [*_drawn(strategy.conditions, entry_reading(strategy, candles, i).conditions, candles, i)]


def exit_conditions(strategy: Strategy, candles: Candles, i: int) -> list[DrawnCondition]:
    """Return the exit conditions that are true at the close of candle i."""
    return [*_drawn(strategy.exit_conditions, exit_reading(strategy, candles, i).conditions, candles, i)]


def stop_steps(strategy: Strategy, held: Candles, entry_price: float) -> list[PriceStep]:
    """Return the stop of a position held over these candles: a step at each candle at which it changes."""
    terms = terms_of(strategy, Costs(), held.interval_seconds)
    state = State(0.0, 1.0, 0.0, entry_price, 0, entry_price, 0, NOTHING)
    steps: list[PriceStep] = []
    for row in _rows_after_new_highs(held, entry_price):
        state = raised(terms, state, float(held.high[row - 1])) if row else state
        stop, _ = stop_level(terms, state)
        if stop > 0 and (not steps or steps[-1].price != stop):
            steps.append(PriceStep(time=int(held.time[row]), price=stop))
    return steps


def _rows_after_new_highs(held: Candles, entry_price: float) -> list[int]:
    """Return the first row and each row after a new high: only there can a stop move."""
    before = np.maximum.accumulate(np.append(entry_price, held.high))[:-2]
    return [0, *(np.flatnonzero(held.high[:-1] > before) + 1).tolist()] if len(held) else []


def target_price(strategy: Strategy, entry_price: float) -> float | None:
    """Return the take profit of a position; None without one."""
    return finite(entry_price * terms_of(strategy, Costs(), 60).target_factor)


def _drawn(
    conditions: Iterable[Condition], readings: Iterable[ConditionReading], candles: Candles, i: int
) -> Iterator[DrawnCondition]:
    """Yield what is true; of a group that needs its members, each of them that is."""
    for condition, reading in zip(conditions, readings, strict=True):
        if reading.fired and isinstance(condition, Group) and condition.match != "none":
            yield from _drawn(condition.conditions, reading.conditions, candles, i)
        elif reading.fired:
            yield _condition(condition, reading.sentence, candles, i)


def _condition(condition: Condition, sentence: str, candles: Candles, i: int) -> DrawnCondition:
    window = 0 if isinstance(condition, Compare | Group) else condition.reach(candles.interval_seconds)
    reference, row = _reference(condition, window, candles, i)
    return DrawnCondition(
        sentence=sentence,
        from_time=int(candles.time[max(0, i - window)]),
        to_time=int(candles.time[i]),
        reference=reference,
        reference_time=None if row is None else int(candles.time[row]),
        level=_level(condition, reference),
    )


def _reference(condition: Condition, window: int, candles: Candles, i: int) -> tuple[float | None, int | None]:
    """Return the price from which a fall or a rise is measured, and the row of its candle."""
    if not isinstance(condition, PriceDrop | PriceRise):
        return None, None
    change = condition.change(candles.interval_seconds)
    price = float(change_references(candles, change, np.array([i]))[0])
    if condition.reference == "close":
        return price, i - window
    seen = (candles.high if isinstance(condition, PriceDrop) else candles.low)[i - window : i]
    return price, i - window + int(np.flatnonzero(seen == price)[0])


def _level(condition: Condition, reference: float | None) -> float | None:
    match condition:
        case PriceDrop() if reference is not None:
            return reference * (1 - condition.percent / 100)
        case PriceRise() if reference is not None:
            return reference * (1 + condition.percent / 100)
        case PriceLevel():
            return condition.level
        case Compare() if not isinstance(condition.right, Series) and condition.left.drawn_in() == "price":
            return float(condition.right)
        case _:
            return None
