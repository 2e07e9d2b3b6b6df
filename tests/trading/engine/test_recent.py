"""The newest candles of a growing series, whatever the sizes of the parts that are added."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategybot.trading.engine.candles import Candles, concatenate, empty_candles
from strategybot.trading.engine.recent import SPARE, Recent
from tests.trading.builders import MINUTE, random_candles

WALK = random_candles(3, 400)


def same(one: Candles, other: Candles) -> bool:
    pairs = zip(one.columns(), other.columns(), strict=True)
    return one.interval_seconds == other.interval_seconds and all(
        np.array_equal(*pair, equal_nan=True) for pair in pairs
    )


@given(kept=st.integers(0, 90), portions=st.lists(st.integers(0, 50), max_size=30))
def test_the_kept_candles_are_followed_by_the_new_ones(kept: int, portions: list[int]) -> None:
    recent, before, first = Recent(MINUTE, kept), empty_candles(MINUTE), 0
    handed_out: list[tuple[Candles, Candles]] = []
    for count in portions:
        new = WALK[first : first + count]
        wanted = concatenate((before, new))
        handed_out.append((recent.add(new), wanted))
        before, first = wanted[max(0, len(wanted) - kept) :], first + count
    assert all(same(seen, wanted) for seen, wanted in handed_out)  # at the end, too: nothing is written over


@pytest.mark.parametrize("kept", [0, 5, 300])
def test_the_candles_are_copied_only_once_in_a_while(kept: int) -> None:
    recent = Recent(MINUTE, kept)
    recent.add(WALK[:kept])
    rooms = []
    for i in range(kept, kept + 2 * SPARE):
        recent.add(WALK[i : i + 1])
        rooms.append(recent.room)
    assert sum(one is not other for one, other in pairwise(rooms)) <= 2
