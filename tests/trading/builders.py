"""Helpers that make candles, strategies and runs for tests."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from strategybot.trading.engine.candles import NO_MINUTES, Candles, Floats, Integers, tidy
from strategybot.trading.engine.conditions import Wanted, wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.guards import opening_watch
from strategybot.trading.engine.inside import Minutes
from strategybot.trading.engine.jit import compiled
from strategybot.trading.engine.ledger import (
    DOUBTS,
    FILLS,
    SIGNALS,
    RoundTrips,
    new_ledger,
    round_trips,
    with_room,
)
from strategybot.trading.engine.loop import Market, Run, market_of, new_control, run, step_at
from strategybot.trading.engine.risk import State
from strategybot.trading.engine.step import Rules, opening_state, rules_of
from strategybot.trading.language.conditions import Condition
from strategybot.trading.language.strategy import RiskManagement, Strategy
from tests.trading.random_series import comparisons

START = 1_700_000_040  # a whole minute, not a whole hour
MINUTE = 60
FREE = Costs(fee_percent=0, slippage_percent=0)
CASH = 1000.0
MINUTELESS = Minutes(np.empty(0, np.int64), *(np.empty(0) for _ in range(3)))


def candles_of(rows: Sequence[Sequence[float]], interval: int = MINUTE, start: int = START) -> Candles:
    """Return candles from rows of open, high, low, close and optionally volume."""
    table = np.array([[*row, 1.0][:5] for row in rows], dtype=np.float64).reshape(len(rows), 5)
    time = start + interval * np.arange(len(rows))
    return tidy(time, *table.T, interval_seconds=interval)[0]


def closes(*values: float, volumes: Sequence[float] | None = None, interval: int = MINUTE) -> Candles:
    """Return candles that open at the previous close, with high and low at their open and close."""
    opens = [values[0], *values[:-1]]
    amounts = volumes or [1.0] * len(values)
    rows = [(o, max(o, c), min(o, c), c, v) for o, c, v in zip(opens, values, amounts, strict=True)]
    return candles_of(rows, interval)


def strategy_of(*conditions: dict[str, Any], **rest: Any) -> Strategy:
    risk = {key: rest.pop(key) for key in list(rest) if key in RISK}
    return Strategy.model_validate({"conditions": list(conditions), "risk_management": risk, **rest})


RISK = tuple(RiskManagement.model_fields)


def drop(percent: float, window: str = "1m", reference: str = "close") -> dict[str, Any]:
    return {"kind": "price_drop", "percent": percent, "window": window, "reference": reference}


def rise(percent: float, window: str = "1m", reference: str = "close") -> dict[str, Any]:
    return {"kind": "price_rise", "percent": percent, "window": window, "reference": reference}


def spike(multiplier: float, window: str = "1m") -> dict[str, Any]:
    return {"kind": "volume_spike", "multiplier": multiplier, "window": window}


def level(value: float, direction: str = "above", trigger: str = "cross") -> dict[str, Any]:
    return {"kind": "price_level", "level": value, "direction": direction, "trigger": trigger}


def engine(
    strategy: Strategy,
    candles: Candles,
    costs: Costs = FREE,
    *,
    start: int = 0,
    plain: bool = False,
    minutes: Candles = NO_MINUTES,
) -> Run:
    """Return the result of the engine's run; with `plain`, of a loop that takes the step of every candle."""
    rules = rules_of(strategy, costs, candles.interval_seconds)
    market, wanted = market_of(candles, minutes), wanted_of(strategy, candles)
    return (every_step if plain else run)(rules, market, wanted, start, opening_state(CASH), new_control())


@compiled
def every_step(rules: Rules, market: Market, wanted: Wanted, start: int, state: State, control: Integers) -> Run:
    ledger, watch = new_ledger(), opening_watch(state.cash)
    for i in range(start, len(market.time)):
        ledger = with_room(ledger)
        done = step_at(rules, market, wanted, ledger, i, state, watch)
        state, watch = done.state, done.watch
        control[0] += 1
    return Run(ledger, state, len(market.time), watch)


def trades_of(run: Run, paid: Costs = FREE) -> RoundTrips:
    """Return the closed trades of a run with these costs."""
    return round_trips(run.ledger, paid.slippage)


def identical(one: Run, other: Run) -> None:
    """Assert that two runs are equal to the bit."""
    fills, signals = int(one.ledger.counts[FILLS]), int(one.ledger.counts[SIGNALS])
    assert one.ledger.counts.tolist() == other.ledger.counts.tolist()
    assert np.array_equal(one.ledger.places[:fills], other.ledger.places[:fills])
    assert np.array_equal(one.ledger.amounts[:fills], other.ledger.amounts[:fills])
    assert np.array_equal(one.ledger.signals[:signals], other.ledger.signals[:signals])
    doubts = int(one.ledger.counts[DOUBTS])
    assert np.array_equal(one.ledger.doubts[:doubts], other.ledger.doubts[:doubts])
    assert tuple(one.state) == tuple(other.state)
    assert tuple(one.watch) == tuple(other.watch)
    assert one.end == other.end


