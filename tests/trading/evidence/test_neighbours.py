"""Neighbours: each differs in one number, stays within the language, and is made in a fixed order."""

from hypothesis import given
from hypothesis import strategies as st

from strategybot.trading.evidence.neighbours import FACTORS, neighbours
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import duration_seconds
from tests.trading.builders import drop, level, spike, strategies, strategy_of


def values(strategy: Strategy, interval: int, path: str) -> list[object]:
    return [each.value for each in neighbours(strategy, interval) if ".".join(map(str, each.path)) == path]


def test_every_number_is_an_axis_but_the_position_size() -> None:
    strategy = strategy_of(
        drop(4, "1h"),
        spike(3, "2h"),
        exit_conditions=[level(2.0)],
        stop_loss_percent=8,
        max_holding="4h",
        position_percent=50,
    )
    axes = {".".join(map(str, each.path)) for each in neighbours(strategy, 300)}
    assert axes == {
        "conditions.0.percent",
        "conditions.0.window",
        "conditions.1.multiplier",
        "conditions.1.window",
        "exit_conditions.0.level",
        "risk_management.stop_loss_percent",
        "risk_management.max_holding",
    }
    assert values(strategy, 300, "conditions.0.percent") == [4 * factor for factor in FACTORS]


def test_durations_stay_whole_candles() -> None:
    assert values(strategy_of(drop(4, "1h")), 300, "conditions.0.window") == ["45m", "55m", "65m", "75m"]
    assert values(strategy_of(drop(4, "1h")), 3600, "conditions.0.window") == []
    assert values(strategy_of(drop(4, "3h")), 3600, "conditions.0.window") == ["120m", "240m"]


def test_values_that_the_language_refuses_are_left_out() -> None:
    assert values(strategy_of(drop(90)), 60, "conditions.0.percent") == [67.5, 81.0, 90 * 1.1]
    assert values(strategy_of(spike(1.2)), 60, "conditions.0.multiplier") == [1.2 * 0.9, 1.2 * 1.1, 1.5]


@given(strategies(), st.sampled_from([60, 300, 3600]))
def test_neighbours_differ_in_one_number_only(strategy: Strategy, interval: int) -> None:
    found = neighbours(strategy, interval)
    assert found == neighbours(strategy, interval)
    for each in found:
        ours, theirs = strategy.model_dump(), each.strategy.model_dump()
        assert each.strategy != strategy
        for key in each.path[:-1]:
            ours, theirs = ours[key], theirs[key]  # type: ignore[index]
        theirs[each.path[-1]] = ours[each.path[-1]]  # type: ignore[index]
        assert ours == theirs
        if isinstance(each.value, str):
            assert duration_seconds(each.value) % interval == 0


def test_numbers_of_comparisons_and_parameters_of_series_are_axes() -> None:
    macd = {"series": "macd", "line": "histogram"}
    strategy = strategy_of(
        {"kind": "compare", "left": {"series": "rsi", "period": 14}, "operator": "below", "right": 30},
        {"kind": "compare", "left": macd, "operator": "above", "right": {"series": "sma", "period": 2, "times": 0.5}},
    )
    axes = {".".join(map(str, each.path)) for each in neighbours(strategy, 300)}
    assert axes >= {
        "conditions.0.left.period",
        "conditions.0.right",
        "conditions.1.left.fast",
        "conditions.1.left.slow",
        "conditions.1.right.times",
    }
    assert not [axis for axis in axes if axis.endswith(("plus", "offset", "left.times", "interval"))]
    assert values(strategy, 300, "conditions.0.left.period") == [10, 13, 15, 18]
