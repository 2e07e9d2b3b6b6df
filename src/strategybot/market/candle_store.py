"""Closed candles, stored for ever in compressed blocks, with the spans for which the provider has answered.

A bucket without a candle inside an answered span has no candle; it is not requested again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from sqlalchemy import JSON, ForeignKey, LargeBinary, UniqueConstraint, bindparam, func, select
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.database import Base, Database, Id, Session
from strategybot.kit.identifiers import new_id
from strategybot.market.decoded import DecodedCandles, Span
from strategybot.trading.engine.candles import Candles, DataReport, concatenate, empty_candles, report_of
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, Interval
from strategybot.trading.engine.packing import pack, unpack

BLOCK_BUCKETS = 1024  # each new candle rewrites its block
CORRECTIONS = ("dropped", "duplicates", "completed", "repaired")


class SeriesRow(Base):
    __tablename__ = "market_series"
    __table_args__ = (UniqueConstraint("provider", "token_id", "interval"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    provider: Mapped[str]
    token_id: Mapped[str]
    interval: Mapped[str]
    answered: Mapped[list[list[int]]] = mapped_column(JSON)
    """Spans, ascending and disjoint."""
    remarks: Mapped[list[list[int]]] = mapped_column(JSON)
    """For each response that needed corrections: its span, and the count of each kind of `CORRECTIONS`."""


class Block(Base):
    __tablename__ = "market_blocks"

    series_id: Mapped[str] = mapped_column(Id, ForeignKey(SeriesRow.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    candles: Mapped[bytes] = mapped_column(LargeBinary)


@dataclass(frozen=True, slots=True)
class SeriesKey:
    provider: str
    token_id: str
    interval: Interval

    @property
    def seconds(self) -> int:
        return INTERVAL_SECONDS[self.interval]


@dataclass(frozen=True, slots=True)
class StoreSize:
    series: int
    blocks: int
    bytes: int


class CandleStore:
    def __init__(self, database: Database, decoded: DecodedCandles | None = None) -> None:
        self._database = database
        self._decode = decoded or DecodedCandles()

    def missing(self, key: SeriesKey, span: Span) -> list[Span]:
        """Return the parts of the span for which the provider has not answered, latest first."""
        with self._database.read() as session:
            series = _series(session, key)
        return list(_without(span, series.answered if series else []))[::-1]

    def load(self, key: SeriesKey, span: Span) -> tuple[Candles, DataReport]:
        """Return the stored candles of the span, and the report of what was corrected in them."""
        with self._database.read() as session:
            series = _series(session, key)
            if series is None:
                return empty_candles(key.seconds), DataReport()
            return self._load(session, key, series, span)

    def load_whole(self, key: SeriesKey, span: Span) -> tuple[Candles, DataReport] | None:
        """Return the same as `load`, or None if the provider has not answered for a part of the span."""
        with self._database.read() as session:
            series = _series(session, key)
            if series is None or any(_without(span, series.answered)):
                return None
            return self._load(session, key, series, span)

    def _load(self, session: Session, key: SeriesKey, series: SeriesRow, span: Span) -> tuple[Candles, DataReport]:
        candles = self._decode.find(series.id, span)
        if candles is None:
            candles = _decode(session, key, series.id, span)
            if not any(_without(span, series.answered)):
                self._decode.keep(series.id, span, candles)
        return candles, _report(candles, series.remarks, span)

    def save(self, key: SeriesKey, span: Span, candles: Candles, report: DataReport) -> None:
        """Save the closed candles with which the provider has answered for this span."""
        with self._database.write() as session:
            self._database.exclusive(session, f"candles:{key.provider}:{key.token_id}:{key.interval}")
            series = _series(session, key) or _new_series(session, key)
            if not any(_without(span, series.answered)):
                return  # another process saved this span first; the first answer is kept
            series.answered = [list(each) for each in _merge([*series.answered, span])]
            remark = [getattr(report, name) for name in CORRECTIONS]
            if any(remark):
                series.remarks = [*series.remarks, [*span, *remark]]
            for number, part in _by_block(candles):
                _put(session, series.id, number, part)

    def size(self) -> StoreSize:
        with self._database.read() as session:
            series = session.scalar(select(func.count()).select_from(SeriesRow)) or 0
            blocks, size = session.execute(select(func.count(), func.sum(func.length(Block.candles)))).one()
        return StoreSize(series, blocks, size or 0)


_SERIES = select(SeriesRow).where(
    SeriesRow.provider == bindparam("provider"),
    SeriesRow.token_id == bindparam("token_id"),
    SeriesRow.interval == bindparam("interval"),
)
_BLOCKS = (
    select(Block.candles)
    .where(Block.series_id == bindparam("series_id"), Block.number.between(bindparam("first"), bindparam("last")))
    .order_by(Block.number)
)


def _series(session: Session, key: SeriesKey) -> SeriesRow | None:
    names = {"provider": key.provider, "token_id": key.token_id, "interval": key.interval}
    return session.scalar(_SERIES, names)


def _decode(session: Session, key: SeriesKey, series_id: str, span: Span) -> Candles:
    blocks = session.scalars(_BLOCKS, {"series_id": series_id, **_numbers(key, span)})
    return concatenate([empty_candles(key.seconds), *(unpack(data, key.seconds) for data in blocks)]).between(*span)


def _new_series(session: Session, key: SeriesKey) -> SeriesRow:
    series = SeriesRow(
        id=new_id(), provider=key.provider, token_id=key.token_id, interval=key.interval, answered=[], remarks=[]
    )
    session.add(series)
    session.flush()
    return series


def _put(session: Session, series_id: str, number: int, candles: Candles) -> None:
    block = session.get(Block, (series_id, number))
    if block is None:
        session.add(Block(series_id=series_id, number=number, candles=pack(candles)))
    else:
        # A closed candle does not change: the first answer is kept.
        block.candles = pack(concatenate([candles, unpack(block.candles, candles.interval_seconds)]))


def _numbers(key: SeriesKey, span: Span) -> dict[str, int]:
    size = key.seconds * BLOCK_BUCKETS
    return {"first": span[0] // size, "last": (span[1] - 1) // size}


def _by_block(candles: Candles) -> Iterator[tuple[int, Candles]]:
    numbers = candles.time // (candles.interval_seconds * BLOCK_BUCKETS)
    bounds = np.flatnonzero(np.diff(numbers, prepend=-1, append=-1)).tolist()
    for first, last in pairwise(bounds):
        yield int(numbers[first]), candles[first:last]


def _without(span: Span, answered: Iterable[Iterable[int]]) -> Iterator[Span]:
    start, end = span
    for first, last in answered:
        if last <= start or first >= end:
            continue
        if first > start:
            yield start, first
        start = last
    if start < end:
        yield start, end


def _merge(spans: Iterable[Iterable[int]]) -> list[Span]:
    merged: list[Span] = []
    for first, last in sorted(tuple(each) for each in spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def _report(candles: Candles, remarks: Iterable[Sequence[int]], span: Span) -> DataReport:
    """Return the report: the number of stored candles, and the corrections in responses that overlap the span."""
    touching = [counts for first, last, *counts in remarks if first < span[1] and last > span[0]]
    return report_of(candles, *(sum(column) for column in zip([0] * len(CORRECTIONS), *touching, strict=True)))
