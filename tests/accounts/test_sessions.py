"""Registration, login, logout, and the validity of tokens."""

import pytest
from fastapi.testclient import TestClient

from strategybot.accounts.service import WrongCredentials
from strategybot.app import Services
from tests.engines import on_both, on_sqlite_alone
from tests.support import PASSWORD, ManualClock, bearer, sign_up

pytestmark = on_sqlite_alone

ME = "/api/auth/me"


def log_in(client: TestClient, email: str = "ada@example.com", password: str = PASSWORD) -> dict[str, str]:
    answer = client.post("/api/auth/login", json={"email": email, "password": password})
    assert answer.status_code == 200, answer.text
    return bearer(answer.json()["access_token"])


def test_registering_gives_a_token_that_works_at_once(client: TestClient) -> None:
    answer = client.post("/api/auth/register", json={"email": "Ada@Example.com", "password": PASSWORD})
    assert answer.status_code == 201
    body = answer.json()
    assert body.keys() == {"access_token", "token_type", "expires_in"}
    assert (body["token_type"], body["expires_in"]) == ("bearer", 24 * 3600)
    profile = client.get(ME, headers=bearer(body["access_token"])).json()
    assert profile["email"] == "Ada@Example.com"
    assert profile["tier"] == "free"
    assert profile["created_at"].endswith("Z")
    assert profile["limits"] == {
        "bots": 10,
        "backtests": 2,
        "candles_per_backtest": 100_000,
        "running_simulations": 3,
        "optimiser_variants": 500,
        "survey_tokens": 5,
        "chain_swap": False,
        "detailed_backtests_per_bot": 200,
        "detailed_simulations_per_bot": 100,
        "detailed_searches_per_bot": 50,
        "revisions_per_bot": 500,
        "conversations": 200,
        "runs_per_day": 200,
        "watch_tokens": 3,
        "portfolio_tokens": 10,
    }
    assert profile["usage"] == {"bots": 0, "running_backtests": 0, "running_simulations": 0, "conversations": 0}
    assert profile["rates"] == {
        "simulation_starts": {"count": 120, "window_seconds": 3600, "used": 0},
        "runs": {"count": 200, "window_seconds": 86_400, "used": 0},
    }


@pytest.mark.parametrize("email", ["ada@example.com", "ADA@example.COM"])
def test_an_email_registers_once_in_any_letter_case(client: TestClient, email: str) -> None:
    sign_up(client, "Ada@Example.com")
    answer = client.post("/api/auth/register", json={"email": email, "password": PASSWORD})
    assert answer.status_code == 409
    assert answer.json() == {"detail": "An account with this email exists already."}


@pytest.mark.parametrize(
    ("email", "message"),
    [
        ("", "must be an email address such as ada@example.com"),
        ("ada", "must be an email address such as ada@example.com"),
        ("ada@example", "must be an email address such as ada@example.com"),
        ("ada@@example.com", "must be an email address such as ada@example.com"),
        ("ada @example.com", "must be an email address such as ada@example.com"),
        ("ada@example.com\n", "must be an email address such as ada@example.com"),
        ("ada@exa\u0000mple.com", "must be an email address such as ada@example.com"),
        (f"{'a' * 250}@example.com", "must have at most 254 characters"),
    ],
)
def test_a_malformed_email_is_refused(shared_client: TestClient, email: str, message: str) -> None:
    answer = shared_client.post("/api/auth/register", json={"email": email, "password": PASSWORD})
    assert answer.status_code == 422
    assert answer.json()["errors"] == [{"field": "email", "message": message}]


@pytest.mark.parametrize(
    ("password", "message"),
    [
        ("short", "must have at least 8 characters"),
        ("x" * 1025, "must have at most 1024 characters"),
        ("password123", "is one of the most common passwords; please choose another"),
        ("PassWord123", "is one of the most common passwords; please choose another"),
        ("zzzzzzzzzzzzzzzzzzzz", "is one of the most common passwords; please choose another"),
    ],
)
def test_a_weak_password_is_refused_and_never_echoed(shared_client: TestClient, password: str, message: str) -> None:
    answer = shared_client.post("/api/auth/register", json={"email": "ada@example.com", "password": password})
    assert answer.status_code == 422
    assert answer.json() == {
        "detail": f"password {message}",
        "errors": [{"field": "password", "message": message}],
    }
    assert password not in answer.text


@pytest.mark.parametrize("password", ["eight ch", "x7" * 512, "пароль на русском", "🐎🔋📎🐎🔋📎🐎🔋"])
def test_any_other_password_registers_and_logs_in(client: TestClient, password: str) -> None:
    assert client.post("/api/auth/register", json={"email": "a@b.io", "password": password}).status_code == 201
    log_in(client, "A@B.io", password)


@pytest.mark.parametrize(
    ("email", "password"),
    [("ada@example.com", "wrong"), ("ada@example.com", PASSWORD.upper()), ("nobody@example.com", PASSWORD), ("x", "")],
)
def test_wrong_credentials_all_get_the_same_answer(client: TestClient, email: str, password: str) -> None:
    sign_up(client)
    answer = client.post("/api/auth/login", json={"email": email, "password": password})
    assert answer.status_code == 401
    assert answer.json() == {"detail": "Incorrect email or password."}
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@on_both
def test_logging_out_ends_that_token_and_no_other(client: TestClient) -> None:
    first, second = sign_up(client), log_in(client)
    assert client.post("/api/auth/logout", headers=first).status_code == 204
    assert client.get(ME, headers=first).status_code == 401
    assert client.post("/api/auth/logout", headers=first).status_code == 401
    assert client.get(ME, headers=second).status_code == 200


