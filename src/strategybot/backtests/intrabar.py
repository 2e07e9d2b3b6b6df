"""Fetches the 1-minute candles of candles in doubt, page by page, for a run that is then computed again.

With more minutes a run may trade differently and meet other candles in doubt, so this is repeated until there are no
new ones. Candles for which the provider has no minutes stay assumed, and the data report counts them.
"""

import logging
from collections.abc import Callable, Iterable

import numpy as np

from strategybot.kit.errors import AppError
from strategybot.market.service import Market
from strategybot.trading.engine.candles import NO_MINUTES, Candles, Integers, concatenate

logger = logging.getLogger("strategybot.backtests")

MINUTE = 60
MINUTES_A_PAGE = 1000
PAGE_SECONDS = MINUTES_A_PAGE * MINUTE
MOST_ROUNDS = 10  # two are enough in nearly every case; candles still in doubt after this stay assumed
Pages = list[int]


class MinuteFetcher:
    """The 1-minute candles fetched so far for a run; at most `most_minutes` are requested."""

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
        """Fetch the minutes of the candles that begin at these times; return whether there are new ones.

        `tell` is called with the fetched share.
        """
        self._rounds += 1
        pages = self._pages_to_ask(doubts, interval_seconds) if self._rounds <= MOST_ROUNDS else []
        known, done = len(self.minutes), 0
        self._asked.update(pages)
        self._left -= len(pages)
        try:
            for first, last in _join(pages):
                await self._fetch(first * PAGE_SECONDS, (last + 1) * PAGE_SECONDS)
                done += last + 1 - first
                tell(done / len(pages))
        except AppError as error:  # the run is complete without the minutes; its candles in doubt stay assumed
            logger.info("no 1-minute candles for %s: %s", self._token_id, error.message)
            self._left = 0
        return len(self.minutes) > known

    def _pages_to_ask(self, doubts: Integers, interval_seconds: int) -> Pages:
        """Return the needed pages that were not requested yet, oldest first, because later doubts depend on earlier
        ones.
        """
        if interval_seconds <= MINUTE:
            return []
        within = [*range(0, interval_seconds, PAGE_SECONDS), interval_seconds - MINUTE]
        touched = np.unique(np.concatenate([(doubts + seconds) // PAGE_SECONDS for seconds in within]))
        pages = [page for page in touched.tolist() if page not in self._asked]
        rest = [page for page in self._all if page not in self._asked]
        if pages and 2 * (len(pages) + len(self._asked)) > len(self._all) and len(rest) <= self._left:
            return rest  # most pages are needed: requesting all of them saves rounds
        return pages[: self._left]

    async def _fetch(self, start: int, end: int) -> None:
        first, last = max(start, self._span[0]), min(end, self._span[1])
        found, _ = await self._market.candles(self._token_id, "1m", first, last, run_owner_id=self._owner_id)
        self.minutes = concatenate([self.minutes, found])


def _join(pages: Iterable[int]) -> list[tuple[int, int]]:
    """Return runs of consecutive pages as (first, last)."""
    spans: list[tuple[int, int]] = []
    for page in pages:
        if spans and spans[-1][1] == page - 1:
            spans[-1] = (spans[-1][0], page)
        else:
            spans.append((page, page))
    return spans
