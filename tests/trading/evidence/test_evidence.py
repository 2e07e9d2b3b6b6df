"""Chances, tries and grades, against plain readings of their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategybot.trading.evidence.strength import (
    Elsewhere,
    Evidence,
    Sample,
    SearchEvidence,
    adjust,
    chance_of,
    elsewhere,
    grade_of,
    losing_splits,
    trades_needed,
    upper_tail,
)
from strategybot.trading.evidence.timing import DAY, Exposure, Strength, day_sums


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
    assert adjust(p, 1) == pytest.approx(p)
    assert p - 1e-12 <= adjust(p, tries) <= adjust(p, tries + 1) + 1e-12 <= 1 + 2e-12


@pytest.mark.parametrize(
    ("strength", "decides"),
    [
        (Strength(1.0, 3.0, 3.0, 30), 1.0),
        (Strength(3.0, 1.5, 3.0, 30), 1.5),
        (Strength(3.0, 3.0, 1.0, 30), None),
        (Strength(3.0, 3.0, 3.0, 30), 3.0),
    ],
)
def test_the_weakest_of_timing_money_and_a_quarter_of_the_excess_decides(
    strength: Strength, decides: float | None
) -> None:
    expected = upper_tail(1.0, 30) / 4 if decides is None else upper_tail(decides, 30)
    assert chance_of(strength) == pytest.approx(expected)


def test_without_a_degree_of_freedom_nothing_is_known() -> None:
    assert chance_of(Strength(9.0, 9.0, 9.0, 0)) == 1.0


def strong(t: float, degrees: int = 29) -> Strength:
    return Strength(t, t, t, degrees)


BASE = {"total_return": 0.1, "trades": 50, "mean": 0.01, "strength": strong(3.0)}
GOOD, BAD, UNCLEAR = Elsewhere(0.8, 2.4), Elsewhere(0.2, 2.4), Elsewhere(0.5, 2.4)
COSTLY = Strength(3.0, 0.5, 0.5, 29)


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
        ({"trades": 0, "mean": 0.0, "total_return": -0.1}, False, "too_few"),
        ({"strength": strong(0.5)}, False, "luck"),
        ({"strength": strong(1.2)}, False, "too_few"),
        ({"strength": strong(1.9)}, False, "too_few"),
        ({"strength": strong(2.0)}, False, "holds_up"),
        ({"strength": strong(1.2), "elsewhere": GOOD}, False, "holds_up"),
        ({"strength": strong(1.2), "elsewhere": Elsewhere(0.8, 2.3)}, False, "too_few"),
        ({"strength": strong(1.2), "elsewhere": UNCLEAR}, False, "too_few"),
        ({"strength": strong(0.5), "elsewhere": GOOD}, False, "too_few"),
        ({"strength": COSTLY}, False, "too_few"),
        ({"strength": Strength(0.5, 3.0, 3.0, 29)}, False, "luck"),
        ({"strength": COSTLY, "tries": 1000}, False, "luck"),
        ({"tries": 1000}, False, "luck"),
        ({"tries": 1000, "searched": SearchEvidence(0.05, 20)}, False, "holds_up"),
        ({"tries": 1000, "searched": SearchEvidence(0.05, 19)}, False, "luck"),
        ({"tries": 1000, "searched": SearchEvidence(0.05, 20, earlier_tries=30)}, False, "luck"),
        ({"tries": 1000, "searched": SearchEvidence(0.15, 20)}, False, "luck"),
        ({"strength": strong(3.0, degrees=0)}, False, "luck"),
    ],
)
def test_the_grade_is_the_first_that_fits(changed: dict[str, object], weak: bool, grade: str) -> None:
    assert grade_of(Evidence(**{**BASE, **changed}), weak) == grade  # type: ignore[arg-type]


def test_costs_eat_a_timing_only_where_it_would_be_called_luck() -> None:
    assert Evidence(**{**BASE, "strength": COSTLY}).costs_eat_it  # type: ignore[arg-type]
    for changed in ({}, {"strength": strong(1.2)}, {"strength": COSTLY, "trades": 10}, {"strength": strong(0.5)}):
        assert not Evidence(**{**BASE, **changed}).costs_eat_it  # type: ignore[arg-type]


def test_other_tokens_count_against_strong_evidence_only() -> None:
    assert Evidence(**BASE, elsewhere=BAD).bad_elsewhere  # type: ignore[arg-type]
    assert not Evidence(**{**BASE, "strength": strong(1.0)}, elsewhere=BAD).bad_elsewhere  # type: ignore[arg-type]
    assert not Evidence(**BASE, elsewhere=UNCLEAR).bad_elsewhere  # type: ignore[arg-type]


def test_trades_needed_follow_the_square_of_the_normal_quantile_of_p() -> None:
    many = strong(1.0, degrees=10**6)
    assert trades_needed(Evidence(0.1, 30, 0.01, many)) == math.ceil(30 * 1.8808**2)
    assert trades_needed(Evidence(0.1, 10, 0.01, strong(3.0))) == 20
    assert trades_needed(Evidence(0.1, 10, 0.01, strong(-1.0))) == 20
    assert trades_needed(Evidence(0.1, 30, 0.01, strong(-1.0))) is None
    assert trades_needed(Evidence(0.1, 30, 0.01, strong(99.0), tries=10**9)) == 31
    more = trades_needed(Evidence(0.1, 30, 0.01, strong(1.8), tries=40))
    assert more is not None
    assert more > 30


def sample(shares: list[float], moves: list[float], cost: float = 0.0, trades: int = 1) -> Sample:
    """Return a run that holds these shares in candles that move by these logarithms."""
    held, moved = np.array(shares), np.array(moves)
    sums = day_sums(DAY // len(shares) * 2 * np.arange(len(shares)), Exposure(moved, held, held * (moved - cost)))
    return Sample(np.full(trades, 0.01), sums)


def test_a_token_is_good_if_it_made_money_and_more_than_its_mean_share() -> None:
    assert sample([1, 0, 1, 0], [0.02, 0.01, 0.02, 0.01]).good
    assert not sample([1, 0, 1, 0], [0.01, 0.02, 0.01, 0.02]).good
    assert not sample([1, 0, 1, 0], [0.02, 0.01, 0.02, 0.01], cost=0.01).good
    assert not sample([1, 0, 1, 0], [-0.01, -0.02, -0.01, -0.02]).good


def test_other_tokens_count_only_with_trades() -> None:
    good = sample([1, 0, 1, 0], [0.02, 0.01, 0.02, 0.01])
    bad = sample([1, 0, 1, 0], [0.01, 0.02, 0.01, 0.02])
    none = sample([0, 0, 0, 0], [0.01, 0.02, 0.01, 0.02], trades=0)
    assert elsewhere([none]) is None
    found = elsewhere([none, good, bad, bad])
    assert found is not None
    assert found.share == pytest.approx(1 / 3)


def test_losing_splits_tell_a_steady_variant_from_lucky_ones() -> None:
    chance = np.random.default_rng(5)
    lucky = chance.normal(-0.01, 0.05, (200, 8))
    steady = np.vstack((lucky, np.full((1, 8), 0.5)))
    assert losing_splits(steady) == 0.0
    assert losing_splits(lucky) > 0.3
    assert losing_splits(np.full((3, 8), -0.1)) == 1.0