def test_a_token_ends_with_its_lifetime(client: TestClient, clock: ManualClock) -> None:
    user = sign_up(client)
    clock.advance(hours=24, seconds=-1)
    assert client.get(ME, headers=user).status_code == 200
    clock.advance(seconds=1)
    assert client.get(ME, headers=user).status_code == 401


def test_a_new_password_ends_every_other_token(client: TestClient) -> None:
    here, elsewhere = sign_up(client), log_in(client)
    change = {"current_password": PASSWORD, "new_password": "a much better one"}
    assert client.post("/api/auth/password", json=change, headers=here).status_code == 204
    assert client.get(ME, headers=here).status_code == 200
    assert client.get(ME, headers=elsewhere).status_code == 401
    log_in(client, password="a much better one")
    refused = client.post("/api/auth/login", json={"email": "ada@example.com", "password": PASSWORD})
    assert refused.status_code == 401


def test_a_login_that_overlaps_a_new_password_gets_no_token(client: TestClient, services: Services) -> None:
    sign_up(client)
    accounts = services.accounts
    checked = accounts.admit_login("ada@example.com", "203.0.113.5")
    assert checked is not None
    change = {"current_password": PASSWORD, "new_password": "a much better one"}
    assert client.post("/api/auth/password", json=change, headers=log_in(client)).status_code == 204
    with pytest.raises(WrongCredentials):
        accounts.open_session(checked, None)


def test_changing_the_password_requires_the_old_one(client: TestClient, user: dict[str, str]) -> None:
    change = {"current_password": "not it", "new_password": "a much better one"}
    answer = client.post("/api/auth/password", json=change, headers=user)
    assert (answer.status_code, answer.json()) == (401, {"detail": "Incorrect password."})
    log_in(client)


def test_a_deleted_account_is_gone_with_its_tokens_and_its_email_is_free(client: TestClient) -> None:
    here, elsewhere = sign_up(client), log_in(client)
    wrong = client.request("DELETE", ME, json={"password": "not it"}, headers=here)
    assert (wrong.status_code, wrong.json()) == (401, {"detail": "Incorrect password."})
    assert client.request("DELETE", ME, json={"password": PASSWORD}, headers=here).status_code == 204
    for token in (here, elsewhere):
        assert client.get(ME, headers=token).status_code == 401
    assert client.post("/api/auth/login", json={"email": "ada@example.com", "password": PASSWORD}).status_code == 401
    sign_up(client)


def test_a_body_cannot_set_fields_of_the_user(client: TestClient) -> None:
    body = {"email": "ada@example.com", "password": PASSWORD, "tier": "pro"}
    answer = client.post("/api/auth/register", json=body)
    assert answer.status_code == 422
    assert answer.json()["errors"] == [{"field": "tier", "message": "is not a known field"}]


class TestLimits:
    def attempt(self, client: TestClient, email: str = "ada@example.com", **headers: str) -> int:
        body = {"email": email, "password": "wrong"}
        return client.post("/api/auth/login", json=body, headers=headers).status_code

    def test_the_sixth_login_in_any_rolling_minute_is_refused(self, client: TestClient, clock: ManualClock) -> None:
        sign_up(client)
        log_in(client)  # a success counts too
        for _ in range(3):
            clock.advance(seconds=10)
            assert self.attempt(client) == 401
        clock.advance(seconds=10)
        assert self.attempt(client) == 401  # the fifth, at 40 s
        answer = client.post("/api/auth/login", json={"email": "ada@example.com", "password": PASSWORD})
        assert answer.status_code == 429
        assert answer.headers["Retry-After"] == "20"
        assert answer.json() == {"detail": "Too many login attempts. Please wait a moment and try again."}
        clock.advance(seconds=19.5)
        assert self.attempt(client) == 429
        clock.advance(seconds=0.5)
        assert self.attempt(client) == 401  # the first has left the window, so one attempt is allowed
        assert self.attempt(client) == 429
        clock.advance(seconds=10)
        log_in(client)

    def test_headers_letter_case_and_slashes_do_not_evade_the_limit(self, client: TestClient) -> None:
        for _ in range(5):
            assert self.attempt(client) == 401
        forwarded = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "X-Real-IP": "203.0.113.9"}
        for email in ("ada@example.com", "ADA@example.com", "someone.else@example.com"):
            assert self.attempt(client, email, **forwarded) == 429
        slashed = client.post("/api/auth/login/", json={"email": "ada@example.com", "password": "wrong"})
        assert slashed.status_code == 404

    def test_one_client_never_locks_another_out(self, client: TestClient) -> None:
        for _ in range(6):
            self.attempt(client)
        elsewhere = TestClient(client.app, client=("198.51.100.7", 5000))
        assert self.attempt(elsewhere) == 401

    def test_one_subscriber_of_ipv6_is_one_client(self, client: TestClient) -> None:
        addresses = [f"2001:db8:1:2::{number}" for number in range(6)]
        statuses = [self.attempt(TestClient(client.app, client=(address, 1))) for address in addresses]
        assert statuses == [401] * 5 + [429]
        assert self.attempt(TestClient(client.app, client=("2001:db8:1:3::1", 1))) == 401

    @pytest.mark.parametrize(
        ("method", "path", "body"),
        [
            ("POST", "/api/auth/password", {"current_password": "wrong", "new_password": "a much better one"}),
            ("DELETE", ME, {"password": "wrong"}),
        ],
    )
    def test_a_stolen_token_cannot_search_for_the_password(
        self, client: TestClient, user: dict[str, str], method: str, path: str, body: dict[str, str]
    ) -> None:
        statuses = [client.request(method, path, json=body, headers=user).status_code for _ in range(6)]
        assert statuses == [401] * 5 + [429]
