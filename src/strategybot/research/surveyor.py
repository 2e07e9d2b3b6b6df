"""Runs surveys: the strategy on several tokens at a time. Rows are saved one by one, the combined result at the end.

A survey that another worker takes over starts again; fetched candles are stored. For the lifecycle see `kit/runs.py`.
"""

import logging
import os
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import anyio
import anyio.to_thread

from strategybot.backtests.schemas import Status
from strategybot.bots.service import costs_of
from strategybot.kit.changes import Change
from strategybot.kit.clock import Clock, iso_text
from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.kit.errors import AppError
from strategybot.kit.json_object import Json
from strategybot.kit.leases import Lease, Leases, write_under
from strategybot.kit.runs import DEFECT, JobsFactory, QueuedRunner
from strategybot.kit.threads import in_thread
from strategybot.market.service import Market
from strategybot.research import storage
from strategybot.research.live import LiveResearch, candles_of
from strategybot.research.storage import Survey
from strategybot.research.survey_rows import asked_token, combined, empty_row, tested_row
from strategybot.research.tries import Attempt, Tries
from strategybot.trading.backtest import BacktestResult, run_backtest
from strategybot.trading.candles import Integers, TooManyCandles
from strategybot.trading.conditions import lookback_candles
from strategybot.trading.costs import Costs
from strategybot.trading.evidence import Sample
from strategybot.trading.instruments import INTERVAL_SECONDS
from strategybot.trading.language.strategy import content_digest
from strategybot.trading.preparation import Prepared
from strategybot.trading.run_costs import RunCosts
from strategybot.trading.survey import Curve
from strategybot.trading.verdict import sample_of

logger = logging.getLogger("strategybot.research")

TOKENS_AT_ONCE = 4  # most of them wait for the provider
TOO_MANY_CANDLES = "The gaps between its candles are too long to be filled."
NOT_TESTED = "Something went wrong inside the service; this token was not tested."


class TestedToken(NamedTuple):
    """The row of one token; a token that could not be tested has no sample and no curve."""

    row: Json
    sample: Sample | None = None
    curve: Curve | None = None


@dataclass(eq=False)
class SurveyProgress:
    """The tokens of a survey, and the results of those that are done, by their place in `tokens`."""

    run: Survey
    live: LiveResearch
    tokens: list[Json]
    tested: dict[int, TestedToken] = field(default_factory=dict)

    @property
    def results(self) -> list[TestedToken]:
        """Return the results in the order of the tokens, so that sums do not depend on which token was done first."""
        return [result for _, result in sorted(self.tested.items())]

    @property
    def rows(self) -> list[Json]:
        return [each.row for each in self.results]

    def percent(self) -> float:
        return 1 + 98 * len(self.tested) / max(1, len(self.tokens))

    def combined(self) -> Json:
        samples = [each.sample for each in self.results if each.sample is not None]
        curves = [each.curve for each in self.results if each.curve is not None]
        return combined(self.rows, samples, curves, self.run.initial_cash)


