"""Readiness with a database that blocks: a response in time, one blocked thread, and recovery."""

import threading
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from strategybot.kit.http.probes import SECONDS_TO_LOOK, Readiness, probes_router
from strategybot.kit.http.rendering import install_error_rendering


class FrozenDatabase:
    def __init__(self) -> None:
        self.thawed, self.callers = threading.Event(), 0

    def ping(self) -> None:
        self.callers += 1
        self.thawed.wait(60)


@pytest.fixture
def frozen() -> FrozenDatabase:
    return FrozenDatabase()


@pytest.fixture
def client(frozen: FrozenDatabase) -> Iterator[TestClient]:
    app = FastAPI()
    install_error_rendering(app)
    app.include_router(probes_router(None))
    app.state.readiness = Readiness(frozen.ping, seconds=0.1)
    with TestClient(app) as client:
        yield client
        frozen.thawed.set()


def test_a_frozen_database_is_reported_and_blocks_only_one_thread(client: TestClient, frozen: FrozenDatabase) -> None:
    for _ in range(3):
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()) == (
            503, {"detail": "The database cannot be reached at the moment. Please try again."}
        )  # fmt: skip
        assert client.get("/healthz").status_code == 200
    assert frozen.callers == 1


def test_when_the_database_responds_again_the_service_is_ready(client: TestClient, frozen: FrozenDatabase) -> None:
    assert client.get("/readyz").status_code == 503
    frozen.thawed.set()
    answers = (client.get("/readyz").status_code for _ in range(100))
    assert 200 in answers


def test_a_probe_is_answered_within_its_timeout() -> None:
    assert SECONDS_TO_LOOK <= 3
