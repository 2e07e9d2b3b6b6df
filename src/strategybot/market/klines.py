"""Conversion of a provider's rows to the requested candles."""

from strategybot.market.fields import fields, number
from strategybot.market.provider import ProviderFailure
from strategybot.trading.engine.candles import Candles, DataReport, parse_candles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval


def read_klines(
    rows: object, interval: Interval, start: int | None, end: int | None, limit: int
) -> tuple[Candles, DataReport]:
    """Return the last `limit` candles that start in [start, end]. The report covers every row that may belong there."""
    if not isinstance(rows, list):
        raise ProviderFailure("the provider's answer has an unexpected shape: klines is no list")
    seconds = INTERVAL_SECONDS[interval]
    inside = [row for row in rows if not _is_outside(row, seconds, start, end)]
    candles, report = parse_candles(inside, seconds)
    if rows and len(inside) == len(rows) and not len(candles):
        raise ProviderFailure("the provider's answer has an unexpected shape: nothing in klines is usable")
    return candles[-limit:], report


def _is_outside(row: object, seconds: int, start: int | None, end: int | None) -> bool:
    """Return True if the row is clearly outside the requested span. Providers send such rows; the report
    ignores them.
    """
    time = number(fields(row).get("time"))
    if time is None:
        return False
    bucket = time - time % seconds
    return (start is not None and bucket < start) or (end is not None and bucket > end)
