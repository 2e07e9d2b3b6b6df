"""A block gives the same result as the plain rule for each candle, also where rounding decides."""

from collections.abc import Callable

import numpy as np
import pytest

from strategybot.trading.candles import Candles, Floats
from strategybot.trading.conditions import (
    CROSS_ABOVE,
    CROSS_BELOW,
    DROP_FROM_CLOSE,
    DROP_FROM_HIGH,
    IS_ABOVE,
    IS_BELOW,
    LONG_WINDOW,
    RISE_FROM_CLOSE,
    RISE_FROM_LOW,
    VOLUME_SPIKE,
    Columns,
    Conditions,
    columns_of,
    mean_volume,
)
from strategybot.trading.fast.blocks import (
    CERTAIN,
    FEW,
    FLAGS_SET,
    PERHAPS,
    count,
    first_flag,
    load_block,
    lowest_flag,
    new_scratch,
)
from strategybot.trading.fast.meters import Meter
from strategybot.trading.fast.windows import BLOCK, SHORT_WINDOW, find_values, new_sliding
from strategybot.trading.language.conditions import VolumeSpike
from tests.trading.builders import MINUTELESS, by_blocks, one_by_one, random_candles

WINDOWS = [
    1,
    2,
    3,
    5,
    8,
    12,
    20,
    31,
    60,
    64,
    100,
    127,
    SHORT_WINDOW,
    SHORT_WINDOW + 1,
    200,
    700,
    BLOCK - 1,
    BLOCK,
    BLOCK + 1,
]
NO_FLAGS = np.full(10, -1)
EITHER = pytest.mark.parametrize("any_one", [False, True])
PLAIN: dict[int, Callable[[Floats], float]] = {DROP_FROM_HIGH: np.max, RISE_FROM_LOW: np.min, VOLUME_SPIKE: np.sum}


def rows(*conditions: tuple[int, int, float], any_one: bool = False) -> Conditions:
    kinds, windows, limits = zip(*conditions, strict=True)
    return Conditions(np.array(kinds), np.array(windows), np.array(limits, dtype=np.float64), NO_FLAGS, any_one)


def columns(close: Floats, volume: Floats | None = None) -> Columns:
    time = 60 * np.arange(len(close))
    volumes = np.ones(len(close)) if volume is None else volume
    return Columns(time, close, close, close, close, volumes, np.empty((0, len(close)), np.uint8), MINUTELESS)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("kind", PLAIN)
def test_every_window_covers_exactly_the_candles_before_each_candle(kind: int, window: int) -> None:
    column = np.random.default_rng(window).integers(1, 1000, 3 * BLOCK).astype(np.float64)  # whole: sums are exact
    sliding = new_sliding(rows((kind, window, 2.0)), len(column))
    for low in range(0, len(column), BLOCK):
        first, high = max(low, window), min(low + BLOCK, len(column))
        if first < high:
            find_values(kind, column, window, first, high, sliding, 0)
            wanted = [PLAIN[kind](column[i - window : i]) for i in range(first, high)]
            assert sliding.values[: high - first].tolist() == wanted


def test_long_windows_of_one_list_keep_their_tables_apart() -> None:
    column = np.random.default_rng(1).integers(1, 1000, 3 * BLOCK).astype(np.float64)
    windows = {DROP_FROM_HIGH: 200, RISE_FROM_LOW: 330, VOLUME_SPIKE: 150}
    sliding = new_sliding(rows(*((kind, window, 2.0) for kind, window in windows.items())), len(column))
    for first in (BLOCK, 2 * BLOCK):
        for row, (kind, window) in enumerate(windows.items()):
            find_values(kind, column, window, first, first + BLOCK, sliding, row)
            wanted = [PLAIN[kind](column[i - window : i]) for i in range(first, first + BLOCK)]
            assert sliding.values[:BLOCK].tolist() == wanted


def test_tables_are_made_only_for_long_windows_that_can_be_complete() -> None:
    conditions = rows(
        (DROP_FROM_CLOSE, 900, 0.1),
        (DROP_FROM_HIGH, SHORT_WINDOW, 0.1),
        (RISE_FROM_LOW, 300, 0.1),
        (VOLUME_SPIKE, 900, 2.0),
    )
    assert new_sliding(conditions, 1000).offsets.tolist() == [0, 0, 0, 600, 2400]
    assert new_sliding(conditions, 900).offsets.tolist() == [0, 0, 0, 600, 600]
    assert len(new_sliding(conditions, 900).tables) == 600


