"""Blocking work in threads, and background loops that survive errors.

Reads have their own threads, so that they do not wait for writes that wait for a lock, and so has long work.
"""

import asyncio
import contextvars
import logging
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

import anyio
import anyio.to_thread

from strategybot.kit.lanes import FairLane
from strategybot.kit.logs import requester

logger = logging.getLogger("strategybot")

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

Sleep = Callable[[float], Awaitable[None]]
"""Waits for so many seconds."""

READING_THREADS = 8  # together with the 40 of `in_thread` fewer than the 60 connections of the database's pool
IDLE_SECONDS = 5
STUCK_SECONDS = 0.05
COMPUTING_THREADS = 2


async def in_thread(work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Run work that may write to the database or block on something else."""
    return await anyio.to_thread.run_sync(work, *arguments)


async def repeat(
    what: str,
    work: Callable[[], Awaitable[None]],
    seconds: float,
    sleep: Sleep = anyio.sleep,
    *,
    first_after: float = 0,
) -> None:
    """Run the work repeatedly, with a pause of this many seconds, until cancelled. Errors are only logged."""
    if first_after:
        await sleep(first_after)
    while True:
        try:
            await work()
        except Exception:  # the boundary of a background loop: it must survive a database outage
            logger.exception("%s failed", what)
        await sleep(seconds)


async def computing(work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Run work that takes long, such as a chart or a picture. It runs beside the reads, and requesters take turns."""
    loop = asyncio.get_running_loop()
    lane = _lanes.get(loop)
    if lane is None:
        lane = _lanes[loop] = FairLane(COMPUTING_THREADS)
    return await lane.run(requester(), work, *arguments)


async def reading(work: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Run work that only reads the database, or computes for a few milliseconds."""
    loop = asyncio.get_running_loop()
    readers = _readers.get(loop)
    if readers is None:
        readers = _readers[loop] = Readers()
    future = loop.create_future()
    readers.put(future, partial(work, *arguments))
    found: Result = await future
    return found


def use_readers(ready: int) -> None:
    """Set the number of reading threads of this event loop; more are started while they are blocked. The default is
    one.
    """
    _readers[asyncio.get_running_loop()] = Readers(ready)


class Readers:
    """The reading threads of one event loop: `ready` for short reads, more while those are blocked by long ones.

    Python threads that run at the same time compete for the interpreter's lock: a list of bots takes 25% more CPU with
    eight threads than with one. A call takes 23 µs instead of 92 µs with anyio: the queue is written in C, and results
    that are ready together wake the loop once.
    """

    def __init__(self, ready: int = 1) -> None:
        self._ready = ready
        self._jobs: SimpleQueue[tuple[asyncio.Future[Any], contextvars.Context, Callable[[], Any]]] = SimpleQueue()
        self._done: deque[tuple[asyncio.Future[Any], Any, BaseException | None]] = deque()
        self._lock = threading.Lock()
        self._threads = self._unfinished = self._taken = 0
        self._is_woken = self._is_watched = False

    def put(self, future: asyncio.Future[Any], work: Callable[[], Any]) -> None:
        """Queue the work and set its result on the future."""
        self._jobs.put((future, contextvars.copy_context(), work))
        with self._lock:
            self._unfinished += 1
            is_short = self._threads < min(self._ready, self._unfinished)
            self._threads += is_short
            must_watch = self._threads < self._unfinished and not self._is_watched
            self._is_watched |= must_watch
        if is_short:
            self._start()
        if must_watch:
            self._watch(future.get_loop())

    def _start(self) -> None:
        threading.Thread(target=self._work, name="reader", daemon=True).start()

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.call_later(STUCK_SECONDS, self._relieve, loop, self._taken)

    def _relieve(self, loop: asyncio.AbstractEventLoop, taken_before: int) -> None:
        """Start another thread if jobs are waiting and none was taken since the last check."""
        with self._lock:
            self._is_watched = self._threads < self._unfinished
            is_short = self._is_watched and self._taken == taken_before and self._threads < READING_THREADS
            self._threads += is_short
        if is_short:
            self._start()
        if self._is_watched:
            self._watch(loop)

    def _work(self) -> None:
        while True:
            try:
                future, context, work = self._jobs.get(timeout=IDLE_SECONDS)
            except Empty:
                with self._lock:
                    if self._threads > self._unfinished:  # otherwise a job has just been queued for this thread
                        self._threads -= 1
                        return
                continue
            self._taken += 1  # several threads write it, so an increment may be lost; only whether it changed matters
            try:
                # What was cancelled before it began is not done.
                self._finish(future, None if future.cancelled() else context.run(work), None)
            except BaseException as error:  # noqa: BLE001  raised again in the task that waits for the result
                self._finish(future, None, error)
            del future, context, work

    def _finish(self, future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
        self._done.append((future, result, error))
        with self._lock:
            self._unfinished -= 1
            must_wake, self._is_woken = not self._is_woken, True
        if must_wake:
            with suppress(RuntimeError):  # the loop is closed and nobody waits for the result
                future.get_loop().call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        with self._lock:
            self._is_woken = False
        while self._done:
            future, result, error = self._done.popleft()
            if future.cancelled():
                continue
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)


_readers: WeakKeyDictionary[asyncio.AbstractEventLoop, Readers] = WeakKeyDictionary()
_lanes: WeakKeyDictionary[asyncio.AbstractEventLoop, FairLane] = WeakKeyDictionary()
