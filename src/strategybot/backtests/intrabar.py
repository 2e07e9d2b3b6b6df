"""Fetches the 1-minute candles of candles in doubt, page by page, for a run that is then computed again.

A run that sees more minutes may take another way and meet other doubts, so that is done until there are no new ones.
What the provider does not have, or does not give, stays assumed, and the data report counts it.
"""

import logging
from collections.abc import Callable, Iterable

import numpy as np

from strategybot.kit.errors import AppError
from strategybot.market.service import Market
from strategybot.trading.candles import NO_MINUTES, Candles, Integers, concatenate

logger = logging.getLogger("strategybot.backtests")

MINUTE = 60
MINUTES_A_PAGE = 1000
PAGE_SECONDS = MINUTES_A_PAGE * MINUTE
MOST_ROUNDS = 10  # two are enough in nearly every case; what is in doubt after these stays assumed
Pages = list[int]


class MinuteFetcher:
    """The minutes that a run over a span has so far; no more than `most_minutes` are ever asked for."""

    def __init__(
        self, market: Market, token_id: str, span: tuple[int, int], most_minutes: int, owner_id: str | None = None
    ) -> None:
        self._market, self._token_id, self._owner_id = market, token_id, owner_id
        self._span = span
        self._all = list(range(span[0] // PAGE_SECONDS, -(-span[1] // PAGE_SECONDS)))
        self._left = most_minutes // MINUTES_A_PAGE
        self._asked: set[int] = set()
        self._rounds = 0
        self.minutes: Candles = NO_MINUTES

    async def fetch(self, doubts: Integers, interval_seconds: int, tell: Callable[[float], None]) -> bool:
        """Fetch the minutes of candles that begin at these times; return whether there are new ones.

        `tell` is called with the share of them that is here.
        """
        self._rounds += 1
        pages = self._wanted(doubts, interval_seconds) if self._rounds <= MOST_ROUNDS else []
        known, done = len(self.minutes), 0
        self._asked.update(pages)
        self._left -= len(pages)
        try:
            for first, last in _joined(pages):
                await self._fetch(first * PAGE_SECONDS, (last + 1) * PAGE_SECONDS)
                done += last + 1 - first
                tell(done / len(pages))
        except AppError as error:  # the run itself is complete: without the minutes its doubts stay assumed
            logger.info("no 1-minute candles for %s: %s", self._token_id, error.message)
            self._left = 0
        return len(self.minutes) > known

    def _wanted(self, doubts: Integers, interval_seconds: int) -> Pages:
        """The pages that are needed and were not asked for, oldest first: later doubts depend on earlier ones."""
        if interval_seconds <= MINUTE:
            return []
        within = [*range(0, interval_seconds, PAGE_SECONDS), interval_seconds - MINUTE]
        touched = np.unique(np.concatenate([(doubts + seconds) // PAGE_SECONDS for seconds in within]))
        pages = [page for page in touched.tolist() if page not in self._asked]
        rest = [page for page in self._all if page not in self._asked]
        if pages and 2 * (len(pages) + len(self._asked)) > len(self._all) and len(rest) <= self._left:
            return rest  # most of them are needed: all at once are had in fewer rounds
        return pages[: self._left]

    async def _fetch(self, start: int, end: int) -> None:
        first, last = max(start, self._span[0]), min(end, self._span[1])
        found, _ = await self._market.candles(self._token_id, "1m", first, last, run_of=self._owner_id)
        self.minutes = concatenate([self.minutes, found])


def _joined(pages: Iterable[int]) -> list[tuple[int, int]]:
    """Pages that follow each other, as first and last."""
    spans: list[tuple[int, int]] = []
    for page in pages:
        if spans and spans[-1][1] == page - 1:
            spans[-1] = (spans[-1][0], page)
        else:
            spans.append((page, page))
    return spans
