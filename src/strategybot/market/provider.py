"""The interface to a market-data provider: eight operations, and the errors they raise.

An implementation returns the records of `schemas.py`, returns None or an empty collection for what the provider does
not have, and raises only `ProviderError`. Arguments are validated before they reach it.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from strategybot.market.schemas import Price, Quote, QuoteRequest, Risk, Swap, SwapRequest, Token, TokenDetail
from strategybot.trading.engine.candles import Candles, DataReport
from strategybot.trading.engine.instruments import Interval


class ProviderError(Exception):
    """The provider gave no usable response."""


class ProviderRateLimited(ProviderError):
    """HTTP 429, or our own share of the provider's plan is used up."""


class NotAdmitted(ProviderRateLimited):
    """Our own share of the plan is used up. The provider was not called."""


class ProviderStatus(ProviderError):
    """Another HTTP error status, with the provider's own text (limited in length, and without our key)."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.text = text


class ProviderFailure(ProviderError):
    """Any other failure, such as a timeout, an oversized body, a redirect or an unexpected shape. The
    message names it.
    """


class ProviderUnreachable(ProviderFailure):
    """No connection, or no response in time. An immediate retry will not help."""


@runtime_checkable
class KnowsBirths(Protocol):
    """A provider that knows, without a call, when the first candle of a token began."""

    def born(self, token_id: str) -> int | None: ...


@runtime_checkable
class KnowsPastLists(Protocol):
    """A provider that knows what was trending at any moment of the past."""

    async def trending_at(self, chain: str, limit: int, moment: int) -> list[Token]: ...


class Provider(Protocol):
    name: str
    klines_page: int
    """The maximum number of candles that one call returns."""

    async def search(self, query: str | None, chain: str | None, limit: int) -> list[Token]: ...

    async def prices(self, token_ids: Sequence[str]) -> dict[str, Price]: ...

    async def token(self, token_id: str) -> TokenDetail | None: ...

    async def klines(
        self, token_id: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> tuple[Candles, DataReport]:
        """Return at most the last `limit` candles that start in [start, end], including the open candle if there is
        one.
        """

    async def trending(self, chain: str | None, limit: int) -> list[Token]: ...

    async def risk(self, token_id: str) -> Risk | None: ...

    async def quote(self, request: QuoteRequest) -> Quote | None: ...

    async def swap(self, request: SwapRequest) -> Swap | None: ...

    async def aclose(self) -> None: ...
