"""A second, independent reading of the test of docs/verdict.md: plain loops, straight from its formulas."""

import math
from dataclasses import dataclass

from strategybot.trading.engine.backtest import BacktestResult
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.ledger import BASE, CANDLE, HELD, MONEY


@dataclass
class Fill:
    """Money and tokens that changed hands in a candle, at its open or inside of it."""

    candle: int
    at_open: bool
    is_buy: bool
    held: float  # after it
    money: float


@dataclass
class PlainTiming:
    days: list[int]
    gross: list[float]
    net: list[float]
    excess: list[float]
    t_gross: float
    t_net: float
    t_excess: float
    degrees: int
    share: float
    rise_in: float
    rise_out: float


def fills_of(candles: Candles, result: BacktestResult) -> list[Fill]:
    """Return the fills of a run. A sale in the candle of its position's first buy is never one of the open."""
    found: list[Fill] = []
    entered, held = -1, 0.0
    rows = zip(result.fills.places.tolist(), result.fills.amounts.tolist(), result.fills.are_buys, strict=True)
    for places, amounts, is_buy in rows:
        candle = places[CANDLE]
        if held == 0:
            entered = candle
        held = amounts[HELD]
        at_open = amounts[BASE] == candles.open[candle] and (is_buy or candle != entered)
        found.append(Fill(candle, at_open, bool(is_buy), held, amounts[MONEY]))
    return found


def plain_timing(candles: Candles, start: int, result: BacktestResult) -> PlainTiming:
    opens, count = candles.open.tolist(), len(candles)
    ends = [*opens[1:], float(candles.close[-1])]
    fills = fills_of(candles, result)
    m, h, u = [], [], []
    held = largest = 0.0  # largest: the most that the position has held so far
    for t in range(start, count):
        here = [fill for fill in fills if fill.candle == t]
        worth = held * opens[t] + sum(fill.money for fill in here if fill.is_buy)
        received = sum(fill.money for fill in here if not fill.is_buy)
        share = share_before = held / largest if held > 0 else 0.0
        for fill in here:
            largest = max(largest if held > 0 else 0.0, fill.held)
            held = fill.held
            if fill.at_open:
                share = held / largest
        received += held * ends[t]
        m.append(math.log(ends[t] / opens[t]))
        h.append(share)
        weight = max(share, share_before)
        u.append(weight * math.log(max(received / worth, 1e-9)) if weight > 0 else 0.0)
    return plain_sums(candles.time[start:].tolist(), m, h, u)


def plain_sums(times: list[int], m: list[float], h: list[float], u: list[float]) -> PlainTiming:
    total = len(times)
    mean_h, mean_m = sum(h) / total, sum(m) / total
    days = sorted({time // 86_400 for time in times})
    n, gross, net, excess, w = [], [], [], [], []
    for day in days:
        rows = [k for k in range(total) if times[k] // 86_400 == day]
        held, moved = sum(h[k] for k in rows), sum(m[k] for k in rows)
        base = mean_h * moved + mean_m * held - len(rows) * mean_h * mean_m
        made = sum(u[k] for k in rows)
        n.append(len(rows))
        gross.append(sum(h[k] * m[k] for k in rows) - base)
        net.append(made)
        excess.append(made - base)
        w.append(sum((h[k] - mean_h) ** 2 for k in rows))
    squares = sum(each**2 for each in w)
    degrees = math.floor(sum(w) ** 2 / squares + 1e-9) - 1 if squares > 1e-20 else 0
    rise_in = sum(h[k] * m[k] for k in range(total))
    rise_out = sum((1 - h[k]) * m[k] for k in range(total))
    t_gross, t_net, t_excess = (plain_t(each, n) for each in (gross, net, excess))
    return PlainTiming(days, gross, net, excess, t_gross, t_net, t_excess, max(0, degrees), mean_h, rise_in, rise_out)


def plain_t(values: list[float], candles: list[int]) -> float:
    count, total = len(values), sum(values)
    if count < 2:
        return 0.0
    squares = sum((value - n * total / sum(candles)) ** 2 for value, n in zip(values, candles, strict=True))
    spread = math.sqrt(count / (count - 1) * squares)
    return 0.0 if spread <= 1e-12 * sum(map(abs, values)) else total / spread
