"""A second reading of the rules of a portfolio, in plain Python, sharing no code with the engine.

Positions are lists of what was bought and sold; money is looked up anew at each candle. Only whether conditions are
met is asked of `reference`.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.language.strategy import Strategy
from tests.trading.reference import Reference, seconds

DAY = 86_400


@dataclass
class Held:
    """A position: its buys, and what it knows of its past."""

    whole: float
    first_price: float
    since: int
    peak: float
    last_entry: int
    quantity: float = 0.0
    average: float = 0.0
    bought: float = 0.0
    spent: float = 0.0
    received: float = 0.0
    entries: int = 0
    steps: int = 0
    targets: int = 0
    armed: bool = False


@dataclass
class Coin:
    name: str
    reading: Reference
    at: dict[int, int]  # row of each time
    start: int
    held: Any = None  # a `Held`, or None
    pending: str | None = None
    ready: float = -math.inf
    turned_away: int = 0
    refused: list[int] = field(default_factory=list)

    def row(self, time: int) -> Any:
        return self.reading.rows[self.at[time]] if time in self.at and time >= self.start else None

    def last_close(self, time: int) -> float:
        return float(self.reading.rows[max(row for moment, row in self.at.items() if moment <= time)][4])


@dataclass
class Fill:
    time: int
    token: str
    reason: str
    base: float
    quantity: float
    money: float


class PurseReference:
    def __init__(
        self,
        strategy: Strategy,
        universe: dict[str, tuple[Candles, int, set[int]]],
        costs: dict[str, Costs],
        cash: float,
        dead_loss: float = 50,
    ) -> None:
        self.plan: dict[str, Any] = strategy.model_dump()
        self.risk = self.plan["risk_management"]
        self.cash = self.first_cash = cash
        self.kept = 1 - dead_loss / 100
        portfolio = self.plan.get("portfolio") or {"max_open": 5, "prefer": "volume"}
        self.places, self.prefer = portfolio["max_open"], portfolio["prefer"]
        self.coins = []
        for name in sorted(universe):
            candles, start, gaps = universe[name]
            times = candles.time.tolist()
            rows = {time: row for row, time in enumerate(times) if time not in gaps}
            self.coins.append(Coin(name, Reference(strategy, candles, costs[name]), rows, times[start]))
        self.step = self.coins[0].reading.interval
        self.fills: list[Fill] = []
        self.signals: list[tuple[int, str, str]] = []
        self.equity: list[float] = []
        self.used: list[int] = []
        self.queue: list[Coin] = []  # decided buys, the next one first
        self.closed: list[tuple[int, bool]] = []  # when, and whether it lost
        self.bought_at: list[int] = []

    def run(self) -> None:
        begin = min(coin.start for coin in self.coins)
        last = max(max(coin.at) for coin in self.coins)
        for time in range(begin, last + self.step, self.step):
            self.open_all(time)
            locked = 0.0
            for coin in self.coins:
                row = coin.row(time)
                if row is not None and coin.held is not None:
                    before = self.cash
                    self.pass_candle(coin, row)
                    gain = self.cash - before
                    if gain > 0:  # others cannot spend it before the next open
                        self.cash, locked = before, locked + gain
            self.cash += locked
            self.bury(time)
            self.equity.append(
                self.cash + sum(coin.held.quantity * coin.last_close(time) for coin in self.coins if coin.held)
            )
            self.used.append(sum(coin.held is not None for coin in self.coins))
            self.decide_all(time)

    def open_all(self, time: int) -> None:
        for coin in self.coins:
            row = coin.row(time)
            if row is not None and coin.pending not in (None, "entry"):
                reason, coin.pending = coin.pending, None
                self.sell(coin, time, row[1], coin.held.quantity, reason)
        worth = self.cash
        for coin in self.coins:
            if coin.held:
                row = coin.row(time)
                worth += coin.held.quantity * (coin.last_close(time) if row is None else row[1])
        for coin in [each for each in self.queue if each.row(time) is not None]:
            self.queue.remove(coin)
            coin.pending = None
            if coin.held is None and sum(each.held is not None for each in self.coins) >= self.places:
                coin.turned_away += 1
                continue
            self.enter(coin, time, coin.row(time)[1], worth)

    def enter(self, coin: Coin, time: int, price: float, worth: float) -> None:
        whole = worth / self.places if coin.held is None else coin.held.whole
        least = 1.0
        if self.plan.get("position_amount"):
            budget = self.plan["position_amount"]
        elif self.plan.get("risk_percent"):
            budget = self.risked(coin, price, worth)
        else:
            budget, least = whole * self.plan["position_percent"] / 100, 0.0 if coin.held is None else 1.0
        budget = min(budget, self.cash)
        if budget >= least and budget > 0:
            self.buy(coin, time, price, budget, whole, "entry")
            self.bought_at.append(time)

    def risked(self, coin: Coin, price: float, worth: float) -> float:
        costs = coin.reading
        paid = price * (1 + costs.slippage)
        stops = [
            paid * (1 - self.risk[name] / 100)
            for name in ("stop_loss_percent", "trailing_stop_percent")
            if self.risk[name] is not None
        ]
        kept = (1 - costs.slippage) * (1 - costs.fee) * (1 - costs.taxes[0]) * (1 - costs.taxes[1]) / (1 + costs.fee)
        lost = 1 - max(stops) / paid * kept
        return float(self.plan["risk_percent"] / 100 * worth / lost)

    def buy(self, coin: Coin, time: int, base: float, budget: float, whole: float, reason: str) -> None:
        costs = coin.reading
        price, into_pool = base * (1 + costs.slippage), budget / (1 + costs.fee)
        out = into_pool * costs.depth / (costs.depth + into_pool) if costs.depth < math.inf else into_pool
        quantity = out / price * (1 - costs.taxes[0])
        self.cash -= budget
        held = coin.held
        if held is None:
            held = coin.held = Held(whole, price, time, price, time)
        held.average = (held.quantity * held.average + quantity * price) / (held.quantity + quantity)
        held.quantity += quantity
        held.bought += quantity
        held.spent += budget
        if reason == "entry":
            held.entries, held.last_entry = held.entries + 1, time
        self.fills.append(Fill(time, coin.name, reason, base, quantity, budget))

    def sell(self, coin: Coin, time: int, base: float, quantity: float, reason: str) -> None:
        costs, held = coin.reading, coin.held
        value = quantity * base * (1 - costs.slippage)
        out = value * costs.depth / (costs.depth + value) if costs.depth < math.inf else value
        self.pay(coin, time, base, quantity, out * (1 - costs.fee) * (1 - costs.taxes[1]), reason)
        held.quantity -= quantity

    def pay(self, coin: Coin, time: int, base: float, quantity: float, money: float, reason: str) -> None:
        held = coin.held
        self.cash += money
        held.received += money
        self.fills.append(Fill(time, coin.name, reason, base, quantity, money))
        if quantity == held.quantity:
            self.closed.append((time, held.received - held.spent < -1e-9 * held.spent))
            coin.held, coin.ready = None, time + (seconds(self.risk["cooldown"]) or 0)

    def stop(self, held: Held) -> tuple[float, str]:
        levels = []
        if self.risk["trailing_stop_percent"] is not None:
            levels.append((held.peak * (1 - self.risk["trailing_stop_percent"] / 100), 1, "trailing_stop"))
        if self.risk["stop_loss_percent"] is not None:
            levels.append((held.average * (1 - self.risk["stop_loss_percent"] / 100), 2, "stop_loss"))
        if held.armed:
            levels.append((held.average, 3, "break_even"))
        level, _, name = max(levels, default=(-math.inf, 0, ""))
        return level, name

    def rung(self, held: Held) -> float:
        ladder = self.plan.get("ladder") or []
        return held.first_price * (1 - ladder[held.steps]["drop_percent"] / 100) if held.steps < len(ladder) else 0.0

    def climb(self, coin: Coin, time: int, base: float) -> None:
        """Buy the next step of the ladder."""
        held = coin.held
        budget = min(held.whole * self.plan["ladder"][held.steps]["size_percent"] / 100, self.cash)
        held.steps += 1
        if budget >= 1:
            self.buy(coin, time, base, budget, held.whole, "ladder")

    def may_add(self) -> bool:
        return not self.halted()

    def halted(self) -> bool:
        fall = (self.plan.get("guards") or {}).get("max_drawdown_percent")
        highest = self.first_cash
        for mark in self.equity:
            highest = max(highest, mark)
            if fall is not None and (highest - mark) / highest >= fall / 100:
                return True
        return False

    def pass_candle(self, coin: Coin, row: tuple[Any, ...]) -> None:
        time, open_, high, low, _, _ = row
        level, name = self.stop(coin.held)
        if open_ <= level:
            self.sell(coin, time, open_, coin.held.quantity, name)
            return
        while self.may_add() and self.rung(coin.held) >= open_:
            self.climb(coin, time, open_)
        average = coin.held.average
        if self.reaches_stop(coin, low):
            self.fall(coin, time, low)
            return
        self.rise(coin, time, open_, high)
        if coin.held is not None:
            self.fall(coin, time, low)
        if coin.held is not None:
            coin.held.peak = max(coin.held.peak, high)
            after = self.risk.get("break_even_after_percent")
            coin.held.armed = coin.held.armed or (after is not None and high >= average * (1 + after / 100))

    def reaches_stop(self, coin: Coin, low: float) -> bool:
        """Go down with a copy of the books, and look whether the stop is reached."""
        saved = self.cash, coin.held, coin.ready, len(self.fills), len(self.closed)
        coin.held = Held(**vars(coin.held))
        self.fall(coin, 0, low)
        reached = coin.held is None
        self.cash, coin.held, coin.ready = saved[:3]
        del self.fills[saved[3] :], self.closed[saved[4] :]
        return reached

    def fall(self, coin: Coin, time: int, low: float) -> None:
        while coin.held is not None:
            level, name = self.stop(coin.held)
            rung = self.rung(coin.held) if self.may_add() else 0.0
            if rung > level and low <= rung:
                self.climb(coin, time, rung)
            elif low <= level and level > 0:
                self.sell(coin, time, level, coin.held.quantity, name)
            else:
                return

    def rise(self, coin: Coin, time: int, open_: float, high: float) -> None:
        profit = self.risk["take_profit_percent"]
        targets = [(profit, 100.0)] if profit is not None else []
        targets += [(each["gain_percent"], each["sell_percent"]) for each in self.risk.get("take_profits") or []]
        while coin.held is not None and coin.held.targets < len(targets):
            held = coin.held
            level = held.average * (1 + targets[held.targets][0] / 100)
            if high < level:
                return
            held.targets += 1
            sold = held.bought * targets[held.targets - 1][1] / 100
            if sum(share for _, share in targets[: held.targets]) >= 100 - 1e-7:
                sold = held.quantity
            self.sell(coin, time, max(open_, level), min(held.quantity, sold), "take_profit")

    def bury(self, time: int) -> None:
        for coin in self.coins:
            if time - max(coin.at) == DAY:
                coin.pending = None
                self.queue = [each for each in self.queue if each is not coin]
                if coin.held is not None:
                    price = coin.last_close(time) * self.kept
                    self.pay(coin, time, price, coin.held.quantity, coin.held.quantity * price, "stopped_trading")

    def decide_all(self, time: int) -> None:
        wanting = []
        for coin in self.coins:
            row = coin.row(time)
            if row is None:
                continue
            decision = self.decision(coin, time)
            if decision == "entry":
                wanting.append(coin)
            elif decision is not None:
                coin.pending = decision
                self.signals.append((time, coin.name, decision))
        for coin in sorted(wanting, key=lambda each: (-self.score(each, time), each.name)):
            if self.refused(time):
                coin.refused.append(time)
                continue
            held = sum(each.held is not None for each in self.coins)
            buys = sum(each.held is None for each in self.queue)
            sales = sum(each.pending not in (None, "entry") for each in self.coins)
            if coin.held is None and self.places - held - buys + sales <= 0:
                coin.turned_away += 1
                continue
            coin.pending = "entry"
            self.queue.append(coin)
            self.signals.append((time, coin.name, "entry"))

    def decision(self, coin: Coin, time: int) -> str | None:
        i, held = coin.at[time], coin.held
        wants = coin.reading.verdict(self.plan["conditions"], self.plan["match"], i)
        if held is None:
            return "entry" if wants and time >= coin.ready else None
        if coin.reading.verdict(self.plan["exit_conditions"], self.plan["exit_match"], i):
            return "exit_conditions"
        longest = seconds(self.risk["max_holding"])
        if longest is not None and time + self.step - held.since >= longest:
            return "max_holding"
        gap = seconds(self.plan.get("entry_gap")) or 0
        may = held.entries < self.plan.get("max_entries", 1) and time + self.step - held.last_entry >= gap
        return "entry" if wants and may else None

    def score(self, coin: Coin, time: int) -> float:
        now = coin.at[time]
        past = max(0, now - DAY // self.step)
        if self.prefer == "volume":
            recent = [row[5] for row in coin.reading.rows[: now + 1] if row[0] > time - DAY]
            return math.fsum(volume for volume in recent if not math.isnan(volume))
        before, close = coin.reading.rows[past][4], coin.reading.rows[now][4]
        return float((close - before) / before * (1 if self.prefer == "rise" else -1))

    def refused(self, time: int) -> bool:
        guards = self.plan.get("guards") or {}
        streak, most = guards.get("losing_streak"), guards.get("max_trades_per_day")
        if self.halted():
            return True
        if streak is not None:
            run = 0
            for moment, lost in self.closed:
                run = run + 1 if lost else 0
                if run >= streak["losses"] and time < moment + (seconds(streak["pause"]) or 0):
                    return True
        day = (time + self.step) // DAY
        return most is not None and sum(each // DAY == day for each in self.bought_at) + len(self.queue) >= most
