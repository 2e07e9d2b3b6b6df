"""The table of all series. The web editor, the chat, MCP, the explanations and the documentation are made from it.

To add a series: a class here with its parameters, phrase, pane, reach, warm-up and column, its place in `AnySeries`,
and its words for the chat.
"""

from typing import Annotated, Literal, get_args

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from strategybot.trading.engine.candles import Candles, Floats
from strategybot.trading.engine.indicators import columns
from strategybot.trading.engine.indicators.recursive import ema_reach, wilder_reach
from strategybot.trading.language.chart_series import (
    Age,
    Aroon,
    CandleSeries,
    Cci,
    Deviation,
    Hma,
    Ichimoku,
    Keltner,
    Mfi,
    ParabolicSar,
    Rank,
    Streak,
    Supertrend,
    Vwma,
    WilliamsR,
    Wma,
)
from strategybot.trading.language.series_kind import Average, Pane, Period, Series, Smoothing
from strategybot.trading.language.values import WHOLE, plain


class PriceSeries(Series):
    series: Literal["open", "high", "low", "close"]

    def name(self) -> str:
        return "the price" if self.series == "close" else f"the {self.series}"

    def reach(self) -> int:
        return 0

    def column(self, candles: Candles) -> Floats:
        return columns.source(candles, self.series)


class VolumeSeries(Series):
    pane = "volume"

    series: Literal["volume"]

    def name(self) -> str:
        return "the volume"

    def reach(self) -> int:
        return 0

    def column(self, candles: Candles) -> Floats:
        return candles.volume


class Sma(Average):
    series: Literal["sma"]

    def name(self) -> str:
        return f"SMA({self.period}){self._of()}"

    def reach(self) -> int:
        return self.period - 1

    def column(self, candles: Candles) -> Floats:
        return columns.simple_average(candles, self.of, self.period)


class Ema(Average):
    series: Literal["ema"]

    def name(self) -> str:
        return f"EMA({self.period}){self._of()}"

    def reach(self) -> int:
        return ema_reach(self.period)

    def textbook_warm_up(self) -> int:
        return self.period - 1

    def column(self, candles: Candles) -> Floats:
        return columns.exponential_average(candles, self.of, self.period, self._textbook)


class Bollinger(Series):
    series: Literal["bollinger"]
    line: Literal["upper", "middle", "lower", "percent_b", "width"]
    period: Period = 20
    deviations: Annotated[float, Field(gt=0, le=10)] = 2

    def drawn_in(self) -> Pane:
        return "below" if self.line in ("percent_b", "width") else "price"

    def name(self) -> str:
        settings = f"({self.period}, {plain(self.deviations)})"
        if self.line == "percent_b":
            return f"Bollinger %B {settings}"
        return f"Bollinger width {settings} in %" if self.line == "width" else f"{self.line} Bollinger band {settings}"

    def reach(self) -> int:
        return self.period - 1

    def column(self, candles: Candles) -> Floats:
        return columns.bollinger(candles, self.period, self.deviations, self.line)


class Extreme(Series):
    series: Literal["highest", "lowest"]
    period: Period = 20

    def name(self) -> str:
        price = "high" if self.series == "highest" else "low"
        return f"the {self.series} {price} of the {self.period} candles before"

    def reach(self) -> int:
        return self.period

    def column(self, candles: Candles) -> Floats:
        before = columns.highest_before if self.series == "highest" else columns.lowest_before
        return before(candles, self.period)


class Vwap(Series):
    series: Literal["vwap"]
    period: Period = 20

    def name(self) -> str:
        return f"VWAP({self.period})"

    def reach(self) -> int:
        return self.period - 1

    def column(self, candles: Candles) -> Floats:
        return columns.vwap(candles, self.period)


class Rsi(Series):
    pane = "below"
    bounds = (0, 100)

    series: Literal["rsi"]
    period: Period = 14

    def name(self) -> str:
        return f"RSI({self.period})"

    def reach(self) -> int:
        return wilder_reach(self.period) + 1

    def textbook_warm_up(self) -> int:
        return self.period

    def column(self, candles: Candles) -> Floats:
        return columns.rsi(candles, self.period, self._textbook)


class Stochastic(Series):
    pane = "below"
    bounds = (0, 100)

    series: Literal["stochastic"]
    period: Period = 14
    smooth: Smoothing = 3
    signal: Smoothing = 3
    line: Literal["k", "d"] = "k"

    def name(self) -> str:
        return f"Stochastic({self.period}, {self.smooth}, {self.signal}) %{self.line.upper()}"

    def reach(self) -> int:
        return self.period - 1 + self.smooth - 1 + (self.signal - 1 if self.line == "d" else 0)

    def column(self, candles: Candles) -> Floats:
        return columns.stochastic(candles, self.period, self.smooth, self.signal, self.line)


