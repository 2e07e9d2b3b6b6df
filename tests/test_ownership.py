"""Every operation of the API's document, tried by everybody who is not the owner: it does not exist, or they are nobody.

The matrix is made from the document itself, so that an operation that is added tomorrow is in it.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from strategybot.app import Services
from strategybot.kit.identifiers import new_id
from tests.backtests import driving as backtests
from tests.backtests.driving import Headers, Json
from tests.engines import on_sqlite_alone
from tests.examples import example_of
from tests.searches import driving as research
from tests.simulations import driving as simulations
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import PASSWORD, create_bot, sign_up, visitor

OF_NOBODY = {"token_id": f"{TOKEN}-solana", "contract_id": f"{TOKEN}-solana", "revision": "1"}
BODIES: dict[str, Json] = {
    "/api/bots/{bot_id}/backtest": {"token": TOKEN},
    "/api/bots/{bot_id}/simulate": {"token": TOKEN},
    "/api/bots/{bot_id}/optimise": {"token": TOKEN, "parameters": [{"path": "stop_loss_percent", "values": [1, 2]}]},
    "/api/bots/{bot_id}/watch": {"tokens": [{"token": TOKEN}]},
    "/api/conversations/{conversation_id}/set-bot": {"bot_id": None},
    "/api/conversations/{conversation_id}/chat": {"message": "/help"},
}
"""Where the document's example is not enough to get past validation."""
TARGET = {"name": "My phone", "url": "ntfy://my-secret-topic", "enabled": False}
OWNED = ("bot_id", "run_id", "conversation_id", "personal_token_id", "target_id")
RUNS = {
    "/simulate/": "simulation_id",
    "/optimise/": "optimisation_id",
    "/survey/": "survey_id",
    "/watch/": "watch_id",
}
NOT_FOR_A_BODY = ("user_id", "owner_id", "tier", "status", "created_at", "id")


@dataclass(frozen=True, slots=True)
class Operation:
    method: str
    path: str
    body: Any
    security: list[dict[str, list[str]]]

    @property
    def is_owned(self) -> bool:
        return any(f"{{{name}}}" in self.path for name in OWNED)

    def takes(self, kind: str) -> bool:
        return any(kind in way for way in self.security)

    def tried(self, client: TestClient, who: Headers, place: dict[str, str], body: Any = None) -> Any:
        run = next((name for part, name in RUNS.items() if part in self.path), "backtest_id")
        path = self.path.format(**OF_NOBODY, **place, run_id=place[run])
        return client.request(self.method, path, json=self.body if body is None else body, headers=who)


def operations(client: TestClient) -> list[Operation]:
    """Return all operations that require authentication."""
    return _operations(client.get("/openapi.json").content)


@cache
def _operations(document: bytes) -> list[Operation]:
    schema = json.loads(document)
    return [
        Operation(method.upper(), path, _body(schema, path, operation), operation["security"])
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if "security" in operation
    ]


def _body(schema: Json, path: str, operation: Json) -> Any:
    if "requestBody" not in operation:
        return None
    return BODIES.get(path) or example_of(schema, operation["requestBody"]["content"]["application/json"]["schema"])


class Owner:
    """A user with one resource of each kind, who can read all of them."""

    def __init__(self, client: TestClient, who: Headers) -> None:
        self._client, self.who = client, who
        bot = create_bot(client, who, strategy=LIVELY)
        day = backtests.start(client, who, bot, token=TOKEN, start_time="2026-01-01")
        tested = backtests.finished(client, who, day)
        client.post(f"/api/bots/{bot['id']}/backtest/{tested['run_id']}/share", headers=who)
        running = simulations.start(client, who, bot)
        searched = research.start(client, who, bot, **BODIES["/api/bots/{bot_id}/optimise"])
        surveyed = research.start(client, who, bot, "survey", trending="solana", limit=1)
        of_bot = f"/api/bots/{bot['id']}/watch"
        watched = client.post(of_bot, json=BODIES["/api/bots/{bot_id}/watch"], headers=who).json()
        client.post(f"{of_bot}/{watched['run_id']}/stop", headers=who)  # it would change while the test compares
        research.finished(client, who, searched)
        research.finished(client, who, surveyed, "survey")
        conversation = client.post("/api/conversations", json={"bot_id": bot["id"]}, headers=who).json()
        draft = {"name": "Notebook", "scopes": ["read"]}
        token = client.post("/api/auth/tokens", json=draft, headers=who).json()
        target = client.post("/api/notifications/targets", json=TARGET, headers=who).json()
        self.place = {
            "bot_id": bot["id"],
            "backtest_id": tested["run_id"],
            "simulation_id": running["run_id"],
            "optimisation_id": searched["run_id"],
            "survey_id": surveyed["run_id"],
            "watch_id": watched["run_id"],
            "conversation_id": conversation["id"],
            "personal_token_id": token["id"],
            "target_id": target["id"],
        }

    def everything(self) -> list[Any]:
        reads = [each for each in operations(self._client) if each.method == "GET" and "/market/" not in each.path]
        assert len(reads) >= 12
        answers = [each.tried(self._client, self.who, self.place) for each in reads]
        assert {answer.status_code for answer in answers} == {200}
        return [answer.text for answer in answers]


