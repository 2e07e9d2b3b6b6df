"""Verdicts: a completed run is graded, first on its own candles, then on other tokens."""

import logging
import os
from collections.abc import Callable
from functools import partial

import anyio
import anyio.to_thread
import numpy as np

from strategybot.kit.clock import Clock, iso_text
from strategybot.kit.database import Database
from strategybot.kit.errors import AppError
from strategybot.kit.threads import run_blocking
from strategybot.market.service import OTHER_TOKENS_FACTS, Market
from strategybot.runs.storage import QueuedTokenRun
from strategybot.trading.engine.backtest import BacktestResult
from strategybot.trading.engine.candles import Candles, TooManyCandles, densify
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.instruments import plain_symbol
from strategybot.trading.engine.loop import STOP_REQUESTED, new_control
from strategybot.trading.engine.preparation import Prepared
from strategybot.trading.engine.run_costs import requested_costs
from strategybot.trading.evidence.portfolio import examine_portfolio
from strategybot.trading.evidence.strength import LEAST_TRADES, Sample
from strategybot.trading.evidence.verdict import Examination, Verdict, examine, judge, try_elsewhere
from strategybot.trading.language.strategy import Strategy, content_digest
from strategybot.trading.words.verdicts import THESE_TOKENS, UNNAMED_TOKEN
from strategybot.verdicts.baskets import Baskets
from strategybot.verdicts.schemas import FinishedPortfolio, FinishedRun, VerdictView
from strategybot.verdicts.tries import Attempt, Tries, set_id

logger = logging.getLogger("strategybot.verdicts")

OTHER_TOKENS = 8
PAGES_A_TOKEN = 3  # more calls to the provider than this are not cheap
MOST_CANDLES_ELSEWHERE = 500_000
SECONDS_FOR_A_SYMBOL = 2.0  # a verdict does not wait longer for a slow provider
DAY = 86_400


