"""Runs surveys: the strategy on several tokens at a time. Rows are saved one by one, the combined result at the end.

A survey that another worker takes over starts again; fetched candles are stored. The lifecycle is in `runs/runner.py`.
"""

import logging
import os
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import anyio
import anyio.to_thread

from strategybot.kit.clock import Clock, iso_text
from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.kit.errors import AppError
from strategybot.kit.jobs import JobsFactory
from strategybot.kit.json_object import Json
from strategybot.kit.threads import run_blocking
from strategybot.market.service import Market
from strategybot.runs.history import candles_of
from strategybot.runs.leases import Leases, write_under
from strategybot.runs.runner import Failing, LiveRun, QueuedRunner
from strategybot.runs.schemas import Status
from strategybot.runs.storage import end, run_to_write
from strategybot.surveys.rows import asked_token, combine, empty_row, tested_row
from strategybot.surveys.storage import Survey
from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.candles import Integers, TooManyCandles
from strategybot.trading.engine.conditions import lookback_candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.preparation import Prepared
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.evidence.strength import Sample
from strategybot.trading.evidence.verdict import sample_of
from strategybot.trading.language.strategy import content_digest
from strategybot.trading.search.survey import Curve
from strategybot.verdicts.tries import Attempt, Tries

logger = logging.getLogger("strategybot.surveys")

DAY = 86_400
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
    live: LiveRun
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

    def combine(self) -> Json:
        samples = [each.sample for each in self.results if each.sample is not None]
        curves = [each.curve for each in self.results if each.curve is not None]
        younger = sum(bool(row.get("younger")) for row in self.rows)
        return {**combine(self.rows, samples, curves, self.run.initial_cash), "younger": younger}


class Surveyor(QueuedRunner[Survey, LiveRun]):
    model, live, queue = Survey, LiveRun, "surveys"

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

    async def work_on(self, run: Survey, live: LiveRun) -> None:
        progress = SurveyProgress(run, live, run.tokens)
        with Failing(run.run_id) as failure, live.fetching():
            await self._survey(progress)
        if not live.abandoned:
            combined = await run_blocking(progress.combine) if progress.tested else None
            await run_blocking(self._write_down, progress, failure.error, combined)

    async def _survey(self, progress: SurveyProgress) -> None:
        run = progress.run
        if not progress.tokens:
            trending = await self._market.trending(run.trending, run.tokens_total)
            progress.tokens = [asked_token(each) for each in trending[: run.tokens_total]]
        progress.live.follow = progress.percent
        await run_blocking(self._save, progress)
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
            tested = await self._test_token(progress, progress.tokens[place])
        if not progress.live.stopped:  # else the token may be half tested
            progress.tested[place] = tested
            await run_blocking(self._save, progress)

    async def _test_token(self, progress: SurveyProgress, token: Json) -> TestedToken:
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
        lookback = lookback_candles(run.strategy, run.interval_seconds)
        prepared = await candles_of(self._market, run, token["token"], token["chain"], lookback)
        token_id = f"{token['token']}-{token['chain']}"
        costs = await self._costs(run, token_id)
        traded = run.traded_costs if costs is None else costs.traded()
        work = partial(_run_on, run, prepared, traded, progress.live.control)
        result, sample = await anyio.to_thread.run_sync(work, limiter=self._processors, abandon_on_cancel=True)
        rules, tokens = content_digest(run.strategy), len(progress.tokens)
        await run_blocking(self._tries.count, Attempt.of_run(run, token_id, rules, tokens=tokens))
        row = {**empty_row(token), **tested_row(result, sample, costs), "younger": _is_younger(run, prepared, lookback)}
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

    def _write_down(self, progress: SurveyProgress, error: str | None, combined: Json | None) -> None:
        lease = progress.run.lease
        status: Status = "stopped" if progress.live.stopped else "completed"
        status = status if error is None else "failed"
        with self._database.write() as session:
            run = run_to_write(session, Survey, lease)
            if run is None or run.combined is not None:
                logger.info("run %s is not ours any longer", lease.run_id)
                return
            if run.is_held_under(lease):
                end(session, run, status, self._clock())
            run.error, run.combined = error, combined
            run.rows, run.tokens, run.tokens_done = progress.rows, progress.tokens, len(progress.tested)


def _is_younger(run: Survey, prepared: Prepared, lookback: int) -> bool:
    """Return whether the token's first candle came after the start of the survey."""
    first = int(prepared.candles.time[0])
    # Without candles before the start, a day without a trade is what is not expected of a token that existed.
    return first >= run.start_time if lookback else first >= run.start_time + DAY


def _run_on(run: Survey, prepared: Prepared, costs: Costs, control: Integers) -> tuple[BacktestResult, Sample]:
    start = prepared.start_index
    result = run_backtest(run.strategy, prepared.candles, costs, run.initial_cash, start_index=start, control=control)
    return result, sample_of(prepared.candles, start, result)
