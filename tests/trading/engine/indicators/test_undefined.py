"""Where a series is undefined (a flat market, no volume, an unknown volume) it is NaN, and nowhere else."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from strategybot.trading.engine.candles import Candles, concatenate
from strategybot.trading.engine.comparisons import series_values
from strategybot.trading.engine.first_values import untested
from tests.trading.builders import MINUTE, strategy_of
from tests.trading.engine.indicators.markets import EVERY_SERIES, flat_market, name_of, series_of, wild_market
from tests.trading.random_series import compare

# Otherwise the price. A line has the value of its own name, or that of its series.
FLAT_VALUES = {"macd": 0, "atr": 0, "change": 0, "volume": 3, "width": 0, "direction": -1, "up": 100, "down": 100}
FLAT_VALUES |= {"oscillator": 0, "deviation": 0, "rank": 100, "streak": 0, "body": 0, "range": 0}
UNDEFINED = ("rsi", "stochastic", "stochastic_rsi", "adx", "cci", "mfi", "williams_r")
BY_VOLUME = ("vwap", "vwma", "mfi")


@pytest.mark.parametrize("price", [0.1, 1e-9, 123_456_789.123, 1 / 3])
@pytest.mark.parametrize("document", EVERY_SERIES, ids=name_of)
def test_in_a_flat_market_an_average_is_exactly_the_price_and_an_oscillator_undefined(
    document: dict[str, Any], price: float
) -> None:
    series = series_of(document)
    values = series_values(series, flat_market(price, series.reach() + 40))[series.reach() :]
    if document["series"] in UNDEFINED or document.get("line") == "percent_b":
        assert np.isnan(values).all()
    elif document["series"] in ("vwap", "vwma"):  # their sums of price times volume are rounded
        assert values == pytest.approx(price, rel=1e-15)
    elif document["series"] == "age":
        assert values.tolist() == [(i + 1) / 60 for i in range(40)]
    elif document.get("of") == "volume":  # an EMA of it starts at zero
        assert values == pytest.approx(3, rel=1e-9)
    else:
        flat = FLAT_VALUES.get(document.get("line", ""), FLAT_VALUES.get(document["series"], price))
        assert (values == flat).all()


@pytest.mark.parametrize("of", ["close", "volume"])
def test_no_rounding_is_left_in_a_window_after_a_jump(of: str) -> None:
    candles = concatenate((flat_market(1e9, 50, volume=1e12), later(flat_market(0.1, 50, volume=0.7), 50)))
    values = series_values(series_of({"series": "sma", "period": 20, "of": of}), candles)
    assert (values[69:] == (0.1 if of == "close" else 0.7)).all()


def later(candles: Candles, count: int) -> Candles:
    candles.time[:] += count * MINUTE
    return candles


def test_a_market_that_comes_to_rest_has_an_rsi_but_no_stochastic_of_it() -> None:
    """The RSI stays where it is, but for rounding, which must not be taken for its range."""
    moving = wild_market(3, 700)
    last = float(moving.close[-1])
    candles = concatenate((moving, later(flat_market(last, 100), 700)))
    strength = series_values(series_of({"series": "rsi"}), candles)
    assert strength[720:] == pytest.approx(strength[720], rel=1e-12)
    place = series_values(series_of({"series": "stochastic_rsi", "smooth": 1}), candles)
    assert not np.isnan(place[650:700]).any()
    assert np.isnan(place[715:]).all()


def test_the_age_is_unknown_if_the_provider_does_not_say_when_the_token_began() -> None:
    candles = replace(wild_market(4, 30), born=None)
    assert np.isnan(series_values(series_of({"series": "age"}), candles)).all()
    strategy = strategy_of(compare({"series": "age"}, "above", 24))
    assert untested(strategy, candles, 0) == (
        "Nothing could be tested: the age of the token in hours has no value in this run: "
        "the provider does not say when the token's first candle was."
    )


@pytest.mark.parametrize("volume", [0.0, np.nan], ids=["zero", "unknown"])
def test_prices_do_not_need_a_volume_and_the_vwap_does(volume: float) -> None:
    candles = wild_market(4, 1300)
    candles.volume[:] = volume
    for document in EVERY_SERIES:
        values = series_values(series_of(document), candles)[1250:]
        needs_it = document["series"] in BY_VOLUME or (np.isnan(volume) and "volume" in document.values())
        assert np.isnan(values).all() == needs_it, document


@pytest.mark.parametrize(
    "document",
    [{"series": "vwap", "period": 20}, {"series": "sma", "period": 20, "of": "volume"}],
    ids=name_of,
)
def test_an_unknown_volume_makes_exactly_the_windows_unknown_that_contain_it(document: dict[str, Any]) -> None:
    candles = wild_market(4, 200)
    candles.volume[100] = np.nan
    values = series_values(series_of(document), candles)
    assert np.flatnonzero(np.isnan(values)).tolist() == [*range(19), *range(100, 120)]


def test_a_gap_as_long_as_a_stretch_makes_an_average_unknown_until_the_next_one() -> None:
    """An average that began before the gap would weigh candles by their number, not by their time."""
    before, after = wild_market(1, 200), wild_market(2, 200)
    candles = concatenate((before, later(after, 5000)))
    values = series_values(series_of({"series": "ema", "period": 3}), candles)
    stretch = 11 * 3 * MINUTE
    first_whole = (after.time // stretch > after.time[0] // stretch).argmax()
    assert not np.isnan(values[150:200]).any()
    assert np.isnan(values[200 : 200 + first_whole]).all()
    assert not np.isnan(values[200 + first_whole :]).any()