def true_places(condition: Condition, candles: Candles) -> list[int]:
    """Return the candles at which the column of a condition is set, after reading it at each candle as well."""
    flags = condition.flags(candles, {})
    assert flags.dtype == np.uint8
    found: list[int] = np.flatnonzero(flags).tolist()
    read = condition.read(candles, np.arange(len(candles))).fired
    assert np.flatnonzero(read).tolist() == found
    return found


def random_candles(seed: int, count: int, *, scale: float = 1.0, calm: float = 0.01, interval: int = MINUTE) -> Candles:
    """Return a random walk with jumps, gaps, quiet stretches, idle buckets and unknown volumes."""
    chance = np.random.default_rng(seed)
    moves = chance.normal(0, calm, count) * (chance.random(count) < 0.8)
    moves += chance.choice([0.08, -0.08], count) * (chance.random(count) < 0.1)
    close = scale * np.exp(np.cumsum(moves))
    gap = 1 + 0.03 * chance.normal(size=count) * (chance.random(count) < 0.2)
    opens = np.concatenate((close[:1], close[:-1])) * np.abs(gap)
    high = np.maximum(opens, close) * (1 + np.abs(chance.normal(0, calm, count)) * (chance.random(count) < 0.7))
    low = np.minimum(opens, close) * (1 - np.abs(chance.normal(0, calm, count)) * (chance.random(count) < 0.7))
    time = START + interval * np.cumsum(chance.choice([1, 1, 1, 1, 1, 5], count))
    return tidy(time, opens, high, low, close, volumes(chance, count), interval_seconds=interval)[0]


def put_together(minutes: Candles, interval: int) -> Candles:
    """Return the longer candles that consist of these minutes."""
    buckets = minutes.time // interval * interval
    first = np.flatnonzero(np.diff(buckets, prepend=-1))
    last = np.append(first[1:], len(minutes)) - 1
    prices = minutes.open[first], np.maximum.reduceat(minutes.high, first), np.minimum.reduceat(minutes.low, first)
    volume = np.add.reduceat(minutes.volume, first)
    return Candles(interval, buckets[first], *prices, minutes.close[last], volume)


def volumes(chance: np.random.Generator, count: int) -> Floats:
    volume = np.round(chance.lognormal(2, 1.2, count), int(chance.integers(0, 4)))
    volume[chance.random(count) < 0.03] = 0
    volume[chance.random(count) < 0.01] = np.nan
    return volume


windows = st.sampled_from(["1m", "2m", "3m", "7m", "15m", "20m", "45m", "1h", "3h"])
percents = st.sampled_from([0.1, 0.5, 1, 2.5, 5, 8, 12, 30])


def at_time(
    begin: str | None, end: str | None, weekdays: list[str] | None = None, timezone: str = "UTC"
) -> dict[str, Any]:
    given = {"from": begin, "to": end, "weekdays": weekdays}
    return {"kind": "time", **{key: value for key, value in given.items() if value is not None}, "timezone": timezone}


def every(period: str, at: str = "00:00") -> dict[str, Any]:
    return {"kind": "every", "period": period, "at": at}


def group(match: str, *members: dict[str, Any], count: int | None = None) -> dict[str, Any]:
    return {"kind": "group", "match": match, "conditions": list(members), **({"count": count} if count else {})}


