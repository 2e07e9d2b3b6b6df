"""Guards: limits on a whole run. They refuse entries; exits are not affected."""

from typing import Annotated

from pydantic import Field

from strategybot.trading.language.values import WHOLE, Duration, Language, Percent, plain

Losses = Annotated[int, Field(ge=1, le=100), WHOLE]
TradesPerDay = Annotated[int, Field(ge=1, le=1000), WHOLE]


class LosingStreak(Language):
    """After so many losses in a row nothing is bought for a while."""

    losses: Annotated[Losses, Field(description="How many losses in a row")]
    pause: Duration


class Guards(Language):
    """Limits on a whole run. They refuse entries."""

    max_drawdown_percent: Annotated[
        Percent | None, Field(description="Buys no more once the equity has fallen so far from its highest")
    ] = None
    losing_streak: Annotated[LosingStreak | None, Field(description="Pauses after some losses in a row")] = None
    max_trades_per_day: Annotated[TradesPerDay | None, Field(description="The most purchases of a UTC day")] = None

    @property
    def is_empty(self) -> bool:
        return self == Guards()

    def sentences(self) -> list[str]:
        said = []
        if self.max_drawdown_percent is not None:
            fall = plain(self.max_drawdown_percent)
            said.append(f"Once the equity has fallen {fall} % from its highest, buy no more.")
        if self.losing_streak is not None:
            losses, pause = self.losing_streak.losses, self.losing_streak.pause
            row = "a loss" if losses == 1 else f"{losses} losses in a row"
            said.append(f"After {row}, buy nothing for {pause}.")
        if self.max_trades_per_day is not None:
            times = "once" if self.max_trades_per_day == 1 else f"{self.max_trades_per_day} times"
            said.append(f"Buy at most {times} a day (UTC).")
        return said
