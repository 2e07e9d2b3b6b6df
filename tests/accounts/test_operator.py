"""The operator's commands for an account: disable, enable, delete, reset the password."""

import pytest
from fastapi.testclient import TestClient

from strategybot.accounts.service import UserNotFound
from strategybot.app import Services
from tests.simulations.driving import LIVELY, TOKEN, read, start
from tests.support import PASSWORD, create_bot

EMAIL = "ada@example.com"
Headers = dict[str, str]


def log_in(client: TestClient, password: str = PASSWORD) -> tuple[int, str | None]:
    answer = client.post("/api/auth/login", json={"email": EMAIL, "password": password})
    return answer.status_code, answer.json().get("detail")


def test_a_disabled_account_is_refused_until_it_is_enabled(
    client: TestClient, user: Headers, services: Services
) -> None:
    bot = create_bot(client, user, strategy=LIVELY)
    run = start(client, user, bot)
    request = {"tokens": [{"token": TOKEN, "chain": "solana"}], "kline_interval": "1m"}
    watch = client.post(f"/api/bots/{bot['id']}/watch", json=request, headers=user).json()
    services.runs.stop_all(services.operator.disable("ADA@example.com"))
    assert client.get("/api/auth/me", headers=user).status_code == 401
    assert log_in(client) == (401, "This account is disabled. Please ask the operator of this service.")
    assert log_in(client, "wrong") == (401, "Incorrect email or password.")
    services.operator.enable(EMAIL)
    assert client.get("/api/auth/me", headers=user).status_code == 401, "an old token stays refused"
    answer = client.post("/api/auth/login", json={"email": EMAIL, "password": PASSWORD})
    again = {"Authorization": f"Bearer {answer.json()['access_token']}"}
    assert (read(client, again, run)["status"], read(client, again, run)["stop_reason"]) == ("stopped", "user")
    ended = client.get(f"/api/bots/{bot['id']}/watch/{watch['run_id']}", headers=again).json()
    assert (ended["status"], ended["stop_reason"]) == ("stopped", "user")


def test_a_reset_password_replaces_the_old_one_and_ends_all_logins(
    client: TestClient, user: Headers, services: Services
) -> None:
    password = services.operator.reset_password(EMAIL)
    assert client.get("/api/auth/me", headers=user).status_code == 401
    assert log_in(client)[0] == 401
    assert log_in(client, password)[0] == 200


def test_a_deleted_account_is_deleted_with_everything_it_owns(
    client: TestClient, user: Headers, services: Services
) -> None:
    create_bot(client, user)
    services.operator.delete(EMAIL)
    assert client.get("/api/bots", headers=user).status_code == 401
    assert services.operator.users() == []


@pytest.mark.parametrize("act", ["disable", "enable", "delete", "reset_password"])
def test_an_unknown_email_is_reported(services: Services, act: str) -> None:
    with pytest.raises(UserNotFound):
        getattr(services.operator, act)("nobody@example.com")
