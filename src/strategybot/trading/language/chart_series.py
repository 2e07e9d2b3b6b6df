"""The series of `series` that charts know beside the classic ones, and those of a single candle."""

from collections.abc import Callable
from math import isqrt, nan
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from strategybot.trading.engine.candles import Candles, Floats
from strategybot.trading.engine.indicators import columns, trends
from strategybot.trading.engine.indicators.recursive import ema_reach, wilder_reach
from strategybot.trading.language.series_kind import Average, Pane, Period, Series, Smoothing
from strategybot.trading.language.values import plain

Multiplier = Annotated[float, Field(gt=0, le=20)]
Step = Annotated[float, Field(gt=0, le=1)]


class Wma(Average):
    series: Literal["wma"]

    def name(self) -> str:
        return f"WMA({self.period}){self._of()}"

    def reach(self) -> int:
        return self.period - 1

    def column(self, candles: Candles) -> Floats:
        return columns.weighted_average(candles, self.of, self.period)


class Hma(Average):
    series: Literal["hma"]

    def name(self) -> str:
        return f"HMA({self.period}){self._of()}"

    def reach(self) -> int:
        return self.period - 1 + isqrt(self.period) - 1

    def column(self, candles: Candles) -> Floats:
        return columns.hull_average(candles, self.of, self.period)


class Windowed(Series):
    """A series of the last `period` candles."""

    pane: ClassVar[Pane] = "below"
    label: ClassVar[str]
    further: ClassVar[int] = 0  # candles that it reads before its window
    compute: ClassVar[Callable[[Candles, int], Floats]]

    period: Period = 14

    def name(self) -> str:
        return f"{self.label}({self.period})"

    def reach(self) -> int:
        return self.period - 1 + self.further

    def column(self, candles: Candles) -> Floats:
        return type(self).compute(candles, self.period)


class Vwma(Windowed):
    pane = "price"
    label = "VWMA"
    compute = columns.volume_weighted_average

    series: Literal["vwma"]
    period: Period = 20


class Cci(Windowed):
    label = "CCI"
    compute = columns.cci

    series: Literal["cci"]
    period: Period = 20


class Mfi(Windowed):
    bounds = (0, 100)
    label = "MFI"
    further = 1
    compute = columns.mfi

    series: Literal["mfi"]


class WilliamsR(Windowed):
    bounds = (-100, 0)
    label = "Williams %R"
    compute = columns.williams_r

    series: Literal["williams_r"]


class Deviation(Windowed):
    """Standard deviation in % of the mean."""

    compute = columns.deviation

    series: Literal["deviation"]
    period: Period = 20

    def name(self) -> str:
        return f"the standard deviation of {self.period} candles, %"


class Rank(Windowed):
    """% of the last `period` closes that are not above this one."""

    bounds = (0, 100)
    further = 1
    compute = columns.rank

    series: Literal["rank"]
    period: Period = 100

    def name(self) -> str:
        return f"the rank of the price in {self.period} candles, %"


class Keltner(Series):
    series: Literal["keltner"]
    line: Literal["upper", "middle", "lower"]
    period: Period = 20
    atr_period: Period = 10
    multiplier: Annotated[Multiplier, Field(description="Times the average true range")] = 2

    def name(self) -> str:
        return f"{self.line} Keltner band ({self.period}, {self.atr_period}, {plain(self.multiplier)})"

    def reach(self) -> int:
        return max(ema_reach(self.period), wilder_reach(self.atr_period) + 1)

    def textbook_warm_up(self) -> int:
        return max(self.period - 1, self.atr_period)

    def column(self, candles: Candles) -> Floats:
        return columns.keltner(candles, self.period, self.atr_period, self.multiplier, self.line, self._textbook)