@pytest.fixture(scope="module")
def owners(shared_clients: Callable[[str], TestClient]) -> Callable[[str], Owner]:
    """Return a function that returns the owner in the shared application of an engine, whom no test can change."""

    @cache
    def owner_on(engine: str) -> Owner:
        return Owner(shared_clients(engine), sign_up(shared_clients(engine)))

    return owner_on


@pytest.fixture
def owner(owners: Callable[[str], Owner], engine: str) -> Owner:
    return owners(engine)


@pytest.fixture
def client(shared_client: TestClient) -> TestClient:
    return shared_client


@pytest.fixture
def stranger(shared_user: Headers) -> Headers:
    return shared_user


@pytest.fixture
def guest(services: Services) -> Headers:
    return visitor(services.accounts.welcome_visitor("203.0.113.5"))


@on_sqlite_alone
def test_every_operation_of_an_owner_is_in_the_matrix(app: FastAPI) -> None:
    """The owner can perform each operation: with a wrong path or body the refusals below would prove nothing."""
    with TestClient(app) as client:
        owner, found = Owner(client, sign_up(client)), operations(client)
        assert len(found) >= 40
        last = [each for each in found if each.method == "DELETE" or each.path.endswith(("/logout", "/password"))]
        for each in [each for each in found if each not in last] + [
            each for each in last if each.path != "/api/auth/me"
        ][:1]:
            status = each.tried(client, owner.who, owner.place).status_code
            assert status in {200, 201, 202, 204, 409}, (each.method, each.path, status)


def test_resources_of_another_user_are_not_found(client: TestClient, owner: Owner, stranger: Headers) -> None:
    before = owner.everything()
    nowhere = {name: new_id() for name in owner.place}
    for each in operations(client):
        if each.is_owned:
            refused, missing = (each.tried(client, stranger, place) for place in (owner.place, nowhere))
            assert (refused.status_code, refused.text) == (404, missing.text), (each.method, each.path)
    assert owner.everything() == before


def test_a_run_of_another_user_is_not_found_under_an_own_bot(
    client: TestClient, owner: Owner, stranger: Headers
) -> None:
    before = owner.everything()
    theirs = owner.place | {"bot_id": create_bot(client, stranger, strategy=LIVELY)["id"]}
    for each in operations(client):
        if "{run_id}" in each.path:
            assert each.tried(client, stranger, theirs).status_code == 404, (each.method, each.path)
    assert owner.everything() == before


def test_a_bot_of_another_user_cannot_be_named_in_a_body(client: TestClient, owner: Owner, stranger: Headers) -> None:
    before = owner.everything()
    theirs = client.post("/api/conversations", json={}, headers=stranger).json()["id"]
    body = {"bot_id": owner.place["bot_id"]}
    for path in ("/api/conversations", f"/api/conversations/{theirs}/set-bot"):
        assert client.post(path, json=body, headers=stranger).status_code == 404
    assert owner.everything() == before


def test_resources_of_a_user_are_not_found_by_a_visitor(client: TestClient, owner: Owner, guest: Headers) -> None:
    before = owner.everything()
    for each in operations(client):
        if each.takes("AnonymousToken") and not each.is_owned:
            continue
        status = each.tried(client, guest, owner.place).status_code
        assert status == (404 if each.takes("AnonymousToken") else 401), (each.method, each.path, status)
    assert owner.everything() == before


def nobodies(client: TestClient, owner: Owner) -> Iterator[tuple[str, Headers]]:
    logged_out = sign_up(client, "carol@example.com")
    assert client.post("/api/auth/logout", headers=logged_out).status_code == 204
    deleted = sign_up(client, "dave@example.com")
    gone = client.request("DELETE", "/api/auth/me", json={"password": PASSWORD}, headers=deleted)
    assert gone.status_code == 204
    token = owner.who["Authorization"]
    yield "logged out", logged_out
    yield "deleted", deleted
    yield "a byte changed", {"Authorization": token[:-2] + ("A" if token[-2] != "A" else "B") + token[-1]}
    yield "not signed", {"Authorization": token.rpartition(".")[0] + "."}
    yield "no token at all", {"Authorization": "Bearer "}
    yield "another scheme", {"Authorization": token.replace("Bearer", "Basic")}
    yield "an unknown visitor", visitor("0" * 43)


@on_sqlite_alone
def test_every_operation_without_credentials_is_refused_with_401(client: TestClient, owner: Owner) -> None:
    before = owner.everything()
    for kind, who in nobodies(client, owner):
        for each in operations(client):
            answer = each.tried(client, who, owner.place)
            assert answer.status_code == 401, (kind, each.method, each.path)
            assert answer.headers["WWW-Authenticate"] == "Bearer"
    for each in operations(client):
        status = each.tried(client, {}, owner.place).status_code
        assert status == (401 if {} not in each.security else 201), (each.method, each.path)
    assert owner.everything() == before


@on_sqlite_alone
def test_no_request_body_can_change_the_tier_or_the_owner(client: TestClient, owner: Owner) -> None:
    before = owner.everything()
    for each in operations(client):
        if isinstance(each.body, dict):
            for name in NOT_FOR_A_BODY:
                answer = each.tried(client, owner.who, owner.place, {**each.body, name: "pro"})
                assert answer.status_code == 422, (each.method, each.path, name)
    assert owner.everything() == before
