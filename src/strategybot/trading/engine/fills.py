"""How sure the exits of a run are: known from its candles, decided on 1-minute candles, or assumed."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt

from strategybot.trading.words.numbers import counted

Intrabar = Literal["auto", "off"]
"""`auto`: candles in doubt are decided on 1-minute candles where there are any. `off`: the stop comes first."""


class FillCounts(BaseModel):
    """The exits of a run by how sure they are; an exit after a candle in doubt is no surer than that candle."""

    model_config = ConfigDict(frozen=True)

    exact: Annotated[NonNegativeInt, Field(description="Exits whose order is certain")] = 0
    resolved: Annotated[NonNegativeInt, Field(description="Exits that 1-minute candles decided")] = 0
    assumed: Annotated[NonNegativeInt, Field(description="Exits for which the stop was assumed to come first")] = 0

    @property
    def total(self) -> int:
        return self.exact + self.resolved + self.assumed

    def sentence(self) -> str | None:
        """Return what a user should know about the exits; None if the candles decided all of them."""
        resolved = (
            f"{self.resolved} of {counted(self.total, 'exit')} {_were(self.resolved)} decided on 1-minute candles"
        )
        assumed = f"{self.assumed} of {counted(self.total, 'exit')} {_were(self.assumed)} assumed"
        why = "the order of the prices inside a candle is unknown, so the stop counts as first"
        match self.resolved > 0, self.assumed > 0:
            case True, True:
                return f"{resolved}; {self.assumed} {_were(self.assumed)} assumed: {why}."
            case True, False:
                return f"{resolved}."
            case False, True:
                return f"{assumed}: {why}."
            case _:
                return None


def _were(count: int) -> str:
    return "was" if count == 1 else "were"
