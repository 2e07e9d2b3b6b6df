"""Backtests: the owner of the bot starts, follows, stops and reads them; they are computed in the background."""

from collections.abc import Iterator

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Accounts, Principal
from strategybot.accounts.tiers import MOST_DETAILED_BACKTESTS, upsell
from strategybot.backtests import storage
from strategybot.backtests.chart_points import fitted_lines
from strategybot.backtests.chunks import ROWS_A_CHUNK
from strategybot.backtests.costing import read_costs as read_costs  # noqa: PLC0414  other slices import service
from strategybot.backtests.costing import settle_costs as settle_costs  # noqa: PLC0414
from strategybot.backtests.grading import needs_verdict
from strategybot.backtests.result_views import TradeRecord
from strategybot.backtests.runner import Runner
from strategybot.backtests.schemas import (
    BacktestPage,
    BacktestPatch,
    BacktestRequest,
    BacktestSummary,
    BacktestView,
    LinesView,
    SignalsPage,
    SignalView,
    SpanRequest,
    TradesPage,
    TradeView,
    VerdictView,
)
from strategybot.backtests.spans import span_of
from strategybot.backtests.storage import Backtest
from strategybot.bots.schemas import BotView, Holdout
from strategybot.bots.service import BotNotFound, Bots, Expected, interval_for, new_run
from strategybot.kit.changes import Change, note
from strategybot.kit.clock import Clock
from strategybot.kit.csv_text import csv_text
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import Conflict, Gone, NotFound, Refused, TooManyRequests
from strategybot.kit.identifiers import is_id
from strategybot.kit.leases import count_live_by_status
from strategybot.kit.limits import RollingLimit
from strategybot.kit.paging import Paging, page_fields
from strategybot.kit.threads import in_thread
from strategybot.market.service import Market
from strategybot.trading.candles import Candles, DataReport, densify
from strategybot.trading.conditions import known_after_candles
from strategybot.trading.expectation import Past
from strategybot.trading.instruments import INTERVAL_SECONDS, Interval
from strategybot.trading.language.strategy import Strategy, content_digest
from strategybot.trading.run_words import source_words

RUNS_COMPARED = 20


class BacktestNotFound(NotFound):
    message = "Backtest not found."


class BacktestFinished(Conflict):
    message = "This backtest is finished already."


class BacktestDetailsDeleted(Gone):
    message = (
        f"The trades and signals of this backtest were deleted: the newest {MOST_DETAILED_BACKTESTS} backtests "
        "of a bot keep them, older ones keep their metrics."
    )


class TooManyBacktests(Refused):
    def __init__(self, principal: Principal) -> None:
        limit = principal.limits.backtests
        message = (
            "Without an account you can run 1 backtest."
            if principal.standing == "anonymous"
            else f"The {principal.standing} tier can run {limit} backtests at once."
        )
        super().__init__(message, upsell(principal.standing, "backtests"))


