"""How a position is bought and sold in parts: targets, ladder steps and stops measured in ATR."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

from pydantic import Field
from pydantic_core import PydanticCustomError

from strategybot.trading.language.series import Atr
from strategybot.trading.language.series_kind import Period
from strategybot.trading.language.values import WHOLE, Growth, Language, Percent, plain, with_article

WHOLE_SHARE = 100 + 1e-9  # percent, with what adding decimal fractions may round

Share = Annotated[float, Field(gt=0, le=100)]
MaxEntries = Annotated[int, Field(ge=1, le=10_000), WHOLE]


class Target(Language):
    """Sells a part of the position at a gain."""

    gain_percent: Annotated[Growth, Field(description="Above the average price of what is held")]
    sell_percent: Annotated[Share, Field(description="Of everything bought in this position")]


class LadderStep(Language):
    """Buys more on the way down."""

    drop_percent: Annotated[Percent, Field(description="Below the first price of the position")]
    size_percent: Annotated[Share, Field(description="Of the cash before the first buy")]


class AtrDistance(Language):
    """A distance in multiples of the average true range, measured at the candle that decides the entry."""

    period: Annotated[Period, Field(description="In candles")] = 14
    times: Annotated[float, Field(gt=0, description="Multiples")]

    @property
    def series(self) -> Atr:
        return Atr(series="atr", period=self.period)

    def phrase(self) -> str:
        return f"{plain(self.times)} × ATR({self.period})"


def checked_targets(targets: list[Target] | None) -> list[Target] | None:
    if targets is None:
        return None
    _refuse_disorder([each.gain_percent for each in targets], "gain_percent")
    if sum(each.sell_percent for each in targets) > WHOLE_SHARE:
        raise PydanticCustomError("shares", "the targets sell more than 100 % together")
    return targets


def checked_ladder(ladder: list[LadderStep] | None) -> list[LadderStep] | None:
    if ladder is not None:
        _refuse_disorder([each.drop_percent for each in ladder], "drop_percent")
    return ladder


def _refuse_disorder(values: Sequence[float], name: str) -> None:
    if any(later <= earlier for earlier, later in pairwise(values)):
        raise PydanticCustomError("rising", "{name} must rise from one step to the next", {"name": name})


def target_phrases(targets: Sequence[Target]) -> list[str]:
    return [
        f"{plain(each.sell_percent)} % of what was bought at {with_article(each.gain_percent)} % gain (take profit"
        f"{f' {number} of {len(targets)}' if len(targets) > 1 else ''})"
        for number, each in enumerate(targets, 1)
    ]


def ladder_sentence(ladder: Sequence[LadderStep]) -> str:
    steps = [f"{plain(each.size_percent)} % when it is {plain(each.drop_percent)} % lower" for each in ladder]
    return f"After the first buy, add on the way down, in parts of the cash before it: {', '.join(steps)}."
