"""`PaperSession` takes the engine's step, one closed candle at a time, and gives a reason in words for every candle.

The saved state is a small plain dict, exact to the bit. It holds the book and not the candles: `restore` is given the
candles processed so far, and keeps as many as the conditions look back on.
"""

import math
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from strategybot.trading.engine.candles import NO_MINUTES, Candles, concatenate
from strategybot.trading.engine.conditions import comparisons_of, last_wanted, lookback_candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.diary import Diary, Passed
from strategybot.trading.engine.fills import FillCounts
from strategybot.trading.engine.guards import Watch, opening_watch
from strategybot.trading.engine.ledger import LEAST_SURE, Fill, fills_from, new_ledger, reset
from strategybot.trading.engine.log_entries import LogEntry
from strategybot.trading.engine.loop import market_of, step_at
from strategybot.trading.engine.recent import Recent
from strategybot.trading.engine.risk import ASSUMED, ENTER, EXACT, NOTHING, State
from strategybot.trading.engine.saved_sessions import (
    TEXTBOOK,
    as_begun,
    book_of,
    decision_of,
    exact_numbers,
    exact_texts,
    fill_counts,
    saved_book,
    saved_decision,
    tally_of,
)
from strategybot.trading.engine.step import Outcome, gain_of, opening_state, rules_of
from strategybot.trading.engine.tables import SignalRow
from strategybot.trading.evidence.expectation import Tally
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.numbers import finite
from strategybot.trading.words.why import (
    skipped_why,
)

STATE_VERSION = 1


class CandleOutOfOrder(ValueError):
    """A candle that is not later than the last one processed."""


class HistoryMismatch(ValueError):
    """Candles that do not end where the saved state does."""


@dataclass(frozen=True, slots=True)
class Position:
    quantity: float | None
    value: float | None


@dataclass(frozen=True, slots=True)
class TokenPosition:
    """A position of a purse that trades many tokens."""

    token_id: str
    symbol: str | None
    quantity: float | None
    value: float | None
    entry_price: float | None
    entry_time: int
    current_price: float | None
    unrealized_pnl: float | None


@dataclass(frozen=True, slots=True)
class Portfolio:
    """What a session owns at the last close. A number is None where it is beyond any float."""

    initial_cash: float
    cash_balance: float | None
    position: Position
    entry_price: float | None
    current_price: float | None
    unrealized_pnl: float | None
    total_value: float | None
    pnl: float | None
    pnl_percent: float | None


@dataclass(frozen=True, slots=True)
class PursePortfolio(Portfolio):
    """What a purse owns that trades many tokens. `position` is all of them together."""

    positions: list[TokenPosition]
    places_used: int
    max_open: int
    turned_away: int


class Stepped(NamedTuple):
    """What one candle did."""

    outcome: Outcome
    fills: list[Fill]
    least_sure: int  # of the candles since the entry


class Advance(NamedTuple):
    log: list[LogEntry]
    signals: list[SignalRow]


def _without_entry(book: State) -> State:
    return book._replace(pending=NOTHING) if book.pending == ENTER else book


