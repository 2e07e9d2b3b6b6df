"""Works on watches: reads the new candles of each token, and saves its state with what became true in it.

A save is one transaction under the run's lease: the state of the tokens, the signals and their notifications. So a
restart neither repeats a notification nor loses one. For the loop see `runs/follower.py`.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from strategybot.kit.database import DatabaseUnavailable
from strategybot.kit.json_object import Json
from strategybot.kit.threads import run_blocking
from strategybot.market.service import NoKlines
from strategybot.runs.follower import DEFECT, Follower
from strategybot.runs.leases import Lease, lock_held
from strategybot.trading.engine.candles import Candles, DataReport, TooManyCandles, concatenate, densify
from strategybot.trading.engine.instruments import closed_until, plain_symbol
from strategybot.trading.engine.preparation import candles_before
from strategybot.trading.words.explain import entry_reading
from strategybot.trading.words.numbers import finite
from strategybot.watches import storage
from strategybot.watches.storage import Watch

logger = logging.getLogger("strategybot.watches")

SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 10, 60


class Seen(NamedTuple):
    """A token after its newest candle."""

    state: Json
    candles: Candles | None
    """As many of the last ones as the conditions look back on; None before the first."""
    signals: list[Json]


@dataclass
class ActiveWatch:
    """A watch that this process works on."""

    run: Watch
    tokens: list[Seen]
    due: float

    @property
    def run_id(self) -> str:
        return self.run.run_id

    @property
    def lease(self) -> Lease:
        return self.run.lease

    @property
    def pause(self) -> float:
        """Return the seconds between two looks at the market."""
        return min(LONGEST_PAUSE_SECONDS, max(SHORTEST_PAUSE_SECONDS, self.run.interval_seconds / 4))


class Watcher(Follower[Watch, ActiveWatch]):
    model = Watch

    def resume(self, runs: Sequence[Watch]) -> list[ActiveWatch]:
        return [ActiveWatch(run, _as_saved(run.tokens), self.now()) for run in runs]

    async def step(self, due: Sequence[ActiveWatch]) -> None:
        for watch in due:
            self.in_background(self._look_at(watch))

    async def _look_at(self, watch: ActiveWatch) -> None:
        """Read the new candles of the watch and save what they changed. What cannot be saved is read again."""
        try:
            seen = await asyncio.gather(*(self._look_at_token(watch.run, token) for token in watch.tokens))
            if [each.state for each in seen] != [each.state for each in watch.tokens]:
                await run_blocking(self._save, watch, seen)
        except DatabaseUnavailable:
            logger.warning("watch %s cannot be saved at the moment", watch.run_id)
        except Exception:  # the boundary of a run: a defect of one watch must not end the others
            logger.exception("watch %s failed", watch.run_id)
        watch.due = self.now() + watch.pause
        if self.is_ours(watch):
            self.schedule(watch)

    async def _look_at_token(self, run: Watch, token: Seen) -> Seen:
        """Return the token after its newest candle; unchanged if there is no news."""
        state, seconds = token.state, run.interval_seconds
        last = _before_first(run) if state["last_time"] is None else state["last_time"]
        if self.now() < last + 2 * seconds:
            return token
        known = token.candles is not None
        after = last if known else candles_before(last, run.lookback + 1, seconds) - 1
        asked = _token_id(state), run.kline_interval, after, run.owner_id
        answer = await self.candles_after(*asked, traded_from=last - seconds)
        if isinstance(answer, str):
            return token._replace(state={**state, "waiting": answer})
        named = {**state, "waiting": None, "symbol": state["symbol"] or await self._symbol(state)}
        return await run_blocking(_advance, run, token._replace(state=named), answer)

    async def _symbol(self, state: Json) -> str | None:
        detail = await self._market.token_if_reachable(_token_id(state))
        return None if detail is None else plain_symbol(detail.symbol)

    def _save(self, watch: ActiveWatch, seen: Sequence[Seen]) -> None:
        """Save the tokens and their signals, if the lease is still held."""
        signals, now = [signal for each in seen for signal in each.signals], self._clock()
        with self._database.write() as session:
            still = lock_held(session, Watch, [watch.lease], Watch.tokens, Watch.total_signals)
            if watch.lease not in still.locked:
                return  # stopped, lost, or locked by another transaction
            stored = still.rows[watch.lease]
            if stored.tokens != [each.state for each in watch.tokens]:  # saved before the connection broke
                watch.tokens, watch.run.total_signals = _as_saved(stored.tokens), stored.total_signals
                return
            storage.save(session, watch.run, [each.state for each in seen], now, signals)
            storage.tell_signals(session, watch.run, signals, now)
        watch.run.total_signals += len(signals)
        watch.tokens = [each._replace(signals=[]) for each in seen]


def _as_saved(tokens: Sequence[Json]) -> list[Seen]:
    return [Seen(state, None, []) for state in tokens]


def _token_id(state: Json) -> str:
    return f"{state['token']}-{state['chain']}"


def _before_first(run: Watch) -> int:
    """Return the time of the candle before the first that a watch reads: the last one that was closed when it began."""
    return closed_until(run.created_at.timestamp(), run.interval_seconds) - 2 * run.interval_seconds


def _advance(run: Watch, token: Seen, came: Candles) -> Seen:
    """Return the token after these candles. Every candle after the last one is read, and at the start at least one."""
    state = dict(token.state)
    try:
        candles = densify(came if token.candles is None else concatenate([token.candles, came]), DataReport())[0]
    except TooManyCandles:
        return token._replace(state={**state, "waiting": DEFECT})
    if not len(candles):
        return token._replace(state={**state, "waiting": NoKlines(state["token"], state["chain"]).message})
    if state["last_time"] is None:
        first = min(len(candles) - 1, int((candles.time <= _before_first(run)).sum()))
    else:
        first = int((candles.time <= state["last_time"]).sum())
    signals = []
    for i in range(first, len(candles)):
        reading = entry_reading(run.strategy, candles, i)
        time, price = int(candles.time[i]), float(candles.close[i])
        if reading.fired and not state["met"]:
            state["signals"] += 1
            signals.append({"time": time, "price": price, "reason": reading.why().words, **_name(state)})
        state.update(met=reading.fired, last_time=time, price=finite(price))
    return Seen(state, candles[max(0, len(candles) - run.lookback - 1) :], signals)


def _name(state: Json) -> Json:
    return {name: state[name] for name in ("token", "chain", "symbol")}
