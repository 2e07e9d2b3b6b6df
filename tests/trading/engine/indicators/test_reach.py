"""Each value depends on the candles of its reach and on nothing else: cutting the others off changes no bit."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.comparisons import series_reach, series_values
from tests.trading import random_series
from tests.trading.builders import MINUTE, START, random_candles
from tests.trading.engine.indicators.markets import EVERY_SERIES, name_of, series_of, wild_market

comparable = st.sampled_from(random_series.UNITS).flatmap(lambda unit: random_series.series_of(unit, 1.0))
any_series = comparable | random_series.TRENDS


def same(one: Any, other: Any) -> bool:
    return np.array_equal(one, other, equal_nan=True)


@pytest.mark.parametrize("start", [START, START + 17 * MINUTE, START + 12_345 * MINUTE])
@pytest.mark.parametrize("document", EVERY_SERIES, ids=name_of)
def test_the_reach_is_enough_and_the_value_is_known_there(document: dict[str, Any], start: int) -> None:
    series = series_of(document)
    reach = series.reach()
    candles = wild_market(5, reach + 60, start=start)
    values = series_values(series, candles)
    assert not np.isnan(values[reach:]).any()
    for i in range(reach, len(candles), 7):
        assert series_values(series, candles[i - reach : i + 1])[-1] == values[i]


@pytest.mark.parametrize("document", EVERY_SERIES, ids=name_of)
def test_on_longer_candles_the_reach_is_enough_and_the_value_is_known_there(document: dict[str, Any]) -> None:
    series = series_of({**document, "interval": "5m", "offset": 2})
    reach = series_reach(series, MINUTE)
    candles = wild_market(6, reach + 30)
    values = series_values(series, candles)
    assert not np.isnan(values[reach:]).any()
    for i in range(reach, len(candles)):
        assert series_values(series, candles[i - reach : i + 1])[-1] == values[i]


@given(any_series, st.integers(0, 2**32), st.integers(1, 900), st.integers(0, 400), st.integers(0, 10**6))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_cutting_history_before_the_reach_or_after_the_candle_changes_no_bit(
    document: dict[str, Any], seed: int, count: int, more: int, shift: int
) -> None:
    """Also across gaps, idle stretches and unknown volumes."""
    series = series_of(document)
    candles = random_candles(seed, count, calm=0.005)
    candles.time[:] += shift * MINUTE
    values = series_values(series, candles)
    i = max(0, count - 1 - more % count)
    assert same(series_values(series, candles[: i + 1]), values[: i + 1])
    first = max(0, i - series_reach(series, MINUTE) - more % 5)
    assert same(series_values(series, candles[first : i + 1])[-1], values[i])
