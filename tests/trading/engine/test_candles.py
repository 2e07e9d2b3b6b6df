"""Irregular records become valid columns with a complete report."""

import math
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from strategybot.trading.engine.candles import (
    END_OF_TIME,
    Candles,
    DataReport,
    TooManyCandles,
    concatenate,
    densify,
    empty_candles,
    parse_candles,
    tidy,
)
from tests.trading.builders import START, candles_of, closes, random_candles

FULL = {"time": START, "open": 1.5, "high": 3, "low": 1, "close": 2, "volume": 10}


def parsed(*changes: dict[str, Any]) -> tuple[Candles, DataReport]:
    return parse_candles([{**FULL, "time": START + 60 * k, **change} for k, change in enumerate(changes)], 60)


def same(one: Candles, other: Candles) -> bool:
    return one.interval_seconds == other.interval_seconds and all(
        np.array_equal(a, b, equal_nan=True) for a, b in zip(one.columns(), other.columns(), strict=True)
    )


def test_a_full_record_is_taken_as_it_is() -> None:
    candles, report = parsed({})
    assert candles.records() == [FULL]
    assert report == DataReport(received=1)
    assert [column.dtype.name for column in candles.columns()] == ["int64"] + ["float64"] * 5


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.0123", 0.0123),
        ("1e-9", 1e-9),
        (" 2 ", 2.0),
        ("+3.", 3.0),
        (".5", 0.5),
        (7, 7.0),
        ("1E5", 1e5),
        (2**70, float(2**70)),
        (f"{7:0400}", 7.0),
    ],
)
def test_a_number_may_be_a_string(text: Any, number: float) -> None:
    candles, report = parsed({"open": text, "high": text, "low": text, "close": text})
    assert candles.close.tolist() == [number]
    assert report == DataReport(received=1)


@pytest.mark.parametrize(
    "close",
    [
        *(None, "", "abc", "NaN", "Infinity", "-inf", "1_000", "0x10", "1e999", f"{7:0401}", "9" * 399, "١", "1 2"),
        *(0, -1, "0", "-2", math.nan, math.inf, -math.inf, True, False, [1], {"value": 1}, 10**400, b"1"),
    ],
)
def test_a_close_that_is_no_finite_number_above_zero_drops_the_candle(close: Any) -> None:
    candles, report = parsed({"close": close}, {})
    assert candles.time.tolist() == [START + 60]
    assert (report.received, report.dropped) == (2, 1)


@pytest.mark.parametrize("time", [None, "soon", True, -1, math.nan, math.inf, END_OF_TIME, 1_700_000_040_000, [1]])
def test_a_time_that_is_no_moment_drops_the_candle(time: Any) -> None:
    candles, report = parsed({"time": time}, {})
    assert candles.time.tolist() == [START + 60]
    assert report.dropped == 1


def test_the_last_moment_is_the_last_that_has_a_text() -> None:
    assert datetime.fromtimestamp(END_OF_TIME - 1, UTC) == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize("record", [None, 5, "candle", [1, 2, 3], {}, ("time", 1)])
def test_a_value_that_is_no_record_is_dropped(record: Any) -> None:
    candles, report = parse_candles([record, FULL], 60)
    assert len(candles) == 1
    assert (report.received, report.dropped) == (2, 1)


