"""The skipping run against the loop of steps, way out by way out; and its small parts alone."""

from typing import Any

import numpy as np
import pytest

from strategybot.trading.kernel import terms_of
from strategybot.trading.scan import at_risk, quiet
from tests.trading.builders import FREE, drop, engine, identical, level, random_candles, rise, strategy_of

CANDLES = random_candles(21, 2500, scale=60_000.0, calm=0.002)  # less than one piece is held
WAYS_OUT: list[dict[str, Any]] = [
    {},
    {"stop_loss_percent": 2},
    {"take_profit_percent": 3},
    {"trailing_stop_percent": 3},
    {"stop_loss_percent": 6, "trailing_stop_percent": 8, "take_profit_percent": 9},
    {"max_holding": "30m"},
    {"max_holding": "5h", "take_profit_percent": 15},
    {"stop_loss_percent": 1, "cooldown": "2h"},
    {"take_profit_percent": 1, "cooldown": "3d"},
    {"exit_conditions": [rise(3, "5m")]},
    {"exit_conditions": [rise(3, "5m"), level(50_000, "below")], "max_holding": "1h", "cooldown": "10m"},
    {"exit_conditions": [rise(10, "45m")], "trailing_stop_percent": 9},
]


@pytest.mark.parametrize("way_out", WAYS_OUT, ids=lambda way_out: ", ".join(way_out) or "none")
@pytest.mark.parametrize("start", [0, 700])
def test_a_run_that_skips_does_what_the_steps_do(way_out: dict[str, Any], start: int) -> None:
    strategy = strategy_of(drop(1, "3m"), **way_out)
    run = engine(strategy, CANDLES, start=start)
    identical(run, engine(strategy, CANDLES, start=start, plain=True))
    assert run.end == len(CANDLES)


@pytest.mark.parametrize(
    ("high", "low", "expected"),
    [([9.0, 8.0], [5.0, 4.1], True), ([10.0, 8.0], [5.0, 4.1], False), ([9.0, 8.0], [4.0, 5.0], False)],
    ids=["between", "at the ceiling", "at the floor"],
)
def test_candles_between_floor_and_ceiling_are_quiet(high: list[float], low: list[float], expected: bool) -> None:
    assert quiet(np.array(high), np.array(low), 4.0, 10.0) == expected


@pytest.mark.parametrize("setting", ["stop_loss_percent", "trailing_stop_percent", "take_profit_percent"])
def test_any_level_of_its_own_puts_a_position_at_risk(setting: str) -> None:
    assert at_risk(terms_of(strategy_of(drop(1), **{setting: 5}), FREE, 60)) is True
    assert at_risk(terms_of(strategy_of(drop(1), max_holding="1h"), FREE, 60)) is False
