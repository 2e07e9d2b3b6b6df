"""The minutes of the demo market. A candle is a function of (series, time) alone, so any span can be computed directly.

Days are bridges between knots that a hash places around the token's own price. A minute without a trade does not move
the price and has no candle. All arithmetic is integer, or +, −, ×, ÷ and square root on floats, which give the same
bits on every machine; a library's exp or log may differ in the last bit. Volumes are multiples of 0.25 dollars, so that
their sums are exact.
"""

import math
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar, cast

import numba
import numpy as np

from strategybot.trading.engine.candles import Candles, Floats, Integers

DAY_MINUTES: Final = 1440
TICKS: Final = 6  # a minute has trades at its seconds 0, 10 … 50
TICK_SECONDS: Final = 60 // TICKS

# Each use of the hash has its own stream of counters, longer than any number of minutes.
_DAY, _CRASH, _SWELL, _TIDE, _SHOCK, _STEP, _TRADE, _PATH = (n << 40 for n in range(1, 9))
_TICK: Final = 1.0 / TICKS
# six 10-bit uniform numbers, times this, have a standard deviation of 1
_SMALL_STEP: Final = 1.4142135623730951 / 1023.0
_CRASH_CHANCE: Final = 0.01
_SLOT_MINUTES: Final = 360  # each slot of the day has at most one sudden move
_AFTERMATH: Final = 40
_POWERS: Final = np.array([2.0**n for n in range(-64, 64)])
_T2, _T3, _T4, _T5, _T6, _T7, _T8 = (1.0 / math.factorial(n) for n in range(2, 9))
# Activity by hour of day (UTC): low while Europe and America sleep, highest when both are awake.
_RHYTHM: Final = np.array(
    (
        *(0.90, 0.85, 0.75, 0.60, 0.50, 0.45, 0.50, 0.70, 0.95, 1.05, 1.05, 1.00),
        *(1.15, 1.40, 1.60, 1.65, 1.55, 1.40, 1.25, 1.15, 1.10, 1.05, 1.00, 0.95),
    )
)

Kernel = TypeVar("Kernel", bound=Callable[..., object])


class Series(NamedTuple):
    """The parameters of one token's market."""

    key: np.uint64  # 64 random bits, unique to the token
    price: float  # dollars; the price moves around it
    volatility: float  # standard deviation of a day, in powers of two
    pace: float  # trades per minute in an average hour; below 1, some minutes are empty
    volume: float  # dollars in an average minute
    memory: int  # days until a move has decayed: the price reverts, but too slowly to trade on
    shocks: float  # probability that a quarter of a day has a sudden move


class _Columns(NamedTuple):
    time: Integers
    open: Floats
    high: Floats
    low: Floats
    close: Floats
    volume: Floats


class _Shock(NamedTuple):
    """A sudden move and its aftermath, in minutes of the day. Without a move, all fields are after the day's end."""

    start: int
    stop: int
    end: int
    push: float  # change in each minute from start to stop
    pull: float  # change in each minute from stop to end: a partial reversal or continuation


class _Hour(NamedTuple):
    """Values that the minutes of an hour share."""

    chance: float  # probability that a minute has a trade
    lively: float  # variance of a minute with a trade, relative to an average one
    deviation: float  # standard deviation of its step
    dollars: float  # volume of a minute


class _Day(NamedTuple):
    """The minutes of one day: level[i] and level[i + 1] are the ends of minute i, in powers of two of the
    usual price.
    """

    quarters: Integers  # volume; 0 in a minute without trades
    level: Floats
    weight: Floats  # cumulative variance, by which the bridge is corrected
    deviation: Floats


def _compile(function: Kernel) -> Kernel:
    """Compile the function with numba. All of them are in this file, because numba recompiles a cached function only
    when its own file changes.
    """
    return cast("Kernel", numba.njit(cache=True, nogil=True, error_model="numpy")(function))


@_compile
def _bits(key: np.uint64, counter: int) -> np.uint64:
    """Return 64 bits of Splitmix64 at any position, without computing the positions before it."""
    z = key + np.uint64(counter) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@_compile
def _uniform(bits: np.uint64, piece: int) -> float:
    """Return one of the four 16-bit pieces as a number from 0 to below 1."""
    return np.int64((bits >> np.uint64(16 * piece)) & np.uint64(0xFFFF)) / 65536.0


