"""`GET /api/events` of real processes: a stream gets the changes of another process, and does not delay a stop."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from tests.backtests import driving as backtests
from tests.backtests.driving import Headers, Json
from tests.backtests.redis import RedisServer
from tests.events.listening import Listener
from tests.servers import ServiceProcess
from tests.simulations import driving as simulations
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import bearer, create_bot, sign_up

Pair = tuple[ServiceProcess, ServiceProcess]


@pytest.fixture(params=["the database alone", "Redis"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    """Two processes with one database; they share a queue in Redis, or nothing else."""
    data = tmp_path / "data"
    data.mkdir()
    with ExitStack() as stack:
        queue = "memory://"
        if request.param == "Redis":
            if RedisServer.program() is None:
                pytest.skip("Redis is not installed")
            queue = stack.enter_context(RedisServer()).url
        one, other = (ServiceProcess(data, queue_url=queue) for _ in range(2))
        for service in (one, other):
            service.start()
            stack.callback(service.kill)
        one.wait()
        other.wait()
        yield one, other


def seconds_to_hear(ada: Listener, client: httpx2.Client, who: Headers, bot: Json, name: str) -> float:
    """Rename the bot and return how long its owner waits to hear of it."""
    began = time.monotonic()
    client.patch(f"/api/bots/{bot['id']}", json={"name": name}, headers=who)
    assert ada.next("bot")["data"]["what"] == "changed"
    return time.monotonic() - began


def test_a_stream_gets_the_changes_of_another_process(pair: Pair) -> None:
    one, other = pair
    with httpx2.Client(base_url=other.url, timeout=60) as client:
        who = sign_up(client)
        stranger = sign_up(client, "bob@example.com")
        with Listener(one.url, who) as ada, Listener(one.url, stranger) as bob:
            ada.next("ready")
            bob.next("ready")
            bot = create_bot(client, who, strategy=LIVELY, token=TOKEN)
            assert ada.next("bot")["data"] == {"kind": "bot", "what": "created", "bot_id": bot["id"]}
            waits = [seconds_to_hear(ada, client, who, bot, name) for name in ("One", "Two", "Three")]
            assert min(waits) < 3  # the least disturbed of three
            run = backtests.start(client, who, bot, token=TOKEN)
            mine = {"kind": "backtest", "bot_id": bot["id"], "run_id": run["run_id"]}
            for what in ("created", "status", "verdict"):
                ada.next("backtest", 30, lambda event, what=what: event["data"] == {**mine, "what": what})  # type: ignore[misc]
            simulation = simulations.start(client, who, bot, check_interval=10)
            mine = {"kind": "simulation", "bot_id": bot["id"], "run_id": simulation["run_id"]}
            for what in ("created", "step"):
                ada.next("simulation", 30, lambda event, what=what: event["data"] == {**mine, "what": what})  # type: ignore[misc]
            simulations.stop(client, who, simulation)
            ada.next("simulation", 10, lambda event: event["data"] == {**mine, "what": "status"})
            assert bob.is_silent(0.2)
            last = ada.last_id
        client.patch(f"/api/bots/{bot['id']}", json={"name": "Missed"}, headers=who)
        with Listener(one.url, who, last) as again:
            assert again.next("bot")["data"]["what"] == "changed"
            client.post("/api/auth/logout", headers=who)
            assert again.closed.wait(5), "a logged-out token hears nothing any longer"
        with Listener(one.url, who) as refused:
            assert refused.closed.wait(5)
            assert refused.status == 401


def test_an_open_stream_does_not_delay_the_end_of_a_process(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with ServiceProcess(data) as service, httpx2.Client(base_url=service.url, timeout=60) as client:
        who = sign_up(client)
        with Listener(service.url, who) as listener:
            listener.next("ready")
            began = time.monotonic()
            assert service.terminate() == 0
            assert time.monotonic() - began < 4
            assert listener.closed.wait(1)


def test_the_streams_of_an_account_end_when_the_operator_disables_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with ServiceProcess(data) as service, httpx2.Client(base_url=service.url, timeout=60) as client:
        who, other = sign_up(client), sign_up(client, "bob@example.com")
        draft = {"name": "Notebook", "scopes": ["read"]}
        personal = bearer(client.post("/api/auth/tokens", json=draft, headers=who).json()["token"])
        with (
            Listener(service.url, who) as login,
            Listener(service.url, personal) as program,
            Listener(service.url, other) as bob,
        ):
            for each in (login, program, bob):
                each.next("ready")
            service.command("user", "disable", "ada@example.com")
            assert login.closed.wait(5)
            assert program.closed.wait(5)
            assert not bob.closed.wait(0.5)