@st.composite
def groups(draw: st.DrawFn, member: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    members, match = draw(st.lists(member, min_size=1, max_size=3)), draw(st.sampled_from(GROUP_MATCHES))
    return group(match, *members, count=draw(st.integers(1, len(members))) if match == "at_least" else None)


GROUP_MATCHES = ["all", "any", "none", "at_least"]
TIMES = ["00:00", "03:30", "06:15", "12:00", "22:45"]
moments = st.one_of(
    st.builds(
        at_time,
        st.sampled_from([None, *TIMES[1:]]),
        st.sampled_from([None, "01:00", "09:20", "23:10"]),
        st.sampled_from([None, None, ["tue", "wed"], ["mon", "tue", "sun"]]),
        st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kathmandu"]),
    ),
    st.builds(every, st.sampled_from(["1h", "90m", "7h", "1d", "7d"]), st.sampled_from(TIMES)),
)


@cache  # to check one that is made anew takes longer than to draw from it
def conditions(scale: float) -> st.SearchStrategy[dict[str, Any]]:
    leaf = leaves(scale)
    return leaf | leaf | leaf | groups(leaf | groups(leaf))


@cache
def leaves(scale: float) -> st.SearchStrategy[dict[str, Any]]:
    return st.one_of(
        moments,
        st.builds(drop, percents, windows, st.sampled_from(["close", "high"])),
        st.builds(rise, percents, windows, st.sampled_from(["close", "low"])),
        st.builds(spike, st.sampled_from([1.01, 1.5, 2, 3, 6]), windows),
        st.builds(
            level,
            st.sampled_from([0.7, 0.9, 1.0, 1.1, 1.5]).map(lambda factor: factor * scale),
            st.sampled_from(["above", "below"]),
            st.sampled_from(["cross", "is"]),
        ),
        comparisons(scale),
        comparisons(scale),
    )


GUARDS = [
    {"max_drawdown_percent": 3},
    {"losing_streak": {"losses": 1, "pause": "30m"}, "max_trades_per_day": 7},
    {"losing_streak": {"losses": 2, "pause": "2h"}},
    {"max_trades_per_day": 1},
    {"max_drawdown_percent": 12, "losing_streak": {"losses": 3, "pause": "1d"}, "max_trades_per_day": 3},
]


def drawn_plan(draw: st.DrawFn, scale: float) -> dict[str, Any]:
    def perhaps(values: list[Any]) -> Any:
        return draw(st.sampled_from([None, *values]))

    return {
        "conditions": draw(st.lists(conditions(scale), min_size=1, max_size=3)),
        "match": draw(st.sampled_from(["all", "any"])),
        "exit_conditions": draw(st.lists(conditions(scale), max_size=2)),
        "exit_match": draw(st.sampled_from(["all", "any"])),
        "risk_management": {
            "stop_loss_percent": perhaps([0.3, 2, 5, 20]),
            "take_profit_percent": perhaps([0.5, 3, 10, 150]),
            "trailing_stop_percent": perhaps([0.5, 3, 9]),
            "max_holding": perhaps(["1m", "10m", "1h", "5h"]),
            "cooldown": perhaps(["1m", "7m", "2h"]),
        },
        "position_percent": draw(st.sampled_from([100, 100, 33.3, 1])),
        "guards": draw(st.sampled_from([None, *GUARDS])),
    }


@st.composite
def strategies(draw: st.DrawFn, scale: float = 1.0) -> Strategy:
    return Strategy.model_validate(drawn_plan(draw, scale))


TARGETS = [
    ((2, 100),),
    ((1, 20),),
    ((1, 50), (4, 50)),
    ((0.5, 33.3), (3, 33.3), (10, 33.4)),
    ((3, 60), (6, 10), (9, 5)),
]
LADDERS = [((1, 20), (3, 30)), ((0.3, 10), (2, 10), (5, 20), (9, 20)), ((4, 50),), ((0.02, 0.05), (6, 40))]
DISTANCES = [{"period": 2, "times": 1.5}, {"period": 5, "times": 0.5}, {"period": 14, "times": 4}, {"times": 1000}]


@st.composite
def order_strategies(draw: st.DrawFn, scale: float = 1.0) -> Strategy:
    """Draw a strategy that buys or sells in parts, or sizes its buys by money or risk."""
    plan = drawn_plan(draw, scale)
    risk = plan["risk_management"]
    for kind in ("stop_loss", "trailing_stop"):
        distance = draw(st.sampled_from([None, None, *DISTANCES]))
        if distance is not None:
            risk |= {f"{kind}_percent": None, f"{kind}_atr": distance}
    targets = draw(st.sampled_from([None, *TARGETS]))
    if targets is not None:
        parts = [{"gain_percent": gain, "sell_percent": share} for gain, share in targets]
        risk |= {"take_profit_percent": None, "take_profits": parts}
    risk["break_even_after_percent"] = draw(st.sampled_from([None, 0.5, 0.5, 1, 1]))
    ladder = draw(st.sampled_from([None, None, *LADDERS]))
    if ladder is not None:
        plan["ladder"] = [{"drop_percent": fall, "size_percent": share} for fall, share in ladder]
        plan["position_percent"] = draw(st.sampled_from([40, 33.3, 1, 0.05]))
    if draw(st.booleans()):
        plan |= {"position_percent": 100, "position_amount": draw(st.sampled_from([1, 90, 400, 1e6]))}
    elif ladder is None and draw(st.booleans()) and any(value for name, value in risk.items() if "stop" in name):
        plan |= {"position_percent": 100, "risk_percent": draw(st.sampled_from([0.01, 1, 5, 100]))}
    plan["max_entries"] = draw(st.sampled_from([1, 1, 2, 5, 10_000]))
    plan["entry_gap"] = draw(st.sampled_from([None, "1m", "10m", "3h"]))
    return Strategy.model_validate(plan)


scales = st.sampled_from([1e-12, 1e-8, 0.0123, 1.0, 60_000.0, 1e9])
costs = st.builds(
    Costs,
    fee_percent=st.sampled_from([0, 0.1, 1]),
    slippage_percent=st.sampled_from([0, 0.05, 2]),
    buy_tax_percent=st.sampled_from([0, 0, 4]),
    sell_tax_percent=st.sampled_from([0, 0, 6]),
    liquidity_usd=st.sampled_from([None, None, 1e5, 2e3]),
)


@st.composite
def cases(
    draw: st.DrawFn, longest: int = 700, kind: Callable[[float], st.SearchStrategy[Strategy]] = strategies
) -> tuple[Strategy, Candles, Costs]:
    scale = draw(scales)
    seed, count = draw(st.integers(0, 2**32)), draw(st.integers(0, longest))
    calm = draw(st.sampled_from([0.0, 0.002, 0.02]))
    return draw(kind(scale)), random_candles(seed, count, scale=scale, calm=calm), draw(costs)
