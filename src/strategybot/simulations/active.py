"""A simulation in memory: the engine's session, the coming candles, and the steps that are not saved yet.

It uses neither database nor provider. It is given the time and the candles, and holds what must be saved.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from strategybot.kit.clock import utc_moment
from strategybot.runs.leases import Lease
from strategybot.simulations.notices import Drawdown, Notice, Traded, notices_of, pool_changed, stop_notice, waiting
from strategybot.simulations.saves import NewStep, Progress, Save
from strategybot.simulations.schemas import KlineInterval, StopReason
from strategybot.simulations.storage import Simulation
from strategybot.trading.engine.candles import END_OF_TIME, NO_MINUTES, Candles, DataReport, concatenate, densify
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.engine.packing import pack
from strategybot.trading.engine.paper import PaperSession, Portfolio
from strategybot.trading.engine.pool import PoolFacts
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.words.costs import pool_warning

# Steps are due on a grid of so many ticks a second, so that the steps of many runs are saved in one transaction.
COARSE_TICKS, FINE_TICKS = 12, 24
MANY_RUNS = 1000  # from here on a coarse tick has so many steps that the last of them would be late
PROVIDERS_DELAY_SECONDS = 15
TOLD_AFTER_SECONDS = 300  # without an answer from the provider
SECONDS_BETWEEN_POOLS = 3600
DEFECT = "Something went wrong inside the service; the simulation was stopped."


class Session(Protocol):
    """What a run needs of a session of the engine, whatever it trades."""

    def portfolio(self) -> Portfolio: ...

    def state(self) -> dict[str, Any]: ...

    @property
    def highest_equity(self) -> float: ...

    lookback: int


Answer = Candles | Mapping[str, Candles | str] | str | None
"""What the market said: candles, those of each token of a portfolio or why it has none, an error message, nothing."""


class Doubt(NamedTuple):
    """A candle inside which the order of the prices matters and is not known."""

    token_id: str
    time: int


@dataclass(kw_only=True)
class ActiveRun(ABC):
    """The lifecycle of a run in memory, whatever it trades."""

    session: Session
    lease: Lease
    owner_id: str
    bot_id: str
    traded: Traded
    kline_interval: KlineInterval
    live: bool
    check_interval: int
    processed: int
    total: int
    due: float  # unix seconds
    saved: Progress  # as last saved
    progress: Progress
    drawdown: Drawdown
    skips_until: int  # unix seconds: a live run skips candles that closed before, because it was paused
    resolves: bool  # whether candles in doubt are resolved on 1-minute candles
    ticks: int  # of the grid, a second
    steps: list[NewStep] = field(default_factory=list)  # since the last save
    notices: list[Notice] = field(default_factory=list)  # likewise
    pool_due: float = 0.0  # unix seconds, when a live run looks at the pools of its tokens again
    waiting_since: float | None = None  # as far as this process knows
    told_of_waiting: bool = False

    @property
    def run_id(self) -> str:
        return self.lease.run_id

    @property
    def unsaved(self) -> bool:
        return self.progress is not self.saved

    @property
    def over(self) -> bool:
        return self.progress.status == "stopped"

    @property
    @abstractmethod
    def pools(self) -> dict[str, RunCosts]:
        """Return with what the run began to pay for each token, as far as that is known."""

    @property
    @abstractmethod
    def last_time(self) -> int:
        """Return the time of the last candle that a live run has seen."""

    @property
    def interval_seconds(self) -> int:
        return INTERVAL_SECONDS[self.kline_interval]

    @property
    def asks_from(self) -> int:
        """Return the time after which a live run needs candles: after a long pause, only its look-back is fetched."""
        interval = self.interval_seconds
        return max(self.last_time, (self.skips_until // interval - self.session.lookback - 2) * interval)

    def may_have_news(self, now: float) -> bool:
        """Return whether the candle after the last one has closed."""
        return now >= self.last_time + 2 * self.interval_seconds

    @abstractmethod
    def doubt(self, now: float, answer: Answer) -> Doubt | None:
        """Return the first coming candle that is in doubt and whose minutes were not requested yet."""

    @abstractmethod
    def learn(self, doubt: Doubt, minutes: Candles) -> None:
        """Add the minutes of this candle, if there are any."""

    @abstractmethod
    def _go_on(self, now: float, answer: Answer) -> None:
        """Process what is due."""

    def save(self) -> Save:
        before = self.saved.candles_processed
        return Save(self.lease, self.owner_id, self.bot_id, before, self.progress, self.steps, self.notices)

    def was_saved(self) -> None:
        self.saved, self.steps, self.notices = self.progress, [], []

    def go_on(self, now: float, answer: Answer) -> None:
        """Step the run, which is due. `answer` is for a live run: candles, the provider's error message, or None."""
        due = self.due + self.check_interval
        # after a pause the interval is counted from now
        self.due = due if due > now else on_grid(now + self.check_interval, self.ticks)
        self._go_on(now, answer)

    def looks_at_pools(self, now: float) -> bool:
        """Return whether a live run is due to look at the pools of its tokens; the next time is an hour later."""
        if not self.live or not self.pools or now < self.pool_due:
            return False
        is_due, self.pool_due = self.pool_due > 0, now + SECONDS_BETWEEN_POOLS
        return is_due

    def see_pool(self, token_id: str, facts: PoolFacts, now: float) -> None:
        """Note, once, if the pool has lost half of its liquidity since the start, or the token cannot be sold."""
        text = pool_warning(self.pools[token_id], facts)
        if text is None:
            return
        named = self.named(token_id)
        text = text if named == self.traded else f"{named.token}: {text}"
        if self._is_new(text, now):
            self.notices.append(pool_changed(named, text))

    def _is_new(self, text: str, now: float) -> bool:
        """Keep what the run has noticed; return whether it had not noticed it before."""
        known = self.progress.pool_notes or []
        is_new = all(note["text"] != text for note in known)
        if is_new:
            self.progress = self.progress._replace(pool_notes=[*known, {"time": int(now), "text": text}])
        return is_new

    def named(self, token_id: str) -> Traded:  # noqa: ARG002 - a run on one token has one name
        """Return what messages about this token name."""
        return self.traded

    def fail(self, now: float) -> None:
        """Stop the run as failed. Steps up to the last save are kept."""
        self.progress, self.steps, self.notices = self.saved._replace(waiting=DEFECT), [], []
        self._end("failed", now)

    def is_late(self, closed: int, now: float) -> bool:
        return now - closed > self.check_interval + PROVIDERS_DELAY_SECONDS

    def _wait_for(self, words: str | None, now: float) -> None:
        if words != self.progress.waiting:
            self.progress = self.progress._replace(waiting=words)
        if words is None:
            self.waiting_since, self.told_of_waiting = None, False
            return
        self.waiting_since = now if self.waiting_since is None else self.waiting_since
        if now - self.waiting_since >= TOLD_AFTER_SECONDS and not self.told_of_waiting:
            self.told_of_waiting = True
            self.notices.append(waiting(self.traded, words))
            self.progress = self.progress._replace()  # another object, so that it is saved

    def _note(self, step: NewStep, **changed: Any) -> None:
        """Note a step for the next save, with what it did to the portfolio, and other columns that have changed."""
        self.steps.append(step)
        self.progress = self.progress._replace(
            candles_processed=self.processed,
            candles_total=self.total,
            portfolio=self.session.portfolio(),
            state=self.session.state(),
            due_at=utc_moment(self.due),
            **changed,
        )
        self.notices += notices_of(self.traded, step.log)
        self.notices += self.drawdown.notices(self.progress.portfolio.total_value)

    def _end(self, reason: StopReason, now: float) -> None:
        self.progress = self.progress._replace(status="stopped", stop_reason=reason, stopped_at=utc_moment(now))
        self.notices.append(stop_notice(self.traded, reason))


