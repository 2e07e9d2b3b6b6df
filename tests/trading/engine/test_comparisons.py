"""Comparisons: a table of what is true where, and the second reading of every series, value by value."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.comparisons import series_values
from strategybot.trading.engine.conditions import lookback_candles
from strategybot.trading.language.conditions import Compare
from tests.trading import random_series
from tests.trading.builders import closes, random_candles, strategy_of
from tests.trading.engine.indicators.markets import EVERY_SERIES, name_of, series_of
from tests.trading.random_series import compare
from tests.trading.reference_series import Market

NAN = math.nan
PRICE: dict[str, Any] = {"series": "close"}
VOLUME: dict[str, Any] = {"series": "volume"}


def true_at(candles: Candles, left: dict[str, Any], operator: str, right: Any, within: int = 1) -> list[int]:
    condition = Compare.model_validate(compare(left, operator, right, within))
    return np.flatnonzero(condition.flags(candles, {})).tolist()


@pytest.mark.parametrize(
    ("operator", "within", "expected"),
    [
        ("above", 1, [2, 3, 6]),
        ("below", 1, [0, 4]),
        ("crosses_above", 1, [2, 6]),
        ("crosses_below", 1, [4]),
        ("crosses_above", 3, [2, 3, 4, 6]),
        ("below", 2, [0, 1, 4, 5]),
        ("below", 100, [0, 1, 2, 3, 4, 5, 6]),
    ],
)
def test_strict_and_from_equal_counts_as_a_cross(operator: str, within: int, expected: list[int]) -> None:
    candles = closes(9, 10, 11, 12, 9, 10, 11)
    assert true_at(candles, PRICE, operator, 10, within) == expected
    level = closes(*[1] * 7, volumes=[10] * 7)
    both = Candles(60, *candles.columns()[:5], level.volume)
    assert true_at(both, PRICE, operator, VOLUME, within) == expected


def test_a_comparison_with_an_unknown_value_is_never_true_and_no_cross_follows_it() -> None:
    candles = closes(*[1] * 6, volumes=[5, NAN, 20, 20, NAN, 5])
    assert true_at(candles, VOLUME, "above", 10) == [2, 3]
    assert true_at(candles, VOLUME, "below", 10) == [0, 5]
    assert true_at(candles, VOLUME, "crosses_above", 10) == []
    assert true_at(candles, VOLUME, "crosses_below", 10) == []
    assert true_at(candles, VOLUME, "above", 10, 3) == [2, 3, 4, 5]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"offset": 2}, [NAN, NAN, 1, 2, 4]),
        ({"times": 0.5}, [0.5, 1, 2, 4, 8]),
        ({"plus": -1}, [0, 1, 3, 7, 15]),
        ({"offset": 1, "times": 3, "plus": 2}, [NAN, 5, 8, 14, 26]),
        ({"offset": 9}, [NAN] * 5),
    ],
)
def test_a_value_is_shifted_then_multiplied_then_added_to(change: dict[str, Any], expected: list[float]) -> None:
    values = series_values(series_of({**PRICE, **change}), closes(1, 2, 4, 8, 16))
    assert np.array_equal(values, expected, equal_nan=True)


@pytest.mark.parametrize("interval", [None, "5m"])
@pytest.mark.parametrize("document", EVERY_SERIES, ids=name_of)
def test_a_series_of_no_candles_or_one_candle_is_valid(document: dict[str, Any], interval: str | None) -> None:
    series = series_of({**document, "interval": interval})
    assert len(series_values(series, closes(1)[:0])) == 0
    assert len(series_values(series, closes(1))) == 1


@pytest.mark.parametrize(
    ("comparison", "expected"),
    [
        (compare(PRICE, "above", 1), 0),
        (compare(PRICE, "crosses_above", 1), 1),
        (compare(PRICE, "above", 1, 5), 4),
        (compare({"series": "sma", "period": 20}, "above", PRICE), 19),
        (compare({"series": "highest", "offset": 3}, "crosses_below", PRICE, 2), 25),
        (compare({**PRICE, "interval": "5m"}, "above", 1), 9),
        (compare({"series": "rsi"}, "below", 30), 616),
    ],
)
def test_a_comparison_looks_back_as_far_as_its_series_reach(comparison: dict[str, Any], expected: int) -> None:
    assert lookback_candles(strategy_of(comparison), 60) == expected


any_series = st.sampled_from(random_series.UNITS).flatmap(lambda unit: random_series.series_of(unit, 1.0))


@given(any_series, st.integers(0, 2**32), st.sampled_from([0.0, 0.004]), st.integers(0, 10**6))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_a_second_reading_of_every_series_agrees(document: dict[str, Any], seed: int, calm: float, shift: int) -> None:
    candles = random_candles(seed, 260, calm=calm)
    candles.time[:] += 60 * shift
    series = series_of(document)
    market = Market(list(zip(*(column.tolist() for column in candles.columns()), strict=True)), 60)
    found = series_values(series, candles)
    for i in range(len(candles)):
        value, size = market.value(series.model_dump(), i)
        assert math.isnan(found[i]) == math.isnan(value)
        assert math.isnan(value) or abs(found[i] - value) <= 1e-11 * size
