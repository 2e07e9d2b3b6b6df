"""Parsing of times: unix time in any unit, or ISO 8601, which is UTC without a zone."""

import math
import re

from strategybot.kit.clock import parse_iso, utc_moment

LATEST_IN_SECONDS = 1e11  # larger numbers are milliseconds, microseconds or nanoseconds
_COMPACT_DATE = re.compile(r"(?:19|20)[0-9]{6}")  # 20260131 is a date, not a unix time in 1970


def unix_seconds(text: str) -> float | None:
    """Return the time in unix seconds, or None if the text is no time."""
    text = text.strip()
    try:
        number = math.nan if _COMPACT_DATE.fullmatch(text) else float(text)
    except ValueError:
        number = math.nan
    return _of_iso(text) if math.isnan(number) else _of_number(number)


def _of_number(number: float) -> float | None:
    if not 0 <= number < math.inf:
        return None
    while number >= LATEST_IN_SECONDS:
        number /= 1000
    return number


def _of_iso(text: str) -> float | None:
    moment = parse_iso(text)
    return None if moment is None else moment.timestamp()


def moment_words(seconds: float) -> str:
    return f"{utc_moment(seconds):%Y-%m-%d %H:%M}"
