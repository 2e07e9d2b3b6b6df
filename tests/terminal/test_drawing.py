"""The text chart: it fits, it has no gap, and it shows the extremes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategybot.terminal.drawing import LEAST_COLUMNS, draw, reach

VALUES = st.lists(st.floats(0.01, 1e9), min_size=1, max_size=50)


def drawn(values: list[float], dots: list[float] | None = None, width: int = 40, height: int = 6) -> list[str]:
    line = np.array(values)
    return draw(np.arange(len(values)) * 60, line, np.array(dots or values), width=width, height=height)


def test_a_rising_line_runs_from_the_lower_left_to_the_upper_right() -> None:
    rows = drawn([1, 2], width=26, height=4)
    assert [row.split("┤")[0].strip() for row in rows] == ["2.00", "", "", "1.00"]
    firsts = [next(i for i, sign in enumerate(row.split("┤")[1]) if sign != " ") for row in rows]
    assert firsts == sorted(firsts, reverse=True)


def test_a_flat_line_lies_in_the_middle_with_one_label() -> None:
    rows = drawn([5, 5, 5], width=20, height=3)
    assert [row.strip() for row in rows] == ["┤", "5.00 ┤" + "⠤" * 14, "┤"]


def test_the_comparison_is_dotted_behind_the_line() -> None:
    rows = drawn([1, 1], [2, 2], width=20, height=3)
    assert rows[0] == "2.00 ┤" + "·" * 14
    assert rows[2] == "1.00 ┤" + "⣀" * 14


def test_large_amounts_have_no_cents() -> None:
    assert drawn([12345.678, 20000])[0].startswith("20,000 ┤")


@given(values=VALUES, width=st.integers(1, 130), height=st.integers(1, 20))
def test_the_line_fits_and_has_no_gap(values: list[float], width: int, height: int) -> None:
    rows = drawn(values, width=width, height=height)
    margin = rows[0].index("┤") + 1
    columns = max(LEAST_COLUMNS, width - margin)
    assert len(rows) == height
    assert max(map(len, rows)) <= margin + columns
    picture = [row[margin:].ljust(columns) for row in rows]
    assert all(any(sign != " " for sign in column) for column in zip(*picture, strict=True))


@given(values=VALUES, columns=st.integers(1, 60))
def test_no_extreme_is_lost_between_columns(values: list[float], columns: int) -> None:
    low, high = reach(np.arange(len(values)) * 60, np.array(values), columns)
    assert low.min() == pytest.approx(min(values))
    assert high.max() == pytest.approx(max(values))
    assert (low <= high).all()
    assert (low[1:] <= high[:-1]).all()
    assert (high[1:] >= low[:-1]).all()