class Supertrend(Series):
    """`direction` is 1 while the price is above the line, otherwise -1."""

    series: Literal["supertrend"]
    line: Literal["line", "direction"] = "line"
    period: Period = 10
    multiplier: Annotated[Multiplier, Field(description="Times the average true range")] = 3

    def drawn_in(self) -> Pane:
        return "price" if self.line == "line" else "below"

    def name(self) -> str:
        return f"Supertrend({self.period}, {plain(self.multiplier)}){'' if self.line == 'line' else ' direction'}"

    def reach(self) -> int:
        return 2 * wilder_reach(self.period) + 1

    def textbook_warm_up(self) -> int:
        return self.period

    def column(self, candles: Candles) -> Floats:
        ranges = columns.atr(candles, self.period, self._textbook)
        return trends.supertrend(candles, ranges, self.period, self.multiplier, self.line)


class ParabolicSar(Series):
    series: Literal["parabolic_sar"]
    step: Annotated[Step, Field(description="By how much it accelerates")] = 0.02
    maximum: Annotated[Step, Field(description="How far it accelerates at most")] = 0.2

    def name(self) -> str:
        return f"parabolic SAR({plain(self.step)}, {plain(self.maximum)})"

    def reach(self) -> int:
        return 2 * trends.SAR_STRETCH - 1

    def textbook_warm_up(self) -> int:
        return 1

    def column(self, candles: Candles) -> Floats:
        return trends.parabolic_sar(candles, self.step, self.maximum)


class Aroon(Series):
    pane = "below"

    series: Literal["aroon"]
    line: Literal["up", "down", "oscillator"]
    period: Period = 14

    def name(self) -> str:
        return f"Aroon {self.line} ({self.period})"

    def reach(self) -> int:
        return self.period

    def column(self, candles: Candles) -> Floats:
        return columns.aroon(candles, self.period, self.line)


class Ichimoku(Series):
    """Spans as drawn at this candle, `displacement` candles after they were computed."""

    series: Literal["ichimoku"]
    line: Literal["conversion", "base", "span_a", "span_b"]
    conversion: Period = 9
    base: Period = 26
    span: Period = 52
    displacement: Smoothing = 26

    def name(self) -> str:
        label = {"span_a": "span A", "span_b": "span B"}.get(self.line, self.line)
        return f"Ichimoku {label} ({self.conversion}, {self.base}, {self.span}, {self.displacement})"

    def _window(self) -> int:
        windows = {"conversion": self.conversion, "base": self.base, "span_b": self.span}
        return windows.get(self.line, max(self.conversion, self.base))

    def reach(self) -> int:
        return self._window() - 1 + (self.displacement if self.line.startswith("span") else 0)

    def column(self, candles: Candles) -> Floats:
        if self.line == "span_a":
            return columns.shift(columns.ichimoku_span(candles, self.conversion, self.base), self.displacement)
        middle = columns.middle_of(candles, self._window())
        return columns.shift(middle, self.displacement) if self.line == "span_b" else middle


class Streak(Series):
    """Closes in a row: 3 after three rises, -3 after three falls; at most 100."""

    pane = "below"

    series: Literal["streak"]

    def name(self) -> str:
        return "the streak of closes"

    def reach(self) -> int:
        return trends.LONGEST_STREAK

    def textbook_warm_up(self) -> int:
        return 1

    def column(self, candles: Candles) -> Floats:
        return trends.streak(candles.close)


class CandleSeries(Series):
    """`body` is close − open, `range` high − low, both in % of the open."""

    pane = "below"

    series: Literal["body", "range"]

    def name(self) -> str:
        return f"the {self.series} of the candle, %"

    def reach(self) -> int:
        return 0

    def column(self, candles: Candles) -> Floats:
        size = candles.close - candles.open if self.series == "body" else candles.high - candles.low
        return 100 * (size / candles.open)


class Age(Series):
    """Hours from the token's first candle to the close; unknown if the provider does not say."""

    pane = "below"
    undefined = "the provider does not say when the token's first candle was"

    series: Literal["age"]

    def name(self) -> str:
        return "the age of the token in hours"

    def reach(self) -> int:
        return 0

    def column(self, candles: Candles) -> Floats:
        born = nan if candles.born is None else candles.born
        return (candles.time + candles.interval_seconds - born) / 3600
