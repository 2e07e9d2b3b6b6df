"""Runs simulations: steps each when it is due, and saves all steps in one transaction. For the loop see
`runs/follower.py`.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from strategybot.kit.database import DatabaseUnavailable
from strategybot.kit.errors import AppError
from strategybot.kit.threads import run_blocking
from strategybot.runs.follower import DEFECT, SECONDS_BEFORE_TRYING_AGAIN, Follower
from strategybot.runs.universes import listed_on
from strategybot.simulations import saves
from strategybot.simulations.active import ActiveRun, ActiveSimulation, Answer, Doubt, resume, ticks_beside
from strategybot.simulations.active_portfolio import ActivePortfolio, resume_portfolio
from strategybot.simulations.lookback import purse_candles, recent_candles
from strategybot.simulations.purses import Purses
from strategybot.simulations.saves import Saved
from strategybot.simulations.storage import History, Simulation
from strategybot.trading.engine.candles import NO_MINUTES
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval

logger = logging.getLogger("strategybot.simulations")

SeriesRequest = tuple[str, Interval, int]  # a token id, an interval, and the time of the last known candle

FRESH_POOL = timedelta(minutes=30)


class Runner(Follower[Simulation, ActiveRun]):
    model = Simulation

    def resume(self, runs: Sequence[Simulation]) -> list[ActiveRun]:
        with self._database.read() as session:
            with_history = saves.with_history(session, runs)
        simulations: list[ActiveRun] = []
        for run, history in with_history:
            try:
                simulations.append(self._resume(run, history))
            except DatabaseUnavailable:
                logger.warning("simulation %s waits until the database can be reached", run.run_id)
            # the boundary of a run: a run that cannot be restored is stopped with a message, and no other
            except Exception:
                logger.exception("simulation %s cannot be restored", run.run_id)
                self._give_up(run)
        return simulations

    def _resume(self, run: Simulation, history: History) -> ActiveRun:
        ticks = ticks_beside(len(self.active))
        if run.asked_tokens is None:
            return resume(run, recent_candles(self._market, run, history), ticks)
        return resume_portfolio(run, purse_candles(self._market, run, history), ticks)

    async def step(self, due: Sequence[ActiveRun]) -> None:
        by_series = defaultdict(list)
        for simulation in due:
            if isinstance(simulation, ActivePortfolio):
                self.in_background(self._follow_purse(simulation))
            elif isinstance(simulation, ActiveSimulation) and simulation.live:
                by_series[simulation.token_id, simulation.kline_interval, simulation.asks_from].append(simulation)
        for series, simulations in by_series.items():
            self.in_background(self._follow(series, simulations))
        if doubtful := [simulation for simulation in due if not simulation.live and simulation.resolves]:
            self.in_background(self._resolve_and_go_on(doubtful, None))
        if replays := [simulation for simulation in due if not (simulation.live or simulation.resolves)]:
            await self._go_on(replays, None)

    async def _go_on(self, simulations: Sequence[ActiveRun], answer: Answer) -> None:
        """Step the runs and save them. Steps that could not be saved are kept, and saved before the run continues."""
        if not simulations:
            return
        try:
            saved = await run_blocking(self._step_and_save, simulations, answer)
        except DatabaseUnavailable:
            logger.warning("%d simulations cannot be saved at the moment", len(simulations))
            saved = Saved(set(), set())
        for simulation in filter(self.is_ours, simulations):
            self._keep(simulation, saved)

    def _keep(self, simulation: ActiveRun, saved: Saved) -> None:
        if simulation.run_id in saved.done:
            simulation.was_saved()
        if simulation.run_id in saved.lost or (simulation.over and not simulation.unsaved):
            self.drop(simulation)
        else:
            self.schedule(simulation, self.now() + SECONDS_BEFORE_TRYING_AGAIN if simulation.unsaved else None)

    def _step_and_save(self, simulations: Sequence[ActiveRun], answer: Answer) -> Saved:
        for simulation in simulations:
            if not simulation.unsaved:
                self._step(simulation, answer)
        unsaved = [simulation.save() for simulation in simulations if simulation.unsaved]
        if not unsaved:
            return Saved(set(), set())
        with self._database.write() as session:
            return saves.save(session, unsaved, self._clock())

    def _step(self, simulation: ActiveRun, answer: Answer) -> None:
        try:
            simulation.go_on(self.now(), answer)
        except Exception:  # the boundary of a run: a defect ends this run with a message, and no other
            logger.exception("simulation %s failed", simulation.run_id)
            simulation.fail(self.now())

    async def _follow(self, series: SeriesRequest, simulations: Sequence[ActiveSimulation]) -> None:
        """Make one request for all runs that have seen the same candles."""
        await self._look_at_pools(simulations)
        news = simulations[0].may_have_news(self.now())
        answer = await self.candles_after(*series, simulations[0].owner_id) if news else None
        await self._go_on([simulation for simulation in simulations if not simulation.resolves], answer)
        await self._resolve_and_go_on([simulation for simulation in simulations if simulation.resolves], answer)

    async def _follow_purse(self, simulation: ActivePortfolio) -> None:
        """Ask for the candles of all tokens, and step the purse."""
        await self._look_at_pools([simulation])
        answer: Answer = await self._take_in(simulation)
        if answer is None and simulation.may_have_news(self.now()):
            series = (simulation.kline_interval, simulation.asks_from, simulation.owner_id)
            living = simulation.session.living()
            found = await asyncio.gather(*(self.candles_after(token_id, *series) for token_id in living))
            answer = dict(zip(living, found, strict=True))
        if simulation.resolves:
            await self._resolve_and_go_on([simulation], answer)
        else:
            await self._go_on([simulation], answer)

    async def _take_in(self, simulation: ActivePortfolio) -> str | None:
        """Let the purse trade the list of a new day; return why it has to wait for it."""
        day, listing = simulation.unlisted_day(self.now()), simulation.listing
        if day is None or listing is None:
            return None
        try:
            await self._market.lists.keep([listing["chain"]])
            listed = await listed_on(self._market, listing["chain"], listing["limit"], day)
            came = await Purses(self._market, self._clock).joining(
                simulation.run,
                simulation.next_place,
                simulation.unknown_of(listed),
                is_patient=not simulation.told_of_waiting,
            )
        except AppError as error:
            return error.message
        except Exception:  # the boundary of a run: a defect must not end it; the next check may succeed
            logger.exception("the list of simulation %s is unknown", simulation.run_id)
            return DEFECT
        simulation.take_in(day, listed, came)
        return None

    async def _look_at_pools(self, simulations: Sequence[ActiveRun]) -> None:
        """Look at the pools of the tokens, once an hour for each run."""
        for simulation in simulations:
            if simulation.looks_at_pools(self.now()):
                for token_id in simulation.pools:
                    simulation.see_pool(token_id, await self._market.pool(token_id, FRESH_POOL), self.now())

    async def _resolve_and_go_on(self, simulations: Sequence[ActiveRun], answer: Answer) -> None:
        """Step the runs after the 1-minute candles of their candles in doubt were requested."""
        while simulations:
            doubts = await run_blocking(self._doubts, simulations, answer)
            await self._go_on([simulation for simulation in simulations if simulation.run_id not in doubts], answer)
            simulations = [simulation for simulation in simulations if simulation.run_id in doubts]
            await asyncio.gather(*(self._learn(simulation, doubts[simulation.run_id]) for simulation in simulations))

    def _doubts(self, simulations: Sequence[ActiveRun], answer: Answer) -> dict[str, Doubt]:
        """Return the first candle in doubt of each run that has one."""
        found = {}
        for simulation in simulations:
            try:
                doubt = simulation.doubt(self.now(), answer)
            except Exception:  # the boundary of a run: the defect is raised again by the step, which ends the run
                logger.exception("the doubts of simulation %s are unknown", simulation.run_id)
                doubt = None
            if doubt is not None:
                found[simulation.run_id] = doubt
        return found

    async def _learn(self, simulation: ActiveRun, doubt: Doubt) -> None:
        """Request the minutes of the candle. Without minutes the stop loss counts as reached first."""
        end = doubt.time + INTERVAL_SECONDS[simulation.kline_interval]
        minutes = await self.candles_after(doubt.token_id, "1m", doubt.time - 1, simulation.owner_id, end)
        simulation.learn(doubt, NO_MINUTES if isinstance(minutes, str) else minutes)

    def _give_up(self, run: Simulation) -> None:
        with suppress(DatabaseUnavailable), self._database.write() as session:
            saves.give_up(session, run.lease, self._clock())
