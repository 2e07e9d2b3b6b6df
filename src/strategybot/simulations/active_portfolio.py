"""A simulation of many tokens with one purse in memory. Its tokens trade on one grid of times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from strategybot.kit.json_object import Json
from strategybot.runs.storage import token_id_of
from strategybot.runs.universes import DAY, MOST_OF_EACH_DAY, with_day
from strategybot.simulations.active import (
    COARSE_TICKS,
    TOLD_AFTER_SECONDS,
    ActiveRun,
    Answer,
    Doubt,
    lifecycle_of,
)
from strategybot.simulations.notices import Traded
from strategybot.simulations.saves import NewStep
from strategybot.simulations.storage import Simulation
from strategybot.trading.engine.candles import END_OF_TIME, Candles, concatenate
from strategybot.trading.engine.log_entries import LogEntry
from strategybot.trading.engine.packing import packed_by_token
from strategybot.trading.engine.paper_portfolio import PaperPortfolio
from strategybot.trading.engine.run_costs import RunCosts

FULL = f"{MOST_OF_EACH_DAY} tokens have been listed since the run began: it goes on without further ones."
SILENT_SECONDS = 60
"""So long after a candle's end a token that has none has not traded in it: the others do not wait any longer."""


class Place(NamedTuple):
    """A time of the grid, with the candles that begin there by token id."""

    time: int
    candles: dict[str, Candles]


