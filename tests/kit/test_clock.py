"""The steady clock while the system clock is set."""

from datetime import UTC, datetime, timedelta

import pytest

from strategybot.kit.clock import SteadyClock

HOURS = 7200.0


class Hands:
    """A fake system clock, and the seconds since boot."""

    def __init__(self) -> None:
        self.wall, self.counted = 1_800_000_000.0, 50.0

    def go_on(self, seconds: float) -> None:
        self.wall += seconds
        self.counted += seconds


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def clock(hands: Hands) -> SteadyClock:
    return SteadyClock(lambda: hands.wall, lambda: hands.counted)


@pytest.mark.parametrize("jump", [HOURS, -HOURS])
def test_setting_the_clock_changes_time_by_at_most_a_twentieth(clock: SteadyClock, hands: Hands, jump: float) -> None:
    hands.wall += jump
    before = clock()
    for _ in range(100):
        hands.go_on(1)
        after = clock()
        assert timedelta(seconds=0.94) < after - before < timedelta(seconds=1.06)
        before = after


def test_a_clock_set_forward_and_back_is_correct_again(clock: SteadyClock, hands: Hands) -> None:
    for jump in (HOURS, -HOURS):
        hands.wall += jump
        for _ in range(60):
            hands.go_on(1)
            clock()
    assert abs(clock() - datetime.fromtimestamp(hands.wall, UTC)) < timedelta(milliseconds=1)


def test_it_catches_up_with_a_corrected_clock(clock: SteadyClock, hands: Hands) -> None:
    hands.wall += 60
    for _ in range(1300):
        hands.go_on(1)
        clock()
    assert abs(clock() - datetime.fromtimestamp(hands.wall, UTC)) < timedelta(milliseconds=1)
