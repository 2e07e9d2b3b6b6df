"""The sums over days and their strength, against a plain reading of docs/verdict.md and on markets made by hand."""

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.ledger import BUDGET, PROCEEDS
from strategybot.trading.engine.loop import new_control
from strategybot.trading.engine.risk import TAKE_PROFIT
from strategybot.trading.evidence.strength import SEARCH_BLOCKS, Sample
from strategybot.trading.evidence.timing import (
    DAY,
    DaySums,
    Exposure,
    Strength,
    day_sums,
    exposure_of,
    strength_of,
    t_of,
)
from strategybot.trading.evidence.verdict import sample_of
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.search.grid import Axis, Grid
from strategybot.trading.search.sweep import Sweep
from tests.trading.builders import (
    FREE,
    candles_of,
    costs,
    level,
    order_strategies,
    put_together,
    random_candles,
    strategies,
    strategy_of,
)
from tests.trading.reference_timing import plain_sums, plain_timing

CASH = 1000.0
HALF_HOUR, HOUR = 1800, 3600
modest = settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
Case = tuple[Strategy, Candles, Costs]


@st.composite
def long_cases(draw: st.DrawFn, kind: Callable[[], st.SearchStrategy[Strategy]] = strategies) -> Case:
    """Draw candles of half an hour, so that even a few hundred of them fill days."""
    count, calm = draw(st.integers(1, 400)), draw(st.sampled_from([0.0, 0.002, 0.02]))
    candles = random_candles(draw(st.integers(0, 2**32)), count, calm=calm, interval=HALF_HOUR)
    return draw(kind()), candles, draw(costs)


def near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def sample_from(strategy: Strategy, candles: Candles, fees: Costs, start: int = 0) -> tuple[BacktestResult, Sample]:
    result = run_backtest(strategy, candles, fees, CASH, start_index=start)
    return result, sample_of(candles, start, result)


def agrees(candles: Candles, start: int, result: BacktestResult) -> None:
    """Assert that the sums and their strength are those of the plain reading."""
    sample, plain = sample_of(candles, start, result), plain_timing(candles, start, result)
    sums, strength = sample.sums, sample.strength
    assert sums.days.tolist() == plain.days
    for ours, theirs in ((sums.gross, plain.gross), (sums.net, plain.net), (sums.excess, plain.excess)):
        assert ours.tolist() == pytest.approx(theirs, rel=1e-9, abs=1e-11)
    assert strength.degrees == plain.degrees
    assert near(sums.mean_share, plain.share)
    assert near(float(sums.caught.sum()), plain.rise_in)
    assert near(float((sums.moves - sums.caught).sum()), plain.rise_out)
    # Where the values are rounding only, one order of summing calls them 0 and another does not.
    is_noise = float(np.abs(sums.gross).max()) < 1e-12
    found, expected = strength[:3], (plain.t_gross, plain.t_net, plain.t_excess)
    assert is_noise or found == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(long_cases(), st.floats(0, 0.5))
@modest
def test_the_sums_and_their_strength_are_those_of_the_plain_reading(case: Case, warm: float) -> None:
    strategy, candles, fees = case
    start = int(warm * len(candles))
    agrees(candles, start, run_backtest(strategy, candles, fees, CASH, start_index=start))


@given(long_cases(order_strategies), st.floats(0, 0.5))
@modest
def test_the_sums_of_positions_in_parts_are_those_of_the_plain_reading(case: Case, warm: float) -> None:
    strategy, candles, fees = case
    start = int(warm * len(candles))
    agrees(candles, start, run_backtest(strategy, candles, fees, CASH, start_index=start))


@given(st.integers(0, 10**6), st.one_of(strategies(), order_strategies()))
@settings(modest, max_examples=30)
def test_exits_that_minutes_decide_are_read_the_same_way(seed: int, strategy: Strategy) -> None:
    minutes = random_candles(seed, 3000, calm=0.02)
    candles = put_together(minutes, HOUR)
    agrees(candles, 0, run_backtest(strategy, candles, FREE, CASH, minutes=minutes))


@given(long_cases(), st.floats(0, 0.5))
@modest
def test_a_search_has_the_sums_of_the_backtest_of_each_variant(case: Case, warm: float) -> None:
    strategy, candles, fees = case
    start = int(warm * len(candles))
    assume(len(candles) > start)
    grid = Grid(strategy, (Axis("take_profit_percent", (0.5, 3.0, 150.0)), Axis("stop_loss_percent", (2.0, 20.0))))
    same_sums(grid, candles, fees, start)


