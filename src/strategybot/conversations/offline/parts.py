"""The parts of a strategy that can be talked about: its settings, the numbers of its conditions, and every series.

One entry here and its words in `words.txt` are enough for a part to be entered, changed, raised, lowered, doubled,
removed and kept.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from strategybot.conversations.offline.lexicon import Phrase, said
from strategybot.conversations.offline.series_frames import SeriesWords

PLAIN = frozenset({"open", "high", "low", "close", "volume", "change"})  # their words say other parts already
LEVEL_ENDINGS = (
    "",
    " threshold",
    " level",
    " levels",
    " thresholds",
    " limit",
    " condition",
    " filter",
    " rule",
    " value",
)
PERIOD_ENDINGS = ("period", "length", "lookback", "window", "periods")


@dataclass(frozen=True, slots=True)
class Part:
    """A number of the strategy. `slot` is the type of token that can be its value."""

    key: str
    slot: str  # LOSS, GAIN, SHARE, DUR, MULT, NUM or INT
    said: str
    kind: str = ""  # of the condition that holds it; empty for a setting
    field: str = ""
    is_exit: bool = False
    series: str = ""  # of a comparison

    @property
    def steps(self) -> tuple[str, ...]:
        """Where a setting stands in the strategy."""
        is_whole_path = "." in self.key or self.key in ("position_percent", "guards")
        return tuple(self.key.split(".")) if is_whole_path else ("risk_management", self.key)

    def phrases(self, series: SeriesWords) -> Iterator[Phrase]:
        if not self.series:
            yield from said("part")[self.key]
            return
        plain = self.field.replace("_", " ")
        endings = PERIOD_ENDINGS if self.field == "period" else (plain, f"{plain} period")
        for name in series.names(self.series):
            for ending in LEVEL_ENDINGS if self.field == "right" else endings:
                yield tuple(f"{name} {ending}".split())


SETTINGS = (
    Part("stop_loss_percent", "LOSS", "the stop loss"),
    Part("take_profit_percent", "GAIN", "the take profit"),
    Part("trailing_stop_percent", "LOSS", "the trailing stop"),
    Part("max_holding", "DUR", "the longest holding time"),
    Part("cooldown", "DUR", "the cooldown"),
    Part("position_percent", "SHARE", "the position size"),
    Part("guards", "INT", "the guards"),
    Part("guards.max_drawdown_percent", "LOSS", "the drawdown limit"),
    Part("guards.losing_streak.losses", "INT", "the losing streak"),
    Part("guards.losing_streak.pause", "DUR", "the pause after a losing streak"),
    Part("guards.max_trades_per_day", "INT", "the trade limit a day"),
)
CONDITION_PARTS = (
    Part("drop", "LOSS", "the drop", "price_drop", "percent"),
    Part("rise", "GAIN", "the rise", "price_rise", "percent"),
    Part("volume", "MULT", "the volume multiple", "volume_spike", "multiplier"),
    Part("level", "NUM", "the price level", "price_level", "level"),
    Part("exit_level", "NUM", "the price at which it sells", "price_level", "level", is_exit=True),
    Part("drop_window", "DUR", "the window of the drop", "price_drop", "window"),
    Part("rise_window", "DUR", "the window of the rise", "price_rise", "window"),
    Part("volume_window", "DUR", "the window of the volume", "volume_spike", "window"),
    Part("window", "DUR", "the window", "*", "window"),
)


def series_parts(series: SeriesWords) -> Iterator[Part]:
    """The number that each series is compared with, and each of its numeric parameters."""
    for name in series.table:
        if name not in PLAIN:
            shown = series.names(name)[0]
            yield Part(name, "NUM", f"the {shown} level", "compare", "right", series=name)
            for parameter in series.numbers(name):
                yield Part(f"{name}.{parameter}", "NUM", f"the {shown} {parameter}", "compare", parameter, series=name)