@pytest.mark.parametrize("window", [20, SHORT_WINDOW + 2])
@EITHER
def test_flags_are_exact_unless_the_plain_rule_checks_them_later(window: int, any_one: bool) -> None:
    candles = columns_of(random_candles(7, 1400))
    for kind, limit in ((DROP_FROM_HIGH, 0.1), (RISE_FROM_LOW, 0.1), (VOLUME_SPIKE, 2.0), (DROP_FROM_CLOSE, 0.05)):
        conditions = rows((kind, window, limit), any_one=any_one)
        scratch = new_scratch(conditions, 1400)
        load_block(conditions, candles, scratch, 1)
        flags = [BLOCK + int(k) for k in np.flatnonzero(scratch.flags)]
        assert flags == [i for i in one_by_one(conditions, candles) if BLOCK <= i < 2 * BLOCK]
        assert scratch.block[FLAGS_SET] == len(flags)
        loose = not any_one and (window <= SHORT_WINDOW or kind == DROP_FROM_CLOSE)
        assert scratch.loose[0] == loose


@pytest.mark.parametrize("seed", range(4))
@EITHER
def test_lists_of_every_kind_are_true_where_the_plain_rule_is_true(seed: int, any_one: bool) -> None:
    candles = columns_of(random_candles(seed, 1400, scale=1e-8, calm=0.002))
    every = [
        (IS_ABOVE, 0, 0.98e-8),
        (IS_BELOW, 0, 1.05e-8),
        (CROSS_ABOVE, 1, 1e-8),
        (CROSS_BELOW, 1, 1e-8),
        (DROP_FROM_CLOSE, 9, 0.01),
        (RISE_FROM_CLOSE, 600, 0.02),
        (DROP_FROM_HIGH, 40, 0.03),
        (RISE_FROM_LOW, 300, 0.04),
        (VOLUME_SPIKE, 15, 1.5),
        (VOLUME_SPIKE, 400, 1.2),
        (VOLUME_SPIKE, 1100, 1.2),
    ]
    for first in range(len(every)):
        for second in range(first, len(every)):
            conditions = rows(every[first], every[second], any_one=any_one)
            assert by_blocks(conditions, candles) == one_by_one(conditions, candles)


@pytest.mark.parametrize("window", [2, 7, 33, 150])
@EITHER
def test_a_volume_within_rounding_of_its_limit_is_decided_by_the_plain_sum(window: int, any_one: bool) -> None:
    chance = np.random.default_rng(window)
    volume = chance.lognormal(0, 2, 1100)
    for i in range(window, len(volume), 3):
        bar = 1.7 * mean_volume(columns(volume, volume), window, i)
        volume[i] = chance.choice([np.nextafter(bar, 0), bar, np.nextafter(bar, np.inf), bar * (1 - 1e-13)])
    conditions = rows((VOLUME_SPIKE, window, 1.7), any_one=any_one)
    candles = columns(np.ones(1100), volume)
    assert 50 < len(one_by_one(conditions, candles)) < 1000
    assert by_blocks(conditions, candles) == one_by_one(conditions, candles)


@pytest.mark.parametrize("window", [LONG_WINDOW, LONG_WINDOW + 1, LONG_WINDOW + 300])
@pytest.mark.parametrize("seconds", [60, 3000, 86_400])
def test_the_sum_of_a_long_window_does_not_depend_on_its_place_or_on_how_many_are_computed(
    window: int, seconds: int
) -> None:
    chance = np.random.default_rng(window)
    volume = chance.lognormal(0, 2, 3000)
    volume[2500] = np.nan
    time = seconds * np.cumsum(chance.integers(1, 4, 3000))  # with gaps
    flat = np.ones(3000)
    candles = Candles(seconds, time, flat, flat, flat, flat, volume)
    ends = np.flatnonzero(np.diff(time >> 13))[
        :9
    ]  # of stretches, so large that what is added to them one by one is lost
    volume[ends] = 1e16
    places = np.unique([window, *(ends + window), *np.flatnonzero(chance.random(3000) < 0.05)])
    places = places[(places >= window) & (places < 3000)]
    means = np.empty(len(places))
    meter = Meter(VolumeSpike(kind="volume_spike", multiplier=1.01, window="30d"), candles)
    meter._find_references(VOLUME_SPIKE, window, places, means)
    for i, mean in zip(places.tolist(), means.tolist(), strict=True):
        alone = columns_of(candles[i - window : i + 1])
        plain = mean_volume(alone, window, window)
        assert (mean, mean) == (plain, mean_volume(columns_of(candles), window, i)) or np.isnan([mean, plain]).all()
        assert np.isnan(plain) == (i - window <= 2500 < i)
        assert np.isnan(plain) or plain == pytest.approx(volume[i - window : i].mean(), rel=1e-13)


