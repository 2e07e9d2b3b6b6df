"""Each quick test by itself: what it may accept, what it must never reject, and when it must report doubt."""

from collections.abc import Sequence

import numpy as np
import pytest

from strategybot.trading.candles import Floats
from strategybot.trading.comparisons import Flags
from strategybot.trading.conditions import (
    CROSS_ABOVE,
    CROSS_BELOW,
    DROP_FROM_CLOSE,
    DROP_FROM_HIGH,
    IS_ABOVE,
    IS_BELOW,
    RISE_FROM_CLOSE,
    RISE_FROM_LOW,
    Columns,
)
from strategybot.trading.fast.judges import (
    HUGE,
    TINY,
    change_in_doubt,
    far_below,
    judge_change,
    judge_level,
    judge_volume,
    rounding,
    settle_change,
    settle_volume,
    sure_limit,
    surely_changed,
    volume_in_doubt,
)
from tests.trading.builders import MINUTELESS

FALLS, RISES = (DROP_FROM_CLOSE, DROP_FROM_HIGH), (RISE_FROM_CLOSE, RISE_FROM_LOW)
ULP = 2.0**-52


def floats(values: Sequence[float]) -> Floats:
    return np.array(values, dtype=np.float64)


def flags(length: int, value: int = 0) -> Flags:
    return np.full(length, value, dtype=np.uint8)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (CROSS_ABOVE, [0, 0, 0, 1, 1, 0, 0, 0, 0]),
        (CROSS_BELOW, [0, 0, 0, 0, 0, 0, 0, 1, 1]),
        (IS_ABOVE, [0, 1, 1, 1, 1, 1, 1, 1, 0]),
        (IS_BELOW, [1, 1, 0, 1, 0, 1, 0, 1, 1]),
    ],
)
def test_a_level_is_crossed_or_reached(kind: int, wanted: list[int]) -> None:
    #        below→below, at→at, above→above, below→at, below→above, at→at, at→above, above→at, above→below
    before = floats([1, 2, 3, 1, 1, 2, 2, 3, 3])
    close = floats([1, 2, 3, 2, 3, 2, 3, 2, 1])
    truths = flags(len(close), 9)
    judge_level(kind, 2.0, before, close, truths)
    assert truths.tolist() == wanted


def changed(kind: int, reference: Floats, by: Floats) -> Floats:
    return reference * (1.0 - by if kind in FALLS else 1.0 + by)


@pytest.mark.parametrize("kind", [*FALLS, *RISES])
class TestChange:
    limit = 0.25  # a change of just so much is no rounded number

    def test_true_candles_are_never_rejected_and_accepted_ones_are_near_the_limit(self, kind: int) -> None:
        chance, limit = np.random.default_rng(kind), 0.1 / 3
        reference = 1.0 + chance.random(400)
        close = changed(
            kind, reference, floats([limit * (1.0 + steps * ULP) for steps in chance.integers(-40, 40, 400)])
        )
        loose, exact = flags(400), flags(400)
        judge_change(kind, limit, reference, close, loose)
        settle_change(kind, limit, reference, close, exact)
        assert 50 < exact.sum() < 350
        assert (loose >= exact).all()
        clear = changed(kind, reference, np.full(400, limit * (1.0 - 1e-12)))
        judge_change(kind, limit, reference, clear, loose)
        assert not loose.any()

    def test_only_accepted_candles_close_to_the_limit_are_in_doubt(self, kind: int) -> None:
        reference = floats([2.0, 3.0])
        close = changed(kind, reference, floats([self.limit, 0.5]))
        assert change_in_doubt(kind, self.limit, reference, close, flags(2, 1))
        assert not change_in_doubt(kind, self.limit, reference, close, np.array([0, 1], dtype=np.uint8))
        clear = changed(kind, reference, floats([self.limit * (1.0 + 1e-12), 0.5]))
        assert not change_in_doubt(kind, self.limit, reference, clear, flags(2, 1))
        assert change_in_doubt(kind, TINY, reference, clear, flags(2, 1))

    def test_prices_too_small_for_a_relative_error_are_in_doubt(self, kind: int) -> None:
        reference = floats([TINY / 2])
        close = changed(kind, reference, floats([0.9]))
        assert change_in_doubt(kind, self.limit, reference, close, flags(1, 1))
        assert not surely_changed(kind, self.limit, reference[0], close[0])

    def test_a_sure_change_is_true_and_a_clear_change_is_sure(self, kind: int) -> None:
        for limit in (self.limit, 0.5, 0.125):
            close = float(changed(kind, floats([2.0]), floats([limit]))[0])
            assert not surely_changed(kind, limit, 2.0, close)
            assert surely_changed(kind, limit, 2.0, float(changed(kind, floats([2.0]), floats([limit + 1e-12]))[0]))
            assert not surely_changed(kind, limit, 2.0, float(changed(kind, floats([2.0]), floats([-limit]))[0]))

    def test_settling_uses_the_quotient_of_the_plain_rule(self, kind: int) -> None:
        truths = flags(3, 9)
        settle_change(
            kind, 0.25, floats([4.0, 4.0, 4.0]), changed(kind, floats([4.0] * 3), floats([0.25, 0.2, -0.25])), truths
        )
        assert truths.tolist() == [1, 0, 0]


