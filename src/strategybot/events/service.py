"""Streams of events: each open stream of this process gets the changes of its owner, whichever process made them.

One task reads the changes for all streams: after a nudge, and once a second. A stream has a short queue. If a client
does not read, its queue is replaced by one `reset`, and the write timeout of its connection ends it.
"""

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Protocol

import anyio

from strategybot.kit import changes
from strategybot.kit.changes import ChangePosition, Noted
from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.kit.errors import ShuttingDown
from strategybot.kit.threads import repeat, run_blocking, run_read

logger = logging.getLogger("strategybot.events")

MOST_STREAMS = 10  # of one owner in this process
MOST_WAITING = 256
SECONDS_BETWEEN_HEARTBEATS = 4  # a client that hears nothing for 8 seconds takes the server for lost
POLL_SECONDS = 1.0
SECONDS_BETWEEN_READS = 0.1
LOOKS_AFTER_A_NUDGE = 5  # on PostgreSQL a change can be read once all earlier transactions have ended
SECONDS_BETWEEN_WATCHES = 30
SECONDS_OF_A_STREAM = 30 * 60  # then the client connects again, and its token is checked again
HEARTBEAT = b":\n\n"

IsValid = Callable[[], bool]


class Nudges(Protocol):
    """Messages between processes that there are changes to read."""

    async def send(self) -> None: ...

    async def listen(self, nudged: Callable[[], None]) -> None: ...


class NoNudges:
    """No messages: for a single process, and for processes that share only the database and read once a second."""

    async def send(self) -> None:
        """Do nothing."""

    async def listen(self, nudged: Callable[[], None]) -> None:
        """Return at once."""