class Backtests:
    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        bots: Bots,
        market: Market,
        runner: Runner,
        visitor_backtests: RollingLimit,
        clock: Clock,
    ) -> None:
        self._database, self._accounts, self._bots, self._market = database, accounts, bots, market
        self._runner, self._visitor_backtests, self._clock = runner, visitor_backtests, clock

    async def start(
        self,
        principal: Principal,
        defaults: UserSettings,
        bot_id: str,
        request: BacktestRequest,
        expected: Expected = None,
    ) -> BacktestView:
        """Save the run and request its computation in the background."""
        run = await in_thread(self._create, principal, defaults, bot_id, request, expected)
        await self._runner.start(run.run_id)
        return view_of(run)

    def page(self, principal: Principal, bot_id: str, paging: Paging) -> BacktestPage:
        self._bots.bot(principal, bot_id)
        with self._database.read() as session:
            found = storage.page_of_runs(session, bot_id, paging)
        summaries = [BacktestSummary.model_validate(run) for run in found.rows]
        return BacktestPage(backtests=summaries, total_backtests=found.total, **page_fields(paging, found.total))

    def bot_of(self, principal: Principal, run_id: str) -> str:
        """Return the id of the bot that a run of this owner belongs to."""
        with self._database.read() as session:
            bot_id = storage.bot_of_run(session, principal.owner_id, run_id) if is_id(run_id) else None
        if bot_id is None:
            raise BacktestNotFound
        return bot_id

    def opened(self, principal: Principal, bot_id: str, run_id: str) -> BacktestView:
        """Return the run. If it has no verdict and none is being computed, request one in the background."""
        run = self._whole(principal, bot_id, run_id)
        if needs_verdict(run, self._clock()):
            self._runner.start_from_thread(run_id)
        return view_of(run)

    def run(self, principal: Principal, bot_id: str, run_id: str) -> BacktestView:
        return view_of(self._whole(principal, bot_id, run_id))

    def _whole(self, principal: Principal, bot_id: str, run_id: str) -> Backtest:
        with self._database.read() as session:
            return owned_run(session, principal, bot_id, run_id)

    def earliest_start(self, principal: Principal, bot_id: str) -> int | None:
        """Return where the history that the bot's runs have seen begins, in unix seconds."""
        self._bots.bot(principal, bot_id)
        with self._database.read() as session:
            return storage.earliest_start(session, bot_id)

    def span(
        self, principal: Principal, request: SpanRequest, interval: Interval, holdout: Holdout | None, warm_up: int
    ) -> tuple[int, int]:
        """Return the start and the end of the history that a run of the request may see, in unix seconds."""
        return span_of(principal, request, interval, holdout, int(self._clock().timestamp()), warm_up)

    def left(self, principal: Principal) -> int | None:
        """Return how many backtests a visitor has left; None for a user, who has no total limit."""
        if principal.standing != "anonymous":
            return None
        with self._database.read() as session:
            return self._visitor_backtests.left(session, principal.owner_id)

    def live(self) -> dict[str, int]:
        """Return the number of pending and running backtests of all users."""
        with self._database.read() as session:
            return count_live_by_status(session, Backtest)

    def stop(self, principal: Principal, bot_id: str, run_id: str) -> BacktestView:
        with self._database.write() as session:
            run = owned_run(session, principal, bot_id, run_id, lock=True)
            if run.status not in Backtest.live_statuses:
                raise BacktestFinished
            storage.stop(run, self._clock())
            note(session, storage.change_of(run, "status"))
        self._runner.stop(run_id)
        return view_of(run)

    def annotate(self, principal: Principal, bot_id: str, run_id: str, patch: BacktestPatch) -> BacktestView:
        """Change the name, note and star of a run, if they are sent."""
        with self._database.write() as session:
            run = owned_run(session, principal, bot_id, run_id, lock=True)
            for field in patch.model_fields_set:
                setattr(run, field, getattr(patch, field))
            session.flush()
            note(session, storage.change_of(run, "changed"))
            return view_of(run)

    def delete(self, principal: Principal, bot_id: str, run_id: str) -> None:
        """Delete a run. A running one is stopped first. It still counts against a visitor's allowance."""
        with self._database.write() as session:
            known = is_id(bot_id) and is_id(run_id)
            if not known or not storage.delete_run(session, principal.owner_id, bot_id, run_id):
                raise BacktestNotFound
            note(session, Change(principal.owner_id, "backtest", "deleted", bot_id, run_id))
        self._runner.stop(run_id)

    def trades(self, principal: Principal, bot_id: str, run_id: str, paging: Paging) -> TradesPage:
        with self._database.read() as session:
            run = owned_run(session, principal, bot_id, run_id, brief=True)
            refuse_without_details(run)
            rows = storage.trades_of(session, run, paging.offset, paging.per_page)
        views = [TradeView.model_validate(row) for row in rows]
        return TradesPage(trades=views, total_trades=run.trade_count, **page_fields(paging, run.trade_count))

    def signals(self, principal: Principal, bot_id: str, run_id: str, paging: Paging) -> SignalsPage:
        with self._database.read() as session:
            run = owned_run(session, principal, bot_id, run_id, brief=True)
            refuse_without_details(run)
            rows = storage.signals_of(session, run, paging.offset, paging.per_page)
        views = [SignalView.model_validate(row) for row in rows]
        return SignalsPage(signals=views, total_signals=run.signal_count, **page_fields(paging, run.signal_count))

    def trades_csv(self, principal: Principal, bot_id: str, run_id: str) -> Iterator[str]:
        """Yield the CSV in parts, so that its size is not limited by memory."""
        with self._database.read() as session:
            run = owned_run(session, principal, bot_id, run_id, brief=True)
        refuse_without_details(run)
        return self._csv_parts(run)

    def _csv_parts(self, run: Backtest) -> Iterator[str]:
        yield csv_text([[*TradeRecord.model_fields, "data_source"]])
        source = source_words(run.data_source)
        for first in range(0, run.trade_count, ROWS_A_CHUNK):
            with self._database.read() as session:
                rows = storage.trades_of(session, run, first, ROWS_A_CHUNK)
            yield csv_text([*TradeRecord.model_validate(row).model_dump(mode="json").values(), source] for row in rows)

    def _create(
        self, principal: Principal, defaults: UserSettings, bot_id: str, request: BacktestRequest, expected: Expected
    ) -> Backtest:
        bot = self._bots.bot(principal, bot_id, expected)
        run = self.planned(bot, principal, defaults, request)
        with self._database.write() as session:
            self._accounts.hold(session, principal)
            self._admit(session, principal)
            if not storage.add(session, run):
                raise BotNotFound
            note(session, storage.change_of(run, "created"))
        return run

    def _admit(self, session: Session, principal: Principal) -> None:
        if principal.standing == "anonymous":
            try:
                self._visitor_backtests.admit(session, principal.owner_id)
            except TooManyRequests:
                raise TooManyBacktests(principal) from None
        elif storage.count_live(session, principal.owner_id) >= principal.limits.backtests:
            raise TooManyBacktests(principal)
        self._accounts.admit_run(session, principal)

    def planned(self, bot: BotView, principal: Principal, defaults: UserSettings, request: BacktestRequest) -> Backtest:
        """Return the run that the request asks for, not saved; raise if the tier or the bot refuses it."""
        now = self._clock()
        planned = new_run(bot, principal, defaults, request)
        interval = interval_for(planned.strategy, request.kline_interval, defaults)
        warm_up = known_after_candles(planned.strategy, INTERVAL_SECONDS[interval])
        start, end = self.span(principal, request, interval, bot.holdout, warm_up)
        return Backtest(
            **vars(planned),
            epoch=0,
            most_minutes=principal.limits.candles_per_backtest,
            data_source=self._market.source,
            note="",
            starred=False,
            status="pending",
            progress=0.0,
            created_at=now,
            kline_interval=interval,
            start_time=start,
            end_time=end,
            details_kept=True,
            trade_count=0,
            signal_count=0,
            holdout=bot.holdout and bot.holdout.model_dump(mode="json"),
        )


