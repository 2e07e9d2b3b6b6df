"""A provider for tests: it has given candles, records every call, and fails on request."""

# ruff: noqa: ARG002 - the answer does not depend on the arguments

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import numpy as np

from strategybot.market.provider import ProviderError
from strategybot.market.schemas import Price, Quote, QuoteRequest, Risk, Swap, SwapRequest, Token, TokenDetail
from strategybot.trading.engine.candles import Candles, DataReport, Floats, empty_candles, report_of
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval

TOKEN_ID = "So11111111111111111111111111111111111111112-solana"


@dataclass(frozen=True)
class Asked:
    token_id: str
    interval: Interval
    start: int
    end: int
    limit: int


def candles_at(times: Sequence[int], seconds: int = 60) -> Candles:
    """Return valid candles that differ from each other; every seventh has an unknown volume."""
    time = np.array(times, dtype=np.int64)
    price: Floats = 1e-12 * (1 + time // seconds % 1009).astype(np.float64)
    volume = np.where(time // seconds % 7 == 0, np.nan, price * 1e15)
    return Candles(seconds, time, price, price * 3, price / 3, price * 2, volume)


def same(one: Candles, other: Candles) -> bool:
    """Return whether the candles are equal to the bit, including NaN."""
    return one.interval_seconds == other.interval_seconds and all(
        a.tobytes() == b.tobytes() and a.dtype == b.dtype for a, b in zip(one.columns(), other.columns(), strict=True)
    )


async def at_once() -> None:
    """Admit every call at once."""


class ScriptedProvider:
    name = "scripted"

    def __init__(self, candles: Candles | None = None, klines_page: int = 1000) -> None:
        self.known = empty_candles(60) if candles is None else candles
        self.klines_page = klines_page
        self.asked: list[Asked] = []
        self.calls: list[str] = []
        self.faults: list[ProviderError | None] = []
        """The result of each call in order; None, or an empty list, means success."""
        self.repeated = 0
        """How many rows of each page are duplicates, if the page is long enough."""
        self.repetitions_given = 0
        self.detail: TokenDetail | None = None
        self.tokens_risk: Risk | None = None
        self.wait: Callable[[], Awaitable[None]] = at_once
        self.closed = False

    async def _called(self, operation: str) -> None:
        self.calls.append(operation)
        await self.wait()
        if self.faults and (fault := self.faults.pop(0)):
            raise fault

    async def search(self, query: str | None, chain: str | None, limit: int) -> list[Token]:
        await self._called("search")
        return []

    async def prices(self, token_ids: Sequence[str]) -> dict[str, Price]:
        await self._called("prices")
        return {token_id: Price(price_usd=1.0) for token_id in token_ids}

    async def token(self, token_id: str) -> TokenDetail | None:
        await self._called("token")
        return self.detail

    async def klines(
        self, token_id: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> tuple[Candles, DataReport]:
        assert start is not None
        assert end is not None
        self.asked.append(Asked(token_id, interval, start, end, limit))
        await self._called("klines")
        assert self.known.interval_seconds == INTERVAL_SECONDS[interval]
        rows = self.known.between(start, end + 1)[-limit:]
        # Like a real provider: the page size includes duplicates.
        repeated = min(self.repeated, max(0, len(rows) - 1))
        page = rows[max(0, len(rows) + repeated - limit) :]
        self.repetitions_given += repeated
        return page, report_of(page, dropped=0, duplicates=repeated, completed=0, repaired=0)

    async def trending(self, chain: str | None, limit: int) -> list[Token]:
        await self._called("trending")
        return []

    async def risk(self, token_id: str) -> Risk | None:
        await self._called("risk")
        return self.tokens_risk

    async def quote(self, request: QuoteRequest) -> Quote | None:
        await self._called("quote")
        return None

    async def swap(self, request: SwapRequest) -> Swap | None:
        await self._called("swap")
        return None

    async def aclose(self) -> None:
        self.closed = True
