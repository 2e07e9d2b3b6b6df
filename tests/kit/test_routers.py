from typing import ClassVar

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from starlette.routing import Match
from starlette.types import Scope

from strategybot.kit.http.routers import Router


class Counted(APIRoute):
    tries: ClassVar[list[str]] = []

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        self.tries.append(self.path)
        return super().matches(scope)


@pytest.fixture
def client() -> TestClient:
    first, second = Router(prefix="/birds", route_class=Counted), Router(prefix="/birds/{bird}")

    @first.get("/{bird}")
    def read(bird: str) -> str:
        return bird

    @second.post("/feed")
    def feed(bird: str) -> str:
        return f"fed {bird}"

    app = FastAPI()
    app.include_router(first)
    app.include_router(second)
    Counted.tries.clear()
    return TestClient(app)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/birds/wren", 200),
        ("POST", "/birds/wren", 405),
        ("POST", "/birds/wren/feed", 200),
        ("GET", "/birds/wren/feed", 405),
        ("GET", "/birds", 404),
        ("GET", "/birds/wren/sing", 404),
        ("GET", "/x/birds/wren", 404),
    ],
)
def test_a_path_finds_its_route_in_any_router(client: TestClient, method: str, path: str, status: int) -> None:
    assert client.request(method, path, follow_redirects=False).status_code == status


def test_a_router_does_not_try_its_routes_for_a_path_of_another(client: TestClient) -> None:
    assert client.post("/birds/wren/feed").json() == "fed wren"
    assert Counted.tries == []
    client.get("/birds/wren")
    assert set(Counted.tries) == {"/birds/{bird}"}
