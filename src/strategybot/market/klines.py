"""From a provider's rows to the candles that were asked for."""

import math

from strategybot.market.provider import ProviderFailure
from strategybot.trading.candles import Candles, DataReport, parse_candles
from strategybot.trading.instruments import INTERVAL_SECONDS, Interval


def read_klines(
    rows: object, interval: Interval, start: int | None, end: int | None, limit: int
) -> tuple[Candles, DataReport]:
    """The last `limit` candles that start in [start, end]; the report speaks of every row that came."""
    if not isinstance(rows, list):
        raise ProviderFailure("the provider's answer has an unexpected shape: klines is no list")
    candles, report = parse_candles(rows, INTERVAL_SECONDS[interval])
    if rows and not len(candles):
        raise ProviderFailure("the provider's answer has an unexpected shape: nothing in klines is usable")
    wanted = candles.between(0 if start is None else start, math.inf if end is None else end + 1)
    return wanted[-limit:], report