class Surveyor(QueuedRunner[Survey, LiveResearch]):
    model, queue = Survey, "surveys"

    def __init__(
        self,
        database: Database,
        market: Market,
        clock: Clock,
        leases: Leases,
        jobs: JobsFactory,
        tries: Tries,
    ) -> None:
        super().__init__(database, clock, leases, jobs)
        self._market, self._tries = market, tries
        self._processors = anyio.CapacityLimiter(os.cpu_count() or 1)

    def begin(self, run: Survey) -> LiveResearch:  # noqa: ARG002
        return LiveResearch()

    def change(self, run: Survey, what: str) -> Change:
        return storage.change_of(run, what)

    async def work_on(self, run: Survey, live: LiveResearch) -> None:
        status: Status = "completed"
        error: str | None = None
        progress = SurveyProgress(run, live, run.tokens)
        try:
            with live.fetching():
                await self._survey(progress)
            status = "stopped" if live.stopped else "completed"
        except DatabaseUnavailable:  # temporary: the run is claimed again
            raise
        except AppError as refusal:
            status, error = "failed", refusal.message
        except Exception:  # the boundary of a job: a defect must end the run with a message
            logger.exception("run %s failed", run.run_id)
            status, error = "failed", DEFECT
        if not live.abandoned:
            combined = await in_thread(progress.combined) if progress.tested else None
            await in_thread(self._write_down, run.lease, status, error, progress, combined)

    async def _survey(self, progress: SurveyProgress) -> None:
        run = progress.run
        if not progress.tokens:
            trending = await self._market.trending(run.trending, run.tokens_total)
            progress.tokens = [asked_token(each) for each in trending[: run.tokens_total]]
        progress.live.follow = progress.percent
        await in_thread(self._save, progress)
        room = anyio.CapacityLimiter(TOKENS_AT_ONCE)
        try:
            async with anyio.create_task_group() as tasks:
                for place in range(len(progress.tokens)):
                    tasks.start_soon(self._add, progress, place, room)
        except ExceptionGroup as group:
            if group.subgroup(DatabaseUnavailable) is not None:
                raise DatabaseUnavailable from group
            raise

    async def _add(self, progress: SurveyProgress, place: int, room: anyio.CapacityLimiter) -> None:
        async with room:
            tested = await self._tested(progress, progress.tokens[place])
        if not progress.live.stopped:  # else the token may be half tested
            progress.tested[place] = tested
            await in_thread(self._save, progress)

    async def _tested(self, progress: SurveyProgress, token: Json) -> TestedToken:
        """Return the result of the token; the row of one that fails says why."""
        row = empty_row(token)
        try:
            return await self._test(progress, token)
        except DatabaseUnavailable:
            raise
        except AppError as error:
            return TestedToken({**row, "error": error.message})
        except TooManyCandles:
            return TestedToken({**row, "error": TOO_MANY_CANDLES})
        except Exception:  # one token must not end the survey of the others
            logger.exception("the survey %s could not test %s", progress.run.run_id, row["token_id"])
            return TestedToken({**row, "error": NOT_TESTED})

    async def _test(self, progress: SurveyProgress, token: Json) -> TestedToken:
        run = progress.run
        lookback = lookback_candles(run.strategy, INTERVAL_SECONDS[run.kline_interval])
        prepared = await candles_of(self._market, run, token["token"], token["chain"], lookback)
        token_id = f"{token['token']}-{token['chain']}"
        costs = await self._costs(run, token_id)
        traded = costs_of(run) if costs is None else costs.traded()
        work = partial(_run_on, run, prepared, traded, progress.live.control)
        result, sample = await anyio.to_thread.run_sync(work, limiter=self._processors, abandon_on_cancel=True)
        rules, tokens = content_digest(run.strategy), len(progress.tokens)
        await in_thread(self._tries.count, Attempt.of_research(run, token_id, rules, tokens=tokens))
        row = {**empty_row(token), **tested_row(result, sample, costs)}
        return TestedToken(row, sample, (result.equity_times, result.equity_values))

    async def _costs(self, run: Survey, token_id: str) -> RunCosts | None:
        """Return the run's costs with the token's pool: as an earlier worker of this run has read it, or as it is."""
        if run.costs is None:
            return None
        stored = next((row["costs"] for row in run.rows if row["token_id"] == token_id and row.get("costs")), None)
        if stored is not None:
            return RunCosts.model_validate(stored)
        return run.costs.read(await self._market.pool(token_id), iso_text(self._clock()))

    def _save(self, progress: SurveyProgress) -> None:
        values = {
            "tokens": progress.tokens,
            "tokens_total": len(progress.tokens),
            "tokens_done": len(progress.tested),
            "rows": progress.rows,
        }
        with self._database.write() as session:
            write_under(session, Survey, progress.run.lease, **values)

    def _write_down(
        self, lease: Lease, status: Status, error: str | None, progress: SurveyProgress, combined: Json | None
    ) -> None:
        with self._database.write() as session:
            run = storage.finish(session, Survey, lease, status, self._clock())
            if run is None or run.combined is not None:
                logger.info("run %s is not ours any longer", lease.run_id)
                return
            run.error, run.combined = error, combined
            run.rows, run.tokens, run.tokens_done = progress.rows, progress.tokens, len(progress.tested)


def _run_on(run: Survey, prepared: Prepared, costs: Costs, control: Integers) -> tuple[BacktestResult, Sample]:
    start = prepared.start_index
    result = run_backtest(run.strategy, prepared.candles, costs, run.initial_cash, start_index=start, control=control)
    return result, sample_of(prepared.candles, start, result)
