"""The conditions of a strategy: the four kinds about price and volume, and the comparison of two series."""

from typing import Annotated, Literal

from pydantic import Discriminator, Field, Tag

from strategybot.trading.language.series import AnySeries, Series
from strategybot.trading.language.values import WHOLE, Duration, Growth, Language, Percent, plain


class PriceDrop(Language):
    """The price fell at least `percent` within `window`, from the close back then or from the high since then."""

    kind: Literal["price_drop"]
    percent: Percent
    window: Duration = "1h"
    reference: Literal["close", "high"] = "close"

    def phrase(self) -> str:
        origin = "" if self.reference == "close" else " from its high"
        return f"the price falls at least {plain(self.percent)} %{origin} within {self.window}"


class PriceRise(Language):
    """The price rose at least `percent` within `window`, from the close back then or from the low since then."""

    kind: Literal["price_rise"]
    percent: Growth
    window: Duration = "1h"
    reference: Literal["close", "low"] = "close"

    def phrase(self) -> str:
        origin = "" if self.reference == "close" else " from its low"
        return f"the price rises at least {plain(self.percent)} %{origin} within {self.window}"


class VolumeSpike(Language):
    """The volume of the candle is at least `multiplier` times the average of `window`."""

    kind: Literal["volume_spike"]
    multiplier: Annotated[float, Field(gt=1)]
    window: Duration = "1h"

    def phrase(self) -> str:
        return f"the volume is at least {plain(self.multiplier)} × its {self.window} average"


class PriceLevel(Language):
    """The price crosses `level`, or is on that side of it."""

    kind: Literal["price_level"]
    level: Annotated[float, Field(gt=0)]
    direction: Literal["above", "below"]
    trigger: Literal["cross", "is"] = "cross"

    def phrase(self) -> str:
        if self.trigger == "cross":
            return f"the price crosses {self.direction} {plain(self.level)}"
        return f"the price is at or {self.direction} {plain(self.level)}"


ComparisonOperator = Literal["above", "below", "crosses_above", "crosses_below"]
VERBS: dict[ComparisonOperator, tuple[str, str]] = {  # now, and within the last candles
    "above": ("is above", "was above"),
    "below": ("is below", "was below"),
    "crosses_above": ("crosses above", "crossed above"),
    "crosses_below": ("crosses below", "crossed below"),
}


def _right_kind(value: object) -> str | None:
    """Return the tag of a right side, so that a mistake gives one error. No tag may be the name of a field."""
    if isinstance(value, dict | Series):
        return "any_series"
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else None


RightSide = Annotated[
    Annotated[float, Tag("number")] | Annotated[AnySeries, Tag("any_series")],
    Discriminator(_right_kind, custom_error_type="right_side", custom_error_message="must be a number or a series"),
]


class Compare(Language):
    """Two series, or a series and a number, are compared. Strict, and never true of an unknown value."""

    kind: Literal["compare"]
    left: AnySeries
    operator: ComparisonOperator
    right: RightSide
    within_candles: Annotated[int, Field(ge=1, le=100, description="Or in one of the last so many candles"), WHOLE] = 1

    @property
    def crosses(self) -> bool:
        return self.operator in ("crosses_above", "crosses_below")

    @property
    def upward(self) -> bool:
        return self.operator in ("above", "crosses_above")

    def right_phrase(self) -> str:
        return self.right.phrase() if isinstance(self.right, Series) else plain(self.right)

    def phrase(self) -> str:
        now, before = VERBS[self.operator]
        if self.within_candles == 1:
            return f"{self.left.phrase()} {now} {self.right_phrase()}"
        return f"{self.left.phrase()} {before} {self.right_phrase()} within the last {self.within_candles} candles"


WindowCondition = PriceDrop | PriceRise | VolumeSpike | PriceLevel  # the four kinds without a series
Condition = Annotated[PriceDrop | PriceRise | VolumeSpike | PriceLevel | Compare, Field(discriminator="kind")]
