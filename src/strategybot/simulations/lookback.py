"""The candles of a run, together with the earlier ones in the candle store.

Stored candles never change, so they are exactly the candles with which the run began.
"""

from strategybot.market.service import Market
from strategybot.simulations.storage import History, Simulation
from strategybot.trading.engine.candles import Candles, DataReport, concatenate, densify
from strategybot.trading.engine.positions import DAY


def purse_candles(market: Market, run: Simulation, history: History, *, is_whole: bool = False) -> dict[str, Candles]:
    """Return the candles of each token of a portfolio, with gaps; of a long run only the newest, which are enough.

    `is_whole` if the history has all candles of the run's own rows, so that the earlier ones come before them.
    """
    found, last_time, kept = {}, run.state["last_time"], run.steps_kept * run.interval_seconds
    for token_id, own in (history.by_token or {}).items():
        parts, span = [own], run.joined.get(token_id, (history.lookback_time or 0, run.chart_time))
        if is_whole or last_time - span[1] <= kept:
            parts = [market.load_candles(history.source or "", token_id, run.kline_interval, span), own]
        found[token_id] = market.with_birth(concatenate(parts), token_id)
    return found


def last_candles(market: Market, run: Simulation, token_id: str, last_time: int) -> Candles:
    """Return the candles of a token of a portfolio on which its conditions depend at this time, without gaps.

    They are read from the candle store, which has all that the run has seen: fewer rows than those of its steps.
    """
    first = last_time - (run.lookback + DAY // run.interval_seconds) * run.interval_seconds
    found = market.load_candles(market.source, token_id, run.kline_interval, (first, last_time + 1))
    return densify(found, DataReport())[0]


def all_candles(market: Market, run: Simulation, history: History) -> Candles:
    """Return every candle that the run has seen; `history` holds all candles of its own rows."""
    own = market.with_birth(history.candles, run.token_id)
    if history.source is None or history.lookback_time is None:
        return own
    span = (history.lookback_time, int(own.time[0]))
    stored = market.load_candles(history.source, run.token_id, run.kline_interval, span)
    return densify(concatenate([stored, own]), DataReport())[0]


def recent_candles(market: Market, run: Simulation, history: History) -> Candles:
    """Return at least as many of the run's last candles as its conditions look back.

    For a long live run, `history` holds only the newest candles, which are enough.
    """
    is_enough = run.candles_processed > run.lookback + 1
    return market.with_birth(history.candles, run.token_id) if is_enough else all_candles(market, run, history)
