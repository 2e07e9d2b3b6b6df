"""Text charts: the equity curve as a braille line, the comparison as dots behind it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategybot.trading.engine.candles import Floats, Integers

LINE_LEGEND, DOTS = "⠒", "·"
LEAST_COLUMNS = 8
DOTS_ACROSS, DOTS_DOWN = 2, 4  # in one braille character
_WEIGHTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
_BLANK = 0x2800


class Scale(NamedTuple):
    top: float
    bottom: float

    def rows(self, values: Floats, count: int) -> Integers:
        """Return the row of each value, counted from the top of `count` rows. A flat curve is in the middle."""
        height = self.top - self.bottom
        share = (self.top - values) / height if height > 0 else np.full(len(values), 0.5)
        return np.rint(share * (count - 1)).astype(np.int64)


def draw(times: Integers, line: Floats, dots: Floats, *, width: int, height: int) -> list[str]:
    """Return lines of at most `width` characters, labelled with the highest and lowest value."""
    scale = Scale(float(max(line.max(), dots.max())), float(min(line.min(), dots.min())))
    labels = _labels(scale, float(line[0]), height)
    margin = max(map(len, labels))
    columns = max(LEAST_COLUMNS, width - margin - 2)
    picture = _picture(times, line, dots, scale, columns, height)
    return [f"{label:>{margin}} ┤{row}".rstrip() for label, row in zip(labels, picture, strict=True)]


def amount(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:,.2f}"


def _labels(scale: Scale, first: float, height: int) -> list[str]:
    labels = [""] * height
    labels[scale.rows(np.array([first]), height)[0]] = amount(first)
    if scale.top > scale.bottom:
        labels[0], labels[-1] = amount(scale.top), amount(scale.bottom)
    return labels


def _picture(times: Integers, line: Floats, dots: Floats, scale: Scale, columns: int, height: int) -> list[str]:
    characters = np.where(_dot(times, dots, scale, columns, height), DOTS, " ")
    cells = _braille(times, line, scale, columns, height)
    for row, column in np.argwhere(cells):
        characters[row, column] = chr(_BLANK + cells[row, column])
    return ["".join(row) for row in characters]


def _dot(times: Integers, values: Floats, scale: Scale, columns: int, height: int) -> NDArray[np.bool_]:
    middles = (np.arange(columns) + 0.5) / columns * (times[-1] - times[0]) + times[0]
    rows = scale.rows(np.interp(middles, times, values), height * DOTS_DOWN) // DOTS_DOWN
    marked: NDArray[np.bool_] = np.arange(height)[:, None] == rows
    return marked


def _braille(times: Integers, values: Floats, scale: Scale, columns: int, height: int) -> Integers:
    low, high = reach(times, values, columns * DOTS_ACROSS)
    count = height * DOTS_DOWN
    rows = np.arange(count)[:, None]
    set_ = (rows >= scale.rows(high, count)) & (rows <= scale.rows(low, count))
    blocks = set_.reshape(height, DOTS_DOWN, columns, DOTS_ACROSS)
    cells: Integers = np.einsum("hdca,da->hc", blocks, _WEIGHTS)
    return cells


def reach(times: Integers, values: Floats, columns: int) -> tuple[Floats, Floats]:
    """Return the lowest and highest value of each column. Adjacent columns overlap, so that the line has no gap."""
    edges = np.linspace(times[0], times[-1], columns + 1)
    at_edges = np.interp(edges, times, values)
    low, high = np.minimum(at_edges[:-1], at_edges[1:]), np.maximum(at_edges[:-1], at_edges[1:])
    place = np.clip(np.searchsorted(edges, times, side="right") - 1, 0, columns - 1)
    np.minimum.at(low, place, values)
    np.maximum.at(high, place, values)
    return low, high
