"""`Market.candles`: stored candles are never requested again, missing ones exactly once, and corrections are reported
at every load.
"""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from strategybot.kit.database import Database
from strategybot.market.provider import ProviderError, ProviderFailure, ProviderRateLimited, ProviderStatus
from strategybot.market.service import SETTLING_SECONDS, FetchFailed, Market, ProviderBusy, UpstreamError
from strategybot.trading.engine.candles import Candles, DataReport
from strategybot.trading.engine.instruments import Interval
from tests.market.scripted import TOKEN_ID, ScriptedProvider, candles_at, same
from tests.support import ManualClock

pytestmark = pytest.mark.anyio

NOW = 1_767_323_040  # a whole minute
BuildMarket = Callable[[ScriptedProvider], Market]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def clock(clock: ManualClock) -> ManualClock:
    clock.now = datetime.fromtimestamp(NOW, UTC)
    return clock


@pytest.fixture
def build(database: Database, clock: ManualClock) -> BuildMarket:
    return lambda provider: Market(provider, database, clock, lambda _operation, _cost_units: None)


def ago(first: int, last: int = 0) -> range:
    """Return the minutes from `first` to `last` before now."""
    return range(NOW - first * 60, NOW - last * 60, 60)


async def load(market: Market, first: int, last: int = 0, interval: Interval = "1m") -> tuple[Candles, DataReport]:
    return await market.candles(TOKEN_ID, interval, NOW - first * 60, NOW - last * 60)


def asked(provider: ScriptedProvider) -> list[tuple[int, int]]:
    """Return the spans requested since the last call, in minutes before now: start inclusive, end exclusive."""
    spans = [((NOW - each.start) // 60, (NOW - each.end - 1) // 60) for each in provider.asked]
    assert {each.limit for each in provider.asked} <= {provider.klines_page}
    provider.asked.clear()
    return spans


async def test_stored_candles_are_not_requested_again(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(3000)))
    market = build(provider)
    candles, report = await load(market, 2500)
    assert same(candles, candles_at(ago(2500)))
    assert report.received == 2500
    assert asked(provider) == [(2500, 0), (2500, 1000), (2500, 2000)]  # pages of a thousand, latest first
    again, second = await load(market, 2500)
    assert same(again, candles)
    assert second == report
    part, _ = await load(market, 1700, 300)
    assert same(part, candles_at(ago(1700, 300)))
    assert asked(provider) == []


async def test_every_follower_of_a_shared_fetch_is_told_the_fetched_share(
    build: BuildMarket,
) -> None:
    provider = ScriptedProvider(candles_at(ago(3000)))
    market = build(provider)
    await load(market, 1200, 1000)
    provider.wait = lambda: asyncio.sleep(0.1)  # long enough for both to follow before the last page
    one: list[float] = []
    other: list[float] = []
    span = (TOKEN_ID, "1m", NOW - 2500 * 60, NOW)
    await asyncio.gather(market.candles(*span, one.append), market.candles(*span, other.append))  # type: ignore[arg-type]
    missing = 2500 - 200
    first, second = sorted((one, other), key=len, reverse=True)
    assert first == pytest.approx([1000 / missing, 2000 / missing, 1])
    assert second
    assert second == first[-len(second) :]  # who joins later is told the rest
    await market.candles(*span, first.append)  # type: ignore[arg-type]
    assert len(first) == 3  # nothing was missing


async def test_only_the_missing_part_of_an_overlapping_span_is_requested(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(3000)))
    market = build(provider)
    await load(market, 500, 400)
    await load(market, 300, 200)
    assert asked(provider) == [(500, 400), (300, 200)]
    candles, _ = await load(market, 600, 100)
    assert same(candles, candles_at(ago(600, 100)))
    assert asked(provider) == [(200, 100), (400, 300), (600, 500)]


async def test_candles_are_not_requested_again_after_a_restart(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(3000)))
    first = await load(build(provider), 1500)
    silent = ScriptedProvider()
    second = await load(build(silent), 1500)
    assert same(first[0], second[0])
    assert first[1] == second[1]
    assert silent.asked == []


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        (ProviderRateLimited("HTTP 429"), ProviderBusy, "Rate limit exceeded. Please try again later."),
        (ProviderStatus(503, "later"), UpstreamError, "upstream API error: later"),
        (ProviderFailure("it broke"), FetchFailed, "Failed to fetch klines: it broke"),
    ],
    ids=["limited", "status", "failure"],
)
async def test_an_error_keeps_the_pages_before_it(
    build: BuildMarket, fault: ProviderError, error: type[Exception], words: str
) -> None:
    provider = ScriptedProvider(candles_at(ago(5000)))
    provider.faults = [None, None, fault]
    market = build(provider)
    with pytest.raises(error) as raised:
        await load(market, 3500)
    assert str(raised.value) == words
    asked(provider)
    candles, _ = await load(market, 3500)
    assert same(candles, candles_at(ago(3500)))
    assert asked(provider) == [(3500, 2000), (3500, 3000)]