@_compile
def _small(bits: np.uint64, piece: int) -> int:
    """Return one of the six 10-bit pieces, from 0 to 1023."""
    return int(np.int64((bits >> np.uint64(10 * piece)) & np.uint64(0x3FF)))


@_compile
def _normal(bits: np.uint64) -> float:
    total = _uniform(bits, 0) + _uniform(bits, 1) + _uniform(bits, 2) + _uniform(bits, 3)
    return (total - 2.0) * 1.7320508075688772


@_compile
def _power(x: float) -> float:
    """Return two to the power of x, within 1e-9."""
    whole = math.floor(x + 0.5)
    y = (x - whole) * 0.6931471805599453
    y *= 1.0 + y * (_T2 + y * (_T3 + y * (_T4 + y * (_T5 + y * (_T6 + y * (_T7 + y * _T8))))))
    return float(_POWERS[np.uint64(whole + 64)] * (1.0 + y))


@_compile
def _wave(key: np.uint64, stream: int, at: int, period: int) -> float:
    """Return the value of a piecewise linear function between random heights, one per period."""
    step = at // period
    left, right = _normal(_bits(key, stream + step)), _normal(_bits(key, stream + step + 1))
    return left + (right - left) * ((at - step * period) / period)


@_compile
def _shock(series: Series, day: int, slot: int) -> _Shock:
    bits = _bits(series.key, _SHOCK + day * 4 + slot)
    if _uniform(bits, 0) >= series.shocks:
        return _Shock(DAY_MINUTES, DAY_MINUTES, DAY_MINUTES, 0.0, 0.0)
    start = slot * _SLOT_MINUTES + int((_SLOT_MINUTES - _AFTERMATH - 16) * _uniform(bits, 1))
    length = 3 + _small(bits, 2) % 8
    move = series.volatility * (2.4 * _uniform(bits, 2) - 1.2)
    back = 1.1 * _uniform(bits, 3) - 0.4
    return _Shock(start, start + length, start + length + _AFTERMATH, move / length, -back * move / _AFTERMATH)


@_compile
def _move(series: Series, day: int) -> float:
    """Return the price change of a day: a random step, its sudden moves, and sometimes a crash."""
    crash = _bits(series.key, _CRASH + day)
    move = _normal(_bits(series.key, _DAY + day)) + _CRASH_CHANCE * 3.5
    if _uniform(crash, 0) < _CRASH_CHANCE:
        move -= 2.0 + 3.0 * _uniform(crash, 1)
    move *= series.volatility
    for slot in range(4):
        shock = _shock(series, day, slot)
        move += shock.push * (shock.stop - shock.start) + shock.pull * (shock.end - shock.stop)
    return move


@_compile
def _knot(series: Series, day: int) -> float:
    """Return the price at the start of a day: the sum of earlier moves, weighted less with age."""
    level = 0.0
    for age in range(series.memory):
        level += _move(series, day - 1 - age) * (1.0 - age / series.memory)
    return level


