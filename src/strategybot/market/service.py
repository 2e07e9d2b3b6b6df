"""The market, for everyone who asks of it: the proxy, the runs and the agent.

A fault of the provider is said in the specification's words. Closed candles come from the store; only what is not
there yet is asked of the provider.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from weakref import WeakValueDictionary

from strategybot.accounts.service import Principal
from strategybot.accounts.tiers import tiers_with_swaps
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.kit.errors import AppError, NotFound, TooManyRequests
from strategybot.kit.threads import in_thread, reading
from strategybot.market import guard, storage
from strategybot.market.addresses import normal_token_id
from strategybot.market.decoded import Span
from strategybot.market.fairness import running_for
from strategybot.market.followers import Follower, Followers
from strategybot.market.guard import Charges, Guard, Operation
from strategybot.market.provider import NotAdmitted, Provider, ProviderError, ProviderRateLimited, ProviderStatus
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
from strategybot.market.store import CandleStore, SeriesKey, StoreSize
from strategybot.trading.candles import Candles, DataReport, empty_candles
from strategybot.trading.instruments import Interval

logger = logging.getLogger("strategybot.market")

# A provider may be late with a candle that has just closed: only after this long does its absence count.
SETTLING_SECONDS = 300
SECONDS_TO_COME_BACK = 5
SECONDS_BETWEEN_TURNS = 1


class ProviderBusy(TooManyRequests):
    message = "Rate limit exceeded. Please try again later."


class UpstreamError(AppError):
    """The provider's own status, with its own words."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"upstream API error: {text}")
        self.status = status


class FetchFailed(AppError):
    """The provider gave no answer that can be used."""


class NoKlines(AppError):
    """There is nothing that a run could see."""

    status = 422

    def __init__(self, token: str, chain: str) -> None:
        super().__init__(f"The provider has no klines for {token} on {chain}.")

    def body(self) -> dict[str, object]:
        return {**super().body(), "errors": [{"field": "token", "message": "has no klines at the provider"}]}


class NoDemoMarket(NotFound):
    message = "This server has no demo market: its prices are real, and its tokens are for users who are logged in."


