"""The result of a search as it is stored: the points, the walk-forward, and the run that the verdict grades."""

import hashlib
import json

from strategybot.kit.clock import utc_moment
from strategybot.kit.json_object import Json
from strategybot.searches.storage import Optimisation
from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.preparation import Prepared, candles_before
from strategybot.trading.language.strategy import Strategy, content_digest
from strategybot.trading.search.grid import Axis, Grid
from strategybot.trading.search.results import Search
from strategybot.trading.search.sweep import WALK_BLOCKS
from strategybot.trading.words.numbers import finite
from strategybot.verdicts.schemas import FinishedRun
from strategybot.verdicts.service import finished_run
from strategybot.verdicts.tries import Attempt


def grid_of(run: Optimisation) -> Grid:
    return Grid(run.strategy, tuple(Axis(each["path"], tuple(each["values"])) for each in run.parameters))


def found_by(grid: Grid, search: Search, prepared: Prepared, costs: Costs, p_loss: float | None) -> Json:
    """Return the best point; for a complete search also the recommended point and the walk-forward."""
    is_whole = p_loss is not None

    def point(variant: int | None) -> Json | None:
        return None if variant is None else _point(grid, variant, prepared, costs, search.initial_cash)

    return {
        "best": point(search.best()),
        "recommended": point(search.recommend()) if is_whole else None,
        "walk_forward": _walk_forward(grid, search, prepared) if is_whole else None,
        "p_loss": p_loss,
    }


def attempt_of(run: Optimisation, variants: int) -> Attempt:
    """Return the attempt that counts the variants of the search. Repeating the search adds no tries."""
    rules = search_digest(run.strategy, run.parameters)
    return Attempt.of_run(run, run.token_id, rules, variants)


def search_digest(strategy: Strategy, parameters: list[Json]) -> str:
    """Return a short text that is equal for searches of the same values of the same rules."""
    content = f"{content_digest(strategy)} {json.dumps(parameters, sort_keys=True)}"
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def run_of_variant(run: Optimisation, grid: Grid, variant: int, prepared: Prepared) -> FinishedRun:
    """Return the backtest of one variant with its inputs, for the verdict."""
    seconds = run.interval_seconds
    fetched_from = candles_before(run.start_time, grid.lookback_candles(seconds), seconds)
    result = result_of(grid, variant, prepared, run.traded_costs, run.initial_cash)
    return finished_run(run, grid.strategy_at(variant), fetched_from, prepared, result)


def result_of(grid: Grid, variant: int, prepared: Prepared, costs: Costs, cash: float) -> BacktestResult:
    """Return the backtest of one variant."""
    return run_backtest(grid.strategy_at(variant), prepared.candles, costs, cash, start_index=prepared.start_index)


def _point(grid: Grid, variant: int, prepared: Prepared, costs: Costs, cash: float) -> Json:
    strategy = grid.strategy_at(variant)
    return {
        "parameters": grid.values_at(variant),
        "strategy": strategy.model_dump(mode="json"),
        "strategy_summary": strategy.summary,
        "metrics": result_of(grid, variant, prepared, costs, cash).metrics,
    }


def _walk_forward(grid: Grid, search: Search, prepared: Prepared) -> Json:
    walk, candles = search.walk_forward(), len(prepared.candles) - prepared.start_index
    edges = [prepared.start_index + -(-block * candles // WALK_BLOCKS) for block in range(WALK_BLOCKS + 1)]
    times = [*prepared.candles.time.tolist(), int(prepared.candles.time[-1]) + prepared.candles.interval_seconds]
    return {
        "total_return": finite(walk.total_return),
        "trades": walk.trades,
        "blocks": [
            {
                "start_time": utc_moment(times[edges[block]]).isoformat(),
                "end_time": utc_moment(times[edges[block + 1]]).isoformat(),
                "parameters": None if each.variant is None else grid.values_at(each.variant),
                "total_return": finite(each.total_return),
                "trades": each.trades,
            }
            for block, each in enumerate(walk.blocks, start=1)
        ],
    }