@_compile
def _liveliness(key: np.uint64, hour: int) -> float:
    """Return the activity of an hour relative to the average: waves of hours and of days, and the rhythm of day and
    week.
    """
    swell = _wave(key, _SWELL, hour, 5) + 0.9 * _wave(key, _TIDE, hour, 61)
    weekend = 0.8 if 2 <= (hour // 24) % 7 <= 3 else 1.0
    return float(_RHYTHM[hour % 24] * weekend * _power(swell - 0.45))


@_compile
def _hour(series: Series, number: int) -> _Hour:
    lively = _liveliness(series.key, number)
    chance = min(1.0, series.pace * lively)
    deviation = series.volatility * math.sqrt(lively / chance / DAY_MINUTES)
    return _Hour(chance, lively / chance, deviation, series.volume * lively / chance)


@_compile
def _step(series: Series, hour: _Hour, shock: _Shock, minute: int, i: int, day: _Day) -> None:
    """Compute one minute. Without a trade the price stays, so that the next open equals the last close."""
    bits = _bits(series.key, _TRADE + minute)
    day.level[i + 1], day.weight[i + 1], day.quarters[i] = day.level[i], day.weight[i], 0
    during, after = shock.start <= i < shock.stop, shock.stop <= i < shock.end
    if not (during or after or _uniform(bits, 0) < hour.chance):
        return
    push = shock.push if during else shock.pull if after else 0.0
    boost = 9.0 if during else 2.5 if after else 1.0
    day.level[i + 1] += hour.deviation * _normal(_bits(series.key, _STEP + minute)) + push
    day.weight[i + 1] += hour.lively
    day.deviation[i] = hour.deviation
    surprise = (_uniform(bits, 1) + _uniform(bits, 2) + _uniform(bits, 3) - 1.5) * 2.4
    day.quarters[i] = 1 + int(4.0 * hour.dollars * boost * _power(surprise - 0.4))


@_compile
def _make_day(series: Series, number: int, day: _Day) -> None:
    day.level[0] = day.weight[0] = 0.0
    for n in range(24):
        hour = _hour(series, number * 24 + n)
        shock = _shock(series, number, n // 6)
        for i in range(n * 60, n * 60 + 60):
            _step(series, hour, shock, number * DAY_MINUTES + i, i, day)
    _bridge(_knot(series, number), _knot(series, number + 1), day)


@_compile
def _bridge(first: float, last: float, day: _Day) -> None:
    """Correct the day's levels so that they end exactly where the next day begins. Every day ends with a trade."""
    if day.weight[DAY_MINUTES] == 0.0:
        day.quarters[DAY_MINUTES - 1], day.weight[DAY_MINUTES], day.deviation[DAY_MINUTES - 1] = 4, 1.0, 0.0
    total = day.weight[DAY_MINUTES]
    missing = (last - first - day.level[DAY_MINUTES]) / total
    for i in range(DAY_MINUTES + 1):
        ended = day.weight[i] == total
        day.level[i] = last if ended else first + day.level[i] + day.weight[i] * missing


@_compile
def _minute(series: Series, i: int, minute: int, ticks: int, day: _Day) -> tuple[float, float, float, float, float]:
    """Return open, high, low, close and volume of a minute after its first `ticks` trades."""
    bits = _bits(series.key, _PATH + minute)
    first, last = day.level[i], day.level[i + 1]
    whole = 0
    for k in range(TICKS):
        whole += _small(bits, k)
    scale = day.deviation[i] * _SMALL_STEP
    drift = (last - first) * _TICK - scale * whole * _TICK
    at, highest, lowest, walked = first, max(first, last), min(first, last), 0
    if ticks < TICKS:
        highest = lowest = first
    for k in range(min(ticks, TICKS - 1)):
        walked += _small(bits, k)
        at = first + drift * (k + 1) + scale * walked
        highest, lowest = max(highest, at), min(lowest, at)
    at = last if ticks == TICKS else at
    opened, closed = series.price * _power(first), series.price * _power(at)
    high, low = series.price * _power(highest), series.price * _power(lowest)
    volume = (day.quarters[i] * ticks + TICKS - 1) // TICKS * 0.25
    # The polynomial is off by up to 1e-9 where its pieces meet, so levels in order may give prices out of order.
    return opened, max(high, opened, closed), min(low, opened, closed), closed, volume


@_compile
def _fill(series: Series, first: int, last: int, ticks: int, size: int, day: _Day, out: _Columns) -> int:
    count = 0
    for number in range(first // DAY_MINUTES, last // DAY_MINUTES + 1):
        _make_day(series, number, day)
        base = number * DAY_MINUTES
        for minute in range(max(first, base), min(last + 1, base + DAY_MINUTES)):
            if day.quarters[minute - base] == 0:
                continue
            seen = ticks if minute == last else TICKS
            opened, high, low, closed, volume = _minute(series, minute - base, minute, seen, day)
            time = (minute - minute % size) * 60
            if count == 0 or out.time[count - 1] != time:
                out.time[count], out.open[count], out.volume[count] = time, opened, 0.0
                out.high[count], out.low[count] = high, low
                count += 1
            n = count - 1
            out.high[n], out.low[n], out.close[n] = max(out.high[n], high), min(out.low[n], low), closed
            out.volume[n] += volume
    return count


def make_candles(series: Series, first: int, last: int, ticks: int, size: int) -> Candles:
    """Return candles of `size` minutes from the minutes first … last (since 1970), with `ticks` trades of
    the last one.
    """
    room = max(0, last // size - first // size + 1)
    out = _Columns(np.empty(room, np.int64), *(np.empty(room) for _ in range(5)))
    minutes = (np.empty(DAY_MINUTES + 1) for _ in range(3))
    count = _fill(series, first, last, ticks, size, _Day(np.empty(DAY_MINUTES, np.int64), *minutes), out)
    return Candles(size * 60, out.time, out.open, out.high, out.low, out.close, out.volume)[:count]
