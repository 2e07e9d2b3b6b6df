"""Runs searches: fetches the candles, runs all variants in threads, and saves the result in one transaction.

The lifecycle (claim, progress, stop, reconcile, shutdown) is that of every queued run: `runs/runner.py`.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

import anyio
import anyio.to_thread

from strategybot.bots.service import name_of
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.jobs import JobsFactory
from strategybot.kit.json_object import Json
from strategybot.kit.threads import run_blocking
from strategybot.market.service import Market
from strategybot.notifications.service import Occurrence, tell
from strategybot.runs.costing import settle_costs
from strategybot.runs.history import candles_of
from strategybot.runs.leases import Lease, Leases
from strategybot.runs.runner import Failing, LiveRun, QueuedRunner
from strategybot.runs.schemas import Status
from strategybot.runs.storage import end, run_to_write
from strategybot.searches import storage
from strategybot.searches.findings import attempt_of, found_by, grid_of, run_of_variant
from strategybot.searches.storage import Optimisation
from strategybot.trading.engine.first_values import with_warm_up
from strategybot.trading.engine.preparation import Prepared
from strategybot.trading.evidence.strength import Sample, SearchEvidence
from strategybot.trading.evidence.verdict import Examination, Verdict, judge
from strategybot.trading.search.grid import Grid
from strategybot.trading.search.results import Search
from strategybot.trading.search.sweep import Sweep
from strategybot.trading.words.numbers import signed
from strategybot.verdicts.schemas import FinishedRun
from strategybot.verdicts.service import Verdicts, worth_looking_elsewhere
from strategybot.verdicts.tries import Counted

logger = logging.getLogger("strategybot.searches")

FETCHED_PERCENT, SEARCHED_PERCENT = 30.0, 95.0
MOST_SECONDS = 60.0
TOO_LONG = "The search took longer than {:.0f} seconds; what it did until then is kept."


@dataclass(frozen=True, eq=False)
class SearchOutcome:
    """The result of a search, complete or partial."""

    status: Status
    error: str | None = None
    done: int = 0
    variants: bytes | None = None
    found: Json | None = None
    verdict: Json | None = None
    report: Json | None = None


@dataclass(frozen=True, eq=False)
class Work:
    """A search with its candles."""

    run: Optimisation
    live: LiveRun
    prepared: Prepared
    sweep: Sweep

    @property
    def grid(self) -> Grid:
        return self.sweep.grid

    @property
    def search(self) -> Search:
        run = self.run
        return Search(self.sweep.tallies, self.grid.shape, run.initial_cash, run.objective, run.minimum_trades)


class Recommended(NamedTuple):
    """The recommended point of a search, with the inputs of its verdict."""

    finished: FinishedRun
    examination: Examination
    tries: int
    searched: SearchEvidence
    symbol: str

    def verdict(self, others: Mapping[str, Sample] | None = None) -> Verdict:
        return judge(self.examination, self.tries, others, self.searched, self.symbol, self.finished.can_be_sold)


class Optimiser(QueuedRunner[Optimisation, LiveRun]):
    model, live, queue = Optimisation, LiveRun, "optimisations"

    def __init__(
        self,
        database: Database,
        market: Market,
        clock: Clock,
        leases: Leases,
        jobs: JobsFactory,
        verdicts: Verdicts,
        most_seconds: float = MOST_SECONDS,
    ) -> None:
        super().__init__(database, clock, leases, jobs)
        self._market, self._verdicts, self._most_seconds = market, verdicts, most_seconds
        self._threads = os.cpu_count() or 1
        self._one_at_a_time = anyio.CapacityLimiter(1)  # a sweep uses every processor

    async def work_on(self, run: Optimisation, live: LiveRun) -> None:
        recommended: Recommended | None = None
        with Failing(run.run_id) as failure:
            outcome, recommended = await self._search(run, live)
        if failure.error is not None:
            outcome = SearchOutcome("failed", failure.error)
        if not live.abandoned:
            await run_blocking(self._write_down, run.lease, outcome)
            if recommended is not None:
                await self._look_elsewhere(recommended)

    async def _search(self, run: Optimisation, live: LiveRun) -> tuple[SearchOutcome, Recommended | None]:
        grid, prepared = grid_of(run), None
        lookback = await run_blocking(grid.lookback_candles, run.interval_seconds)
        with live.fetching():
            await settle_costs(self._database, self._market, self._clock, run)
            prepared = await candles_of(self._market, run, run.token, run.chain, lookback, _fetching(live))
        if prepared is None:
            return SearchOutcome("stopped"), None
        sweep = await run_blocking(
            Sweep, grid, prepared.candles, run.traded_costs, run.initial_cash, prepared.start_index
        )
        work = Work(run, live, prepared, sweep)
        is_late = await self._swept(work)
        tries = await run_blocking(self._count, work)
        if live.stopped:
            error = TOO_LONG.format(self._most_seconds) if is_late else None
            return await run_blocking(_outcome, work, "stopped", None, error), None
        p_loss = await run_blocking(work.search.p_loss, sweep.gross_blocks())
        outcome = await run_blocking(_outcome, work, "completed", p_loss)
        recommended = await self._recommend(work, tries, p_loss)
        if recommended is None:
            return outcome, None
        verdict = recommended.verdict()
        waits = worth_looking_elsewhere(verdict, recommended.finished)
        view = self._verdicts.view(verdict, pending=waits).model_dump(mode="json")
        return replace(outcome, verdict=view), recommended if waits else None

    def _count(self, work: Work) -> Counted:
        """Count the variants that ran as tries."""
        variants = work.sweep.different_variants()
        return self._verdicts.tries.count(attempt_of(work.run, variants)) if variants else Counted(0, 0)

    async def _swept(self, work: Work) -> bool:
        """Run the variants, and return whether the time limit was reached."""
        sweep, live, late = work.sweep, work.live, []

        def end() -> None:
            late.append(True)
            live.stop()

        def follow() -> float:
            return FETCHED_PERCENT + (SEARCHED_PERCENT - FETCHED_PERCENT) * sweep.done / len(sweep.grid)

        async with self._one_at_a_time:
            live.follow = follow
            timer = asyncio.get_running_loop().call_later(self._most_seconds, end)
            try:
                await anyio.to_thread.run_sync(sweep.run, live.control, self._threads, abandon_on_cancel=True)
            finally:
                timer.cancel()
        return bool(late)

    async def _recommend(self, work: Work, tries: Counted, p_loss: float) -> Recommended | None:
        variant = work.search.recommend()
        if variant is None:
            return None
        finished = await run_blocking(run_of_variant, work.run, work.grid, variant, work.prepared)
        examination = await self._verdicts.examine(finished)
        symbol = await self._verdicts.symbol_of(finished.token_id)
        searched = SearchEvidence(p_loss, work.search.different_trades(), tries.earlier)
        return Recommended(finished, examination, tries.total, searched, symbol)

    async def _look_elsewhere(self, recommended: Recommended) -> None:
        others = await self._verdicts.elsewhere(recommended.finished)
        view = self._verdicts.view(recommended.verdict(others), pending=False)
        await run_blocking(self._save_verdict, recommended.finished.run_id, view.model_dump(mode="json"))

    def _save_verdict(self, run_id: str, verdict: Json) -> None:
        with self._database.write() as session:
            storage.save_verdict(session, run_id, verdict)

    def _write_down(self, lease: Lease, outcome: SearchOutcome) -> None:
        with self._database.write() as session:
            run = run_to_write(session, Optimisation, lease)
            if run is None or run.variants_done:
                logger.info("run %s is not ours any longer", lease.run_id)
                return
            if run.is_held_under(lease):
                end(session, run, outcome.status, self._clock())
            run.variants_done, run.error = outcome.done, outcome.error
            run.found, run.verdict, run.data_report = outcome.found, outcome.verdict, outcome.report
            if outcome.variants is not None:
                storage.keep_variants(session, run.run_id, outcome.variants)
            _tell(session, run, self._clock())


def _fetching(live: LiveRun) -> Callable[[float], None]:
    def fetched(share: float) -> None:
        live.follow = lambda: 1 + (FETCHED_PERCENT - 1) * share

    return fetched


def _outcome(work: Work, status: Status, p_loss: float | None, error: str | None = None) -> SearchOutcome:
    found = found_by(work.grid, work.search, work.prepared, work.run.traded_costs, p_loss) if work.sweep.done else None
    candles = work.prepared.candles
    # What is untested of the longest variant may be known of others.
    longest = work.grid.longest_variant(candles.interval_seconds)
    report = with_warm_up(work.prepared.report, longest, candles).model_copy(update={"untested": None})
    return SearchOutcome(
        status=status,
        error=error,
        done=work.sweep.done,
        variants=storage.pack(work.search.pack()) if work.sweep.done else None,
        found=found,
        report=report.model_dump(),
    )


def _tell(session: Session, run: Optimisation, now: datetime) -> None:
    words = "finished" if run.status == "completed" else run.status
    text = run.error or _result_words(run)
    title = f"{name_of(session, run.bot_id)}: search {words}"
    tell(session, now, Occurrence(run.owner_id, "optimisation.finished", title, text, run.bot_id, run.run_id))


def _result_words(run: Optimisation) -> str:
    gain = ((run.found or {}).get("walk_forward") or {}).get("total_return")
    where = "" if run.token_symbol is None else f" on {run.token_symbol}"
    tested = f"{run.variants_done} of {run.variants_total} variants{where}."
    return tested if gain is None else f"{tested} On time it had not seen: {signed(gain)} %."
