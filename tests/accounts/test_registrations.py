"""A flood of registrations does not block logins, and registrations are limited per address."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from strategybot.accounts.schemas import LoginAttempt, Registration
from strategybot.app import Services
from strategybot.kit.lanes import Lane
from strategybot.kit.limits import Rate
from strategybot.migrations import migrate
from strategybot.settings import Settings
from tests.application import application
from tests.servers import SECRET
from tests.support import PASSWORD, ManualClock

SIGN_UPS = 200


def test_a_login_takes_under_a_second_while_200_sign_ups_wait(tmp_path: Path) -> None:
    """With the real cost of a password hash."""
    services = Services(Settings(_env_file=None, data_dir=tmp_path, secret_key=SECRET))
    migrate(services.database)
    accounts = services.accounts

    async def log_in() -> float:
        before = time.monotonic()
        await accounts.log_in(LoginAttempt(email="ada@example.com", password=PASSWORD), "198.51.100.7", None)
        return time.monotonic() - before

    async def test() -> float:
        await accounts.register(Registration(email="ada@example.com", password=PASSWORD), "198.51.100.7", None)
        flood = [
            asyncio.create_task(
                accounts.register(Registration(email=f"{n}@example.com", password=PASSWORD), "203.0.113.5", None)
            )
            for n in range(SIGN_UPS)
        ]
        await asyncio.wait(flood, return_when=asyncio.FIRST_COMPLETED)
        taken = await log_in()
        waiting = sum(not task.done() for task in flood)
        assert waiting > SIGN_UPS / 2, "the flood was over before the login"
        for task in flood:
            task.cancel()
        await asyncio.wait(flood)
        return taken

    try:
        assert asyncio.run(test()) < 1
    finally:
        services.database.close()


def test_urgent_work_runs_first_and_a_cancelled_waiter_is_skipped() -> None:
    async def test() -> list[str]:
        lane, done = Lane(), list[str]()
        first = asyncio.create_task(lane.run(time.sleep, 0.05))
        await asyncio.sleep(0.01)
        others = [asyncio.create_task(lane.run(done.append, name)) for name in ("b", "c", "d")]
        urgent = asyncio.create_task(lane.run(done.append, "a", urgent=True))
        await asyncio.sleep(0)
        others[1].cancel()
        await asyncio.wait([first, urgent, *others])
        await asyncio.wait_for(lane.run(done.append, "e"), 1)
        return done

    assert asyncio.run(test()) == ["a", "b", "d", "e"]


@pytest.fixture
def app(settings: Settings, clock: ManualClock) -> FastAPI:
    return application(settings.model_copy(update={"register_limit": Rate.parse("3/1h")}), clock)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client


def test_registrations_from_one_address_are_limited(client: TestClient, clock: ManualClock) -> None:
    def register(name: str) -> int:
        body = {"email": f"{name}@example.com", "password": PASSWORD}
        answer = client.post("/api/auth/register", json=body)
        if answer.status_code == 429:
            assert answer.headers["Retry-After"] == "3600"
            assert "Too many accounts" in answer.json()["detail"]
        return answer.status_code

    assert [register(name) for name in ("a", "a", "b", "c")] == [201, 409, 201, 429]
    body = {"email": "a@example.com", "password": PASSWORD}
    assert client.post("/api/auth/login", json=body).status_code == 200
    clock.advance(hours=1)
    assert register("c") == 201


def test_the_default_is_300_an_hour() -> None:
    assert Settings(_env_file=None).register_limit == Rate.parse("300/1h")
