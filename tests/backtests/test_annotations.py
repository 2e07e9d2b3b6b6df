"""The name, note and star that its owner gives to a run; and its deletion."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.backtests.driving import Headers, Json, finished, read, start
from tests.backtests.upstream import HeldUpstream, request_of
from tests.engines import on_both, on_sqlite_alone
from tests.support import create_bot, sign_up

pytestmark = on_sqlite_alone


def path_of(run: Json) -> str:
    return f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}"


@pytest.fixture
def run(client: TestClient, user: Headers, bot: Json) -> Json:
    return finished(client, user, start(client, user, bot, token="abc"))


@on_both
def test_a_run_is_named_noted_and_starred_and_stays_the_same_run(client: TestClient, user: Headers, run: Json) -> None:
    assert (run["name"], run["note"], run["starred"]) == (None, "", False)
    steps: list[Json] = [{"name": "Tight"}, {"note": "Two\nlines"}, {"starred": True}, {"name": None, "starred": False}]
    expected = dict(run)
    for step in steps:
        expected |= step
        answer = client.patch(path_of(run), json=step, headers=user)
        assert (answer.status_code, answer.json()) == (200, expected)
    (listed,) = client.get(f"/api/bots/{run['bot_id']}/backtests", headers=user).json()["backtests"]
    assert {name: listed[name] for name in ("name", "note", "starred")} == {
        "name": None,
        "note": "Two\nlines",
        "starred": False,
    }


@pytest.mark.parametrize(
    "patch", [{"name": ""}, {"name": "x" * 101}, {"note": "x" * 1001}, {"note": None}, {"starred": 1}, {"token": "xyz"}]
)
def test_invalid_names_and_notes_are_refused(
    client: TestClient, user: Headers, run: Json, patch: dict[str, Any]
) -> None:
    assert client.patch(path_of(run), json=patch, headers=user).status_code == 422
    assert read(client, user, run) == run


def test_a_deleted_run_is_gone_and_others_cannot_touch_it(client: TestClient, user: Headers, run: Json) -> None:
    other = sign_up(client, "eve@example.com")
    missing = (404, {"detail": "Backtest not found."})
    for method in ("PATCH", "DELETE"):
        refused = client.request(method, path_of(run), json={} if method == "PATCH" else None, headers=other)
        assert (refused.status_code, refused.json()) == missing
    assert client.delete(path_of(run), headers=user).status_code == 204
    for answer in (client.get(path_of(run), headers=user), client.delete(path_of(run), headers=user)):
        assert (answer.status_code, answer.json()) == missing
    assert client.get(f"/api/bots/{run['bot_id']}/backtests", headers=user).json()["total_backtests"] == 0


def test_a_run_that_is_deleted_while_it_is_computed_makes_room_for_another(
    held: TestClient, held_user: Headers, held_bot: Json, upstream: HeldUpstream
) -> None:
    bots = [held_bot, create_bot(held, held_user, "Second", strategy=held_bot["strategy"])]
    live = [start(held, held_user, bot, **request_of()) for bot in bots]  # as many as the free tier has
    assert held.delete(path_of(live[0]), headers=held_user).status_code == 204
    third = start(held, held_user, held_bot, **request_of())
    upstream.let_through.set()
    assert finished(held, held_user, third)["status"] == "completed"
