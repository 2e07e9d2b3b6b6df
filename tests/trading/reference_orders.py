"""A second reading of positions that are bought and sold in parts, in plain Python, sharing no code with the engine.

It follows the rules of one candle word by word. Where they say "take the buys back", it works on a copy. Conditions,
guards and the costs of the token are those of `reference`, series those of `reference_series`.
"""

import copy
import math
from dataclasses import dataclass, field
from typing import Any

from tests.trading.reference import UNITS, Book, Reference, Trade, seconds
from tests.trading.reference_series import UNCERTAIN

LEAST = 1.0  # money: smaller buys are not made
Prices = tuple[float, float, float]  # open, high, low


@dataclass
class Fill:
    candle: int
    action: str
    reason: str
    base: float
    price: float
    quantity: float
    money: float  # the budget of a buy, the proceeds of a sale


@dataclass
class Hand:
    """A position and the cash beside it. Nothing is held while the quantity is 0."""

    cash: float
    quantity: float = 0.0
    bought: float = 0.0
    average: float = 0.0
    first: float = 0.0
    cash_before: float = 0.0
    peak: float = 0.0
    entries: int = 0
    step: int = 0
    target: int = 0
    armed: bool = False
    opened: int = -1
    last_entry: int = -1
    distances: tuple[float, float] = (math.inf, math.inf)  # of the stop and of the trailing stop, in ATR
    fills: list[Fill] = field(default_factory=list)


@dataclass
class OrderBook(Book):
    hand: Hand = field(default_factory=lambda: Hand(0.0))
    fills: list[Fill] = field(default_factory=list)
    bought_at: list[int] = field(default_factory=list)  # candles of first and further entries
    is_halted: bool = False
    highest: float = 0.0


