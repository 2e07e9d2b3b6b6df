"""Candles as columns: ascending, one row per bucket, prices finite and above zero, low ≤ open, close ≤ high.

Invalid input is corrected here and nowhere else, and the report counts every correction.
An unknown volume is NaN in the column and null everywhere outside.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import BaseModel, ConfigDict, NonNegativeInt

from strategybot.trading.engine.fills import FillCounts

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FIELDS = ("time", "open", "high", "low", "close", "volume")
END_OF_TIME = 253_402_300_800  # the year 10000: later moments have no ISO 8601 text
MOST_CANDLES = 10_000_000
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_LONGEST_NUMBER = 400


class TooManyCandles(ValueError):
    """Filling the gaps would make more candles than any run may have."""


class SeriesWarmUp(BaseModel):
    """What a series of the strategy had before the start of a run. `needed` and `had` are candles of the run."""

    model_config = ConfigDict(frozen=True)

    series: str
    needed: NonNegativeInt  # for a value that does not depend on where the candles begin
    had: NonNegativeInt
    known_from: str | None  # the first candle of the run with a value, ISO 8601; None if there is none


class DataReport(BaseModel):
    """The corrections that were made to the data before it was used."""

    model_config = ConfigDict(frozen=True)

    received: NonNegativeInt = 0
    dropped: NonNegativeInt = 0
    duplicates: NonNegativeInt = 0
    completed: NonNegativeInt = 0  # candles that came without a usable open, high or low
    repaired: NonNegativeInt = 0  # candles whose high or low did not enclose open and close
    unknown_volumes: NonNegativeInt = 0
    filled: NonNegativeInt = 0  # buckets without a trade, added by densify
    longest_gap_seconds: NonNegativeInt = 0
    fills_resolved: FillCounts | None = None  # of a run; None in runs of older versions
    fills_summary: str | None = None  # what should be known about them, in words
    guards_summary: str | None = None  # which entries the strategy's guards refused, in words
    candles: NonNegativeInt | None = None  # of the run, filled ones included; None in runs of older versions
    warm_up_candles: NonNegativeInt | None = None  # before the start of the run
    warm_up_cut: bool = False  # whether earlier candles were left out because they take too many calls to the provider
    warm_up: list[SeriesWarmUp] | None = None  # None in runs of older versions
    warm_up_summary: str | None = None  # series that are not known at the start of the run, in words
    untested: str | None = None  # why the entry conditions were unknown for the whole run, in words


@dataclass(frozen=True, eq=False, slots=True)
class Candles:
    """Columns of candles. Only `tidy` and `parse_candles` make them from other data; slices stay valid."""

    interval_seconds: int
    time: Integers
    open: Floats
    high: Floats
    low: Floats
    close: Floats
    volume: Floats
    born: int | None = field(
        default=None, kw_only=True
    )  # when the first candle of the token began, if the provider says so

    def __len__(self) -> int:
        return len(self.time)

    def __getitem__(self, rows: slice) -> "Candles":
        if rows.step not in (None, 1):
            raise ValueError("candles are sliced without a step")
        prices = self.open[rows], self.high[rows], self.low[rows], self.close[rows]
        return Candles(self.interval_seconds, self.time[rows], *prices, self.volume[rows], born=self.born)

    def columns(self) -> tuple[Integers, Floats, Floats, Floats, Floats, Floats]:
        return self.time, self.open, self.high, self.low, self.close, self.volume

    def closed_before(self, now: float) -> "Candles":
        """Return the candles that are closed at `now`."""
        return self[: int(np.searchsorted(self.time, now - self.interval_seconds, side="right"))]

    def between(self, start: float, end: float) -> "Candles":
        """Return the candles whose time is in [start, end)."""
        if len(self) == 0:
            return self
        first, last = np.searchsorted(self.time, (start, end), side="left")
        return self[int(first) : int(last)]

    def records(self) -> list[dict[str, float | None]]:
        """Return rows of plain numbers; an unknown volume is None."""
        volumes = [None if volume != volume else volume for volume in self.volume.tolist()]
        prices = (self.open.tolist(), self.high.tolist(), self.low.tolist(), self.close.tolist())
        return [dict(zip(FIELDS, row, strict=True)) for row in zip(self.time.tolist(), *prices, volumes, strict=True)]


def empty_candles(interval_seconds: int) -> Candles:
    return Candles(interval_seconds, np.empty(0, np.int64), *(np.empty(0) for _ in FIELDS[1:]))


NO_MINUTES = empty_candles(60)


def concatenate(parts: Iterable[Candles]) -> Candles:
    """Join parts in any order. If two parts have the same bucket, the later part is used."""
    parts = list(parts)
    if not parts or len({part.interval_seconds for part in parts}) != 1:
        raise ValueError("candles of one interval are needed")
    time, *numbers = (np.concatenate(columns) for columns in zip(*(part.columns() for part in parts), strict=True))
    born = next((part.born for part in parts if part.born is not None), None)
    joined = Candles(parts[0].interval_seconds, time, *numbers, born=born)
    return joined if _ascending(time) else _gather(joined.interval_seconds, joined.columns(), _last_of_each(time), born)


def parse_candles(records: Iterable[Any], interval_seconds: int) -> tuple[Candles, DataReport]:
    """Return candles from records that may have numbers as strings, extra keys, any order, duplicates and gaps."""
    rows = [_row(record) for record in records]
    columns = np.array(rows, dtype=np.float64).reshape(len(rows), len(FIELDS)).T
    return tidy(*columns, interval_seconds=interval_seconds)


def tidy(
    time: ArrayLike,
    open: ArrayLike,  # noqa: A002 - the column's own name
    high: ArrayLike,
    low: ArrayLike,
    close: ArrayLike,
    volume: ArrayLike,
    *,
    interval_seconds: int,
) -> tuple[Candles, DataReport]:
    """Return candles from columns, which have NaN where a value is missing."""
    buckets, known = _buckets(time, interval_seconds)
    prices = [_above_zero(column) for column in (open, high, low, close)]
    amounts = _not_negative(volume)
    good = np.flatnonzero(known & ~np.isnan(prices[3]))
    kept = good[_last_of_each(buckets[good])]
    chosen = _gather(interval_seconds, (buckets, *prices, amounts), kept)
    completed, repaired = _complete(chosen)
    dropped, duplicates = len(buckets) - len(good), len(good) - len(kept)
    return chosen, report_of(chosen, dropped, duplicates, completed, repaired)


def report_of(candles: Candles, dropped: int, duplicates: int, completed: int, repaired: int) -> DataReport:
    """Return the report of these candles and of the corrections."""
    return DataReport(
        received=len(candles) + dropped + duplicates,
        dropped=dropped,
        duplicates=duplicates,
        completed=completed,
        repaired=repaired,
        unknown_volumes=int(np.count_nonzero(np.isnan(candles.volume))),
        longest_gap_seconds=_longest_gap(candles),
    )


def densify(candles: Candles, report: DataReport) -> tuple[Candles, DataReport]:
    """Return one candle per bucket. A bucket without a trade has the previous close as its prices, and volume 0."""
    if len(candles) < 2:
        return candles, report
    place = (candles.time - candles.time[0]) // candles.interval_seconds
    total = int(place[-1]) + 1
    if total == len(candles):
        return candles, report
    if total > MOST_CANDLES:
        raise TooManyCandles(f"the gaps hold {total - len(candles)} candles, more than {MOST_CANDLES} in all")
    source = np.repeat(np.arange(len(candles)), np.diff(place, append=total))
    added = np.ones(total, dtype=np.bool_)
    added[place] = False
    dense = _gather(candles.interval_seconds, candles.columns(), source, candles.born)
    np.multiply(np.arange(total), candles.interval_seconds, out=dense.time)
    dense.time[:] += candles.time[0]
    for column in (dense.open, dense.high, dense.low):
        column[added] = dense.close[added]
    dense.volume[added] = 0.0
    return dense, report.model_copy(update={"filled": report.filled + total - len(candles)})


def _row(record: Any) -> list[float]:
    if not isinstance(record, Mapping):
        return [np.nan] * len(FIELDS)
    return [_number(record.get(field)) for field in FIELDS]


def _number(value: Any) -> float:
    """Return a float; NaN if the value is not clearly a number."""
    if isinstance(value, str):
        usable = len(value) <= _LONGEST_NUMBER and _NUMBER.fullmatch(value.strip()) is not None
        return float(value) if usable else np.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        return np.nan
    try:
        return float(value)
    except OverflowError:
        return np.nan


def _buckets(time: ArrayLike, interval_seconds: int) -> tuple[Integers, NDArray[np.bool_]]:
    moments = np.asarray(time)
    known = (moments >= 0) & (moments < END_OF_TIME)
    whole = moments if moments.dtype == np.int64 else np.where(known, moments, 0).astype(np.int64)
    return whole - whole % interval_seconds, known


def _above_zero(column: ArrayLike) -> Floats:
    prices = np.asarray(column, dtype=np.float64)
    return np.where((prices > 0) & (prices < np.inf), prices, np.nan)


def _not_negative(column: ArrayLike) -> Floats:
    amounts = np.asarray(column, dtype=np.float64)
    return np.where((amounts >= 0) & (amounts < np.inf), amounts, np.nan)


def _last_of_each(time: Integers) -> Integers:
    """Return the rows to keep, in ascending time: of equal times, the last row."""
    if _ascending(time):
        return np.arange(len(time))
    order = np.argsort(time, kind="stable")
    ascending = time[order]
    last: Integers = order[np.append(ascending[1:] != ascending[:-1], True)]
    return last


def _ascending(time: Integers) -> bool:
    return bool((time[1:] > time[:-1]).all())


def _gather(interval_seconds: int, columns: Iterable[NDArray[Any]], rows: Integers, born: int | None = None) -> Candles:
    time, *numbers = (column[rows] for column in columns)
    return Candles(interval_seconds, time, *numbers, born=born)


def _complete(candles: Candles) -> tuple[int, int]:
    """Fill missing prices in place, and widen high and low around open and close. Return how many rows each changed."""
    missing = np.isnan(candles.open) | np.isnan(candles.high) | np.isnan(candles.low)
    before = np.concatenate((candles.close[:1], candles.close[:-1]))
    np.copyto(candles.open, before, where=np.isnan(candles.open))
    top, bottom = np.fmax(candles.open, candles.close), np.fmin(candles.open, candles.close)
    wrong = (candles.high < top) | (candles.low > bottom)
    np.fmax(candles.high, top, out=candles.high)
    np.fmin(candles.low, bottom, out=candles.low)
    return int(np.count_nonzero(missing)), int(np.count_nonzero(wrong))


def _longest_gap(candles: Candles) -> int:
    return int(np.diff(candles.time).max(initial=candles.interval_seconds)) - candles.interval_seconds