def test_nothing_is_sure_about_a_limit_too_small_for_a_relative_error() -> None:
    assert sure_limit(TINY) == np.inf
    assert TINY < sure_limit(2 * TINY) < 3 * TINY
    assert 0.1 < sure_limit(0.1) < 0.1 * (1 + 1e-12)
    assert surely_changed(DROP_FROM_HIGH, 0.5, 2 * TINY, 0.0) is False  # half a TINY too little


def bar(limit: float, window: int, total: float) -> float:
    return limit * total / window


@pytest.mark.parametrize("window", [1, 4, 50, 1000])
class TestVolume:
    limit = 1.7

    def near(self, window: int) -> float:
        """Return the relative distance from the limit that no rounding error reaches."""
        return 4 * rounding(window)

    def test_all_volumes_near_the_limit_are_accepted_and_none_farther_away(self, window: int) -> None:
        sums = floats([10.0, 10.0, 10.0, 0.0])
        at = bar(self.limit, window, 10.0)
        volume = floats([at * (1.0 - rounding(window) / 2), at, at * (1.0 - self.near(window)), 5.0])
        truths = flags(4, 9)
        judge_volume(self.limit, window, sums, volume, truths)
        assert truths.tolist() == [1, 1, 0, 0]

    def test_tiny_and_huge_sums_accept_more(self, window: int) -> None:
        truths = flags(2, 9)
        sums = floats([TINY / 2, HUGE * 1e7])
        judge_volume(self.limit, window, sums, floats([0.0, HUGE]), truths)
        assert truths.tolist() == [1, 1]
        assert volume_in_doubt(self.limit, window, sums[:1], floats([1.0]), flags(1, 1))
        assert volume_in_doubt(self.limit, window, sums[1:], floats([np.inf]), flags(1, 1))

    @pytest.mark.parametrize("total", [TINY, HUGE])
    def test_a_sum_at_the_tiny_or_huge_border_is_in_doubt(self, window: int, total: float) -> None:
        assert volume_in_doubt(self.limit, window, floats([total]), floats([total * 1e5]), flags(1, 1))

    def test_only_accepted_volumes_close_to_the_limit_are_in_doubt(self, window: int) -> None:
        sums = floats([10.0, 10.0])
        at = bar(self.limit, window, 10.0)
        volume = floats([at, 9 * at])
        assert volume_in_doubt(self.limit, window, sums, volume, flags(2, 1))
        assert not volume_in_doubt(self.limit, window, sums, volume, np.array([0, 1], dtype=np.uint8))
        volume[0] = at * (1.0 + self.near(window))
        assert not volume_in_doubt(self.limit, window, sums, volume, flags(2, 1))

    def test_only_doubtful_flags_are_checked_with_the_plain_sum(self, window: int) -> None:
        volume = np.ones(window + 4)
        volume[window:] = [self.limit * (1.0 - 1e-15), self.limit * 2, self.limit, 0.0]
        prices = (volume, volume, volume, volume, volume)
        columns = Columns(60 * np.arange(len(volume)), *prices, np.empty((0, len(volume)), np.uint8), MINUTELESS)
        tiny, misled, honest = TINY / 2, window * 1e-3, float(window)
        for sums, before, wanted in (
            ([honest] * 4, [1, 1, 0, 0], [0, 1, 0, 0]),  # a rejected candle is not checked again
            ([tiny] * 4, [1, 1, 0, 1], None),
            ([misled] * 3 + [honest], [1, 1, 1, 1], [1, 1, 1, 0]),  # sure by the sum that it was given
        ):
            truths = np.array(before, dtype=np.uint8)
            settle_volume(self.limit, window, columns, window, floats(sums), truths)
            plain = [int(volume[i] >= self.limit * (volume[i - window : i].mean())) for i in range(window, window + 4)]
            plain = [true & let for true, let in zip(plain, before, strict=True)]
            assert truths.tolist() == (wanted or plain)

    def test_a_volume_is_far_below_if_no_order_of_summing_could_reach_the_limit(self, window: int) -> None:
        before = np.random.default_rng(window).random(window)
        quarters = 4 * (window // 4)
        at = bar(self.limit, window, float(before[:quarters].sum()))
        assert far_below(self.limit, before, at * (1.0 - self.near(window))) == (quarters > 0)
        assert not far_below(self.limit, before, at)
        assert not far_below(self.limit, before, at * 2)


def test_each_quarter_of_a_window_is_summed_and_what_is_left_over_is_not() -> None:
    for place in range(10):
        before = np.zeros(11)
        before[place] = 8.0
        assert far_below(11.0, before, 7.9) == (place < 8)


def test_an_infinite_limit_is_never_far_above() -> None:
    before = np.full(4, HUGE / 8)
    assert far_below(4.0, before, HUGE / 4)
    assert not far_below(16.0, before, HUGE / 4)


def test_the_error_bound_exceeds_the_error_of_a_sum_in_any_order() -> None:
    for window in (1, 7, 64, 1000):
        error = (window - 1) * ULP / 2 + 8 * ULP  # the sum, and each product and quotient made of it
        assert error < rounding(window) < 6 * error
