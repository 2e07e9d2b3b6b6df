"""Every variant of a sweep is the backtest of the same strategy, bit by bit."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.ledger import BUDGET, CASH, ENTRY, PROCEEDS
from strategybot.trading.engine.loop import STOP_REQUESTED, new_control
from strategybot.trading.evidence.strength import SEARCH_BLOCKS
from strategybot.trading.language.paths import PathError, Place, places, with_values
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.search.grid import Axis, Grid
from strategybot.trading.search.sweep import WALK_BLOCKS, Room, Sweep
from tests.trading.builders import cases, drop, order_strategies, random_candles, strategies, strategy_of

START_CASH = 1000.0
modest = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
DURATIONS = ["1m", "2m", "5m", "15m", "1h", "3h"]
Case = tuple[Strategy, Candles, Costs]


@st.composite
def grids(draw: st.DrawFn, strategy: Strategy) -> Grid:
    """Draw some places of the strategy with some values each; risk settings that are off are places too."""
    found = list(places(strategy))
    found += [
        Place(("risk_management", name), "duration" if name in ("max_holding", "cooldown") else "number", None)
        for name, value in strategy.risk_management
        if value is None and name not in ("take_profits", "stop_loss_atr", "trailing_stop_atr")
    ]
    chosen = draw(st.lists(st.sampled_from(found), min_size=1, max_size=3, unique_by=lambda place: place.path))
    axes = []
    for place in chosen:
        tried = draw(st.lists(_values(place), min_size=1, max_size=4, unique=True))
        fitting = [value for value in tried if _fits(strategy, {place.path: value})]
        assume(fitting)
        axes.append(Axis(place.path, tuple(fitting)))
    grid = Grid(strategy, tuple(axes))
    assume(_is_sound(grid))
    return grid


def _is_sound(grid: Grid) -> bool:
    """Return whether the values are valid together."""
    try:
        grid.check()
    except PathError:
        return False
    return True


def _values(place: Place) -> st.SearchStrategy[float | str]:
    if place.kind == "duration":
        return st.sampled_from(DURATIONS)
    base = 3.0 if place.value is None else float(place.value)
    if base.is_integer():
        return st.sampled_from([base, base + 1, base + 3])
    return st.sampled_from([0.3, 0.8, 1.0, 1.1, 2.0]).map(lambda factor: factor * base)


def _fits(strategy: Strategy, values: dict[str, float | str]) -> bool:
    try:
        with_values(strategy, values)
    except PathError:
        return False
    return True


def swept(grid: Grid, candles: Candles, costs: Costs, start: int) -> Sweep:
    sweep = Sweep(grid, candles, costs, START_CASH, start)
    sweep.run(new_control())
    assert sweep.done == len(grid)
    return sweep


def equals(sweep: Sweep, number: int, single: BacktestResult, start: int) -> None:
    tallies, candles, pnl = sweep.tallies, sweep.candles, single.trades.pnl
    percents = single.trades.pnl_percent
    assert tallies.equity[number] == single.metrics["final_equity"]
    assert tallies.trades[number] == len(pnl)
    assert tallies.wins[number] == np.count_nonzero(pnl > 0)
    assert 100 * tallies.drawdown[number] == single.metrics["max_drawdown"]
    assert tallies.returns[number] == (np.cumsum(percents)[-1] if len(pnl) else 0.0)
    assert tallies.squares[number] == (np.cumsum(percents * percents)[-1] if len(pnl) else 0.0)
    amounts, entries = single.trades.amounts, single.trades.places[:, ENTRY]
    blocks = (entries - start) * SEARCH_BLOCKS // max(1, len(candles) - start)
    growth = [0.0] * SEARCH_BLOCKS
    for block, row in zip(blocks.tolist(), amounts, strict=True):
        growth[block] += math.log((row[CASH] + row[PROCEEDS]) / (row[CASH] + row[BUDGET]))
    assert tallies.growth[number].tolist() == pytest.approx(growth, rel=1e-12, abs=1e-300)


@given(cases(longest=900), st.floats(0, 1), st.data())
@modest
def test_each_variant_equals_the_backtest_of_the_same_strategy_bit_by_bit(
    case: Case, warm: float, data: st.DataObject
) -> None:
    strategy, candles, costs = case
    grid = data.draw(grids(strategy))
    start = int(len(candles) * warm * 0.5)
    assume(len(candles) > start)
    sweep = swept(grid, candles, costs, start)
    for number in range(len(grid)):
        single = run_backtest(grid.strategy_at(number), candles, costs, START_CASH, start_index=start)
        equals(sweep, number, single, start)


@given(cases(longest=900, kind=order_strategies), st.floats(0, 0.5), st.data())
@modest
def test_each_variant_in_parts_equals_its_backtest_bit_by_bit(case: Case, warm: float, data: st.DataObject) -> None:
    strategy, candles, costs = case
    grid = data.draw(grids(strategy))
    start = int(len(candles) * warm)
    assume(len(candles) > start)
    sweep = swept(grid, candles, costs, start)
    for number in range(len(grid)):
        single = run_backtest(grid.strategy_at(number), candles, costs, START_CASH, start_index=start)
        equals(sweep, number, single, start)


@given(st.integers(0, 10**6), st.sampled_from([50.0, 30.0, 5.0]))
@settings(modest, max_examples=15)
def test_a_grid_of_ladders_targets_and_sizes_equals_its_backtests(seed: int, share: float) -> None:
    strategy = strategy_of(
        drop(1, "3m"),
        take_profits=[{"gain_percent": 2, "sell_percent": 40}, {"gain_percent": 6, "sell_percent": 30}],
        stop_loss_atr={"period": 5, "times": 6},
        break_even_after_percent=3,
        position_percent=share,
        ladder=[{"drop_percent": 1, "size_percent": 20}, {"drop_percent": 4, "size_percent": 30}],
        max_entries=3,
    )
    axes = (
        Axis("ladder.0.drop_percent", (0.5, 3.0)),
        Axis("ladder.1.size_percent", (10.0, 30.0)),
        Axis("take_profits.1.gain_percent", (3.0, 9.0)),
        Axis("stop_loss_atr.times", (2.0, 9.0)),
        Axis("max_entries", (1.0, 4.0)),
    )
    grid, candles = Grid(strategy, axes), random_candles(seed, 900, calm=0.02)
    grid.check()
    sweep = swept(grid, candles, Costs(), 0)
    for number in range(len(grid)):
        equals(sweep, number, run_backtest(grid.strategy_at(number), candles, Costs(), START_CASH), 0)
    assert sweep.different_variants() == len(grid)
    assert len(np.unique(sweep.tallies.fingerprint)) > len(grid) // 4


@given(strategies(), st.integers(0, 10**6), st.data())
@settings(modest, max_examples=20)
def test_every_variant_equals_its_own_backtest_over_many_blocks_in_batches_and_on_threads(
    strategy: Strategy, seed: int, data: st.DataObject
) -> None:
    candles = random_candles(seed, 12_000, calm=0.001)
    grid = data.draw(grids(strategy))
    sweep = Sweep(grid, candles, Costs(), START_CASH, 0, Room(work=2 * len(candles), flags=3 * len(candles)))
    sweep.run(new_control(), threads=2)
    for number in range(0, len(grid), 3):
        single = run_backtest(grid.strategy_at(number), candles, Costs(), START_CASH)
        equals(sweep, number, single, 0)


@given(cases(longest=700), st.integers(1, WALK_BLOCKS))
@modest
def test_the_figures_at_the_end_of_a_stretch_equal_a_backtest_that_ends_there(case: Case, block: int) -> None:
    strategy, candles, costs = case
    assume(len(candles) > WALK_BLOCKS)
    tallies = swept(Grid(strategy, (Axis("position_percent", (50.0,)),)), candles, costs, 0).tallies
    end = -(-block * len(candles) // WALK_BLOCKS)
    single = run_backtest(with_values(strategy, {"position_percent": 50}), candles[:end], costs, START_CASH)
    assert tallies.marks[0, block - 1] == single.metrics["final_equity"]
    assert 100 * tallies.falls[0, block - 1] == single.metrics["max_drawdown"]
    assert tallies.closed[0, block - 1] == len(single.trades)
    assert tallies.won[0, block - 1] == np.count_nonzero(single.trades.pnl > 0)


def test_a_stopped_sweep_leaves_the_other_variants_unknown() -> None:
    grid = Grid(strategy_of(drop(1)), (Axis("conditions.0.percent", (1.0, 2.0)),))
    sweep, control = Sweep(grid, random_candles(1, 500), Costs(), START_CASH, 0), new_control()
    control[STOP_REQUESTED] = 1
    sweep.run(control)
    assert sweep.done == 0
    assert sweep.tallies.trades.tolist() == [-1, -1]


def test_two_axes_may_not_have_one_place() -> None:
    strategy = strategy_of(drop(1), stop_loss_percent=1)
    axes = (Axis("stop_loss_percent", (1.0,)), Axis("risk_management.stop_loss_percent", (2.0,)))
    with pytest.raises(PathError, match="same path"):
        Grid(strategy, axes).check()


def test_the_lookback_of_a_grid_is_that_of_its_longest_variant() -> None:
    grid = Grid(strategy_of(drop(1, "5m")), (Axis("conditions.0.window", ("15m", "1h", "5m")),))
    assert grid.lookback_candles(60) == 60
    assert "within 1h" in grid.longest_variant(60).summary
    assert grid.misfit("1m", ("1m", "15m")) is None
    assert "cannot show that" in (grid.misfit("15m", ("1m", "15m")) or "")
