"""A visitor who has not signed up has one bot, which nobody else sees and which is kept on sign-up."""

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from strategybot.app import Services
from strategybot.kit.errors import TooManyRequests
from tests.support import PASSWORD, STRATEGY, ManualClock, create_bot, sign_up, visitor


@pytest.fixture
def guest(services: Services) -> dict[str, str]:
    return visitor(services.accounts.welcome_visitor("203.0.113.5"))


def test_a_visitor_has_one_bot_and_is_told_how_to_have_more(client: TestClient, guest: dict[str, str]) -> None:
    bot = create_bot(client, guest, strategy=STRATEGY)
    second = client.post("/api/bots", json={"name": "Another"}, headers=guest)
    assert second.status_code == 403
    assert second.json() == {
        "detail": "Without an account you can have 1 bot.",
        "upsell_message": "Sign up for a free account to get more bots.",
    }
    assert client.get("/api/bots", headers=guest).json()["total_bots"] == 1
    assert client.delete(f"/api/bots/{bot['id']}", headers=guest).status_code == 204
    create_bot(client, guest, "A second try")


def test_a_visitors_bot_is_invisible_to_all_others(
    client: TestClient, services: Services, guest: dict[str, str]
) -> None:
    bot = create_bot(client, guest)
    others = [sign_up(client), visitor(services.accounts.welcome_visitor("203.0.113.5"))]
    for other in others:
        assert client.get(f"/api/bots/{bot['id']}", headers=other).status_code == 404
        assert client.get("/api/bots", headers=other).json()["bots"] == []


@pytest.mark.parametrize("door", ["register", "login"])
def test_signing_up_or_in_keeps_what_the_visitor_made(client: TestClient, guest: dict[str, str], door: str) -> None:
    if door == "login":
        sign_up(client)
    bot = create_bot(client, guest, strategy=STRATEGY)
    answer = client.post(f"/api/auth/{door}", json={"email": "ada@example.com", "password": PASSWORD}, headers=guest)
    user = {"Authorization": f"Bearer {answer.json()['access_token']}"}
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json() == bot
    assert client.get("/api/bots", headers=guest).status_code == 401
    assert client.get("/api/auth/me", headers=user).json()["usage"]["bots"] == 1


def test_a_bot_whose_name_is_taken_moves_under_another_name(client: TestClient, guest: dict[str, str]) -> None:
    user = sign_up(client)
    create_bot(client, user, "Dip buyer")
    create_bot(client, user, "Dip buyer (2)")
    create_bot(client, guest, "Dip buyer")
    client.post("/api/auth/login", json={"email": "ada@example.com", "password": PASSWORD}, headers=guest)
    names = [bot["name"] for bot in client.get("/api/bots", headers=user).json()["bots"]]
    assert sorted(names) == ["Dip buyer", "Dip buyer (2)", "Dip buyer (3)"]


def test_a_failed_login_claims_nothing(client: TestClient, guest: dict[str, str]) -> None:
    sign_up(client)
    create_bot(client, guest)
    body = {"email": "ada@example.com", "password": "wrong"}
    assert client.post("/api/auth/login", json=body, headers=guest).status_code == 401
    assert client.get("/api/bots", headers=guest).json()["total_bots"] == 1


@pytest.mark.parametrize("token", ["", "x", "\xe9", "x" * 5000])
def test_an_unknown_visitor_token_is_refused_and_moves_nothing(client: TestClient, token: str) -> None:
    header = [(b"X-Anonymous-Token", token.encode("latin-1"))]
    assert client.get("/api/bots", headers=header).status_code == 401
    body = {"email": "ada@example.com", "password": PASSWORD}
    assert client.post("/api/auth/register", json=body, headers=header).status_code == 201


def test_a_visitor_cannot_use_routes_for_users(client: TestClient, guest: dict[str, str]) -> None:
    for method, path in [("GET", "/api/auth/me"), ("GET", "/api/auth/settings"), ("POST", "/api/auth/logout")]:
        assert client.request(method, path, headers=guest).status_code == 401


def test_a_bad_login_is_refused_even_with_a_valid_visitor_token(client: TestClient, guest: dict[str, str]) -> None:
    assert client.get("/api/bots", headers={**guest, "Authorization": "Bearer nonsense"}).status_code == 401


def test_a_login_wins_over_a_visitors_token(client: TestClient, user: dict[str, str], guest: dict[str, str]) -> None:
    create_bot(client, {**guest, **user})
    assert client.get("/api/bots", headers=guest).json()["total_bots"] == 0


def test_one_address_gets_ten_tokens_an_hour(services: Services, clock: ManualClock) -> None:
    welcome = services.accounts.welcome_visitor
    assert len({welcome("203.0.113.9") for _ in range(10)}) == 10
    with pytest.raises(TooManyRequests) as refusal:
        welcome("203.0.113.9")
    assert refusal.value.retry_after_seconds == 3600
    welcome("203.0.113.10")
    clock.advance(hours=1)
    welcome("203.0.113.9")


def test_the_token_has_256_bits_and_is_not_in_the_database(services: Services) -> None:
    token = services.accounts.welcome_visitor("203.0.113.5")
    assert len(token) == 43
    with services.database.read() as session:
        tables = session.connection().dialect.get_table_names(session.connection())
        rows = [str(row) for table in tables for row in session.connection().exec_driver_sql(f"SELECT * FROM {table}")]
    assert len(rows) > 1
    assert not any(token in row for row in rows)


def test_bots_beyond_the_tiers_limit_stay_with_the_visitor(client: TestClient, guest: dict[str, str]) -> None:
    user = sign_up(client)
    bots = [create_bot(client, user, f"Bot {number}") for number in range(10)]
    create_bot(client, guest, "One more")
    credentials = {"email": "ada@example.com", "password": PASSWORD}
    answer = client.post("/api/auth/login", json=credentials, headers=guest)
    assert answer.status_code == 200
    assert "the free tier can have 10 bots" in answer.json()["notice"]
    assert client.get("/api/bots", headers=user).json()["total_bots"] == 10
    assert client.get("/api/bots", headers=guest).json()["total_bots"] == 1
    client.delete(f"/api/bots/{bots[0]['id']}", headers=user)
    answer = client.post("/api/auth/login", json=credentials, headers=guest)
    assert answer.json().keys() == {"access_token", "token_type", "expires_in"}
    assert client.get("/api/bots", headers=user).json()["total_bots"] == 10
    assert client.get("/api/bots", headers=guest).status_code == 401


def test_a_visitor_expires_after_thirty_days_without_use(
    client: TestClient, services: Services, guest: dict[str, str], clock: ManualClock
) -> None:
    create_bot(client, guest)
    for _ in range(3):  # used regularly, it does not expire
        clock.advance(days=29)
        services.retention.run()
        assert client.get("/api/bots", headers=guest).json()["total_bots"] == 1
    clock.advance(days=30)
    assert client.get("/api/bots", headers=guest).status_code == 401
    services.retention.run()
    with services.database.read() as session:
        for table in ("accounts_owners", "accounts_visitors", "bots"):
            assert session.execute(text(f"SELECT count(*) FROM {table}")).scalar() == 0
