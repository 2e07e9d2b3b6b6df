"""One strategy on many tokens: what each says, and all of them together."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.evidence import Sample, elsewhere, upper_tail

Curve = tuple[Integers, Floats]  # times and equity


class Pooled(NamedTuple):
    """The trades of all tokens, with trades of one day counted together."""

    trades: int
    t: float | None
    p: float | None


def strength_of(sample: Sample) -> tuple[float | None, float | None]:
    """Return t and p of one token's trades; None where there are too few days to tell."""
    strength = sample.strength()
    if strength.clusters < 2:
        return None, None
    return strength.t, upper_tail(strength.t, strength.clusters - 1)


def pooled(samples: Sequence[Sample]) -> Pooled:
    trades, found = sum(map(len, samples)), elsewhere(samples)
    days = len(np.unique(np.concatenate([sample.days for sample in samples]))) if trades else 0
    if found is None or days < 2:
        return Pooled(trades, None, None)
    return Pooled(trades, found.pooled_t, upper_tail(found.pooled_t, days - 1))


def thinned(curve: Curve, most: int) -> Curve:
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
