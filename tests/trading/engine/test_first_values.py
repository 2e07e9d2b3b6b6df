"""The data report says from when on each series is known, and why nothing could be tested."""

from typing import Any

import numpy as np
import pytest

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles, DataReport
from strategybot.trading.engine.first_values import untested, with_warm_up
from strategybot.trading.engine.preparation import prepare
from strategybot.trading.evidence.verdict import examine, judge
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import FREE, drop, level, spike, strategy_of
from tests.trading.engine.indicators.markets import flat_market, wild_market
from tests.trading.random_series import compare

HOUR = 3600
MARCH = 1_772_323_200  # 2026-03-01 00:00 UTC
EMA = {"series": "ema", "period": 200}
CROSS = compare({"series": "ema", "period": 50}, "crosses_above", EMA)
PRICE = {"series": "close"}


def hours(count: int, start: int = MARCH) -> Candles:
    candles = wild_market(3, count)
    times = start + HOUR * np.arange(count)
    return Candles(HOUR, times, *candles.columns()[1:])


def reported(strategy: Strategy, candles: Candles, warm_up: int) -> DataReport:
    ready = prepare(candles, DataReport(), int(candles.time[warm_up]))
    return with_warm_up(ready.report, strategy, ready.candles)


def test_each_series_says_what_it_needed_what_it_had_and_when_it_is_known() -> None:
    rsi = compare({"series": "rsi", "times": 2, "plus": 1}, "below", 30)
    strategy = strategy_of(CROSS, rsi, exit_conditions=[compare(PRICE, "above", {**EMA, "times": 1.1})])
    report = reported(strategy, hours(1000, MARCH - 125 * HOUR), 125)
    assert (report.candles, report.warm_up_candles) == (875, 125)
    assert report.warm_up is not None
    assert [row.model_dump() for row in report.warm_up] == [
        {"series": "EMA(50)", "needed": 1099, "had": 125, "known_from": "2026-03-01T00:00:00Z"},
        {"series": "EMA(200)", "needed": 4399, "had": 125, "known_from": "2026-03-04T02:00:00Z"},
        {"series": "RSI(14)", "needed": 616, "had": 125, "known_from": "2026-03-01T00:00:00Z"},
        {"series": "the price", "needed": 0, "had": 125, "known_from": "2026-03-01T00:00:00Z"},
    ]
    assert report.warm_up_summary == (
        "EMA(200) had 125 candles before the start instead of 4,399 and is known from 2026-03-04 02:00 UTC."
    )
    assert report.untested is None


def test_nothing_is_said_of_a_series_that_is_known_at_the_start() -> None:
    for had in (199, 4399):
        assert reported(strategy_of(compare(PRICE, "above", EMA)), hours(4500), had).warm_up_summary is None
    flat = Candles(HOUR, hours(700).time, *flat_market(1, 700).columns()[1:])
    rested = reported(strategy_of(compare({"series": "rsi"}, "below", 30)), flat, 650)
    assert rested.warm_up is not None
    assert (rested.warm_up[0].known_from, rested.warm_up_summary) == (None, None)


def test_a_series_on_longer_candles_counts_candles_of_the_run() -> None:
    daily = {"series": "rsi", "interval": "1d", "offset": 1}
    report = reported(strategy_of(compare(daily, "below", 30)), hours(24 * 30), 0)
    assert report.warm_up is not None
    assert report.warm_up[0].model_dump() == {
        "series": "RSI(14) on 1d candles 1 candle ago",
        "needed": (616 + 1 + 2) * 24 - 1,
        "had": 0,
        "known_from": "2026-03-16T23:00:00Z",
    }


def test_a_report_without_the_start_of_its_run_stays_as_it_is() -> None:
    assert with_warm_up(DataReport(), strategy_of(CROSS), hours(10)) == DataReport()


NEEDS_200 = "Nothing could be tested: EMA(200) needs 200 candles, this token has 120."
DAILY = {**EMA, "interval": "1d"}
UNTESTED: list[tuple[Strategy, int, str | None]] = [
    (strategy_of(CROSS), 120, NEEDS_200),
    (strategy_of(compare(PRICE, "above", {**EMA, "times": 1.02})), 120, NEEDS_200),
    (strategy_of(compare(PRICE, "above", EMA)), 200, None),
    (strategy_of(CROSS), 200, "Nothing could be tested: a cross of EMA(200) needs 201 candles, this token has 200."),
    (strategy_of(CROSS), 201, None),
    (strategy_of(CROSS, compare(PRICE, "above", 0)), 120, NEEDS_200),
    (strategy_of(CROSS, compare(PRICE, "above", 0), match="any"), 120, None),
    (strategy_of(CROSS, compare(DAILY, "above", 0), match="any"), 120, NEEDS_200),
    (strategy_of(compare(PRICE, "above", 0), exit_conditions=[CROSS]), 120, None),
    (
        strategy_of(compare(DAILY, "above", 0)), 1500,
        "Nothing could be tested: EMA(200) on 1d candles needs 200 of them, this token has 62.",
    ),
    (strategy_of(drop(5, "3d")), 72, "Nothing could be tested: a window of 3d needs 73 candles, this token has 72."),
    (strategy_of(drop(5, "3d")), 73, None),
    (strategy_of(level(1)), 1, "Nothing could be tested: a cross needs 2 candles, this token has 1."),
    (strategy_of(spike(2, "2h")), 30, None),
]  # fmt: skip


@pytest.mark.parametrize(("strategy", "count", "sentence"), UNTESTED)
def test_entry_conditions_that_were_never_known_are_named(strategy: Strategy, count: int, sentence: str | None) -> None:
    candles = hours(count)
    for start in (0, count // 2):
        assert untested(strategy, candles, start) == sentence
    assert reported(strategy, candles, 0).untested == sentence
    cut = DataReport(warm_up_cut=True, warm_up_candles=0)
    told = sentence and sentence.replace("this token has", "this run has")
    assert with_warm_up(cut, strategy, candles).untested == told


@pytest.mark.parametrize(
    ("strategy", "name"),
    [
        (strategy_of(compare(PRICE, "above", {"series": "vwap"})), "VWAP(20)"),
        (strategy_of(spike(2, "5h")), "the volume"),
    ],
)
def test_without_volumes_a_condition_about_them_was_never_known(strategy: Strategy, name: str) -> None:
    candles = hours(300)
    candles.volume[::4] = np.nan
    reason = "has no value in this run: the market does not move, or volumes are unknown"
    assert untested(strategy, candles, 0) == f"Nothing could be tested: {name} {reason}."
    candles.volume[250:] = 1
    assert untested(strategy, candles, 0) is None


def test_the_verdict_says_first_that_nothing_could_be_tested() -> None:
    candles, strategy = hours(120), strategy_of(CROSS)
    result = run_backtest(strategy, candles, FREE, 1000)
    report = result.reported(prepare(candles, DataReport(), 0).report)
    verdict = judge(examine(strategy, candles, FREE, 0, result, untested=report.untested))
    assert (verdict.grade, verdict.headline, verdict.trades) == ("too_few", NEEDS_200, 0)
    assert verdict.sentence == "It never bought: its conditions were never known."


def test_the_report_is_the_same_for_any_number_of_later_candles() -> None:
    """It reads only as many candles as it needs: a long run does not compute its columns twice."""
    strategy: Any = strategy_of(CROSS)
    long, short = (reported(strategy, hours(count), 20) for count in (20_000, 250))
    assert long.warm_up == short.warm_up