@dataclass(kw_only=True)
class ActivePortfolio(ActiveRun):
    run: Simulation  # as it was when this process took it up
    session: PaperPortfolio
    tokens: list[Json]  # a row for each, as `Simulation.asked_tokens`
    costs: dict[str, RunCosts]
    listing: Json | None  # as `Simulation.listing`
    minutes: dict[Doubt, Candles] = field(default_factory=dict)  # of candles that were in doubt
    failing_since: dict[str, float] = field(default_factory=dict)  # tokens for which the provider answers with an error
    told: list[LogEntry] = field(default_factory=list)  # about the list of the day, until the next step

    @property
    def pools(self) -> dict[str, RunCosts]:
        return self.costs

    def named(self, token_id: str) -> Traded:
        symbols = {token.token_id: token.symbol for token in self.session.tokens}
        return self.traded._replace(symbol=symbols[token_id])

    @property
    def last_time(self) -> int:
        return self.session.last_time or 0

    @property
    def next_place(self) -> int:
        """Return the next time of the grid that is traded: those that closed in a pause are skipped."""
        interval = self.interval_seconds
        return max(self.last_time + interval, -(-(self.skips_until - interval + 1) // interval) * interval)

    def unlisted_day(self, now: float) -> int | None:
        """Return the day whose list the next close needs, if it is not known yet."""
        close = self.next_place + self.interval_seconds
        is_needed = self.listing is not None and not self.unsaved and self.listing["until"] <= close <= now
        return close // DAY * DAY if is_needed else None

    def unknown_of(self, listed: Sequence[Json]) -> list[Json]:
        """Return those of a list that the run cannot trade yet, as many as it may still have."""
        errors = {row["token_id"]: row["error"] for row in self.tokens}
        again = [each for each in listed if errors.get(token_id_of(each)) is not None]
        new = [each for each in listed if token_id_of(each) not in errors]
        return [*again, *new[: MOST_OF_EACH_DAY - len(errors)]]

    def take_in(self, day: int, listed: Sequence[Json], came: Sequence[tuple[Json, Candles | None]]) -> None:
        """Trade the list of a day from the next place on, with the tokens that came with it."""
        rows = {row["token_id"]: row for row in self.tokens}
        rows |= {row["token_id"]: {**row, "listed": []} for row, _ in came}
        for token_id in map(token_id_of, listed):
            if token_id in rows:
                rows[token_id] = {**rows[token_id], "listed": with_day(rows[token_id]["listed"], day)}
            else:
                self._is_new(FULL, self.next_place)
        self.tokens = [rows[token_id] for token_id in sorted(rows)]
        self.costs |= _costs_of([row for row, _ in came])
        self.listing = {**(self.listing or {}), "until": day + DAY}
        warm_up = {row["token_id"]: candles for row, candles in came if candles is not None}
        told = self.session.take_in(self.next_place, self.run.traded_of(self.tokens), warm_up)
        self.told = [] if told is None else [told]

    def was_saved(self) -> None:
        super().was_saved()
        self.minutes = {}

    def first(self, place: Place) -> None:
        """Process the first place of the grid at once."""
        self._advance(place, {}, late=False)

    def doubt(self, now: float, answer: Answer) -> Doubt | None:
        if self.unsaved or not isinstance(answer, Mapping):
            return None
        skipped, coming = self._places(now, answer)
        if skipped or not coming:  # what the pause leaves of the positions is not known before it is skipped
            return None
        return self._doubt_at(coming[0])

    def _doubt_at(self, place: Place) -> Doubt | None:
        if not self.resolves:
            return None
        found = self.session.first_doubt(place.time, place.candles, self._minutes_at(place.time), self.minutes)
        return None if found is None else Doubt(found, place.time)

    def learn(self, doubt: Doubt, minutes: Candles) -> None:
        self.minutes[doubt] = minutes

    def _go_on(self, now: float, answer: Answer) -> None:
        if isinstance(answer, str):
            self._wait_for(answer, now)
        elif isinstance(answer, Mapping):
            words = self._failing(now, answer)
            self._wait_for(words, now)
            if words is None:
                self._follow(now, answer)

    def _failing(self, now: float, answers: Mapping[str, Candles | str]) -> str | None:
        """Return why the run waits. It goes on without a token that fails for long while others have answers."""
        failed = {token_id: words for token_id, words in answers.items() if isinstance(words, str)}
        self.failing_since = {token_id: self.failing_since.get(token_id, now) for token_id in failed}
        for token_id, words in failed.items():
            if len(failed) == len(answers) or now - self.failing_since[token_id] < TOLD_AFTER_SECONDS:
                return f"{self.named(token_id).token}: {words}"
        return None

    def _follow(self, now: float, answers: Mapping[str, Candles | str]) -> None:
        """Process every place of the grid that is complete, or for whose missing candles nothing waits any longer."""
        skipped, coming = self._places(now, answers)
        for place in coming:
            if place is not coming[0] and self._doubt_at(place) is not None:
                self.due = now  # its minutes are requested first
                break
            closed = place.time + self.interval_seconds
            self.total += 1
            self._advance(place, skipped, late=self.is_late(closed, now))
            skipped = {}

    def _places(self, now: float, answers: Mapping[str, Candles | str]) -> tuple[dict[str, Candles], list[Place]]:
        """Return the candles that are skipped, and the places of the grid to process."""
        session, interval = self.session, self.interval_seconds
        joined = {row["token_id"]: row["joined"][1] for row in self.tokens if "joined" in row}
        known = {
            token_id: candles.between(max(self.last_time + 1, joined.get(token_id, 0)), END_OF_TIME)
            for token_id, candles in answers.items()
            if isinstance(candles, Candles)
        }
        if session.is_alone:
            known = {token_id: session.without_gaps(token_id, candles) for token_id, candles in known.items()}
        newest = {token_id: int(candles.time[-1]) for token_id, candles in known.items() if len(candles)}
        traded_from, places = self.next_place, []
        end = max(newest.values(), default=0) + 1
        if self.listing is not None:  # the list of the day after is taken in first
            end = min(end, self.listing["until"] - interval)
        for time in range(traded_from, end, interval):
            is_complete = all(newest.get(token_id, 0) >= time for token_id in session.living())
            if not is_complete and now - (time + interval) < SILENT_SECONDS:
                break
            here = {token_id: candles.between(time, time + 1) for token_id, candles in known.items()}
            places.append(Place(time, {token_id: candles for token_id, candles in here.items() if len(candles)}))
        skipped = {token_id: candles.between(0, traded_from) for token_id, candles in known.items()}
        return ({} if traded_from == self.last_time + interval else skipped), places

    def _minutes_at(self, time: int) -> dict[str, Candles]:
        return {doubt.token_id: minutes for doubt, minutes in self.minutes.items() if doubt.time == time}

    def _advance(self, place: Place, skipped: dict[str, Candles], *, late: bool) -> None:
        """Process a place of the grid. Candles skipped before it, in a pause, are saved and logged with it."""
        seen, told, self.told = place.candles, self.told, []
        if skipped:
            told = [*told, self.session.skip(place.time - self.interval_seconds, skipped)]
            seen = {
                token_id: concatenate([skipped.get(token_id, candles[:0]), candles])
                for token_id, candles in {**{name: own[:0] for name, own in skipped.items()}, **place.candles}.items()
            }
        minutes = self._minutes_at(place.time)
        done = self.session.advance(place.time, place.candles, minutes)
        self.processed += 1
        step = NewStep(
            run_id=self.run_id,
            number=self.processed,
            time=place.time,
            late=late,
            log=[*told, *done.log],
            signals=[signal._asdict() for signal in done.signals],
            candle=packed_by_token(seen),
            minutes=packed_by_token(minutes) or None,
        )
        self._note(step, asked_tokens=self.tokens, listing=self.listing)


def begin_portfolio(run: Simulation, candles: dict[str, Candles]) -> ActivePortfolio:
    """Return a new run after its first place of the grid; the candles before it warm up the windows."""
    session = PaperPortfolio(run.strategy, run.traded_tokens, run.initial_cash, run.interval_seconds, run.loss_percent)
    session.warm_up({token_id: own.between(0, run.start_time) for token_id, own in candles.items()})
    here = {token_id: own.between(run.start_time, END_OF_TIME) for token_id, own in candles.items()}
    active = _active(run, session, COARSE_TICKS)
    active.first(Place(run.start_time, {token_id: own for token_id, own in here.items() if len(own)}))
    return active


def resume_portfolio(run: Simulation, candles: dict[str, Candles], ticks: int) -> ActivePortfolio:
    session = PaperPortfolio.restore(
        run.strategy, run.traded_tokens, run.state, candles, run.interval_seconds, run.loss_percent
    )
    return _active(run, session, ticks)


def _costs_of(rows: Sequence[Json]) -> dict[str, RunCosts]:
    known = [row for row in rows if row["error"] is None and row["costs"] is not None]
    return {row["token_id"]: RunCosts.model_validate(row["costs"]) for row in known}


def _active(run: Simulation, session: PaperPortfolio, ticks: int) -> ActivePortfolio:
    return ActivePortfolio(
        **lifecycle_of(run, session, ticks),
        run=run,
        session=session,
        tokens=run.asked_tokens or [],
        costs=_costs_of(run.asked_tokens or []),
        listing=run.listing,
    )
