"""Rows of bots as they are shown."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from strategybot.bots import storage
from strategybot.bots.schemas import BotView, Holdout, RevisionView
from strategybot.kit.reads import Row
from strategybot.trading.instruments import Interval
from strategybot.trading.kernel import Costs
from strategybot.trading.language.cautions import cautions
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.resolution import recommended_interval


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """A strategy as the key of a cache: equal only to itself. The database parses each stored text once."""

    strategy: Strategy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.strategy is self.strategy

    def __hash__(self) -> int:
        return id(self.strategy)


@lru_cache(maxsize=4096)  # it costs as much as all the rest of a bot in a list
def _recommended(same: _Same) -> Interval:
    return recommended_interval(same.strategy)


def view_of(bot: storage.Bot | Row, conversation_id: str | None) -> BotView:
    return BotView(**facts_of(bot, conversation_id))


def facts_of(bot: storage.Bot | Row, conversation_id: str | None) -> dict[str, Any]:
    return {
        "id": bot.id,
        "name": bot.name,
        "description": bot.description,
        "token": bot.token,
        "chain": bot.chain,
        "strategy": bot.strategy,
        "strategy_summary": bot.strategy and bot.strategy.summary,
        "recommended_kline_interval": bot.strategy and _recommended(_Same(bot.strategy)),
        "warnings": cautions(bot.strategy, Costs()) if bot.strategy else [],
        "holdout": _holdout(bot),
        "conversation_id": conversation_id,
        "created_at": bot.created_at,
        "updated_at": bot.updated_at,
        "revision": bot.revision,
    }


def _holdout(bot: storage.Bot | Row) -> Holdout | None:
    if bot.holdout_from is None:
        return None
    return Holdout(from_time=bot.holdout_from, sealed_at=bot.holdout_sealed_at, opened_at=bot.holdout_opened_at)


def revision_view(row: storage.Revision) -> RevisionView:
    return RevisionView(
        revision=row.revision,
        strategy=row.strategy,
        strategy_summary=row.strategy and row.strategy.summary,
        created_at=row.created_at,
    )