async def test_the_open_candle_is_never_stored(build: BuildMarket, clock: ManualClock) -> None:
    provider = ScriptedProvider(candles_at(ago(10, -5)))  # it has future candles
    market = build(provider)
    clock.advance(seconds=30)
    candles, _ = await market.candles(TOKEN_ID, "1m", NOW - 600, NOW + 300)
    assert same(candles, candles_at(ago(10)))
    assert asked(provider) == [(10, 0)]
    clock.advance(seconds=29.999)
    assert len((await market.candles(TOKEN_ID, "1m", NOW - 600, NOW + 300))[0]) == 10
    assert asked(provider) == []
    clock.advance(seconds=0.001)  # now it is closed
    candles, _ = await market.candles(TOKEN_ID, "1m", NOW - 600, NOW + 300)
    assert same(candles, candles_at(ago(10, -1)))
    assert asked(provider) == [(0, -1)]


async def test_a_clock_set_back_during_a_fetch_stores_no_open_candle(build: BuildMarket, clock: ManualClock) -> None:
    provider = ScriptedProvider(candles_at(ago(3000)))
    market = build(provider)

    async def set_back() -> None:
        clock.now = datetime.fromtimestamp(NOW - 600, UTC)

    provider.wait = set_back
    await load(market, 2000)
    clock.now = datetime.fromtimestamp(NOW, UTC)
    candles, _ = await load(market, 2000)
    assert same(candles, candles_at(ago(2000)))


async def test_a_missing_candle_is_final_only_after_five_minutes(build: BuildMarket, clock: ManualClock) -> None:
    provider = ScriptedProvider(candles_at(ago(20, 3)))  # the last three are late
    market = build(provider)
    assert len((await load(market, 20))[0]) == 17
    assert asked(provider) == [(20, 0)]
    assert len((await load(market, 20))[0]) == 17
    assert asked(provider) == [(3, 0)]  # requested again: they may still come
    provider.known = candles_at(ago(20, 1))
    assert same((await load(market, 20))[0], candles_at(ago(20, 1)))
    assert asked(provider) == [(3, 0)]
    clock.advance(seconds=SETTLING_SECONDS)
    await load(market, 20)
    assert asked(provider) == [(1, 0)]
    await load(market, 20)
    assert asked(provider) == []  # late enough to be final: it does not exist


async def test_missing_candles_are_remembered(build: BuildMarket) -> None:
    provider = ScriptedProvider()
    market = build(provider)
    for _ in range(2):
        candles, report = await load(market, 50_000, 10)
        assert (len(candles), report) == (0, DataReport())
    assert asked(provider) == [(50_000, 10)]


async def test_a_sparse_token_is_paged_over_its_gaps(build: BuildMarket) -> None:
    times = [*ago(90_000, 89_000)[::5], *ago(40_000, 38_000)[::3], *ago(500, 10)[::7]]
    provider = ScriptedProvider(candles_at(times), klines_page=100)
    market = build(provider)
    candles, report = await load(market, 100_000, 10)
    assert same(candles, candles_at(times))
    pages = asked(provider)
    assert len(pages) == len(times) // 100 + 1
    assert report.longest_gap_seconds == max(b - a for a, b in pairwise(times)) - 60
    again, second = await load(market, 100_000, 10)
    assert same(again, candles)
    assert second == report
    assert asked(provider) == []


async def warmed_up(market: Market, first: int, traded: int) -> tuple[Candles, DataReport]:
    """Return the candles of a run that trades from `traded` minutes ago on, and would look back to `first`."""
    return await market.candles(TOKEN_ID, "1m", NOW - first * 60, NOW, traded_from=NOW - traded * 60)


async def test_a_warm_up_takes_at_most_five_pages_more_and_no_candle_before_a_hole(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(5000)), klines_page=100)
    market = build(provider)
    candles, report = await warmed_up(market, 3000, 250)
    assert same(candles, candles_at(ago(800)))  # the page in which trading starts is not counted
    assert report.warm_up_cut
    assert len(asked(provider)) == 3 + 5


async def test_stored_candles_warm_up_without_a_call(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(5000)), klines_page=100)
    market = build(provider)
    await load(market, 3000, 700)
    provider.asked.clear()
    candles, report = await warmed_up(market, 3000, 250)
    assert same(candles, candles_at(ago(3000)))
    assert not report.warm_up_cut
    assert len(asked(provider)) == 7
    again, _ = await warmed_up(market, 3000, 250)
    assert same(again, candles)
    assert asked(provider) == []


async def test_each_run_adds_its_own_pages_to_what_is_stored(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(5000)), klines_page=100)
    market = build(provider)
    lengths = [len((await warmed_up(market, 2000, 100))[0]) for _ in range(5)]
    assert lengths == [600, 1100, 1600, 2000, 2000]


