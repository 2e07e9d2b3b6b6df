"""Reading one field of an untidy answer: what is not plainly the thing asked for is None, never a guess.

Providers write numbers as strings, flags as "0", 1 or -1, and "" or 0 for unknown.
"""

import math
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TypeVar

from strategybot.market.provider import ProviderFailure
from strategybot.trading.candles import END_OF_TIME

Row = Mapping[str, object]
T = TypeVar("T")

LONGEST_NUMBER = 400
LONGEST_AMOUNT = 78  # digits of the largest number a chain counts with
LONGEST_TEXT = 200
LONGEST_LINK = 2000


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
    """A number that cannot be negative: a price, a volume, a tax."""
    parsed = number(value)
    return parsed if parsed is not None and parsed >= 0 else None


def whole(value: object) -> int | None:
    parsed = number(value)
    return int(parsed) if parsed is not None and parsed.is_integer() and abs(parsed) < 2**53 else None


def count(value: object) -> int | None:
    parsed = whole(value)
    return parsed if parsed is not None and parsed >= 0 else None


def flag(value: object) -> bool | None:
    """0 and 1 in any spelling; anything else, the provider's -1 for "not checked" too, is unknown."""
    if isinstance(value, bool):
        return value
    return {0: False, 1: True}.get(parsed) if (parsed := whole(value)) is not None else None


def percent(fraction: object) -> float | None:
    """A share of 0 to 1 as a percentage; a sum of shares may pass 1 by rounding."""
    share = amount(fraction)
    return min(share, 1.0) * 100 if share is not None and share < 1.001 else None


def moment(value: object) -> datetime | None:
    """Unix seconds; 0 means unknown."""
    seconds = count(value)
    return datetime.fromtimestamp(seconds, UTC) if seconds and seconds < END_OF_TIME else None


def text(value: object) -> str | None:
    """One bounded line without control characters; an empty one is unknown."""
    if not isinstance(value, str):
        return None
    return "".join(filter(str.isprintable, " ".join(value[: 4 * LONGEST_TEXT].split())))[:LONGEST_TEXT] or None


def digits(value: object) -> str | None:
    """A whole number of smallest units, exact: it is never turned into a float."""
    written = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    plain = isinstance(written, str) and len(written) <= LONGEST_AMOUNT and written.isascii() and written.isdigit()
    return str(written) if plain else None


def link(value: object) -> str | None:
    """A web address a browser may load; never one of another scheme."""
    if not isinstance(value, str) or len(value) > LONGEST_LINK or not value.isprintable() or " " in value:
        return None
    return value if value.startswith(("https://", "http://")) else None


def fields(value: object) -> Row:
    """An object of the answer, or one without fields where there is something else."""
    return value if isinstance(value, dict) else {}


def promised(value: object, what: str) -> Row:
    """An object that must be there."""
    if not isinstance(value, dict):
        raise ProviderFailure(f"the provider's answer has an unexpected shape: {what} is no object")
    return value


def each(value: object, read: Callable[[Row], T | None], what: str) -> list[T]:
    """What can be read of a list. A few unusable rows are left out; when all are, it is not what was promised."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise ProviderFailure(f"the provider's answer has an unexpected shape: {what} is no list")
    good = [record for row in value if isinstance(row, dict) and (record := read(row)) is not None]
    if value and not good:
        raise ProviderFailure(f"the provider's answer has an unexpected shape: nothing in {what} is usable")
    return good
