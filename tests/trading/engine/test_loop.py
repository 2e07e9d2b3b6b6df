"""The run that passes candles equals the loop of every step, for every kind of exit and with groups or without."""

from typing import Any

import numpy as np
import pytest

from strategybot.trading.engine.conditions import first_set, lowest_flag, wanted_of
from strategybot.trading.engine.ledger import CERTAINTY, ENTRY, EXIT, WHY
from strategybot.trading.engine.loop import GROUP, Run, first_loud, market_of, new_control, run
from strategybot.trading.engine.risk import EXACT, STOP_LOSS
from strategybot.trading.engine.step import opening_state, rules_of, terms_of
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import (
    CASH,
    FREE,
    GUARDS,
    START,
    closes,
    drop,
    engine,
    identical,
    level,
    random_candles,
    rise,
    strategy_of,
    trades_of,
)

FLAT = opening_state(CASH)
CANDLES = random_candles(21, 2500, scale=60_000.0, calm=0.002)  # less than one piece is held
SMALL = {"position_percent": 10, "take_profit_percent": 3}
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
    {"stop_loss_atr": {"period": 5, "times": 3}, "take_profit_percent": 3},
    {"trailing_stop_atr": {"period": 14, "times": 2}},
    {"break_even_after_percent": 2, "take_profit_percent": 9},
    {"take_profits": [{"gain_percent": 2, "sell_percent": 50}, {"gain_percent": 9, "sell_percent": 20}]},
    {"ladder": [{"drop_percent": 2, "size_percent": 20}, {"drop_percent": 9, "size_percent": 50}], **SMALL},
    {"max_entries": 4, "entry_gap": "1h", "position_amount": 100, "max_holding": "5h"},
]


@pytest.mark.parametrize("way_out", WAYS_OUT, ids=lambda way_out: ", ".join(way_out) or "none")
@pytest.mark.parametrize("start", [0, 700])
def test_a_run_that_skips_candles_equals_the_loop_of_steps(way_out: dict[str, Any], start: int) -> None:
    strategy = strategy_of(drop(1, "3m"), **way_out)
    run = engine(strategy, CANDLES, start=start)
    identical(run, engine(strategy, CANDLES, start=start, plain=True))
    assert run.end == len(CANDLES)


def in_groups(strategy: Strategy) -> Run:
    """Return the run with the groups that a search computes once."""
    market, wanted = market_of(CANDLES, groups=True), wanted_of(strategy, CANDLES)
    return run(rules_of(strategy, FREE, 60), market, wanted, 0, FLAT, new_control())


@pytest.mark.parametrize("way_out", WAYS_OUT, ids=lambda way_out: ", ".join(way_out) or "none")
@pytest.mark.parametrize("guards", [None, GUARDS[0], GUARDS[1]])
def test_groups_known_before_change_nothing(way_out: dict[str, Any], guards: dict[str, Any] | None) -> None:
    strategy = strategy_of(drop(1, "3m"), guards=guards, **way_out)
    identical(in_groups(strategy), engine(strategy, CANDLES, plain=True))


@pytest.mark.parametrize(("stop", "done"), [(0, len(CANDLES) - 700), (1, 0)])
def test_a_run_counts_the_candles_it_has_done_and_stops_when_told(stop: int, done: int) -> None:
    control, strategy = np.array([0, stop]), strategy_of(drop(1, "3m"), stop_loss_percent=2)
    rules, wanted = rules_of(strategy, FREE, 60), wanted_of(strategy, CANDLES)
    assert run(rules, market_of(CANDLES), wanted, 700, FLAT, control).end == 700 + done
    assert control.tolist() == [done, stop]


FALLING = closes(*[100.0] * 70, *[90.0] * 30)
HELD = FLAT._replace(quantity=0.5, entry_price=100.0, peak=100.5, entry_time=START)


@pytest.mark.parametrize(
    ("way_out", "expected"),
    [
        ({}, 100),
        ({"take_profit_percent": 5}, 100),
        ({"stop_loss_percent": 5}, 70),
        ({"trailing_stop_percent": 5}, 70),
        ({"max_holding": "30m"}, 29),
        ({"max_holding": "100m"}, 99),
        ({"max_holding": "101m"}, 100),
        ({"max_holding": "30m", "stop_loss_percent": 5}, 29),
    ],
)
@pytest.mark.parametrize("groups", [False, True])
def test_with_a_position_the_next_candle_that_matters_is_found(
    way_out: dict[str, Any], expected: int, groups: bool
) -> None:
    terms, market = terms_of(strategy_of(drop(1), **way_out), FREE, 60), market_of(FALLING, groups=groups)
    for i in range(0, expected, 7):
        assert first_loud(terms, market, HELD, i, len(FALLING)) == expected
    assert first_loud(terms, market, HELD, 3, GROUP) == min(GROUP, expected)


def test_a_stop_at_a_price_of_one_is_no_different() -> None:
    strategy = strategy_of(level(2, "above", "is"), stop_loss_percent=50)
    candles = closes(2, 2, 2, 2, 1, 1)
    sold = engine(strategy, candles)
    identical(sold, engine(strategy, candles, plain=True))
    assert trades_of(sold).places[0, [ENTRY, EXIT, WHY, CERTAINTY]].tolist() == [1, 4, STOP_LOSS, EXACT]


def test_the_lowest_of_eight_flags_is_found_whatever_the_higher_ones_are() -> None:
    for pattern in range(1, 256):
        word = sum(1 << (8 * k) for k in range(8) if pattern >> k & 1)
        assert lowest_flag(word) == (pattern & -pattern).bit_length() - 1


def test_the_next_flag_is_found_from_every_candle_to_every_end() -> None:
    chance = np.random.default_rng(1)
    words = np.zeros(40, np.int64)
    flags = words.view(np.uint8)
    flags[:] = chance.random(320) < 0.03
    for i in range(320):
        for end in (i, i + 1, 100, 317, 320):
            assert first_set(words, i, end) == next((k for k in range(i, end) if flags[k]), end)
