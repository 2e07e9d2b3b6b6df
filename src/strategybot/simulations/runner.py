"""Runs simulations: claims runs that no process holds, steps each when it is due, and saves all steps in one
transaction.

One loop serves thousands of runs. `kit/leases.py` decides who holds a run and when another process takes it over. While
the database or the provider cannot be reached, runs wait and nothing is lost.
"""

import asyncio
import heapq
import itertools
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

import anyio

from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.kit.errors import AppError
from strategybot.kit.leases import Leases, abandon
from strategybot.kit.threads import Sleep, in_thread
from strategybot.market.service import Market
from strategybot.simulations import saves
from strategybot.simulations.active import ActiveSimulation, resume
from strategybot.simulations.lookback import recent_candles
from strategybot.simulations.saves import Saved
from strategybot.simulations.storage import History, Simulation
from strategybot.trading.candles import NO_MINUTES, Candles
from strategybot.trading.instruments import Interval

logger = logging.getLogger("strategybot.simulations")

SeriesRequest = tuple[str, Interval, int]  # a token id, an interval, and the time of the last known candle

SECONDS_BETWEEN_LOOKS = 2
LONGEST_PAUSE_SECONDS = 0.1
SECONDS_BEFORE_TRYING_AGAIN = 1
CLAIMS_AT_ONCE, STEPS_AT_ONCE = 250, 1000
QUESTIONS_AT_ONCE = 16
FRESH_POOL = timedelta(minutes=30)
DEFECT = "Something went wrong inside the service; it is tried again."


