"""`/api/bots/{id}/watch`: who may watch how many tokens, and how a watch is read, listed and stopped."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.app import Services
from tests.backtests.driving import Headers, Json, awaited
from tests.engines import on_both, on_sqlite_alone
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import create_bot, visitor

pytestmark = on_sqlite_alone


def tokens(count: int) -> list[Json]:
    return [{"token": f"{number + 1000}".rjust(40, "2"), "chain": "solana"} for number in range(count)]


def asked(client: TestClient, who: Headers, bot: Json, **request: Any) -> Any:
    return client.post(f"/api/bots/{bot['id']}/watch", json=request, headers=who)


@on_both
def test_a_watch_is_started_read_listed_and_stopped(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=LIVELY)
    request = {"tokens": [{"token": TOKEN, "chain": "solana"}, {"token": f"{TOKEN}-solana"}], "kline_interval": "1m"}
    answer = asked(client, user, bot, **request)
    assert answer.status_code == 201
    run = answer.json()
    assert (run["status"], run["kline_interval"], run["strategy_revision"]) == ("running", "1m", 1)
    path = f"/api/bots/{bot['id']}/watch/{run['run_id']}"
    seen = awaited(
        lambda: client.get(path, headers=user).json(), lambda now: now["tokens"][0]["last_time"] is not None, 20
    )
    [token] = seen["tokens"]
    assert (token["token"], token["symbol"], token["waiting"]) == (TOKEN, "SOL", None)
    assert token["met"] in (True, False)
    listed = client.get(f"/api/bots/{bot['id']}/watches", headers=user).json()
    assert (listed["total_watches"], listed["watches"][0]["run_id"]) == (1, run["run_id"])
    assert "signals" not in listed["watches"][0]
    replacing = asked(client, user, bot, **request).json()
    assert client.get(path, headers=user).json()["stop_reason"] == "replaced"
    stopped = client.post(f"/api/bots/{bot['id']}/watch/{replacing['run_id']}/stop", headers=user)
    assert (stopped.status_code, stopped.json()["status"], stopped.json()["stop_reason"]) == (200, "stopped", "user")


@pytest.mark.parametrize(("tier", "most"), [("free", 3), ("normal", 20), ("pro", 50)])
def test_a_tier_can_watch_so_many_tokens(
    client: TestClient, services: Services, user: Headers, tier: Any, most: int
) -> None:
    services.operator.set_tier("ada@example.com", tier)
    bot = create_bot(client, user, strategy=LIVELY)
    assert asked(client, user, bot, tokens=tokens(most)).status_code == 201
    refused = asked(client, user, bot, tokens=tokens(most + 1))
    assert refused.status_code == 403
    assert f"{most} tokens, and this one would have {most + 1}" in refused.json()["detail"]


def test_a_tier_can_run_so_many_watches(client: TestClient, user: Headers) -> None:
    bots = [create_bot(client, user, name=f"Bot {number}", strategy=LIVELY) for number in range(4)]
    answers = [asked(client, user, bot, tokens=tokens(1)).status_code for bot in bots]
    assert answers == [201, 201, 201, 403]


@pytest.mark.parametrize(
    ("request_body", "field"),
    [
        ({"tokens": []}, "tokens"),
        ({"kline_interval": "2m"}, "kline_interval"),
        ({}, "token"),
        ({"mode": "live"}, "mode"),
    ],
)
def test_a_request_without_sense_is_refused(client: TestClient, user: Headers, request_body: Json, field: str) -> None:
    bot = create_bot(client, user, strategy=LIVELY)
    refused = asked(client, user, bot, **request_body)
    assert refused.status_code == 422
    assert [error["field"] for error in refused.json()["errors"]] == [field]


def test_a_visitor_is_told_to_sign_up(client: TestClient) -> None:
    who = visitor(client.post("/api/conversations").json()["anonymous_token"])
    refused = asked(client, who, create_bot(client, who, strategy=LIVELY), tokens=tokens(1))
    assert refused.status_code == 403
    assert "Without an account you cannot run watches." in refused.json()["detail"]
