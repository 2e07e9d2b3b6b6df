"""Backtests: the owner of the bot starts, follows, stops and reads them; they are computed in the background."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Accounts, Principal
from strategybot.accounts.tiers import MOST_DETAILED_BACKTESTS, upsell
from strategybot.backtests import storage
from strategybot.backtests.chart_points import fitted_lines
from strategybot.backtests.chunks import ROWS_A_CHUNK
from strategybot.backtests.result_views import TradeRecord
from strategybot.backtests.rows import TokenTrade, signals_of, trades_of
from strategybot.backtests.runner import Runner
from strategybot.backtests.schemas import (
    BacktestPage,
    BacktestPatch,
    BacktestRequest,
    BacktestSummary,
    BacktestView,
    LinesView,
    SignalsPage,
    TokenBacktestRequest,
    TradesPage,
    TradeView,
)
from strategybot.backtests.storage import Backtest
from strategybot.bots.schemas import DEFAULT_SPAN_SECONDS, BotView
from strategybot.bots.service import Bots, Expected, strategy_to_run
from strategybot.kit.changes import note
from strategybot.kit.clock import Clock
from strategybot.kit.csv_text import csv_text
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import Conflict, Gone, NotFound, Refused, TooManyRequests
from strategybot.kit.identifiers import is_id
from strategybot.kit.json_object import Json
from strategybot.kit.limits import RollingLimit
from strategybot.kit.paging import Paging, page_fields
from strategybot.kit.threads import run_blocking
from strategybot.market.service import Market
from strategybot.runs.planning import instrument_of, interval_for
from strategybot.runs.schemas import SignalView
from strategybot.runs.service import QueuedRuns
from strategybot.runs.storage import change_of, delete_run, token_id_of
from strategybot.runs.universes import Universes, on_first
from strategybot.trading.engine.candles import Candles, DataReport, densify
from strategybot.trading.engine.conditions import known_after_candles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval
from strategybot.trading.evidence.expectation import Past
from strategybot.trading.language.strategy import Strategy, content_digest
from strategybot.trading.words.numbers import counted
from strategybot.trading.words.runs import source_words

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


class NoBacktestLeft(Refused):
    def __init__(self) -> None:
        super().__init__("Without an account you can run 1 backtest.", upsell("anonymous", "backtests"))


class Backtests(QueuedRuns[Backtest, BacktestView, BacktestPage]):
    model, missing, finished = Backtest, BacktestNotFound, BacktestFinished
    summary_type, page_type, plural = BacktestSummary, BacktestPage, "backtests"

    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        bots: Bots,
        market: Market,
        clock: Clock,
        runner: Runner,
        visitor_backtests: RollingLimit,
    ) -> None:
        super().__init__(database, accounts, bots, market, clock, runner)
        self._start_from_thread, self._visitor_backtests = runner.start_from_thread, visitor_backtests
        self._universes = Universes(market)

    async def start(
        self,
        principal: Principal,
        defaults: UserSettings,
        bot_id: str,
        request: BacktestRequest,
        expected: Expected = None,
    ) -> BacktestView:
        """Save the run and request its computation in the background."""
        bot = await run_blocking(self._bots.bot, principal, bot_id, expected)
        now = int(self._clock().timestamp())
        end = now if request.end_time is None else min(now, request.end_time)
        span = (end - DEFAULT_SPAN_SECONDS if request.start_time is None else request.start_time, end)
        tokens = await self._universes.tokens(principal, defaults, bot, request, span)

        def create() -> Backtest:
            run = self.planned(
                on_first(bot, tokens),
                principal,
                defaults,
                request,
                1 if tokens is None else len(tokens),
            )
            if tokens is not None:
                run.asked_tokens, run.dead_token_loss_percent = tokens, request.dead_token_loss_percent
                run.token_symbol = counted(len(tokens), "token")
            return run

        return await self._submit(principal, create)

    def view(self, run: Backtest) -> BacktestView:
        return BacktestView.model_validate(run)

    def opened(self, principal: Principal, bot_id: str, run_id: str) -> BacktestView:
        """Return the run. If it has no verdict and none is being computed, request one in the background."""
        run = self.find(principal, bot_id, run_id)
        if run.needs_verdict(self._clock()):
            self._start_from_thread(run_id)
        return self.view(run)

    def backtests_remaining(self, principal: Principal) -> int | None:
        """Return how many backtests a visitor has left; None for a user, who has no total limit."""
        if principal.standing != "anonymous":
            return None
        with self._database.read() as session:
            return self._visitor_backtests.left(session, principal.owner_id)

    def annotate(self, principal: Principal, bot_id: str, run_id: str, patch: BacktestPatch) -> BacktestView:
        """Change the name, note and star of a run, if they are sent."""
        with self._database.write() as session:
            run = self.find_owned(session, principal, bot_id, run_id, lock=True)
            for field in patch.model_fields_set:
                setattr(run, field, getattr(patch, field))
            session.flush()
            note(session, change_of(run, "changed"))
            return self.view(run)

    def delete(self, principal: Principal, bot_id: str, run_id: str) -> None:
        """Delete a run. A running one is stopped first. It still counts against a visitor's allowance."""
        with self._database.write() as session:
            known = is_id(bot_id) and is_id(run_id)
            if not known or not delete_run(session, Backtest, principal.owner_id, bot_id, run_id):
                raise BacktestNotFound
        self._runner.stop(run_id)

    def trades(self, principal: Principal, bot_id: str, run_id: str, paging: Paging) -> TradesPage:
        with self._database.read() as session:
            run = self._find_detailed(session, principal, bot_id, run_id)
            rows = trades_of(session, run, paging.offset, paging.per_page)
        views = [trade_view(each) for each in rows]
        return TradesPage(trades=views, total_trades=run.trade_count, **page_fields(paging, run.trade_count))

    def signals(self, principal: Principal, bot_id: str, run_id: str, paging: Paging) -> SignalsPage:
        with self._database.read() as session:
            run = self._find_detailed(session, principal, bot_id, run_id)
            rows = signals_of(session, run, paging.offset, paging.per_page)
        views = [SignalView.model_validate({**each.row._asdict(), "token_id": each.token_id}) for each in rows]
        return SignalsPage(signals=views, total_signals=run.signal_count, **page_fields(paging, run.signal_count))

    def trades_csv(self, principal: Principal, bot_id: str, run_id: str) -> Iterator[str]:
        """Yield the CSV in parts, so that its size is not limited by memory."""
        with self._database.read() as session:
            run = self._find_detailed(session, principal, bot_id, run_id)
        return self._csv_parts(run)

    def _csv_parts(self, run: Backtest) -> Iterator[str]:
        is_portfolio, source = run.asked_tokens is not None, source_words(run.data_source)
        yield csv_text([[*TradeRecord.model_fields, *(["token_id"] if is_portfolio else []), "data_source"]])
        for first in range(0, run.trade_count, ROWS_A_CHUNK):
            with self._database.read() as session:
                rows = trades_of(session, run, first, ROWS_A_CHUNK)
            yield csv_text(
                [
                    *TradeRecord.model_validate(row).model_dump(mode="json").values(),
                    *([token_id] if is_portfolio else []),
                    source,
                ]
                for token_id, row in rows
            )

    def admit(self, session: Session, principal: Principal) -> None:
        if principal.standing != "anonymous":
            super().admit(session, principal)
            return
        try:
            self._visitor_backtests.admit(session, principal.owner_id)
        except TooManyRequests:
            raise NoBacktestLeft from None

    def planned(
        self,
        bot: BotView,
        principal: Principal,
        defaults: UserSettings,
        request: TokenBacktestRequest,
        tokens: int = 1,
    ) -> Backtest:
        """Return the run that the request asks for, not saved; raise if the tier or the bot refuses it.

        With more `tokens` it is a portfolio, and the bot's token is the first of them.
        """
        token, chain = instrument_of(bot, request.token, request.chain, defaults.default_chain)
        strategy = strategy_to_run(bot)
        interval = interval_for(strategy, request.kline_interval, defaults)
        warm_up = known_after_candles(strategy, INTERVAL_SECONDS[interval])
        return Backtest(
            **self.history_columns(principal, bot, defaults, request, interval, warm_up, tokens),
            token=token,
            chain=chain,
            intrabar=request.intrabar,
            most_minutes=principal.limits.candles_per_backtest,
            note="",
            starred=False,
            trade_count=0,
            signal_count=0,
        )

    def _find_detailed(self, session: Session, principal: Principal, bot_id: str, run_id: str) -> Backtest:
        """Return the run without its long results, or raise if its trades were deleted."""
        run = self.find_owned(session, principal, bot_id, run_id, without=("equity_curve", "verdict"))
        refuse_without_details(run)
        return run


