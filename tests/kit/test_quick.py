"""Plain GET requests are answered without FastAPI's routers and resolver, exactly as with them."""

import httpx2
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from strategybot.kit.http.quick import QuickRoutes
from tests.simulations.driving import LIVELY, start
from tests.support import STRATEGY, create_bot, sign_up

DIFFERENT_EACH_TIME = {"x-request-id"}


@pytest.fixture
def quick_paths(app: FastAPI) -> list[str]:
    first = app.router.routes[0]
    assert isinstance(first, QuickRoutes)
    return list(first.answers)


def test_a_quick_answer_equals_the_one_of_the_framework(client: TestClient, quick_paths: list[str]) -> None:
    """A query string, even one that no route reads, takes the long way."""
    ada = sign_up(client)
    for number in range(3):
        create_bot(client, ada, f"Bot {number}", strategy=STRATEGY)
    for path in quick_paths:
        for who in (ada, ada, {}, {"Authorization": "Bearer x"}, {"X-Anonymous-Token": "x"}):
            assert _seen(client.get(path, headers=who)) == _seen(client.get(f"{path}?unread=1", headers=who)), path


def test_a_list_shows_each_change_of_a_bot_and_of_its_simulation(client: TestClient, user: dict[str, str]) -> None:
    bot, other = (create_bot(client, user, name, strategy=LIVELY) for name in ("Ada", "Bob"))

    def assert_list_is_current() -> None:
        quick, long = client.get("/api/bots", headers=user), client.get("/api/bots?page=1", headers=user)
        assert _seen(quick) == _seen(long)
        assert quick.json()["bots"][1]["name"] == client.get(f"/api/bots/{bot['id']}", headers=user).json()["name"]

    assert_list_is_current()
    client.patch(f"/api/bots/{bot['id']}", json={"name": "Ada the second"}, headers=user)
    assert_list_is_current()
    start(client, user, other)
    assert client.get("/api/bots", headers=user).json()["bots"][0]["simulation"]["status"] == "running"
    assert_list_is_current()
    client.delete(f"/api/bots/{other['id']}", headers=user)
    assert [each["name"] for each in client.get("/api/bots", headers=user).json()["bots"]] == ["Ada the second"]


def test_other_methods_of_a_quick_path_are_those_of_its_routes(client: TestClient, quick_paths: list[str]) -> None:
    for path in quick_paths:
        assert client.head(path).status_code == 405
        assert client.post(path, content=b"x").status_code in (401, 405, 422)
    assert client.put("/api/bots").headers["allow"] == "GET, POST"


def test_the_list_of_bots_is_quick_and_a_path_with_a_parameter_is_not(quick_paths: list[str]) -> None:
    assert "/api/bots" in quick_paths
    assert not any("{" in path for path in quick_paths)


def _seen(answer: httpx2.Response) -> tuple[int, object, dict[str, str]]:
    headers = {name: value for name, value in answer.headers.items() if name not in DIFFERENT_EACH_TIME}
    return answer.status_code, answer.json(), headers
