"""With less history than its reach a recursion starts at the first candle, and is known after the textbook's number."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.candles import Candles, concatenate
from strategybot.trading.engine.comparisons import series_reach, series_values, series_warm_up
from tests.trading import random_series
from tests.trading.builders import MINUTE, START, candles_of, closes, random_candles
from tests.trading.engine.indicators.markets import EVERY_SERIES, flat_market, name_of, series_of, wild_market

WARM_UPS: list[tuple[dict[str, Any], int]] = [
    ({"series": "ema", "period": 200}, 199),
    ({"series": "ema", "period": 2, "of": "volume"}, 1),
    ({"series": "rsi"}, 14),
    ({"series": "rsi", "period": 2}, 2),
    ({"series": "atr"}, 14),
    ({"series": "adx", "line": "plus_di"}, 14),
    ({"series": "adx", "line": "minus_di"}, 14),
    ({"series": "adx"}, 27),
    ({"series": "macd"}, 25),
    ({"series": "macd", "line": "signal"}, 33),
    ({"series": "macd", "line": "histogram"}, 33),
    ({"series": "stochastic_rsi"}, 29),
    ({"series": "stochastic_rsi", "line": "d"}, 31),
    ({"series": "sma", "period": 20}, 19),
    ({"series": "highest", "period": 20}, 20),
    ({"series": "wma", "period": 20}, 19),
    ({"series": "hma", "period": 20}, 22),
    ({"series": "mfi"}, 14),
    ({"series": "williams_r"}, 13),
    ({"series": "keltner", "line": "upper"}, 19),
    ({"series": "keltner", "line": "upper", "period": 5}, 10),
    ({"series": "supertrend"}, 10),
    ({"series": "parabolic_sar"}, 1),
    ({"series": "aroon", "line": "up"}, 14),
    ({"series": "ichimoku", "line": "span_a"}, 51),
    ({"series": "ichimoku", "line": "span_b"}, 77),
    ({"series": "rank", "period": 50}, 50),
    ({"series": "streak"}, 1),
]
NEW = ("supertrend", "parabolic_sar", "streak")  # older versions had none of them
STARTS = [START, START - START % (11 * 60 * MINUTE), START + 12_345 * MINUTE]
comparable = st.sampled_from(random_series.UNITS).flatmap(lambda unit: random_series.series_of(unit, 1.0))
any_series = comparable | random_series.TRENDS


def same(one: Any, other: Any) -> bool:
    return np.array_equal(one, other, equal_nan=True)


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(("document", "expected"), WARM_UPS, ids=[name_of(row[0]) for row in WARM_UPS])
def test_a_value_is_known_after_the_textbooks_number_of_candles(
    document: dict[str, Any], expected: int, start: int
) -> None:
    series = series_of(document)
    assert series.warm_up() == expected
    for changed in ({}, {"offset": 3}, {"offset": 3, "times": 2, "plus": 1}):
        moved = series_of({**document, **changed})
        values = series_values(moved, wild_market(2, 2 * series.reach() + 50, start=start))
        assert np.flatnonzero(~np.isnan(values)).tolist() == [*range(expected + moved.offset, len(values))]


@pytest.mark.parametrize("shift", range(5))
@pytest.mark.parametrize("document", EVERY_SERIES, ids=name_of)
def test_on_longer_candles_the_warm_up_is_enough(document: dict[str, Any], shift: int) -> None:
    series = series_of({**document, "interval": "5m"})
    needed = series_warm_up(series, MINUTE)
    values = series_values(series, wild_market(2, needed + 30, start=START + shift * MINUTE))
    assert not np.isnan(values[needed:]).any()
    assert np.isnan(values[: needed - 5]).all()


@pytest.mark.parametrize("document", [each for each in EVERY_SERIES if each["series"] not in NEW], ids=name_of)
def test_older_versions_knew_nothing_before_the_reach_and_the_same_bits_after_it(document: dict[str, Any]) -> None:
    series = series_of(document)
    older = series.without_textbook()
    assert older.warm_up() == series.reach()
    assert older.model_dump() == series.model_dump()
    candles = wild_market(3, series.reach() + 400)
    values, before = series_values(series, candles), series_values(older, candles)
    known = ~np.isnan(before)
    assert same(values[known], before[known])
    assert known[series.reach() :].all()
    if series.reach() > series.warm_up():
        assert not known[: series.reach() // 4].any()


@given(any_series, st.integers(0, 2**32), st.integers(1, 700), st.integers(0, 700), st.integers(0, 10**6))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_where_the_reach_is_there_the_first_candle_changes_no_bit(
    document: dict[str, Any], seed: int, count: int, first: int, shift: int
) -> None:
    """Also across gaps, idle stretches and unknown volumes: the candles may begin anywhere."""
    series = series_of(document)
    candles = random_candles(seed, count + first, calm=0.005)
    candles.time[:] += shift * MINUTE
    whole, cut = series_values(series, candles), series_values(series, candles[first:])
    reach = series_reach(series, MINUTE)
    assert same(cut[reach:], whole[first + reach :])


@given(any_series, st.integers(0, 2**32), st.integers(1, 300), st.integers(0, 10**6))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_what_a_simulation_keeps_gives_the_bits_of_all_candles(
    document: dict[str, Any], seed: int, count: int, shift: int
) -> None:
    """It keeps all candles it has, at most its reach."""
    series = series_of(document)
    candles = random_candles(seed, count, calm=0.005)
    candles.time[:] += shift * MINUTE
    values, reach = series_values(series, candles), series_reach(series, MINUTE)
    for i in range(0, count, 7):
        assert same(series_values(series, candles[max(0, i - reach) : i + 1])[-1], values[i])


def test_an_average_of_volumes_starts_again_after_an_unknown_one() -> None:
    series = series_of({"series": "ema", "period": 3, "of": "volume"})
    volumes = [6.0, 3, np.nan, 4, 2, 6, 12, np.nan, 1, 2, 3]
    values = series_values(series, closes(*[1] * len(volumes), volumes=volumes))
    assert values.tolist() == pytest.approx(
        [np.nan, np.nan, np.nan, np.nan, np.nan, 4, 8, np.nan, np.nan, np.nan, 2], nan_ok=True
    )


def test_a_flat_start_is_the_exact_price_and_no_strength() -> None:
    candles = flat_market(0.1, 120)
    assert (series_values(series_of({"series": "ema", "period": 50}), candles)[49:] == 0.1).all()
    assert (series_values(series_of({"series": "macd", "line": "histogram"}), candles)[33:] == 0).all()
    for document in ({"series": "rsi"}, {"series": "adx"}, {"series": "adx", "line": "plus_di"}):
        assert np.isnan(series_values(series_of(document), candles)).all()


STRETCH = 22 * 2 * MINUTE  # of period 2


def resting(last: list[float]) -> Candles:
    """A market that moves until the first candle of a stretch, then has these closes, then rests for two stretches."""
    start = START - START % STRETCH
    moving = wild_market(5, 45, start=start)
    price = float(moving.close[-2])
    prices = [0.9 * price, *(close * price for close in last)]
    rows = [(price, price, prices[0], prices[0]), *((each, each, each, each) for each in prices[1:])]
    rest = [(prices[-1],) * 4] * (88 - len(rows))
    return concatenate((moving[:44], candles_of([*rows, *rest], start=start + STRETCH)))


@pytest.mark.parametrize("document", [{"series": "rsi"}, {"series": "adx", "line": "plus_di"}], ids=name_of)
def test_a_market_that_has_not_moved_since_a_restart_has_no_strength(document: dict[str, Any]) -> None:
    """The recursion that is read knows a single change, that of the candle at which it restarted: a fall."""
    series = series_of({**document, "period": 2})
    assert np.isnan(series_values(series, resting([]))[88:]).all()
    assert (series_values(series.without_textbook(), resting([]))[88:] == 0).all()
    moved = resting([0.9] * 20 + [0.95])
    assert not np.isnan(series_values(series, moved)[88:]).any()
    later = resting([0.9] * 50 + [0.95])
    assert np.flatnonzero(~np.isnan(series_values(series, later)[88:])).tolist() == [*range(7, 44)]
