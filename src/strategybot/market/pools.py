"""The pool of a token: its liquidity and taxes, kept for a while, because every run of the token needs them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

import anyio

from strategybot.kit.clock import Clock
from strategybot.kit.errors import AppError
from strategybot.kit.threads import Sleep
from strategybot.market.schemas import Risk, TokenDetail
from strategybot.trading.engine.instruments import plain_symbol
from strategybot.trading.engine.pool import PoolFacts

SECONDS_BEFORE_RETRIES = (0.2, 1.0)
MOST_KEPT = 5_000

Answer = TypeVar("Answer")
Question = Callable[[str], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class _Known:
    facts: PoolFacts
    read_at: datetime


class Pools:
    """Reads the facts of tokens. What the provider does not answer after two retries is unknown, and not kept."""

    def __init__(
        self,
        token: Question[TokenDetail | None],
        risk: Question[Risk | None],
        clock: Clock,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        self._token, self._risk, self._clock, self._sleep = token, risk, clock, sleep
        self._known: dict[str, _Known] = {}

    async def facts(self, token_id: str, max_age: timedelta) -> PoolFacts:
        known = self._known.get(token_id)
        if known is not None and self._clock() - known.read_at < max_age:
            return known.facts
        detail, has_detail = await self._ask(self._token, token_id)
        risk, has_risk = await self._ask(self._risk, token_id)
        facts = pool_facts(detail, risk)
        if has_detail and has_risk:
            self._keep(token_id, facts)
        return facts

    async def _ask(self, question: Question[Answer | None], token_id: str) -> tuple[Answer | None, bool]:
        """Return the answer, and whether there was one."""
        for pause in (*SECONDS_BEFORE_RETRIES, None):
            try:
                return await question(token_id), True
            except AppError:
                if pause is not None:
                    await self._sleep(pause)
        return None, False

    def _keep(self, token_id: str, facts: PoolFacts) -> None:
        if len(self._known) >= MOST_KEPT:
            self._known.pop(next(iter(self._known)))
        self._known[token_id] = _Known(facts, self._clock())


def pool_facts(detail: TokenDetail | None, risk: Risk | None) -> PoolFacts:
    liquidity = None if detail is None else detail.liquidity_usd
    symbol = None if detail is None else plain_symbol(detail.symbol)
    if risk is None:
        return PoolFacts(liquidity_usd=liquidity, symbol=symbol)
    return PoolFacts(
        liquidity_usd=liquidity,
        symbol=symbol,
        buy_tax_percent=_share(risk.buy_tax_percent),
        sell_tax_percent=_share(risk.sell_tax_percent),
        can_be_sold=None if risk.is_honeypot is None else not risk.is_honeypot,
        risk_level=risk.risk_level,
    )


def _share(percent: float | None) -> float | None:
    """Return the tax; a token cannot take less than nothing or more than all."""
    return None if percent is None else min(100.0, max(0.0, percent))