class Verdicts:
    def __init__(self, database: Database, market: Market, clock: Clock) -> None:
        self._market, self._clock = market, clock
        self._baskets, self.tries = Baskets(database, market, clock), Tries(database, market)
        self._processors = anyio.CapacityLimiter(os.cpu_count() or 1)

    async def grade(self, finished: FinishedRun, save: Callable[[VerdictView], None]) -> None:
        """Save the verdict of the run's own candles, then once more with the other tokens."""
        examination = await self.examine(finished)
        tries = (await run_blocking(self.tries.count, Attempt.of(finished))).total
        symbol = await self.symbol_of(finished.token_id)
        verdict = judge(examination, tries, token=symbol, can_be_sold=finished.can_be_sold)
        waits = worth_looking_elsewhere(verdict, finished)
        await run_blocking(save, self.view(verdict, pending=waits))
        if waits:
            others = await self.elsewhere(finished)
            verdict = judge(examination, tries, others, token=symbol, can_be_sold=finished.can_be_sold)
            await run_blocking(save, self.view(verdict, pending=False))

    async def grade_portfolio(self, finished: FinishedPortfolio, save: Callable[[VerdictView], None]) -> None:
        """Save the verdict of the purse. Its own tokens are added by calendar day; no other ones are tested."""
        control, run = new_control(), finished.run
        work = partial(
            examine_portfolio,
            run.strategy,
            finished.together,
            finished.result,
            finished.dead_token_loss_percent,
            control,
            finished.untested,
        )
        try:
            examination = await anyio.to_thread.run_sync(work, limiter=self._processors, abandon_on_cancel=True)
        finally:
            control[STOP_REQUESTED] = 1
        ids = [self._market.normal_id(each.token_id) for each in finished.together.tokens]
        attempt = Attempt.of_run(run, set_id(ids), content_digest(run.strategy))
        tries = (await run_blocking(self.tries.count, attempt)).total
        verdict = judge(examination, tries, token=THESE_TOKENS, can_be_sold=finished.can_be_sold)
        await run_blocking(save, self.view(verdict, pending=False))

    async def examine(self, finished: FinishedRun) -> Examination:
        control = new_control()
        work = partial(
            examine,
            finished.strategy,
            finished.candles,
            finished.costs,
            finished.start_index,
            finished.result,
            control,
            finished.untested,
        )
        try:
            return await anyio.to_thread.run_sync(work, limiter=self._processors, abandon_on_cancel=True)
        finally:
            control[STOP_REQUESTED] = 1  # a cancelled job leaves no thread at work

    async def symbol_of(self, token_id: str) -> str:
        """Return the token's symbol for the sentences; "this token" if it is not plain, or does not come soon."""
        with anyio.move_on_after(SECONDS_FOR_A_SYMBOL):
            detail = await self._market.token_if_reachable(token_id)
            return (detail and plain_symbol(detail.symbol)) or UNNAMED_TOKEN
        return UNNAMED_TOKEN

    def view(self, verdict: Verdict, *, pending: bool) -> VerdictView:
        """Return the verdict with the current time as its date."""
        return VerdictView(**dict(verdict), graded_at=self._clock(), other_tokens_pending=pending)

    async def elsewhere(self, finished: FinishedRun) -> dict[str, Sample]:
        """Return the runs of the same rules on the tokens of the basket that have the whole span.

        If the provider does not answer, the tokens tested so far are returned.
        """
        found: dict[str, Sample] = {}
        try:
            for token_id in await self._baskets.tokens(finished.chain):
                if len(found) < OTHER_TOKENS and token_id != self._market.normal_id(finished.token_id):
                    candles = await self._candles(finished, token_id)
                    if candles is not None:
                        found[token_id] = await self._try_on(finished, token_id, candles)
        except AppError as error:
            logger.info("no more other tokens for run %s: %s", finished.run_id, error.message)
        return found

    async def _candles(self, finished: FinishedRun, token_id: str) -> Candles | None:
        """Return the token's candles if they cover the span and are stored or cheap to fetch."""
        interval, start = finished.kline_interval, finished.start_time
        pages = await self._market.pages_missing(token_id, interval, start, finished.end_time)
        if pages > PAGES_A_TOKEN:
            return None
        span, left = (finished.fetched_from, finished.end_time), PAGES_A_TOKEN - pages
        candles, report = await self._market.candles(token_id, interval, *span, traded_from=start, warm_up_pages=left)
        if not len(candles) or candles.time[0] > finished.start_time + DAY:
            return None
        try:
            dense, _ = await run_blocking(densify, candles, report)
        except TooManyCandles:
            return None
        return dense if dense.time[-1] >= finished.end_time - DAY else None

    async def _costs(self, finished: FinishedRun, token_id: str) -> Costs:
        """Return the run's fee and slippage with the pool of another token."""
        asked = finished.run_costs
        if asked is None or asked.pool_costs == "off":
            return finished.costs
        facts = await self._market.pool(token_id, OTHER_TOKENS_FACTS)
        plain = requested_costs("auto", asked.fee_percent, asked.slippage_percent)
        return plain.read(facts, iso_text(self._clock())).traded()

    async def _try_on(self, finished: FinishedRun, token_id: str, candles: Candles) -> Sample:
        control = new_control()
        start, cash = int(np.searchsorted(candles.time, finished.start_time)), finished.initial_cash
        costs = await self._costs(finished, token_id)
        work = partial(try_elsewhere, finished.strategy, candles, costs, cash, start, control)
        try:
            return await anyio.to_thread.run_sync(work, limiter=self._processors, abandon_on_cancel=True)
        finally:
            control[STOP_REQUESTED] = 1


def finished_run(
    run: QueuedTokenRun, strategy: Strategy, fetched_from: int, prepared: Prepared, result: BacktestResult
) -> FinishedRun:
    """Return a run over history with its strategy, candles and result, to be graded."""
    return FinishedRun(
        run_id=run.run_id,
        owner_id=run.owner_id,
        token=run.token,
        chain=run.chain,
        kline_interval=run.kline_interval,
        fetched_from=fetched_from,
        start_time=run.start_time,
        end_time=run.end_time,
        asked_at=run.created_at.timestamp(),
        strategy=strategy,
        costs=run.traded_costs,
        run_costs=run.costs,
        initial_cash=run.initial_cash,
        candles=prepared.candles,
        start_index=prepared.start_index,
        result=result,
    )


def worth_looking_elsewhere(verdict: Verdict, finished: FinishedRun) -> bool:
    """Return whether other tokens can change the grade and the run is short enough to test them."""
    undecided = verdict.grade != "loses" and verdict.trades >= LEAST_TRADES
    return undecided and len(finished.candles) <= MOST_CANDLES_ELSEWHERE
