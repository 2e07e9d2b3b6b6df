"""An optimisation or a survey while this process runs it, and its candles."""

from collections.abc import Callable

from strategybot.kit.runs import LiveRun
from strategybot.kit.threads import in_thread
from strategybot.market.service import Market, NoKlines
from strategybot.research.storage import ResearchRun
from strategybot.trading.instruments import INTERVAL_SECONDS
from strategybot.trading.loop import STOP_REQUESTED, new_control
from strategybot.trading.preparation import Prepared, candles_before, prepare


class LiveResearch(LiveRun):
    def __init__(self) -> None:
        super().__init__()
        self.control = new_control()
        self.follow: Callable[[], float] = lambda: 1.0
        """Returns the progress in percent."""

    @property
    def percent(self) -> float:
        return self.follow()

    def stop_computing(self) -> None:
        self.control[STOP_REQUESTED] = 1


async def candles_of(
    market: Market,
    run: ResearchRun,
    token: str,
    chain: str,
    lookback: int,
    follower: Callable[[float], None] = lambda _: None,
) -> Prepared:
    """Return the candles of the run's span, and up to `lookback` before it. Raise `NoKlines` if there are none."""
    first = candles_before(run.start_time, lookback, INTERVAL_SECONDS[run.kline_interval])
    span, token_id = (first, run.end_time), f"{token}-{chain}"
    candles, report = await market.candles(
        token_id, run.kline_interval, *span, follower, run.owner_id, traded_from=run.start_time
    )
    prepared = await in_thread(prepare, candles, report, run.start_time)
    if not prepared.candles_to_trade:
        raise NoKlines(token, chain)
    return prepared
