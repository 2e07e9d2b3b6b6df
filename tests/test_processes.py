"""Several processes on one database: each race has one winner, and changes of one are seen by the other at once."""

import json
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest

from strategybot.app import Services
from strategybot.kit.http.probes import POLL_SECONDS
from strategybot.settings import Settings
from tests.servers import SECRET, PostgresServer, ServiceByHand, ServiceProcess, ServiceWithTwoOutputs, web
from tests.support import PASSWORD, bearer, visitor

REGISTER, LOGIN = "/api/auth/register", "/api/auth/login"


Pair = tuple[ServiceProcess, ServiceProcess]


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Return settings of a database without tables."""
    url = request.getfixturevalue("postgres").new_database() if request.param == "postgresql" else None
    return Settings(_env_file=None, data_dir=tmp_path / "data", database_url=url, secret_key=SECRET)


@pytest.fixture
def pair(settings: Settings) -> Iterator[Pair]:
    """Start two processes together on an empty database."""
    settings.data_dir.mkdir()
    one, other = (ServiceProcess(settings.data_dir, database_url=settings.database) for _ in range(2))
    with ExitStack() as stack:
        for service in (one, other):
            service.start()
            stack.callback(service.kill)
        one.wait()
        other.wait()
        yield one, other


def post(
    service: ServiceProcess, path: str, body: dict[str, Any], headers: dict[str, str] | None = None
) -> httpx2.Response:
    return web.post(f"{service.url}{path}", json=body, headers=headers, timeout=60)


def in_parallel(pair: Pair, bodies: list[dict[str, Any]], path: str) -> Counter[int]:
    with ThreadPoolExecutor(len(bodies)) as pool:
        futures = [pool.submit(post, pair[number % 2], path, body) for number, body in enumerate(bodies)]
    return Counter(future.result().status_code for future in futures)


def test_two_processes_share_everything(pair: Pair, settings: Settings) -> None:
    accounts_and_logins_are_counted_once(pair)
    bots_stop_exactly_at_the_limit(pair)
    a_visitors_bots_are_claimed_once(pair, settings)
    a_token_ended_in_one_is_ended_in_both(*pair)


def accounts_and_logins_are_counted_once(pair: Pair) -> None:
    emails = ["ada@example.com", "ADA@example.com", "Ada@Example.Com", "aDa@example.com"] * 5
    registrations = [{"email": email, "password": PASSWORD} for email in emails]
    assert in_parallel(pair, registrations, REGISTER) == {201: 1, 409: 19}
    attempts = [{"email": "ada@example.com", "password": PASSWORD} for _ in range(30)]
    assert in_parallel(pair, attempts, LOGIN) == {200: 5, 429: 25}


def new_user(service: ServiceProcess, email: str) -> dict[str, str]:
    return bearer(post(service, REGISTER, {"email": email, "password": PASSWORD}).json()["access_token"])


def bots_stop_exactly_at_the_limit(pair: Pair) -> None:
    user = new_user(pair[0], "bob@example.com")

    def create(number: int) -> int:
        return post(pair[number % 2], "/api/bots", {"name": f"Bot {number // 2}"}, user).status_code

    with ThreadPoolExecutor(30) as pool:
        statuses = Counter(pool.map(create, range(30)))
    assert statuses[201] == 10
    assert statuses.keys() <= {201, 403, 409}
    page = web.get(f"{pair[1].url}/api/bots", headers=user).json()
    names = [bot["name"] for bot in page["bots"]]
    assert (page["total_bots"], len(set(names))) == (10, 10)


def a_visitors_bots_are_claimed_once(pair: Pair, settings: Settings) -> None:
    services = Services(settings)
    guest = visitor(services.accounts.welcome_visitor("203.0.113.5"))
    services.database.close()
    with ThreadPoolExecutor(16) as pool:
        bots = Counter(
            pool.map(lambda n: post(pair[n % 2], "/api/bots", {"name": f"{n}"}, guest).status_code, range(16))
        )
        assert bots == {201: 1, 403: 15}
        bodies = [{"email": f"user{number}@example.com", "password": PASSWORD} for number in range(8)]
        tokens = list(pool.map(lambda n: post(pair[n % 2], REGISTER, bodies[n], guest).json(), range(8)))
    owned = [
        web.get(f"{pair[0].url}/api/bots", headers=bearer(token["access_token"])).json()["total_bots"]
        for token in tokens
    ]
    assert sorted(owned) == [0] * 7 + [1]


def a_token_ended_in_one_is_ended_in_both(one: ServiceProcess, other: ServiceProcess) -> None:
    token = new_user(one, "eve@example.com")
    assert web.get(f"{other.url}/api/auth/me", headers=token).status_code == 200
    assert web.post(f"{one.url}/api/auth/logout", headers=token).status_code == 204
    assert web.get(f"{other.url}/api/auth/me", headers=token).status_code == 401
    one.kill()
    one.start()
    one.wait()
    assert web.get(f"{one.url}/api/auth/me", headers=token).status_code == 401


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with ServiceProcess(tmp_path / "data") as service:
        user = new_user(service, "ada@example.com")
        for number in range(5):
            created = post(service, "/api/bots", {"name": f"Bot {number}"}, user).json()
            service.kill()
            service.start()
            service.wait()
            assert web.get(f"{service.url}/api/bots/{created['id']}", headers=user).json() == created


def test_a_process_that_is_asked_to_stop_finishes_running_requests_and_exits_with_0(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with ServiceWithTwoOutputs(tmp_path / "data") as service, ThreadPoolExecutor(8) as pool:
        bodies = [{"email": f"user{number}@example.com", "password": PASSWORD} for number in range(8)]
        answers = [pool.submit(post, service, REGISTER, body) for body in bodies]
        wait(answers, return_when=FIRST_COMPLETED)  # passwords are hashed one at a time, so the others are under way
        assert service.terminate() == 0
        answered = [answer for answer in answers if not isinstance(answer.exception(), httpx2.ConnectError)]
        assert len(answered) > 1
        assert {answer.result().status_code for answer in answered} == {201}
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", service.port))
        assert all(json.loads(line)["message"] for line in service.log().splitlines())
        assert "Traceback" not in service.log() + service.said()


def test_a_forwarded_address_counts_only_from_a_trusted_proxy(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()

    def attempts(service: ServiceProcess) -> list[int]:
        headers = [{"X-Forwarded-For": f"203.0.113.{number}"} for number in range(6)]
        return [post(service, LOGIN, {"email": "a@b.io", "password": "x"}, header).status_code for header in headers]

    over_tls = {"X-Forwarded-Proto": "https"}
    with ServiceProcess(tmp_path / "data") as service:
        assert attempts(service) == [401] * 5 + [429]
        assert "Strict-Transport-Security" not in web.get(f"{service.url}/healthz", headers=over_tls).headers
    with ServiceProcess(tmp_path / "data", trusted_proxies="127.0.0.1") as service:
        assert attempts(service) == [401] * 6
        answer = web.get(f"{service.url}/healthz", headers=over_tls)
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_a_body_of_ten_megabytes_gets_its_answer_and_ctrl_c_stops_it_quietly(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with ServiceByHand(tmp_path / "data") as service:
        with httpx2.Client(base_url=service.url, timeout=60) as client:
            for _ in range(2):
                answer = client.post(LOGIN, content=b"x" * (10 << 20), headers={"Content-Type": "application/json"})
                assert (answer.status_code, answer.json()["detail"]) == (413, "The request body is larger than 1 MiB.")
            assert client.get("/healthz").status_code == 200
        service.process.send_signal(signal.SIGINT)
        assert service.process.wait(timeout=30) == 0
        assert "Traceback" not in service.log() + service.said()


def test_a_database_that_comes_back_is_used_again(tmp_path: Path) -> None:
    if PostgresServer.programs() is None:
        pytest.skip("PostgreSQL is not installed")
    postgres = PostgresServer()
    (tmp_path / "data").mkdir()
    try:
        with ServiceProcess(tmp_path / "data", database_url=postgres.new_database()) as service:
            postgres.stop()
            time.sleep(POLL_SECONDS)  # until then the last answer, which said that it can write, is repeated
            assert web.get(f"{service.url}/readyz", timeout=20).status_code == 503
            assert web.get(f"{service.url}/healthz").status_code == 200
            postgres.start()
            service.wait()
            assert post(service, REGISTER, {"email": "a@b.io", "password": PASSWORD}).status_code == 201
    finally:
        postgres.remove()
