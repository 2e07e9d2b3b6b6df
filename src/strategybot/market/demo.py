"""The demo market: every response is computed from a seed and the clock, so that the product runs without an API key.

Prices, changes and volumes come from the same minutes as the candles, up to the current time. A token is listed from
the end of its first day until it stops trading.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, TypeVarTuple

from strategybot.kit.clock import Clock, utc_moment
from strategybot.kit.threads import run_blocking
from strategybot.market import demo_trade
from strategybot.market.addresses import normal_address
from strategybot.market.demo_candles import DAY_MINUTES, TICKS
from strategybot.market.demo_history import DemoHistory, Moment, Snapshot, Span, born, last_minute
from strategybot.market.demo_tokens import ALL_LISTINGS, CHAINS, Listing, invented_address, risk_of
from strategybot.market.schemas import Pair, Price, Quote, QuoteRequest, Risk, Swap, SwapRequest, Token, TokenDetail
from strategybot.trading.engine.candles import Candles, DataReport, empty_candles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval, address_and_chain

DEFAULT_SEED = 42
QUICK_MINUTES = 20_000  # about a millisecond of work; longer work runs in a thread

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


class DemoProvider:
    name = "demo"
    klines_page = 50_000

    def __init__(self, clock: Clock, seed: int = DEFAULT_SEED, listings: Sequence[Listing] = ALL_LISTINGS) -> None:
        self._clock, self._listings = clock, listings
        self.history = DemoHistory(seed)
        self._by_id = {listing.token_id: listing for listing in listings}
        self._compiled = False

    async def search(self, query: str | None, chain: str | None, limit: int) -> list[Token]:
        text = (query or "").strip().lower()
        listed = self._list(chain, self._now())
        ranked = [(rank, listing) for listing in listed if (rank := _rank(text, listing)) is not None]
        tokens = await self._tokens(listing for _, listing in ranked)
        ranks = {listing.token_id: rank for rank, listing in ranked}
        tokens.sort(key=lambda token: (ranks[token.token_id], -(token.liquidity_usd or 0), token.token_id))
        return tokens[:limit]

    async def trending(self, chain: str | None, limit: int) -> list[Token]:
        return await self._trending(chain, limit, self._now())

    async def trending_at(self, chain: str, limit: int, moment: int) -> list[Token]:
        """Return what was trending at a past moment, with tokens that have died since."""
        return await self._trending(chain, limit, Moment.at(moment))

    async def _trending(self, chain: str | None, limit: int, now: Moment) -> list[Token]:
        tokens = await self._tokens(self._list(chain, now), now)
        tokens.sort(key=lambda token: (-_trend_score(token), token.token_id))
        return tokens[:limit]

    async def prices(self, token_ids: Sequence[str]) -> dict[str, Price]:
        found = {token_id: listing for token_id in token_ids if (listing := self._find(token_id))}
        snapshots = await self._snapshots(set(found.values()))
        return {token_id: _price(listing, snapshots[listing]) for token_id, listing in found.items()}

    async def token(self, token_id: str) -> TokenDetail | None:
        listing = self._find(token_id)
        if listing is None:
            return None
        (token,) = await self._tokens([listing])
        return TokenDetail(**token.model_dump(), pairs=_pairs(listing, token))

    async def klines(
        self, token_id: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> tuple[Candles, DataReport]:
        listing, seconds = self._find(token_id), INTERVAL_SECONDS[interval]
        if listing is None:
            return empty_candles(seconds), DataReport()
        now, size = self._until(listing, self._now()), seconds // 60
        first = max(born(listing), -(-(start or 0) // seconds) * size)
        last = (now.minute * 60 if end is None else min(end, now.minute * 60)) // seconds * size
        minutes = min(limit * size, last - first)
        return await self._work(minutes, self.history.candles, listing, Span(size, first, last), limit, now)

    async def risk(self, token_id: str) -> Risk | None:
        listing = self._find(token_id)
        return risk_of(listing, self._clock()) if listing else None

    async def quote(self, request: QuoteRequest) -> Quote | None:
        sides = await self._sides(request)
        return sides and demo_trade.quote_of(request, *sides)

    async def swap(self, request: SwapRequest) -> Swap | None:
        sides = await self._sides(request)
        return sides and demo_trade.swap_of(request, *sides)

    async def aclose(self) -> None:
        """Do nothing; the demo market holds no resources."""

    def born(self, token_id: str) -> int | None:
        listing = self._find(token_id)
        return None if listing is None else int(listing.created_at.timestamp())

    def _now(self) -> Moment:
        return Moment.at(int(self._clock().timestamp()))

    def _was_listed(self, listing: Listing, now: Moment) -> bool:
        return born(listing) + DAY_MINUTES <= now.minute

    def _until(self, listing: Listing, now: Moment) -> Moment:
        """Return the moment, or the last one in which the token trades."""
        last = last_minute(listing)
        return now if last is None or now.minute <= last else Moment(last, TICKS)

    def _list(self, chain: str | None, now: Moment) -> list[Listing]:
        return [
            listing
            for listing in self._listings
            if chain in (None, listing.chain) and self._was_listed(listing, now) and self._until(listing, now) == now
        ]

    def _find(self, token_id: str) -> Listing | None:
        address, chain = address_and_chain(token_id)
        listing = self._by_id.get(f"{normal_address(address, chain)}-{chain}")
        return listing if listing and self._was_listed(listing, self._now()) else None

    async def _snapshots(self, listings: Iterable[Listing], moment: Moment | None = None) -> dict[Listing, Snapshot]:
        wanted, now = list(listings), moment or self._now()
        minutes, snapshot = len(wanted) * 2 * DAY_MINUTES, self.history.snapshot
        return await self._work(minutes, lambda: {each: snapshot(each, self._until(each, now)) for each in wanted})

    async def _tokens(self, listings: Iterable[Listing], moment: Moment | None = None) -> list[Token]:
        snapshots = await self._snapshots(listings, moment)
        return [_token(listing, snapshot) for listing, snapshot in snapshots.items()]

    async def _sides(self, request: QuoteRequest) -> tuple[demo_trade.Side, demo_trade.Side] | None:
        names = (demo_trade.address_of(name, request.chain) for name in (request.from_token, request.to_token))
        spent, wanted = (self._find(f"{name}-{request.chain}") for name in names)
        if spent is None or wanted is None or spent is wanted:
            return None
        snapshots = await self._snapshots((spent, wanted))
        return (snapshots[spent].price, spent.decimals), (snapshots[wanted].price, wanted.decimals)

    async def _work(self, minutes: int, work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
        """Run the work in a thread if it would block the event loop: long spans, and the first call, which
        may compile.
        """
        if self._compiled and minutes <= QUICK_MINUTES:
            return work(*arguments)
        result = await run_blocking(work, *arguments)
        self._compiled = True
        return result


def _rank(text: str, listing: Listing) -> int | None:
    symbol, name, address = listing.symbol.lower(), listing.name.lower(), listing.address.lower()
    if not text or text in (symbol, address, listing.token_id.lower()):
        return 0
    if symbol.startswith(text) or name.startswith(text):
        return 1
    return 2 if any(text in part for part in (symbol, name, address)) else None


def _trend_score(token: Token) -> float:
    """Return the score for trending: change times the square root of the volume, so that large coins do not always
    lead.
    """
    return math.sqrt(token.volume_24h_usd or 0) * abs(token.price_change_24h_percent or 0)


def _liquidity(listing: Listing, snapshot: Snapshot) -> float:
    """Return the liquidity at this price. The value of a two-sided pool grows with the square root of the price."""
    return listing.liquidity * math.sqrt(snapshot.price / listing.price)


def _price(listing: Listing, snapshot: Snapshot) -> Price:
    return Price(
        price_usd=snapshot.price,
        price_change_24h_percent=snapshot.change_percent,
        liquidity_usd=_liquidity(listing, snapshot),
        volume_24h_usd=snapshot.volume,
        updated_at=utc_moment(snapshot.traded_at),
    )


def _token(listing: Listing, snapshot: Snapshot) -> Token:
    return Token(
        token_id=listing.token_id,
        address=listing.address,
        chain=listing.chain,
        symbol=listing.symbol,
        name=listing.name,
        decimals=listing.decimals,
        price_usd=snapshot.price,
        price_change_24h_percent=snapshot.change_percent,
        volume_24h_usd=snapshot.volume,
        liquidity_usd=_liquidity(listing, snapshot),
        market_cap_usd=snapshot.price * listing.supply,
        holders=listing.holders,
        risk_score=listing.facts.score,
        created_at=listing.created_at,
    )


def _pairs(listing: Listing, token: Token) -> list[Pair]:
    """Return two pairs: 75% of the trade against the chain's native coin, the rest against its dollar."""
    chain = CHAINS[listing.chain]
    quotes = (symbol for symbol in (chain.native, chain.dollar) if symbol != listing.symbol)
    return [
        Pair(
            pair=invented_address(f"{listing.symbol}:{listing.chain}:{exchange}", listing.chain),
            exchange=exchange,
            base=listing.symbol,
            quote=quote,
            price_usd=token.price_usd,
            liquidity_usd=(token.liquidity_usd or 0) * share,
            volume_24h_usd=(token.volume_24h_usd or 0) * share,
        )
        for exchange, quote, share in zip(chain.exchanges, quotes, (0.75, 0.25), strict=False)
    ]
