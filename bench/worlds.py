"""Synthetic markets for `bench/verdict.py`, with or without an edge.

Nine tokens with a common factor. Each candle is made of five steps whose shocks have fat tails; their volatility is
8 % a day, constant or in clusters. Edges: after a fall within 12 candles a part of it comes back over the next 24
(`recovery`), or a drift that lasts for days (`momentum`). Drift, bid-ask bounce, pumps and dumps are no edges.
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from strategybot.trading.engine.candles import Candles

TOKENS = 9
DAY, HOUR = 86_400, 3600
STEPS = 5  # in a candle
INTERVAL = 300
START = 1_750_000_000 // DAY * DAY
DAILY_VOLATILITY = 0.08
COMMON_WEIGHT = 0.6
FALL, FALL_CANDLES, RECOVERY_CANDLES = 0.025, 12, 24
DEGREES = 4
FACTORS = ((1 / 24, 0.5), (1.0, 0.4))  # half-life in days, deviation of the log volatility
MOMENTUM_DAYS = 2.0  # half-life of a drift that lasts
PUMP, PUMP_DAYS, DUMP_DAYS = 0.5, 6.0, 0.5  # log size of a jump; mean days until one, and until it is gone

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Market:
    """What a made market is like."""

    name: str
    recovery: float = 0.0  # the part of a fall that comes back
    daily_drift: float = 0.0
    bounce: float = 0.0  # noise on the price that is seen
    clusters: bool = True
    parts: tuple[float, ...] = ()  # a further daily drift in equal parts of the time
    momentum: float = 0.0  # deviation of a daily drift that lasts
    pumps: bool = False
    days: int = 30
    interval: int = INTERVAL

    @property
    def has_edge(self) -> bool:
        return self.recovery > 0 or self.momentum > 0


NO_EDGE = Market("no edge")
RISING = Market("+2 % a day", daily_drift=0.02)
BOUNCE = Market("bid-ask bounce", bounce=0.004)
WEAK = Market("reversal, weak", recovery=0.2)
MEDIUM = Market("reversal, medium", recovery=0.35)
STRONG = Market("reversal, strong", recovery=0.5)
HALF_A_YEAR: dict[str, Any] = {"days": 180, "interval": HOUR}
QUARTER: dict[str, Any] = {"days": 90, "interval": HOUR}
MARKETS = (
    NO_EDGE,
    Market("no edge, constant volatility", clusters=False),
    BOUNCE,
    Market("+1 % a day", daily_drift=0.01),
    RISING,
    Market("+3 % a day", daily_drift=0.03),
    Market("bounce and +2 % a day", bounce=0.004, daily_drift=0.02),
    Market("+1 % a day, constant volatility, 180 days of 1h", daily_drift=0.01, clusters=False, **HALF_A_YEAR),
    Market("+1 % a day, 180 days of 1h", daily_drift=0.01, **HALF_A_YEAR),
    Market("drift in parts, 180 days of 1h", parts=(0.02, 0.0, 0.02, -0.01), **HALF_A_YEAR),
    Market("−1 % a day", daily_drift=-0.01),
    Market("pump and dump", pumps=True),
    WEAK,
    MEDIUM,
    Market("reversal, medium, constant volatility", recovery=0.35, clusters=False),
    STRONG,
    Market("reversal, very strong", recovery=0.7),
    Market("momentum, 90 days of 1h", momentum=0.06, **QUARTER),
    Market("strong momentum, 90 days of 1h", momentum=0.1, **QUARTER),
    Market("reversal, medium, 180 days", recovery=0.35, days=180),
    # The place of a market is in its seed: new ones come last.
    Market("bounce of 0.2 % and +2 % a day", bounce=0.002, daily_drift=0.02),
)
SEARCHED = (NO_EDGE, RISING, BOUNCE, WEAK, MEDIUM, STRONG)


def world(market: Market, days: int, seed: int) -> list[Candles]:
    """Return the candles of all tokens."""
    chance = np.random.default_rng(seed)
    steps = days * DAY * STEPS // market.interval
    shared, trend = shocks(chance, steps), _trend(market, chance, steps)
    return [_token(market, steps, shared, trend, chance) for _ in range(TOKENS)]


def shocks(chance: np.random.Generator, steps: int) -> Floats:
    """Student-t shocks of deviation 1: a normal over the root of a mean of four squares."""
    squares = chance.standard_gamma(DEGREES / 2, steps) * 2 / DEGREES
    return np.asarray(chance.standard_normal(steps) / np.sqrt(squares) / np.sqrt(DEGREES / (DEGREES - 2)))


def _token(market: Market, steps: int, shared: Floats, trend: Floats, chance: np.random.Generator) -> Candles:
    both = COMMON_WEIGHT * shared + np.sqrt(1 - COMMON_WEIGHT**2) * shocks(chance, steps)
    returns = both * _volatility(market, chance, steps) + _drift(market, steps)
    returns += COMMON_WEIGHT * trend + np.sqrt(1 - COMMON_WEIGHT**2) * _trend(market, chance, steps)
    if market.pumps:
        returns += _pumps(market, chance, steps)
    prices = follow(returns, market.recovery)
    if market.bounce:
        prices = prices + market.bounce * chance.standard_normal(steps)
    return _candles(market, np.exp(prices), np.abs(both), chance)


def _steps_a_day(market: Market) -> float:
    return DAY * STEPS / market.interval


def _drift(market: Market, steps: int) -> Floats:
    daily = np.full(steps, market.daily_drift)
    if market.parts:
        daily += np.array(market.parts)[np.arange(steps) * len(market.parts) // steps]
    return daily / _steps_a_day(market)


def _trend(market: Market, chance: np.random.Generator, steps: int) -> Floats:
    """A drift that lasts: it comes back to zero with a half-life of days."""
    if not market.momentum:
        return np.zeros(steps)
    memory = 0.5 ** (1 / (MOMENTUM_DAYS * _steps_a_day(market)))
    return market.momentum / _steps_a_day(market) * autoregression(chance.standard_normal(steps), memory)


def _pumps(market: Market, chance: np.random.Generator, steps: int) -> Floats:
    """Jumps up and, some time later, down; the drift between them makes both worth nothing in the mean."""
    a_day, moves, at, is_high = _steps_a_day(market), np.zeros(steps), 0, False
    while at < steps:
        wait = 1 + int(chance.exponential((DUMP_DAYS if is_high else PUMP_DAYS) * a_day))
        jump = -PUMP if is_high else PUMP
        moves[at : at + wait] -= np.expm1(jump) / ((DUMP_DAYS if is_high else PUMP_DAYS) * a_day)
        if at + wait < steps:
            moves[at + wait] += jump
        at, is_high = at + wait, not is_high
    return moves


def _volatility(market: Market, chance: np.random.Generator, steps: int) -> Floats:
    """The deviation of each step: its daily figure, in clusters times two log-normal factors of mean square 1."""
    logs = np.zeros(steps)
    for half_life, deviation in FACTORS if market.clusters else ():
        memory = 0.5 ** (1 / (half_life * _steps_a_day(market)))
        logs += deviation * autoregression(chance.standard_normal(steps), memory)
        logs -= deviation**2
    return np.asarray(DAILY_VOLATILITY / np.sqrt(_steps_a_day(market)) * np.exp(logs))


@numba.njit(cache=True)
def autoregression(noise: Floats, memory: float) -> Floats:
    values = np.empty_like(noise)
    values[0] = noise[0]
    for i in range(1, len(noise)):
        values[i] = memory * values[i - 1] + np.sqrt(1 - memory**2) * noise[i]
    return values


@numba.njit(cache=True)
def follow(returns: Floats, recovery: float) -> Floats:
    """The log price step by step; after a fall, and if none is being recovered, a part of it comes back."""
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


def _candles(market: Market, prices: Floats, moves: Floats, chance: np.random.Generator) -> Candles:
    by_candle = prices.reshape(-1, STEPS)
    close = by_candle[:, -1].copy()
    opens = np.concatenate(([1.0], close[:-1]))
    high = np.maximum(opens, by_candle.max(axis=1))
    low = np.minimum(opens, by_candle.min(axis=1))
    volume = np.exp(0.5 * chance.standard_normal(len(close))) * (0.5 + moves.reshape(-1, STEPS).mean(axis=1))
    time = START + market.interval * np.arange(len(close))
    return Candles(market.interval, time, opens, high, low, close, volume)


def longer(candles: Candles, factor: int) -> Candles:
    """Return candles of so many times the interval."""

    def rows(column: Floats) -> Floats:
        return column[: len(column) // factor * factor].reshape(-1, factor)

    return Candles(
        candles.interval_seconds * factor,
        candles.time[: len(candles) // factor * factor : factor],
        rows(candles.open)[:, 0].copy(),
        rows(candles.high).max(axis=1),
        rows(candles.low).min(axis=1),
        rows(candles.close)[:, -1].copy(),
        rows(candles.volume).sum(axis=1),
    )


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


def mean_cross(period: int, operator: str) -> dict[str, Any]:
    mean = {"series": "sma", "period": period}
    return {"kind": "compare", "left": {"series": "close"}, "operator": operator, "right": mean}


def follower(period: int) -> dict[str, Any]:
    return {"conditions": [mean_cross(period, "above")], "exit_conditions": [mean_cross(period, "below")]}


def seven(entry: dict[str, Any], risk: dict[str, Any], **others: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Four ways out after the same fall, and three ways to follow a rise."""
    target = {"take_profit_percent": risk["take_profit_percent"]}
    return {
        "sensible dip": {"conditions": [entry], "risk_management": risk},
        "target only": {"conditions": [entry], "risk_management": target},
        "far stop": {"conditions": [entry], "risk_management": {**target, "stop_loss_percent": 30}},
        "signal exit": {"conditions": [entry], "exit_conditions": [rise(entry["percent"], entry["window"])]},
        **{name.replace("_", " "): strategy for name, strategy in others.items()},
    }


STRATEGIES = {
    INTERVAL: seven(
        drop(3),
        {"stop_loss_percent": 5, "take_profit_percent": 4, "max_holding": "4h"},
        trailing_stop={"conditions": [rise(3, "4h")], "risk_management": {"trailing_stop_percent": 4}},
        trend_follower=follower(200),
        breakout={"conditions": [rise(4, "12h")], "risk_management": {"max_holding": "12h"}},
    ),
    HOUR: seven(
        drop(6, "12h"),
        {"stop_loss_percent": 10, "take_profit_percent": 8, "max_holding": "2d"},
        trailing_stop={"conditions": [rise(5, "12h")], "risk_management": {"trailing_stop_percent": 6}},
        trend_follower=follower(24),
        breakout={"conditions": [rise(6, "1d")], "risk_management": {"max_holding": "1d"}},
    ),
}
"""For candles of 5 minutes and of an hour."""
