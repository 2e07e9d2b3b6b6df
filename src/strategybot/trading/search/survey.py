"""One strategy on many tokens: what each says, and all of them together."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.evidence.strength import Sample, chance_of
from strategybot.trading.evidence.timing import Strength, strength_of

Curve = tuple[Integers, Floats]  # times and equity


class Pooled(NamedTuple):
    """The runs on all tokens, added by day; t and p are None where there are too few days to tell."""

    trades: int
    t: float | None
    p: float | None


def told(strength: Strength) -> tuple[float | None, float | None]:
    """Return the smaller t of timing and money, and p; None where there are too few days to tell."""
    if strength.degrees < 1:
        return None, None
    return min(strength.gross, strength.net), chance_of(strength)


def pool(samples: Sequence[Sample]) -> Pooled:
    traded = [each for each in samples if len(each)]
    return Pooled(sum(map(len, traded)), *told(strength_of([each.sums for each in traded])))


def thin(curve: Curve, most: int) -> Curve:
    """Return at most `most` points of a curve, evenly spaced, with its first and last point."""
    times, values = curve
    if len(times) <= most:
        return curve
    places = np.linspace(0, len(times) - 1, most).round().astype(np.int64)
    return times[places], values[places]


def equal_weight(curves: Sequence[Curve], initial_cash: float, most: int) -> Curve:
    """Return the mean equity with the same cash in every token; a token without candles yet keeps its cash."""
    known = [curve for curve in curves if len(curve[0])]
    if not known:
        return np.empty(0, np.int64), np.empty(0)
    every = np.unique(np.concatenate([times for times, _ in known]))
    evenly = np.linspace(every[0], every[-1], most).astype(np.int64)
    moments = np.unique(every[np.searchsorted(every, evenly, side="right") - 1])  # each is the time of a candle
    total = np.zeros(len(moments))
    for times, values in known:
        place = np.searchsorted(times, moments, side="right") - 1
        total += np.where(place >= 0, values[np.maximum(place, 0)], initial_cash)
    return moments, total / len(known)
