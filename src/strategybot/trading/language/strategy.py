"""The strategy language: what a bot may be told to do, checked to the letter and said back in plain English.

Every rule a value must keep is also in its JSON schema, so that a client can check before it sends.
"""

import re
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

MINUTES = {"m": 1, "h": 60, "d": 24 * 60}
DURATION_PATTERN = (
    r"^(?:(?:[1-9][0-9]{0,3}|[1-3][0-9]{4}|4[0-2][0-9]{3}|43[01][0-9]{2}|43200)m"
    r"|(?:[1-9][0-9]?|[1-6][0-9]{2}|7[01][0-9]|720)h"
    r"|(?:[1-9]|[12][0-9]|30)d)$"
)
_DURATION = re.compile(DURATION_PATTERN.removesuffix("$") + r"\Z")


def _well_formed(text: str) -> str:
    if _DURATION.match(text) is None:
        raise PydanticCustomError("duration", "must be a duration such as 15m, 1h or 2d, from 1m to 30d")
    return text


def duration_seconds(text: str) -> int:
    return int(text[:-1]) * MINUTES[text[-1]] * 60


Duration = Annotated[
    str, AfterValidator(_well_formed), Field(json_schema_extra={"pattern": DURATION_PATTERN, "examples": ["15m"]})
]
Percent = Annotated[float, Field(gt=0, lt=100)]
Growth = Annotated[float, Field(gt=0)]
Match = Literal["all", "any"]


class Language(BaseModel):
    """A part of the language: no unknown key, no number as a string, nothing infinite, never changed in place."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class PriceDrop(Language):
    kind: Literal["price_drop"]
    percent: Percent
    window: Duration = "1h"
    reference: Literal["close", "high"] = "close"

    def phrase(self) -> str:
        origin = "" if self.reference == "close" else " from its high"
        return f"the price falls at least {plain(self.percent)} %{origin} within {self.window}"


class PriceRise(Language):
    kind: Literal["price_rise"]
    percent: Growth
    window: Duration = "1h"
    reference: Literal["close", "low"] = "close"

    def phrase(self) -> str:
        origin = "" if self.reference == "close" else " from its low"
        return f"the price rises at least {plain(self.percent)} %{origin} within {self.window}"


class VolumeSpike(Language):
    kind: Literal["volume_spike"]
    multiplier: Annotated[float, Field(gt=1)]
    window: Duration = "1h"

    def phrase(self) -> str:
        return f"the volume is at least {plain(self.multiplier)} × its {self.window} average"


class PriceLevel(Language):
    kind: Literal["price_level"]
    level: Annotated[float, Field(gt=0)]
    direction: Literal["above", "below"]
    trigger: Literal["cross", "is"] = "cross"

    def phrase(self) -> str:
        if self.trigger == "cross":
            return f"the price crosses {self.direction} {plain(self.level)}"
        return f"the price is at or {self.direction} {plain(self.level)}"


Condition = Annotated[PriceDrop | PriceRise | VolumeSpike | PriceLevel, Field(discriminator="kind")]


class RiskManagement(Language):
    stop_loss_percent: Percent | None = None
    take_profit_percent: Growth | None = None
    trailing_stop_percent: Percent | None = None
    max_holding: Duration | None = None
    cooldown: Duration | None = None

    def exit_phrases(self) -> list[str]:
        phrases = []
        if self.stop_loss_percent is not None:
            phrases.append(f"at a {plain(self.stop_loss_percent)} % loss (stop loss)")
        if self.trailing_stop_percent is not None:
            phrases.append(f"{plain(self.trailing_stop_percent)} % under its peak (trailing stop)")
        if self.take_profit_percent is not None:
            phrases.append(f"at a {plain(self.take_profit_percent)} % gain (take profit)")
        if self.max_holding is not None:
            phrases.append(f"after {self.max_holding} at the latest")
        return phrases


EXAMPLE_STRATEGY: JsonDict = {
    "conditions": [
        {"kind": "price_drop", "percent": 5, "window": "15m"},
        {"kind": "volume_spike", "multiplier": 3, "window": "1h"},
    ],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 10},
}


class Strategy(Language):
    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE_STRATEGY]})

    conditions: Annotated[list[Condition], Field(min_length=1, max_length=10)]
    match: Match = "all"
    exit_conditions: Annotated[list[Condition], Field(max_length=10)] = []
    exit_match: Match = "any"
    risk_management: RiskManagement = RiskManagement()
    position_percent: Annotated[float, Field(gt=0, le=100)] = 100

    @cached_property
    def summary(self) -> str:
        """The strategy in plain English; a strategy never changes, so it is put into words once."""
        return describe(self)


def describe(strategy: Strategy) -> str:
    """The strategy as one or two plain sentences."""
    share = "" if strategy.position_percent == 100 else f" with {plain(strategy.position_percent)} % of the cash"
    sentences = [f"Buy{share} when {_joined(strategy.conditions, strategy.match)}.", _selling(strategy)]
    if strategy.risk_management.cooldown is not None:
        sentences.append(f"After a sale, wait {strategy.risk_management.cooldown} before buying again.")
    return " ".join(sentences)


def _selling(strategy: Strategy) -> str:
    ways = strategy.risk_management.exit_phrases()
    if strategy.exit_conditions:
        ways.insert(0, f"when {_joined(strategy.exit_conditions, strategy.exit_match)}")
    if not ways:
        return "Nothing tells it to sell: a position stays open."
    return f"Sell {', or '.join(ways)}."


def _joined(conditions: list[Condition], match: Match) -> str:
    return (" and " if match == "all" else " or ").join(condition.phrase() for condition in conditions)


def plain(number: float) -> str:
    """The shortest exact digits without an exponent: 0.00000001, not 1e-08; an exponent only for the absurd."""
    digits = Decimal(repr(float(number)))
    if not -30 <= digits.adjusted() <= 15:
        return repr(float(number))
    text = format(digits, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
