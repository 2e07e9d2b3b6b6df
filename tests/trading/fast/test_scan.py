"""The run that skips candles equals the loop of steps for every kind of exit; and tests of its small parts."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from strategybot.trading.candles import Integers
from strategybot.trading.conditions import Columns, columns_of
from strategybot.trading.fast.blocks import new_scratch
from strategybot.trading.fast.scan import Run, at_risk, first_from, quiet, run, run_steps, seek
from strategybot.trading.kernel import Rules, opening_state, rules_of, terms_of
from strategybot.trading.risk import EXACT, STOP_LOSS, State
from tests.trading.builders import (
    CASH,
    FREE,
    START,
    closes,
    drop,
    engine,
    identical,
    level,
    random_candles,
    rise,
    strategy_of,
)

Driver = Callable[[Rules, Columns, int, State, Integers], Run]
FLAT = opening_state(CASH)
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
def test_a_run_that_skips_candles_equals_the_loop_of_steps(way_out: dict[str, Any], start: int) -> None:
    strategy = strategy_of(drop(1, "3m"), **way_out)
    run = engine(strategy, CANDLES, start=start)
    identical(run, engine(strategy, CANDLES, start=start, plain=True))
    assert run.end == len(CANDLES)


@pytest.mark.parametrize("driver", [run, run_steps])
@pytest.mark.parametrize(("stop", "done"), [(0, len(CANDLES) - 700), (1, 0)])
def test_a_run_counts_the_candles_it_has_done_and_stops_when_told(driver: Driver, stop: int, done: int) -> None:
    control = np.array([0, stop])
    rules = rules_of(strategy_of(drop(1, "3m"), stop_loss_percent=2), FREE, 60)
    assert driver(rules, columns_of(CANDLES), 700, FLAT, control).end == 700 + done
    assert control.tolist() == [done, stop]


def test_the_first_candle_from_a_moment_on_is_found_by_halving() -> None:
    time = np.array([10, 20, 30, 40, 50])
    for moment in range(5, 60):
        for i in range(5):
            for end in range(i, 6):
                wanted = next((k for k in range(i, end) if time[k] >= moment), end)
                assert first_from(time, moment, i, end) == wanted


FALLING = closes(*[100.0] * 70, *[90.0] * 30)
HELD = FLAT._replace(quantity=0.5, entry_price=100.0, peak=100.0, entry_time=START)


def sought(state: State, **way_out: Any) -> int:
    """Return the first candle at which the run expects an event."""
    rules = rules_of(strategy_of(level(95, "below", "is"), **way_out), FREE, 60)
    entry, exit_ = new_scratch(rules.entry, len(FALLING)), new_scratch(rules.exit, len(FALLING))
    return seek(rules, columns_of(FALLING), entry, exit_, state, 0, len(FALLING))[0]


@pytest.mark.parametrize(("ready", "expected"), [(-1, 70), (60, 70), (70, 70), (71, 71), (99, 99), (100, 100)])
def test_without_a_position_the_next_event_is_the_next_possible_entry(ready: int, expected: int) -> None:
    assert sought(FLAT._replace(ready_time=START + 60 * ready)) == expected


@pytest.mark.parametrize(
    ("way_out", "expected"),
    [
        ({}, 100),
        ({"take_profit_percent": 5}, 100),
        ({"stop_loss_percent": 5}, 70),
        ({"trailing_stop_percent": 5}, 70),
        ({"exit_conditions": [level(95, "below")]}, 70),
        ({"max_holding": "30m"}, 29),
        ({"max_holding": "100m"}, 99),
        ({"max_holding": "101m"}, 100),
        ({"max_holding": "30m", "stop_loss_percent": 5}, 29),
        ({"max_holding": "80m", "exit_conditions": [level(95, "below")]}, 70),
    ],
)
def test_with_a_position_the_next_event_is_the_next_possible_exit(way_out: dict[str, Any], expected: int) -> None:
    assert sought(HELD, **way_out) == expected


def test_a_stop_at_a_price_of_one_is_no_different() -> None:
    strategy = strategy_of(level(2, "above", "is"), stop_loss_percent=50)
    candles = closes(2, 2, 2, 2, 1, 1)
    sold = engine(strategy, candles)
    identical(sold, engine(strategy, candles, plain=True))
    assert sold.ledger.places[0].tolist() == [1, 4, STOP_LOSS, EXACT]


@pytest.mark.parametrize(
    ("high", "low", "expected"),
    [([9.0, 8.0], [5.0, 4.1], True), ([10.0, 8.0], [5.0, 4.1], False), ([9.0, 8.0], [4.0, 5.0], False)],
    ids=["between", "at the ceiling", "at the floor"],
)
def test_candles_between_floor_and_ceiling_are_quiet(high: list[float], low: list[float], expected: bool) -> None:
    assert quiet(np.array(high), np.array(low), 4.0, 10.0) == expected


@pytest.mark.parametrize("setting", ["stop_loss_percent", "trailing_stop_percent", "take_profit_percent"])
def test_a_stop_or_target_alone_puts_a_position_at_risk(setting: str) -> None:
    assert at_risk(terms_of(strategy_of(drop(1), **{setting: 5}), FREE, 60)) is True
    assert at_risk(terms_of(strategy_of(drop(1), max_holding="1h"), FREE, 60)) is False
