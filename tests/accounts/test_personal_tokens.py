"""Personal tokens: shown once, limited by their scope, and ended by expiry, revocation or a new password."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from strategybot.app import Services
from tests.engines import on_both, on_sqlite_alone
from tests.support import PASSWORD, ManualClock, bearer, create_bot, sign_up

pytestmark = on_sqlite_alone

ME, TOKENS = "/api/auth/me", "/api/auth/tokens"
Headers = dict[str, str]


def make(client: TestClient, who: Headers, *scopes: str, **fields: Any) -> dict[str, Any]:
    body = {"name": "Notebook", "scopes": list(scopes or ("read", "write")), **fields}
    answer = client.post(TOKENS, json=body, headers=who)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_a_new_token_works_and_is_shown_once(client: TestClient, user: Headers, services: Services) -> None:
    made = make(client, user, "read")
    assert made.keys() == {"id", "name", "scopes", "created_at", "expires_at", "token"}
    assert made["token"].startswith("sbt_")
    assert len(made["token"]) == len("sbt_") + 43
    assert (made["created_at"][:10], made["expires_at"][:10]) == ("2026-01-02", "2026-04-02")
    assert client.get(ME, headers=bearer(made["token"])).json()["email"] == "ada@example.com"
    listed = client.get(TOKENS, headers=user)
    assert made["token"] not in listed.text
    (token,) = listed.json()["tokens"]
    assert token == {name: made[name] for name in made if name != "token"} | {"last_used_at": "2026-01-02T03:04:05Z"}
    with services.database.read() as session:
        stored = session.execute(text("SELECT * FROM accounts_personal_tokens")).one()
    assert made["token"] not in map(str, stored)


def test_the_last_use_is_null_at_first_and_noted_once_a_minute(
    client: TestClient, user: Headers, clock: ManualClock
) -> None:
    who = bearer(make(client, user)["token"])

    def last_used() -> Any:
        return client.get(TOKENS, headers=user).json()["tokens"][0]["last_used_at"]

    assert last_used() is None
    seen = []
    for seconds in (0, 59, 1):
        clock.advance(seconds=seconds)
        client.get(ME, headers=who)
        seen.append(last_used()[-6:])
    assert seen == ["04:05Z", "04:05Z", "05:05Z"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"scopes": ["write"]}, "scopes"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["read", "read"]}, "scopes"),
        ({"scopes": ["admin"]}, "scopes.0"),
        ({"scopes": None}, "scopes"),
        ({"name": ""}, "name"),
        ({"name": "a\u0000b"}, "name"),
        ({"name": " "}, "name"),
        ({"expires_in_days": 0}, "expires_in_days"),
        ({"expires_in_days": 366}, "expires_in_days"),
        ({"expires_in_days": 1.5}, "expires_in_days"),
        ({"user_id": "x"}, "user_id"),
    ],
)
def test_a_wrong_draft_is_refused(
    shared_client: TestClient, shared_user: Headers, fields: dict[str, Any], field: str
) -> None:
    answer = shared_client.post(TOKENS, json={"name": "Notebook", "scopes": ["read"], **fields}, headers=shared_user)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field


def test_a_token_with_the_scope_read_changes_nothing(client: TestClient, user: Headers) -> None:
    reader, bot = bearer(make(client, user, "read")["token"]), create_bot(client, user)
    assert client.get(f"/api/bots/{bot['id']}", headers=reader).json() == bot
    refused = {"detail": "This personal token may only read. Make one with the scope write to change something."}
    schema = client.get("/openapi.json").json()
    changing = 0
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            if "security" not in operation or method == "get" or path.startswith("/api/market"):
                continue
            names = {each["name"]: bot["id"] for each in operation.get("parameters", ()) if each["in"] == "path"}
            answer = client.request(method, path.format(**names | {"revision": "1"}), json={}, headers=reader)
            assert (answer.status_code, answer.json()) == (403, refused), (method, path)
            assert "403" in operation["responses"], (method, path)
            changing += 1
    assert changing >= 19
    assert client.get("/api/bots", headers=reader).json()["bots"] == [{**bot, "simulation": None}]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/market/tokens/price", {"token_ids": ["So11111111111111111111111111111111111111112-solana"]}),
        (
            "/api/market/chain/quote",
            {
                "chain": "solana",
                "from_token": "So11111111111111111111111111111111111111112",
                "to_token": "EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N",
                "amount": "1000",
            },
        ),
    ],
)
def test_a_read_only_post_needs_no_scope_write(
    client: TestClient, user: Headers, path: str, body: dict[str, Any]
) -> None:
    reader = bearer(make(client, user, "read")["token"])
    assert client.post(path, json=body, headers=reader).status_code == 200


def test_a_token_with_the_scope_write_changes_what_is_the_users(client: TestClient, user: Headers) -> None:
    writer = bearer(make(client, user)["token"])
    bot = create_bot(client, writer)
    assert client.get("/api/bots", headers=user).json()["bots"] == [{**bot, "simulation": None}]
    assert client.delete(f"/api/bots/{bot['id']}", headers=writer).status_code == 204


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", TOKENS, {"name": "Another", "scopes": ["read"]}),
        ("GET", TOKENS, None),
        ("DELETE", f"{TOKENS}/01a1ec19-0217-7274-bc55-4e8a4e7aa1b2", None),
        ("POST", "/api/auth/password", {"current_password": PASSWORD, "new_password": "another horse"}),
        ("DELETE", ME, {"password": PASSWORD}),
    ],
)
def test_no_personal_token_may_perform_account_operations(
    shared_client: TestClient, shared_user: Headers, method: str, path: str, body: dict[str, Any]
) -> None:
    writer = bearer(make(shared_client, shared_user)["token"])
    answer = shared_client.request(method, path, json=body, headers=writer)
    assert answer.status_code == 403
    assert answer.json() == {"detail": "A personal token cannot do this. Log in with your password."}
    assert shared_client.get(ME, headers=shared_user).status_code == 200


def test_a_revoked_token_is_refused(client: TestClient, user: Headers) -> None:
    made, kept = make(client, user), make(client, user)
    assert client.delete(f"{TOKENS}/{made['id']}", headers=user).status_code == 204
    assert client.get(ME, headers=bearer(made["token"])).status_code == 401
    assert client.get(ME, headers=bearer(kept["token"])).status_code == 200
    assert client.delete(f"{TOKENS}/{made['id']}", headers=user).json() == {"detail": "Token not found."}


def test_logging_out_with_a_personal_token_revokes_that_token(client: TestClient, user: Headers) -> None:
    writer = bearer(make(client, user)["token"])
    assert client.post("/api/auth/logout", headers=writer).status_code == 204
    assert client.get(ME, headers=writer).status_code == 401
    assert client.get(ME, headers=user).status_code == 200


def test_a_token_of_another_user_does_not_exist(client: TestClient, user: Headers) -> None:
    made, other = make(client, user), sign_up(client, "bob@example.com")
    assert client.delete(f"{TOKENS}/{made['id']}", headers=other).status_code == 404
    assert client.get(TOKENS, headers=other).json() == {"tokens": []}
    assert client.get(ME, headers=bearer(made["token"])).status_code == 200


@on_both
def test_a_token_ends_when_it_expires(
    client: TestClient, user: Headers, clock: ManualClock, services: Services
) -> None:
    made = make(client, user, expires_in_days=1)
    clock.advance(days=1, seconds=-1)
    assert client.get(ME, headers=bearer(made["token"])).status_code == 200
    clock.advance(seconds=1)
    assert client.get(ME, headers=bearer(made["token"])).status_code == 401
    services.retention.run()
    with services.database.read() as session:
        assert session.execute(text("SELECT count(*) FROM accounts_personal_tokens")).scalar() == 0


def test_a_new_password_revokes_every_personal_token(client: TestClient, user: Headers) -> None:
    made, stranger = make(client, user), make(client, sign_up(client, "bob@example.com"))
    body = {"current_password": PASSWORD, "new_password": "another horse"}
    assert client.post("/api/auth/password", json=body, headers=user).status_code == 204
    assert client.get(ME, headers=bearer(made["token"])).status_code == 401
    assert client.get(ME, headers=bearer(stranger["token"])).status_code == 200


def test_deleting_the_account_revokes_every_personal_token(client: TestClient, user: Headers) -> None:
    made = make(client, user)
    assert client.request("DELETE", ME, json={"password": PASSWORD}, headers=user).status_code == 204
    assert client.get(ME, headers=bearer(made["token"])).status_code == 401


@on_both
def test_an_account_has_twenty_at_most_however_many_ask_at_once(client: TestClient, user: Headers) -> None:
    def ask(number: int) -> int:
        return client.post(TOKENS, json={"name": f"No. {number}", "scopes": ["read"]}, headers=user).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(ask, range(24)))
    assert sorted(statuses) == [201] * 20 + [409] * 4
    tokens = client.get(TOKENS, headers=user).json()["tokens"]
    assert client.delete(f"{TOKENS}/{tokens[0]['id']}", headers=user).status_code == 204
    assert ask(25) == 201


@pytest.mark.parametrize("token", ["sbt_", "sbt_" + "A" * 43, "sbt_" + "x" * 5000, "SBT_x", "sbt_é"])
def test_an_unknown_token_is_not_authenticated(shared_client: TestClient, shared_user: Headers, token: str) -> None:
    answer = shared_client.get(ME, headers={b"Authorization": f"Bearer {token}".encode()})
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
