"""Columns of conditions are true exactly where the plain rule says so, candle by candle."""

import numpy as np
import pytest

from strategybot.trading.engine import columns
from strategybot.trading.engine.candles import Candles, Floats, Integers
from strategybot.trading.engine.columns import (
    BLOCK,
    LONG_WINDOW,
    SHORT_WINDOW,
    SOME,
    Change,
    change_flags,
    change_references,
    fill_highest,
    fill_lowest,
    fill_sums,
    mean_volumes,
    spike_flags,
)
from tests.trading.builders import random_candles

WINDOWS = [1, 2, 3, 5, 8, 20, 31, 64, 127, 128, 129, 200, 700, 1023, 1024, 1025]


def market(close: Floats, volume: Floats | None = None, time: Integers | None = None, seconds: int = 60) -> Candles:
    volumes = np.ones(len(close)) if volume is None else volume
    times = seconds * np.arange(len(close)) if time is None else time
    return Candles(seconds, times, close, close, close, close, volumes)


def plain_change(candles: Candles, change: Change, i: int) -> bool:
    if i < change.window:
        return False
    rows = slice(i - change.window, i)
    reference = candles.close[i - change.window]
    if change.from_extreme:
        reference = candles.high[rows].max() if change.sign < 0 else candles.low[rows].min()
    close = candles.close[i]
    return bool(((reference - close) if change.sign < 0 else (close - reference)) / reference >= change.limit)


def plain_mean(candles: Candles, window: int, i: int) -> float:
    """Sum one by one up to 1,024 candles, and by stretches of 8,192 seconds beyond."""
    parts: dict[int, float] = {}
    for time, amount in zip(
        candles.time[i - window : i].tolist(), candles.volume[i - window : i].tolist(), strict=True
    ):
        stretch = time // 8192 if window > 1024 else 0
        parts[stretch] = parts.get(stretch, 0.0) + amount
    total = 0.0
    for part in parts.values():
        total += part
    return total / window


def plain_spike(candles: Candles, window: int, multiplier: float, i: int) -> bool:
    return i >= window and bool(candles.volume[i] >= multiplier * plain_mean(candles, window, i) > 0)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(("fill", "plain"), [(fill_highest, np.max), (fill_lowest, np.min), (fill_sums, np.sum)])
def test_every_window_covers_exactly_the_candles_before_each_candle(fill: object, plain: object, window: int) -> None:
    column = np.random.default_rng(window).integers(1, 1000, 3100).astype(np.float64)  # whole: sums are exact
    values = np.empty(len(column) - window)
    fill(column, window, np.empty((2, max(window, SOME + SHORT_WINDOW))), values)  # type: ignore[operator]
    assert values.tolist() == [plain(column[i - window : i]) for i in range(window, len(column))]  # type: ignore[operator]


@pytest.mark.parametrize("window", [1, 20, 129, 700])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("from_extreme", [False, True])
def test_a_change_is_flagged_where_the_plain_rule_is_true(window: int, sign: float, from_extreme: bool) -> None:
    candles = random_candles(7, 1400, scale=1e-8)
    change = Change(sign, 0.05, window, from_extreme)
    flags = change_flags(candles, change)
    assert flags.tolist() == [plain_change(candles, change, i) for i in range(len(candles))]
    assert 0 < flags.sum() < len(flags)


def test_blocks_of_candles_join_without_a_seam() -> None:
    candles = random_candles(9, 2 * BLOCK + 500, calm=0.002)
    for change in (Change(-1.0, 0.1, 300, True), Change(1.0, 0.1, 300, False)):
        flags = change_flags(candles, change)
        for first in (BLOCK + 300, 2 * BLOCK + 300, BLOCK):
            part = candles[first - 310 : first + 20]
            assert change_flags(part, change)[300:].tolist() == flags[first - 10 : first + 20].tolist()


