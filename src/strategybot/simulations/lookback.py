"""The candles of a run together with those before its first own one, which are in the candle store.

Stored candles never change, so these are the candles that the run began with, to the bit.
"""

from strategybot.market.service import Market
from strategybot.simulations.storage import History, Simulation
from strategybot.trading.candles import Candles, DataReport, concatenate, densify


def all_candles(market: Market, run: Simulation, history: History) -> Candles:
    """Return every candle that the run has seen; `history` holds all of its own."""
    own = history.candles
    if history.source is None or history.lookback_time is None:
        return own
    span = (history.lookback_time, int(own.time[0]))
    stored = market.load_candles(history.source, f"{run.token}-{run.chain}", run.kline_interval, span)
    return densify(concatenate([stored, own]), DataReport())[0]


def recent_candles(market: Market, run: Simulation, history: History) -> Candles:
    """Return at least as many of the last candles that the run has seen as its conditions look back on.

    Of a long live run `history` holds only the newest candles, which are enough by themselves.
    """
    is_enough = run.candles_processed > run.lookback + 1
    return history.candles if is_enough else all_candles(market, run, history)