async def test_a_young_token_has_all_its_candles_in_the_warm_up(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(300)), klines_page=100)
    candles, report = await warmed_up(build(provider), 90_000, 250)
    assert same(candles, candles_at(ago(300)))
    assert not report.warm_up_cut


async def test_pages_of_a_sparse_token_are_counted_as_they_are_asked_for(build: BuildMarket) -> None:
    times = [*ago(90_000, 100)[::100], *ago(100)]
    provider = ScriptedProvider(candles_at(times), klines_page=200)
    candles, report = await warmed_up(build(provider), 90_000, 50)
    assert same(candles, candles_at(times))
    assert not report.warm_up_cut


@pytest.mark.parametrize("repeated", [1, 7, 99])
async def test_a_page_with_duplicates_is_a_full_page(build: BuildMarket, repeated: int) -> None:
    provider = ScriptedProvider(candles_at(ago(1000)), klines_page=100)
    provider.repeated = repeated
    market = build(provider)
    candles, report = await load(market, 400)
    assert same(candles, candles_at(ago(400)))
    assert report.duplicates == provider.repetitions_given > 3
    provider.asked.clear()
    first = report
    assert (await load(market, 400))[1] == first
    assert (await load(build(ScriptedProvider()), 400))[1] == first
    assert asked(provider) == []


async def test_equal_concurrent_requests_fetch_once(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(3000)))
    provider.wait = lambda: asyncio.sleep(0.01)
    market = build(provider)
    results = await asyncio.gather(*(load(market, 1500) for _ in range(50)))
    assert all(same(candles, candles_at(ago(1500))) for candles, _ in results)
    assert asked(provider) == [(1500, 0), (1500, 1000)]


async def test_overlapping_concurrent_requests_fetch_nothing_twice(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(3000)))
    provider.wait = lambda: asyncio.sleep(0.01)
    market = build(provider)
    await asyncio.gather(load(market, 300), load(market, 500, 100), load(market, 600, 50))
    minutes = [minute for first, last in asked(provider) for minute in range(last, first)]
    assert sorted(minutes) == list(range(600))


async def test_an_error_is_raised_for_every_waiting_caller(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(3000)))
    provider.wait = lambda: asyncio.sleep(0.5)  # until every caller waits
    provider.faults = [ProviderStatus(500, "oops")] * 50
    market = build(provider)
    results = await asyncio.gather(*(load(market, 100) for _ in range(50)), return_exceptions=True)
    assert {str(result) for result in results} == {"upstream API error: oops"}
    assert len(provider.asked) == 1


async def test_a_fetch_is_cancelled_only_when_its_last_caller_leaves(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(3000)))
    gate = asyncio.Event()
    provider.wait = gate.wait  # type: ignore[assignment]  # what it answers with is nobody's concern
    market = build(provider)
    one, other = (asyncio.create_task(load(market, 1500)) for _ in range(2))
    await until(lambda: len(provider.asked) == 1)
    one.cancel()
    gate.set()
    assert len((await other)[0]) == 1500
    asked(provider)
    gate.clear()
    alone = asyncio.create_task(load(market, 2900))
    await until(lambda: len(provider.asked) == 1)
    alone.cancel()
    await asyncio.gather(alone, return_exceptions=True)
    gate.set()
    await asyncio.sleep(0.05)
    assert asked(provider) == [(2900, 1500)]  # the second page is not fetched, because nobody waits for it
    assert len((await load(market, 2900))[0]) == 2900  # and nothing stays locked


async def until(true: Callable[[], bool]) -> None:
    for _ in range(500):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came true")


@pytest.mark.parametrize(("start", "end"), [(NOW, NOW), (NOW, NOW - 600), (NOW + 600, NOW + 1200), (NOW - 59, NOW)])
async def test_a_span_without_a_closed_candle_makes_no_call(build: BuildMarket, start: int, end: int) -> None:
    provider = ScriptedProvider(candles_at(ago(10, -30)))
    candles, report = await build(provider).candles(TOKEN_ID, "1m", start, end)
    assert (len(candles), report, provider.asked) == (0, DataReport(), [])


async def test_a_span_off_the_grid_holds_the_candles_that_begin_in_it(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(100)))
    candles, _ = await build(provider).candles(TOKEN_ID, "1m", NOW - 599, NOW - 301)
    assert candles.time.tolist() == [NOW - 540, NOW - 480, NOW - 420, NOW - 360]


async def test_one_token_in_two_spellings_is_one_series(build: BuildMarket) -> None:
    provider = ScriptedProvider(candles_at(ago(100)))
    market = build(provider)
    for spelling in (
        "0xBB4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c-bsc",
        "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c-bsc",
    ):
        await market.candles(spelling, "1m", NOW - 600, NOW)
    assert len(provider.asked) == 1