@pytest.mark.parametrize("scale", [1e-315, 1e-300, 1e-8, 1.0, 1e300])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("from_extreme", [False, True])
def test_a_change_within_rounding_of_its_limit_is_decided_by_the_quotient(
    sign: float, scale: float, from_extreme: bool
) -> None:
    chance = np.random.default_rng(5)
    for limit in (0.01, 0.1 / 3, 0.7, 1e-17, 1e-300):
        before = scale * (1 + chance.random(550))
        after = before * (1 + sign * limit)
        after = after + chance.integers(-3, 4, 550) * np.spacing(after)
        candles = market(np.column_stack((before, after)).ravel())
        change = Change(sign, limit, 1, from_extreme)
        assert change_flags(candles, change).tolist() == [plain_change(candles, change, i) for i in range(1100)]


@pytest.mark.parametrize("window", [2, 7, 33, 150, LONG_WINDOW + 30])
def test_a_volume_within_rounding_of_its_limit_is_decided_by_the_plain_sum(window: int) -> None:
    chance = np.random.default_rng(window)
    volume = chance.lognormal(0, 2, window + 1100)
    candles = market(volume, volume)
    for i in range(window, len(volume), 3):
        bar = 1.7 * plain_mean(candles, window, i)
        volume[i] = chance.choice([np.nextafter(bar, 0), bar, np.nextafter(bar, np.inf), bar * (1 - 1e-13)])
    flags = spike_flags(candles, window, 1.7)
    assert flags.tolist() == [plain_spike(candles, window, 1.7, i) for i in range(len(volume))]
    assert 50 < flags.sum() < 1000


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e-281, 1e-200, 1e290, 1e300, 5e307])
@pytest.mark.parametrize("window", [2, 20, 150])
def test_tiny_and_huge_volumes_are_decided_as_by_the_plain_rule(scale: float, window: int) -> None:
    chance = np.random.default_rng(3)
    volume: Floats = chance.integers(0, 4, 600) * np.float64(scale)
    volume[chance.random(600) < 0.002] = np.nan
    volume[200:400] = 0.0
    candles = market(np.ones(600), volume)
    for multiplier in (1.0000001, 1.5, 3.0, 1e30):
        with np.errstate(over="ignore"):
            plain = [plain_spike(candles, window, multiplier, i) for i in range(600)]
            assert spike_flags(candles, window, multiplier).tolist() == plain


@pytest.mark.parametrize("window", [LONG_WINDOW, LONG_WINDOW + 1, LONG_WINDOW + 300])
@pytest.mark.parametrize("seconds", [60, 3000, 86_400])
def test_a_mean_volume_does_not_depend_on_its_place_or_on_how_many_are_computed(window: int, seconds: int) -> None:
    chance = np.random.default_rng(window)
    volume = chance.lognormal(0, 2, 3000)
    volume[2500] = np.nan
    time = seconds * np.cumsum(chance.integers(1, 4, 3000))  # with gaps
    ends = np.flatnonzero(np.diff(time >> 13))[:9]
    volume[ends] = 1e16  # so large that what is added to them one by one is lost
    candles = market(np.ones(3000), volume, time, seconds)
    places = np.unique([window, *(ends + window), *np.flatnonzero(chance.random(3000) < 0.05)])
    places = places[(places >= window) & (places < 3000)]
    for i, mean in zip(places.tolist(), mean_volumes(candles, window, places).tolist(), strict=True):
        alone = mean_volumes(candles[i - window : i + 1], window, np.array([window]))[0]
        assert mean == alone == plain_mean(candles, window, i) or np.isnan([mean, alone]).all()
        assert np.isnan(mean) == (i - window <= 2500 < i)


@pytest.mark.parametrize("window", [1, 20, 600])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_references_read_at_some_candles_are_those_of_all(window: int, sign: float) -> None:
    candles = random_candles(4, 1300)
    change, places = Change(sign, 0.01, window, True), np.array([window, 700, 701, 1299])
    plain = [(candles.high[i - window : i].max() if sign < 0 else candles.low[i - window : i].min()) for i in places]
    assert change_references(candles, change, places).tolist() == plain
    assert len(change_references(candles, change, places[:0])) == 0


def test_a_window_longer_than_all_candles_is_never_complete() -> None:
    candles = random_candles(4, 30)
    assert not change_flags(candles, Change(-1.0, 0.01, 31, True)).any()
    assert not change_flags(candles, Change(-1.0, 0.01, 31, False)).any()
    assert not spike_flags(candles, 31, 1.1).any()
    assert not columns.level_flags(candles.close[:0], 1.0, 1.0, crosses=True).any()
