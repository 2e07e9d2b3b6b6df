"""The basket: the most liquid tokens of a chain, on which every strategy is tested too.

The service fixes it for a month for all users, so that nobody can choose tokens that make a strategy look good.
"""

import logging
from datetime import timedelta

from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.threads import run_blocking
from strategybot.market.schemas import Token
from strategybot.market.service import Market
from strategybot.verdicts import storage

logger = logging.getLogger("strategybot.verdicts")

CANDIDATES = 50
TOKENS_KEPT = 16  # more than are used, because some lack a part of the span
KEPT_FOR = timedelta(days=30)
DOLLARS = {"DAI", "FRAX", "MIM", "EURC", "GHO", "XAUT", "PAXG"}
PEG_PRICES = (0.98, 1.02)
PEG_CHANGE = 0.5  # percent in 24 hours


class Baskets:
    def __init__(self, database: Database, market: Market, clock: Clock) -> None:
        self._database, self._market, self._clock = database, market, clock

    async def tokens(self, chain: str) -> list[str]:
        """Return the token ids of the chain's basket, the most liquid first."""
        known = await run_blocking(self._known_tokens, chain)
        if known is not None:
            return known
        found = liquid_tokens(await self._market.trending(chain, CANDIDATES))
        await run_blocking(self._save, chain, found)
        return found

    def _known_tokens(self, chain: str) -> list[str] | None:
        with self._database.read() as session:
            basket = storage.basket_of(session, self._market.source, chain)
        fresh = basket is not None and self._clock() - basket.made_at < KEPT_FOR
        return basket.tokens if basket is not None and fresh else None

    def _save(self, chain: str, tokens: list[str]) -> None:
        with self._database.write() as session:
            self._database.exclusive(session, f"basket {chain}")
            storage.save_basket(session, self._market.source, chain, tokens, self._clock())


def liquid_tokens(tokens: list[Token]) -> list[str]:
    """Return the ids of the most liquid tokens that are no stablecoins."""
    moving = [token for token in tokens if not is_stable(token)]
    moving.sort(key=lambda token: (-(token.liquidity_usd or 0.0), token.token_id))
    return [token.token_id for token in moving[:TOKENS_KEPT]]


def is_stable(token: Token) -> bool:
    """Return whether the token looks like a stablecoin, by its symbol and its change in 24 hours."""
    symbol = token.symbol.upper()
    if "USD" in symbol or symbol in DOLLARS:
        return True
    if token.price_usd is None or token.price_change_24h_percent is None:
        return False
    return PEG_PRICES[0] <= token.price_usd <= PEG_PRICES[1] and abs(token.price_change_24h_percent) < PEG_CHANGE