class OrdersReference(Reference):
    """Reads every strategy; one that trades at once is the special case of one buy and one sale."""

    def prepare(self) -> None:
        self.risk: dict[str, Any] = self.plan["risk_management"]
        self.ladder: list[dict[str, float]] = self.plan.get("ladder") or []
        self.targets: list[dict[str, float]] = self.risk.get("take_profits") or []
        if self.risk["take_profit_percent"] is not None:
            self.targets = [{"gain_percent": self.risk["take_profit_percent"], "sell_percent": 100.0}]
        self.least_gap = seconds(self.plan.get("entry_gap")) or 0
        self.candle = 0

    def run(self, cash: float, start: int = 0) -> OrderBook:
        self.prepare()
        book, self.cash = OrderBook(cash, hand=Hand(cash), highest=cash), cash
        for i in range(start, len(self.rows)):
            self.candle = i
            self.open_fills(book, i)
            if book.hand.quantity > 0:
                self.inside(book, i)
            self.settle(book, i)
            self.mark(book, i)
            self.close(book, i)
        return book

    # Rule 1

    def open_fills(self, book: OrderBook, i: int) -> None:
        pending, book.pending = book.pending, None
        hand, open_ = book.hand, self.rows[i][1]
        if pending == "entry":
            self.enter(book, open_, i)
        elif pending is not None:
            self.sell_part(hand, open_, hand.quantity, pending)

    def enter(self, book: OrderBook, open_: float, i: int) -> None:
        hand, price = book.hand, open_ * (1 + self.slippage)
        is_first = hand.quantity == 0
        if is_first:
            distances = self.distance("stop_loss_atr", i - 1), self.distance("trailing_stop_atr", i - 1)
            hand = Hand(hand.cash, first=price, cash_before=hand.cash, peak=price, opened=i, distances=distances)
        budget, least = self.budget(hand, open_, price, is_first)
        if self.is_under(budget, least):
            return
        self.buy(hand, open_, budget, "entry")
        hand.entries += 1
        hand.last_entry = i
        book.hand = hand
        book.bought_at.append(i)

    def budget(self, hand: Hand, open_: float, price: float, is_first: bool) -> tuple[float, float]:
        """Return the money for an entry, and the least that it must be."""
        if self.plan.get("position_amount") is not None:
            return min(self.plan["position_amount"], hand.cash), LEAST
        if self.plan.get("risk_percent") is not None:
            return min(self.risked(hand, open_, price), hand.cash), LEAST
        share = self.plan["position_percent"] / 100
        return min(share * hand.cash_before, hand.cash), 0.0 if is_first else LEAST

    def risked(self, hand: Hand, open_: float, price: float) -> float:
        """Return the money of which the stop loses `risk_percent` of the equity."""
        equity = hand.cash + hand.quantity * open_
        stop = max(level for level, name in self.stops(hand, price, price) if name != "break_even")
        kept = (1 - self.slippage) * (1 - self.fee) * (1 - self.taxes[0]) * (1 - self.taxes[1]) / (1 + self.fee)
        lost = 1 - max(stop, 0.0) / price * kept
        return math.inf if lost <= 0 else self.plan["risk_percent"] / 100 * equity / lost

    def distance(self, name: str, i: int) -> float:
        """Return times × ATR at a candle; NaN if it is unknown, infinite if the strategy has none."""
        plan = self.risk.get(name)
        if plan is None:
            return math.inf
        found: float = plan["times"] * self.market.atr({"period": plan["period"]}, i).value
        return found

    def is_under(self, budget: float, least: float) -> bool:
        self.close_call |= least > 0 and abs(budget - least) <= UNCERTAIN
        return budget < least

    # Rule 2

    def stops(self, hand: Hand, average: float, peak: float) -> list[tuple[float, str]]:
        levels = [(average - hand.distances[0], "stop_loss"), (peak - hand.distances[1], "trailing_stop")]
        if self.risk["stop_loss_percent"] is not None:
            levels.append((average * (1 - self.risk["stop_loss_percent"] / 100), "stop_loss"))
        if self.risk["trailing_stop_percent"] is not None:
            levels.append((peak * (1 - self.risk["trailing_stop_percent"] / 100), "trailing_stop"))
        if hand.armed:
            levels.append((average, "break_even"))
        return levels

    def stop(self, hand: Hand) -> tuple[float, str]:
        """Return the highest stop and its name."""
        levels = self.stops(hand, hand.average, hand.peak)
        highest = max(levels, key=lambda each: each[0])
        others = [level for level, name in levels if name != highest[1]]
        self.close_call |= any(abs(level - highest[0]) <= UNCERTAIN * hand.average for level in others)
        return highest

    def buy(self, hand: Hand, base: float, budget: float, reason: str) -> None:
        price, into_pool = base * (1 + self.slippage), budget / (1 + self.fee)
        out_of_pool = into_pool if math.isinf(self.depth) else into_pool * self.depth / (self.depth + into_pool)
        quantity = out_of_pool / price * (1 - self.taxes[0])
        paid = hand.quantity * hand.average + quantity * price
        hand.average = price if hand.quantity == 0 else paid / (hand.quantity + quantity)
        hand.quantity += quantity
        hand.bought += quantity
        hand.cash -= budget
        hand.fills.append(Fill(self.candle, "BUY", reason, base, price, quantity, budget))

    def sell_part(self, hand: Hand, base: float, quantity: float, reason: str) -> None:
        price = base * (1 - self.slippage)
        value = quantity * price
        out_of_pool = value if math.isinf(self.depth) else value * self.depth / (self.depth + value)
        proceeds = out_of_pool * (1 - self.fee) * (1 - self.taxes[1])
        hand.quantity = 0.0 if quantity == hand.quantity else hand.quantity - quantity
        hand.cash += proceeds
        hand.fills.append(Fill(self.candle, "SELL", reason, base, price, quantity, proceeds))

    # Rules 3 to 6

    def inside(self, book: OrderBook, i: int) -> None:
        time, open_, high, low, _, _ = self.rows[i]
        hand, prices = book.hand, (open_, high, low)
        before = copy.deepcopy(hand)
        is_over = self.at_open(hand, open_, book.is_halted)
        if is_over:
            return
        if self.is_doubted(hand, prices, book.is_halted):
            minutes = self.minutes.get(time // self.interval, [])
            book.doubts.append((i, bool(minutes)))
            if minutes:
                book.hand = before
                for minute in minutes:
                    if before.quantity > 0 and not self.at_open(before, minute[0], book.is_halted):
                        self.trade(before, minute, book.is_halted)
                before.peak = max(before.peak, high)
                return
        self.trade(hand, prices, book.is_halted)

    def at_open(self, hand: Hand, open_: float, is_halted: bool) -> bool:
        """Rule 3: return whether the open sold everything; otherwise it fills the ladder levels at or above it."""
        stop, name = self.stop(hand)
        if self.reaches(hand, open_, stop):
            self.sell_part(hand, open_, hand.quantity, name)
            return True
        while not is_halted and hand.step < len(self.ladder) and self.reaches(hand, open_, self.rung(hand)):
            self.climb_down(hand, open_)
        return False

    def trade(self, hand: Hand, prices: Prices, is_halted: bool) -> None:
        """Rules 4 to 6 of a candle, or of a minute of it."""
        open_, high, low = prices
        average = hand.average
        downwards = copy.deepcopy(hand)
        if self.go_down(downwards, open_, low, is_halted):
            self.replace(hand, downwards)
            return
        self.go_up(hand, open_, high)
        while hand.quantity > 0 and hand.step < downwards.step:
            self.climb_down(hand, self.rung(hand))
        hand.peak = max(hand.peak, high)
        hand.armed |= self.arms(hand, average, high)

    @staticmethod
    def replace(hand: Hand, other: Hand) -> None:
        hand.__dict__.update(other.__dict__)

    def go_down(self, hand: Hand, price: float, low: float, is_halted: bool) -> bool:
        """Rule 4: return whether the stop was reached on the way down from a price."""
        while True:
            stop, name = self.stop(hand)
            rung = self.rung(hand) if hand.step < len(self.ladder) and not is_halted else -math.inf
            self.close_call |= abs(rung - stop) <= UNCERTAIN * hand.average
            if not self.reaches(hand, low, max(rung, stop)):
                return False
            if stop >= rung:
                self.sell_part(hand, min(stop, price), hand.quantity, name)
                return True
            price = min(rung, price)
            self.climb_down(hand, price)

    def rung(self, hand: Hand) -> float:
        return hand.first * (1 - self.ladder[hand.step]["drop_percent"] / 100)

    def climb_down(self, hand: Hand, base: float) -> None:
        """Buy the next ladder step; one of too little money is passed."""
        budget = min(self.ladder[hand.step]["size_percent"] / 100 * hand.cash_before, hand.cash)
        hand.step += 1
        if not self.is_under(budget, LEAST):
            self.buy(hand, base, budget, "ladder")

    def go_up(self, hand: Hand, open_: float, high: float) -> None:
        """Rule 5."""
        while hand.quantity > 0 and hand.target < len(self.targets):
            level = hand.average * (1 + self.targets[hand.target]["gain_percent"] / 100)
            if not self.reaches(hand, level, high):
                return
            share = self.targets[hand.target]["sell_percent"] / 100 * hand.bought
            hand.target += 1
            sold_by_now = math.fsum(each["sell_percent"] for each in self.targets[: hand.target])
            quantity = hand.quantity if sold_by_now >= 100 - 1e-9 else min(hand.quantity, share)
            self.sell_part(hand, max(open_, level), quantity, "take_profit")

    def arms(self, hand: Hand, average: float, high: float) -> bool:
        after = self.risk.get("break_even_after_percent")
        return after is not None and self.reaches(hand, average * (1 + after / 100), high)

    def reaches(self, hand: Hand, one: float, other: float) -> bool:
        """Return whether a price is at or under another one.

        One of them is a level. Readings that round differently may disagree if they are close, and where the level
        comes from several buys or from an ATR also if they are equal here.
        """
        is_computed = len(hand.fills) > 1 or min(hand.distances) < math.inf
        if math.isfinite(one) and math.isfinite(other) and (one != other or is_computed):
            self.close_call |= abs(one - other) <= UNCERTAIN * hand.average
        return one <= other

    # Doubts

    def is_doubted(self, hand: Hand, prices: Prices, is_halted: bool) -> bool:
        open_, high, low = prices
        stop = self.stop(hand)[0]
        if open_ <= stop:
            return False
        return (
            self.order_matters(hand, prices, is_halted)
            or (not hand.armed and hand.average > stop and self.arms(hand, hand.average, high) and low <= hand.average)
            or (high > hand.peak and self.reaches(hand, low, self.trailing(hand, high)))
        )

    def order_matters(self, hand: Hand, prices: Prices, is_halted: bool) -> bool:
        open_, high, low = prices
        if hand.target == len(self.targets):
            return False
        if self.reaches(hand, hand.average * (1 + self.targets[hand.target]["gain_percent"] / 100), open_):
            return False
        down_first, up_first = copy.deepcopy(hand), copy.deepcopy(hand)
        if not self.go_down(down_first, open_, low, is_halted):
            self.go_up(down_first, low, high)
        self.go_up(up_first, open_, high)
        if up_first.quantity > 0:
            self.go_down(up_first, open_, low, is_halted)
        return down_first.fills != up_first.fills

    def trailing(self, hand: Hand, peak: float) -> float:
        levels = [level for level, name in self.stops(hand, hand.average, peak) if name == "trailing_stop"]
        return max(levels)

    # Rule 7

    def settle(self, book: OrderBook, i: int) -> None:
        """Move the fills of the candle into the book, and close the trade if nothing is held any more."""
        hand = book.hand
        book.fills += [fill for fill in hand.fills if fill.candle == i]
        if hand.fills and hand.quantity == 0:
            book.trades.append(self.round_trip(hand))
            book.exit_time = self.rows[i][0]
            book.hand = Hand(hand.cash)

    @staticmethod
    def round_trip(hand: Hand) -> Trade:
        buys = [fill for fill in hand.fills if fill.action == "BUY"]
        sales = [fill for fill in hand.fills if fill.action == "SELL"]
        entry, exit_ = (
            sum(each.price * each.quantity for each in side) / sum(each.quantity for each in side)
            for side in (buys, sales)
        )
        spent, received = (sum(each.money for each in side) for side in (buys, sales))
        last = hand.fills[-1]
        return Trade(hand.opened, last.candle, entry, last.base, exit_, hand.bought, spent, received, last.reason)

    def mark(self, book: OrderBook, i: int) -> None:
        equity = book.hand.cash + book.hand.quantity * self.rows[i][4]
        book.equity.append(equity)
        book.highest = max(book.highest, equity)
        fall = (self.plan.get("guards") or {}).get("max_drawdown_percent")
        book.is_halted |= fall is not None and (book.highest - equity) / book.highest >= fall / 100

    def close(self, book: OrderBook, i: int) -> None:
        if book.hand.quantity > 0:
            book.pending = self.leaving(book.hand, i)
        if book.pending is None and self.may_enter(book, i):
            guard = self.refusing_guard(book, i)
            if guard is None:
                book.pending = "entry"
            else:
                book.refused.append((i, guard))
        if book.pending is not None:
            book.signals.append((i, book.pending))

    def leaving(self, hand: Hand, i: int) -> str | None:
        if self.verdict(self.plan["exit_conditions"], self.plan["exit_match"], i):
            return "exit_conditions"
        longest = seconds(self.risk["max_holding"])
        held = self.rows[i][0] + self.interval - self.rows[hand.opened][0]
        return "max_holding" if longest is not None and held >= longest else None

    def may_enter(self, book: OrderBook, i: int) -> bool:
        hand, time = book.hand, self.rows[i][0]
        if hand.quantity > 0:
            is_early = time + self.interval - self.rows[hand.last_entry][0] < self.least_gap
            if is_early or hand.entries >= self.plan.get("max_entries", 1):
                return False
        elif book.exit_time is not None and time < book.exit_time + (seconds(self.risk["cooldown"]) or 0):
            return False
        if any(math.isnan(self.distance(name, i)) for name in ("stop_loss_atr", "trailing_stop_atr")):
            return False
        return self.verdict(self.plan["conditions"], self.plan["match"], i)

    def refusing_guard(self, book: Book, i: int) -> str | None:
        guards = self.plan.get("guards") or {}
        assert isinstance(book, OrderBook)
        if book.is_halted:
            return "max_drawdown"
        streak, most = guards.get("losing_streak"), guards.get("max_trades_per_day")
        if streak is not None and self.paused(book, streak, self.rows[i][0]):
            return "losing_streak"
        day = (self.rows[i][0] + self.interval) // UNITS["d"]
        bought = sum(self.rows[entry][0] // UNITS["d"] == day for entry in book.bought_at)
        return "max_trades_per_day" if most is not None and bought >= most else None
