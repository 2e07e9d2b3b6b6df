"""What a chart draws of a trade: the prices its conditions looked at, and its stop and target while it was held."""

from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from strategybot.trading.engine.candles import Candles, Integers
from strategybot.trading.engine.columns import change_references
from strategybot.trading.engine.conditions import ranges_at
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.filled import Table
from strategybot.trading.engine.risk import (
    ENTER,
    LADDER,
    NO_PARTS,
    NOTHING,
    STEP,
    TAKE_PROFIT,
    State,
    Terms,
    ladder_level,
    stop_level,
    target_level,
)
from strategybot.trading.engine.step import terms_of
from strategybot.trading.language.conditions import Compare, Condition, Group, PriceDrop, PriceLevel, PriceRise
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.explain import ConditionReading, entry_reading, exit_reading
from strategybot.trading.words.numbers import finite


class DrawnCondition(BaseModel):
    """A condition that was true, with the prices and the span of time it looked at."""

    model_config = ConfigDict(frozen=True)

    sentence: Annotated[str, Field(description="The condition in words")]
    from_time: Annotated[int, Field(description="Where its window begins")]
    to_time: Annotated[int, Field(description="The candle that decided")]
    reference: Annotated[float | None, Field(description="The price it was measured from")]
    reference_time: Annotated[int | None, Field(description="The candle of that price")]
    level: Annotated[float | None, Field(description="The price at which it becomes true")]


class PriceStep(BaseModel):
    """A price from this candle on."""

    model_config = ConfigDict(frozen=True)

    time: Annotated[int, Field(description="The candle from which on it holds")]
    price: Annotated[float, Field(description="The price")]


def entry_conditions(strategy: Strategy, candles: Candles, i: int) -> list[DrawnCondition]:
    """Return the entry conditions that are true at the close of candle i."""
    return [*_draw(strategy.conditions, entry_reading(strategy, candles, i).conditions, candles, i)]


def exit_conditions(strategy: Strategy, candles: Candles, i: int) -> list[DrawnCondition]:
    """Return the exit conditions that are true at the close of candle i."""
    return [*_draw(strategy.exit_conditions, exit_reading(strategy, candles, i).conditions, candles, i)]


class LevelStep(BaseModel):
    """A price from this candle on; null where there is none any more."""

    model_config = ConfigDict(frozen=True)

    time: Annotated[int, Field(description="The candle from which on it holds")]
    price: Annotated[float | None, Field(description="Null where there is none any more")]


class PositionLevels(NamedTuple):
    """The prices that could change a position while it was held, each with a step where it changes."""

    stop: list[PriceStep]
    average: list[LevelStep]
    target: list[LevelStep]  # the next one
    ladder: list[LevelStep]


def position_levels(strategy: Strategy, candles: Candles, entry: int, out: int, fills: Table) -> PositionLevels:
    """Return the levels of a position held from candle `entry` to `out`, with these fills."""
    terms = terms_of(strategy, Costs(), candles.interval_seconds)
    held, found, first = candles[entry : out + 1], PositionLevels([], [], [], []), float(fills["price"][0])
    rows = np.searchsorted(held.time, fills["time"])
    peaks = np.maximum.accumulate(np.append(first, held.high))
    whole = _whole_state(strategy, candles[:entry], first)
    reached, armed = _reached_steps(terms, held, fills), _armed_from(terms, held, rows, fills)
    for row in sorted({*_rows_after_new_highs(held, first), *rows.tolist(), *reached.tolist(), armed}):
        if row == len(held):
            break
        done = fills[rows <= row]
        done = done[: len(done) - 1] if done["held"][-1] == 0 else done
        parts = whole.parts._replace(
            step=int(np.count_nonzero(reached <= row)),
            target=int(done["number"][done["reason"] == TAKE_PROFIT].max(initial=0)),
            is_armed=row >= armed,
        )
        state = whole._replace(entry_price=float(done["average"][-1]), peak=float(peaks[row]), parts=parts)
        time = int(held.time[row])
        stop = stop_level(terms, state)[0]
        if stop > 0 and (not found.stop or found.stop[-1].price != stop):
            found.stop.append(PriceStep(time=time, price=stop))
        if strategy.trades_in_parts:
            _add_step(found.average, time, state.entry_price)
            _add_step(found.target, time, finite(target_level(terms, state)))
            _add_step(found.ladder, time, ladder_level(terms, state) or None)
    return found


def _add_step(steps: list[LevelStep], time: int, price: float | None) -> None:
    if (steps[-1].price if steps else None) != price:
        steps.append(LevelStep(time=time, price=price))


def _whole_state(strategy: Strategy, before: Candles, first_price: float) -> State:
    """Return as much of the state of a new position as its levels need; the last of these candles decided it."""
    terms = terms_of(strategy, Costs(), before.interval_seconds)
    stop, trailing = (float(each[0]) if len(each) else 0.0 for each in ranges_at(strategy, before, 1))
    parts = NO_PARTS._replace(
        first_price=first_price,
        stop_distance=terms.stop_times * stop,
        trailing_distance=terms.trailing_times * trailing,
    )
    return State(0.0, 1.0, 0.0, first_price, 0, first_price, 0, NOTHING, parts)


def _reached_steps(terms: Terms, held: Candles, fills: Table) -> Integers:
    """Return the row at which the price reached each ladder step, bought or without cash; else one after the last.

    The last candle of a closed position reached only what it bought.
    """
    bought, is_closed = fills["number"][fills["reason"] == LADDER].max(initial=0), fills["held"][-1] == 0
    levels = fills["price"][0] * terms.levels[STEP : STEP + terms.steps]
    found: Integers = np.searchsorted(-np.minimum.accumulate(held.low), -levels)
    if is_closed:
        found[bought:][found[bought:] == len(held) - 1] = len(held)
    return found


def _armed_from(terms: Terms, held: Candles, rows: Integers, fills: Table) -> int:
    """Return the first row at which the stop is at least the average price; one after the last if none is.

    A high arms it that is far enough above the average after the fills of the open of its candle.
    """
    entered, added = fills["reason"] == ENTER, fills["reason"] == LADDER
    steps = fills["price"][0] * terms.levels[STEP - 1 + np.maximum(fills["number"].astype(np.int64), 1)]
    at_open = entered | (added & (steps >= held.open[rows]))
    opened = np.searchsorted(rows, np.arange(len(held))) + np.bincount(rows[at_open], minlength=len(held))
    arming = np.flatnonzero(held.high >= fills["average"][opened - 1] * terms.break_even_factor)
    return int(arming[0]) + 1 if len(arming) else len(held)


def _rows_after_new_highs(held: Candles, entry_price: float) -> list[int]:
    """Return the first row and each row after a new high: only there can a stop move by itself."""
    before = np.maximum.accumulate(np.append(entry_price, held.high))[:-2]
    return [0, *(np.flatnonzero(held.high[:-1] > before) + 1).tolist()] if len(held) else []


def target_price(strategy: Strategy, entry_price: float) -> float | None:
    """Return the first target of a position; None without one."""
    targets = strategy.risk_management.targets
    return finite(entry_price * (1 + targets[0].gain_percent / 100)) if targets else None


def _draw(
    conditions: Iterable[Condition], readings: Iterable[ConditionReading], candles: Candles, i: int
) -> Iterator[DrawnCondition]:
    """Yield what is true; of a group that needs its members, each of them that is."""
    for condition, reading in zip(conditions, readings, strict=True):
        if reading.fired and isinstance(condition, Group) and condition.match != "none":
            yield from _draw(condition.conditions, reading.conditions, candles, i)
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
