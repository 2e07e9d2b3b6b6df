"""schemathesis over our own OpenAPI document: every operation does what the document says."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings
from schemathesis.checks import CheckFunction
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from tests.backtests.driving import Headers
from tests.openapi.world import TOKENS, World, is_meant_well, within_reason

ENDS_A_SESSION = {"/api/auth/logout", "/api/auth/me", "/api/auth/password"}
CHANGES_A_BOT = {"PATCH", "PUT"}
STARTS_A_RUN = ("/backtest", "/simulate", "/optimise", "/survey", "/preview")


@pytest.fixture(scope="session")
def api(world: World) -> schemathesis.BaseSchema:
    api = schemathesis.openapi.from_dict(world.document())
    api.app = world.app
    return api


schema = schemathesis.pytest.from_fixture("api")
derived = hypothesis_settings(
    max_examples=3,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@schema.include(path_regex="^/api/bots").parametrize()
@derived
def test_the_routes_of_bots_keep_their_openapi_promises(case: schemathesis.Case[Any], world: World) -> None:
    keeps_its_promises(case, world)


@schema.exclude(path_regex="^/api/bots").parametrize()
@derived
def test_all_other_routes_keep_their_openapi_promises(case: schemathesis.Case[Any], world: World) -> None:
    keeps_its_promises(case, world)


def keeps_its_promises(case: schemathesis.Case[Any], world: World) -> None:
    user = world.new_user() if case.path in ENDS_A_SESSION else world.who
    used_up = put_in_place(case, world)
    if case.path.endswith(STARTS_A_RUN) and isinstance(case.body, dict) and is_meant_well(case, ParameterLocation.BODY):
        case.body = with_its_tokens(case, within_reason(case.body))
    if case.path.endswith("/holdout") and is_meant_well(case, ParameterLocation.BODY):
        case.body = {"from": 1_700_000_000}  # the schema cannot say that it must be in the past
    if "/targets" in case.path and isinstance(case.body, dict) and is_meant_well(case, ParameterLocation.BODY):
        # What a kind has for fields, and which hosts are allowed, is not in the document.
        case.body = {**case.body, "kind": "ntfy", "fields": {"topic": "my-topic"}}
        case.body.pop("url", None)
    if is_meant_well(case, ParameterLocation.HEADER):
        case.headers.pop("If-Match", None)  # which revision is the newest is not in the document either
    case.call_and_validate(session=world.client, headers=headers_of(case, user), excluded_checks=excluded_for(case))
    if used_up:
        world.delete_bot(used_up)


def with_its_tokens(case: schemathesis.Case[Any], body: dict[str, Any]) -> dict[str, Any]:
    """Return the body with one way to name tokens: the schema cannot say that the others are left out then."""
    if case.path.endswith("/survey"):
        return {**body, "tokens": TOKENS, "trending": None}
    if case.path.endswith(("/backtest", "/simulate")):
        return {name: value for name, value in body.items() if name not in OF_MANY}
    return body


def put_in_place(case: schemathesis.Case[Any], world: World) -> str | None:
    """Replace generated ids by existing ones, unless the case tests invalid ids. Return the bot made for the case, if any."""
    if not is_meant_well(case, ParameterLocation.PATH):
        return None
    if is_meant_well(case, ParameterLocation.QUERY):
        case.query.pop("token_id", None)  # the run has one token
    starts_a_run = case.path.endswith(STARTS_A_RUN) and is_meant_well(case, ParameterLocation.BODY)
    uses_up = "{bot_id}" in case.path and (case.method == "DELETE" or starts_a_run)
    bot = world.new_bot() if uses_up else None
    places = {
        "bot_id": bot or (world.clay if case.method in CHANGES_A_BOT else world.bot),
        "run_id": world.find_run(case.path)["run_id"],
        "revision": 1,
        "conversation_id": world.conversation if case.method == "GET" else world.new_conversation,
    }
    for name in case.path_parameters.keys() & places.keys():
        place = places[name]
        case.path_parameters[name] = place() if callable(place) else place
    return bot


def headers_of(case: schemathesis.Case[Any], user: Headers) -> Headers:
    """Return the headers of the user, or none if the case tests a missing or invalid login."""
    return dict(user) if is_meant_well(case, ParameterLocation.HEADER) else {}


OF_MANY = ("tokens", "universe", "dead_token_loss_percent")
WITH_STRATEGY = {
    "POST /api/bots",
    "PATCH /api/bots/{bot_id}",
    "PUT /api/bots/{bot_id}",
    "POST /api/bots/{bot_id}/preview",
    "POST /api/strategies/import",
    "POST /api/strategies/describe",
}


def excluded_for(case: schemathesis.Case[Any]) -> list[CheckFunction]:
    """Return the checks that this case is spared. Whether a login is needed does not depend on the values of a request.

    That check sends two more requests. The generated cases of each operation have it; the hundreds that try every
    value of every field need not.
    """
    is_one_of_every_value = case.meta is not None and case.meta.phase.name is TestPhase.COVERAGE
    spared: list[CheckFunction] = [ignored_auth] if is_one_of_every_value else []
    # Values of a strategy exclude or limit each other (one size, one stop loss, shares up to 100 %): descriptions say so.
    return [*spared, positive_data_acceptance] if case.operation.label in WITH_STRATEGY else spared
