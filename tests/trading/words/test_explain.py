"""Explanations: measured values, distances and sentences, which always agree with the engine."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.conditions import wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.ledger import Fill
from strategybot.trading.engine.risk import BREAK_EVEN, EXACT, LADDER, NO_PARTS, STOP_LOSS, TAKE_PROFIT, TRAILING_STOP
from strategybot.trading.engine.step import opening_state, rules_of
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.explain import ConditionReading, explain
from strategybot.trading.words.numbers import amount_words, duration_words, finite, price_words
from strategybot.trading.words.reasons import (
    cooling_words,
    holding_words,
    ladder_words,
    max_holding_words,
    risk_name,
    risk_words,
)
from tests.trading.builders import FREE, candles_of, cases, closes, drop, level, rise, spike, strategy_of

Case = tuple[Strategy, Candles, Costs]


def reading(condition: dict[str, Any], candles: Candles, i: int = -1) -> ConditionReading:
    [only] = explain(strategy_of(condition), candles, i % len(candles)).entry.conditions
    return only


FALLEN = closes(100, 95, 90, volumes=[10, 10, 30])
WIDE = candles_of([(100, 120, 80, 100), (100, 100, 100, 100), (100, 100, 90, 90)])


SPIKED = "volume 3.0004 × its 1m average, threshold 3 ×"


@pytest.mark.parametrize(
    ("condition", "candles", "measured", "distance", "fired", "sentence"),
    [
        (drop(10, "2m"), FALLEN, 10, 0, True, "price fell 10 % in 2m, threshold 10 %"),
        (drop(4, "2m"), FALLEN, 10, 0, True, "price fell 10 % in 2m, threshold 4 %"),
        (drop(12.5, "2m"), FALLEN, 10, 2.5, False, "price_drop 10 of 12.5 %"),
        (drop(25, "2m", "high"), WIDE, 25, 0, True, "price fell 25 % from its 2m high, threshold 25 %"),
        (drop(30, "2m", "high"), WIDE, 25, 5, False, "price_drop 25 of 30 %"),
        (rise(12.5, "2m", "low"), WIDE, 12.5, 0, True, "price rose 12.5 % from its 2m low, threshold 12.5 %"),
        (rise(5, "2m"), FALLEN, -10, 15, False, "price_rise -10 of 5 %"),
        (spike(3, "2m"), FALLEN, 3, 0, True, "volume 3 × its 2m average, threshold 3 ×"),
        (spike(2), closes(1, 1, volumes=[0.01, 0.03]), 3, 0, True, "volume 3 × its 1m average, threshold 2 ×"),
        (spike(4, "2m"), FALLEN, 3, 1, False, "volume_spike 3 of 4 ×"),
        (level(92, "below"), FALLEN, 90, 0, True, "price 90 crossed below 92"),
        (level(97, "below"), FALLEN, 90, None, False, "price_level 90 is already below 97, no cross"),
        (level(97, "below", "is"), FALLEN, 90, 0, True, "price 90 is at or below 97"),
        (level(100, "above", "is"), FALLEN, 90, 10, False, "price_level 90 is not above 100"),
        (level(80, "below"), FALLEN, 90, 10, False, "price_level 90 is not below 80"),
        (level(80), FALLEN, 90, None, False, "price_level 90 is already above 80, no cross"),
        (level(90.5), FALLEN, 90, 0.5, False, "price_level 90 is not above 90.5"),
        (level(90), closes(91, 90, 90), 90, None, False, "price_level 90 is already above 90, no cross"),
        (drop(10.5, "2m"), FALLEN, 10, 0.5, False, "price_drop 10 of 10.5 %"),
        (drop(10, "2m"), closes(100, 95, 90.001), 9.999, 0.001, False, "price_drop 9.999 of 10 %"),
        (drop(10, "2m"), closes(100, 95, 89.999), 10.001, 0, True, "price fell 10.001 % in 2m, threshold 10 %"),
        (spike(3, "1m"), closes(1, 1, volumes=[0.5, 1.5002]), 3.0004, 0, True, SPIKED),
    ],
)
def test_a_known_condition_says_what_it_measured_and_what_is_missing(
    condition: dict[str, Any], candles: Candles, measured: float, distance: float | None, fired: bool, sentence: str
) -> None:
    answer = reading(condition, candles)
    assert answer.known
    assert answer.measured == pytest.approx(measured)
    assert answer.distance == (distance if distance is None else pytest.approx(distance))
    assert answer.fired is fired
    assert answer.sentence == sentence
    assert answer.kind == condition["kind"]


@pytest.mark.parametrize(
    ("condition", "threshold", "unit"),
    [(drop(4), 4, "%"), (rise(5), 5, "%"), (spike(3), 3, "×"), (level(7), 7, "price")],
)
def test_thresholds_have_units(condition: dict[str, Any], threshold: float, unit: str) -> None:
    answer = reading(condition, FALLEN)
    assert (answer.threshold, answer.unit) == (threshold, unit)


@pytest.mark.parametrize(
    ("condition", "candles", "sentence"),
    [
        (drop(5, "15m"), FALLEN, "price_drop needs 15 candles before it, has 2"),
        (spike(3, "15m"), FALLEN, "volume_spike needs 15 candles before it, has 2"),
        (level(5), FALLEN[:1], "price_level needs 1 candle before it, has 0"),
        (spike(3, "2m"), closes(1, 1, 1, volumes=[0, 0, 5]), "volume_spike has no volume in 2m to compare with"),
        (spike(3, "2m"), closes(1, 1, 1, volumes=[1, math.nan, 5]), "volume_spike misses a volume in 2m"),
        (spike(3, "2m"), closes(1, 1, 1, volumes=[1, 1, math.nan]), "volume_spike misses a volume in 2m"),
        (rise(3, "1m"), closes(1e-200, 1e200), "price_rise is beyond any number"),
        (drop(3, "1m"), closes(1e-200, 1e200), "price_drop is beyond any number"),
    ],
)
def test_an_unknown_condition_says_why_nothing_was_measured(
    condition: dict[str, Any], candles: Candles, sentence: str
) -> None:
    answer = reading(condition, candles)
    assert not answer.known
    assert answer.measured is None
    assert answer.distance is None
    assert answer.sentence == sentence


def test_both_sides_are_explained_with_their_match() -> None:
    strategy = strategy_of(drop(5), spike(2), exit_conditions=[rise(5)], match="any")
    answer = explain(strategy, FALLEN, 2)
    assert (answer.time, answer.close) == (FALLEN.time[2], 90)
    assert answer.entry.match == "any"
    assert answer.entry.fired
    assert (
        answer.entry.why().words == "price fell 5.26 % in 1m, threshold 5 %; volume 3 × its 1m average, threshold 2 ×"
    )
    assert answer.entry.waiting().words == ""
    assert not answer.exit.fired
    assert answer.exit.waiting().words == "price_rise -5.26 of 5 %"
    assert not explain(strategy_of(drop(5), spike(5)), FALLEN, 2).entry.fired
    assert explain(strategy_of(drop(5), spike(5), match="any"), FALLEN, 2).entry.fired
    waiting = explain(strategy_of(drop(9), spike(5)), FALLEN, 2).entry.waiting().words
    assert waiting == "price_drop 5.26 of 9 %; volume_spike 3 of 5 ×"


def test_an_explanation_is_never_changed_in_place() -> None:
    answer = explain(strategy_of(drop(5)), FALLEN, 2)
    for part, name in ((answer, "close"), (answer.entry, "fired"), (answer.entry.conditions[0], "fired")):
        with pytest.raises(ValidationError, match="frozen"):
            setattr(part, name, False)


@pytest.mark.parametrize("i", [-1, 3])
def test_a_candle_that_is_not_there_is_refused(i: int) -> None:
    with pytest.raises(IndexError, match="of 3"):
        explain(strategy_of(drop(5)), FALLEN, i)


@given(cases(longest=60), st.integers(0, 59))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_an_explanation_agrees_with_the_engine_and_uses_no_later_candle(
    case: tuple[Strategy, Candles, Costs], i: int
) -> None:
    strategy, candles, _ = case
    if len(candles) == 0:
        return
    i %= len(candles)
    answer = explain(strategy, candles, i)
    wanted = wanted_of(strategy, candles)
    assert (answer.entry.fired, answer.exit.fired) == (wanted.entry[i], wanted.exit[i])
    assert answer == explain(strategy, candles[: i + 1], i)
    for each in answer.entry.conditions + answer.exit.conditions:
        assert each.sentence
        assert not (each.fired and not each.known)
        assert each.measured is None or math.isfinite(each.measured)
        assert (each.distance == 0) >= each.fired


def sale(reason: int, base: float, level_: float, number: int = 0) -> Fill:
    return Fill(reason, number, base, 1.0, 1.0, 0.0, level_)


PARTS = strategy_of(
    drop(5),
    take_profits=[{"gain_percent": 10, "sell_percent": 50}, {"gain_percent": 20.5, "sell_percent": 30}],
    position_percent=50,
    ladder=[{"drop_percent": 3, "size_percent": 20}, {"drop_percent": 7.5, "size_percent": 30}],
)


@pytest.mark.parametrize(
    ("sold", "words"),
    [
        (sale(STOP_LOSS, 0.0119, 0.0119), "stop loss: low 0.0118 ≤ stop 0.0119"),
        (sale(STOP_LOSS, 0.012, 0.013), "stop loss: open 0.012 ≤ stop 0.013 (gap)"),
        (sale(TRAILING_STOP, 0.0119, 0.0119), "trailing stop: low 0.0118 ≤ stop 0.0119"),
        (sale(TAKE_PROFIT, 0.0125, 0.0125), "take profit: high 0.013 ≥ target 0.0125"),
        (sale(TAKE_PROFIT, 0.012, 0.0119), "take profit: open 0.012 ≥ target 0.0119 (gap)"),
        (sale(BREAK_EVEN, 0.0119, 0.0119), "break even: low 0.0118 ≤ stop 0.0119"),
    ],
)
def test_a_risk_exit_says_the_price_and_the_level_it_reached(sold: Fill, words: str) -> None:
    assert risk_words(strategy_of(drop(5)), sold, EXACT, 0.012, 0.013, 0.0118) == words


def test_a_target_says_its_number_its_gain_and_its_share() -> None:
    first, second = sale(TAKE_PROFIT, 0.0125, 0.0125, 1), sale(TAKE_PROFIT, 0.0125, 0.0125, 2)
    assert risk_name(PARTS, first) == "take profit 1 of 2: +10.0 % on half"
    exact = strategy_of(
        drop(5), take_profits=[{"gain_percent": 0.15, "sell_percent": 50}, {"gain_percent": 1, "sell_percent": 50}]
    )
    assert risk_name(exact, first) == "take profit 1 of 2: +0.15 % on half"
    assert risk_name(PARTS, second) == "take profit 2 of 2: +20.5 % on 30 %"
    reached = "high 0.013 ≥ target 0.0125"
    assert risk_words(PARTS, first, EXACT, 0.012, 0.013, 0.0118) == f"{risk_name(PARTS, first)}: {reached}"


@pytest.mark.parametrize(
    ("base", "reached"), [(97.0, "97 ≤ 97"), (95.0, "95 ≤ 97 (gap)")], ids=["at its level", "at the open"]
)
def test_a_ladder_step_says_its_number_its_share_and_its_drop(base: float, reached: str) -> None:
    words = "ladder 1 of 2: 20 % of the cash at 3 % below the first buy"
    assert ladder_words(PARTS, sale(LADDER, base, 97.0, 1)) == f"{words}, {reached}"


def test_a_held_position_says_its_gain_stop_and_target() -> None:
    state = opening_state(0)._replace(quantity=1.0, entry_price=100.0, peak=100.0)
    bare = rules_of(strategy_of(drop(5)), FREE, 60).terms
    assert holding_words(bare, state, 98.0) == "holding: -2 % from the entry 100"
    cheap = state._replace(entry_price=0.5, peak=0.6)
    trailing = rules_of(strategy_of(drop(5), trailing_stop_percent=10), FREE, 60).terms
    assert holding_words(trailing, cheap, 0.55) == "holding: 10 % from the entry 0.5, stop 0.54"
    full = rules_of(strategy_of(drop(5), stop_loss_percent=3, take_profit_percent=10), FREE, 60).terms
    assert holding_words(full, state, 101.5) == "holding: 1.5 % from the entry 100, stop 97, target 110"
    parts = state._replace(parts=NO_PARTS._replace(first_price=100.0, step=1, target=1))
    ladder = rules_of(PARTS, FREE, 60).terms
    assert holding_words(ladder, parts, 101.5) == "holding: 1.5 % from the entry 100, target 120.5, adds at 92.5"


def test_a_cooldown_and_a_longest_holding_state_their_duration() -> None:
    assert cooling_words(5400) == "cooling down for another 1h 30m"
    assert max_holding_words(strategy_of(drop(5), max_holding="2h"), 7260) == "held 2h 1m, the longest allowed is 2h"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0s"), (59, "59s"), (60, "1m"), (3661, "1h 1m 1s"), (2_592_000, "30d"), (90_000, "1d 1h")],
)
def test_a_duration_is_said_in_days_hours_minutes_and_seconds(seconds: int, words: str) -> None:
    assert duration_words(seconds) == words


@pytest.mark.parametrize(
    ("amount", "beside", "words"),
    [
        (2.1234, 5, "2.12"),
        (4.9999, 5, "4.9999"),
        (5.0, 5, "5"),
        (4.999999999999999, 5, "4.999999999999999"),
        (np.nextafter(5, 0), 5, "4.999999999999999"),
        (-0.0, 5, "0"),
        (0.00001234567, None, "0.0000123"),
        (math.inf, 5, "beyond any number"),
        (123456.0, None, "123000"),
    ],
)
def test_an_amount_is_short_but_never_looks_equal_to_the_one_beside_it(
    amount: float, beside: float | None, words: str
) -> None:
    assert amount_words(amount, beside) == words


def test_prices_have_six_digits() -> None:
    assert price_words(0.0000000123456789) == "0.0000000123457"
    assert price_words(64123.456) == "64123.5"


def test_only_finite_numbers_are_numbers() -> None:
    assert finite(1.5) == 1.5
    assert [finite(x) for x in (math.nan, math.inf, -math.inf)] == [None] * 3