@pytest.mark.parametrize(("window", "seconds"), [(1024, None), (1025, 8192)])
def test_volumes_are_summed_in_the_published_order(window: int, seconds: int | None) -> None:
    """One by one up to 1024 candles, and by stretches of 8192 seconds beyond: no other order has the same bits."""
    volume = np.random.default_rng(8).lognormal(0, 3, window + 1)
    candles = columns(volume, volume)
    parts: dict[int, float] = {}
    for time, amount in zip(candles.time[:window].tolist(), volume[:window].tolist(), strict=True):
        stretch = time // seconds if seconds else 0
        parts[stretch] = parts.get(stretch, 0.0) + amount
    total = 0.0
    for part in parts.values():
        total += part
    assert mean_volume(candles, window, window) == total / window


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e-281, 1e-200, 1e290, 1e300, 5e307])
@pytest.mark.parametrize("window", [2, 20, 150])
@EITHER
def test_tiny_and_huge_volumes_are_decided_as_by_the_plain_rule(scale: float, window: int, any_one: bool) -> None:
    chance = np.random.default_rng(3)
    volume: Floats = chance.integers(0, 4, 1100) * np.float64(scale)
    volume[chance.random(1100) < 0.002] = np.nan
    volume[400:600] = 0.0
    for multiplier in (1.0000001, 1.5, 3.0, 1e30):
        conditions = rows((VOLUME_SPIKE, window, multiplier), any_one=any_one)
        candles = columns(np.ones(1100), volume)
        with np.errstate(over="ignore"):
            assert by_blocks(conditions, candles) == one_by_one(conditions, candles)


@pytest.mark.parametrize("kind", [DROP_FROM_CLOSE, RISE_FROM_CLOSE, DROP_FROM_HIGH, RISE_FROM_LOW])
@pytest.mark.parametrize("scale", [1e-315, 1e-300, 1e-8, 1.0, 1e300])
@EITHER
def test_a_change_within_rounding_of_its_limit_is_decided_by_the_plain_rule(
    kind: int, scale: float, any_one: bool
) -> None:
    chance = np.random.default_rng(5)
    for limit in (0.01, 0.1 / 3, 0.7, 1e-17, 1e-300):
        falls = kind in (DROP_FROM_CLOSE, DROP_FROM_HIGH)
        before = scale * (1 + chance.random(550))
        after = before * (1 - limit if falls else 1 + limit)
        after = after + chance.integers(-3, 4, 550) * np.spacing(after)
        candles = columns(np.column_stack((before, after)).ravel())
        conditions = rows((kind, 1, limit), any_one=any_one)
        assert by_blocks(conditions, candles) == one_by_one(conditions, candles)


def test_few_remaining_candles_are_left_to_the_plain_rule_and_many_are_filtered() -> None:
    close = np.full(BLOCK, 2.0)
    close[::4] = 1.0
    level, spike = (IS_BELOW, 0, 1.5), FEW // (BLOCK // 4)
    for window, set_ in ((spike, BLOCK // 4), (spike + 1, 0)):
        conditions = rows(level, (VOLUME_SPIKE, window, 2.0))
        scratch = new_scratch(conditions, BLOCK)
        load_block(conditions, columns(close), scratch, 0)
        assert scratch.block[FLAGS_SET] == set_
        assert scratch.loose.tolist() == [0, 1]


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.99, 1])
def test_flags_are_counted_many_at_a_time(share: float) -> None:
    words = np.zeros(BLOCK // 8, np.int64)
    flags = words.view(np.uint8)
    flags[:] = np.random.default_rng(1).random(BLOCK) < share
    assert count(words) == np.count_nonzero(flags)


def test_the_lowest_of_eight_flags_is_found_whatever_the_higher_ones_are() -> None:
    for pattern in range(1, 256):
        for certain in (PERHAPS, CERTAIN):
            word = sum(certain << (8 * k) for k in range(8) if pattern >> k & 1)
            assert lowest_flag(word) == (pattern & -pattern).bit_length() - 1


@pytest.mark.parametrize("window", [0, 30])
def test_the_first_flag_is_found_from_every_candle_to_every_end_of_a_block(window: int) -> None:
    chance = np.random.default_rng(window)
    close = np.where(chance.random(2 * BLOCK) < 0.05, 1.0, 2.0)
    close[700:900] = 2.0
    conditions = rows((IS_BELOW, 0, 1.5), (VOLUME_SPIKE, window, 1.1)) if window else rows((IS_BELOW, 0, 1.5))
    candles = columns(close, chance.lognormal(0, 1, 2 * BLOCK))
    true = one_by_one(conditions, candles)
    assert len(true) > 20
    scratch = new_scratch(conditions, 2 * BLOCK)
    for i, end in chance.integers(BLOCK, 2 * BLOCK, (3000, 2)).tolist():
        if i < end:
            assert first_flag(conditions, candles, scratch, i, end) == next((k for k in true if i <= k < end), end)
