"""What the log and the signals of a paper session say about one token: a reason in words for every candle."""

from typing import Literal, NamedTuple

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import NO_FILL, Costs, FillCosts, paid_by_fill
from strategybot.trading.engine.guards import NOT_REFUSED, Watch
from strategybot.trading.engine.ledger import Fill
from strategybot.trading.engine.log_entries import LogEntry, Priced, price_fills
from strategybot.trading.engine.risk import ENTER, EXIT_CONDITIONS, LADDER, MAX_HOLDING, NOTHING, State
from strategybot.trading.engine.step import EXIT_REASONS, Rules, gain_of
from strategybot.trading.engine.tables import SignalRow
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.explain import entry_reading, exit_reading
from strategybot.trading.words.numbers import finite
from strategybot.trading.words.reason_data import NO_DECISION, Why
from strategybot.trading.words.why import (
    cooling_why,
    decided_why,
    holding_why,
    ladder_why,
    max_holding_why,
    not_bought_why,
    refusal_why,
    risk_why,
    unknown_range_why,
)


class Passed(NamedTuple):
    """What a candle did: the states before and after it, its fills in order, and which guard refused an entry."""

    was: State
    book: State
    fills: list[Fill]
    certainty: int
    watch: Watch
    refused_by: int = NOT_REFUSED


class Diary:
    def __init__(self, strategy: Strategy, costs: Costs, rules: Rules) -> None:
        self._strategy, self._costs, self._rules = strategy, costs, rules
        self.decision = NO_DECISION
        """Why the last close decided to trade."""

    def fills(self, seen: Candles, i: int, passed: Passed) -> list[LogEntry]:
        """Return an entry for each fill of a candle. They are explained by the decision of the last close."""
        found = price_fills(passed.was, passed.fills, self._rules.terms.slippage)
        return [self._fill_entry(seen, i, each, passed.certainty) for each in found]

    def close(self, seen: Candles, i: int, passed: Passed) -> LogEntry | None:
        """Note why the close decided something. Return the entry of a candle without a fill, None for one with."""
        self.decision = self._decision_words(seen, i, passed.book)
        if passed.fills:
            return None
        if passed.was.pending == ENTER:
            why = not_bought_why(is_small=passed.was.quantity > 0 or not self._sizes_by_share)
        elif passed.book.pending != NOTHING:
            why = decided_why(self.decision, side_of(passed.book))
        else:
            why = self._idle(seen, i, passed)
        return self.held(seen, i, why, passed.book)

    def signal(self, seen: Candles, i: int, book: State) -> SignalRow:
        """Return what the close decided."""
        return SignalRow(int(seen.time[i]), side_of(book), float(seen.close[i]), *self.decision)

    def held(self, seen: Candles, i: int, why: Why, book: State) -> LogEntry:
        entry_price = book.entry_price if book.quantity > 0 else None
        return entry_of(int(seen.time[i]), "HOLD", float(seen.close[i]), why, entry_price)

    @property
    def _sizes_by_share(self) -> bool:
        return self._strategy.position_amount is None and self._strategy.risk_percent is None

    def _fill_entry(self, seen: Candles, i: int, priced: Priced, certainty: int) -> LogEntry:
        fill, price, average, cost = priced
        paid = paid_by_fill(self._costs, fill.quantity, fill.base, price, is_sale=not fill.is_buy)
        time = int(seen.time[i])
        if fill.is_buy:
            why = ladder_why(self._strategy, fill) if fill.reason == LADDER else self.decision
            return entry_of(time, "BUY", price, why, average, paid, fill.quantity)
        why = self.decision
        if fill.reason not in (EXIT_CONDITIONS, MAX_HOLDING):
            prices = float(seen.open[i]), float(seen.high[i]), float(seen.low[i])
            why = risk_why(self._strategy, fill, certainty, *prices)
        return sale_of(entry_of(time, "SELL", price, why, average, paid, fill.quantity), fill, cost)

    def _decision_words(self, seen: Candles, i: int, book: State) -> Why:
        """Return why something was decided at this close; no words if nothing was."""
        if book.pending == ENTER:
            return entry_reading(self._strategy, seen, i).why()
        if book.pending == EXIT_CONDITIONS:
            return exit_reading(self._strategy, seen, i).why()
        if book.pending == MAX_HOLDING:
            held = int(seen.time[i]) + seen.interval_seconds - book.entry_time
            return max_holding_why(self._strategy, int(held))
        return NO_DECISION

    def _idle(self, seen: Candles, i: int, passed: Passed) -> Why:
        """Return why nothing was decided at this close."""
        book = passed.book
        if self._strategy.guards is not None and passed.refused_by != NOT_REFUSED:
            return refusal_why(self._strategy.guards, passed.watch, passed.refused_by)
        if book.quantity > 0:
            return holding_why(self._rules.terms, book, float(seen.close[i]))
        if seen.time[i] < book.ready_time:
            return cooling_why(int(book.ready_time) - int(seen.time[i]))
        reading = entry_reading(self._strategy, seen, i)
        if reading.fired:
            return unknown_range_why(self._strategy)
        missing = reading.waiting()
        return Why(f"waiting: {missing.words}", missing.reasons)


def side_of(book: State) -> Literal["buy", "sell"]:
    return "buy" if book.pending == ENTER else "sell"


def sale_of(entry: LogEntry, fill: Fill, cost: float) -> LogEntry:
    """Return the entry of a sale with what it made."""
    return {**entry, "pnl": finite(float(gain_of(cost, fill.money))), "exit_reason": EXIT_REASONS[fill.reason]}


def entry_of(
    time: int,
    action: Literal["BUY", "SELL", "HOLD"],
    price: float | None,
    why: Why,
    entry_price: float | None,
    paid: FillCosts = NO_FILL,
    quantity: float | None = None,
) -> LogEntry:
    """Return an entry; the session numbers it."""
    entry = LogEntry(
        number=0,
        time=time,
        action=action,
        price=None if price is None else finite(price),
        reason=why.words,
        entry_price=None if entry_price is None else finite(entry_price),
        quantity=None if quantity is None else finite(quantity),
        pnl=None,
        exit_reason=None,
        fees=paid.fees,
        slippage=paid.slippage,
        tax=paid.tax,
        impact=paid.impact,
    )
    if why.reasons:
        entry["reasons"] = why.reasons
    return entry
