"""Floods against the service as it is installed: other clients are answered, and memory and descriptors last."""

import json
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar

import httpx2
import pytest

from tests.backtests.driving import finished, start
from tests.kit.listening import RawClient
from tests.servers import ServiceProcess, ServiceWithTwoOutputs, web
from tests.simulations import driving as simulations
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import PASSWORD, bearer, create_bot, sign_up

MIB = 1024 * 1024


class WithFewDescriptors(ServiceProcess):
    more_environment: ClassVar = {"TEST_DESCRIPTORS": "256:1024"}  # soft and hard


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    folder = tmp_path_factory.mktemp("flood") / "data"
    folder.mkdir()
    with WithFewDescriptors(folder) as service:
        yield service


def resident_mib(service: ServiceProcess) -> float:
    status = Path(f"/proc/{service.process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024  # type: ignore[union-attr]


def settled_mib(service: ServiceProcess) -> float:
    """Return the memory after the service has loaded in the background what it needs later."""
    before, now = 0.0, resident_mib(service)
    while now > before + 1:
        time.sleep(2)
        before, now = now, resident_mib(service)
    return now


def raw(service: ServiceProcess, source: str = "127.0.0.1") -> RawClient:
    return RawClient(service.port, None, source)


def test_headers_without_end_cost_no_memory(service: ServiceProcess) -> None:
    before = settled_mib(service)
    for _ in range(3):
        with raw(service) as client:
            client.send(b"GET /healthz HTTP/1.1\r\n")
            sent = client.send_until_refused(b"X-Flood: " + b"a" * 8000 + b"\r\n", 300 * MIB)
            assert sent < 50 * MIB
            assert client.answer()[0] == 431
    assert resident_mib(service) < before + 30


def test_half_sent_requests_take_nothing_from_others(service: ServiceProcess) -> None:
    """1,100 of them with a limit of 1,024 descriptors; a simulation continues meanwhile."""
    with httpx2.Client(base_url=service.url, timeout=60) as client, ExitStack() as stack:
        user = sign_up(client)
        bots = [create_bot(client, user, f"Bot {number}", strategy=LIVELY) for number in range(2)]
        run = simulations.start(client, user, bots[0])
        for number in range(1100):
            connection = raw(service, f"127.0.0.{2 + number % 3}")
            stack.enter_context(connection).send(b"GET /healthz HTTP/1.1\r\nX-Slow: ")
        began = time.monotonic()
        assert web.get(f"{service.url}/healthz").status_code == 200
        assert time.monotonic() - began < 2
        assert simulations.start(client, user, bots[1])["status"] == "running"
        assert simulations.read(client, user, run)["status"] == "running"
        assert len(list(Path(f"/proc/{service.process.pid}/fd").iterdir())) <= 1024 - 100
    assert "Too many open files" not in service.log()


def test_reads_are_answered_while_writes_wait_for_a_lock(service: ServiceProcess) -> None:
    with httpx2.Client(base_url=service.url, timeout=60) as client, ThreadPoolExecutor(60) as pool:
        user = sign_up(client, "reader@example.com")
        create_bot(client, user, "First")
        client.get("/api/bots", headers=user)
        lock = sqlite3.connect(service.data_dir / "strategybot.db", isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        writes = [
            pool.submit(web.post, f"{service.url}/api/bots", json={"name": f"{n}"}, headers=user, timeout=60)
            for n in range(60)
        ]
        time.sleep(1)
        took = []
        for path in ("/api/bots", "/api/auth/me", "/api/bots?page=1") * 3:
            began = time.monotonic()
            assert client.get(path, headers=user).status_code == 200
            took.append(time.monotonic() - began)
        assert not any(write.done() for write in writes)
        lock.execute("ROLLBACK")
        assert Counter(write.result().status_code for write in writes) == {201: 9, 403: 51}
    assert min(took) < 0.1
    assert max(took) < 1, "other work may want the processors, but nobody waited for the lock"


def test_a_flood_of_share_pictures_and_charts_takes_nothing_from_others(service: ServiceProcess) -> None:
    with httpx2.Client(base_url=service.url, timeout=60) as client, ThreadPoolExecutor(30) as pool:
        owner, other = sign_up(client, "owner@example.com"), sign_up(client, "other@example.com")
        create_bot(client, other, "Mine")
        run = finished(client, owner, start(client, owner, create_bot(client, owner, strategy=LIVELY), token=TOKEN))
        place = f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}"
        url = client.post(f"{place}/share", headers=owner).json()["url"]
        pictures = [pool.submit(web.get, f"{url}/preview.png", timeout=60) for _ in range(150)]
        took = [_seconds(client, other) for _ in range(10)]
        assert Counter(picture.result().status_code for picture in pictures) == {200: 150}
        assert len({picture.result().headers["ETag"] for picture in pictures}) == 1
        for _ in range(150):  # clients that leave at once
            with raw(service) as left:
                left.send(f"GET {place}/klines?limit=5000 HTTP/1.1\r\n{_header(owner)}\r\n\r\n".encode())
        took += [_seconds(client, other) for _ in range(10)]
    assert min(took) < 0.1
    assert max(took) < 1


def _seconds(client: httpx2.Client, who: dict[str, str]) -> float:
    began = time.monotonic()
    assert client.get("/api/bots", headers=who).json()["total_bots"] == 1
    return time.monotonic() - began


def _header(who: dict[str, str]) -> str:
    return "".join(f"{name}: {value}" for name, value in who.items())


def test_the_limit_of_descriptors_is_raised(service: ServiceProcess) -> None:
    limits = Path(f"/proc/{service.process.pid}/limits").read_text()
    assert re.search(r"Max open files\s+1024\s+1024", limits)


def test_a_websocket_and_bad_http_are_answered_like_everything_else(service: ServiceProcess) -> None:
    asked = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    answer = web.get(f"{service.url}/api/nothing", headers={**asked, "Sec-WebSocket-Key": "x3JJHMbDL1EzLkh9GBhXDw=="})
    assert (answer.status_code, answer.json()) == (404, {"detail": "Not found."})
    with raw(service) as client:
        client.send(b"nonsense\r\n\r\n")
        status, headers, body = client.answer()
    assert (status, body) == (400, {"detail": "The request is not valid HTTP."})
    assert headers["x-content-type-options"] == "nosniff"


def test_the_log_is_json_on_standard_output_and_names_clients_and_accounts(tmp_path: Path) -> None:
    """Nothing else is there; the greeting for a person is on standard error."""
    (tmp_path / "data").mkdir()
    with ServiceWithTwoOutputs(tmp_path / "data") as service, httpx2.Client(base_url=service.url, timeout=60) as client:
        user = sign_up(client, "ada@example.com")
        account = client.get("/api/auth/me", headers=user).json()["id"]
        for password, status in (("wrong password", 401), (PASSWORD, 200)):
            attempt = {"email": "ada@example.com", "password": password}
            assert client.post("/api/auth/login", json=attempt).status_code == status
        client.get("/api/auth/me", headers=bearer("nonsense"))
        client.get("/healthz")  # on the same connection, so the lines of all requests before it are written
    lines = [json.loads(line) for line in service.log().splitlines()]
    seen = [(line["path"], line["status"], line["client"], line.get("account")) for line in lines if "path" in line]
    assert ("/api/auth/register", 201, "127.0.0.1", account) in seen
    assert ("/api/auth/login", 401, "127.0.0.1", account) in seen
    assert ("/api/auth/login", 200, "127.0.0.1", account) in seen
    assert ("/api/auth/me", 200, "127.0.0.1", account) in seen
    assert ("/api/auth/me", 401, "127.0.0.1", None) in seen
    assert "ada@example.com" not in service.log()
    assert "listens on" in service.said()
