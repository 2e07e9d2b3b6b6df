"""Backtests in real processes: killed, asked to stop, two on one database, two on one queue."""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from pathlib import Path

import httpx2
import pytest

from strategybot.app import Services
from strategybot.settings import Settings
from tests.backtests.driving import (
    Headers,
    Json,
    awaited,
    finished,
    lasting,
    new_bot,
    new_user,
    read,
    running,
    start,
    stop,
)
from tests.backtests.processes import SECONDS_TO_RECOVER, Stage, revived, set_tier
from tests.backtests.redis import RedisServer
from tests.backtests.upstream import HeldUpstream, request_of
from tests.servers import SECRET, PostgresServer, ServiceProcess, web
from tests.support import STRATEGY, visitor

SECONDS_TO_BE_MISSED = 10


@pytest.fixture
def upstream() -> Iterator[HeldUpstream]:
    with HeldUpstream() as upstream:
        yield upstream


@pytest.fixture
def stage(tmp_path: Path, upstream: HeldUpstream) -> Iterator[Stage]:
    with ExitStack() as stack:
        yield Stage(tmp_path, upstream, stack)


def seconds_until_taken_up(run: Json) -> float:
    return (datetime.fromisoformat(run["started_at"]) - datetime.fromisoformat(run["created_at"])).total_seconds()


def test_a_run_whose_process_was_killed_is_run_again_after_the_restart(stage: Stage, upstream: HeldUpstream) -> None:
    (service,) = stage.processes(1)
    client = stage.client(service)
    who = new_user(client)
    bot = new_bot(client, who, STRATEGY)
    run = start(client, who, bot, **request_of())
    begun = running(client, who, run)
    service.kill()
    upstream.let_through.set()
    revived(service)
    # The same request is run at once after the restart, with the result of the killed run.
    other = finished(client, who, start(client, who, bot, **request_of()))
    assert seconds_until_taken_up(other) < SECONDS_TO_BE_MISSED - 1
    done = finished(client, who, run, SECONDS_TO_RECOVER)
    assert (done["status"], done["error"], done["progress"]) == ("completed", None, 100)
    assert done["started_at"] == begun["started_at"]
    assert lasting(other) == lasting(done)
    assert read(client, who, done, "/trades", per_page=100) == read(client, who, other, "/trades", per_page=100)
    assert "Traceback" not in service.log()


def test_a_process_that_is_asked_to_stop_releases_its_run_and_exits_with_0(
    stage: Stage, upstream: HeldUpstream
) -> None:
    (service,) = stage.processes(1)
    client = stage.client(service)
    who = new_user(client)
    bot = new_bot(client, who, STRATEGY)
    runs = [start(client, who, bot, **request_of(initial_cash=cash)) for cash in (100, 200)]
    for run in runs:
        running(client, who, run)
    assert service.terminate() == 0
    upstream.let_through.set()
    revived(service)
    for run in runs:  # at once: a process that shuts down releases its runs
        awaited(partial(read, client, who, run), lambda now: now["status"] != "pending", SECONDS_TO_BE_MISSED - 1)
    assert [finished(client, who, run, 60)["status"] for run in runs] == ["completed"] * 2
    assert "Traceback" not in service.log()


class TestTwoProcesses:
    @pytest.fixture
    def pair(
        self, tmp_path: Path, upstream: HeldUpstream, postgres: PostgresServer
    ) -> Iterator[tuple[list[ServiceProcess], list[httpx2.Client]]]:
        """Two processes on one PostgreSQL, each with its own queue."""
        self.url = postgres.new_database()
        with ExitStack() as stack:
            stage = Stage(tmp_path, upstream, stack, database_url=self.url)
            services = stage.processes(2)
            yield services, [stage.client(service) for service in services]

    def test_a_run_is_stopped_by_another_process_and_survives_its_own(
        self, pair: tuple[list[ServiceProcess], list[httpx2.Client]], upstream: HeldUpstream
    ) -> None:
        (one, _), clients = pair
        who = new_user(clients[0])
        bot = new_bot(clients[0], who, STRATEGY)
        stopped, orphan = (start(clients[0], who, bot, **request_of(initial_cash=cash)) for cash in (100, 200))
        for run in (stopped, orphan):
            running(clients[1], who, run)

        answer = stop(clients[1], who, stopped)
        assert (answer.status_code, answer.json()["status"]) == (200, "stopped")
        assert stop(clients[0], who, stopped).status_code == 409
        profile = clients[0].get("/api/auth/me", headers=who).json()
        assert profile["usage"]["running_backtests"] == 1
        time.sleep(3)  # its worker has noticed by now, and must not overwrite it
        assert read(clients[0], who, stopped) == answer.json()

        one.kill()
        upstream.let_through.set()
        done = finished(clients[1], who, orphan, SECONDS_TO_RECOVER)
        assert (done["status"], done["error"]) == ("completed", None)
        assert read(clients[1], who, stopped)["status"] == "stopped"

    def test_limits_are_exact_across_processes(
        self, pair: tuple[list[ServiceProcess], list[httpx2.Client]], tmp_path: Path
    ) -> None:
        services, clients = pair
        who = new_user(clients[0])
        bot = new_bot(clients[0], who, STRATEGY)
        settings = Settings(_env_file=None, data_dir=tmp_path / "data", database_url=self.url, secret_key=SECRET)
        guests = Services(settings)
        guest = visitor(guests.accounts.welcome_visitor("203.0.113.5"))
        guests.database.close()
        guests_bot = new_bot(clients[0], guest, STRATEGY)
        assert statuses(services, who, bot) == {202: 2, 403: 10}
        assert statuses(services, guest, guests_bot) == {202: 1, 403: 11}


def statuses(services: list[ServiceProcess], who: Headers, bot: Json, count: int = 12) -> Counter[int]:
    def ask(number: int) -> int:
        url = f"{services[number % len(services)].url}/api/bots/{bot['id']}/backtest"
        return web.post(url, json=request_of(), headers=who, timeout=60).status_code

    with ThreadPoolExecutor(count) as pool:
        return Counter(pool.map(ask, range(count)))


class TestSharedQueue:
    @pytest.fixture
    def queue(self) -> Iterator[RedisServer]:
        if RedisServer.program() is None:
            pytest.skip("Redis is not installed: Debian's package is called redis-server")
        with RedisServer() as server:
            yield server

    def test_two_processes_share_a_queue_and_survive_its_outage(
        self, tmp_path: Path, upstream: HeldUpstream, postgres: PostgresServer, queue: RedisServer
    ) -> None:
        environment = {"database_url": postgres.new_database(), "queue_url": queue.url}
        with ExitStack() as stack:
            stage = Stage(tmp_path, upstream, stack, **environment)
            one, other = stage.processes(2)
            clients = [stage.client(service) for service in (one, other)]
            who = new_user(clients[0])
            set_tier(tmp_path / "data", environment["database_url"], "ada@example.com", "normal")
            bot = new_bot(clients[0], who, STRATEGY)
            runs = [start(client, who, bot, **request_of()) for client in clients]
            for run in runs:
                running(clients[0], who, run)
            one.kill()
            queue.stop()
            runs.append(start(clients[1], who, bot, **request_of()))  # saved, although the queue is gone
            queue.start()
            upstream.let_through.set()
            done = [finished(clients[1], who, run, SECONDS_TO_RECOVER) for run in runs]
            assert [run["status"] for run in done] == ["completed"] * 3
            assert lasting(done[0]) == lasting(done[1]) == lasting(done[2])
            assert queue.PASSWORD not in other.log()
