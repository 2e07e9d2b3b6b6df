"""schemathesis over our own OpenAPI document, against a running service: what it promises is what the service does."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import positive_data_acceptance

from strategybot.app import Services
from strategybot.settings import Settings
from tests.servers import SECRET, ServiceProcess
from tests.support import STRATEGY, create_bot, sign_up

counter = itertools.count()

RUNNABLE: dict[str, Any] = {
    "strategy": STRATEGY,
    "token": "So11111111111111111111111111111111111111112",
    "chain": "solana",
}
# Their bodies hold what the body of POST /api/bots holds, or as much: some hundreds of cases each, of which a share will do.
LARGE = {("PATCH", "/api/auth/settings"), ("PATCH", "/api/bots/{bot_id}"), ("PUT", "/api/bots/{bot_id}")}
LARGE_SHARE = 5
ENDS_A_SESSION = {"/api/auth/logout", "/api/auth/me", "/api/auth/password"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("openapi") / "data"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def running(folder: Path) -> Iterator[httpx2.Client]:
    with (
        ServiceProcess(folder, login_limit="1000000/1m") as service,
        httpx2.Client(base_url=service.url, timeout=60) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def api(running: httpx2.Client) -> schemathesis.BaseSchema:
    return schemathesis.openapi.from_url(f"{running.base_url}/openapi.json")


@pytest.fixture(scope="module")
def regular(running: httpx2.Client, folder: Path) -> dict[str, str]:
    """A user who may do everything."""
    user = sign_up(running)
    services = Services(Settings(_env_file=None, data_dir=folder, secret_key=SECRET))
    services.accounts.set_tier("ada@example.com", "pro")
    services.database.close()
    return user


schema = schemathesis.pytest.from_fixture("api")
thorough = hypothesis_settings(
    max_examples=10,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@schema.include(path_regex="^/api/bots").parametrize()
@thorough
def test_the_routes_of_bots_keep_their_openapi_promises(
    case: schemathesis.Case[Any], running: httpx2.Client, regular: dict[str, str]
) -> None:
    keeps_its_promises(case, running, regular)


@schema.exclude(path_regex="^/api/bots").parametrize()
@thorough
def test_all_other_routes_keep_their_openapi_promises(
    case: schemathesis.Case[Any], running: httpx2.Client, regular: dict[str, str]
) -> None:
    keeps_its_promises(case, running, regular)


def keeps_its_promises(case: schemathesis.Case[Any], running: httpx2.Client, regular: dict[str, str]) -> None:
    if (case.method, case.path) in LARGE and next(counter) % LARGE_SHARE:
        return
    user = sign_up(running, f"user{next(counter)}@example.com") if case.path in ENDS_A_SESSION else regular
    bot = None
    if "bot_id" in case.path_parameters and case.meta and case.meta.generation.mode.is_positive:
        bot = create_bot(running, user, f"Bot {next(counter)}", **RUNNABLE)["id"]
        case.path_parameters["bot_id"] = bot
    if "conversation_id" in case.path_parameters and case.meta and case.meta.generation.mode.is_positive:
        conversation = running.post("/api/conversations", json={}, headers=user).json()
        case.path_parameters["conversation_id"] = conversation["id"]
    # A case that leaves the login out is about just that; and no schema can say that one moment is before another,
    # or which tokens the provider has candles of.
    headers = {} if _spoils_headers(case) else user
    excluded: list[Any] = [positive_data_acceptance] if case.path.endswith(("/backtest", "/simulate")) else []
    case.call_and_validate(headers=headers, excluded_checks=excluded)
    if bot is not None:
        running.delete(f"/api/bots/{bot}", headers=user)


def _spoils_headers(case: schemathesis.Case[Any]) -> bool:
    header = case.meta.components.get(ParameterLocation.HEADER) if case.meta else None
    return header is not None and header.mode.is_negative
