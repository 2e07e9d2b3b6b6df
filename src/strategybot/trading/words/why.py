"""Why something was or was not traded: the exact words of `reasons`, and the same as data."""

import math
from typing import Literal

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.guards import LOSING_STREAK, MAX_DRAWDOWN, Watch
from strategybot.trading.engine.ledger import Fill
from strategybot.trading.engine.risk import (
    ASSUMED,
    BREAK_EVEN,
    EXACT,
    RESOLVED,
    STEP_SHARE,
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
    PriceDrop,
    PriceLevel,
    PriceRise,
    VolumeSpike,
)
from strategybot.trading.language.guards import Guards
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import duration_seconds, plain
from strategybot.trading.words.guards import refusal_words
from strategybot.trading.words.numbers import amount_words, counted, duration_words, finite, price_words
from strategybot.trading.words.reason_data import Reason, ReasonCode, Scalar, Why
from strategybot.trading.words.reasons import (
    NOT_BOUGHT,
    TOO_LITTLE,
    cooling_words,
    fired_words,
    had_no_volume,
    holding_words,
    ladder_words,
    level_distance,
    max_holding_words,
    risk_name,
    risk_words,
    skipped_words,
    threshold_of,
    unknown_words,
    waiting_comparison,
    waiting_words,
)

CERTAINTIES = {EXACT: "exact", RESOLVED: "resolved", ASSUMED: "assumed"}
DOUBTS = {
    EXACT: "",
    RESOLVED: " This was decided on 1-minute candles.",
    ASSUMED: " This is assumed: the order of the prices inside this candle is unknown.",
}
GUARD_CODES: dict[int, ReasonCode] = {MAX_DRAWDOWN: "guard_max_drawdown", LOSING_STREAK: "guard_losing_streak"}


def met_reason(condition: ConditionKind, *numbers: float) -> Reason:
    """Return why a condition is true; the numbers are those of `fired_words`."""
    measured, right = (*numbers, math.nan)[:2]
    return Reason(
        code="condition_met",
        values=_values(condition, measured, right),
        text=fired_words(condition, *numbers),
    )


def unmet_reason(condition: ConditionKind, measured: float, right: float = math.nan) -> Reason:
    """Return how far a condition is from being true."""
    return Reason(
        code="condition_unmet",
        values=_values(condition, measured, right),
        text=f"Not yet: {_unmet_words(condition, measured, right)}.",
    )


def unknown_reason(condition: ConditionKind, candles: Candles, i: int) -> Reason:
    """Return why nothing can be measured at candle i."""
    needed, values = condition.warm_up(candles.interval_seconds), _values(condition, math.nan, math.nan)
    if i < needed:
        words = f"it has to see {counted(needed, 'candle')} first, and has seen {i}"
        values |= {"candles_needed": needed, "candles_seen": i}
    elif isinstance(condition, VolumeSpike) and had_no_volume(condition, candles, i):
        words = f"nothing was traded in the {condition.window} before"
    elif isinstance(condition, VolumeSpike):
        words = f"the volume of the last {condition.window} is not known"
    else:
        words = unknown_words(condition, candles, i)
    return Reason(code="condition_unknown", values=values, text=f"Not yet: {words}.")


def group_reason(group: ConditionKind, true: float, known: bool, words: str) -> Reason:
    """Return why a group is not true, or not known."""
    code: ReasonCode = "condition_unmet" if known else "condition_unknown"
    return Reason(code=code, values=_values(group, true, math.nan), text=f"Not yet: {words}.")


def _values(condition: ConditionKind, measured: float, right: float) -> dict[str, Scalar]:
    limit, unit = threshold_of(condition)
    if isinstance(condition, Compare):
        limit = right if isinstance(condition.right, Series) else condition.right
    return {
        "condition": condition.phrase(),
        "kind": condition.kind,
        "measured": finite(measured),
        "threshold": None if limit is None else finite(limit),
        "unit": unit,
    }


