"""schemathesis over our own OpenAPI document: what it promises is what the service does."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings

from strategybot.app import create_app
from strategybot.settings import Settings
from tests.servers import SECRET
from tests.support import create_bot, sign_up

counter = itertools.count()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("openapi")
    settings = Settings(_env_file=None, data_dir=folder, secret_key=SECRET, login_limit="1000000/1m")
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture(scope="module")
def api(running: TestClient) -> schemathesis.BaseSchema:
    app = running.app
    assert isinstance(app, FastAPI)
    return schemathesis.openapi.from_asgi("/openapi.json", app)


@pytest.fixture(scope="module")
def regular(running: TestClient) -> dict[str, str]:
    """A user with room for many bots."""
    user = sign_up(running)
    running.app.state.services.accounts.set_tier("ada@example.com", "pro")  # type: ignore[attr-defined]
    return user


ENDS_A_SESSION = {"/api/auth/logout", "/api/auth/me", "/api/auth/password"}
schema = schemathesis.pytest.from_fixture("api")


@schema.parametrize()
@hypothesis_settings(
    max_examples=20,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_the_service_keeps_its_openapi_promises(
    case: schemathesis.Case[Any], running: TestClient, regular: dict[str, str]
) -> None:
    user = sign_up(running, f"user{next(counter)}@example.com") if case.path in ENDS_A_SESSION else regular
    if "bot_id" in case.path_parameters and case.meta and case.meta.generation.mode.is_positive:
        case.path_parameters["bot_id"] = create_bot(running, user, f"Bot {next(counter)}")["id"]
    case.call_and_validate(headers=user)
