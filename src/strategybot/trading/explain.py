"""Why, or why not, at candle i: every condition's measured value beside its threshold, and the sentences of the log."""

import math

from pydantic import BaseModel, ConfigDict

from strategybot.trading.candles import Candles
from strategybot.trading.conditions import Columns, columns_of, kind_of, limit_of, mean_volume, window_candles
from strategybot.trading.fast.readings import read_one
from strategybot.trading.kernel import STOP_LOSS, TAKE_PROFIT, Sale, State, Terms, stop_level
from strategybot.trading.language.strategy import (
    Condition,
    Match,
    PriceDrop,
    PriceLevel,
    PriceRise,
    Strategy,
    VolumeSpike,
    plain,
)
from strategybot.trading.words import amount_words, duration_words, finite, price_words

RISK_WORDS = {STOP_LOSS: "stop loss", TAKE_PROFIT: "take profit"}
NOT_BOUGHT = "not bought: at this price the quantity is no finite number"


class ConditionReading(BaseModel):
    """One condition at one candle. `distance` is what is missing, in the unit of the threshold; 0 when it fired."""

    model_config = ConfigDict(frozen=True)

    kind: str
    measured: float | None
    threshold: float
    unit: str
    distance: float | None
    known: bool
    fired: bool
    sentence: str


class SideReading(BaseModel):
    """A list of conditions at one candle, and whether the list as a whole is true."""

    model_config = ConfigDict(frozen=True)

    match: Match
    fired: bool
    conditions: list[ConditionReading]

    def reason(self) -> str:
        """Why it fired."""
        return "; ".join(each.sentence for each in self.conditions if each.fired)

    def waiting(self) -> str:
        """What it waits for."""
        return "; ".join(each.sentence for each in self.conditions if not each.fired)


class Explanation(BaseModel):
    model_config = ConfigDict(frozen=True)

    time: int
    close: float
    entry: SideReading
    exit: SideReading


def explain(strategy: Strategy, candles: Candles, i: int) -> Explanation:
    """Every condition of the strategy at candle i, seen with the candles up to i alone."""
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
    columns = columns_of(candles)
    readings = [_reading(each, columns, candles.interval_seconds, i) for each in conditions]
    truths = [each.fired for each in readings]
    fired = bool(truths) and (all(truths) if match == "all" else any(truths))
    return SideReading(match=match, fired=fired, conditions=readings)


def _reading(condition: Condition, columns: Columns, interval_seconds: int, i: int) -> ConditionReading:
    window = window_candles(condition, interval_seconds)
    fired, measured = read_one(kind_of(condition), window, limit_of(condition), columns, i)
    threshold, unit = _threshold(condition)
    known = math.isfinite(measured)
    if fired:
        sentence = fired_words(condition, measured)
    elif known:
        sentence = _waiting_words(condition, measured)
    else:
        sentence = _unknown_words(condition, window, columns, i)
    return ConditionReading(
        kind=condition.kind,
        measured=finite(measured),
        threshold=threshold,
        unit=unit,
        distance=_distance(condition, measured, fired) if known else None,
        known=known,
        fired=fired,
        sentence=sentence,
    )


def _threshold(condition: Condition) -> tuple[float, str]:
    match condition:
        case PriceDrop() | PriceRise():
            return condition.percent, "%"
        case VolumeSpike():
            return condition.multiplier, "×"
        case PriceLevel():
            return condition.level, "price"


def _distance(condition: Condition, measured: float, fired: bool) -> float | None:
    if fired:
        return 0.0
    if not isinstance(condition, PriceLevel):
        return max(0.0, _threshold(condition)[0] - measured)
    missing = condition.level - measured if condition.direction == "above" else measured - condition.level
    return missing if missing > 0 else None  # a cross first has to come back to the other side


def fired_words(condition: Condition, measured: float) -> str:
    """Why a condition is true."""
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


def _waiting_words(condition: Condition, measured: float) -> str:
    if not isinstance(condition, PriceLevel):
        threshold, unit = _threshold(condition)
        return f"{condition.kind} {amount_words(measured, threshold)} of {plain(threshold)} {unit}"
    level = f"{condition.direction} {plain(condition.level)}"
    if _distance(condition, measured, fired=False) is None:
        return f"price_level {price_words(measured)} is already {level}, no cross"
    return f"price_level {price_words(measured)} is not {level}"


def _unknown_words(condition: Condition, window: int, columns: Columns, i: int) -> str:
    if i < window:
        return f"{condition.kind} needs {window} {'candle' if window == 1 else 'candles'} before it, has {i}"
    if isinstance(condition, VolumeSpike) and mean_volume(columns, window, i) == 0:
        return f"{condition.kind} has no volume in {condition.window} to compare with"
    if isinstance(condition, VolumeSpike):
        return f"{condition.kind} misses a volume in {condition.window}"
    return f"{condition.kind} is beyond any number"


def risk_words(sale: Sale, open_: float, high: float, low: float) -> str:
    """Why a position was closed inside a candle."""
    name = RISK_WORDS.get(sale.reason, "trailing stop")
    level, sign = ("target", "≥") if sale.reason == TAKE_PROFIT else ("stop", "≤")
    extreme, price = ("high", high) if sale.reason == TAKE_PROFIT else ("low", low)
    gap = ""
    if sale.base == open_ != sale.level:
        extreme, price, gap = "open", open_, " (gap)"
    return f"{name}: {extreme} {price_words(price)} {sign} {level} {price_words(sale.level)}{gap}"


def holding_words(terms: Terms, state: State, close: float) -> str:
    """How an open position stands."""
    change = 100 * (close / state.entry_price - 1)
    words = [f"holding: {amount_words(change)} % from the entry {price_words(state.entry_price)}"]
    stop, _ = stop_level(terms, state)
    if stop > 0:
        words.append(f"stop {price_words(stop)}")
    if terms.target_factor < math.inf:
        words.append(f"target {price_words(state.entry_price * terms.target_factor)}")
    return ", ".join(words)


def cooling_words(seconds: int) -> str:
    return f"cooling down for another {duration_words(seconds)}"


def max_holding_words(strategy: Strategy, held_seconds: int) -> str:
    return f"held {duration_words(held_seconds)}, the longest allowed is {strategy.risk_management.max_holding}"
