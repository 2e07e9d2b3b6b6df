"""Sequences of operations that schemathesis derives from our document: ids in one answer are used in the next request.

No sequence causes a server error, deleted resources are not found, and every operation on a resource is reached with an
existing one.
"""

import re
from collections import Counter
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings
from schemathesis.checks import CheckFunction
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import ignored_auth, negative_data_rejection, positive_data_acceptance

from tests.backtests.driving import Json
from tests.openapi.world import SPAN, TOKEN, TOKENS, World, is_meant_well, within_reason
from tests.support import STRATEGY

PARTS = {
    "bots": r"^/api/bots(/\{bot_id\}(/revisions.*|/holdout.*|/export|/preview|/undo)?)?$",
    "backtests": r"^/api/bots(/\{bot_id\}(/backtest(?!.*/share).*)?)?$",
    "simulations": r"^/api/bots(/\{bot_id\}(/simulat.*)?)?$",
    "optimisations": r"^/api/bots(/\{bot_id\}(/optimis.*)?)?$",
    "surveys": r"^/api/bots(/\{bot_id\}(/survey.*)?)?$",
    "watches": r"^/api/bots(/\{bot_id\}(/watch.*)?)?$",
    "conversations": "^/api/conversations",
}
WAYS = 6
MORE_WAYS = (2, 4, 8, 16)  # for the operations that the sequences before did not reach, without other operations
WITHOUT_SEQUENCES = ("/share",)  # only a finished run can be shared, and no sequence waits for one
SETTINGS = hypothesis_settings(
    stateful_step_count=24,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
OF_A_RUN = {"bot_id": "$response.body#/bot_id", "run_id": "$response.body#/run_id"}
MAKERS = {
    "/api/bots": ("201", {"bot_id": "$response.body#/id"}),
    "/api/bots/{bot_id}/backtest": ("202", OF_A_RUN),
    "/api/bots/{bot_id}/watch": ("201", OF_A_RUN),
    "/api/bots/{bot_id}/simulate": ("201", OF_A_RUN),
    "/api/bots/{bot_id}/optimise": ("202", OF_A_RUN),
    "/api/bots/{bot_id}/survey": ("202", OF_A_RUN),
    "/api/conversations": ("201", {"conversation_id": "$response.body#/id"}),
}
STARTS_A_RUN = ("/backtest", "/simulate", "/optimise", "/survey", "/preview")


def with_links(document: Json) -> Json:
    """Link each operation that creates a resource to all that take its id.

    The links that schemathesis infers leave out runs, and repeat operations so often that few sequences reach an end.
    """
    for maker, (status, ids) in MAKERS.items():
        made = document["paths"][maker]["post"]["responses"][status]
        made["links"] = {
            f"{method} {path}": {"operationId": operation["operationId"], "parameters": given}
            for path, methods in document["paths"].items()
            if path.startswith(maker) and (given := _given(path, ids)) is not None
            for method, operation in methods.items()
            if given or method == "get"
        }
    return document


def _given(path: str, ids: dict[str, str]) -> dict[str, Any] | None:
    """Return the parameters of the path, if all of them are known."""
    known = ids | {"revision": 1}
    asked = re.findall(r"\{(\w+)\}", path)
    return {name: known[name] for name in asked} if known.keys() >= set(asked) else None


@pytest.fixture(scope="module")
def api(world: World) -> schemathesis.BaseSchema:
    api = schemathesis.openapi.from_dict(with_links(world.document()))
    api.app = world.app
    api.config.phases.stateful.inference.algorithms = []
    return api


def labels(api: schemathesis.BaseSchema) -> set[str]:
    return {result.ok().label for result in api.get_all_operations() if isinstance(result, Ok)}


def able_to_go_on(path: str, body: Json, bot: str) -> Json:
    """Return the request without values that would end the sequence: a bot that cannot run, and an unknown one."""
    if path.endswith("/survey"):
        return {**SPAN, "tokens": TOKENS}
    body = {name: value for name, value in body.items() if name not in ("tokens", "universe")}  # which are not known
    if path.endswith(STARTS_A_RUN):
        return within_reason({**body, "token": TOKEN})
    if path in ("/api/bots", "/api/bots/{bot_id}"):
        return {**body, "strategy": STRATEGY}
    return {**body, "bot_id": bot} if isinstance(body.get("bot_id"), str) else body


def checks_left_out(case: schemathesis.Case[Any]) -> list[CheckFunction]:
    """Return the checks that a sequence cannot make.

    Whether a well-formed request is accepted depends here on what came before it. That each operation needs a login is
    tested beside this, with existing resources too; here the login is sent where a case leaves it out.
    """
    left_out: list[CheckFunction] = [positive_data_acceptance, ignored_auth]
    return left_out if is_meant_well(case, ParameterLocation.HEADER) else [*left_out, negative_data_rejection]


def sequences(world: World, selected: schemathesis.BaseSchema, reached: Counter[str]) -> Any:
    """Return sequences of these operations, each by a new user, which count the operations that were reached."""

    class Sequences(selected.as_state_machine()):  # type: ignore[misc]  # it is made of the document
        def setup(self) -> None:
            self.who = world.new_user()
            self.bot = world.new_bot(self.who)

        def before_call(self, case: schemathesis.Case[Any]) -> None:
            if isinstance(case.body, dict):
                case.body = able_to_go_on(case.path, case.body, self.bot)

        def get_call_kwargs(self, case: schemathesis.Case[Any]) -> dict[str, Any]:  # noqa: ARG002  anybody's
            return {"session": world.client, "headers": dict(self.who)}

        def after_call(self, response: Any, case: schemathesis.Case[Any]) -> None:
            super().after_call(response, case)
            if response.status_code < 300 or response.status_code == 409:  # a run may have ended before it was stopped
                reached[case.operation.label] += 1

        def validate_response(self, response: Any, case: schemathesis.Case[Any], *_: Any, **how: Any) -> None:
            left_out = checks_left_out(case)
            case.validate_response(response, excluded_checks=left_out, transport_kwargs=how, recorder=self.recorder)

    return Sequences


def try_ways(world: World, selected: schemathesis.BaseSchema, reached: Counter[str], ways: int) -> None:
    sequences(world, selected, reached).run(settings=hypothesis_settings(SETTINGS, max_examples=ways))


@pytest.mark.parametrize("part", PARTS)
def test_sequences_cause_no_server_error_and_reach_every_operation(
    world: World, api: schemathesis.BaseSchema, part: str
) -> None:
    selected, reached = api.include(path_regex=PARTS[part]), Counter[str]()
    try_ways(world, selected, reached, WAYS)
    makers = {f"POST {path}" for path in MAKERS} & labels(selected)
    for ways in MORE_WAYS:
        if missed := labels(selected) - reached.keys():
            try_ways(world, api.include(name=[*makers | missed]), reached, ways)
    assert sorted(labels(selected) - reached.keys()) == []


def test_every_operation_on_a_resource_is_in_some_sequence(api: schemathesis.BaseSchema) -> None:
    in_parts = set().union(*(labels(api.include(path_regex=pattern)) for pattern in PARTS.values()))
    assert in_parts == {
        label
        for label in labels(api)
        if label.split()[1].startswith(("/api/bots", "/api/conversations"))
        and not any(part in label for part in WITHOUT_SEQUENCES)
    }
