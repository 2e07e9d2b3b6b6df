"""Many tokens of a market that a test controls, for simulations with one purse."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from strategybot.accounts.service import Principal
from strategybot.simulations.schemas import SimulationView
from strategybot.trading.engine.candles import Candles, DataReport, parse_candles, report_of
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval
from tests.market.scripted import ScriptedProvider
from tests.simulations.driving import LIVELY
from tests.simulations.stage import Stage, walk

NAMES = ["A" * 32, "B" * 32, "C" * 32, "D" * 32]
IDS = [f"{name}-solana" for name in NAMES]
PURSE = {**LIVELY, "portfolio": {"max_open": 2}}


class ManyTokens(ScriptedProvider):
    """A provider that has candles of its own for each token; token D has none."""

    def __init__(self) -> None:
        super().__init__()
        self.series = {token_id: walk(4 * 1440, seed=seed) for seed, token_id in enumerate(IDS[:3])}
        quiet = np.random.default_rng(3).random(len(self.series[IDS[2]])) > 0.3  # C does not trade in each minute
        kept = [record for record, is_kept in zip(self.series[IDS[2]].records(), quiet, strict=True) if is_kept]
        self.series[IDS[2]] = parse_candles(kept, 60)[0]

    async def klines(
        self, token_id: str, interval: Interval, start: int | None, end: int | None, limit: int
    ) -> tuple[Candles, DataReport]:
        await self._called("klines")
        assert INTERVAL_SECONDS[interval] == 60
        known = self.series.get(token_id, walk()[:0])
        page = known.between(start or 0, (end or 0) + 1)[-limit:]
        return page, report_of(page, dropped=0, duplicates=0, completed=0, repaired=0)

    def ends(self, token_id: str, time: int) -> None:
        """Let the token trade no more from this time on."""
        self.series[token_id] = self.series[token_id].between(0, time)


async def proven(stage: Stage, who: Principal, run: SimulationView) -> SimulationView:
    report = await stage.simulations.parity(who, run.bot_id, run.run_id)
    assert report.differences == []
    return stage.read(who, run)


def pages(stage: Stage, who: Principal, run: SimulationView) -> Iterator[list[Any]]:
    since = 0
    while True:
        log = stage.simulations.run(who, run.bot_id, run.run_id, since).trade_log
        if not log:
            return
        yield log
        since = log[-1].time + 1
