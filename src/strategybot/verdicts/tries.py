"""Counts what an owner has tried on a token: the best of many tries looks good without any pattern.

A try is a combination of rules, interval, span of time and requested costs. A run that reaches to the newest candle is
the same try when it is repeated later, with the same length or from the same start.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from strategybot.kit.database import Database
from strategybot.market.service import Market
from strategybot.runs.storage import QueuedRun
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval, closed_until
from strategybot.trading.engine.run_costs import RunCosts, requested_costs
from strategybot.trading.language.strategy import content_digest
from strategybot.verdicts import storage
from strategybot.verdicts.schemas import FinishedRun


@dataclass(frozen=True)
class Attempt:
    """One try, or all variants of a search."""

    owner_id: str
    token_id: str
    kline_interval: Interval
    start_time: int
    end_time: int
    asked_at: float
    rules: str  # a digest of the strategy, or of the search
    costs: RunCosts
    strategies: int = 1
    tokens: int = 1  # of the survey that it is part of

    @classmethod
    def of(cls, finished: FinishedRun) -> "Attempt":
        return cls(
            finished.owner_id,
            finished.token_id,
            finished.kline_interval,
            finished.start_time,
            finished.end_time,
            finished.asked_at,
            content_digest(finished.strategy),
            finished.run_costs or _without_pool(finished.costs),
        )

    @classmethod
    def of_run(cls, run: QueuedRun, token_id: str, rules: str, strategies: int = 1, tokens: int = 1) -> "Attempt":
        asked_at, span = run.created_at.timestamp(), (run.start_time, run.end_time)
        costs = run.costs or _without_pool(run)
        return cls(run.owner_id, token_id, run.kline_interval, *span, asked_at, rules, costs, strategies, tokens)

    @property
    def digest(self) -> str:
        """Return a short text that is equal for the same rules, interval and requested costs."""
        costs = self.costs.requested().model_dump_json()
        return hashlib.sha256(f"{self.rules} {self.kline_interval} {costs}".encode()).hexdigest()[:32]

    @property
    def length(self) -> int | None:
        """Return the seconds of a run that reached to the newest candle, or the one before it; None for another."""
        newest = closed_until(self.asked_at, self.candle_seconds)
        return self.end_time - self.start_time if self.end_time >= newest - self.candle_seconds else None

    @property
    def candle_seconds(self) -> int:
        return INTERVAL_SECONDS[self.kline_interval]


def set_id(token_ids: Iterable[str]) -> str:
    """Return the id under which the tries of a set of tokens are counted."""
    return f"{hashlib.sha256(' '.join(sorted(token_ids)).encode()).hexdigest()[:40]}-portfolio"


def _without_pool(run: Costs | QueuedRun) -> RunCosts:
    """Return the costs of a run of an older version, which paid neither tax nor price impact."""
    return requested_costs("off", run.fee_percent, run.slippage_percent)


class Counted(NamedTuple):
    """How many tries there are on the token in overlapping spans; `earlier` are those of other rows."""

    total: int
    earlier: int


class Tries:
    def __init__(self, database: Database, market: Market) -> None:
        self._database, self._market = database, market

    def count(self, attempt: Attempt) -> Counted:
        """Save the attempt, and return the number of tries with it."""
        row = storage.Try(
            owner_id=attempt.owner_id,
            token_id=self._market.normal_id(attempt.token_id),
            digest=attempt.digest,
            start_time=attempt.start_time,
            end_time=attempt.end_time,
            strategies=attempt.strategies,
            rules=attempt.rules,
            tokens=attempt.tokens,
            length=attempt.length,
        )
        with self._database.write() as session:
            self._database.exclusive(session, f"tries {attempt.owner_id}")
            own = storage.record_try(session, row, attempt.candle_seconds)
            total = storage.count_tries(session, own)
            return Counted(total, total - own.strategies)