@pytest.mark.parametrize("time", [START, str(START), START + 59, float(START) + 0.9, f"{START}.5", END_OF_TIME - 1, 0])
def test_a_time_is_aligned_down_to_its_bucket(time: Any) -> None:
    candles, _ = parsed({"time": time})
    assert candles.time.tolist() == [int(float(time)) // 60 * 60]


def test_of_two_records_of_one_bucket_the_last_is_used() -> None:
    candles, report = parsed({}, {}, {"time": START + 30, "close": 2.5})
    assert candles.time.tolist() == [START, START + 60]
    assert candles.close.tolist() == [2.5, 2]
    assert report == DataReport(received=3, duplicates=1)


def test_duplicates_side_by_side_are_found_too() -> None:
    candles, report = parsed({}, {"time": START, "close": 2.5}, {"time": START + 60})
    assert candles.close.tolist() == [2.5, 2]
    assert report.duplicates == 1


def test_an_invalid_duplicate_is_not_used() -> None:
    candles, report = parsed({}, {"time": START, "close": "NaN"})
    assert candles.close.tolist() == [2]
    assert (report.dropped, report.duplicates) == (1, 0)


def test_a_missing_open_is_the_previous_close_or_else_the_own_close() -> None:
    candles, report = parsed({"open": None, "close": 2}, {"open": "x", "close": 2.5})
    assert candles.open.tolist() == [2, 2]
    assert report.completed == 2


def test_the_previous_close_is_that_of_the_bucket_before_not_of_the_record_before() -> None:
    records = [{**FULL, "time": START + 60, "open": None}, {**FULL, "close": 2.75}]
    assert parse_candles(records, 60)[0].open.tolist() == [1.5, 2.75]


@pytest.mark.parametrize("nothing", [None, 0, -1, "NaN", True])
def test_missing_high_and_low_enclose_open_and_close(nothing: Any) -> None:
    candles, report = parsed({"high": nothing, "low": nothing}, {"high": nothing, "low": nothing, "open": 4})
    assert candles.high.tolist() == [2, 4]
    assert candles.low.tolist() == [1.5, 2]
    assert (report.completed, report.repaired) == (2, 0)


def test_high_and_low_that_do_not_enclose_open_and_close_are_widened_and_counted() -> None:
    candles, report = parsed({"high": 1.9}, {"low": 1.6}, {"high": 2, "low": 1.5})
    assert candles.high.tolist() == [2, 3, 2]
    assert candles.low.tolist() == [1, 1.5, 1.5]
    assert (report.completed, report.repaired) == (0, 2)


@pytest.mark.parametrize("volume", [None, "?", -1, math.nan, math.inf, True])
def test_an_unknown_volume_is_none_outside(volume: Any) -> None:
    candles, report = parsed({"volume": volume}, {"volume": 0})
    assert [record["volume"] for record in candles.records()] == [None, 0]
    assert report.unknown_volumes == 1


def test_the_longest_gap_is_the_longest_stretch_without_a_candle() -> None:
    _, report = parsed({}, {"time": START + 180}, {"time": START + 240})
    assert report.longest_gap_seconds == 120
    assert parsed({})[1].longest_gap_seconds == 0
    assert parsed()[1] == DataReport()


def test_densify_fills_idle_buckets_with_the_previous_close_and_no_volume() -> None:
    candles, report = parsed({"volume": None}, {"time": START + 180, "close": 2.5}, {"time": START + 240})
    dense, report = densify(candles, report)
    assert dense.time.tolist() == [START + 60 * k for k in range(5)]
    assert dense.open.tolist() == [1.5, 2, 2, 1.5, 1.5]
    assert dense.high.tolist() == [3, 2, 2, 3, 3]
    assert dense.low.tolist() == [1, 2, 2, 1, 1]
    assert dense.close.tolist() == [2, 2, 2, 2.5, 2]
    assert [record["volume"] for record in dense.records()] == [None, 0, 0, 10, 10]
    assert report.filled == 2
    assert densify(dense, report) == (dense, report)


def test_a_report_is_never_changed_in_place() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(DataReport(), "dropped", 1)  # noqa: B010 - the type checker knows it, too


def test_densify_counts_on_top_of_what_was_filled_before() -> None:
    candles, _ = parsed({}, {"time": START + 180})
    assert densify(candles, DataReport(filled=5))[1].filled == 7


def test_no_candles_are_columns_without_a_row() -> None:
    assert [(len(column), column.dtype.name) for column in empty_candles(60).columns()] == [
        (0, "int64"),
        *[(0, "float64")] * 5,
    ]


def test_densify_leaves_none_and_one_as_they_are() -> None:
    for candles in (empty_candles(60), closes(1.0)):
        assert densify(candles, DataReport()) == (candles, DataReport())


def test_densify_refuses_a_gap_that_no_run_could_hold() -> None:
    candles, report = parsed({"time": 0}, {})
    with pytest.raises(TooManyCandles, match="hold 28333334 candles, more than 10000000 in all"):
        densify(candles, report)


def test_only_finished_candles_are_closed() -> None:
    candles = closes(1, 2, 3)
    assert len(candles.closed_before(START + 179)) == 2
    assert len(candles.closed_before(START + 180)) == 3
    assert len(candles.closed_before(START + 59.9)) == 0


def test_between_takes_the_start_and_leaves_the_end() -> None:
    candles = closes(1, 2, 3, 4)
    assert candles.between(START + 60, START + 180).close.tolist() == [2, 3]
    assert len(candles.between(0, START)) == 0


def test_a_slice_is_valid_and_a_step_is_refused() -> None:
    assert closes(1, 2, 3)[1:].close.tolist() == [2, 3]
    with pytest.raises(ValueError, match="without a step"):
        closes(1, 2, 3)[::2]


def test_concatenation_puts_parts_in_order_and_the_later_part_wins() -> None:
    whole = closes(1, 2, 3, 4)
    again = candles_of([(9, 9, 9, 9)], start=START + 60)
    joined = concatenate((whole[2:], whole[:3], again))
    assert joined.close.tolist() == [1, 9, 3, 4]
    assert same(concatenate((whole[:1], whole[1:])), whole)
    assert same(concatenate([whole]), whole)


def test_concatenation_needs_one_interval() -> None:
    for parts in ((), (closes(1), closes(1, interval=300))):
        with pytest.raises(ValueError, match="one interval"):
            concatenate(parts)


def test_columns_of_integers_are_taken_too() -> None:
    candles, report = tidy([START, START + 60], [1, 2], [3, 3], [1, 1], [2, 2], [5, 5], interval_seconds=60)
    assert candles.close.tolist() == [2.0, 2.0]
    assert report == DataReport(received=2)


def test_a_million_columnar_candles_need_no_loop() -> None:
    count = 1_000_000
    ones = np.ones(count)
    candles, report = tidy(np.arange(count) * 60, ones, ones, ones, ones, ones, interval_seconds=60)
    assert len(candles) == count
    assert report == DataReport(received=count)


def untidy(candles: Candles, chance: Any) -> list[dict[str, Any]]:
    """Return the same candles as strings, with extra keys, repeated, in any order."""
    records = [
        {key: value if value is None or chance.random() < 0.5 else str(value) for key, value in record.items()}
        | {"extra": chance.random()}
        for record in candles.records()
        for _ in range(chance.choice([1, 1, 2]))
    ]
    chance.shuffle(records)
    return records


@given(st.integers(0, 10**6), st.integers(0, 60), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_shuffled_repeated_and_stringified_candles_are_the_same_candles(seed: int, count: int, chance: Any) -> None:
    candles = random_candles(seed, count)
    records = untidy(candles, chance)
    again, report = parse_candles(records, 60)
    assert same(again, candles)
    assert (report.dropped, report.completed, report.repaired) == (0, 0, 0)
    assert report.duplicates == len(records) - len(candles)


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("1.5"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=3,
)
records = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("time", "open", "high", "low", "close", "volume"), json_values | st.floats(0, 1e12))
)


@given(st.lists(records | json_values, max_size=30), st.sampled_from([60, 900, 86400]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_records_give_good_candles_and_a_report_that_adds_up(untidy_records: list[Any], interval: int) -> None:
    candles, report = parse_candles(untidy_records, interval)
    assert len(candles) == report.received - report.dropped - report.duplicates
    assert np.all(np.diff(candles.time) > 0)
    assert np.all(candles.time % interval == 0)
    prices = np.array([candles.open, candles.high, candles.low, candles.close])
    assert np.all(np.isfinite(prices))
    assert np.all(prices > 0)
    assert np.all(candles.low <= np.minimum(candles.open, candles.close))
    assert np.all(candles.high >= np.maximum(candles.open, candles.close))
    assert not np.any(candles.volume < 0)
