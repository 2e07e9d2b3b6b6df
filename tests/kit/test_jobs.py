"""Jobs by key: one run at a time, again when requested again, with failing handlers and queues."""

import asyncio
from collections.abc import Callable, Iterator

import pytest

from strategybot.kit.jobs import Jobs, LocalJobs
from tests.backtests.redis import RedisServer
from tests.kit.queueing import Handler, queued, until, working
from tests.servers import free_port

JobsOf = Callable[["Handler", int], Jobs]


@pytest.fixture(scope="module")
def redis() -> Iterator[str]:
    if RedisServer.program() is None:
        pytest.skip("Redis is not installed: Debian's package is called redis-server")
    server = RedisServer()
    server.start()
    yield server.url
    server.stop()


@pytest.fixture(params=["alone", "with a queue"])
def jobs_of(request: pytest.FixtureRequest) -> JobsOf:
    """The tests of this file run with every kind of jobs."""
    if request.param == "alone":
        return lambda handler, slots: LocalJobs(handler, slots=slots)
    url, name = request.getfixturevalue("redis"), request.node.name
    return lambda handler, slots: queued(url, handler, slots, name)


def test_a_key_runs_once_at_a_time_and_again_when_requested_again(jobs_of: JobsOf) -> None:
    async def test() -> None:
        handler = Handler()
        handler.may_end.clear()
        async with working(jobs_of(handler, 2)) as jobs:
            for _ in range(5):
                await jobs.ask("one")
            await until(lambda: handler.begun == ["one"])
            await jobs.ask("one")
            await asyncio.sleep(0.2)
            assert handler.begun == ["one"]
            handler.may_end.set()
            await until(lambda: handler.done == ["one"])
            await asyncio.sleep(0.1)  # until the queue has received it
            await jobs.ask("one")
            await until(lambda: handler.done == ["one", "one"])

    asyncio.run(test())


def test_jobs_requested_before_the_queue_is_connected_run_afterwards(jobs_of: JobsOf) -> None:
    async def test() -> None:
        handler = Handler()
        jobs = jobs_of(handler, 2)
        await jobs.ask("early")
        worker = asyncio.create_task(jobs.work())
        await jobs.ask("as early")
        await until(lambda: sorted(handler.done) == ["as early", "early"])
        worker.cancel()
        await asyncio.wait([worker])

    asyncio.run(test())


def test_a_job_that_raises_does_not_stop_the_others(jobs_of: JobsOf) -> None:
    async def test() -> None:
        handler = Handler()
        async with working(jobs_of(handler, 1)) as jobs:
            for key in ("bad", "good", "bad", "better"):
                await jobs.ask(key)
                await until(lambda: key in handler.begun)  # noqa: B023 - it is awaited before the next one
            await until(lambda: handler.done == ["good", "better"])

    asyncio.run(test())


def test_at_most_as_many_jobs_run_at_once_as_there_are_slots(jobs_of: JobsOf) -> None:
    async def test() -> None:
        handler = Handler()
        handler.may_end.clear()
        async with working(jobs_of(handler, 2)) as jobs:
            for number in range(5):
                await jobs.ask(str(number))
            await until(lambda: len(handler.begun) == 2)
            await asyncio.sleep(0.2)
            assert len(handler.begun) == 2
            handler.may_end.set()
            await until(lambda: len(handler.done) == 5)

    asyncio.run(test())


def test_shutdown_is_prompt_and_cancels_every_job_once(jobs_of: JobsOf) -> None:
    async def test() -> None:
        handler = Handler()
        handler.may_end.clear()
        async with working(jobs_of(handler, 3)) as jobs:
            for number in range(5):
                await jobs.ask(str(number))
            await until(lambda: len(handler.begun) == 3)
            began = asyncio.get_running_loop().time()
        assert asyncio.get_running_loop().time() - began < 4
        assert sorted(handler.tidied) == sorted(handler.begun)
        assert handler.done == []

    asyncio.run(test())


@pytest.mark.parametrize("answers", [False, True], ids=["closed port", "silent port"])
def test_a_queue_outage_is_no_error(answers: bool) -> None:
    async def test() -> None:
        callers: list[asyncio.StreamWriter] = []
        silent = await asyncio.start_server(lambda _, writer: callers.append(writer), "127.0.0.1", 0)
        port = silent.sockets[0].getsockname()[1] if answers else free_port()
        handler = Handler()
        loop = asyncio.get_running_loop()
        async with working(queued(f"redis://127.0.0.1:{port}", handler)) as jobs:
            await asyncio.sleep(0.1)
            began = loop.time()
            await jobs.ask("one")
            assert loop.time() - began < 10
            began = loop.time()
        assert loop.time() - began < 10
        assert handler.begun == []
        for writer in callers:
            writer.close()
        silent.close()
        await silent.wait_closed()
        await asyncio.sleep(0)

    asyncio.run(test())


def test_a_queue_that_becomes_available_is_connected_and_reconnected() -> None:
    if RedisServer.program() is None:
        pytest.skip("Redis is not installed: Debian's package is called redis-server")
    server = RedisServer()

    async def asked_until_done(jobs: Jobs, handler: Handler, key: str) -> None:
        """Repeat a request that was lost, as the owner of a job does."""
        async with asyncio.timeout(60):
            while key not in handler.done:
                await jobs.ask(key)
                await asyncio.sleep(0.2)

    async def test() -> None:
        handler = Handler()
        async with working(queued(server.url, handler)) as jobs:
            await jobs.ask("lost")
            server.start()
            await asked_until_done(jobs, handler, "one")
            server.stop()
            await jobs.ask("lost too")
            server.start()
            await asked_until_done(jobs, handler, "two")
            assert set(handler.done) <= {"one", "two", "lost"}

    try:
        asyncio.run(test())
    finally:
        server.stop()
