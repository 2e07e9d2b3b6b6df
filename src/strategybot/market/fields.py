"""Readers for single fields of a provider's response. A value that is not clearly valid becomes None.

Providers write numbers as strings, flags as "0", 1 or -1, and "" or 0 for unknown.
"""

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TypeVar

from strategybot.kit.clock import utc_moment
from strategybot.market.provider import ProviderFailure
from strategybot.market.schemas import RiskLevel
from strategybot.trading.engine.candles import END_OF_TIME

Row = Mapping[str, object]
T = TypeVar("T")

LONGEST_NUMBER = 400
LONGEST_AMOUNT = 78  # digits of the largest uint256
LONGEST_TEXT = 200
LONGEST_LINK = 2000
LOW_RISK_BELOW, MEDIUM_RISK_UP_TO = 20, 55


def number(value: object) -> float | None:
    if isinstance(value, str):
        if len(value) > LONGEST_NUMBER or not value.isascii() or "_" in value:
            return None
    elif isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        parsed = float(value)
    except (ValueError, OverflowError):
        return None
    return parsed if math.isfinite(parsed) else None


def amount(value: object) -> float | None:
    """Return a number that is not negative, such as a price, volume or tax."""
    parsed = number(value)
    return parsed if parsed is not None and parsed >= 0 else None


def whole(value: object) -> int | None:
    parsed = number(value)
    return int(parsed) if parsed is not None and parsed.is_integer() and abs(parsed) < 2**53 else None


def count(value: object) -> int | None:
    parsed = whole(value)
    return parsed if parsed is not None and parsed >= 0 else None


def risk_level(score: float | None) -> RiskLevel:
    """Return the level of a risk score from 0 to 100, by AVE's scale."""
    if score is None:
        return "unknown"
    if score < LOW_RISK_BELOW:
        return "low"
    return "medium" if score <= MEDIUM_RISK_UP_TO else "high"


def flag(value: object) -> bool | None:
    """Return False for 0 and True for 1, as a number or string. Anything else is None, including -1 for
    "not checked".
    """
    if isinstance(value, bool):
        return value
    return {0: False, 1: True}.get(parsed) if (parsed := whole(value)) is not None else None


def percent(fraction: object) -> float | None:
    """Return a fraction from 0 to 1 as a percentage. A sum of fractions may exceed 1 by rounding."""
    share = amount(fraction)
    return min(share, 1.0) * 100 if share is not None and share < 1.001 else None


def moment(value: object) -> datetime | None:
    """Return the time of unix seconds; 0 means unknown."""
    seconds = count(value)
    return utc_moment(seconds) if seconds and seconds < END_OF_TIME else None


def text(value: object) -> str | None:
    """Return one line of at most `LONGEST_TEXT` characters without control characters, or None if it is empty."""
    if not isinstance(value, str):
        return None
    return "".join(filter(str.isprintable, " ".join(value[: 4 * LONGEST_TEXT].split())))[:LONGEST_TEXT] or None


def digits(value: object) -> str | None:
    """Return a whole number of smallest units as digits. It is never converted to a float, which would round it."""
    written = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    plain = isinstance(written, str) and len(written) <= LONGEST_AMOUNT and written.isascii() and written.isdigit()
    return str(written) if plain else None


def link(value: object) -> str | None:
    """Return an http or https URL; None for any other scheme."""
    if not isinstance(value, str) or len(value) > LONGEST_LINK or not value.isprintable() or " " in value:
        return None
    return value if value.startswith(("https://", "http://")) else None


def fields(value: object) -> Row:
    """Return the object, or an empty one if the value is no object."""
    return value if isinstance(value, dict) else {}


def required_object(value: object, what: str) -> Row:
    """Return the object. Raise ProviderFailure if the value is no object."""
    if not isinstance(value, dict):
        raise ProviderFailure(f"the provider's answer has an unexpected shape: {what} is no object")
    return value


def each(value: object, read: Callable[[Row], T | None], what: str) -> list[T]:
    """Return the rows that `read` accepts. Raise ProviderFailure if the value is no list, or if it accepts none of
    them.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise ProviderFailure(f"the provider's answer has an unexpected shape: {what} is no list")
    good = [record for row in value if isinstance(row, dict) and (record := read(row)) is not None]
    if value and not good:
        raise ProviderFailure(f"the provider's answer has an unexpected shape: nothing in {what} is usable")
    return good
