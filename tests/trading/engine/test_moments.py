"""Conditions about time: hours and weekdays in any time zone, also when its clocks change; periods by their formula."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.moments import utc_offsets
from strategybot.trading.language.conditions import Condition
from tests.trading.builders import at_time, candles_of, every, strategy_of, true_places

HOUR, DAY = 3600, 86_400


def moment(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def candles_from(start: str, count: int, interval: int = HOUR) -> Candles:
    return candles_of([(1, 1, 1, 1)] * count, interval, moment(start))


def condition_of(document: dict[str, Any]) -> Condition:
    return strategy_of(document).conditions[0]


def closes(document: dict[str, Any], candles: Candles) -> list[str]:
    """Return when the candles close at which the condition is true, such as Tue 09:00, in UTC."""
    moments = candles.time[true_places(condition_of(document), candles)] + candles.interval_seconds
    return [datetime.fromtimestamp(each, UTC).strftime("%a %H:%M") for each in moments.tolist()]


MONDAY, FRIDAY = "2026-01-05", "2026-01-09"
HOURS: list[tuple[dict[str, Any], str, list[str]]] = [
    (at_time("09:00", "12:00"), MONDAY, ["Mon 09:00", "Mon 10:00", "Mon 11:00"]),
    (at_time("22:00", None), MONDAY, ["Mon 22:00", "Mon 23:00"]),
    (at_time(None, "03:00"), MONDAY, ["Mon 01:00", "Mon 02:00", "Tue 00:00"]),
    (at_time("22:00", "02:00", ["mon"]), MONDAY, ["Mon 22:00", "Mon 23:00", "Tue 00:00"]),
    (at_time("22:00", "02:00", ["sun"]), MONDAY, ["Mon 01:00"]),
    (at_time("22:00", "02:00", ["tue"]), MONDAY, []),
    (at_time("23:00", "00:00", ["fri", "mon"]), FRIDAY, ["Fri 23:00"]),
    (at_time(None, None, ["sat"]), FRIDAY, ["Sat 00:00"]),
    (at_time("09:30", "11:00", None, "Asia/Kathmandu"), MONDAY, ["Mon 04:00", "Mon 05:00"]),  # 09:45, 10:45 there
    (at_time("19:00", "21:00", ["sun"], "America/New_York"), MONDAY, ["Mon 01:00"]),
]


@pytest.mark.parametrize(("document", "start", "expected"), HOURS)
def test_a_candle_counts_if_it_closes_in_the_hours_of_the_day(
    document: dict[str, Any], start: str, expected: list[str]
) -> None:
    assert closes(document, candles_from(start, 24)) == expected


def test_any_time_is_always_true() -> None:
    assert len(closes(at_time(None, None), candles_from(MONDAY, 24))) == 24


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("2026-03-28", ["Sat 08:00", "Sun 07:00"]),  # Berlin's clocks go from 2 to 3 o'clock on Sunday
        ("2026-10-24", ["Sat 07:00", "Sun 08:00"]),
    ],
)
def test_hours_follow_the_clocks_of_the_zone(start: str, expected: list[str]) -> None:
    assert closes(at_time("09:00", "10:00", None, "Europe/Berlin"), candles_from(start, 48)) == expected
    assert closes(at_time("09:00", "10:00", None, "Europe/Berlin"), candles_from(start, 48 * 60, 60))[::60] == expected


def test_an_hour_that_clocks_skip_has_no_candle_and_one_they_repeat_has_twice_as_many() -> None:
    hour = at_time("02:00", "03:00", ["sun"], "Europe/Berlin")
    assert [len(closes(hour, candles_from(day, 1440, 60))) for day in ("2026-03-28T23:00", "2026-10-24T23:00")] == [
        0,
        120,
    ]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca"])
def test_the_offset_of_each_moment_is_that_of_the_zone_database(zone: str) -> None:
    moments = moment("2025-01-01") + 13 * 60 * np.arange(60_000)
    expected = [datetime.fromtimestamp(each, ZoneInfo(zone)).utcoffset() for each in moments.tolist()]
    assert utc_offsets(moments, zone).tolist() == [each.total_seconds() for each in expected if each is not None]


@pytest.mark.parametrize(
    ("document", "interval", "expected"),
    [
        (every("1d"), HOUR, ["Tue 00:00", "Wed 00:00"]),
        (every("1d", "09:00"), HOUR, ["Mon 09:00", "Tue 09:00"]),
        (every("1d", "09:10"), HOUR, ["Mon 10:00", "Tue 10:00"]),  # the first that closes at or after it
        (every("1d"), DAY, ["Tue 00:00", "Wed 00:00"]),
        (every("12h", "03:00"), 4 * HOUR, ["Mon 04:00", "Mon 16:00", "Tue 04:00", "Tue 16:00"]),
        (every("7d", "06:00"), HOUR, ["Mon 06:00"]),
        (every("2d"), HOUR, ["Wed 00:00"]),  # counted from Monday 1970-01-05
    ],
)
def test_a_period_begins_at_the_first_close_at_or_after_its_moment(
    document: dict[str, Any], interval: int, expected: list[str]
) -> None:
    assert closes(document, candles_from(MONDAY, 2 * DAY // interval, interval)) == expected


@pytest.mark.parametrize("period", ["1h", "90m", "5h", "1d", "10d"])
@pytest.mark.parametrize("interval", [60, 900, HOUR])
def test_periods_follow_the_formula(period: str, interval: int) -> None:
    condition = condition_of(every(period, "07:35"))
    candles = candles_from("2026-02-03", 3000, interval)
    length = {"1h": 3600, "90m": 5400, "5h": 18_000, "1d": DAY, "10d": 10 * DAY}[period]
    since = candles.time + interval - (7 * HOUR + 35 * 60) - moment("1970-01-05")
    expected = np.flatnonzero(since // length > (since - interval) // length)
    assert true_places(condition, candles) == expected.tolist()


@pytest.mark.parametrize("document", [at_time("09:00", "10:00", ["thu"]), every("7d", "09:00"), every("30d")])
def test_the_next_moment_is_the_first_close_at_which_it_is_true(document: dict[str, Any]) -> None:
    condition, candles = condition_of(document), candles_from(MONDAY, 40 * 24)
    first, *later = [int(candles.time[i]) + HOUR for i in true_places(condition, candles)]
    assert condition.next_true(int(candles.time[0]), HOUR) == first  # type: ignore[union-attr]
    assert condition.next_true(first, HOUR) == (later[0] if later else None)  # type: ignore[union-attr]