def _unmet_words(condition: ConditionKind, measured: float, right: float) -> str:
    match condition:
        case PriceDrop() | PriceRise():
            falls = isinstance(condition, PriceDrop)
            verb = "fell" if falls == (measured >= 0) else "rose"
            extreme = "in" if condition.reference == "close" else f"from its {condition.reference} of"
            percent, needed = amount_words(abs(measured), condition.percent), "a fall" if falls else "a rise"
            moved = f"the price {verb} {percent}% {extreme} {condition.window}"
            return f"{moved}, it takes {needed} of {plain(condition.percent)}%"
        case VolumeSpike():
            times = amount_words(measured, condition.multiplier)
            return f"the volume is {times}× its {condition.window} average, it takes {plain(condition.multiplier)}×"
        case PriceLevel():
            price, level = price_words(measured), f"{condition.direction} ${plain(condition.level)}"
            if level_distance(condition, measured) is None:
                return f"the price is ${price} and was already {level}: it has to cross it again"
            return f"the price is ${price}, not {level}"
        case Compare():
            return waiting_comparison(condition, measured, right, ", it must")
        case _:
            return waiting_words(condition, measured, right)


def decided_why(decision: Why, side: Literal["buy", "sell"]) -> Why:
    """Return why nothing is traded at a candle whose close decided to trade at the next one."""
    text = f"Its conditions are met: it {side}s at the next candle."
    if any(each["code"] == "max_holding" for each in decision.reasons):
        text = "It has held the position as long as allowed: it sells at the next candle."
    first = Reason(code="decided", values={"side": side}, text=text)
    return Why(decision.words, [first, *decision.reasons])


RISK_CODES: dict[int, ReasonCode] = {
    STOP_LOSS: "stop_loss",
    TAKE_PROFIT: "take_profit",
    BREAK_EVEN: "break_even",
}


def risk_why(strategy: Strategy, fill: Fill, certainty: int, open_: float, high: float, low: float) -> Why:
    """Return why something was sold inside a candle, and how sure that is."""
    name, _, part = risk_name(strategy, fill).partition(": ")
    gap, level = bool(fill.base != fill.level), price_words(fill.level)
    verb = "rose to" if fill.reason == TAKE_PROFIT else "fell to"
    sold = f" It sells {part.rpartition(' on ')[2]} of what it bought." if part else ""
    text = f"The price {'jumped past' if gap else verb} its {name}, ${level}.{sold}{DOUBTS[certainty]}"
    values: dict[str, Scalar] = {
        "level": finite(fill.level),
        "price": finite(fill.base),
        "gap": gap,
        "certainty": CERTAINTIES[certainty],
    }
    if part:
        values |= {"target": fill.number, "quantity": finite(fill.quantity)}
    words = risk_words(strategy, fill, certainty, open_, high, low)
    return Why(words, [Reason(code=RISK_CODES.get(fill.reason, "trailing_stop"), values=values, text=text)])


def ladder_why(strategy: Strategy, fill: Fill) -> Why:
    """Return why more was bought on the way down."""
    words = ladder_words(strategy, fill)
    values: dict[str, Scalar] = {"step": fill.number, "level": finite(fill.level), "price": finite(fill.base)}
    text = f"The price fell to step {fill.number} of its ladder, ${price_words(fill.level)}: it buys more."
    return Why(words, [Reason(code="ladder", values=values, text=text)])


