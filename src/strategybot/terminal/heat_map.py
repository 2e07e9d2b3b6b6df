"""The variants of a search drawn with characters: a map of two parameters, or a line of bars for one."""

from collections.abc import Iterator, Sequence

import numpy as np
from rich.text import Text

from strategybot.trading.engine.candles import Floats
from strategybot.trading.language.values import plain
from strategybot.trading.search.grid import Axis, Grid

WIDEST_CELL = 8
MOST_COLUMNS, MOST_ROWS = 16, 30
BAR = 30


def heat_map(grid: Grid, returns: Floats, chosen: int | None) -> Iterator[Text]:
    """Yield lines with the return of each cell, the chosen one in brackets; with more than two axes, the best of the
    others.
    """
    cells = returns.reshape(grid.shape)
    place = None if chosen is None else np.unravel_index(chosen, grid.shape)
    if len(grid.axes) > 2:
        cells = np.nanmax(cells, axis=tuple(range(2, len(grid.axes))))
    if len(grid.axes) == 1:
        yield from _bars(grid.axes[0], cells, None if place is None else int(place[0]))
        return
    at = None if place is None else (int(place[0]), int(place[1]))
    yield from _map(grid.axes[0], grid.axes[1], cells, at)
    if len(grid.axes) > 2:
        yield Text("Each cell is the best over the other parameters.", style="dim")


def _map(down: Axis, across: Axis, cells: Floats, chosen: tuple[int, int] | None) -> Iterator[Text]:
    rows, columns = _places_to_show(len(down.values), MOST_ROWS), _places_to_show(len(across.values), MOST_COLUMNS)
    margin = max(len(_words(down.values[row])) for row in rows)
    yield Text(f"{down.path} down, {across.path} across, return in %", style="dim")
    yield Text(" " * margin + "".join(f"{_words(across.values[column]):>{WIDEST_CELL}}" for column in columns))
    largest = float(np.nanmax(np.abs(cells))) if np.isfinite(cells).any() else 1.0
    for row in rows:
        line = Text(f"{_words(down.values[row]):>{margin}}")
        for column in columns:
            line.append_text(_cell(float(cells[row, column]), largest, (row, column) == chosen))
        yield line
    if len(rows) < len(down.values) or len(columns) < len(across.values):
        yield Text("Some rows or columns are left out; --json has all variants.", style="dim")


def _bars(axis: Axis, cells: Floats, chosen: int | None) -> Iterator[Text]:
    margin = max(len(_words(value)) for value in axis.values)
    largest = float(np.nanmax(np.abs(cells))) if np.isfinite(cells).any() else 1.0
    yield Text(f"{axis.path}, return in %", style="dim")
    for row in _places_to_show(len(axis.values), MOST_ROWS):
        value = float(cells[row])
        length = round(BAR * abs(value) / largest) if largest > 0 and np.isfinite(value) else 0
        line = Text(f"{_words(axis.values[row]):>{margin}}")
        line.append_text(_cell(value, largest, row == chosen))
        yield line.append(" " + "█" * length, style=_color(value))


def _cell(value: float, largest: float, is_chosen: bool) -> Text:
    words = "·" if not np.isfinite(value) else f"{value:+.1f}"
    words = f"[{words}]" if is_chosen else words
    strength = 0.0 if not np.isfinite(value) or largest == 0 else abs(value) / largest
    style = _color(value) if np.isfinite(value) else "dim"
    return Text(f"{words:>{WIDEST_CELL}}", style=f"bold reverse {style}" if strength > 0.66 else style)


def _color(value: float) -> str:
    return "green" if value > 0 else "red"


def _places_to_show(count: int, most: int) -> Sequence[int]:
    """Return all places, or `most` of them, evenly spaced."""
    if count <= most:
        return range(count)
    return sorted({round(place) for place in np.linspace(0, count - 1, most).tolist()})


def _words(value: float | str) -> str:
    return value if isinstance(value, str) else plain(value)
