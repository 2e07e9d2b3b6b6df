"""The series of a strategy's comparisons as lines for a chart."""

from dataclasses import dataclass, field

from strategybot.trading.engine.candles import Candles, Floats
from strategybot.trading.engine.comparisons import series_values
from strategybot.trading.engine.conditions import comparisons_of
from strategybot.trading.language.series_kind import Pane, Series
from strategybot.trading.language.strategy import Strategy


@dataclass(frozen=True, eq=False, slots=True)
class Line:
    series: Series
    values: Floats
    levels: list[float] = field(default_factory=list)  # the numbers it is compared with

    @property
    def phrase(self) -> str:
        return self.series.phrase()

    @property
    def pane(self) -> Pane:
        return self.series.drawn_in()


def lines_of(strategy: Strategy, candles: Candles) -> list[Line]:
    """Return each different series of the strategy once, with one value per candle."""
    lines: dict[Series, Line] = {}
    for comparison in comparisons_of(strategy):
        for side in (comparison.left, comparison.right):
            if isinstance(side, Series) and side not in lines:
                lines[side] = Line(side, series_values(side, candles))
        if not isinstance(comparison.right, Series):
            lines[comparison.left].levels.append(float(comparison.right))
    return list(lines.values())
