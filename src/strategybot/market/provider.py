"""The port to a market-data provider: eight questions, and a short tree of why there is no answer.

An implementation answers in the records of `schemas.py`, gives None or an empty collection for what the provider
does not have, and raises nothing but a `ProviderError`. Arguments have passed the allow-list before they come here.
"""

from collections.abc import Sequence
from typing import Protocol

from strategybot.market.schemas import Price, Quote, QuoteRequest, Risk, Swap, SwapRequest, Token, TokenDetail
from strategybot.trading.candles import Candles, DataReport
from strategybot.trading.instruments import Interval


class ProviderError(Exception):
    """The provider gave no usable answer."""


class ProviderRateLimited(ProviderError):
    """HTTP 429, or our own share of the provider's plan is used up."""


class NotAdmitted(ProviderRateLimited):
    """Our own share of the plan is used up: the provider was not asked."""


class ProviderStatus(ProviderError):
    """Another HTTP error status, with the provider's own text (bounded, and free of our key)."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.text = text


class ProviderFailure(ProviderError):
    """Anything else: no connection, too slow, too large, a redirect, not what was promised. The message says which."""


class ProviderUnreachable(ProviderFailure):
    """No connection, or no answer in time: asking again at once will not help."""


class Provider(Protocol):
    name: str
    klines_page: int
    """The most candles that one call answers with."""

    async def search(self, query: str | None, chain: str | None, limit: int) -> list[Token]: ...

    async def prices(self, token_ids: Sequence[str]) -> dict[str, Price]: ...

    async def token(self, token_id: str) -> TokenDetail | None: ...

    async def klines(
        self, token_id: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> tuple[Candles, DataReport]:
        """At most the last `limit` candles that start in [start, end], the open candle included if there is one."""

    async def trending(self, chain: str | None, limit: int) -> list[Token]: ...

    async def risk(self, token_id: str) -> Risk | None: ...

    async def quote(self, request: QuoteRequest) -> Quote | None: ...

    async def swap(self, request: SwapRequest) -> Swap | None: ...

    async def aclose(self) -> None: ...
