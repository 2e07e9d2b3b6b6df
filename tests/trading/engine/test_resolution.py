"""Which candles can show what a strategy looks at, and which are recommended."""

from typing import Any

import pytest

from strategybot.trading.engine.instruments import INTERVALS
from strategybot.trading.engine.resolution import as_measured, fits, misfit, recommended_interval
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import drop, level, rise, strategy_of

SIMULATED = INTERVALS[:4]


def compare(interval: str | None = None, period: int = 14) -> dict[str, Any]:
    left = {"series": "ema", "period": period, "interval": interval}
    return {"kind": "compare", "left": left, "operator": "above", "right": 1}


RECOMMENDED = [
    (strategy_of(drop(5, "1m")), "1m"),
    (strategy_of(drop(5, "5m")), "1m"),
    (strategy_of(drop(5, "15m")), "5m"),
    (strategy_of(drop(5, "30m")), "15m"),
    (strategy_of(drop(5, "1h")), "15m"),
    (strategy_of(drop(5, "90m")), "15m"),
    (strategy_of(drop(5, "2h")), "1h"),
    (strategy_of(drop(5, "7m"), drop(5, "1h")), "1m"),
    (strategy_of(drop(5, "1h"), exit_conditions=[rise(5, "10m")]), "5m"),
    (strategy_of(drop(5, "1h"), cooldown="10m"), "5m"),
    (strategy_of(drop(5, "1d"), max_holding="30m"), "15m"),
    (strategy_of(drop(5, "30d")), "1d"),
    (strategy_of(level(3)), "1h"),
    (strategy_of(compare()), "1h"),
    (strategy_of(compare("5m")), "5m"),
    (strategy_of(compare("4h"), drop(5, "15m")), "5m"),
]


@pytest.mark.parametrize(("strategy", "interval"), RECOMMENDED)
def test_the_longest_candles_that_fit_every_window_twice_are_recommended(strategy: Strategy, interval: str) -> None:
    assert recommended_interval(strategy) == interval


@pytest.mark.parametrize(("strategy", "interval"), RECOMMENDED)
def test_what_is_recommended_fits_and_among_fewer_intervals_too(strategy: Strategy, interval: str) -> None:
    among = recommended_interval(strategy, SIMULATED)
    assert fits(strategy, recommended_interval(strategy))
    assert fits(strategy, among)
    assert among in SIMULATED


@pytest.mark.parametrize(
    ("strategy", "interval", "sentence"),
    [
        (
            strategy_of(drop(5, "30m")), "1h",
            "The strategy looks at 30m; candles of 1h cannot show that. Use 15m or shorter.",
        ),
        (
            strategy_of(drop(5, "4h")), "1d",
            "The strategy looks at 4h; candles of 1d cannot show that. Use 4h or shorter.",
        ),
        (strategy_of(drop(5, "2m")), "5m", "The strategy looks at 2m; candles of 5m cannot show that. Use 1m."),
        (
            strategy_of(drop(5, "1h"), cooldown="90m"), "1h",
            "The strategy looks at 90m; candles of 1h cannot show that. Use 15m or shorter.",
        ),
        (
            strategy_of(compare("1h")), "4h",
            "The strategy looks at 1h; candles of 4h cannot show that. Use 1h or shorter.",
        ),
        (
            strategy_of(compare("1d", period=500)), "1m",
            ("The strategy looks back on 721439 candles of 1m, and at most 43200 are possible."
            " Use longer candles or shorter periods."),
        ),
        (
            strategy_of(compare("1d", period=500), drop(5, "15m")), "1h",
            ("The strategy looks back on 48095 candles of 15m, and at most 43200 are possible."
            " Use shorter periods."),
        ),
        (strategy_of(drop(5, "1h")), "1h", None),
        (strategy_of(drop(5, "90m")), "15m", None),
        (strategy_of(level(3)), "1d", None),
    ],
)  # fmt: skip
def test_candles_that_cannot_show_a_span_are_refused_in_one_sentence(
    strategy: Strategy, interval: Any, sentence: str | None
) -> None:
    assert misfit(strategy, interval) == sentence
    assert fits(strategy, interval) == (sentence is None)


def test_a_run_from_before_says_the_span_that_it_measured() -> None:
    strategy = strategy_of(drop(5, "30m"), level(2), exit_conditions=[rise(5, "90m"), rise(5, "2h")])
    measured = as_measured(strategy, 3600)
    windows = [getattr(each, "window", None) for each in (*measured.conditions, *measured.exit_conditions)]
    assert windows == ["60m", None, "120m", "2h"]
    assert as_measured(strategy, 60) == strategy