LADDERED = strategy_of(
    level(1e-9, trigger="is"),
    stop_loss_percent=9,
    take_profits=[{"gain_percent": 1, "sell_percent": 40}, {"gain_percent": 3, "sell_percent": 30}],
    position_percent=30,
    ladder=[{"drop_percent": 1, "size_percent": 20}, {"drop_percent": 3, "size_percent": 20}],
    max_entries=2,
    entry_gap="4h",
)


@given(st.integers(0, 10**6), costs)
@settings(modest, max_examples=15)
def test_a_search_of_ladders_and_targets_has_the_sums_of_each_backtest(seed: int, fees: Costs) -> None:
    axes = (
        Axis("ladder.0.drop_percent", (0.5, 2.0)),
        Axis("ladder.1.size_percent", (10.0, 50.0)),
        Axis("take_profits.1.gain_percent", (2.0, 8.0)),
        Axis("take_profits.0.sell_percent", (20.0, 70.0)),
    )
    same_sums(Grid(LADDERED, axes), random_candles(seed, 400, interval=HALF_HOUR), fees, 7)


def same_sums(grid: Grid, candles: Candles, fees: Costs, start: int) -> None:
    """Assert that a search keeps the sums of the backtest of each of its variants."""
    sweep = Sweep(grid, candles, fees, CASH, start)
    sweep.run(new_control())
    gross = sweep.gross_blocks()
    for number in range(len(grid)):
        _, sample = sample_from(grid.strategy_at(number), candles, fees, start)
        days = len(sample.sums.days)
        edges = [block * days // SEARCH_BLOCKS for block in range(SEARCH_BLOCKS + 1)]
        for values, kept in (
            (sample.sums.gross, gross),
            (sample.sums.held, sweep.tallies.held),
            (sample.sums.caught, sweep.tallies.caught),
        ):
            own = [values[first:last].sum() for first, last in pairwise(edges)]
            assert kept[number].tolist() == pytest.approx(own, rel=1e-9, abs=1e-9)


def walk(*opens: float, last: float, lows: dict[int, float] | None = None) -> Candles:
    """Return candles of six hours from open to open."""
    closes = [*opens[1:], last]
    rows = [
        (one, max(one, two), min(one, two, (lows or {}).get(at, one)), two)
        for at, (one, two) in enumerate(zip(opens, closes, strict=True))
    ]
    return candles_of(rows, 6 * HOUR, 0)


ALWAYS = level(1e-9, trigger="is")


def test_a_sale_at_the_open_books_its_costs_there_and_holds_nothing_in_that_candle() -> None:
    fees = Costs(fee_percent=1, slippage_percent=0)
    candles = walk(100, 100, 110, 121, 121, last=121)
    result, _ = sample_from(strategy_of(ALWAYS, max_holding="12h", cooldown="1d"), candles, fees)
    moves, shares, gains = exposure_of(candles, 0, result)
    assert shares.tolist() == [0, 1, 1, 0, 0]
    assert moves.tolist() == pytest.approx([0, math.log(1.1), math.log(1.1), 0, 0])
    assert gains.tolist() == pytest.approx([0, math.log(1.1 / 1.01), math.log(1.1), math.log(0.99), 0])


def test_a_sale_inside_a_candle_holds_in_it_and_counts_to_its_real_price() -> None:
    candles = walk(100, 100, 110, 100, 100, last=100, lows={2: 90})
    result, _ = sample_from(strategy_of(ALWAYS, stop_loss_percent=5, cooldown="1d"), candles, FREE)
    _, shares, gains = exposure_of(candles, 0, result)
    assert shares.tolist() == [0, 1, 1, 0, 0]
    assert gains.tolist() == pytest.approx([0, math.log(1.1), math.log(95 / 110), 0, 0])


def test_a_stop_below_which_a_candle_opens_is_a_sale_at_its_open() -> None:
    candles = candles_of([(100, 100, 100, 100), (100, 100, 100, 100), (80, 90, 70, 90)], 6 * HOUR, 0)
    result, _ = sample_from(strategy_of(ALWAYS, stop_loss_percent=5, cooldown="1d"), candles, FREE)
    exposure = exposure_of(candles, 0, result)
    assert exposure.shares.tolist() == [0, 1, 0]
    assert exposure.gains.tolist() == pytest.approx([0, math.log(0.8), 0])


@given(long_cases())
@modest
def test_the_gains_of_a_trade_are_the_logarithm_of_what_it_returned(case: Case) -> None:
    strategy, candles, fees = case
    result, sample = sample_from(strategy, candles, fees)
    amounts = result.trades.amounts
    returned = float(np.log(amounts[:, PROCEEDS] / amounts[:, BUDGET]).sum())
    if result.open_position is not None:
        returned += math.log(result.state.quantity * float(candles.close[-1]) / result.state.budget)
    assert near(float(sample.sums.net.sum()), returned)


def test_targets_that_all_give_the_same_are_no_evidence() -> None:
    """A position that is always closed at its target has trades whose differences are rounding only."""
    steps = np.exp(np.random.default_rng(3).normal(0.0005, 0.02, 24 * 120).cumsum())
    rows = [(one, max(one, two), min(one, two), two) for one, two in pairwise(steps.tolist())]
    result, sample = sample_from(strategy_of(ALWAYS, take_profit_percent=1), candles_of(rows, HOUR, 0), Costs())
    assert len(result.trades) > 100
    assert set(result.trades.places[:, 2].tolist()) == {TAKE_PROFIT}
    assert abs(sample.strength.gross) < 3


def sums_of(shares: Floats, moves: Floats, gains: Floats | None = None, first_day: int = 0) -> DaySums:
    times = HOUR * np.arange(len(moves)) + first_day * DAY
    return day_sums(times, Exposure(moves, shares, shares * moves if gains is None else gains))


def strength(*every: DaySums) -> Strength:
    return strength_of(every)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_strategy_that_is_always_in_or_never_has_no_degree_of_freedom(share: float) -> None:
    moves = np.random.default_rng(1).normal(0.01, 0.01, 240)
    assert strength(sums_of(np.full(240, share), moves)).degrees == 0


def test_only_days_that_tell_in_from_out_count() -> None:
    moves = np.random.default_rng(2).normal(0, 0.01, 24 * 30)
    even = np.tile(np.repeat([1.0, 0.0], 12), 30)
    assert strength(sums_of(even, moves)).degrees == 29
    once = np.zeros(24 * 30)
    once[:3] = 1
    assert strength(sums_of(once, moves)).degrees == 0


def test_a_rise_that_is_there_all_the_time_is_no_timing() -> None:
    chance = np.random.default_rng(4)
    shares = (chance.random(24 * 60) < 0.3).astype(np.float64)
    rising = np.full(24 * 60, 0.001)
    assert strength(sums_of(shares, rising)).gross == 0.0
    noise = chance.normal(0, 0.01, 24 * 60)
    one, other = (strength(sums_of(shares, noise + drift)).gross for drift in (0.0, 0.01))
    assert one == pytest.approx(other, abs=1e-9)


def test_parts_of_a_position_count_as_parts() -> None:
    chance = np.random.default_rng(5)
    shares, moves = chance.choice([0.0, 0.25, 0.5, 1.0], 24 * 20), chance.normal(0, 0.01, 24 * 20)
    gains = shares * moves - 0.0001
    plain = plain_sums((HOUR * np.arange(24 * 20)).tolist(), moves.tolist(), shares.tolist(), gains.tolist())
    found = strength(sums_of(shares, moves, gains))
    assert found == pytest.approx((plain.t_gross, plain.t_net, plain.t_excess, plain.degrees))


@pytest.mark.parametrize(
    ("values", "candles"),
    [([], []), ([0.1], [24]), ([0.1, 0.1], [24, 24]), ([0.2, 0.1], [48, 24]), ([0.0, 0.0], [1, 1])],
)
def test_t_is_zero_without_a_spread(values: list[float], candles: list[int]) -> None:
    assert t_of(np.array(values), np.array(candles, np.float64), sum(values)) == 0.0


def test_tokens_together_are_added_by_calendar_day() -> None:
    chance = np.random.default_rng(6)
    shares = (chance.random((2, 240)) < 0.4).astype(np.float64)
    moves = chance.normal(0, 0.01, (2, 240))
    first, later = sums_of(shares[0], moves[0]), sums_of(shares[1], moves[1], first_day=5)
    days: Integers = np.arange(15)
    gross, candles = np.zeros(15), np.zeros(15)
    for each in (first, later):
        for day, value, count in zip(each.days, each.gross, each.candles, strict=True):
            gross[days == day] += value
            candles[days == day] += count
    assert strength(first, later).gross == pytest.approx(t_of(gross, candles, 0.0))
    assert strength(first, first).gross == pytest.approx(strength(first).gross)
    assert strength().degrees == 0
