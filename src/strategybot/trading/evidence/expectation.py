"""What a backtest predicts for paper trading, and a sentence for each figure that is outside of the prediction.

A band contains about 90 % of the outcomes if nothing has changed: trades follow a Poisson process with the backtest's
rate, and each wins with the backtest's probability. Both are simplifications: trades cluster, and markets change. A
figure outside of its band is a reason to look, not a statistical test.
"""

import math
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from strategybot.trading.words.numbers import amount_words, counted

DAY, WEEK = 86_400, 7 * 86_400
WIDTH = 1.645  # standard deviations to each side: 90 %
LEAST_SECONDS = 3 * DAY
LEAST_TRADES = 10
NOTABLE_LOSSES = 3


class Tally(NamedTuple):
    """What a session has done so far, counted candle by candle."""

    highest_equity: float
    trades: int = 0  # closed ones
    wins: int = 0
    losses_in_a_row: int = 0  # up to the last closed trade
    max_drawdown_percent: float = 0.0

    def after_trade(self, pnl: float) -> "Tally":
        losses = self.losses_in_a_row + 1 if pnl < 0 else 0
        return self._replace(trades=self.trades + 1, wins=self.wins + (pnl > 0), losses_in_a_row=losses)

    def after_close(self, equity: float) -> "Tally":
        if equity >= self.highest_equity:
            return self._replace(highest_equity=equity)
        fall = 100 * (1 - equity / self.highest_equity)
        return self if fall <= self.max_drawdown_percent else self._replace(max_drawdown_percent=fall)


class Past(NamedTuple):
    """A finished backtest of the same strategy."""

    seconds: int
    pnl: Sequence[float]  # of its closed trades, in order
    max_drawdown_percent: float


class Band(BaseModel):
    """What is expected, the band around it, and what was seen; null where nothing can be said yet."""

    model_config = ConfigDict(frozen=True)

    expected: Annotated[float | None, Field(description="What the backtest predicts")]
    low: Annotated[float | None, Field(description="The lower end of the band")]
    high: Annotated[float | None, Field(description="The upper end of the band")]
    live: Annotated[float | None, Field(description="What the simulation has")]


class Expectation(BaseModel):
    model_config = ConfigDict(frozen=True)

    days: float = Field(description="Of the backtest")
    trades: int = Field(description="Of the backtest")
    trades_per_week: Annotated[Band, Field(description="Closed trades a week")]
    win_rate: Band = Field(description="Percent; the band is that of as many trades as there are now")
    max_drawdown: Band = Field(description="Percent; the band is what the backtest has seen")
    notes: list[str] = Field(description="Where paper trading left the band, in sentences")


def expectation(past: Past, tally: Tally, seconds: int) -> Expectation:
    """Return what the backtest predicts, next to what happened in so many seconds of paper trading."""
    wins = sum(pnl > 0 for pnl in past.pnl)
    rate = len(past.pnl) / past.seconds if past.seconds > 0 else 0.0
    weeks = seconds / WEEK
    return Expectation(
        days=past.seconds / DAY,
        trades=len(past.pnl),
        trades_per_week=_rate_band(rate * WEEK, tally.trades / weeks if seconds >= LEAST_SECONDS else None),
        win_rate=_win_band(wins, len(past.pnl), tally),
        max_drawdown=Band(
            expected=past.max_drawdown_percent,
            low=0.0,
            high=past.max_drawdown_percent,
            live=tally.max_drawdown_percent,
        ),
        notes=[
            *_streak_notes(past, tally),
            *_rate_notes(rate, tally, seconds),
            *_win_notes(wins, past, tally),
            *_drawdown_notes(past, tally),
        ],
    )


def _rate_band(expected: float, live: float | None) -> Band:
    low, high = _counts(expected)
    return Band(expected=expected, low=float(low), high=float(high), live=live)


def _counts(expected: float) -> tuple[int, int]:
    """Return the band of a number of events."""
    spread = WIDTH * math.sqrt(expected)
    return max(0, math.floor(expected - spread)), math.ceil(expected + spread)


def _win_band(wins: int, trades: int, tally: Tally) -> Band:
    live = 100 * tally.wins / tally.trades if tally.trades else None
    if trades == 0:
        return Band(expected=None, low=None, high=None, live=live)
    chance = wins / trades
    spread = WIDTH * math.sqrt(chance * (1 - chance) * (1 / trades + 1 / max(1, tally.trades)))
    low, high = max(0.0, chance - spread), min(1.0, chance + spread)
    return Band(expected=100 * chance, low=100 * low, high=100 * high, live=live)


def _streak_notes(past: Past, tally: Tally) -> list[str]:
    length = tally.losses_in_a_row
    streaks = losing_streaks(past.pnl)
    longest = max(streaks, default=0)
    if length < NOTABLE_LOSSES and length <= max(1, longest):
        return []
    times = sum(streak >= length for streak in streaks)
    how_often = f"happened {_times(times)}" if times else "never happened"
    return [f"{length} losses in a row: in the backtest this {how_often} in {_days(past.seconds)}."]


def losing_streaks(pnl: Sequence[float]) -> list[int]:
    """Return the length of every sequence of losing trades."""
    lengths, current = [], 0
    for each in pnl:
        if each < 0:
            current += 1
        elif current:
            lengths.append(current)
            current = 0
    return [*lengths, current] if current else lengths


def _rate_notes(rate: float, tally: Tally, seconds: int) -> list[str]:
    if seconds < LEAST_SECONDS:
        return []
    low, high = _counts(rate * seconds)
    if low <= tally.trades <= high:
        return []
    return [f"{counted(tally.trades, 'trade')} in {_days(seconds)}: by the backtest {low} to {high} were expected."]


def _win_notes(wins: int, past: Past, tally: Tally) -> list[str]:
    band = _win_band(wins, len(past.pnl), tally)
    if tally.trades < LEAST_TRADES or band.low is None or band.high is None or band.live is None:
        return []
    if band.low <= band.live <= band.high:
        return []
    expected = f"{band.low:.0f} to {band.high:.0f} %"
    return [f"{band.live:.0f} % of {tally.trades} trades won: by the backtest {expected} were expected."]


def _drawdown_notes(past: Past, tally: Tally) -> list[str]:
    if tally.max_drawdown_percent <= past.max_drawdown_percent or tally.max_drawdown_percent == 0:
        return []
    live, before = amount_words(tally.max_drawdown_percent), amount_words(past.max_drawdown_percent)
    return [f"The drawdown was {live} %: in the backtest it was never above {before} %."]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _days(seconds: int) -> str:
    days = amount_words(seconds / DAY)
    return "1 day" if days == "1" else f"{days} days"
