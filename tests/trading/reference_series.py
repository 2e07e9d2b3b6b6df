"""A second reading of every series, in plain Python, one value at a time, sharing no code with the engine.

A value comes with its size: how large the numbers were that it was computed from. Two readings that round differently
may disagree by a small part of that, so a comparison closer than that is a close call, which no reading can decide.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

Row = tuple[int, float, float, float, float, float]  # time, open, high, low, close, volume
FIELDS = {"open": 1, "high": 2, "low": 3, "close": 4, "volume": 5}
LENGTHS = {"1m": 60, "5m": 300, "15m": 900, "1h": 3600, "4h": 14400, "1d": 86400}
UNCERTAIN = 1e-10  # of the size
FLAT_RSI = 1e-9  # a range of the RSI that is nothing but rounding


class Value(NamedTuple):
    value: float
    size: float


UNKNOWN = Value(math.nan, 0.0)
Reading = Callable[[int], float]


class Market:
    """Candles of one length. `value` reads a series at a candle; the other methods are named after what they read."""

    def __init__(self, rows: list[Row], interval: int) -> None:
        self.rows, self.interval = rows, interval
        self.known: dict[Any, Any] = {}

    def value(self, series: dict[str, Any], i: int) -> Value:
        """The series at candle i, on its own or on longer candles, changed by `times` and `plus`."""
        market, place = self, i
        if series["interval"] is not None and LENGTHS[series["interval"]] > self.interval:
            market = self.longer(LENGTHS[series["interval"]])
            now = self.rows[i][0] + self.interval
            place = sum(row[0] + market.interval <= now for row in market.rows) - 1
        place -= series["offset"]
        if place < 0:
            return UNKNOWN
        value, size = market.remembered((*series.items(),), lambda j: market.plain(series, j), place)
        return Value(value * series["times"] + series["plus"], size * series["times"] + abs(series["plus"]))

    def longer(self, length: int) -> "Market":
        if length not in self.known:
            buckets: dict[int, list[Row]] = {}
            for row in self.rows:
                buckets.setdefault(row[0] // length, []).append(row)
            first = next(iter(buckets), None)
            if first is not None and buckets[first][0][0] % length != 0:
                del buckets[first]
            self.known[length] = Market([merged(bucket * length, part) for bucket, part in buckets.items()], length)
        longer: Market = self.known[length]
        return longer

    def remembered(self, name: object, reading: Callable[[int], Any], i: int) -> Any:
        if (name, i) not in self.known:
            self.known[name, i] = reading(i)
        return self.known[name, i]

    def plain(self, series: dict[str, Any], i: int) -> Value:
        name = series["series"]
        if name in FIELDS:
            return sized(self.rows[i][FIELDS[name]])
        reading: Value = getattr(self, name)(series, i)
        return UNKNOWN if math.isnan(reading.value) else reading

    def of(self, name: str) -> Reading:
        if name == "typical":
            return lambda j: sum(self.rows[j][2:5]) / 3
        return lambda j: self.rows[j][FIELDS[name]]

    def window(self, read: Reading, length: int, i: int) -> list[float] | None:
        """The values of the window that ends at i; None if one of them is unknown."""
        values = [read(j) for j in range(max(0, i - length + 1), i + 1)]
        return None if len(values) < length or any(map(math.isnan, values)) else values

    def mean(self, read: Reading, length: int, i: int) -> float:
        values = self.window(read, length, i)
        return math.nan if values is None else average(values)

    def restarted(self, stretch: int, begins: float, i: int) -> range | None:
        """The candles from the start of the stretch before that of candle i up to i; none after a gap that long.

        None if the values, which begin at a time, do not go back so far: then the textbook's recursion is read.
        """
        stretches = self.remembered("stretches of", lambda _: {}, stretch)
        if not stretches:
            for j, row in enumerate(self.rows):
                stretches.setdefault(row[0] // stretch, j)
        before = self.rows[i][0] // stretch - 1
        if before * stretch < begins:
            return None
        return range(stretches.get(before, i + 1), i + 1)

    def settled(self, stretch: int, begins: float) -> float:
        """The first time at which values that begin at a time have a whole stretch before them."""
        return math.inf if math.isinf(begins) else math.ceil(begins / stretch) * stretch + stretch

    def begin(self, first: int) -> float:
        return self.rows[first][0] if first < len(self.rows) else math.inf

    def textbook(self, read: Reading, first: int, period: int, weight: float, i: int) -> float:
        """The recursion that the plain mean of `period` values starts; it starts again after an unknown value."""
        values = [read(j) for j in range(first, i + 1)]
        for j, value in reversed([*enumerate(values)]):
            if math.isnan(value):
                values = values[j + 1 :]
                break
        if len(values) < period:
            return math.nan
        total = average(values[:period])
        for value in values[period:]:
            total += weight * (value - total)
        return total

    def recursion(self, places: range, read: Reading, weight: float, *, from_zero: bool) -> float:
        if not places:
            return math.nan
        total = 0.0 if from_zero else read(places[0])
        for j in places if from_zero else places[1:]:
            total += weight * (read(j) - total)
        return total

    def exponential(self, read: Reading, period: int, i: int, *, from_zero: bool = False) -> float:
        weight, places = 2 / (period + 1), self.restarted(11 * period * self.interval, self.begin(0), i)
        if places is None:
            return self.textbook(read, 0, period, weight, i)
        return self.recursion(places, read, weight, from_zero=from_zero)

    def wilder(self, reads: list[Reading], moved: Reading, period: int, whole: int, i: int) -> list[float]:
        """Averages with the weight 1 / period: restarted, or else the textbook's."""
        places = self.restarted(22 * period * self.interval, self.begin(1), i)
        if places is None:
            return [self.faded(read, period, whole, i) for read in reads]
        if not any(moved(j) for j in places[1:]):  # a single change says nothing
            return [math.nan for _ in reads]
        return [self.recursion(places, read, 1 / period, from_zero=True) for read in reads]

    def faded(self, read: Reading, period: int, whole: int, i: int) -> float:
        """The textbook's sum: a value loses 1 / period of its weight with each later one, but for the first `whole`."""
        if i < period:
            return math.nan
        return math.fsum(read(j) * (1 - 1 / period) ** (i - max(j, whole)) for j in range(1, i + 1))

    def sma(self, series: dict[str, Any], i: int) -> Value:
        return sized(self.mean(self.of(series["of"]), series["period"], i))

    def ema(self, series: dict[str, Any], i: int) -> Value:
        volume = series["of"] == "volume"
        return sized(self.exponential(self.of(series["of"]), series["period"], i, from_zero=volume))

    def bollinger(self, series: dict[str, Any], i: int) -> Value:
        values = self.window(self.of("close"), series["period"], i)
        if values is None:
            return UNKNOWN
        middle = average(values)
        deviation = math.sqrt(math.fsum((value - middle) ** 2 for value in values) / len(values))
        band = series["deviations"] * deviation
        if series["line"] in ("upper", "middle", "lower"):
            return Value({"upper": middle + band, "middle": middle, "lower": middle - band}[series["line"]], middle)
        if series["line"] == "width":
            return Value(100 * 2 * band / middle, 100)
        return Value((values[-1] - middle + band) / (2 * band), middle / band) if band > 0 else UNKNOWN

    def highest(self, series: dict[str, Any], i: int) -> Value:
        values = self.window(self.of("high"), series["period"], i - 1)
        return UNKNOWN if values is None else sized(max(values))

    def lowest(self, series: dict[str, Any], i: int) -> Value:
        values = self.window(self.of("low"), series["period"], i - 1)
        return UNKNOWN if values is None else sized(min(values))

    def vwap(self, series: dict[str, Any], i: int) -> Value:
        typical, volume = self.of("typical"), self.of("volume")
        paid = self.window(lambda j: typical(j) * volume(j), series["period"], i)
        traded = self.window(volume, series["period"], i)
        if paid is None or traded is None or math.fsum(traded) == 0:
            return UNKNOWN
        return sized(math.fsum(paid) / math.fsum(traded))

    def change_of(self, j: int, sign: int) -> float:
        return max(0.0, sign * (self.rows[j][4] - self.rows[j - 1][4])) if j > 0 else math.nan

    def strength(self, period: int, i: int) -> float:
        reads: list[Reading] = [lambda j: self.change_of(j, 1), lambda j: self.change_of(j, -1)]
        gain, loss = self.wilder(reads, lambda j: self.rows[j][4] - self.rows[j - 1][4], period, period, i)
        return 100 * gain / (gain + loss) if gain + loss > 0 else math.nan

    def rsi(self, series: dict[str, Any], i: int) -> Value:
        return Value(self.strength(series["period"], i), 100)

    def stochastic(self, series: dict[str, Any], i: int) -> Value:
        def place(j: int) -> float:
            high, low = (self.window(self.of(name), series["period"], j) for name in ("high", "low"))
            if high is None or low is None or max(high) == min(low):
                return math.nan
            return 100 * (self.rows[j][4] - min(low)) / (max(high) - min(low))

        return self.smoothed(series, place, i)

    def stochastic_rsi(self, series: dict[str, Any], i: int) -> Value:
        def strength(j: int) -> float:
            value: float = self.remembered(("rsi", series["period"]), lambda k: self.strength(series["period"], k), j)
            return value

        def place(j: int) -> float:
            values = self.window(strength, series["stochastic_period"], j)
            if values is None or max(values) - min(values) <= FLAT_RSI:
                return math.nan
            return 100 * (values[-1] - min(values)) / (max(values) - min(values))

        return self.smoothed(series, place, i)

    def smoothed(self, series: dict[str, Any], place: Reading, i: int) -> Value:
        def fast(j: int) -> float:
            return self.mean(place, series["smooth"], j)

        return Value(fast(i) if series["line"] == "k" else self.mean(fast, series["signal"], i), 1e4)

    def macd(self, series: dict[str, Any], i: int) -> Value:
        close, periods = self.of("close"), (series["fast"], series["slow"])
        stretches = [11 * period * self.interval for period in (*periods, series["signal"])]

        def textbook(j: int) -> float:
            fast, slow = (self.textbook(close, 0, period, 2 / (period + 1), j) for period in periods)
            return fast - slow

        def line(j: int) -> float:
            fast, slow = (self.exponential(close, period, j) for period in periods)
            return fast - slow

        def difference(j: int) -> float:
            value: float = self.remembered(("macd", *periods), line, j)
            return value

        if series["line"] == "macd":
            parts = [self.restarted(stretch, self.begin(0), i) for stretch in stretches[:2]]
            return Value(textbook(i) if None in parts else difference(i), close(i))
        begins = max(self.settled(stretch, self.begin(0)) for stretch in stretches[:2])
        places, weight = self.restarted(stretches[2], begins, i), 2 / (series["signal"] + 1)
        if places is None:
            now, signal = textbook(i), self.textbook(textbook, series["slow"] - 1, series["signal"], weight, i)
        else:
            now, signal = difference(i), self.recursion(places, difference, weight, from_zero=False)
        return Value(signal if series["line"] == "signal" else now - signal, close(i))

    def true_range(self, j: int) -> float:
        if j == 0:
            return math.nan
        before, (_, _, high, low, _, _) = self.rows[j - 1][4], self.rows[j]
        return max(high - low, abs(high - before), abs(before - low))

    def movement(self, j: int, upward: bool) -> float:
        if j == 0:
            return math.nan
        rise, fall = self.rows[j][2] - self.rows[j - 1][2], self.rows[j - 1][3] - self.rows[j][3]
        mine, other = (rise, fall) if upward else (fall, rise)
        return mine if mine > max(other, 0) else 0.0

    def atr(self, series: dict[str, Any], i: int) -> Value:
        period = series["period"]
        places = self.restarted(22 * period * self.interval, self.begin(1), i)
        if places is None:
            return Value(self.textbook(self.true_range, 1, period, 1 / period, i), self.rows[i][4])
        return Value(self.recursion(places, self.true_range, 1 / period, from_zero=True), self.rows[i][4])

    def adx(self, series: dict[str, Any], i: int) -> Value:
        period = series["period"]
        reads: list[Reading] = [lambda j: self.movement(j, True), lambda j: self.movement(j, False), self.true_range]

        def directions(j: int) -> list[float]:
            return self.wilder(reads, self.true_range, period, period - 1, j)

        def spread(j: int) -> float:
            up, down, _ = self.remembered(("directions", period), directions, j)
            return 100 * abs(up - down) / (up + down) if up + down > 0 else math.nan

        def textbook_spread(j: int) -> float:
            up, down = (self.faded(read, period, period - 1, j) for read in reads[:2])
            return 100 * abs(up - down) / (up + down) if up + down > 0 else math.nan

        if series["line"] == "adx":
            stretch = 22 * period * self.interval
            places = self.restarted(stretch, self.settled(stretch, self.begin(1)), i)
            if places is None:
                return Value(self.textbook(textbook_spread, period, period, 1 / period, i), 100)
            return Value(self.recursion(places, spread, 1 / period, from_zero=True), 100)
        up, down, ranges = self.remembered(("directions", period), directions, i)
        mine = up if series["line"] == "plus_di" else down
        return Value(100 * mine / ranges, 100) if ranges > 0 else UNKNOWN

    def weighted(self, read: Reading, period: int, i: int) -> float:
        values = self.window(read, period, i)
        if values is None:
            return math.nan
        parts = math.fsum((place + 1) * (value - values[-1]) for place, value in enumerate(values))
        return values[-1] + parts / (period * (period + 1) / 2)

    def wma(self, series: dict[str, Any], i: int) -> Value:
        return sized(self.weighted(self.of(series["of"]), series["period"], i))

    def hma(self, series: dict[str, Any], i: int) -> Value:
        read, period = self.of(series["of"]), series["period"]

        def raw(j: int) -> float:
            return 2 * self.weighted(read, period // 2, j) - self.weighted(read, period, j)

        return Value(self.weighted(raw, int(math.sqrt(period)), i), self.rows[i][4])

    def vwma(self, series: dict[str, Any], i: int) -> Value:
        close, volume = self.of("close"), self.of("volume")
        traded = self.window(volume, series["period"], i)
        paid = self.window(lambda j: close(j) * volume(j), series["period"], i)
        return (
            UNKNOWN if not traded or not paid or math.fsum(traded) == 0 else sized(math.fsum(paid) / math.fsum(traded))
        )

    def cci(self, series: dict[str, Any], i: int) -> Value:
        values = self.window(self.of("typical"), series["period"], i)
        if values is None or max(values) == min(values):
            return UNKNOWN
        distance = math.fsum(abs(value - average(values)) for value in values) / len(values)
        return Value((values[-1] - average(values)) / (0.015 * distance), 100 * values[-1] / distance)

    def mfi(self, series: dict[str, Any], i: int) -> Value:
        if i < series["period"]:
            return UNKNOWN
        typical, places = self.of("typical"), range(i - series["period"] + 1, i + 1)
        flows = [(typical(j) - typical(j - 1), typical(j) * self.rows[j][5]) for j in places]
        total = math.fsum(flow for move, flow in flows if move != 0)
        if any(math.isnan(flow) for _, flow in flows) or total == 0:
            return UNKNOWN
        return Value(100 * math.fsum(flow for move, flow in flows if move > 0) / total, 1e4)

    def williams_r(self, series: dict[str, Any], i: int) -> Value:
        high, low = (self.window(self.of(name), series["period"], i) for name in ("high", "low"))
        if high is None or low is None or max(high) == min(low):
            return UNKNOWN
        return Value(-100 * (max(high) - self.rows[i][4]) / (max(high) - min(low)), 1e4)

    def aroon(self, series: dict[str, Any], i: int) -> Value:
        period = series["period"]
        if i < period:
            return UNKNOWN
        rows = self.rows[i - period : i + 1]
        up = 100 * max(range(period + 1), key=lambda j: (rows[j][2], j)) / period
        down = 100 * max(range(period + 1), key=lambda j: (-rows[j][3], j)) / period
        return Value({"up": up, "down": down, "oscillator": up - down}[series["line"]], 100)

    def ichimoku(self, series: dict[str, Any], i: int) -> Value:
        spans = {"span_a": ("conversion", "base"), "span_b": ("span",)}
        place = i - (series["displacement"] if series["line"] in spans else 0)
        values = []
        for name in spans.get(series["line"], (series["line"],)):
            high, low = (self.window(self.of(field), series[name], place) for field in ("high", "low"))
            if high is None or low is None:
                return UNKNOWN
            values.append((max(high) + min(low)) / 2)
        return sized(average(values))

    def deviation(self, series: dict[str, Any], i: int) -> Value:
        return self.bollinger({**series, "deviations": 0.5, "line": "width"}, i)

    def rank(self, series: dict[str, Any], i: int) -> Value:
        earlier = [self.rows[j][4] for j in range(i - series["period"], i)] if i >= series["period"] else []
        return Value(100 * sum(close <= self.rows[i][4] for close in earlier) / len(earlier), 0) if earlier else UNKNOWN

    def streak(self, _: dict[str, Any], i: int) -> Value:
        count, moves = 0, [self.rows[j][4] - self.rows[j - 1][4] for j in range(i, 0, -1)]
        while count < min(100, len(moves)) and moves[count] * moves[0] > 0:
            count += 1
        return Value(count if moves[0] >= 0 else -count, 0) if moves else UNKNOWN

    def body(self, _: dict[str, Any], i: int) -> Value:
        first, last = self.rows[i][1], self.rows[i][4]
        return Value(100 * (last - first) / first, 100 * last / first)

    def range(self, _: dict[str, Any], i: int) -> Value:
        first, high, low = self.rows[i][1:4]
        return Value(100 * (high - low) / first, 100 * high / first)

    def keltner(self, series: dict[str, Any], i: int) -> Value:
        middle = self.exponential(self.of("close"), series["period"], i)
        distance = series["multiplier"] * self.atr({"period": series["atr_period"]}, i).value
        return Value(middle + {"upper": distance, "middle": 0 * distance, "lower": -distance}[series["line"]], middle)

    def change(self, series: dict[str, Any], i: int) -> Value:
        if i < series["period"]:
            return UNKNOWN
        now, before = self.rows[i][4], self.rows[i - series["period"]][4]
        return Value(100 * (now - before) / before, 100 * max(now, before) / before)


def sized(value: float) -> Value:
    return Value(value, abs(value))


def average(values: list[float]) -> float:
    """The mean, exact for equal values."""
    return values[0] + math.fsum(value - values[0] for value in values) / len(values)


def merged(time: int, part: list[Row]) -> Row:
    """One longer candle."""
    volume = math.nan if any(math.isnan(row[5]) for row in part) else math.fsum(row[5] for row in part)
    return time, part[0][1], max(row[2] for row in part), min(row[3] for row in part), part[-1][4], volume
