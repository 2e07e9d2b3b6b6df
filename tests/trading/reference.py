"""A second reading of the engine's rules, in plain Python, one candle at a time, sharing no code with the engine.

Slow on purpose: it keeps nothing between candles but the book, and looks every window up anew. The series of
comparisons are read in `reference_series`.
"""

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.language.strategy import Strategy
from tests.trading.reference_series import UNCERTAIN, Market, Value

UNITS = {"m": 60, "h": 3600, "d": 86400}


def seconds(text: str | None) -> int | None:
    return None if text is None else int(text[:-1]) * UNITS[text[-1]]


@dataclass
class Trade:
    entry: int
    exit: int
    entry_price: float
    exit_base: float
    exit_price: float
    quantity: float
    budget: float
    proceeds: float
    reason: str


@dataclass
class Book:
    cash: float
    quantity: float = 0.0
    entry: int = -1
    entry_price: float = 0.0
    budget: float = 0.0
    peak: float = 0.0
    exit_time: int | None = None
    pending: str | None = None
    trades: list[Trade] = field(default_factory=list)
    signals: list[tuple[int, str]] = field(default_factory=list)
    equity: list[float] = field(default_factory=list)
    refused: list[tuple[int, str]] = field(default_factory=list)  # candles whose entry a guard refused
    doubts: list[tuple[int, bool]] = field(default_factory=list)  # candles in doubt, and whether minutes decided


