"""Longer candles without look-ahead: at a close only those exist that have closed by then.

`peeking` is the mistake these tests are for: it shows a longer candle from its open on. Each test notices it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from strategybot.trading.engine.candles import Candles, Floats, concatenate
from strategybot.trading.engine.comparisons import series_reach, series_values
from strategybot.trading.engine.conditions import Wanted
from strategybot.trading.engine.indicators.longer import last_closed, longer_candles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.engine.loop import market_of, new_control, run
from strategybot.trading.engine.step import opening_state, rules_of
from strategybot.trading.language.series_kind import Series
from tests.trading.builders import CASH, FREE, MINUTE, candles_of, random_candles, strategy_of
from tests.trading.engine.indicators.markets import EVERY_SERIES, name_of, series_of, wild_market
from tests.trading.random_series import compare

HOUR = 3600
WHOLE_HOUR = 1_699_999_200
Reading = Callable[[Series, Candles], Floats]


def peeking(series: Series, candles: Candles) -> Floats:
    """Return the series on longer candles that are used from their open on, which is wrong on purpose."""
    assert series.interval is not None
    length = INTERVAL_SECONDS[series.interval]
    longer = longer_candles(candles, length)
    places = np.searchsorted(longer.time, candles.time // length * length)
    return np.append(series.column(longer), np.nan)[np.minimum(places, len(longer))]


def sees_the_future(reading: Reading, series: Series, candles: Candles) -> bool:
    """Return whether a value changes when the candles after it are removed."""
    whole = reading(series, candles)
    cuts = range(len(candles) - 30, len(candles))
    return any(not np.array_equal(reading(series, candles[: i + 1])[-1], whole[i], equal_nan=True) for i in cuts)


@pytest.mark.parametrize("document", EVERY_SERIES, ids=name_of)
def test_no_value_on_longer_candles_depends_on_later_candles(document: dict[str, Any]) -> None:
    series = series_of({**document, "interval": "5m"})
    candles = wild_market(9, series_reach(series, MINUTE) + 100)
    assert not sees_the_future(series_values, series, candles)
    assert sees_the_future(peeking, series, candles)


def test_a_longer_candle_counts_from_its_close_on() -> None:
    rows = [(10 + i, 10.5 + i, 9.5 + i, 10.25 + i, 1 + i) for i in range(12)]
    candles = candles_of(rows, start=WHOLE_HOUR)  # whole hours are whole 5 minutes
    expected = {"open": 10.0, "high": 14.5, "low": 9.5, "close": 14.25, "volume": 15.0}
    for name, first in expected.items():
        values = series_values(series_of({"series": name, "interval": "5m"}), candles)
        assert np.isnan(values[:4]).all()
        assert (values[4:9] == first).all()
        assert (values[9:] == first + (25 if name == "volume" else 5)).all()


def test_a_first_longer_candle_that_is_not_whole_is_left_out() -> None:
    candles = candles_of([(1, 1, 1, 1)] * 14, start=WHOLE_HOUR + 60)
    longer = longer_candles(candles, 300)
    assert longer.time.tolist() == [WHOLE_HOUR + 300, WHOLE_HOUR + 600]
    assert last_closed(candles, longer).tolist() == [-1] * 8 + [0] * 5 + [1]


def test_a_longer_candle_without_its_last_candle_closes_with_the_next_candle_there_is() -> None:
    candles = candles_of([(i, i, i, i) for i in range(1, 11)], start=WHOLE_HOUR)
    gap = concatenate((candles[:4], candles[5:]))
    values = series_values(series_of({"series": "close", "interval": "5m"}), gap)
    assert np.isnan(values[:4]).all()
    assert values[4:].tolist() == [4, 4, 4, 4, 10]


def test_the_runs_own_interval_and_a_shorter_one_change_nothing() -> None:
    candles = random_candles(3, 60, interval=300)
    own = series_values(series_of({"series": "rsi", "period": 2}), candles)
    for interval in ("5m", "1m"):
        same = series_values(series_of({"series": "rsi", "period": 2, "interval": interval}), candles)
        assert np.array_equal(same, own, equal_nan=True)


def final_cash(candles: Candles, reading: Reading) -> float:
    """Return the final cash of a trend rule on 1-hour candles of a random walk, with flags from this function."""
    hourly = {"series": "change", "interval": "1h"}
    strategy = strategy_of(compare(hourly, "above", 0), exit_conditions=[compare(hourly, "below", 0)])
    change = reading(series_of(hourly), candles)
    words = np.zeros((2, -(-len(candles) // 8)), np.int64)
    flags = words.view(np.uint8)[:, : len(candles)]
    flags[:] = change > 0, change < 0
    wanted = Wanted(flags[0], flags[1], words[0], words[1], np.empty(0), np.empty(0))
    done = run(rules_of(strategy, FREE, MINUTE), market_of(candles), wanted, 0, opening_state(CASH), new_control())
    return float(done.state.cash + done.state.quantity * candles.close[-1])


def test_on_a_random_walk_only_look_ahead_earns_money() -> None:
    candles = wild_market(11, 30_000, start=WHOLE_HOUR)
    assert final_cash(candles, series_values) < 2 * CASH
    assert final_cash(candles, peeking) > 50 * CASH