class Market:
    def __init__(
        self,
        provider: Provider,
        database: Database,
        clock: Clock,
        charged: guard.Charged,
    ) -> None:
        self._provider, self._database, self._clock = provider, database, clock
        self._charges = Charges()
        self._guard = Guard(charged=(self._charges.add, charged))
        self._store = CandleStore(database)
        self._filling: WeakValueDictionary[SeriesKey, asyncio.Lock] = WeakValueDictionary()
        self._followers = Followers()

    async def search(self, query: str | None, chain: str | None, limit: int) -> list[Token]:
        with _in_words(guard.SEARCH):
            question = (query, chain, limit)
            return await self._guard.ask(guard.SEARCH, question, lambda: self._provider.search(*question))

    async def prices(self, token_ids: Sequence[str]) -> dict[str, Price]:
        if not token_ids:
            return {}
        with _in_words(guard.PRICES):
            question = tuple(token_ids)
            return await self._guard.ask(guard.PRICES, question, lambda: self._provider.prices(question))

    async def token(self, token_id: str) -> TokenDetail | None:
        with _in_words(guard.TOKEN):
            return await self._guard.ask(guard.TOKEN, token_id, lambda: self._provider.token(token_id))

    async def klines(
        self, token_id: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> Candles:
        """The last `limit` candles of the span as the provider has them now, the open one included."""
        with _in_words(guard.KLINES):
            question = (token_id, interval, start, end, limit)
            candles, _ = await self._guard.ask(guard.KLINES, question, lambda: self._provider.klines(*question))
            return candles

    async def trending(self, chain: str | None, limit: int) -> list[Token]:
        with _in_words(guard.TRENDING):
            question = (chain, limit)
            return await self._guard.ask(guard.TRENDING, question, lambda: self._provider.trending(*question))

    async def demo_tokens(self, query: str | None, chain: str | None, limit: int) -> list[Token]:
        """The tokens of the demo market, for everybody; they cost no call to a provider."""
        if self.source != "demo":
            raise NoDemoMarket
        return await (self.search(query, chain, limit) if query else self.trending(chain, limit))

    async def risk(self, token_id: str) -> Risk | None:
        with _in_words(guard.RISK):
            return await self._guard.ask(guard.RISK, token_id, lambda: self._provider.risk(token_id))

    async def quote(self, request: QuoteRequest) -> Quote | None:
        with _in_words(guard.QUOTE):
            question = request.model_dump_json()
            return await self._guard.ask(guard.QUOTE, question, lambda: self._provider.quote(request))

    async def swap(self, principal: Principal, request: SwapRequest) -> SwapFound | NoSwap:
        """An unsigned transaction; nobody else's equal question gets the same one."""
        if not principal.limits.chain_swap:
            return NoSwap(upsell_message=f"Swaps come with the {tiers_with_swaps()} tiers.")
        with _in_words(guard.SWAP):
            swap = await self._guard.ask_once(guard.SWAP, lambda: self._provider.swap(request))
        return NoSwap() if swap is None else SwapFound(swap=swap)

    async def candles(
        self,
        token_id: str,
        interval: Interval,
        start: int,
        end: int,
        follower: Follower = lambda _: None,
        run_of: str | None = None,
    ) -> tuple[Candles, DataReport]:
        """The closed candles that begin in [start, end), and what had to be put right in them.

        The follower is told which share of what was missing is here. `run_of` is the owner of the run that needs them:
        runs are served before those who browse.
        """
        key = SeriesKey(self._provider.name, normal_token_id(token_id), interval)
        span = self._closed_span(key, start, end)
        if span[0] >= span[1]:
            return empty_candles(key.seconds), DataReport()
        with _in_words(guard.KLINES), self._followers.with_one((key, span), follower), running_for(run_of):
            await self._guard.share((key, span), lambda: self._fill(key, span))
        return await reading(self._store.load, key, span)

    async def pages_missing(self, token_id: str, interval: Interval, start: int, end: int) -> int:
        """Return how many calls to the provider `candles` would need for this span."""
        key = SeriesKey(self._provider.name, normal_token_id(token_id), interval)
        span = self._closed_span(key, start, end)
        missing = await in_thread(self._store.missing, key, span) if span[0] < span[1] else []
        page = self._provider.klines_page * key.seconds
        return sum(-(-(last - first) // page) for first, last in missing)

    def normal_id(self, token_id: str) -> str:
        """Return the one spelling of a token id."""
        return normal_token_id(token_id)

    @property
    def provider_name(self) -> str:
        return self._provider.name

    async def stored_candles(self, token_id: str, interval: Interval, start: int, end: int) -> Candles:
        """Those of the span that are here already; the provider is not asked."""
        return await reading(self.load_candles, self.source, token_id, interval, (start, end))

    @property
    def source(self) -> str:
        """The name of the provider, under which its candles are stored."""
        return self._provider.name

    def load_candles(self, source: str, token_id: str, interval: Interval, span: Span) -> Candles:
        """Return the stored candles of the span that came from this provider; blocks until they are read."""
        candles, _ = self._store.load(SeriesKey(source, normal_token_id(token_id), interval), span)
        return candles

    def write_down_charges(self) -> None:
        charges = self._charges.take()
        if not charges:
            return
        try:
            with self._database.write() as session:
                self._database.exclusive(session, "meters")
                for operation, calls, units in charges:
                    storage.add_to_meter(session, self._provider.name, operation, calls, units)
        except Exception:  # whatever kept it from being written, what was spent is not forgotten
            self._charges.give_back(charges)
            raise

    def cost_units_used(self) -> int:
        """By all processes, as far as it is written down."""
        with self._database.read() as session:
            return storage.cost_units_used(session, self._provider.name)

    def store_size(self) -> StoreSize:
        return self._store.size()

    async def close(self) -> None:
        try:
            await in_thread(self.write_down_charges)
        except DatabaseUnavailable:
            logger.warning("the last cost units could not be written down: the database cannot be reached")
        finally:
            await self._provider.aclose()

    def _closed_span(self, key: SeriesKey, start: int, end: int) -> Span:
        """On the interval's grid, and no later than the last closed candle."""
        latest = min(end, int(self._clock().timestamp()) // key.seconds * key.seconds)
        return -(-start // key.seconds) * key.seconds, -(-latest // key.seconds) * key.seconds

    async def _fill(self, key: SeriesKey, span: Span) -> None:
        """Ask for what is missing in the span; overlapping spans of one series one after the other."""
        async with self._filling.setdefault(key, asyncio.Lock()):
            missing = await reading(self._store.missing, key, span)
            whole = left = sum(end - start for start, end in missing)
            for part in missing:
                async for seconds in self._fetch(key, part):
                    left -= seconds
                    self._followers.tell((key, span), 1 - left / whole)

    async def _fetch(self, key: SeriesKey, missing: Span) -> AsyncIterator[int]:
        """Page backwards: an answer that is not full says that there is nothing before it in the span.

        Yields how many seconds of the span each page has answered for.
        """
        start, end = missing
        while start < end:
            now = self._clock().timestamp()
            try:
                page, report = await self._guard.ask_once(guard.KLINES, self._page(key, start, end))
            except NotAdmitted:  # it is our own pace that refuses: a long download waits for its turn
                await asyncio.sleep(SECONDS_BETWEEN_TURNS)
                continue
            # By what came, not by what was left of it: a page with a repeated candle is a full page all the same.
            full = len(page) > 0 and report.received >= self._provider.klines_page
            page = page.closed_before(now).between(start, end)
            first = int(page.time[0]) if full and len(page) else start
            known = (first, _settled(page, end, now, key.seconds))
            if known[0] < known[1]:
                await in_thread(self._store.save, key, known, page, report)
            yield end - first
            end = first

    def _page(self, key: SeriesKey, start: int, end: int) -> guard.Call[tuple[Candles, DataReport]]:
        return lambda: self._provider.klines(key.token_id, key.interval, start, end - 1, self._provider.klines_page)


def _settled(page: Candles, end: int, now: float, seconds: int) -> int:
    """How far the answer is final: to its last candle, and past it where even a late one would have come by now."""
    quiet_until = int(now - SETTLING_SECONDS) // seconds * seconds
    last = int(page.time[-1]) + seconds if len(page) else 0
    return max(last, min(end, quiet_until))


@contextmanager
def _in_words(operation: Operation) -> Iterator[None]:
    """The specification's status and words for whatever the provider did."""
    try:
        yield
    except ProviderRateLimited:
        raise ProviderBusy(SECONDS_TO_COME_BACK) from None
    except ProviderStatus as error:
        raise UpstreamError(error.status, error.text) from error
    except ProviderError as error:
        raise FetchFailed(f"Failed to fetch {operation.what}: {error}") from error