def trade_view(trade: TokenTrade) -> TradeView:
    return TradeView.model_validate({**trade.row._asdict(), "token_id": trade.token_id})


class TradedBy(NamedTuple):
    """What a run trades: one token, many, or the list of each day."""

    token: str
    chain: str
    tokens: Sequence[str] | None
    universe: Json | None

    def is_of(self, run: Backtest) -> bool:
        if self.universe is not None or run.universe is not None:
            return self.universe == run.universe
        return self.tokens is None or set(self.tokens) == {token_id_of(each) for each in run.asked_tokens or []}


def newest_of_content(
    session: Session, bot_id: str, strategy: Strategy, traded: TradedBy, interval: Interval
) -> str | None:
    """Return the id of the bot's newest finished run of the same strategy on candles of this length, of this token or
    of all these tokens.
    """
    digest = content_digest(strategy)
    instrument = (traded.token, traded.chain) if traded.tokens is None else None
    same = (
        run.run_id
        for run in storage.finished_runs(session, bot_id, instrument, interval, RUNS_COMPARED)
        if (run.strategy == strategy or content_digest(run.strategy) == digest) and traded.is_of(run)
    )
    return next(same, None)


def past_of(session: Session, run_id: str) -> Past:
    """Return what a finished run lets expect of paper trading."""
    run = storage.completed_run(session, run_id)
    if run is None:
        return Past(0, (), 0.0)
    pnl = storage.pnl_of(session, run)
    return Past(run.end_time - run.start_time, pnl, (run.metrics or {}).get("max_drawdown") or 0.0)


def refuse_without_details(run: Backtest) -> None:
    if not run.details_kept:
        raise BacktestDetailsDeleted


def lines_view(strategy: Strategy, candles: Candles, start: int, most: int) -> LinesView:
    """Return the series of a strategy from `start` on; the candles before it are their look-back."""
    return fitted_lines(strategy, densify(candles, DataReport())[0], start, most)
