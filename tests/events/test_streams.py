"""Streams of events: the committed changes of one owner, in order and without a gap, and no others."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from strategybot.events.service import MOST_STREAMS, MOST_WAITING, Stream, Streams
from strategybot.kit import changes
from strategybot.kit.changes import Change, ChangePosition, ChangeRow, note
from strategybot.kit.clock import steady_clock
from strategybot.kit.database import Database
from strategybot.kit.errors import ShuttingDown
from strategybot.kit.identifiers import new_id
from strategybot.kit.threads import run_blocking

ADA, BOB = new_id(), new_id()
Event = tuple[str, Any, str | None]


def bot_change(owner: str = ADA, bot: str | None = None) -> Change:
    return Change(owner, "bot", "changed", bot or new_id())


def write(database: Database, *noted: Change) -> None:
    with database.write() as session:
        note(session, *noted)


def rows(database: Database) -> int:
    with database.read() as session:
        return len(session.query(ChangeRow).all())


@asynccontextmanager
async def working(database: Database) -> AsyncIterator[Streams]:
    streams = Streams(database)
    task = asyncio.create_task(streams.work())
    await asyncio.sleep(0)
    try:
        yield streams
    finally:
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


def parsed(part: bytes) -> list[Event]:
    found = re.findall(r"(?:id: (\S+)\n)?event: (\w+)\ndata: (.*)\n\n", part.decode())
    return [(kind, json.loads(data), place or None) for place, kind, data in found]


async def heard(stream: Stream, count: int, seconds: float = 10) -> list[Event]:
    """Return the next events of the stream, at least so many."""
    events: list[Event] = []
    async with asyncio.timeout(seconds):
        while len(events) < count:
            events += parsed(await anext(stream))
    return events


async def is_silent(stream: Stream, seconds: float = 1.3) -> bool:
    try:
        await heard(stream, 1, seconds)
    except TimeoutError:
        return True
    return False


def run(test: Callable[[Streams], Awaitable[None]], database: Database) -> None:
    async def with_streams() -> None:
        async with working(database) as streams:
            await test(streams)

    asyncio.run(with_streams())


def open_stream(streams: Streams, owner: str = ADA, last: str | None = None) -> Awaitable[Stream]:
    return streams.open(owner, last, lambda: True)


def test_a_stream_has_the_changes_of_its_owner_in_order_and_no_others(database: Database) -> None:
    async def test(streams: Streams) -> None:
        ada, bob = await open_stream(streams), await open_stream(streams, BOB)
        assert [kind for kind, *_ in await heard(ada, 1) + await heard(bob, 1)] == ["ready", "ready"]
        bots = [new_id() for _ in range(3)]
        for bot in bots:
            await run_blocking(write, database, bot_change(ADA, bot))
        events = await heard(ada, 3)
        assert [data for _, data, _ in events] == [{"kind": "bot", "what": "changed", "bot_id": bot} for bot in bots]
        places = [ChangePosition.parse(place or "") for *_, place in events]
        assert None not in places
        assert places == sorted(places)  # type: ignore[type-var]  # none is None
        assert await is_silent(bob)

    run(test, database)


def test_no_change_is_saved_for_an_owner_without_a_stream(database: Database) -> None:
    write(database, bot_change())
    assert rows(database) == 0


def test_a_change_that_is_rolled_back_is_not_sent(database: Database) -> None:
    async def test(streams: Streams) -> None:
        stream = await open_stream(streams)
        await heard(stream, 1)

        def fail() -> None:
            with pytest.raises(RuntimeError), database.write() as session:
                note(session, bot_change())
                raise RuntimeError

        await run_blocking(fail)
        assert await is_silent(stream)

    run(test, database)


def test_a_reconnected_stream_gets_the_missed_events_once(database: Database) -> None:
    async def test(streams: Streams) -> None:
        first = await open_stream(streams)
        await heard(first, 1)
        await run_blocking(write, database, bot_change())
        ((_, _, last),) = await heard(first, 1)
        streams.remove(first)
        missed = [new_id(), new_id()]
        await run_blocking(write, database, *[bot_change(ADA, bot) for bot in missed])
        again = await open_stream(streams, last=last)
        events = await heard(again, 3)
        assert [data.get("bot_id") for _, data, _ in events] == [*missed, None]
        assert events[-1][0] == "ready"
        assert await is_silent(again)

    run(test, database)


def test_a_stream_that_was_open_before_the_first_change_gets_it_when_it_reconnects(database: Database) -> None:
    async def test(streams: Streams) -> None:
        first = await open_stream(streams)
        ((_, _, last),) = await heard(first, 1)
        streams.remove(first)
        again = await open_stream(streams, last=last)
        assert [kind for kind, *_ in await heard(again, 1)] == ["ready"]
        streams.remove(again)
        await run_blocking(write, database, bot_change(ADA, bot := new_id()))
        later = await open_stream(streams, last=last)
        assert [data.get("bot_id") for _, data, _ in await heard(later, 2)] == [bot, None]

    run(test, database)


@pytest.mark.parametrize("last", ["", "nonsense", "9.9.9", "-1.2", "1.99999999999999999999", "7.999999999", "٣.٣"])
def test_an_unknown_event_id_is_answered_with_reset(database: Database, last: str) -> None:
    async def test(streams: Streams) -> None:
        stream = await open_stream(streams, last=last)
        assert [kind for kind, *_ in await heard(stream, 1)] == ["reset"]

    run(test, database)


def test_an_event_id_whose_successors_were_deleted_is_answered_with_reset(database: Database) -> None:
    async def test(streams: Streams) -> None:
        stream = await open_stream(streams)
        await heard(stream, 1)
        for _ in range(3):
            await run_blocking(write, database, bot_change())
        ((_, _, first), *_) = await heard(stream, 3)
        with database.write() as session:
            later = steady_clock() + changes.KEPT + timedelta(seconds=1)
            assert changes.prune(session, later, 10) == 2
        assert rows(database) == 1  # the newest stays, so that `newest` has a position
        again = await open_stream(streams, last=first)
        assert [kind for kind, *_ in await heard(again, 1)] == ["reset"]

    run(test, database)


def test_the_queue_of_a_client_that_does_not_read_becomes_one_reset(database: Database) -> None:
    async def test(streams: Streams) -> None:
        stream = await open_stream(streams)
        await heard(stream, 1)
        await run_blocking(write, database, *(bot_change() for _ in range(MOST_WAITING + 1)))
        await asyncio.sleep(1.5)
        events = await heard(stream, 1)
        assert [kind for kind, *_ in events] == ["reset"]
        await run_blocking(write, database, bot_change())
        assert [kind for kind, *_ in await heard(stream, 1)] == ["bot"]

    run(test, database)


def test_the_oldest_of_too_many_streams_is_closed(database: Database) -> None:
    async def test(streams: Streams) -> None:
        first, *others = [await open_stream(streams) for _ in range(MOST_STREAMS + 1)]
        assert [kind for kind, *_ in await heard(first, 2)] == ["ready", "replaced"]
        with pytest.raises(StopAsyncIteration):
            await anext(first)
        assert len(streams) == MOST_STREAMS == len(others)

    run(test, database)


def test_a_revoked_token_closes_its_stream_and_no_other(database: Database) -> None:
    async def test(streams: Streams) -> None:
        valid = {"one": True, "other": True}
        one, other = [await streams.open(ADA, None, partial(valid.__getitem__, name)) for name in valid]
        await heard(one, 1)
        await heard(other, 1)
        valid["one"] = False
        await run_blocking(write, database, Change(ADA, "session", "changed"))
        async with asyncio.timeout(5):
            with pytest.raises(StopAsyncIteration):
                await anext(one)
        assert await is_silent(other)

    run(test, database)


def test_closing_ends_every_stream_and_refuses_new_ones(database: Database) -> None:
    async def test(streams: Streams) -> None:
        stream = await open_stream(streams)
        await heard(stream, 1)
        streams.close()
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
        with pytest.raises(ShuttingDown):
            await open_stream(streams)

    run(test, database)


def test_a_change_that_is_committed_late_is_not_missed(database: Database) -> None:
    """On PostgreSQL a transaction can take a smaller id than one that is committed before it."""
    if database.is_sqlite:
        pytest.skip("one transaction writes at a time")

    async def test(streams: Streams) -> None:
        stream = await open_stream(streams)
        await heard(stream, 1)
        early, late = new_id(), new_id()
        with database.write() as slow:
            note(slow, bot_change(ADA, early))
            await run_blocking(write, database, bot_change(ADA, late))
            await asyncio.sleep(0.5)
        events = await heard(stream, 2)
        assert [data["bot_id"] for _, data, _ in events] == [early, late]

    run(test, database)


def test_a_quiet_stream_is_never_silent_for_longer_than_five_seconds(database: Database) -> None:
    async def test(streams: Streams) -> None:
        stream = await open_stream(streams)
        await anext(stream)
        stream.quiet_since -= 4.5  # as if it had been quiet since then
        assert await asyncio.wait_for(anext(stream), 3) == b":\n\n"

    run(test, database)
