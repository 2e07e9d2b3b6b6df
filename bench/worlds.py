"""Synthetic markets for `bench/verdict.py`, with or without an edge.

Nine tokens with a common factor. Each 5-minute candle is made of five 1-minute steps whose shocks have fat tails and
clustered volatility. The edge: after a fall within an hour a part of it comes back over the next two hours.
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from strategybot.trading.candles import Candles

TOKENS = 9
MINUTES_A_DAY = 1440
STEPS = 5  # one-minute steps in a candle
INTERVAL = 300
START = 1_750_000_000 // 86_400 * 86_400
DAILY_VOLATILITY = 0.08
COMMON_WEIGHT = 0.6
FALL, FALL_CANDLES, RECOVERY_CANDLES = 0.025, 12, 24
DEGREES = 4
EXITS = 20  # of the variants: each entry is combined with every one of them
FACTORS = ((60, 0.5), (1440, 0.4))  # half-life in minutes, deviation of the log volatility

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Market:
    """What a made market is like."""

    name: str
    recovery: float = 0.0  # the part of a fall that comes back
    daily_drift: float = 0.0
    bounce: float = 0.0  # noise on the price that is seen


MARKETS = (
    Market("no edge"),
    Market("no edge, rising", daily_drift=0.02),
    Market("no edge, bid-ask bounce", bounce=0.004),
    Market("weak edge", recovery=0.2),
    Market("medium edge", recovery=0.35),
    Market("strong edge", recovery=0.5),
)


def world(market: Market, days: int, seed: int) -> list[Candles]:
    """Return the candles of all tokens."""
    chance = np.random.default_rng(seed)
    minutes = days * MINUTES_A_DAY
    shared = shocks(chance, minutes)
    return [_token(market, minutes, shared, chance) for _ in range(TOKENS)]


def shocks(chance: np.random.Generator, minutes: int) -> Floats:
    """Student-t shocks of deviation 1: a normal over the root of a mean of four squares."""
    squares = chance.standard_gamma(DEGREES / 2, minutes) * 2 / DEGREES
    return np.asarray(chance.standard_normal(minutes) / np.sqrt(squares) / np.sqrt(DEGREES / (DEGREES - 2)))


def _token(market: Market, minutes: int, shared: Floats, chance: np.random.Generator) -> Candles:
    own = shocks(chance, minutes)
    both = COMMON_WEIGHT * shared + np.sqrt(1 - COMMON_WEIGHT**2) * own
    returns = both * _volatility(chance, minutes) + market.daily_drift / MINUTES_A_DAY
    prices = follow(returns, market.recovery)
    if market.bounce:
        prices = prices + market.bounce * chance.standard_normal(minutes)
    return _candles(np.exp(prices), np.abs(both), chance)


def _volatility(chance: np.random.Generator, minutes: int) -> Floats:
    """The deviation of each minute: its daily figure times two log-normal factors of mean square 1."""
    logs = np.zeros(minutes)
    for half_life, deviation in FACTORS:
        logs += deviation * autoregression(chance.standard_normal(minutes), 0.5 ** (1 / half_life))
        logs -= deviation**2
    return np.asarray(DAILY_VOLATILITY / np.sqrt(MINUTES_A_DAY) * np.exp(logs))


@numba.njit(cache=True)
def autoregression(noise: Floats, memory: float) -> Floats:
    values = np.empty_like(noise)
    values[0] = noise[0]
    for i in range(1, len(noise)):
        values[i] = memory * values[i - 1] + np.sqrt(1 - memory**2) * noise[i]
    return values


@numba.njit(cache=True)
def follow(returns: Floats, recovery: float) -> Floats:
    """The log price minute by minute; after a fall, and if none is being recovered, a part of it comes back."""
    prices = np.empty_like(returns)
    price, pull, left = 0.0, 0.0, 0
    reach = FALL_CANDLES * STEPS
    for i in range(len(returns)):
        price += returns[i] + (pull if left > 0 else 0.0)
        left -= 1
        prices[i] = price
        if (i + 1) % STEPS == 0 and left <= 0 and i >= reach:
            fall = 1 - np.exp(price - prices[i - reach])
            if fall >= FALL:
                pull, left = recovery * fall / (RECOVERY_CANDLES * STEPS), RECOVERY_CANDLES * STEPS
    return prices


def _candles(prices: Floats, moves: Floats, chance: np.random.Generator) -> Candles:
    by_candle = prices.reshape(-1, STEPS)
    close = by_candle[:, -1].copy()
    opens = np.concatenate(([1.0], close[:-1]))
    high = np.maximum(opens, by_candle.max(axis=1))
    low = np.minimum(opens, by_candle.min(axis=1))
    volume = np.exp(0.5 * chance.standard_normal(len(close))) * (0.5 + moves.reshape(-1, STEPS).mean(axis=1))
    return Candles(INTERVAL, START + INTERVAL * np.arange(len(close)), opens, high, low, close, volume)


def drop(percent: float, window: str = "1h", reference: str = "close") -> dict[str, Any]:
    return {"kind": "price_drop", "percent": percent, "window": window, "reference": reference}


def rise(percent: float, window: str = "1h", reference: str = "close") -> dict[str, Any]:
    return {"kind": "price_rise", "percent": percent, "window": window, "reference": reference}


def spike(multiplier: float, window: str = "1h") -> dict[str, Any]:
    return {"kind": "volume_spike", "multiplier": multiplier, "window": window}


def variants() -> list[dict[str, Any]]:
    """1,000 strategies: 50 entries times 20 exits."""
    entries: list[list[dict[str, Any]]] = []
    entries += [[drop(p, w)] for w in ("15m", "30m", "1h") for p in (1, 1.5, 2, 3, 4)]
    entries += [[drop(p, w, "high")] for w in ("1h", "4h", "12h") for p in (3, 4, 5, 7, 10)]
    entries += [[rise(p, w)] for w in ("30m", "1h", "4h") for p in (2, 3, 5, 8)]
    entries += [[spike(m), move] for m in (2, 3) for move in (drop(1, "15m"), drop(2, "1h"), rise(1, "15m"), rise(2))]
    exits = [
        {"stop_loss_percent": stop, "take_profit_percent": target, "max_holding": holding}
        for stop in (3, 5)
        for target in (2, 3, 4, 6, 10)
        for holding in ("2h", "8h")
    ]
    return [{"conditions": entry, "risk_management": exit_} for entry in entries for exit_ in exits]


SENSIBLE = {
    "conditions": [drop(3)],
    "risk_management": {"stop_loss_percent": 5, "take_profit_percent": 4, "max_holding": "4h"},
}
