"""Market data for the proxy, the runs and the agent.

Provider errors become the errors of the specification. Closed candles come from the store; only missing ones are
requested from the provider.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple
from weakref import WeakValueDictionary

from strategybot.accounts.service import Principal
from strategybot.accounts.tiers import tiers_with_swaps
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.kit.errors import AppError, NotFound, TooManyRequests
from strategybot.kit.threads import computing, run_blocking, run_read
from strategybot.market import provider_gate, rate_tables
from strategybot.market.addresses import normal_token_id
from strategybot.market.candle_store import CandleStore, SeriesKey, StoreSize
from strategybot.market.decoded import Span
from strategybot.market.listings import PastLists
from strategybot.market.pace import running_for
from strategybot.market.pools import Pools
from strategybot.market.provider import (
    KnowsBirths,
    NotAdmitted,
    Provider,
    ProviderError,
    ProviderRateLimited,
    ProviderStatus,
)
from strategybot.market.provider_gate import Charges, Follower, Followers, Operation, ProviderGate
from strategybot.market.schemas import (
    NoSwap,
    Price,
    Quote,
    QuoteRequest,
    Risk,
    SwapFound,
    SwapRequest,
    Token,
    TokenDetail,
)
from strategybot.trading.engine.candles import Candles, DataReport, empty_candles
from strategybot.trading.engine.instruments import Interval, closed_until
from strategybot.trading.engine.pool import PoolFacts

logger = logging.getLogger("strategybot.market")

# A provider may publish a candle late. Only this long after its end does its absence count as final.
SETTLING_SECONDS = 300
WARM_UP_PAGES = 5  # calls to the provider for candles that only warm a run up
SECONDS_TO_COME_BACK = 5
# How old the facts of a run's own pool may be, and those of tokens that it is compared with.
OWN_TOKEN_FACTS, OTHER_TOKENS_FACTS = timedelta(hours=1), timedelta(days=1)
SECONDS_BETWEEN_TURNS = 1


class ProviderBusy(TooManyRequests):
    message = "Rate limit exceeded. Please try again later."


class UpstreamError(AppError):
    """The provider's own status and text."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"upstream API error: {text}")
        self.status = status


class FetchFailed(AppError):
    """The provider gave no usable response."""


class NoKlines(AppError):
    """The provider has no candles for the run."""

    status = 422

    def __init__(self, token: str, chain: str) -> None:
        super().__init__(f"The provider has no klines for {token} on {chain}.")

    def body(self) -> dict[str, object]:
        return {**super().body(), "errors": [{"field": "token", "message": "has no klines at the provider"}]}


class NoDemoMarket(NotFound):
    message = "This server has no demo market: its prices are real, and its tokens are for users who are logged in."


class Wanted(NamedTuple):
    """Candles that a caller needs. At most `warm_up_pages` calls are made for those before `traded_from`."""

    key: SeriesKey
    span: Span
    traded_from: int
    warm_up_pages: int