@dataclass(kw_only=True)
class ActiveSimulation(ActiveRun):
    """A run on one token."""

    token_id: str
    costs: RunCosts | None
    session: PaperSession
    candles: Candles  # for a replay all traded candles, for a live run the last one
    minutes: Candles = NO_MINUTES  # for coming candles
    asked: set[int] = field(default_factory=set)  # candles whose minutes were requested

    @property
    def last_time(self) -> int:
        return int(self.candles.time[-1])

    @property
    def pools(self) -> dict[str, RunCosts]:
        return {} if self.costs is None else {self.token_id: self.costs}

    def was_saved(self) -> None:
        super().was_saved()
        self.minutes, self.asked = NO_MINUTES, set()

    def first(self) -> None:
        """Process the first candle."""
        self._advance(self.candles[:1], late=False, kept=True)

    def doubt(self, now: float, answer: Answer) -> Doubt | None:  # noqa: ARG002 - it waits for no other token
        skipped, coming = self._coming(answer)
        if self.unsaved or not len(coming):
            return None
        time = self.session.first_doubt(coming, self.minutes, self.asked, skipped)
        return None if time is None else Doubt(self.token_id, time)

    def learn(self, doubt: Doubt, minutes: Candles) -> None:
        self.asked.add(doubt.time)
        self.minutes = concatenate([self.minutes, minutes])

    def _go_on(self, now: float, answer: Answer) -> None:
        if not self.live:
            self._step(now)
        elif isinstance(answer, str):
            self._wait_for(answer, now)
        elif isinstance(answer, Candles):
            self._wait_for(None, now)
            self._follow(answer, now)

    def _step(self, now: float) -> None:
        """Process the next candle of a replay, or end it."""
        if self.processed < self.total:
            self._advance(self.candles[self.processed : self.processed + 1], late=False, kept=True)
        if self.processed == self.total:
            self._end("completed", now)

    def _follow(self, came: Candles, now: float) -> None:
        """Process every newly closed candle; mark those that are processed too long after their close as late."""
        skipped, coming = self._coming(came)
        for place in range(len(coming)):
            candle = coming[place : place + 1]
            closed = int(candle.time[0]) + candle.interval_seconds
            self.total += 1
            self._advance(candle, late=self.is_late(closed, now), kept=False, skipped=skipped if place == 0 else None)
        self.candles = coming[len(coming) - 1 :] if len(coming) else self.candles

    def _coming(self, answer: Answer) -> tuple[Candles, Candles]:
        """Return the candles that are skipped, and the coming ones without gaps: the next one of a replay, or what the
        market answered."""
        if not self.live:
            return self.candles[:0], self.candles[self.processed : self.processed + 1]
        if not isinstance(answer, Candles):
            return self.candles[:0], self.candles[:0]
        last = replace(self.candles, time=np.array([self.asks_from]))
        came = densify(concatenate([answer, last]), DataReport())[0][1:]
        first = max(0, self.skips_until - self.candles.interval_seconds + 1)
        return came.between(0, first), came.between(first, END_OF_TIME)

    def _advance(self, candle: Candles, *, late: bool, kept: bool, skipped: Candles | None = None) -> None:
        """Process a candle. Candles skipped before it, in a pause, are saved and logged with it."""
        time = int(candle.time[0])
        minutes = self.minutes.between(time, time + candle.interval_seconds)
        seen, told = candle, []
        if skipped is not None and len(skipped):
            seen, told = concatenate([skipped, candle]), [self.session.skip(skipped)]
        done = self.session.advance(candle, minutes)
        self.processed += 1
        step = NewStep(
            run_id=self.run_id,
            number=self.processed,
            time=time,
            late=late,
            log=[*told, *done.log],
            signals=[signal._asdict() for signal in done.signals],
            candle=None if kept else pack(seen),
            minutes=pack(minutes) if len(minutes) else None,
        )
        self._note(step)