class StochasticRsi(Series):
    pane = "below"
    bounds = (0, 100)

    series: Literal["stochastic_rsi"]
    period: Period = 14
    stochastic_period: Period = 14
    smooth: Smoothing = 3
    signal: Smoothing = 3
    line: Literal["k", "d"] = "k"

    def name(self) -> str:
        settings = f"{self.period}, {self.stochastic_period}, {self.smooth}, {self.signal}"
        return f"Stochastic RSI({settings}) %{self.line.upper()}"

    def reach(self) -> int:
        return wilder_reach(self.period) + 1 + self._windows()

    def textbook_warm_up(self) -> int:
        return self.period + self._windows()

    def _windows(self) -> int:
        return self.stochastic_period - 1 + self.smooth - 1 + (self.signal - 1 if self.line == "d" else 0)

    def column(self, candles: Candles) -> Floats:
        windows = (self.stochastic_period, self.smooth, self.signal)
        return columns.stochastic_rsi(candles, self.period, *windows, self.line, self._textbook)


class Macd(Series):
    """`fast` must be below `slow`, also where one of them is left to its default."""

    pane = "below"

    series: Literal["macd"]
    fast: Annotated[int, Field(ge=2, le=100, description="Below `slow`"), WHOLE] = 12
    slow: Annotated[int, Field(ge=3, le=500, validate_default=True, description="Above `fast`"), WHOLE] = 26
    signal: Annotated[int, Field(ge=2, le=100), WHOLE] = 9
    line: Literal["macd", "signal", "histogram"] = "macd"

    @field_validator("slow")
    @classmethod
    def _above_fast(cls, slow: int, others: ValidationInfo) -> int:
        if slow <= others.data.get("fast", 0):
            raise PydanticCustomError("slow_above_fast", "must be above fast")
        return slow

    def name(self) -> str:
        line = "" if self.line == "macd" else f" {self.line}"
        return f"MACD({self.fast}, {self.slow}, {self.signal}){line}"

    def reach(self) -> int:
        return ema_reach(self.slow) + (0 if self.line == "macd" else ema_reach(self.signal))

    def textbook_warm_up(self) -> int:
        return self.slow - 1 + (0 if self.line == "macd" else self.signal - 1)

    def column(self, candles: Candles) -> Floats:
        return columns.macd(candles, self.fast, self.slow, self.signal, self.line, self._textbook)


class Adx(Series):
    pane = "below"
    bounds = (0, 100)

    series: Literal["adx"]
    period: Period = 14
    line: Literal["adx", "plus_di", "minus_di"] = "adx"

    def name(self) -> str:
        label = {"adx": "ADX", "plus_di": "+DI", "minus_di": "−DI"}[self.line]
        return f"{label}({self.period})"

    def reach(self) -> int:
        directions = wilder_reach(self.period) + 1
        return directions + (wilder_reach(self.period) if self.line == "adx" else 0)

    def textbook_warm_up(self) -> int:
        return 2 * self.period - 1 if self.line == "adx" else self.period

    def column(self, candles: Candles) -> Floats:
        return columns.adx(candles, self.period, self.line, self._textbook)


class Atr(Series):
    pane = "below"

    series: Literal["atr"]
    period: Period = 14

    def name(self) -> str:
        return f"ATR({self.period})"

    def reach(self) -> int:
        return wilder_reach(self.period) + 1

    def textbook_warm_up(self) -> int:
        return self.period

    def column(self, candles: Candles) -> Floats:
        return columns.atr(candles, self.period, self._textbook)


class ChangeSeries(Series):
    pane = "below"

    series: Literal["change"]
    period: Annotated[int, Field(ge=1, le=500), WHOLE] = 1

    def name(self) -> str:
        return f"the change over {self.period} {'candle' if self.period == 1 else 'candles'}, %"

    def reach(self) -> int:
        return self.period

    def column(self, candles: Candles) -> Floats:
        return columns.change(candles, self.period)


AnySeries = Annotated[
    PriceSeries
    | VolumeSeries
    | Sma
    | Ema
    | Bollinger
    | Extreme
    | Vwap
    | Rsi
    | Stochastic
    | StochasticRsi
    | Macd
    | Adx
    | Atr
    | ChangeSeries
    | Wma
    | Hma
    | Vwma
    | Cci
    | Mfi
    | WilliamsR
    | Keltner
    | Supertrend
    | ParabolicSar
    | Aroon
    | Ichimoku
    | Deviation
    | Rank
    | Streak
    | CandleSeries
    | Age,
    Field(discriminator="series"),
]
SERIES: dict[str, type[Series]] = {
    name: kind for kind in get_args(get_args(AnySeries)[0]) for name in get_args(kind.model_fields["series"].annotation)
}
