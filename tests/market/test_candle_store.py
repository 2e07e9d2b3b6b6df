"""The candle store: candles saved in any order are loaded to the bit, and only unanswered spans are missing. On both
databases.
"""

import itertools
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.kit.database import Database
from strategybot.market.candle_store import BLOCK_BUCKETS, CandleStore, SeriesKey, StoreSize, _series
from strategybot.market.decoded import DecodedCandles, Span
from strategybot.trading.engine.candles import Candles, DataReport, empty_candles
from strategybot.trading.engine.packing import pack, unpack
from tests.market.scripted import candles_at, same

FIRST = 1_767_225_600 - 40 * 60  # not on a block's border
_names = itertools.count()

UNTIDY = DataReport(received=9, dropped=1, duplicates=2, completed=3, repaired=4)


@pytest.fixture
def store(database: Database) -> CandleStore:
    return CandleStore(database, DecodedCandles(least_candles=1))


@pytest.fixture
def key() -> SeriesKey:
    return SeriesKey("scripted", f"token{next(_names)}-solana", "1m")


def minutes(first: int, last: int) -> Span:
    return FIRST + first * 60, FIRST + last * 60


def candles_in(span: Span, absent: frozenset[int] = frozenset()) -> Candles:
    return candles_at([t for t in range(*span, 60) if (t - FIRST) // 60 not in absent])


# Borders within one block, on its border, and over several blocks.
BORDERS = st.lists(
    st.sampled_from([0, 1, 2, 39, 40, 41, 500, 1063, 1064, 1065, 2500]), min_size=2, max_size=2, unique=True
).map(sorted)
SAVES = st.lists(BORDERS, min_size=1, max_size=6)
ABSENT = st.frozensets(st.sampled_from([0, 1, 39, 40, 41, 499, 1064, 2499]))


@settings(max_examples=40)
@given(saves=SAVES, absent=ABSENT, ask=BORDERS)
def test_candles_saved_in_any_split_and_order_are_loaded_bit_for_bit(
    store: CandleStore, saves: list[list[int]], absent: frozenset[int], ask: list[int]
) -> None:
    key = SeriesKey("scripted", f"token{next(_names)}-solana", "1m")
    answered: set[int] = set()
    for first, last in saves:
        store.save(key, minutes(first, last), candles_in(minutes(first, last), absent), DataReport())
        store.load(key, minutes(*ask))  # so that spans cached early are loaded again after more was saved
        answered |= set(range(first, last))
    wanted = [minute for minute in range(*ask) if minute in answered and minute not in absent]
    loaded, report = store.load(key, minutes(*ask))
    assert same(loaded, candles_at([FIRST + minute * 60 for minute in wanted]))
    assert report.received == len(wanted)
    missing = store.missing(key, minutes(*ask))
    inside = [(t - FIRST) // 60 for span in missing for t in range(*span, 60)]
    assert sorted(inside) == [minute for minute in range(*ask) if minute not in answered]
    assert len(set(inside)) == len(inside)
    assert all(later[0] > earlier[1] for later, earlier in itertools.pairwise(missing))  # latest first, and apart


@settings(max_examples=30)
@given(
    bits=st.lists(st.tuples(*[st.integers(0, 2**64 - 1)] * 5), max_size=20),
    first=st.integers(0, 10**9),
)
def test_packing_keeps_every_bit_of_any_number(bits: list[tuple[int, ...]], first: int) -> None:
    times = np.arange(len(bits), dtype=np.int64) * 86400 + first
    columns = np.array(bits, dtype=np.uint64).reshape(len(bits), 5).T
    candles = Candles(86400, times, *(np.ascontiguousarray(column).view(np.float64) for column in columns))
    assert same(unpack(pack(candles), 86400), candles)


def test_decoded_candles_are_kept_up_to_a_number_of_bytes_the_longest_unused_goes_first() -> None:
    candles = candles_in(minutes(0, 10))
    decoded = DecodedCandles(least_candles=10, most_bytes=2 * 10 * 48)
    for name in ("one", "two"):
        decoded.keep(name, minutes(0, 10), candles)
    found = decoded.find("one", minutes(2, 4))
    assert found is not None
    assert same(found, candles_in(minutes(2, 4)))
    decoded.keep("three", minutes(0, 10), candles)
    decoded.keep("short", minutes(0, 9), candles[:9])
    assert [name for name in ("one", "two", "three", "short") if decoded.find(name, minutes(0, 9))] == ["one", "three"]
    assert decoded.find("one", minutes(-1, 4)) is None
    assert decoded.find("one", minutes(4, 11)) is None


def test_an_empty_answer_is_remembered(store: CandleStore, key: SeriesKey) -> None:
    store.save(key, minutes(0, 3000), empty_candles(60), DataReport())
    assert store.missing(key, minutes(-5, 3005)) == [minutes(3000, 3005), minutes(-5, 0)]
    loaded, report = store.load(key, minutes(0, 3000))
    assert (len(loaded), report) == (0, DataReport())


def test_each_provider_token_and_interval_is_stored_separately(store: CandleStore, key: SeriesKey) -> None:
    span = (0, 14400 * 10)
    store.save(key, span, candles_at(range(0, 600, 60)), DataReport())
    for other in (
        SeriesKey("another", key.token_id, key.interval),
        SeriesKey(key.provider, f"x{key.token_id}", key.interval),
        SeriesKey(key.provider, key.token_id, "4h"),
    ):
        assert store.missing(other, span) == [span]
        assert len(store.load(other, span)[0]) == 0


def test_a_closed_candle_does_not_change(store: CandleStore, key: SeriesKey) -> None:
    original = candles_at([FIRST, FIRST + 60])
    store.save(key, minutes(0, 2), original, DataReport())
    changed = Candles(60, original.time, *(column * 2 for column in original.columns()[1:]))
    store.save(key, minutes(0, 2), changed, UNTIDY)
    store.save(key, minutes(0, 3), changed, DataReport())
    loaded, report = store.load(key, minutes(0, 3))
    assert same(loaded, original)
    assert report.dropped == 0  # the second answer for a span adds neither candles nor remarks


def test_corrections_are_reported_at_every_load_that_overlaps_the_response(store: CandleStore, key: SeriesKey) -> None:
    store.save(key, minutes(0, 10), candles_in(minutes(0, 10), frozenset({4, 5})), UNTIDY)
    store.save(key, minutes(10, 20), candles_in(minutes(10, 20)), DataReport())
    store.save(key, minutes(20, 30), candles_in(minutes(20, 30)), UNTIDY)

    def put_right(first: int, last: int) -> tuple[int, ...]:
        candles, report = store.load(key, minutes(first, last))
        assert report == store.load(key, minutes(first, last))[1]
        assert report.received == len(candles) + report.dropped + report.duplicates
        assert report.unknown_volumes == int(np.isnan(candles.volume).sum())
        return report.dropped, report.duplicates, report.completed, report.repaired

    assert put_right(0, 30) == (2, 4, 6, 8)
    assert put_right(0, 1) == put_right(9, 20) == put_right(10, 21) == (1, 2, 3, 4)
    assert put_right(10, 20) == (0, 0, 0, 0)
    assert store.load(key, minutes(0, 10))[1].longest_gap_seconds == 120


@pytest.fixture
def stores(database_url: str) -> Iterator[list[CandleStore]]:
    """Two stores with their own connections, like two processes."""
    databases = [Database(database_url), Database(database_url)]
    yield [CandleStore(database) for database in databases]
    for database in databases:
        database.close()


def test_concurrent_saves_lose_nothing(stores: list[CandleStore], key: SeriesKey) -> None:
    parts = [minutes(first, first + 25) for first in range(0, 1600, 25)]
    order = np.random.default_rng(7).permutation(len(parts)).tolist()

    def save(number: int) -> None:
        span = parts[order[number]]
        report = DataReport(duplicates=1)
        stores[number % 2].save(key, span, candles_in(span), report)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(save, range(len(parts))))
    loaded, report = stores[0].load(key, minutes(0, 1600))
    assert same(loaded, candles_in(minutes(0, 1600)))
    assert report.duplicates == len(parts)
    assert stores[1].missing(key, minutes(0, 1600)) == []
    assert stores[1].size().series == 1


def test_spans_that_touch_become_one(store: CandleStore, database: Database, key: SeriesKey) -> None:
    for first, last in [(20, 30), (0, 10), (10, 20), (40, 50), (25, 35)]:
        store.save(key, minutes(first, last), candles_in(minutes(first, last)), DataReport())
    with database.read() as session:
        series = _series(session, key)
    assert series is not None
    assert series.answered == [list(minutes(0, 35)), list(minutes(40, 50))]


def test_the_store_size_counts_candles_and_bytes(store: CandleStore, key: SeriesKey) -> None:
    assert store.size() == StoreSize(series=0, blocks=0, bytes=0)
    span = minutes(0, 2 * BLOCK_BUCKETS)
    store.save(key, span, candles_in(span), DataReport())
    size = store.size()
    assert (size.series, size.blocks) == (1, 3)
    assert 0 < size.bytes < 2 * BLOCK_BUCKETS * 48


MANY = 300_000


def walk(count: int) -> Candles:
    """Return a random walk of prices, which compresses like real ones."""
    random = np.random.default_rng(1)
    close = np.round(100 * np.exp(np.cumsum(random.normal(0, 1e-3, count))), 8)
    opened = np.concatenate(([100.0], close[:-1]))
    high, low = np.maximum(opened, close) * 1.0001, np.minimum(opened, close) * 0.9999
    volume = np.round(random.gamma(2, 500, count), 2)
    return Candles(60, FIRST + 60 * np.arange(count, dtype=np.int64), opened, high, low, close, volume)


def test_loading_many_candles_takes_hardly_longer_than_decompressing_them(store: CandleStore, key: SeriesKey) -> None:
    candles = walk(MANY)
    span = minutes(0, MANY)
    store.save(key, span, candles, DataReport())
    raw = zlib.compress(np.stack([column.view(np.uint64) for column in candles.columns()]).tobytes(), 1)

    def seconds(work: Callable[[], object]) -> float:
        started = time.thread_time()
        work()
        return time.thread_time() - started

    # Measured side by side, so that a slow machine slows both.
    tries = [(seconds(lambda: store.load(key, span)), seconds(lambda: zlib.decompress(raw))) for _ in range(3)]
    assert min(load / bare for load, bare in tries) < 8, tries
    assert same(store.load(key, span)[0], candles)
    assert store.size().bytes < 30 * MANY
