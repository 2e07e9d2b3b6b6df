"""Rows of bots as they are shown."""

from typing import Any

from strategybot.bots import storage
from strategybot.bots.schemas import (
    BotSimulation,
    BotView,
    Holdout,
    LatestRun,
    ListedBot,
    RevisionView,
    StrategyDescription,
    UnusableInterval,
)
from strategybot.kit.database import AnyRow
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.instruments import INTERVALS
from strategybot.trading.engine.resolution import misfit, recommended_interval
from strategybot.trading.language.cautions import cautions
from strategybot.trading.language.strategy import Strategy


def list_bot(bot: AnyRow, simulation: BotSimulation | None, latest_runs: list[LatestRun] | None) -> ListedBot:
    return ListedBot(**_facts_of(bot), simulation=simulation, latest_runs=latest_runs)


def view_of(bot: AnyRow) -> BotView:
    return BotView(**_facts_of(bot))


def _facts_of(bot: AnyRow) -> dict[str, Any]:
    """Return the columns of a bot, of which the views take theirs, and what follows from its strategy."""
    return {
        **bot._mapping,  # noqa: SLF001  SQLAlchemy's public name for the columns of a row
        "strategy_summary": bot.strategy and bot.strategy.summary,
        "recommended_kline_interval": bot.strategy and recommended_interval(bot.strategy),
        "warnings": cautions(bot.strategy, Costs()) if bot.strategy else [],
        "holdout": _holdout(bot),
    }


def description_of(strategy: Strategy) -> StrategyDescription:
    problems = [(interval, misfit(strategy, interval)) for interval in INTERVALS]
    return StrategyDescription(
        strategy_summary=strategy.summary,
        conditions=[each.phrase() for each in strategy.conditions],
        exit_conditions=[each.phrase() for each in strategy.exit_conditions],
        recommended_kline_interval=recommended_interval(strategy),
        unusable_intervals=[
            UnusableInterval(interval=interval, reason=reason) for interval, reason in problems if reason is not None
        ],
    )


def _holdout(bot: AnyRow) -> Holdout | None:
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
