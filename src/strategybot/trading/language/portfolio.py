"""How one purse trades many tokens: how many it holds at a time, and which it prefers."""

from typing import Annotated, Literal

from pydantic import Field

from strategybot.trading.language.values import WHOLE, Language

Preference = Literal["volume", "fall", "rise"]
PREFERRED = {
    "volume": "the highest volume of the last 24 hours",
    "fall": "the largest fall of the last 24 hours",
    "rise": "the largest rise of the last 24 hours",
}


class Portfolio(Language):
    """The places of a purse that trades many tokens. A run on one token does not read it."""

    max_open: Annotated[int, Field(ge=1, le=50, description="How many tokens are held at a time"), WHOLE] = 5
    prefer: Annotated[Preference, Field(description="Which is bought first if places are few")] = "volume"

    def sentence(self) -> str:
        held = "one token" if self.max_open == 1 else f"{self.max_open} tokens"
        return f"With many tokens, hold at most {held} at a time and prefer {PREFERRED[self.prefer]}."


DEFAULT_PORTFOLIO = Portfolio()
