"""`PaperPortfolio` trades many tokens with one purse: the step of a portfolio, one place of its grid at a time.

A session is given at each place the candles that the tokens have there. A token without one cannot be traded then; its
gap is filled for the conditions once it has a candle again. A single token has no gaps, as in `PaperSession`.
"""

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from strategybot.trading.engine.candles import Candles, empty_candles
from strategybot.trading.engine.conditions import comparisons_of, lookback_candles
from strategybot.trading.engine.diary import Diary, Passed, entry_of, sale_of
from strategybot.trading.engine.fills import FillCounts
from strategybot.trading.engine.guards import DAILY_TRADES, NOT_REFUSED, Watch, opening_watch, refusal
from strategybot.trading.engine.ledger import DECISION, DOUBTS, SIGNALS, TOKEN, WHAT, Fill, fills_from
from strategybot.trading.engine.log_entries import LogEntry, price_fills
from strategybot.trading.engine.paper import CandleOutOfOrder, HistoryMismatch, Position, PursePortfolio
from strategybot.trading.engine.portfolio import ledger_of, places_of
from strategybot.trading.engine.positions import (
    DAY,
    PENDING,
    QUANTITY,
    REFUSED_TIME,
    TURNED_AWAY,
    Purse,
    keep,
    new_table,
    state_at,
)
from strategybot.trading.engine.purse_coins import Coin, PurseAdvance, TokenSignal, TradedToken, list_change, value_of
from strategybot.trading.engine.purse_step import Here, PurseStep, step_purse
from strategybot.trading.engine.recent import Recent
from strategybot.trading.engine.risk import ENTER, NOTHING, State
from strategybot.trading.engine.saved_sessions import (
    EXTRA_ROWS,
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
from strategybot.trading.engine.step import gain_of, rules_of
from strategybot.trading.evidence.expectation import Tally
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.numbers import counted, finite
from strategybot.trading.words.portfolios import death_words
from strategybot.trading.words.reason_data import NO_DECISION, Why
from strategybot.trading.words.why import skipped_why

STATE_VERSION = 1


@dataclass
class PaperPortfolio:
    strategy: Strategy
    tokens: Sequence[TradedToken]
    initial_cash: float
    interval_seconds: int
    dead_token_loss_percent: float
    _coins: list[Coin] = field(init=False)

    def __post_init__(self) -> None:
        self.initial_cash, seconds = float(self.initial_cash), self.interval_seconds
        day = 1 if self.is_alone else DAY // seconds  # tokens are ranked by their last day
        self.lookback = max(lookback_candles(self.strategy, seconds), day)
        self._rules = rules_of(self.strategy, self.tokens[0].costs, seconds)
        self._places = places_of(self.strategy, self.dead_token_loss_percent)
        self._table = new_table(len(self.tokens))
        self._purse = Purse(self.initial_cash, opening_watch(self.initial_cash))
        self._coins = [self._new_coin(token) for token in self.tokens]
        self._tally = Tally(highest_equity=self.initial_cash)
        self._entries = 0
        self._fills = [0, 0, 0]  # exits that were exact, resolved, assumed
        self._skips: list[list[int]] = []  # spans that were seen and not traded, first and last time
        self._last_time: int | None = None

    @property
    def is_alone(self) -> bool:
        """Return whether it trades one token; one of a list is not alone, because others may follow."""
        return len(self.tokens) == 1 and self.tokens[0].listed is None

    @property
    def last_time(self) -> int | None:
        """Return the last place of the grid that was processed or skipped."""
        return self._last_time

    @property
    def fills(self) -> FillCounts:
        return fill_counts(self._fills)

    @property
    def highest_equity(self) -> float:
        return self._tally.highest_equity

    def without_gaps(self, token_id: str, candles: Candles) -> Candles:
        """Return the coming candles of a token with those that fill the gap before them."""
        return self._coin(token_id).coming(candles) if len(candles) else candles

    def living(self) -> list[str]:
        return [coin.token.token_id for coin in self._coins if not coin.is_dead]

    def warm_up(self, candles: Mapping[str, Candles]) -> None:
        """Let the conditions see these candles; nothing is traded."""
        for coin in self._coins:
            if coin.token.token_id in candles:
                coin.see(candles[coin.token.token_id], self.lookback)

    def take_in(self, time: int, tokens: Sequence[TradedToken], candles: Mapping[str, Candles]) -> LogEntry | None:
        """Trade these tokens from this place of the grid on: all of the session, and new ones with their warm-up.

        Return which the list of the day has and the one before had not, and the other way round, if there are any.
        """
        table, coins = new_table(len(tokens)), []
        known = {coin.token.token_id: k for k, coin in enumerate(self._coins)}
        for place, token in enumerate(tokens):
            k = known.get(token.token_id)
            if k is None:
                coins.append(self._new_coin(token))
                coins[-1].see(candles[token.token_id], self.lookback)
            else:
                table[:, place] = self._table[:, k]
                coins.append(self._coins[k])
                coins[-1].token = token
        self.tokens, self._coins, self._table = tokens, coins, table
        words = list_change(tokens, (self._last_time or 0) + self.interval_seconds, time + self.interval_seconds)
        return None if words is None else self._number(entry_of(time, "HOLD", None, Why(words, []), None))

    def advance(self, time: int, candles: Mapping[str, Candles], minutes: Mapping[str, Candles]) -> PurseAdvance:
        """Process a place of the grid with the candles that begin there, by token id."""
        self._refuse_disorder(time)
        self._last_time = time
        here = self._here(time, candles, minutes, keeping=True)
        step = step_purse(self.strategy, self._rules, self._places, self._purse, self._table, time, here)
        before, self._table, self._purse = self._table, step.books.table, step.purse
        return self._tell(time, here, before, step)

    def first_doubt(
        self,
        time: int,
        candles: Mapping[str, Candles],
        minutes: Mapping[str, Candles],
        known: Container[tuple[str, int]],
    ) -> str | None:
        """Return a token whose candle would be in doubt, unless it is `known`; nothing is processed."""
        if not (self._table[QUANTITY] > 0).any() and not (self._table[PENDING] == ENTER).any():
            return None
        here = self._here(time, candles, minutes, keeping=False)
        step = step_purse(self.strategy, self._rules, self._places, self._purse, self._table, time, here)
        doubtful = step.ledger.doubts[: step.ledger.counts[DOUBTS]] >> TOKEN
        names = [self.tokens[k].token_id for k in doubtful.tolist()]
        return next((name for name in names if (name, time) not in known), None)

    def skip(self, time: int, candles: Mapping[str, Candles]) -> LogEntry:
        """Let the conditions see the candles of a pause, up to this place of the grid. Nothing is traded.

        Entries that were decided before them are dropped, because their prices are gone. Decided exits stay.
        """
        self._refuse_disorder(time)
        first = time if self._last_time is None else self._last_time + self.interval_seconds
        self._skips.append([first, time])
        self._last_time = time
        self.warm_up(candles)
        dropped = self._table[PENDING] == ENTER
        book = state_at(self._table, 0, self._purse.cash)
        self._table[PENDING, dropped] = NOTHING
        why = skipped_why(first, time, self.interval_seconds, bool(dropped.any()))
        if self.is_alone:
            [coin] = self._coins
            return self._number(self._name(coin, coin.diary.held(coin.last, 0, why, book)))
        return self._number(entry_of(time, "HOLD", None, why, None))

    def portfolio(self) -> PursePortfolio:
        cash, total, held = self._purse.cash, self._purse.cash, []
        budget = 0.0
        for k, coin in enumerate(self._coins):
            state = state_at(self._table, k, 0.0)
            if state.quantity > 0:
                total += state.quantity * coin.price
                budget += state.budget
                held.append(coin.position(state))
        only = held[0] if self.is_alone and held else None
        value = value_of(held) if only is None else only.value
        return PursePortfolio(
            initial_cash=self.initial_cash,
            cash_balance=finite(cash),
            position=Position((0.0 if only is None else only.quantity) if self.is_alone else None, value),
            entry_price=None if only is None else only.entry_price,
            current_price=self._coins[0].price if self.is_alone else None,
            unrealized_pnl=None if value is None else finite(value - budget),
            total_value=finite(total),
            pnl=finite(total - self.initial_cash),
            pnl_percent=finite((total / self.initial_cash - 1) * 100),
            positions=held,
            places_used=len(held),
            max_open=self._places.max_open,
            turned_away=int(self._table[TURNED_AWAY].sum()),
        )

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs in addition to the candles. Floats are hexadecimal text, which is exact."""
        guarded = {"watch": exact_texts(self._purse.watch._asdict())} if self._rules.are_guarded else {}
        older = any(not each.left.is_textbook for each in comparisons_of(self.strategy))
        return {
            "version": STATE_VERSION,
            **({} if older else {"warm_up": TEXTBOOK}),
            "initial_cash": self.initial_cash.hex(),
            "cash": self._purse.cash.hex(),
            **guarded,
            "entries": self._entries,
            "last_time": self._last_time,
            "fills": list(self._fills),
            "tally": exact_texts(self._tally._asdict()),
            **({"skips": [list(span) for span in self._skips]} if self._skips else {}),
            "tokens": [self._save(k, coin) for k, coin in enumerate(self._coins)],
        }

    @classmethod
    def restore(
        cls,
        strategy: Strategy,
        tokens: Sequence[TradedToken],
        state: Mapping[str, Any],
        histories: Mapping[str, Candles],
        interval_seconds: int,
        dead_token_loss_percent: float,
    ) -> "PaperPortfolio":
        """Return the saved session. `histories` have the tokens' candles, at least those of the look-back."""
        cash = float.fromhex(state["initial_cash"])
        session = cls(as_begun(strategy, state), tokens, cash, interval_seconds, dead_token_loss_percent)
        watch = Watch(**exact_numbers(state["watch"])) if "watch" in state else session._purse.watch
        session._purse = Purse(float.fromhex(state["cash"]), watch)
        session._entries, session._fills = state["entries"], list(state["fills"])
        session._skips, session._last_time = [list(span) for span in state.get("skips", [])], state["last_time"]
        session._tally = tally_of(state) or session._tally
        for k, (coin, saved) in enumerate(zip(session._coins, state["tokens"], strict=True)):
            session._restore(k, coin, saved, histories.get(coin.token.token_id, coin.last))
        return session

    def _save(self, k: int, coin: Coin) -> dict[str, Any]:
        return {
            "token_id": coin.token.token_id,
            **saved_book(state_at(self._table, k, 0.0)),
            "place": {name: float(self._table[row, k]).hex() for name, row in EXTRA_ROWS.items()},
            **saved_decision(coin.diary.decision),
            "last_time": coin.last_time,
            **({"dead_at": coin.price.hex()} if coin.is_dead else {}),
            "trades": coin.trades,
            "money": coin.money.hex(),
        }

    def _restore(self, k: int, coin: Coin, saved: Mapping[str, Any], history: Candles) -> None:
        keep(self._table, k, book_of(saved))
        for name, row in EXTRA_ROWS.items():
            self._table[row, k] = float.fromhex(saved["place"][name])
        coin.diary.decision = decision_of(saved)
        coin.trades, coin.money = saved["trades"], float.fromhex(saved["money"])
        last_time = saved["last_time"]
        if "dead_at" in saved:  # its candles may be older than what is kept
            coin.die_at(last_time, float.fromhex(saved["dead_at"]))
            return
        seen = history.between(0, 0 if last_time is None else last_time + 1)
        if last_time is not None and (len(seen) == 0 or seen.time[-1] != last_time):
            raise HistoryMismatch(f"the candles do not hold the last one of {coin.token.token_id}, {last_time}")
        coin.see(seen, self.lookback)

    def _new_coin(self, token: TradedToken) -> Coin:
        seconds = self.interval_seconds
        diary = Diary(self.strategy, token.costs, rules_of(self.strategy, token.costs, seconds))
        return Coin(token, diary, Recent(seconds, self.lookback), empty_candles(seconds))

    def _refuse_disorder(self, time: int) -> None:
        if self._last_time is not None and time <= self._last_time:
            raise CandleOutOfOrder(f"candle {time} after {self._last_time}")

    def _coin(self, token_id: str) -> Coin:
        return next(coin for coin in self._coins if coin.token.token_id == token_id)

    def _here(
        self, time: int, candles: Mapping[str, Candles], minutes: Mapping[str, Candles], *, keeping: bool
    ) -> list[Here | None]:
        """Return what the step needs of each token; None for one that has no candle yet, or that is dead."""
        found: list[Here | None] = []
        for coin in self._coins:
            new = candles.get(coin.token.token_id, coin.last[:0])
            if coin.is_dead or not (len(coin.last) or len(new)):
                found.append(None)
                continue
            if keeping:
                seen = coin.see(new, self.lookback + 1)
            else:
                came = coin.coming(new) if len(new) else new
                seen = coin.recent.peek(came[max(0, len(came) - self.lookback - 1) :])
            own, is_listed = minutes.get(coin.token.token_id), coin.token.is_listed(time + self.interval_seconds)
            found.append(Here(seen, coin.token.costs, len(new) > 0, is_listed, own))
        return found

    def _tell(self, time: int, here: list[Here | None], before: Any, step: PurseStep) -> PurseAdvance:
        ledger, log = step.ledger, list[tuple[float, LogEntry]]()
        for k, (coin, own) in enumerate(zip(self._coins, here, strict=True)):
            if own is None:
                continue
            ours, rows, _ = ledger_of(ledger, k)
            fills = fills_from(ours, 0)
            passed = Passed(
                State(*state_at(before, k, self._purse.cash)),
                State(*state_at(self._table, k, self._purse.cash)),
                fills,
                int(step.books.inside[k]),
                self._purse.watch,
                self._refused_by(k, time, before),
            )
            entries = self._entries_of(coin, own, passed, time, k, before)
            places = [*rows.tolist(), math.inf]
            log += [(places[min(i, len(rows))], self._name(coin, entry)) for i, entry in enumerate(entries)]
            self._count(coin, fills, passed.book, int(ours.places[-1, WHAT] >> 16) if fills else 0)
        log.sort(key=lambda each: each[0])
        equity = float(step.books.equity[0])
        if math.isfinite(equity):
            self._tally = self._tally.after_close(equity)
        told = [entry for _, entry in log] or [self._quiet(time)]
        return PurseAdvance([self._number(entry) for entry in told], self._signals(here, step))

    def _signals(self, here: list[Here | None], step: PurseStep) -> list[TokenSignal]:
        found = []
        for k in (step.ledger.signals[: step.ledger.counts[SIGNALS], DECISION] >> TOKEN).tolist():
            own, coin = here[k], self._coins[k]
            if own is not None:
                row = coin.diary.signal(own.seen, len(own.seen) - 1, State(*state_at(self._table, k, 0.0)))
                found.append(TokenSignal(row.time, row.side, row.price, row.reason, row.reasons, coin.token.token_id))
        return found

    def _entries_of(self, coin: Coin, own: Here, passed: Passed, time: int, k: int, before: Any) -> list[LogEntry]:
        """Return what is told of a token. Of many tokens, only those are told that trade or want to."""
        if not own.has_candle:
            return self._death(coin, passed, time)
        seen, i = own.seen, len(own.seen) - 1
        entries = coin.diary.fills(seen, i, passed)
        if self._table[TURNED_AWAY, k] > before[TURNED_AWAY, k]:
            passed = passed._replace(was=passed.was._replace(pending=NOTHING))
            if passed.book.pending == NOTHING and not entries:
                coin.diary.decision = NO_DECISION
                why = Why(f"turned away: {counted(self._places.max_open, 'place')}, and none is free", [])
                return [coin.diary.held(seen, i, why, passed.book)]
        is_told = passed.book.pending != NOTHING or passed.was.pending == ENTER or passed.refused_by != NOT_REFUSED
        if not (self.is_alone or is_told):
            coin.diary.decision = NO_DECISION
            return entries
        held = coin.diary.close(seen, i, passed)
        return entries if held is None else [held]

    def _death(self, coin: Coin, passed: Passed, time: int) -> list[LogEntry]:
        """Return what is told of a token that has had no candle for a day; nothing of one that may have one again."""
        last_time = coin.last_time
        if last_time is None or time - last_time < DAY:
            return []
        coin.is_dead = True
        words = death_words(coin.token.symbol, last_time, self.dead_token_loss_percent, was_held=bool(passed.fills))
        if not passed.fills:
            return [entry_of(time, "HOLD", coin.price, Why(words, []), None)]
        [(fill, price, average, cost)] = price_fills(passed.was, passed.fills, 0.0)
        sold = entry_of(time, "SELL", price, Why(words, []), average, quantity=fill.quantity)
        return [sale_of(sold, fill, cost)]

    def _refused_by(self, k: int, time: int, before: Any) -> int:
        if self._table[REFUSED_TIME, k] != time or before[REFUSED_TIME, k] == time:
            return NOT_REFUSED
        by = int(refusal(self._rules.guards, self._purse.watch, time, self.interval_seconds, 0))
        return DAILY_TRADES if by == NOT_REFUSED else by

    def _count(self, coin: Coin, fills: list[Fill], book: State, certainty: int) -> None:
        coin.money += sum(-fill.money if fill.is_buy else fill.money for fill in fills)
        if fills and fills[-1].held == 0:
            coin.trades += 1
            self._fills[certainty & 0xFF] += 1
            self._tally = self._tally.after_trade(float(gain_of(book.parts.spent, book.parts.received)))

    def _quiet(self, time: int) -> LogEntry:
        used = int(np.count_nonzero(self._table[QUANTITY] > 0))
        words = f"{used} of {counted(self._places.max_open, 'place')} used; no token is to be bought or sold"
        return entry_of(time, "HOLD", None, Why(words, []), None)

    def _name(self, coin: Coin, entry: LogEntry) -> LogEntry:
        return {**entry, "token_id": coin.token.token_id, "symbol": coin.token.symbol}

    def _number(self, entry: LogEntry) -> LogEntry:
        self._entries += 1
        return {**entry, "number": self._entries}
