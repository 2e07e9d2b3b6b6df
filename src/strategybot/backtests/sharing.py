"""Shares of completed backtests: an unguessable address that everyone may read until the owner ends the share."""

import re
import secrets

from strategybot.accounts.service import Principal
from strategybot.backtests import storage
from strategybot.backtests.charts import chart_of
from strategybot.backtests.schemas import BacktestView, ChartView, SharedBacktest, TradeView
from strategybot.backtests.service import BacktestNotFound, Backtests, view_of
from strategybot.backtests.storage import Backtest, Share
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.errors import Conflict, NotFound
from strategybot.kit.threads import in_thread, reading
from strategybot.market.schemas import TokenDetail
from strategybot.market.service import Market

MOST_TRADES = 2000
MOST_CANDLES = 2000
LONGEST_NAME = 100
_ID = re.compile(r"[A-Za-z0-9_-]{43}")


class NotShared(NotFound):
    message = "This backtest is not shared."


class NotCompleted(Conflict):
    message = "Only a completed backtest can be shared."


class Shares:
    def __init__(self, database: Database, backtests: Backtests, market: Market, clock: Clock) -> None:
        self._database, self._backtests, self._market, self._clock = database, backtests, market, clock

    async def share(self, principal: Principal, bot_id: str, run_id: str) -> str:
        """Return the id of the run's share; create it if there is none."""
        run = await reading(self._backtests.run, principal, bot_id, run_id)
        if run.status != "completed":
            raise NotCompleted
        token = await self._market.token_if_reachable(f"{run.token}-{run.chain}")
        return await in_thread(self._saved, principal, run, token)

    def share_id(self, principal: Principal, bot_id: str, run_id: str) -> str:
        """Return the id under which the run is shared. Raise `NotShared` if it is not."""
        self._backtests.run(principal, bot_id, run_id)
        with self._database.read() as session:
            share = storage.share_of(session, run_id)
        if share is None:
            raise NotShared
        return share.id

    def end(self, principal: Principal, bot_id: str, run_id: str) -> None:
        self._backtests.run(principal, bot_id, run_id)
        with self._database.write() as session:
            if not storage.end_share(session, run_id):
                raise NotShared

    def shared(self, share_id: str) -> SharedBacktest:
        """Return the public part of the backtest."""
        share, run = self._found(share_id)
        trades = self._trades(run)
        names = {"token_symbol": share.token_symbol, "token_name": share.token_name}
        shown = {**dict(view_of(run)), **names, "trades": trades, "total_trades": run.trade_count}
        return SharedBacktest.model_validate(shown)  # which leaves out the fields that are not public

    async def chart(self, share_id: str) -> ChartView:
        _, run = await reading(self._found, share_id)
        token_id = f"{run.token}-{run.chain}"
        candles = await self._market.stored_candles(token_id, run.kline_interval, run.start_time, run.end_time)
        return await reading(chart_of, self._database, run, candles, MOST_CANDLES)

    def _saved(self, principal: Principal, run: BacktestView, token: TokenDetail | None) -> str:
        share = Share(
            id=secrets.token_urlsafe(32),
            run_id=run.run_id,
            created_at=self._clock(),
            token_symbol=token and token.symbol[:LONGEST_NAME],
            token_name=token and token.name[:LONGEST_NAME],
        )
        with self._database.write() as session:
            # The lock makes concurrent requests return the same share.
            if storage.find_run(session, principal.owner_id, run.bot_id, run.run_id, lock=True, brief=True) is None:
                raise BacktestNotFound
            return storage.kept_share(session, share).id

    def _found(self, share_id: str) -> tuple[Share, Backtest]:
        with self._database.read() as session:
            found = storage.shared_run(session, share_id) if _ID.fullmatch(share_id) else None
        if found is None:
            raise NotShared
        return found

    def _trades(self, run: Backtest) -> list[TradeView]:
        if not run.details_kept:
            return []
        with self._database.read() as session:
            rows = storage.trades_of(session, run, max(0, run.trade_count - MOST_TRADES), MOST_TRADES)
        return [TradeView.model_validate(row) for row in rows]
