"""Evaluates one condition for many candles at once, in loops that the compiler turns into vector instructions.

A quick test may accept candles at which the condition is false, but never rejects one at which it is true. The bounds
allow for every rounding error; the comment at each bound says why.
"""

import numpy as np

from strategybot.trading.candles import Floats
from strategybot.trading.comparisons import Flags
from strategybot.trading.conditions import (
    CROSS_ABOVE,
    CROSS_BELOW,
    DROP_FROM_CLOSE,
    DROP_FROM_HIGH,
    IS_ABOVE,
    VOLUME_SPIKE,
    Columns,
    change_from,
    is_met,
)
from strategybot.trading.jit import inlined, lean

SLACK = 2.0**-50  # more than the rounding of a product and of a quotient
TINY, HUGE = 1e-280, 1e300  # beyond these a relative error bound says nothing


@lean
def judge_level(kind: int, level: float, before: Floats, close: Floats, truths: Flags) -> None:
    if kind == CROSS_ABOVE:
        for k in range(len(truths)):
            truths[k] = (before[k] < level) & (close[k] >= level)
    elif kind == CROSS_BELOW:
        for k in range(len(truths)):
            truths[k] = (before[k] > level) & (close[k] <= level)
    elif kind == IS_ABOVE:
        for k in range(len(truths)):
            truths[k] = close[k] >= level
    else:
        for k in range(len(truths)):
            truths[k] = close[k] <= level


@lean
def judge_comparison(flags: Flags, truths: Flags) -> None:
    """Copy the flags: a comparison is computed for all candles before the run."""
    for k in range(len(flags)):
        truths[k] = flags[k]


@lean
def judge_change(kind: int, limit: float, reference: Floats, close: Floats, truths: Flags) -> None:
    """Set all flags that may be true. A product is faster than the rule's division, and rounding keeps the order."""
    least = limit * (1.0 - SLACK)
    if kind in (DROP_FROM_CLOSE, DROP_FROM_HIGH):
        for k in range(len(truths)):
            truths[k] = reference[k] - close[k] >= least * reference[k]
    else:
        for k in range(len(truths)):
            truths[k] = close[k] - reference[k] >= least * reference[k]


@lean
def change_in_doubt(kind: int, limit: float, reference: Floats, close: Floats, truths: Flags) -> bool:
    """Return whether any set flag is so close to the limit that rounding could change it."""
    most = sure_limit(limit)
    doubts = 0
    if kind in (DROP_FROM_CLOSE, DROP_FROM_HIGH):
        for k in range(len(truths)):
            doubts |= (truths[k] != 0) & (reference[k] - close[k] < most * reference[k] + TINY)
    else:
        for k in range(len(truths)):
            doubts |= (truths[k] != 0) & (close[k] - reference[k] < most * reference[k] + TINY)
    return doubts != 0


@lean
def settle_change(kind: int, limit: float, reference: Floats, close: Floats, truths: Flags) -> None:
    for k in range(len(truths)):
        truths[k] = change_from(kind, reference[k], close[k]) >= limit


@inlined
def surely_changed(kind: int, limit: float, reference: float, close: float) -> bool:
    """Return whether the change reaches the limit regardless of rounding. A product is faster than a division."""
    change = reference - close if kind in (DROP_FROM_CLOSE, DROP_FROM_HIGH) else close - reference
    return change >= sure_limit(limit) * reference + TINY


@inlined
def sure_limit(limit: float) -> float:
    """Return the smallest change, as a fraction, that reaches the limit regardless of rounding (with TINY added)."""
    return limit * (1.0 + SLACK) if limit > TINY else np.inf


@lean
def judge_volume(limit: float, window: int, sums: Floats, volume: Floats, truths: Flags) -> None:
    """Set all flags that may be true in any order of summing. Tiny and huge sums are inexact, so they accept more."""
    least = limit / window * (1.0 - rounding(window))
    for k in range(len(truths)):
        bar = least * (sums[k] - TINY)
        truths[k] = (volume[k] >= (bar if bar < HUGE else HUGE)) & (sums[k] > 0.0)


@lean
def volume_in_doubt(limit: float, window: int, sums: Floats, volume: Floats, truths: Flags) -> bool:
    """Return whether any set flag is so close to the limit that the order of summing could change it."""
    most = limit / window * (1.0 + rounding(window))
    doubts = 0
    for k in range(len(truths)):
        sure = (volume[k] >= most * sums[k]) & (sums[k] > TINY) & (sums[k] < HUGE)
        doubts |= (truths[k] != 0) & (not sure)
    return doubts != 0


@lean
def settle_volume(limit: float, window: int, columns: Columns, first: int, sums: Floats, truths: Flags) -> None:
    """Check uncertain flags with the plain rule, which is slow because it reads the whole window."""
    most = limit / window * (1.0 + rounding(window))
    for k in range(len(truths)):
        sure = columns.volume[first + k] >= most * sums[k] and TINY < sums[k] < HUGE
        if truths[k] != 0 and not sure:
            truths[k] = is_met(VOLUME_SPIKE, window, limit, columns, first + k)


@inlined
def far_below(limit: float, before: Floats, volume: float) -> bool:
    """Return whether the volume is certainly too low. The four sums may miss some volumes, which only add to them."""
    window = len(before)
    part = window >> 2
    first, second = before[:part], before[part : 2 * part]
    third, fourth = before[2 * part : 3 * part], before[3 * part : 4 * part]
    one, two, three, four = 0.0, 0.0, 0.0, 0.0
    for k in range(part):
        one, two, three, four = one + first[k], two + second[k], three + third[k], four + fourth[k]
    bar = limit / window * (1.0 - rounding(window)) * (one + two + three + four - TINY)
    return volume < bar < HUGE


@inlined
def rounding(window: int) -> float:
    """Return an upper bound of the relative error of a window's mean, with the operations that follow it."""
    return (2.0 * window + 16.0) * 2.0**-52
