"""Clustered t, tails, tries and grades, against plain readings of their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategybot.trading.evidence import (
    Elsewhere,
    Evidence,
    Sample,
    adjusted,
    clustered_t,
    elsewhere,
    grade_of,
    losing_splits,
    trades_needed,
    upper_tail,
)

returns = st.floats(-0.5, 0.5, allow_nan=False).map(lambda value: round(value, 6))
trades = st.lists(st.tuples(returns, st.integers(0, 6)), min_size=2, max_size=60)


def plain_t(rows: list[tuple[float, int]]) -> float:
    """Return t, computed directly from its definition."""
    values = [value for value, _ in rows]
    mean = sum(values) / len(values)
    days = {day for _, day in rows}
    squares = sum(sum(value - mean for value, at in rows if at == day) ** 2 for day in days)
    return sum(values) / math.sqrt(len(days) / (len(days) - 1) * squares)


@given(trades)
def test_clustered_t_equals_its_definition(rows: list[tuple[float, int]]) -> None:
    values, days = np.array([value for value, _ in rows]), np.array([day for _, day in rows])
    found = clustered_t(values, days)
    assert found.clusters == len(set(days.tolist()))
    if found.clusters > 1 and math.isfinite(found.t) and found.t != 0:
        assert found.t == pytest.approx(plain_t(rows), rel=1e-6)


@given(trades, st.randoms())
def test_order_of_trades_does_not_matter(rows: list[tuple[float, int]], chance: object) -> None:
    shuffled = list(rows)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = (
        clustered_t(np.array([value for value, _ in each]), np.array([day for _, day in each]))
        for each in (rows, shuffled)
    )
    assert one.clusters == other.clusters
    if math.isfinite(one.t) and math.isfinite(other.t):
        assert one.t == pytest.approx(other.t, rel=1e-6, abs=1e-9)


def test_copies_of_a_trade_on_its_day_add_no_evidence() -> None:
    chance = np.random.default_rng(1)
    values, days = chance.normal(0.01, 0.05, 30), np.arange(30)
    once = clustered_t(values, days)
    often = clustered_t(np.repeat(values, 5), np.repeat(days, 5))
    assert often.t == pytest.approx(once.t)


@pytest.mark.parametrize(
    ("values", "days", "t"),
    [([], [], 0.0), ([0.1, 0.2], [1, 1], 0.0), ([0.1, 0.1], [1, 2], math.inf), ([-0.1, -0.1], [1, 2], -math.inf)],
)
def test_t_is_infinite_or_zero_where_the_days_have_no_spread(values: list[float], days: list[int], t: float) -> None:
    assert clustered_t(np.array(values), np.array(days)).t == t


@pytest.mark.parametrize(
    ("t", "degrees", "tail"),
    # From tables of Student's distribution.
    [(1.645, 10_000, 0.05), (6.314, 1, 0.05), (2.132, 4, 0.05), (1.812, 10, 0.05), (2.764, 10, 0.01), (0, 5, 0.5)],
)
def test_upper_tail_is_that_of_student(t: float, degrees: int, tail: float) -> None:
    close = 0.008 if degrees == 1 else 0.0003
    assert upper_tail(t, degrees) == pytest.approx(tail, abs=close)
    assert upper_tail(-t, degrees) == pytest.approx(1 - tail, abs=close)


@given(st.floats(0, 1), st.integers(1, 5000))
def test_more_tries_never_strengthen_the_evidence(p: float, tries: int) -> None:
    assert adjusted(p, 1) == pytest.approx(p)
    assert p - 1e-12 <= adjusted(p, tries) <= adjusted(p, tries + 1) + 1e-12 <= 1 + 2e-12


BASE = {"total_return": 0.1, "trades": 50, "mean": 0.01, "t": 3.0, "clusters": 30}
GOOD, BAD, UNCLEAR = Elsewhere(0.8, 2.0), Elsewhere(0.2, 2.0), Elsewhere(0.5, 2.0)


@pytest.mark.parametrize(
    ("changed", "weak", "grade"),
    [
        ({}, False, "holds_up"),
        ({}, True, "fragile"),
        ({"total_return": 0.0}, False, "loses"),
        ({"mean": -0.001}, False, "loses"),
        ({"trades": 19}, False, "too_few"),
        ({"trades": 19, "mean": 0.0}, False, "loses"),
        ({"trades": 0, "mean": 0.0, "total_return": 0.0}, False, "too_few"),
        ({"trades": 0, "mean": 0.0, "total_return": -0.1}, False, "loses"),
        ({"t": 0.5}, False, "luck"),
        ({"t": 1.2}, False, "too_few"),
        ({"t": 1.2, "elsewhere": GOOD}, False, "holds_up"),
        ({"t": 1.2, "elsewhere": UNCLEAR}, False, "too_few"),
        ({"t": 0.5, "elsewhere": GOOD}, False, "too_few"),
        ({"tries": 1000}, False, "luck"),
        ({"tries": 1000, "search_loss": 0.05}, False, "holds_up"),
        ({"tries": 1000, "search_loss": 0.15}, False, "luck"),
        ({"clusters": 1}, False, "luck"),
    ],
)
def test_the_grade_is_the_first_that_fits(changed: dict[str, object], weak: bool, grade: str) -> None:
    assert grade_of(Evidence(**{**BASE, **changed}), weak) == grade  # type: ignore[arg-type]


def test_other_tokens_count_against_strong_evidence_only() -> None:
    assert Evidence(**BASE, elsewhere=BAD).bad_elsewhere  # type: ignore[arg-type]
    assert not Evidence(**{**BASE, "t": 1.0}, elsewhere=BAD).bad_elsewhere  # type: ignore[arg-type]
    assert not Evidence(**BASE, elsewhere=UNCLEAR).bad_elsewhere  # type: ignore[arg-type]


def test_trades_needed_follow_the_square_of_t() -> None:
    one_try = Evidence(0.1, 30, 0.01, 1.0, 20)
    assert trades_needed(one_try) == math.ceil(30 * 1.6448536**2)
    assert trades_needed(Evidence(0.1, 10, 0.01, 3.0, 8)) == 20
    assert trades_needed(Evidence(0.1, 10, 0.01, -1.0, 8)) == 20
    more = trades_needed(Evidence(0.1, 30, 0.01, 1.8, 20, tries=40))
    assert more is not None
    assert more > 30


def sample(*values: float, base: float = 0.0) -> Sample:
    return Sample(np.array(values), np.arange(len(values)), base)


def test_other_tokens_count_only_with_trades_and_above_their_average_entry() -> None:
    assert elsewhere([sample()]) is None
    found = elsewhere([sample(), sample(0.02, 0.01), sample(0.02, 0.01, base=0.05), sample(-0.02, 0.01)])
    assert found is not None
    assert found.share == pytest.approx(1 / 3)


def test_the_strength_is_the_smaller_of_the_two_t_values() -> None:
    values = np.random.default_rng(3).normal(0.02, 0.03, 40)
    rising = Sample(values, np.arange(40), 0.02)
    falling = Sample(values, np.arange(40), -0.02)
    assert rising.strength().t == clustered_t(values - 0.02, np.arange(40)).t
    assert falling.strength().t == clustered_t(values, np.arange(40)).t


def test_losing_splits_tell_a_steady_variant_from_lucky_ones() -> None:
    chance = np.random.default_rng(5)
    lucky = chance.normal(-0.01, 0.05, (200, 8))
    steady = np.vstack((lucky, np.full((1, 8), 0.5)))
    assert losing_splits(steady) == 0.0
    assert losing_splits(lucky) > 0.3
    assert losing_splits(np.full((3, 8), -0.1)) == 1.0
