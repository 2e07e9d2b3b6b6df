"""The candles of a run over a span of history."""

from collections.abc import Callable

from strategybot.kit.threads import run_blocking
from strategybot.market.service import Market, NoKlines
from strategybot.runs.storage import QueuedRun
from strategybot.trading.engine.preparation import Prepared, candles_before, prepare


async def candles_of(
    market: Market,
    run: QueuedRun,
    token: str,
    chain: str,
    lookback: int,
    follower: Callable[[float], None] = lambda _: None,
) -> Prepared:
    """Return the candles of the run's span, and up to `lookback` before it. Raise `NoKlines` if there are none."""
    first = candles_before(run.start_time, lookback, run.interval_seconds)
    span, token_id = (first, run.end_time), f"{token}-{chain}"
    candles, report = await market.candles(
        token_id, run.kline_interval, *span, follower, run.owner_id, traded_from=run.start_time
    )
    prepared = await run_blocking(prepare, candles, report, run.start_time)
    if not prepared.candles_to_trade:
        raise NoKlines(token, chain)
    return prepared