class PaperSession:
    def __init__(self, strategy: Strategy, costs: Costs, initial_cash: float, interval_seconds: int) -> None:
        self.strategy = strategy
        self.initial_cash = float(initial_cash)
        self.lookback = lookback_candles(strategy, interval_seconds)
        self._costs = costs
        self._rules = rules_of(strategy, costs, interval_seconds)
        self.book = opening_state(initial_cash)
        self._watch = opening_watch(self.initial_cash)
        self._tally: Tally | None = Tally(highest_equity=self.initial_cash)
        self._recent = Recent(interval_seconds, self.lookback)
        self._entries = 0
        self._diary = Diary(strategy, costs, self._rules)
        self._fills = [0, 0, 0]  # exits that were exact, resolved, assumed
        self._least_sure = EXACT  # of the candles since the entry
        self._skips: list[list[int]] = []  # spans of candles that were seen and not traded, first and last time
        self._last_time: int | None = None
        self._last_close: float | None = None

    def warm_up(self, candles: Candles) -> None:
        """Let the conditions see these candles; nothing is traded."""
        self._refuse_disorder(candles)
        self._look_back_on(candles)

    def advance(self, candles: Candles, minutes: Candles = NO_MINUTES) -> Advance:
        """Process closed candles, oldest first; usually one. `minutes` decide those of them that are in doubt."""
        self._refuse_disorder(candles)
        self._note_last(candles)
        seen = self._recent.add(candles)
        done = Advance([], [])
        outcomes = self._outcomes(seen, len(candles), minutes, self.book)
        for i, stepped in enumerate(outcomes, len(seen) - len(candles)):
            self._advance_one(seen, i, stepped, done)
        return done

    def skip(self, candles: Candles) -> LogEntry:
        """Let the conditions see candles of a pause, in which nothing is traded; return what the log says of them.

        An entry that was decided before them is dropped, because its price is gone. A decided exit stays.
        """
        self._refuse_disorder(candles)
        first = int(candles.time[0]) if self._last_time is None else self._last_time + candles.interval_seconds
        self._skips.append([first, int(candles.time[-1])])
        self._look_back_on(candles)
        was, self.book = self.book, _without_entry(self.book)
        why = skipped_why(first, int(candles.time[-1]), candles.interval_seconds, was.pending == ENTER)
        return self._number(self._diary.held(candles, len(candles) - 1, why, was))

    def first_doubt(
        self, candles: Candles, minutes: Candles, known: Container[int], skipped: Candles | None = None
    ) -> int | None:
        """The time of the first of these candles that would be in doubt, unless it is `known`; nothing is processed.

        `skipped` are those of a pause just before them.
        """
        if len(candles) == 1 and self.book.quantity == 0 and self.book.pending != ENTER:
            return None  # no position is held in it
        coming, book = candles, self.book
        if skipped is not None and len(skipped):
            coming, book = concatenate([skipped, candles]), _without_entry(book)
        seen = self._recent.peek(coming)
        for time, stepped in zip(candles.time.tolist(), self._outcomes(seen, len(candles), minutes, book), strict=True):
            if stepped.outcome.certainty == ASSUMED and time not in known:
                return int(time)
        return None

    @property
    def fills(self) -> FillCounts:
        """Return how sure the exits so far are."""
        return fill_counts(self._fills)

    @property
    def highest_equity(self) -> float:
        """Return the highest equity at a close so far; the initial cash for states of older versions, which lack it."""
        return self.initial_cash if self._tally is None else self._tally.highest_equity

    def portfolio(self) -> Portfolio:
        book, price = self.book, self._last_close
        held = book.quantity > 0
        value = book.quantity * price if held and price is not None else 0.0
        total = book.cash + value
        return Portfolio(
            initial_cash=self.initial_cash,
            cash_balance=finite(book.cash),
            position=Position(finite(book.quantity), finite(value)),
            entry_price=finite(book.entry_price) if held else None,
            current_price=price,
            unrealized_pnl=finite(value - book.budget),
            total_value=finite(total),
            pnl=finite(total - self.initial_cash),
            pnl_percent=finite((total / self.initial_cash - 1) * 100),
        )

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs in addition to the candles. Floats are hexadecimal text, which is exact."""
        guarded = {"watch": exact_texts(self._watch._asdict())} if self._rules.are_guarded else {}
        older = any(not each.left.is_textbook for each in comparisons_of(self.strategy))
        return {
            "version": STATE_VERSION,
            **({} if older else {"warm_up": TEXTBOOK}),
            "initial_cash": self.initial_cash.hex(),
            **saved_book(self.book),
            **guarded,
            **saved_decision(self._diary.decision),
            "entries": self._entries,
            "last_time": self._last_time,
            "fills": list(self._fills),
            "least_sure": self._least_sure,
            **({} if self._tally is None else {"tally": exact_texts(self._tally._asdict())}),
            **({"skips": [list(span) for span in self._skips]} if self._skips else {}),
        }

    @classmethod
    def restore(cls, strategy: Strategy, costs: Costs, state: Mapping[str, Any], history: Candles) -> "PaperSession":
        """Return the saved session. `history` has the candles it was given, or at least those of its look-back."""
        rules = as_begun(strategy, state)
        session = cls(rules, costs, float.fromhex(state["initial_cash"]), history.interval_seconds)
        last_time = state["last_time"]
        seen = history.between(0, 0 if last_time is None else last_time + 1)
        if last_time is not None and (len(seen) == 0 or seen.time[-1] != last_time):
            raise HistoryMismatch(f"the candles do not hold the last one processed, {last_time}")
        session.book = book_of(state)
        if "watch" in state:
            session._watch = Watch(**exact_numbers(state["watch"]))
        session._diary.decision = decision_of(state)
        session._entries = state["entries"]
        session._fills = list(state.get("fills", session._fills))  # states of older versions have neither
        session._least_sure = state.get("least_sure", EXACT)
        session._tally = tally_of(state)
        session._skips = [list(span) for span in state.get("skips", [])]
        session._look_back_on(seen)
        return session

    def _refuse_disorder(self, candles: Candles) -> None:
        if candles.interval_seconds != self._recent.interval_seconds:
            raise ValueError(
                f"candles of {candles.interval_seconds} s in a session of {self._recent.interval_seconds} s"
            )
        if len(candles) > 0 and self._last_time is not None and candles.time[0] <= self._last_time:
            raise CandleOutOfOrder(f"candle {candles.time[0]} after {self._last_time}")

    def _look_back_on(self, candles: Candles) -> None:
        self._note_last(candles)
        self._recent.add(candles[max(0, len(candles) - self.lookback) :])

    def _note_last(self, candles: Candles) -> None:
        if len(candles) > 0:
            self._last_time, self._last_close = int(candles.time[-1]), float(candles.close[-1])

    def _outcomes(self, seen: Candles, count: int, minutes: Candles, book: State) -> Iterator[Stepped]:
        """Yield what the last `count` candles do; nothing of the session is changed."""
        market, wanted = market_of(seen[len(seen) - count :], minutes), last_wanted(self.strategy, seen, count)
        watch, ledger, least_sure = self._watch, new_ledger(), self._least_sure
        for i in range(count):
            reset(ledger)
            ledger.counts[LEAST_SURE] = least_sure
            outcome = step_at(self._rules, market, wanted, ledger, i, book, watch)
            book, watch, least_sure = State(*outcome.state), Watch(*outcome.watch), int(ledger.counts[LEAST_SURE])
            yield Stepped(outcome, fills_from(ledger, 0), least_sure)

    def _advance_one(self, seen: Candles, i: int, stepped: Stepped, done: Advance) -> None:
        outcome = stepped.outcome
        was, self.book, self._watch = self.book, State(*outcome.state), Watch(*outcome.watch)
        self._least_sure = stepped.least_sure
        passed = Passed(was, self.book, stepped.fills, int(outcome.certainty), self._watch, int(outcome.refused_by))
        entries = self._diary.fills(seen, i, passed)
        self._count(stepped.fills, float(seen.close[i]))
        held = self._diary.close(seen, i, passed)
        done.log.extend(self._number(entry) for entry in (entries if held is None else [held]))
        if self.book.pending != NOTHING:
            done.signals.append(self._diary.signal(seen, i, self.book))

    def _number(self, entry: LogEntry) -> LogEntry:
        self._entries += 1
        return {**entry, "number": self._entries}

    def _count(self, fills: list[Fill], close: float) -> None:
        was_closed = bool(fills) and fills[-1].held == 0
        if was_closed:
            self._fills[self._least_sure] += 1
        if self._tally is None:
            return
        if was_closed:
            parts = self.book.parts
            self._tally = self._tally.after_trade(float(gain_of(parts.spent, parts.received)))
        equity = self.book.cash + self.book.quantity * close
        if math.isfinite(equity):
            self._tally = self._tally.after_close(float(equity))