class Reference:
    def __init__(
        self,
        strategy: Strategy,
        candles: Candles,
        costs: Costs,
        minutes: Candles | None = None,
    ) -> None:
        self.plan: dict[str, Any] = strategy.model_dump()
        self.interval = candles.interval_seconds
        self.rows = list(zip(*(column.tolist() for column in candles.columns()), strict=True))
        self.fee, self.slippage = costs.fee_percent / 100, costs.slippage_percent / 100
        self.taxes = costs.buy_tax_percent / 100, costs.sell_tax_percent / 100
        self.depth = math.inf if costs.liquidity_usd is None else costs.liquidity_usd / 2
        self.minutes: dict[int, list[tuple[float, float, float]]] = {}
        if minutes is not None:
            rows = zip(*(column.tolist() for column in minutes.columns()[:4]), strict=True)
            for time, *prices in rows:
                self.minutes.setdefault(time // self.interval, []).append(tuple(prices))
        self.market = Market(self.rows, self.interval)
        self.close_call = False  # whether a comparison was too close to decide in floating point

    def run(self, cash: float, start: int = 0) -> Book:
        book, self.cash = Book(cash), cash
        for i in range(start, len(self.rows)):
            self.fill_pending(book, i)
            if book.quantity > 0:
                self.risk_exit(book, i)
            book.equity.append(book.cash + book.quantity * self.rows[i][4])
            self.decide(book, i)
        return book

    def fill_pending(self, book: Book, i: int) -> None:
        pending, book.pending = book.pending, None
        if pending == "entry":
            price = self.rows[i][1] * (1 + self.slippage)
            budget = book.cash * (self.plan["position_percent"] / 100)
            into_pool = budget / (1 + self.fee)
            # Of a constant-product pool with `depth` on each side, so much comes out for what goes in.
            out_of_pool = into_pool * self.depth / (self.depth + into_pool) if self.depth < math.inf else into_pool
            book.quantity = out_of_pool / price * (1 - self.taxes[0])
            book.cash -= budget
            book.entry, book.entry_price, book.budget, book.peak = i, price, budget, price
        elif pending is not None:
            self.sell(book, i, self.rows[i][1], pending)

    def sell(self, book: Book, i: int, base: float, reason: str) -> None:
        price = base * (1 - self.slippage)
        value = book.quantity * price
        out_of_pool = value * self.depth / (self.depth + value) if self.depth < math.inf else value
        proceeds = out_of_pool * (1 - self.fee) * (1 - self.taxes[1])
        book.trades.append(
            Trade(book.entry, i, book.entry_price, base, price, book.quantity, book.budget, proceeds, reason)
        )
        book.cash += proceeds
        book.quantity, book.exit_time = 0.0, self.rows[i][0]

    def risk_exit(self, book: Book, i: int) -> None:
        time, open_, high, low, _, _ = self.rows[i]
        peak = max([book.entry_price] + [row[2] for row in self.rows[book.entry : i]])
        found = self.exit_of(book, peak, open_, high, low)
        if self.in_doubt(book, peak, open_, high, low):
            minutes = self.minutes.get(time // self.interval, [])
            book.doubts.append((i, bool(minutes)))
            if minutes:
                found = self.exit_by_minutes(book, peak, minutes)
        if found is not None:
            self.sell(book, i, *found)

    def exit_by_minutes(
        self, book: Book, peak: float, minutes: list[tuple[float, float, float]]
    ) -> tuple[float, str] | None:
        for prices in minutes:
            found = self.exit_of(book, peak, *prices)
            if found is not None:
                return found
            peak = max(peak, prices[1])
        return None

    def levels(self, book: Book, peak: float) -> tuple[float, str, float]:
        """Return the stop, its name, and the target."""
        risk = self.plan["risk_management"]
        stops = []
        if risk["stop_loss_percent"] is not None:
            stops.append((book.entry_price * (1 - risk["stop_loss_percent"] / 100), "stop_loss"))
        if risk["trailing_stop_percent"] is not None:
            stops.append((peak * (1 - risk["trailing_stop_percent"] / 100), "trailing_stop"))
        stop, name = max(stops, key=lambda each: each[0], default=(-math.inf, ""))
        profit = risk["take_profit_percent"]
        return stop, name, math.inf if profit is None else book.entry_price * (1 + profit / 100)

    def exit_of(self, book: Book, peak: float, open_: float, high: float, low: float) -> tuple[float, str] | None:
        stop, name, target = self.levels(book, peak)
        if low <= stop:
            return min(open_, stop), name
        if high >= target:
            return max(open_, target), "take_profit"
        return None

    def in_doubt(self, book: Book, peak: float, open_: float, high: float, low: float) -> bool:
        stop, _, target = self.levels(book, peak)
        trailing = self.plan["risk_management"]["trailing_stop_percent"]
        moved = trailing is not None and high > peak and low <= high * (1 - trailing / 100)
        return open_ > stop and (moved or (open_ < target and low <= stop and high >= target))

    def decide(self, book: Book, i: int) -> None:
        time = self.rows[i][0]
        risk = self.plan["risk_management"]
        if book.quantity == 0:
            cooldown = seconds(risk["cooldown"]) or 0
            ready = book.exit_time is None or time >= book.exit_time + cooldown
            if ready and self.verdict(self.plan["conditions"], self.plan["match"], i):
                guard = self.refusing_guard(book, i)
                if guard is None:
                    book.pending = "entry"
                else:
                    book.refused.append((i, guard))
        elif self.verdict(self.plan["exit_conditions"], self.plan["exit_match"], i):
            book.pending = "exit_conditions"
        else:
            longest = seconds(risk["max_holding"])
            if longest is not None and time + self.interval - self.rows[book.entry][0] >= longest:
                book.pending = "max_holding"
        if book.pending is not None:
            book.signals.append((i, book.pending))

    def refusing_guard(self, book: Book, i: int) -> str | None:
        """Return the guard that refuses to buy after candle i, computed from the whole past of the run."""
        guards = self.plan.get("guards") or {}
        fall, streak, most = (
            guards.get(name) for name in ("max_drawdown_percent", "losing_streak", "max_trades_per_day")
        )
        highest = self.cash
        for mark in book.equity:
            highest = max(highest, mark)
            if fall is not None and (highest - mark) / highest >= fall / 100:
                return "max_drawdown"
        if streak is not None and self.paused(book, streak, self.rows[i][0]):
            return "losing_streak"
        day = (self.rows[i][0] + self.interval) // UNITS["d"]
        bought = sum(self.rows[trade.entry][0] // UNITS["d"] == day for trade in book.trades)
        return "max_trades_per_day" if most is not None and bought >= most else None

    def paused(self, book: Book, streak: dict[str, Any], time: int) -> bool:
        lost = [trade.proceeds - trade.budget < -1e-9 * trade.budget for trade in book.trades]
        ends = [
            self.rows[trade.exit][0] + (seconds(streak["pause"]) or 0)
            for k, trade in enumerate(book.trades)
            if k + 1 >= streak["losses"] and all(lost[k + 1 - streak["losses"] : k + 1])
        ]
        return any(time < end for end in ends)

    def verdict(self, conditions: list[dict[str, Any]], match: str, i: int) -> bool:
        truths = [self.true(condition, i) for condition in conditions]
        return bool(truths) and (all(truths) if match == "all" else any(truths))

    def known_truth(self, condition: dict[str, Any], i: int) -> bool | None:
        """Return whether the condition is true; None if it is unknown."""
        if condition["kind"] != "group":
            return self.true(condition, i) or (False if self.known(condition, i) else None)
        members = [self.known_truth(each, i) for each in condition["conditions"]]
        least, most = members.count(True), members.count(True) + members.count(None)
        needed: int = {"all": len(members), "at_least": condition.get("count", 0)}.get(condition["match"], 1)
        at_least = True if least >= needed else False if most < needed else None
        return at_least if condition["match"] != "none" or at_least is None else not at_least

    def grouped(self, condition: dict[str, Any], i: int) -> bool:
        return self.known_truth(condition, i) is True

    def known(self, condition: dict[str, Any], i: int) -> bool:
        kind = condition["kind"]
        if kind in ("time", "every"):
            return True
        if kind == "compare":
            gaps = [self.gap(condition, i)]
            if condition["operator"].startswith("crosses"):
                gaps.append(self.gap(condition, i - 1) if i else math.nan)
            return not any(map(math.isnan, gaps))
        if kind == "price_level":
            return condition["trigger"] == "is" or i >= 1
        window = max(1, math.ceil((seconds(condition["window"]) or 0) / self.interval))
        volumes = [row[5] for row in self.rows[max(0, i - window) : i + 1]]
        return i >= window and not (kind == "volume_spike" and any(map(math.isnan, volumes)))

    def in_hours(self, condition: dict[str, Any], i: int) -> bool:
        local = datetime.fromtimestamp(self.rows[i][0] + self.interval, ZoneInfo(condition["timezone"]))
        now, begin, end = local.strftime("%H:%M"), condition.get("from", "00:00"), condition.get("to", "24:00")
        if begin > end and now < end:
            now, local = "24:00", datetime.combine(local.date() - timedelta(days=1), local.time())
        end = "25:00" if begin > end else end
        days = condition.get("weekdays", ["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
        return begin <= now < end and local.strftime("%a").lower() in days

    def begins(self, condition: dict[str, Any], i: int) -> bool:
        """Return whether a period began after the close before this one and until this one: look at every minute."""
        close, period = self.rows[i][0] + self.interval, seconds(condition["period"]) or 0
        monday = datetime(1970, 1, 5, int(condition["at"][:2]), int(condition["at"][3:]), tzinfo=UTC).timestamp()
        return any((moment - monday) % period == 0 for moment in range(close, close - self.interval, -1))

    def true(self, condition: dict[str, Any], i: int) -> bool:
        own = {"group": self.grouped, "time": self.in_hours, "every": self.begins, "price_level": self.level}
        if condition["kind"] in own:
            return own[condition["kind"]](condition, i)
        if condition["kind"] == "compare":
            return any(self.compared(condition, j) for j in range(max(0, i - condition["within_candles"] + 1), i + 1))
        window = max(1, math.ceil((seconds(condition["window"]) or 0) / self.interval))
        if i < window:
            return False
        before, now = self.rows[i - window : i], self.rows[i]
        if condition["kind"] == "volume_spike":
            amounts = [row[5] for row in before]
            if math.isnan(now[5]) or any(math.isnan(amount) for amount in amounts):
                return False
            mean = math.fsum(amounts) / window
            return bool(mean > 0 and now[5] >= condition["multiplier"] * mean)
        if condition["kind"] == "price_drop":
            ref = before[0][4] if condition["reference"] == "close" else max(row[2] for row in before)
            return bool((ref - now[4]) / ref >= condition["percent"] / 100)
        ref = before[0][4] if condition["reference"] == "close" else min(row[3] for row in before)
        return bool((now[4] - ref) / ref >= condition["percent"] / 100)

    def level(self, condition: dict[str, Any], i: int) -> bool:
        sign = 1 if condition["direction"] == "above" else -1
        now, limit = float(sign * self.rows[i][4]), float(sign * condition["level"])
        if condition["trigger"] == "is":
            return now >= limit
        return bool(i >= 1 and sign * self.rows[i - 1][4] < limit <= now)

    def compared(self, condition: dict[str, Any], i: int) -> bool:
        """Return whether the comparison is true at this candle."""
        sign = 1 if condition["operator"].endswith("above") else -1
        if sign * self.gap(condition, i) > 0:
            return not condition["operator"].startswith("crosses") or (i > 0 and sign * self.gap(condition, i - 1) <= 0)
        return False

    def gap(self, condition: dict[str, Any], i: int) -> float:
        """Return how far the left side is above the right one; NaN if one of them is unknown."""
        number = condition["right"]
        left = self.market.value(condition["left"], i)
        right = self.market.value(number, i) if isinstance(number, dict) else Value(number, abs(number))
        gap = left.value - right.value
        is_rounded = gap != 0 or any(adds_volumes(side) for side in (condition["left"], number))
        self.close_call |= is_rounded and abs(gap) <= UNCERTAIN * (left.size + right.size)
        return gap


def adds_volumes(side: Any) -> bool:
    """Return whether a side of a comparison has volumes of longer candles, which are sums."""
    return isinstance(side, dict) and side["interval"] is not None and "volume" in (side["series"], side.get("of"))