class Market:
    def __init__(
        self,
        provider: Provider,
        database: Database,
        clock: Clock,
        charged: provider_gate.Charged,
    ) -> None:
        self._provider, self._database, self._clock = provider, database, clock
        self.charges = Charges()
        self._gate = ProviderGate(charged=(self.charges.add, charged))
        self._store = CandleStore(database)
        self._filling: WeakValueDictionary[SeriesKey, asyncio.Lock] = WeakValueDictionary()
        self._followers = Followers()
        self._pools = Pools(self.token, self.risk, clock)
        self.lists = PastLists(provider, database, clock, self.trending)

    async def search(self, query: str | None, chain: str | None, limit: int) -> list[Token]:
        with _specified_errors(provider_gate.SEARCH):
            question = (query, chain, limit)
            return await self._gate.ask(provider_gate.SEARCH, question, lambda: self._provider.search(*question))

    async def prices(self, token_ids: Sequence[str]) -> dict[str, Price]:
        if not token_ids:
            return {}
        with _specified_errors(provider_gate.PRICES):
            question = tuple(token_ids)
            return await self._gate.ask(provider_gate.PRICES, question, lambda: self._provider.prices(question))

    async def token(self, token_id: str) -> TokenDetail | None:
        with _specified_errors(provider_gate.TOKEN):
            return await self._gate.ask(provider_gate.TOKEN, token_id, lambda: self._provider.token(token_id))

    async def klines(
        self, token_id: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> Candles:
        """Return the last `limit` candles of the span as the provider has them now, including the open one."""
        with _specified_errors(provider_gate.KLINES):
            question = (token_id, interval, start, end, limit)
            candles, _ = await self._gate.ask(provider_gate.KLINES, question, lambda: self._provider.klines(*question))
            return candles

    async def trending(self, chain: str | None, limit: int) -> list[Token]:
        with _specified_errors(provider_gate.TRENDING):
            question = (chain, limit)
            return await self._gate.ask(provider_gate.TRENDING, question, lambda: self._provider.trending(*question))

    async def demo_tokens(self, query: str | None, chain: str | None, limit: int) -> list[Token]:
        """Return the tokens of the demo market, for everybody; this costs no call to a provider."""
        if self.source != "demo":
            raise NoDemoMarket
        return await (self.search(query, chain, limit) if query else self.trending(chain, limit))

    async def risk(self, token_id: str) -> Risk | None:
        with _specified_errors(provider_gate.RISK):
            return await self._gate.ask(provider_gate.RISK, token_id, lambda: self._provider.risk(token_id))

    async def quote(self, request: QuoteRequest) -> Quote | None:
        with _specified_errors(provider_gate.QUOTE):
            question = request.model_dump_json()
            return await self._gate.ask(provider_gate.QUOTE, question, lambda: self._provider.quote(request))

    async def swap(self, principal: Principal, request: SwapRequest) -> SwapFound | NoSwap:
        """Return an unsigned transaction. Swaps are never shared between equal requests."""
        if not principal.limits.chain_swap:
            return NoSwap(upsell_message=f"Swaps come with the {tiers_with_swaps()} tiers.")
        with _specified_errors(provider_gate.SWAP):
            swap = await self._gate.ask_once(provider_gate.SWAP, lambda: self._provider.swap(request))
        return NoSwap() if swap is None else SwapFound(swap=swap)

    async def candles(
        self,
        token_id: str,
        interval: Interval,
        start: int,
        end: int,
        follower: Follower = lambda _: None,
        run_owner_id: str | None = None,
        *,
        traded_from: int = 0,
        warm_up_pages: int = WARM_UP_PAGES,
    ) -> tuple[Candles, DataReport]:
        """Return the closed candles that begin in [start, end), and the report of what was corrected in them.

        The follower is called with the share of the missing candles that has been fetched. `run_owner_id` is the owner
        of the run that needs the candles: runs are served before browsing. Candles before `traded_from` only warm the
        run up: if they are not stored and would take more than `warm_up_pages` calls, the earliest are left out.
        """
        key = SeriesKey(self._provider.name, normal_token_id(token_id), interval)
        span = self._closed_span(key, start, end)
        if span[0] >= span[1]:
            return empty_candles(key.seconds), DataReport()
        whole = await run_read(self._store.load_whole, key, span)
        if whole is not None:
            return self.with_birth(whole[0], token_id), whole[1]
        wanted = Wanted(key, span, traded_from, warm_up_pages)
        following = self._followers.with_one(wanted, follower)
        with _specified_errors(provider_gate.KLINES), following, running_for(run_owner_id):
            first = await self._gate.share(wanted, lambda: self._fill(wanted))
        candles, report = await run_read(self._store.load, key, (first, span[1]))
        return self.with_birth(candles, token_id), report.model_copy(update={"warm_up_cut": first > span[0]})

    async def pages_missing(self, token_id: str, interval: Interval, start: int, end: int) -> int:
        """Return how many calls to the provider `candles` would need for this span."""
        key = SeriesKey(self._provider.name, normal_token_id(token_id), interval)
        span = self._closed_span(key, start, end)
        missing = await run_blocking(self._store.missing, key, span) if span[0] < span[1] else []
        page = self._provider.klines_page * key.seconds
        return sum(-(-(last - first) // page) for first, last in missing)

    def normal_id(self, token_id: str) -> str:
        """Return the token id with its address normalised."""
        return normal_token_id(token_id)

    async def stored_candles(self, token_id: str, interval: Interval, start: int, end: int) -> Candles:
        """Return the candles of the span that are stored. The provider is not called."""
        return await computing(self.load_candles, self.source, token_id, interval, (start, end))

    @property
    def source(self) -> str:
        """Return the name of the provider, under which its candles are stored."""
        return self._provider.name

    async def pool(self, token_id: str, max_age: timedelta = OWN_TOKEN_FACTS) -> PoolFacts:
        """Return what is known of the token's pool and taxes, at most so old; what cannot be read is unknown."""
        return await self._pools.facts(normal_token_id(token_id), max_age)

    async def token_if_reachable(self, token_id: str) -> TokenDetail | None:
        """Return the token; None also if the provider cannot be reached."""
        try:
            return await self.token(token_id)
        except AppError:
            return None

    def load_candles(self, source: str, token_id: str, interval: Interval, span: Span) -> Candles:
        """Return the stored candles of the span from this provider. Blocks while it reads."""
        candles, _ = self._store.load(SeriesKey(source, normal_token_id(token_id), interval), span)
        return self.with_birth(candles, token_id)

    def with_birth(self, candles: Candles, token_id: str) -> Candles:
        """Return the candles with when the first of the token began, if the provider says so."""
        if not isinstance(self._provider, KnowsBirths):
            return candles
        return replace(candles, born=self._provider.born(token_id))

    def save_charges(self) -> None:
        charges = self.charges.take()
        if not charges:
            return
        try:
            with self._database.write() as session:
                self._database.exclusive(session, "meters")
                for operation, calls, units in charges:
                    rate_tables.add_to_meter(session, self._provider.name, operation, calls, units)
        except Exception:  # on any error the cost is kept, so that the next attempt saves it
            self.charges.give_back(charges)
            raise

    def cost_units_used(self) -> int:
        """Return the units used by all processes, as saved in the database."""
        with self._database.read() as session:
            return rate_tables.cost_units_used(session, self._provider.name)

    def store_size(self) -> StoreSize:
        return self._store.size()

    async def close(self) -> None:
        try:
            await run_blocking(self.save_charges)
        except DatabaseUnavailable:
            logger.warning("the last cost units could not be saved: the database cannot be reached")
        finally:
            await self._provider.aclose()

    def _closed_span(self, key: SeriesKey, start: int, end: int) -> Span:
        """Return the span aligned to the interval's grid, up to the last closed candle."""
        latest = min(end, closed_until(self._clock().timestamp(), key.seconds))
        return -(-start // key.seconds) * key.seconds, -(-latest // key.seconds) * key.seconds

    async def _fill(self, wanted: Wanted) -> int:
        """Fetch the missing parts of the span, latest first. Return the time from which on all of it was fetched.

        Overlapping fetches of one series run one after the other.
        """
        key, pages = wanted.key, wanted.warm_up_pages
        async with self._filling.setdefault(key, asyncio.Lock()):
            missing = await run_read(self._store.missing, key, wanted.span)
            whole = left = sum(end - start for start, end in missing)
            for start, last in missing:
                end = last
                while start < end:
                    warms_up = end <= wanted.traded_from
                    if warms_up and pages == 0:
                        return end
                    first = await self._fetch(key, start, end)
                    pages -= warms_up and first < end
                    left -= end - first
                    self._followers.tell(wanted, 1 - left / whole)
                    end = first
        return wanted.span[0]

    async def _fetch(self, key: SeriesKey, start: int, end: int) -> int:
        """Fetch the last page of the span. Return from when on the span is known now; `end` if its turn has not come.

        A page that is not full means that the span has no earlier candles.
        """
        now = self._clock().timestamp()
        try:
            page, report = await self._gate.ask_once(provider_gate.KLINES, self._page(key, start, end))
        except NotAdmitted:  # refused by our own rate limit: a long download waits for its next slot
            await asyncio.sleep(SECONDS_BETWEEN_TURNS)
            return end
        # Count the received rows, not the usable ones: a full page may contain duplicates.
        full = len(page) > 0 and report.received >= self._provider.klines_page
        page = page.closed_before(now).between(start, end)
        first = int(page.time[0]) if full and len(page) else start
        known = (first, _settled_until(page, end, now, key.seconds))
        if known[0] < known[1]:
            await run_blocking(self._store.save, key, known, page, report)
        return first

    def _page(self, key: SeriesKey, start: int, end: int) -> provider_gate.ProviderCall[tuple[Candles, DataReport]]:
        return lambda: self._provider.klines(key.token_id, key.interval, start, end - 1, self._provider.klines_page)


def _settled_until(page: Candles, end: int, now: float, seconds: int) -> int:
    """Return the end of the final part of the response: its last candle, or later where a late candle would have
    arrived by now.
    """
    quiet_until = int(now - SETTLING_SECONDS) // seconds * seconds
    last = int(page.time[-1]) + seconds if len(page) else 0
    return max(last, min(end, quiet_until))


@contextmanager
def _specified_errors(operation: Operation) -> Iterator[None]:
    """Turn provider errors into the status and message of the specification."""
    try:
        yield
    except ProviderRateLimited:
        raise ProviderBusy(SECONDS_TO_COME_BACK) from None
    except ProviderStatus as error:
        raise UpstreamError(error.status, error.text) from error
    except ProviderError as error:
        raise FetchFailed(f"Failed to fetch {operation.what}: {error}") from error
