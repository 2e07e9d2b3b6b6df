"""The conditions about time: hours of the day and weekdays, and periods that begin again and again."""

from typing import Annotated, Literal, get_args

import numpy as np
from pydantic import ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from strategybot.trading.engine.candles import Candles, Integers
from strategybot.trading.engine.columns import Flags, Truths
from strategybot.trading.engine.moments import DAY, FIRST_MONDAY, Hours, begins_period, within_hours
from strategybot.trading.language.condition_kind import ConditionKind, Reading, SeriesColumns
from strategybot.trading.language.values import LongDuration, TimeOfDay, Timezone, duration_seconds, time_seconds

Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = get_args(Weekday)
LONGEST_WAIT = 31 * DAY


class MomentKind(ConditionKind):
    """A condition about when a candle closes. What it measures is that moment."""

    def true_at(self, closes: Integers, interval_seconds: int) -> Truths:
        """Return at which of these ascending closes it is true."""
        raise NotImplementedError

    def reach(self, interval_seconds: int) -> int:  # noqa: ARG002
        return 0

    def flags(self, candles: Candles, series: SeriesColumns) -> Flags:  # noqa: ARG002
        return self.true_at(candles.time + candles.interval_seconds, candles.interval_seconds).astype(np.uint8)

    def read(self, candles: Candles, places: Integers) -> Reading:
        closes = candles.time[places] + candles.interval_seconds
        return Reading(self.true_at(closes, candles.interval_seconds), (closes.astype(np.float64),))

    def next_true(self, close: int, interval_seconds: int) -> int | None:
        """Return the next later close at which it is true; None if there is none within a month."""
        closes = close + interval_seconds * np.arange(1, 2 + LONGEST_WAIT // interval_seconds)
        true = np.flatnonzero(self.true_at(closes, interval_seconds))
        return int(closes[true[0]]) if len(true) else None


class Time(MomentKind):
    """The candle closes at `from` or later and before `to`, on one of `weekdays`; over midnight that of the evening."""

    model_config = ConfigDict(serialize_by_alias=True)

    kind: Literal["time"]
    begin: Annotated[
        TimeOfDay | None, Field(alias="from", description="Such as 09:30", exclude_if=lambda begin: begin is None)
    ] = None
    end: Annotated[
        TimeOfDay | None,
        Field(alias="to", description="Before `from`: over midnight", exclude_if=lambda end: end is None),
    ] = None
    weekdays: Annotated[
        Annotated[list[Weekday], Field(min_length=1, max_length=7)] | None,
        Field(exclude_if=lambda weekdays: weekdays is None, description="The days on which it holds; all by default"),
    ] = None
    timezone: Annotated[Timezone, Field(description="IANA name")] = "UTC"

    @field_validator("end")
    @classmethod
    def _not_empty(cls, end: str | None, others: ValidationInfo) -> str | None:
        if end is not None and end == (others.data.get("begin") or "00:00"):
            raise PydanticCustomError("empty_hours", "must differ from `from`, which is 00:00 by default")
        return end

    def __hash__(self) -> int:
        return hash(self.phrase())

    def true_at(self, closes: Integers, interval_seconds: int) -> Truths:  # noqa: ARG002
        return within_hours(closes, self.hours(), [WEEKDAYS.index(each) for each in self.days()], self.timezone)

    def hours(self) -> Hours:
        return Hours(time_seconds(self.begin or "00:00"), DAY if self.end is None else time_seconds(self.end))

    def days(self) -> list[Weekday]:
        """Return its weekdays, from Monday on; all of them by default."""
        return [each for each in WEEKDAYS if self.weekdays is None or each in self.weekdays]

    def phrase(self) -> str:
        return f"the candle closes {self.rule()} ({self.timezone})"

    def rule(self) -> str:
        """Return its hours and weekdays, such as "between 09:00 and 17:00 on Mon–Fri"."""
        if self.begin is not None and self.end is not None:
            hours = f"between {self.begin} and {self.end}"
        else:
            hours = f"at {self.begin} or later" if self.begin else f"before {self.end}" if self.end else ""
        days = f"on {_days(self.days())}" if self.weekdays is not None else ""
        return " ".join(part for part in (hours, days) if part) or "at any time"


class Every(MomentKind):
    """The first candle that closes at or after the begin of each period, counted from Monday at `at`, UTC."""

    kind: Literal["every"]
    period: Annotated[LongDuration, Field(description="1h to 30d")]
    at: Annotated[TimeOfDay, Field(description="The time of the day, such as 09:30")] = "00:00"

    def true_at(self, closes: Integers, interval_seconds: int) -> Truths:
        return begins_period(closes, interval_seconds, duration_seconds(self.period), time_seconds(self.at))

    def phrase(self) -> str:
        weekly = duration_seconds(self.period) % (7 * DAY) == 0
        return f"a period of {self.period} begins (counted from {'Monday ' if weekly else ''}{self.at} UTC)"

    def next_begin(self, moment: int) -> int:
        """Return the first begin of a period after the moment."""
        period = duration_seconds(self.period)
        return moment + period - (moment - time_seconds(self.at) - FIRST_MONDAY) % period


def _days(days: list[Weekday]) -> str:
    """Return weekdays in words, such as Mon–Fri or Mon, Wed."""
    names, first, last = [day.capitalize() for day in days], WEEKDAYS.index(days[0]), WEEKDAYS.index(days[-1])
    if len(days) > 2 and last - first == len(days) - 1:
        return f"{names[0]}–{names[-1]}"
    return ", ".join(names)
