"""What every series can say about itself and about candles."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, PrivateAttr

from strategybot.trading.engine.candles import Candles, Floats
from strategybot.trading.engine.instruments import Interval
from strategybot.trading.language.values import WHOLE, Language, plain

Pane = Literal["price", "volume", "below"]
Period = Annotated[int, Field(ge=2, le=500), WHOLE]
Smoothing = Annotated[int, Field(ge=1, le=100), WHOLE]
Source = Literal["close", "open", "high", "low", "typical", "volume"]


class Series(Language):
    """One value a candle."""

    pane: ClassVar[Pane] = "price"
    bounds: ClassVar[tuple[int, int] | None] = None  # of its values
    undefined: ClassVar[str] = "the market does not move, or volumes are unknown"  # why it may have no value

    interval: Annotated[Interval | None, Field(description="Reads it on longer candles; only closed ones count")] = None
    offset: Annotated[int, Field(ge=0, le=100, description="The value of so many of its candles ago"), WHOLE] = 0
    times: Annotated[float, Field(gt=0, description="The value is multiplied by this")] = 1
    plus: Annotated[float, Field(description="Then this is added")] = 0
    _textbook: bool = PrivateAttr(default=True)

    def name(self) -> str:
        """Return the series in words, without `interval`, `offset`, `times` and `plus`."""
        raise NotImplementedError

    def reach(self) -> int:
        """Return on how many earlier candles a value depends at most."""
        raise NotImplementedError

    def textbook_warm_up(self) -> int:
        """Return after how many earlier candles the textbook knows a value; for a window these are all it reads."""
        return self.reach()

    @property
    def is_textbook(self) -> bool:
        """Return whether it starts at the first candle; False in simulations that older versions began."""
        return self._textbook

    def warm_up(self) -> int:
        """Return how many earlier candles a value needs to be known."""
        return self.textbook_warm_up() if self._textbook else self.reach()

    def without_textbook(self) -> Self:
        """Return the series as older versions computed it: unknown until its whole reach is there."""
        older = self.model_copy()
        older._textbook = False  # noqa: SLF001  of its own class
        return older

    def column(self, candles: Candles) -> Floats:
        """Return one value per candle; NaN where it is unknown."""
        raise NotImplementedError

    def drawn_in(self) -> Pane:
        return self.pane

    def phrase(self) -> str:
        words = [self.name()]
        if self.interval is not None:
            words.append(f"on {self.interval} candles")
        if self.offset > 0:
            words.append(f"{self.offset} {'candle' if self.offset == 1 else 'candles'} ago")
        if self.times != 1:
            words.append(f"× {plain(self.times)}")
        if self.plus != 0:
            words.append(f"{'+' if self.plus > 0 else '−'} {plain(abs(self.plus))}")
        return " ".join(words)


class Average(Series):
    period: Period
    of: Source = "close"

    def drawn_in(self) -> Pane:
        return "volume" if self.of == "volume" else "price"

    def _of(self) -> str:
        return "" if self.of == "close" else f" of the {'typical price' if self.of == 'typical' else self.of}"
