"""The choice among the variants of a sweep, and its walk-forward test."""

import math

import numpy as np
import pytest

from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.loop import new_control
from strategybot.trading.evidence.strength import SEARCH_BLOCKS
from strategybot.trading.search.grid import Axis, Grid
from strategybot.trading.search.results import COLUMNS, Objective, Search, with_neighbours
from strategybot.trading.search.sweep import WALK_BLOCKS, Sweep
from strategybot.trading.search.variants import Tallies
from tests.trading.builders import drop, random_candles, strategy_of

CASH = 1000.0


def tallies_of(returns: list[float], trades: list[int] | None = None, drawdown: list[float] | None = None) -> Tallies:
    """Return tallies of variants with these total returns, earned evenly over time."""
    count = len(returns)
    growth = np.log1p(np.array(returns))[:, np.newaxis]
    closed = np.array(trades or [60] * count, np.int32)
    shares = np.arange(1, WALK_BLOCKS + 1) / WALK_BLOCKS
    falls = np.array(drawdown or [0.1] * count)
    return Tallies(
        equity=CASH * (1 + np.array(returns)),
        drawdown=falls,
        trades=closed,
        wins=closed // 2,
        returns=np.array(closed, np.float64),
        squares=2 * np.array(closed, np.float64),
        marks=CASH * np.exp(growth * shares),
        falls=np.repeat(falls[:, np.newaxis], WALK_BLOCKS, axis=1),
        closed=(closed[:, np.newaxis] * shares).astype(np.int32),
        won=(closed[:, np.newaxis] * shares / 2).astype(np.int32),
        growth=np.repeat(growth / SEARCH_BLOCKS, SEARCH_BLOCKS, axis=1),
        held=np.zeros((count, SEARCH_BLOCKS)),
        caught=np.zeros((count, SEARCH_BLOCKS)),
        fingerprint=np.arange(count),
    )


def test_a_lone_peak_is_the_best_point_and_the_plateau_is_recommended() -> None:
    search = Search(tallies_of([0.0, 0.9, 0.0, 0.5, 0.5, 0.5]), (6,), CASH)
    assert search.best() == 1
    assert search.recommend() == 4


def test_neighbours_are_one_step_away_on_one_axis() -> None:
    cells = np.zeros((3, 3))
    cells[1, 1] = 15.0
    expected = [[0, 15 / 4, 0], [15 / 4, 3, 15 / 4], [0, 15 / 4, 0]]
    assert with_neighbours(cells.reshape(-1), (3, 3)).reshape(3, 3).tolist() == expected


@pytest.mark.parametrize(("objective", "best"), [("return", 0), ("return_over_drawdown", 1), ("win_rate", 2)])
def test_the_objective_decides_what_is_best(objective: Objective, best: int) -> None:
    tallies = tallies_of([0.5, 0.4, 0.1], drawdown=[0.5, 0.05, 0.3])
    tallies.wins[:] = [30, 30, 40]
    assert Search(tallies, (3,), CASH, objective).best() == best


def test_a_variant_with_too_few_trades_is_never_chosen() -> None:
    tallies = tallies_of([0.9, 0.2, 0.8], trades=[19, 20, -1])
    search = Search(tallies, (3,), CASH)
    assert (search.best(), search.recommend()) == (1, 1)
    assert Search(tallies, (3,), CASH, minimum_trades=21).best() is None
    assert np.isnan(search.pack()[2]).all()


def test_walk_forward_trades_each_block_with_what_was_chosen_before_it() -> None:
    tallies = tallies_of([0.0] * 4)
    tallies.marks[:2] = [2000, 2000, 2000, 1000, 1000, 1000]  # doubles at once, then loses half in the fourth block
    tallies.marks[2:] = [1000, 1000, 1000, 1000, 1500, 3000]
    walk = Search(tallies, (4,), CASH, minimum_trades=1).walk_forward()
    assert [each.variant for each in walk.blocks] == [0, 0, 0, 0, 3]
    assert [round(each.growth, 3) for each in walk.blocks] == [0, 0, -0.693, 0, 0.693]
    assert walk.total_return == pytest.approx(0)
    assert walk.trades == 50


def test_walk_forward_stays_out_while_no_variant_has_enough_trades() -> None:
    walk = Search(tallies_of([0.5], trades=[10]), (1,), CASH, minimum_trades=20).walk_forward()
    assert [each.variant for each in walk.blocks] == [None] * (WALK_BLOCKS - 1)
    assert (walk.total_return, walk.trades) == (0.0, 0)


def test_the_splits_of_a_search_are_those_of_the_timing_of_its_variants_with_enough_trades() -> None:
    search = Search(tallies_of([0.5, 0.4, 9.0], trades=[60, 60, 3]), (3,), CASH)
    gained = np.full((3, SEARCH_BLOCKS), 0.01)
    assert search.p_loss(gained) == 0.0
    assert search.p_loss(-gained) == 1.0
    gained[2] = -9.0
    assert search.p_loss(gained) == 0.0
    assert Search(tallies_of([0.5], trades=[3]), (1,), CASH).p_loss(gained[:1]) == 1.0


def test_variants_with_the_same_trades_are_one() -> None:
    axes = (Axis("take_profit_percent", (4.0, 4.0001, 80.0, 90.0)), Axis("position_percent", (50.0, 100.0)))
    sweep = Sweep(Grid(strategy_of(drop(1), max_holding="5m"), axes), random_candles(3, 3000), Costs(), CASH, 0)
    sweep.run(new_control())
    search = Search(sweep.tallies, sweep.grid.shape, CASH)
    prints = sweep.tallies.fingerprint.reshape(4, 2)
    assert (prints[:, 0] == prints[:, 1]).all()
    assert prints[0, 0] == prints[1, 0] != prints[2, 0] == prints[3, 0]
    assert search.different_trades() == 2
    assert sweep.different_variants() == 8
    twice = Grid(strategy_of(drop(1)), (Axis("max_holding", ("60m", "1h", "2h")),))
    sweep = Sweep(twice, random_candles(3, 300), Costs(), CASH, 0)
    assert sweep.different_variants() == 0
    sweep.run(new_control())
    assert sweep.different_variants() == 2


def test_packed_variants_equal_their_backtests() -> None:
    grid = Grid(strategy_of(drop(1), max_holding="5m"), (Axis("conditions.0.percent", (1.0, 90.0)),))
    sweep = Sweep(grid, random_candles(3, 3000), Costs(), CASH, 0)
    sweep.run(new_control())
    table = Search(sweep.tallies, grid.shape, CASH).pack()
    assert table.dtype == np.float32
    assert table.shape == (2, len(COLUMNS) + SEARCH_BLOCKS)
    row = dict(zip(COLUMNS, table[0].tolist(), strict=False))
    assert row["total_trades"] > 20
    assert row["deviation_percent"] > 0
    assert table[0, len(COLUMNS) :].sum() == pytest.approx(math.log1p(row["total_return"] / 100), rel=1e-3)
    assert table[1, :2].tolist() == [0, 0]
