"""How many simulations one owner may start.

More are refused before anything is fetched; the profile shows the limit.
"""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from strategybot.kit.limits import Rate
from strategybot.settings import Settings
from tests.application import application
from tests.simulations.driving import LIVELY, asked, start
from tests.support import ManualClock, create_bot, sign_up


@pytest.fixture
def app(settings: Settings, clock: ManualClock) -> FastAPI:
    return application(settings.model_copy(update={"simulation_limit": Rate.parse("3/1h")}), clock)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client


def test_starts_of_one_owner_are_limited(client: TestClient, clock: ManualClock) -> None:
    ada, bob = sign_up(client), sign_up(client, "bob@example.com")
    bot, other = create_bot(client, ada, strategy=LIVELY), create_bot(client, bob, strategy=LIVELY)
    start(client, ada, bot)
    clock.advance(minutes=10)
    for _ in range(2):
        start(client, ada, bot)
    rate = client.get("/api/auth/me", headers=ada).json()["rates"]["simulation_starts"]
    assert rate == {"count": 3, "window_seconds": 3600, "used": 3}
    refused = asked(client, ada, bot)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "3000")
    assert "too many simulations" in refused.json()["detail"]
    start(client, bob, other)
    clock.advance(minutes=50, seconds=1)
    start(client, ada, bot)


def test_the_default_is_120_an_hour() -> None:
    assert Settings(_env_file=None).simulation_limit == Rate.parse("120/1h")