class Stream:
    """The events of one connection, as bytes. Not thread-safe: only for the event loop."""

    __slots__ = ("_left", "_parts", "_waiter", "is_valid", "opened_at", "owner_id", "quiet_since")

    def __init__(self, owner_id: str, is_valid: IsValid) -> None:
        self.owner_id, self.is_valid = owner_id, is_valid
        self.opened_at = self.quiet_since = time.monotonic()
        self._parts: deque[bytes] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._left = False

    def __aiter__(self) -> "Stream":
        return self

    async def __anext__(self) -> bytes:
        while not self._parts:
            if self._left:
                raise StopAsyncIteration
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        parts = b"".join(self._parts)
        self._parts.clear()
        self.quiet_since = time.monotonic()
        return parts

    def begin(self, parts: Iterable[bytes]) -> None:
        """Add the first parts, before those that were pushed meanwhile."""
        self._parts.extendleft(reversed(list(parts)))
        self._wake()

    def push(self, part: bytes, position: ChangePosition) -> None:
        self._parts.append(part)
        if len(self._parts) > MOST_WAITING:
            self._parts.clear()
            self._parts.append(event("reset", position))
        self._wake()

    def beat(self) -> None:
        if not self._parts:
            self._parts.append(HEARTBEAT)
            self._wake()

    def close(self, last: bytes = b"") -> None:
        """End the stream after the parts in its queue."""
        if last:
            self._parts.append(last)
        self._left = True
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Streams:
    def __init__(self, database: Database, nudges: Nudges | None = None) -> None:
        self._database, self._nudges = database, nudges or NoNudges()
        self._of_owner: dict[str, list[Stream]] = {}
        self._position: ChangePosition | None = None
        """The position of the last change read; None while there is no stream."""
        self._wake = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wrote = self._closing = False

    def __len__(self) -> int:
        return sum(map(len, self._of_owner.values()))

    async def work(self) -> None:
        """Read changes for the streams, and nudge other processes after our own, until cancelled."""
        self._loop, self._closing = asyncio.get_running_loop(), False
        self._database.on_change = self._on_change
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._follow)
                tasks.start_soon(repeat, "heartbeats of streams", self._beat, 1)
                tasks.start_soon(repeat, "watching", self._keep_watching, SECONDS_BETWEEN_WATCHES)
                tasks.start_soon(self._nudges.listen, self._wake.set)
        finally:
            self._loop = None
            self.close()

    def close(self) -> None:
        """End all streams, and refuse new ones."""
        self._closing = True
        for stream in [each for streams in self._of_owner.values() for each in streams]:
            stream.close()

    async def open(self, owner_id: str, last_event_id: str | None, is_valid: IsValid) -> Stream:
        """Return a new stream. It begins with the events after this one, or with `reset` if they are unknown."""
        if self._closing:
            raise ShuttingDown
        was_watched = owner_id in self._of_owner or await run_blocking(self._watch, owner_id)
        newest = await run_read(self._newest) if self._position is None else None
        position = self._position = self._position or newest or changes.START
        stream = Stream(owner_id, is_valid)
        self._add(stream)
        try:
            since = None if last_event_id is None else ChangePosition.parse(last_event_id)
            if last_event_id is None:
                stream.begin([event("ready", position)])
            elif since is None or not was_watched:
                stream.begin([event("reset", position)])
            else:
                stream.begin(await run_read(self._missed_events, owner_id, since, position))
        except BaseException:  # also a cancellation: a stream without a connection must not stay in the list
            self.remove(stream)
            raise
        return stream

    def remove(self, stream: Stream) -> None:
        """Forget a stream whose connection has ended."""
        stream.close()
        streams = self._of_owner.get(stream.owner_id, [])
        if stream in streams:
            streams.remove(stream)
        if not streams:
            self._of_owner.pop(stream.owner_id, None)
        if not self._of_owner:
            self._position = None

    def _add(self, stream: Stream) -> None:
        streams = self._of_owner.setdefault(stream.owner_id, [])
        streams.append(stream)
        if len(streams) > MOST_STREAMS:
            streams.pop(0).close(event("replaced"))
        self._wake.set()  # the reading task waits without a timeout while there is no stream

    def _on_change(self) -> None:
        """Called in the thread that has committed changes."""
        self._wrote = True
        if (loop := self._loop) is not None:
            with suppress(RuntimeError):  # the loop is closed, and with it all streams
                loop.call_soon_threadsafe(self._wake.set)

    async def _follow(self) -> None:
        looks = 0
        while True:
            is_nudged = await self._wait_for_nudge(SECONDS_BETWEEN_READS if looks else POLL_SECONDS)
            looks = LOOKS_AFTER_A_NUDGE if is_nudged else max(0, looks - 1)
            try:
                if self._wrote:
                    self._wrote = False
                    await self._nudges.send()
                if await self._read():
                    looks = 0
            except DatabaseUnavailable:
                logger.warning("changes cannot be read at the moment")
            except Exception:  # the boundary of a background loop: one failed read must not end all streams
                logger.exception("reading changes failed")
            await asyncio.sleep(SECONDS_BETWEEN_READS)

    async def _wait_for_nudge(self, seconds: float) -> bool:
        """Wait for a nudge, without a timeout if there is no stream. Return whether there was one."""
        with anyio.move_on_after(seconds if self._of_owner else None):
            await self._wake.wait()
        was_nudged = self._wake.is_set()
        self._wake.clear()
        return was_nudged

    async def _read(self) -> bool:
        """Push the changes committed since the last read to their streams; return whether there were any."""
        if (position := self._position) is None:
            return False
        found = await run_read(self._after, position)
        for change in found:
            await self._deliver(change)
        if found and self._position is not None:
            self._position = found[-1].position
        if len(found) == changes.MOST_READ:
            self._wake.set()
        return bool(found)

    async def _deliver(self, change: Noted) -> None:
        streams = self._of_owner.get(change.owner_id)
        if not streams:
            return
        if change.kind == "session":
            await self._check_tokens(list(streams))
            return
        part = encode(change)
        for stream in streams:
            stream.push(part, change.position)

    async def _check_tokens(self, streams: list[Stream]) -> None:
        for stream in streams:
            with suppress(DatabaseUnavailable):
                if not await run_read(stream.is_valid):
                    stream.close()

    async def _beat(self) -> None:
        now = time.monotonic()
        for streams in list(self._of_owner.values()):
            for stream in streams:
                if now - stream.opened_at > SECONDS_OF_A_STREAM:
                    stream.close()
                elif now - stream.quiet_since >= SECONDS_BETWEEN_HEARTBEATS:
                    stream.beat()

    async def _keep_watching(self) -> None:
        if owners := list(self._of_owner):
            await run_blocking(partial(self._watch_more, owners))

    def _watch(self, owner_id: str) -> bool:
        with self._database.write() as session:
            return changes.watch(session, owner_id)

    def _watch_more(self, owner_ids: list[str]) -> None:
        with self._database.write() as session:
            changes.keep_watching(session, owner_ids)

    def _newest(self) -> ChangePosition:
        with self._database.read() as session:
            return changes.newest(session)

    def _after(self, position: ChangePosition) -> list[Noted]:
        with self._database.read() as session:
            return changes.read_after(session, position)

    def _missed_events(self, owner_id: str, since: ChangePosition, until: ChangePosition) -> list[bytes]:
        """Return the missed events, or `reset` if some were deleted or the position is of another database."""
        with self._database.read() as session:
            if not changes.is_kept(session, since) or since > changes.newest(session):
                return [event("reset", until)]
            missed = changes.read_after(session, since, owner_id, until)
        if len(missed) > MOST_WAITING:
            return [event("reset", until)]
        told = [encode(change) for change in missed if change.kind != "session"]
        return [*told, event("ready", max(since, until))]


def event(kind: str, position: ChangePosition | None = None, data: str = "{}") -> bytes:
    place = "" if position is None else f"id: {position}\n"
    return f"{place}event: {kind}\ndata: {data}\n\n".encode()


def encode(change: Noted) -> bytes:
    named = {"kind": change.kind, "what": change.what, "bot_id": change.bot_id, "run_id": change.run_id}
    data = {name: value for name, value in named.items() if value is not None}
    return event(change.kind, change.position, json.dumps(data, separators=(",", ":")))