class Runner:
    def __init__(
        self, database: Database, market: Market, clock: Clock, leases: Leases, sleep: Sleep = anyio.sleep
    ) -> None:
        self._database, self._market, self._clock = database, market, clock
        self._leases, self._sleep = leases, sleep
        self._active: dict[str, ActiveSimulation] = {}
        self._due: list[tuple[float, int, ActiveSimulation]] = []
        self._scheduled = itertools.count()
        self._next_look = 0.0
        self._following: set[asyncio.Task[None]] = set()
        self._questions = asyncio.Semaphore(QUESTIONS_AT_ONCE)

    async def work(self) -> None:
        """Claim and step runs until cancelled."""
        try:
            async with anyio.create_task_group() as tasks:
                # Two loops, so that no step waits for a claim to be committed.
                tasks.start_soon(self._go_round, self.look, self._until_next_look)
                tasks.start_soon(self._go_round, self.turn, self._until_next_step)
        finally:
            with anyio.CancelScope(shield=True):
                for task in self._following:
                    task.cancel()
                await self.followed()

    async def look(self) -> None:
        """Claim runs that no process holds."""
        claimed = await in_thread(self._claim)
        for simulation in await in_thread(self._resumed, claimed):
            self._active[simulation.run_id] = simulation
            self._schedule(simulation)
        # In batches, so that due steps do not wait.
        pause = 0 if len(claimed) == CLAIMS_AT_ONCE else SECONDS_BETWEEN_LOOKS
        self._next_look = self._now() + pause

    async def turn(self) -> None:
        """Step the runs that are due."""
        due = self._taken_due()
        by_series = defaultdict(list)
        for simulation in due:
            if simulation.live:
                by_series[simulation.token_id, simulation.kline_interval, simulation.asks_from].append(simulation)
        for series, simulations in by_series.items():
            self._in_background(self._follow(series, simulations))
        if doubtful := [simulation for simulation in due if not simulation.live and simulation.resolves]:
            self._in_background(self._resolve_and_go_on(doubtful, None))
        if replays := [simulation for simulation in due if not (simulation.live or simulation.resolves)]:
            await self._go_on(replays, None)

    async def followed(self) -> None:
        """Wait until the market has answered all live runs."""
        while self._following:
            await asyncio.wait(self._following)

    async def _go_round(self, work: Callable[[], Awaitable[None]], pause: Callable[[], float]) -> None:
        while True:
            try:
                await work()
                seconds = pause()
            except Exception:  # the boundary of a background loop: it must survive a database outage
                logger.exception("simulating failed")
                seconds = SECONDS_BEFORE_TRYING_AGAIN
            await self._sleep(seconds)

    def _now(self) -> float:
        return self._clock().timestamp()

    def _until_next_look(self) -> float:
        return max(0.0, self._next_look - self._now())

    def _until_next_step(self) -> float:
        """Return the seconds until the next step, at most a limit: a run claimed meanwhile may be due sooner."""
        next_due = self._due[0][0] if self._due else float("inf")
        return min(LONGEST_PAUSE_SECONDS, max(0.0, next_due - self._now()))

    def _schedule(self, simulation: ActiveSimulation, moment: float | None = None) -> None:
        heapq.heappush(self._due, (simulation.due if moment is None else moment, next(self._scheduled), simulation))

    def _taken_due(self) -> list[ActiveSimulation]:
        due: list[ActiveSimulation] = []
        now = self._now()
        while self._due and self._due[0][0] <= now and len(due) < STEPS_AT_ONCE:
            *_, simulation = heapq.heappop(self._due)
            if self._is_ours(simulation):
                due.append(simulation)
        return due

    def _is_ours(self, simulation: ActiveSimulation) -> bool:
        """Return False if the run was lost to another process, also if this process has claimed it again since."""
        return self._active.get(simulation.run_id) is simulation

    async def _go_on(self, simulations: Sequence[ActiveSimulation], answer: Candles | str | None) -> None:
        """Step the runs and save them. Steps that could not be saved are kept, and saved before the run continues."""
        if not simulations:
            return
        try:
            saved = await in_thread(self._step_and_save, simulations, answer)
        except DatabaseUnavailable:
            logger.warning("%d simulations cannot be saved at the moment", len(simulations))
            saved = Saved(set(), set())
        for simulation in filter(self._is_ours, simulations):
            self._keep(simulation, saved)

    def _keep(self, simulation: ActiveSimulation, saved: Saved) -> None:
        if simulation.run_id in saved.done:
            simulation.was_saved()
        if simulation.run_id in saved.lost or (simulation.over and not simulation.unsaved):
            del self._active[simulation.run_id]
        else:
            self._schedule(simulation, self._now() + SECONDS_BEFORE_TRYING_AGAIN if simulation.unsaved else None)

    def _step_and_save(self, simulations: Sequence[ActiveSimulation], answer: Candles | str | None) -> Saved:
        for simulation in simulations:
            if not simulation.unsaved:
                self._step(simulation, answer)
        unsaved = [simulation.save() for simulation in simulations if simulation.unsaved]
        if not unsaved:
            return Saved(set(), set())
        with self._database.write() as session:
            return saves.save(session, unsaved, self._clock())

    def _step(self, simulation: ActiveSimulation, answer: Candles | str | None) -> None:
        try:
            simulation.go_on(self._now(), answer)
        except Exception:  # the boundary of a run: a defect ends this run with a message, and no other
            logger.exception("simulation %s failed", simulation.run_id)
            simulation.fail(self._now())

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        following = asyncio.create_task(work)
        self._following.add(following)
        following.add_done_callback(self._following.discard)

    async def _follow(self, series: SeriesRequest, simulations: Sequence[ActiveSimulation]) -> None:
        """Make one request for all runs that have seen the same candles."""
        await self._look_at_pool(simulations)
        news = simulations[0].may_have_news(self._now())
        answer = await self._answer(*series, simulations[0].owner_id) if news else None
        await self._go_on([simulation for simulation in simulations if not simulation.resolves], answer)
        await self._resolve_and_go_on([simulation for simulation in simulations if simulation.resolves], answer)

    async def _look_at_pool(self, simulations: Sequence[ActiveSimulation]) -> None:
        """Look at the token's pool, once an hour for each run."""
        due = [simulation for simulation in simulations if simulation.looks_at_pool(self._now())]
        if not due:
            return
        facts = await self._market.pool(due[0].token_id, FRESH_POOL)
        for simulation in due:
            simulation.see_pool(facts, self._now())

    async def _resolve_and_go_on(self, simulations: Sequence[ActiveSimulation], answer: Candles | str | None) -> None:
        """Step the runs after the 1-minute candles of their candles in doubt were requested."""
        while simulations:
            doubts = await in_thread(self._doubts, simulations, answer)
            await self._go_on([simulation for simulation in simulations if simulation.run_id not in doubts], answer)
            simulations = [simulation for simulation in simulations if simulation.run_id in doubts]
            await asyncio.gather(*(self._learn(simulation, doubts[simulation.run_id]) for simulation in simulations))

    def _doubts(self, simulations: Sequence[ActiveSimulation], answer: Candles | str | None) -> dict[str, int]:
        """Return the first candle in doubt of each run that has one."""
        found = {}
        for simulation in simulations:
            try:
                doubt = simulation.doubt(answer)
            except Exception:  # the boundary of a run: the defect is raised again by the step, which ends the run
                logger.exception("the doubts of simulation %s are unknown", simulation.run_id)
                doubt = None
            if doubt is not None:
                found[simulation.run_id] = doubt
        return found

    async def _learn(self, simulation: ActiveSimulation, time: int) -> None:
        """Request the minutes of the candle. Without minutes the stop loss counts as reached first."""
        end = time + simulation.candles.interval_seconds
        minutes = await self._answer(simulation.token_id, "1m", time - 1, simulation.owner_id, end)
        simulation.learn(time, NO_MINUTES if isinstance(minutes, str) else minutes)

    async def _answer(
        self, token_id: str, interval: Interval, last_time: int, owner_id: str, end: int | None = None
    ) -> Candles | str:
        """Return the candles after the last one, or the error message of the provider."""
        try:
            async with self._questions:
                span = (last_time + 1, end or int(self._now()))
                candles, _ = await self._market.candles(token_id, interval, *span, run_owner_id=owner_id)
        except AppError as error:
            return error.message
        except Exception:  # the boundary of a run, as above; the next check may succeed
            logger.exception("no candles for %s", token_id)
            return DEFECT
        return candles

    def _claim(self) -> list[tuple[Simulation, History]]:
        with self._database.write() as session:
            if self._leases.count_held(session, Simulation) > len(self._active):
                abandon(session, Simulation, self._leases.forgotten(session, Simulation, self._active))
            claimed = self._leases.claim_many(session, Simulation, Simulation.due_at, CLAIMS_AT_ONCE)
            return saves.with_history(session, claimed)

    def _resumed(self, claimed: Sequence[tuple[Simulation, History]]) -> list[ActiveSimulation]:
        simulations = []
        for run, history in claimed:
            try:
                simulations.append(resume(run, recent_candles(self._market, run, history), len(self._active)))
            except DatabaseUnavailable:
                logger.warning("simulation %s waits until the database can be reached", run.run_id)
            # the boundary of a run: a run that cannot be restored is stopped with a message, and no other
            except Exception:
                logger.exception("simulation %s cannot be restored", run.run_id)
                self._give_up(run)
        return simulations

    def _give_up(self, run: Simulation) -> None:
        with suppress(DatabaseUnavailable), self._database.write() as session:
            saves.give_up(session, run.lease, self._clock())
