"""Why groups, times and periods are true or not, and what they wait for, in words."""

from typing import Any

import pytest

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.step import opening_state
from strategybot.trading.words.drawn_rules import entry_conditions
from strategybot.trading.words.explain import ConditionReading, entry_reading
from strategybot.trading.words.outlook import outlook
from tests.trading.builders import CASH, FREE, at_time, closes, drop, every, group, level, rise, spike, strategy_of

# The last candle closes at 2023-11-14 22:18 UTC: a fall of 10 %, with twice the volume.
CANDLES = closes(10, 10, 10, 9, volumes=[1, 1, 1, 2])
DIP, SPIKE, HIGH = drop(5), spike(3), level(12, "above", "is")

SENTENCES: list[tuple[dict[str, Any], bool, str]] = [
    (at_time("22:00", "23:00"), True, "the candle closed Tue 2023-11-14 22:18 UTC, between 22:00 and 23:00"),
    (
        at_time("22:00", "23:00", None, "Asia/Tokyo"),
        False,
        "the candle closed Wed 2023-11-15 07:18 Asia/Tokyo, not between 22:00 and 23:00",
    ),
    (every("1h", "00:18"), True, "a period of 1h began: the candle closed Tue 2023-11-14 22:18 UTC"),
    (every("1d", "09:00"), False, "the next period of 1d begins Wed 2023-11-15 09:00 UTC"),
    (group("any", DIP, SPIKE), True, "price fell 10 % in 1m, threshold 5 %"),
    (
        group("all", DIP, every("1h", "00:18")),
        True,
        "(price fell 10 % in 1m, threshold 5 % and a period of 1h began: the candle closed Tue 2023-11-14 22:18 UTC)",
    ),
    (group("all", DIP, SPIKE, HIGH), False, "(volume_spike 2 of 3 × and price_level 9 is not above 12)"),
    (group("any", SPIKE, HIGH), False, "(volume_spike 2 of 3 × or price_level 9 is not above 12)"),
    (
        group("at_least", DIP, SPIKE, HIGH, count=2),
        False,
        "1 more of (volume_spike 2 of 3 ×; price_level 9 is not above 12)",
    ),
    (
        group("at_least", DIP, spike(2), HIGH, count=2),
        True,
        "(2 of 3: price fell 10 % in 1m, threshold 5 % and volume 2 × its 1m average, threshold 2 ×)",
    ),
    (
        group("none", SPIKE, HIGH),
        True,
        "none of (the volume is at least 3 × its 1m average; the price is at or above 12)",
    ),
    (group("none", DIP, HIGH), False, "must end: price fell 10 % in 1m, threshold 5 %"),
    (group("all", drop(5, "1h"), DIP), False, "price_drop needs 60 candles before it, has 3"),
]


def reading_of(condition: dict[str, Any]) -> ConditionReading:
    [reading] = entry_reading(strategy_of(condition), CANDLES, len(CANDLES) - 1).conditions
    return reading


@pytest.mark.parametrize(("condition", "fired", "sentence"), SENTENCES)
def test_a_condition_says_why_it_is_true_or_what_is_missing(
    condition: dict[str, Any], fired: bool, sentence: str
) -> None:
    reading = reading_of(condition)
    assert (reading.fired, reading.sentence) == (fired, sentence)
    assert sentence in reading.reason["text"]


def test_a_group_counts_its_members_and_a_member_that_decides_makes_it_known() -> None:
    reading = reading_of(group("at_least", DIP, SPIKE, HIGH, count=3))
    assert (reading.measured, reading.threshold, reading.distance, reading.unit) == (1, 3, 2, "conditions")
    assert [each.kind for each in reading.conditions] == ["price_drop", "volume_spike", "price_level"]
    assert reading.reason["values"]["threshold"] == 3
    assert reading_of(group("all", drop(5, "1h"), HIGH)).known
    assert not reading_of(group("all", drop(5, "1h"), DIP)).known


@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        (at_time("09:00", "10:00"), "is true in 10h 42m, 2023-11-15 09:00 UTC"),
        (every("1d", "23:00"), "is true in 42m, 2023-11-14 23:00 UTC"),
        (group("all", DIP, HIGH), "needs a 33.3 % rise to 12"),
        (group("any", HIGH, every("1h")), "(needs a 33.3 % rise to 12 or is true in 42m, 2023-11-14 23:00 UTC)"),
        (group("any", rise(10), HIGH), "(needs a 10 % rise within 1m or needs a 33.3 % rise to 12)"),
    ],
)
def test_the_outlook_says_what_it_waits_for(condition: dict[str, Any], sentence: str) -> None:
    [coming] = outlook(strategy_of(condition), FREE, CANDLES, opening_state(CASH)).entry
    assert (coming.sentence, coming.met) == (sentence, False)


def test_a_chart_draws_the_members_that_are_true() -> None:
    strategy = strategy_of(group("any", SPIKE, group("all", DIP, drop(4, "2m", "high"))), group("none", HIGH))
    drawn = entry_conditions(strategy, CANDLES, len(CANDLES) - 1)
    assert [(each.level, each.reference) for each in drawn] == [(9.5, 10), (9.6, 10), (None, None)]


def test_a_stored_trade_has_the_words_of_the_moment() -> None:
    candles = closes(10, 10, 9, 9, 9, 8, 8, 8, 8, volumes=[1, 1, 2, 2, 2, 9, 9, 9, 9])
    strategy = strategy_of(
        group("any", DIP, group("at_least", SPIKE, HIGH, count=1)), exit_conditions=[group("none", HIGH, rise(1))]
    )
    result = run_backtest(strategy, candles, FREE, CASH)
    first, second = result.trades.page(0, 2)
    assert first.entry_reason == "price fell 10 % in 1m, threshold 5 %"
    assert second.entry_reason == (
        "(price fell 11.1 % in 1m, threshold 5 % and 1 of 2: volume 4.5 × its 1m average, threshold 3 ×)"
    )
    assert second.entry_reasons[0]["values"]["measured"] == 2