def holding_why(terms: Terms, state: State, close: float) -> Why:
    """Return the gain, the levels and what comes next of an open position."""
    change = 100 * (close / state.entry_price - 1)
    stop, target, ladder = float(stop_level(terms, state)[0]), target_level(terms, state), ladder_level(terms, state)
    ends = [f"falls to ${price_words(stop)}"] if stop > 0 else []
    ends += [f"rises to ${price_words(target)}"] if target < math.inf else []
    side = "below" if change < 0 else "above"
    text = f"It holds, {amount_words(abs(change))}% {side} what it paid."
    if ends:
        text += f" It sells when the price {' or '.join(ends)}."
    values: dict[str, Scalar] = {
        "change_percent": finite(change),
        "entry_price": finite(state.entry_price),
        "stop": finite(stop) if stop > 0 else None,
        "target": finite(target),
    }
    if ladder > 0:
        text += f" It {ladder_need(terms, state, close)}."
        values["ladder"] = finite(ladder)
    return Why(holding_words(terms, state, close), [Reason(code="holding", values=values, text=text)])


def ladder_need(terms: Terms, state: State, close: float) -> str:
    """Return what the next ladder step waits for; there is one."""
    fall, share = 1 - ladder_level(terms, state) / close, terms.levels[STEP_SHARE + state.parts.step]
    return f"needs a further {amount_words(100 * fall)} % fall to add {amount_words(100 * share)} %"


def cooling_why(seconds: int) -> Why:
    text = f"It has just sold, and waits another {duration_words(seconds)} before it buys again."
    return Why(cooling_words(seconds), [Reason(code="cooling_down", values={"seconds": seconds}, text=text)])


def gap_why(seconds: int) -> Why:
    text = f"It has just bought, and waits another {duration_words(seconds)} before it buys more."
    return Why(text, [Reason(code="entry_gap", values={"seconds": seconds}, text=text)])


def skipped_why(first: int, last: int, interval_seconds: int, dropped_entry: bool) -> Why:
    """Return what happened to the candles of a pause."""
    words = skipped_words(first, last, interval_seconds, dropped_entry)
    values: dict[str, Scalar] = {
        "candles": (last - first) // interval_seconds + 1,
        "entry_dropped": dropped_entry,
    }
    return Why(words, [Reason(code="paused", values=values, text=words)])


def max_holding_why(strategy: Strategy, held_seconds: int) -> Why:
    words, longest = max_holding_words(strategy, held_seconds), strategy.risk_management.max_holding
    values: dict[str, Scalar] = {
        "held_seconds": held_seconds,
        "longest_seconds": None if longest is None else duration_seconds(longest),
    }
    return Why(words, [Reason(code="max_holding", values=values, text=words)])


def refusal_why(guards: Guards, watch: Watch, by: int) -> Why:
    """Return why an entry was refused at a close."""
    words = refusal_words(guards, watch, by)
    values: dict[str, Scalar] = {"max_trades_per_day": guards.max_trades_per_day}
    if by == MAX_DRAWDOWN:
        values = {"max_drawdown_percent": guards.max_drawdown_percent, "since": int(watch.halt_time)}
    elif by == LOSING_STREAK and guards.losing_streak is not None:
        values = {"losses": guards.losing_streak.losses, "until": int(watch.paused_until)}
    code = GUARD_CODES.get(by, "guard_max_trades_per_day")
    return Why(words, [Reason(code=code, values=values, text=words)])


def not_bought_why(*, is_small: bool) -> Why:
    """Return why a decided buy was not made; `is_small` if it could be of too little money."""
    words = TOO_LITTLE if is_small else NOT_BOUGHT
    return Why(words, [Reason(code="not_bought", values={}, text=words)])


def unknown_range_why(strategy: Strategy) -> Why:
    """Return why an entry whose conditions are met is not decided: the distance of its stop is unknown."""
    risk = strategy.risk_management
    named = [each.series.name() for each in (risk.stop_loss_atr, risk.trailing_stop_atr) if each is not None]
    words = f"waiting: its conditions are met, but {' and '.join(named)} of its stop is not known yet"
    text = f"Not yet: its conditions are met, but {' and '.join(named)}, which its stop needs, is not known yet."
    return Why(words, [Reason(code="stop_unknown", values={}, text=text)])


def pool_reason(text: str) -> Reason:
    """Return what was noticed about the pool of a run's token."""
    return Reason(code="pool_changed", values={}, text=text)