def count_running(session: Session, owner_id: str) -> int:
    return storage.count_live(session, owner_id)


def newest_of_content(
    session: Session, bot_id: str, strategy: Strategy, instrument: tuple[str, str], interval: Interval
) -> str | None:
    """Return the id of the bot's newest finished run of the same strategy on candles of this token and length."""
    digest = content_digest(strategy)
    same = (
        run.run_id
        for run in storage.finished_runs(session, bot_id, instrument, interval, RUNS_COMPARED)
        if run.strategy == strategy or content_digest(run.strategy) == digest
    )
    return next(same, None)


def past_of(session: Session, run_id: str) -> Past:
    """Return what a finished run lets expect of paper trading."""
    run = storage.completed_run(session, run_id)
    if run is None:
        return Past(0, (), 0.0)
    pnl = storage.pnl_of(session, run)
    return Past(run.end_time - run.start_time, pnl, (run.metrics or {}).get("max_drawdown") or 0.0)


def save_verdict(session: Session, run_id: str, verdict: VerdictView) -> None:
    """Save the verdict with its run, unless the run was deleted."""
    storage.save_verdict(session, run_id, verdict.model_dump(mode="json"), None)


def transfer_backtests(session: Session, from_owner: str, to_owner: str) -> None:
    storage.transfer(session, from_owner, to_owner)


def owned_run(
    session: Session, principal: Principal, bot_id: str, run_id: str, *, lock: bool = False, brief: bool = False
) -> Backtest:
    known = is_id(bot_id) and is_id(run_id)
    run = storage.find_run(session, principal.owner_id, bot_id, run_id, lock=lock, brief=brief) if known else None
    if run is None:
        raise BacktestNotFound
    return run


def refuse_without_details(run: Backtest) -> None:
    if not run.details_kept:
        raise BacktestDetailsDeleted


def lines_view(strategy: Strategy, candles: Candles, start: int, most: int) -> LinesView:
    """Return the series of a strategy from `start` on; the candles before it are their look-back."""
    return fitted_lines(strategy, densify(candles, DataReport())[0], start, most)


def view_of(run: Backtest) -> BacktestView:
    return BacktestView.model_validate(run)
