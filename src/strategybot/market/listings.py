"""The trending lists that the service has seen, one for each chain and hour: later nobody can ask for them."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import JSON, BigInteger, delete, func, select
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.clock import Clock
from strategybot.kit.database import Base, Database, Session
from strategybot.kit.errors import AppError
from strategybot.kit.json_object import Json
from strategybot.kit.threads import run_blocking, run_read
from strategybot.market.provider import KnowsPastLists, Provider
from strategybot.market.schemas import Token

logger = logging.getLogger("strategybot.market")

HOUR = 3600
TOKENS_KEPT = 50  # of a list
KEPT = timedelta(days=365)


class TrendingList(Base):
    """What was trending on a chain in an hour."""

    __tablename__ = "market_lists"

    provider: Mapped[str] = mapped_column(primary_key=True)
    chain: Mapped[str] = mapped_column(primary_key=True)
    hour: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    """Unix seconds of its beginning."""
    tokens: Mapped[list[Json]] = mapped_column(JSON)
    """`{"token", "chain", "volume", "liquidity"}` in the order of their ranks."""


class PastLists:
    """What was trending in the past: as the provider knows it, or as the service has kept it."""

    def __init__(
        self,
        provider: Provider,
        database: Database,
        clock: Clock,
        trending: Callable[[str, int], Awaitable[Sequence[Token]]],
    ) -> None:
        self._provider, self._database, self._clock, self._trending = provider, database, clock, trending

    async def keep(self, chains: Sequence[str]) -> None:
        """Keep what is trending on these chains, once an hour. A chain whose list cannot be read is left out."""
        hour = _hour_of(self._clock())
        for chain in chains:
            if await run_read(self._is_kept, chain, hour):
                continue
            try:
                tokens = await self._trending(chain, TOKENS_KEPT)
            except AppError as error:
                logger.warning("the trending tokens of %s are not kept this hour: %s", chain, error.message)
                continue
            if tokens:  # an empty list says nothing about the hour, and any chain can be asked for
                await run_blocking(self._keep, chain, hour, tokens)

    async def known_from(self, chain: str) -> int | None:
        """Return the unix seconds from which on the lists of a chain are known; 0 if all are, None if none is."""
        return 0 if isinstance(self._provider, KnowsPastLists) else await run_read(self._first_hour, chain)

    async def at(self, chain: str, limit: int, moment: int) -> list[Json]:
        """Return token and chain of what was trending at a moment, the highest rank first."""
        if isinstance(self._provider, KnowsPastLists):
            found = await self._provider.trending_at(chain, limit, moment)
            return [{"token": each.address, "chain": each.chain} for each in found]
        kept = await run_read(self._list_at, chain, moment)
        return [{"token": each["token"], "chain": each["chain"]} for each in kept[:limit]]

    def _is_kept(self, chain: str, hour: int) -> bool:
        with self._database.read() as session:
            return session.get(TrendingList, (self._provider.name, chain, hour)) is not None

    def _keep(self, chain: str, hour: int, tokens: Sequence[Token]) -> None:
        """Keep the list of this hour, unless another process has kept it."""
        rows = [
            {"token": each.address, "chain": each.chain, "volume": each.volume_24h_usd, "liquidity": each.liquidity_usd}
            for each in tokens
        ]
        with self._database.write() as session:
            self._database.exclusive(session, "lists")
            if session.get(TrendingList, (self._provider.name, chain, hour)) is None:
                session.add(TrendingList(provider=self._provider.name, chain=chain, hour=hour, tokens=rows))

    def _first_hour(self, chain: str) -> int | None:
        of_chain = (TrendingList.provider == self._provider.name, TrendingList.chain == chain)
        with self._database.read() as session:
            return session.scalar(select(func.min(TrendingList.hour)).where(*of_chain))

    def _list_at(self, chain: str, moment: int) -> list[Json]:
        """Return the last list that was kept until this moment."""
        of_chain = (TrendingList.provider == self._provider.name, TrendingList.chain == chain)
        known = select(TrendingList.tokens).where(*of_chain, TrendingList.hour <= moment)
        with self._database.read() as session:
            return session.scalar(known.order_by(TrendingList.hour.desc()).limit(1)) or []


def delete_old(session: Session, now: datetime) -> None:
    session.execute(delete(TrendingList).where(TrendingList.hour < _hour_of(now - KEPT)))


def _hour_of(now: datetime) -> int:
    return int(now.timestamp()) // HOUR * HOUR
