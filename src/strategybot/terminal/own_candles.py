"""A user's own candles from a CSV file. Every row counts as a closed candle; unusable rows are reported."""

import csv
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from math import nan
from pathlib import Path
from typing import TextIO

import numpy as np

from strategybot.terminal.moments import unix_seconds
from strategybot.terminal.stop import NOTHING_TO_WORK_WITH, Stop
from strategybot.trading.engine.candles import FIELDS, MOST_CANDLES, Candles, DataReport, Floats, tidy
from strategybot.trading.words.numbers import duration_words

NAMES = {field: {field} for field in FIELDS} | {"time": {"time", "timestamp", "date", "datetime"}}
NEEDED = ("time", "close")
DELIMITERS = ",;\t|"
LONGEST_INTERVAL = 86_400


def read_candles(file: Path, interval_seconds: int | None) -> tuple[Candles, DataReport]:
    """Return the candles of the file. Without `interval_seconds`, the most frequent distance between rows is the
    interval.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            columns = _columns(lines, file)
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror or error}.") from None
    except (UnicodeDecodeError, csv.Error):
        raise Stop(f"{file} is not a CSV file in UTF-8.") from None
    seconds = _interval(columns[0], interval_seconds, file)
    candles, report = tidy(*columns, interval_seconds=seconds)
    if len(candles) == 0:
        raise Stop(f"{file} has no candle with a time and a close above zero.", NOTHING_TO_WORK_WITH)
    return candles, report


def _columns(lines: TextIO, file: Path) -> list[Floats]:
    header = lines.readline()
    delimiter = max(DELIMITERS, key=header.count)
    rows = csv.reader(chain([header], lines), delimiter=delimiter)
    places = _places(next(rows, []), file)
    columns = [array("d") for _ in FIELDS]
    for row in rows:
        if row:
            for column, value in zip(columns, _values(row, places), strict=True):
                column.append(value)
    if len(columns[0]) > MOST_CANDLES:
        raise Stop(f"{file} has {len(columns[0])} rows; at most {MOST_CANDLES} can be tested at once.")
    return [np.array(column) for column in columns]


def _places(header: Sequence[str], file: Path) -> list[int | None]:
    """Return the column index of each field, by its name in the header."""
    found = {field: [at for at, name in enumerate(header) if name.strip().lower() in NAMES[field]] for field in FIELDS}
    missing = [field for field in NEEDED if not found[field]]
    if missing:
        raise Stop(f"{file} must begin with a header; it has no column named {' or '.join(missing)}.")
    for field, places in found.items():
        if len(places) > 1:
            raise Stop(f"{file} has {len(places)} columns for the {field}; one is needed.")
    return [places[0] if places else None for places in found.values()]


def _values(row: Sequence[str], places: Sequence[int | None]) -> Iterator[float]:
    for field, place in zip(FIELDS, places, strict=True):
        text = row[place] if place is not None and place < len(row) else ""
        value = unix_seconds(text) if field == "time" else _number(text)
        yield nan if value is None else value


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _interval(times: Floats, given: int | None, file: Path) -> int:
    moments = np.unique(times[~np.isnan(times)].astype(np.int64))
    if given is None and len(moments) < 2:
        raise Stop(f"{file} does not show how long a candle is; say it with --interval.")
    lengths, counts = np.unique(np.diff(moments), return_counts=True)
    usual = int(lengths[counts.argmax()]) if len(lengths) else given or 0
    if given is not None and usual < given:
        asked = duration_words(given)
        raise Stop(f"The candles in {file} are {duration_words(usual)} apart; as {asked} candles most would be lost.")
    if given is None and usual > LONGEST_INTERVAL:
        raise Stop(f"The candles in {file} are {duration_words(usual)} apart; 1d is the most.")
    return given or usual
