"""The columns of conditions about time: where a candle closes at a time of day, and where a period begins."""

from bisect import bisect
from collections.abc import Collection
from datetime import UTC, datetime
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from strategybot.trading.engine.candles import Integers
from strategybot.trading.engine.columns import Truths

DAY = 86_400
FIRST_MONDAY = 4 * DAY  # 1970-01-05: periods are counted from here


class Hours(NamedTuple):
    """Seconds of a local day: from the first up to, but without, the second. Over midnight the first is the later."""

    begin: int
    end: int


def local_moment(moment: float, zone: str) -> datetime:
    return datetime.fromtimestamp(moment, UTC if zone == "UTC" else ZoneInfo(zone))


def within_hours(closes: Integers, hours: Hours, weekdays: Collection[int], zone: str) -> Truths:
    """Return which closes are in these hours of these weekdays (0 is Monday); after midnight the evening's counts."""
    local = closes + utc_offsets(closes, zone)
    days, seconds = local // DAY, local % DAY
    if hours.begin < hours.end:
        inside = (seconds >= hours.begin) & (seconds < hours.end)
    else:
        after_midnight = seconds < hours.end
        inside, days = (seconds >= hours.begin) | after_midnight, days - after_midnight
    chosen = np.isin(np.arange(7), list(weekdays))
    found: Truths = inside & chosen[(days - FIRST_MONDAY // DAY) % 7]
    return found


def utc_offsets(moments: Integers, zone: str) -> Integers:
    """Return by how many seconds the zone is ahead of UTC at ascending moments; it changes at most once a UTC day."""
    offsets = np.zeros(len(moments), np.int64)
    if zone == "UTC" or not len(moments):
        return offsets
    firsts = [*np.flatnonzero(np.diff(moments // DAY, prepend=-1)).tolist(), len(moments)]
    for first, end in pairwise(firsts):
        before, after = (_offset(int(moments[i]), zone) for i in (first, end - 1))
        offsets[first:end] = before
        if before != after:
            rows = range(first, end)
            changed = bisect(rows, False, key=lambda i: _offset(int(moments[i]), zone) == after)
            offsets[rows[changed] : end] = after
    return offsets


def _offset(moment: int, zone: str) -> int:
    offset = local_moment(moment, zone).utcoffset()
    return 0 if offset is None else int(offset.total_seconds())


def begins_period(closes: Integers, interval_seconds: int, period: int, at: int) -> Truths:
    """Return the closes that are the first at or after the begin of a period; `at` is a second of the UTC day."""
    since = closes - at - FIRST_MONDAY
    begins: Truths = since // period > (since - interval_seconds) // period
    return begins
