"""Shares of completed backtests: an unguessable address that everyone may read until the owner ends the share.

Strangers read them, so a read is cheap: the picture is drawn once and stored, and everything else is kept in memory by
what it was made from.
"""

import re
import secrets
from collections.abc import Callable

from strategybot.accounts.service import Principal, is_disabled
from strategybot.backtests import storage
from strategybot.backtests.charts import chart_of, drawn_token
from strategybot.backtests.rows import trades_of
from strategybot.backtests.schemas import BacktestView, ChartView, ResultCard, SharedBacktest, TradeView
from strategybot.backtests.service import Backtests, trade_view
from strategybot.backtests.share_picture import share_picture
from strategybot.backtests.storage import Backtest, Share
from strategybot.kit.client_rates import ClientRate
from strategybot.kit.clock import Clock
from strategybot.kit.content_cache import Content, ContentCache
from strategybot.kit.database import Database
from strategybot.kit.errors import Conflict, NotFound
from strategybot.kit.threads import computing, run_blocking, run_read
from strategybot.market.schemas import TokenDetail
from strategybot.market.service import Market
from strategybot.trading.evidence.verdict import for_readers

MOST_TRADES = 2000
MOST_CANDLES = 2000
LONGEST_NAME = 100
MOST_BYTES_KEPT = 32 * 1024 * 1024
_ID = re.compile(r"[A-Za-z0-9_-]{43}")


class NotShared(NotFound):
    message = "This backtest is not shared."


class NotCompleted(Conflict):
    message = "Only a completed backtest can be shared."


class ShareViews(ClientRate):
    """How often one client address reads shares."""


class Shares:
    def __init__(self, database: Database, backtests: Backtests, market: Market, clock: Clock) -> None:
        self._database, self._backtests, self._market, self._clock = database, backtests, market, clock
        self._contents = ContentCache(MOST_BYTES_KEPT)

    async def share(self, principal: Principal, bot_id: str, run_id: str) -> str:
        """Return the id of the run's share; create it with its picture if there is none."""
        run = await run_read(self._backtests.run, principal, bot_id, run_id)
        if run.status != "completed":
            raise NotCompleted
        is_portfolio = run.tokens is not None
        token = None if is_portfolio else await self._market.token_if_reachable(f"{run.token}-{run.chain}")
        share_id = await run_blocking(self._save, principal, run, token)
        await self.picture(share_id)
        return share_id

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
        share, run = self._find(share_id)
        return self._public(run, share.token_symbol, share.token_name)

    async def card(self, principal: Principal, bot_id: str, run_id: str, token_id: str | None = None) -> ResultCard:
        """Return what the page of a share shows, for the owner of a backtest that need not be shared. The chart of a
        portfolio is that of one token.
        """
        run = await run_read(self._find_owned, principal, bot_id, run_id)
        token = await self._market.token_if_reachable(run.token_id)
        names = (token.symbol, token.name) if token else (None, None)
        return await computing(lambda: ResultCard(run=self._public(run, *names), chart=self._chart_of(run, token_id)))

    async def facts(self, share_id: str) -> Content:
        """Return the public part of the backtest as JSON."""
        return await self._content(share_id, "facts", lambda: self.shared(share_id).model_dump_json(by_alias=True))

    async def heading(self, share_id: str) -> SharedBacktest:
        """Return the public part of the backtest without its trades and its curve, for the head of the page."""
        content = await self._content(share_id, "heading", lambda: self._heading(share_id).model_dump_json())
        return SharedBacktest.model_validate_json(content.body)

    async def chart(self, share_id: str, token_id: str | None = None) -> Content:
        """Return the candles of the backtest as JSON; of a portfolio, those of one token."""

        def make() -> str:
            _, run = self._find(share_id)
            return self._chart_of(run, token_id).model_dump_json(by_alias=True)

        return await self._content(share_id, f"chart {token_id}", make)

    async def picture(self, share_id: str) -> Content:
        """Return the picture for link previews. It is drawn once, and again after a new verdict."""
        picture = await run_read(self._stored_picture, share_id)
        if picture is None:
            picture = await computing(self._drawn_picture, share_id)
        return Content.of(picture)

    async def _content(self, share_id: str, what: str, make: Callable[[], str]) -> Content:
        key = (share_id, what, await run_read(self._state, share_id))
        content = self._contents.get(key)
        if content is None:
            content = await computing(self._contents.get_or_make, key, lambda: make().encode())
        return content

    def _heading(self, share_id: str) -> SharedBacktest:
        return self.shared(share_id).model_copy(update={"trades": [], "equity_curve": None})

    def _public(self, run: Backtest, token_symbol: str | None, token_name: str | None) -> SharedBacktest:
        names = {"token_symbol": token_symbol, "token_name": token_name}
        trades = {"trades": self._trades(run), "total_trades": run.trade_count}
        # Which leaves out the fields that are not public.
        shared = SharedBacktest.model_validate({**dict(self._backtests.view(run)), **names, **trades})
        graded = shared.verdict
        return shared if graded is None else shared.model_copy(update={"verdict": for_readers(graded)})

    def _find_owned(self, principal: Principal, bot_id: str, run_id: str) -> Backtest:
        with self._database.read() as session:
            return self._backtests.find_owned(session, principal, bot_id, run_id)

    def _chart_of(self, run: Backtest, token_id: str | None) -> ChartView:
        drawn, span = drawn_token(run, token_id), (run.start_time, run.end_time)
        candles = self._market.load_candles(self._market.source, drawn, run.kline_interval, span)
        return chart_of(self._database, run, candles, MOST_CANDLES)

    def _state(self, share_id: str) -> str:
        """Return everything of the share that may change, as text."""
        with self._database.read() as session:
            state = storage.share_state(session, share_id) if _ID.fullmatch(share_id) else None
            if state is None or is_disabled(session, state.owner_id):
                raise NotShared
        return repr(tuple(state))

    def _stored_picture(self, share_id: str) -> bytes | None:
        self._state(share_id)
        with self._database.read() as session:
            return storage.picture_of(session, share_id)

    def _drawn_picture(self, share_id: str) -> bytes:
        if (stored := self._stored_picture(share_id)) is not None:  # drawn while this request waited
            return stored
        found = self.shared(share_id)
        picture = share_picture(found)
        with self._database.write() as session:
            shared = storage.shared_run(session, share_id, lock=True)
            # else it is outdated already
            if shared is not None and self.shared(share_id).verdict == found.verdict:
                shared[0].picture = picture
        return picture

    def _save(self, principal: Principal, run: BacktestView, token: TokenDetail | None) -> str:
        share = Share(
            id=secrets.token_urlsafe(32),
            run_id=run.run_id,
            created_at=self._clock(),
            token_symbol=run.token_symbol if run.tokens is not None else token and token.symbol[:LONGEST_NAME],
            token_name=token and token.name[:LONGEST_NAME],
        )
        with self._database.write() as session:
            # The lock makes concurrent requests return the same share.
            self._backtests.find_owned(session, principal, run.bot_id, run.run_id, lock=True)
            return storage.kept_share(session, share).id

    def _find(self, share_id: str) -> tuple[Share, Backtest]:
        with self._database.read() as session:
            found = storage.shared_run(session, share_id) if _ID.fullmatch(share_id) else None
        if found is None:
            raise NotShared
        return found

    def _trades(self, run: Backtest) -> list[TradeView]:
        if not run.details_kept:
            return []
        with self._database.read() as session:
            rows = trades_of(session, run, max(0, run.trade_count - MOST_TRADES), MOST_TRADES)
        return [trade_view(each) for each in rows]