def begin(run: Simulation, candles: Candles) -> ActiveSimulation:
    """Return a new run after its first candle; the candles before its start warm up the windows."""
    session = PaperSession(run.strategy, run.traded_costs, run.initial_cash, candles.interval_seconds)
    session.warm_up(candles.between(0, run.start_time))
    active = _active(run, session, candles)
    active.first()
    return active


def resume(run: Simulation, candles: Candles, ticks: int) -> ActiveSimulation:
    """Return a run as it was saved. For a live run, as many last candles as its conditions look back are enough."""
    return _active(run, PaperSession.restore(run.strategy, run.traded_costs, run.state, candles), candles, ticks)


def ticks_beside(other_runs: int) -> int:
    """Return the ticks a second of the grid of a run, if the process runs so many others."""
    return COARSE_TICKS if other_runs < MANY_RUNS else FINE_TICKS


def on_grid(moment: float, ticks: int) -> float:
    return round(moment * ticks) / ticks


def lifecycle_of(run: Simulation, session: Session, ticks: int) -> dict[str, Any]:
    """Return the fields of a run in memory that do not depend on what it trades."""
    live, traded = run.mode == "live", Traded(run.mode, run.token_symbol)
    progress = Progress(*(getattr(run, name) for name in Progress._fields))
    return {
        "lease": run.lease,
        "owner_id": run.owner_id,
        "bot_id": run.bot_id,
        "traded": traded,
        "kline_interval": run.kline_interval,
        "live": live,
        "check_interval": run.check_interval,
        "processed": run.candles_processed,
        "total": run.candles_total,
        "due": on_grid(run.due_at.timestamp(), ticks),
        "saved": progress,
        "progress": progress,
        "drawdown": Drawdown(traded, session.highest_equity, session.portfolio().total_value),
        "skips_until": int(run.resumed_at.timestamp()) if live and run.resumed_at is not None else 0,
        "resolves": run.intrabar == "auto" and run.interval_seconds > NO_MINUTES.interval_seconds,
        "ticks": ticks,
    }


def _active(run: Simulation, session: PaperSession, candles: Candles, ticks: int = COARSE_TICKS) -> ActiveSimulation:
    is_live = run.mode == "live"
    return ActiveSimulation(
        **lifecycle_of(run, session, ticks),
        token_id=run.token_id,
        costs=run.costs,
        session=session,
        candles=candles[len(candles) - 1 :] if is_live else candles.between(run.start_time, float("inf")),
    )
