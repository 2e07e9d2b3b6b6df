"""A user's settings: read completely, changed in part, each value validated."""

import pytest
from fastapi.testclient import TestClient

from strategybot.accounts import storage
from strategybot.app import Services
from tests.engines import on_sqlite_alone
from tests.support import sign_up

pytestmark = on_sqlite_alone

PATH = "/api/auth/settings"
DEFAULTS = {
    "default_chain": "solana",
    "default_kline_interval": "1h",
    "default_check_interval": 60,
    "initial_cash": 10_000,
    "fee_percent": 0.1,
    "slippage_percent": 0.05,
    "theme": "system",
    "timezone": "UTC",
}


def test_everyone_begins_with_the_defaults(client: TestClient, user: dict[str, str]) -> None:
    assert client.get(PATH, headers=user).json() == DEFAULTS


def test_a_patch_changes_what_it_names_and_nothing_else(client: TestClient, user: dict[str, str]) -> None:
    first = client.patch(PATH, json={"theme": "dark", "timezone": "Europe/Berlin"}, headers=user)
    assert (first.status_code, first.json()) == (200, {**DEFAULTS, "theme": "dark", "timezone": "Europe/Berlin"})
    client.patch(PATH, json={"default_check_interval": 10}, headers=user)
    expected = {**DEFAULTS, "theme": "dark", "timezone": "Europe/Berlin", "default_check_interval": 10}
    assert client.get(PATH, headers=user).json() == expected
    assert client.patch(PATH, json={}, headers=user).json() == expected


def test_settings_belong_to_one_user(client: TestClient, user: dict[str, str]) -> None:
    client.patch(PATH, json={"theme": "dark"}, headers=user)
    assert client.get(PATH, headers=sign_up(client, "bob@example.com")).json() == DEFAULTS


def test_settings_of_an_earlier_version_do_not_lock_users_out(
    client: TestClient, services: Services, user: dict[str, str]
) -> None:
    client.patch(PATH, json={"theme": "dark"}, headers=user)
    with services.database.write() as session:
        (row,) = storage.users(session)
        row.settings = {**row.settings, "timezone": "Nowhere/Gone", "forgotten": 1}
    assert client.get(PATH, headers=user).json() == {**DEFAULTS, "theme": "dark"}


@pytest.mark.parametrize(
    ("patch", "sentence"),
    [
        ({"theme": "pink"}, "theme must be 'system', 'light' or 'dark'"),
        ({"theme": None}, "theme must be 'system', 'light' or 'dark'"),
        ({"timezone": "Mars/Phobos"}, "timezone must be a time zone such as UTC or Europe/Berlin"),
        ({"default_check_interval": 20}, "default_check_interval must be 10, 30 or 60"),
        ({"default_check_interval": "60"}, "default_check_interval must be 10, 30 or 60"),
        ({"default_kline_interval": "2m"}, "default_kline_interval must be '1m', '5m', '15m', '1h', '4h' or '1d'"),
        ({"default_chain": "../x"}, "default_chain has a form that is not allowed"),
        ({"initial_cash": 0}, "initial_cash must be above 0"),
        ({"initial_cash": 1e13}, "initial_cash must be at most 1000000000000"),
        ({"initial_cash": "10"}, "initial_cash must be a number"),
        ({"fee_percent": -0.1}, "fee_percent must be at least 0"),
        ({"slippage_percent": 100}, "slippage_percent must be below 100"),
        ({"tier": "pro"}, "tier is not a known field"),
    ],
)
def test_a_wrong_value_is_refused_and_changes_nothing(
    shared_client: TestClient, shared_user: dict[str, str], patch: dict[str, object], sentence: str
) -> None:
    answer = shared_client.patch(PATH, json={"theme": "light", **patch}, headers=shared_user)
    assert (answer.status_code, answer.json()["detail"]) == (422, sentence)
    assert shared_client.get(PATH, headers=shared_user).json() == DEFAULTS
