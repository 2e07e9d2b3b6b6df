"""Every earlier strategy of a bot can be read and restored."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.engines import on_sqlite_alone
from tests.support import STRATEGY, ManualClock, create_bot

LEVEL: dict[str, Any] = {"conditions": [{"kind": "price_level", "level": 2, "direction": "above"}]}


@pytest.fixture
def bot(client: TestClient, user: dict[str, str]) -> dict[str, Any]:
    return create_bot(client, user, strategy=STRATEGY)


def change(client: TestClient, user: dict[str, str], bot: dict[str, Any], **fields: Any) -> dict[str, Any]:
    answer = client.patch(f"/api/bots/{bot['id']}", json=fields, headers=user)
    assert answer.status_code == 200
    changed: dict[str, Any] = answer.json()
    return changed


def history(client: TestClient, user: dict[str, str], bot: dict[str, Any], **query: int) -> dict[str, Any]:
    page: dict[str, Any] = client.get(f"/api/bots/{bot['id']}/revisions", params=query, headers=user).json()
    return page


def test_each_change_of_the_strategy_is_a_revision(
    client: TestClient, user: dict[str, str], bot: dict[str, Any], clock: ManualClock
) -> None:
    clock.advance(hours=1)
    assert change(client, user, bot, strategy=LEVEL)["revision"] == 2
    assert change(client, user, bot, strategy=None)["revision"] == 3
    page = history(client, user, bot)
    assert [entry["revision"] for entry in page["revisions"]] == [3, 2, 1]
    assert page["revisions"][0]["strategy"] is None
    assert page["revisions"][2] == {
        "revision": 1,
        "strategy": bot["strategy"],
        "strategy_summary": bot["strategy_summary"],
        "created_at": "2026-01-02T03:04:05Z",
    }
    assert page["revisions"][1]["created_at"] == "2026-01-02T04:04:05Z"
    assert (page["total_revisions"], page["total_pages"]) == (3, 1)
    assert [entry["revision"] for entry in history(client, user, bot, page=2, per_page=2)["revisions"]] == [1]


def test_a_change_without_a_new_strategy_is_not_a_revision(
    client: TestClient, user: dict[str, str], bot: dict[str, Any]
) -> None:
    change(client, user, bot, name="Another name")
    spelled_out = bot["strategy"]
    assert change(client, user, bot, strategy=spelled_out)["revision"] == 1
    assert change(client, user, bot, strategy=STRATEGY)["revision"] == 1
    assert history(client, user, bot)["total_revisions"] == 1


def test_restoring_writes_an_earlier_strategy_as_a_new_revision(
    client: TestClient, user: dict[str, str], bot: dict[str, Any]
) -> None:
    change(client, user, bot, strategy=LEVEL)
    restored = client.post(f"/api/bots/{bot['id']}/revisions/1/restore", headers=user)
    assert restored.status_code == 200
    assert restored.json() == {**bot, "revision": 3, "updated_at": restored.json()["updated_at"]}
    assert [entry["strategy"] == bot["strategy"] for entry in history(client, user, bot)["revisions"]] == [
        True,
        False,
        True,
    ]


def test_restoring_the_current_strategy_changes_nothing(
    client: TestClient, user: dict[str, str], bot: dict[str, Any]
) -> None:
    assert client.post(f"/api/bots/{bot['id']}/revisions/1/restore", headers=user).json()["revision"] == 1


@pytest.mark.parametrize("revision", [2, 999, 2**31, 10**25])
def test_an_unknown_revision_is_not_found(
    shared_client: TestClient, shared_user: dict[str, str], revision: int
) -> None:
    bot = create_bot(shared_client, shared_user, strategy=STRATEGY)
    answer = shared_client.post(f"/api/bots/{bot['id']}/revisions/{revision}/restore", headers=shared_user)
    assert (answer.status_code, answer.json()) == (404, {"detail": "Revision not found."})


@pytest.mark.parametrize("revision", ["0", "-1", "x", "1.5"])
@on_sqlite_alone
def test_an_invalid_revision_number_is_refused(
    shared_client: TestClient, shared_user: dict[str, str], revision: str
) -> None:
    bot = create_bot(shared_client, shared_user, strategy=STRATEGY)
    answer = shared_client.post(f"/api/bots/{bot['id']}/revisions/{revision}/restore", headers=shared_user)
    assert answer.status_code == 422


def percents(client: TestClient, user: dict[str, str], bot: dict[str, Any], *steps: int) -> list[Any]:
    """Return what each undo brings back: the percent of the only condition, or the answer's status."""
    found = []
    for count in steps:
        answer = client.post(f"/api/bots/{bot['id']}/undo", params={"steps": count}, headers=user)
        strategy = answer.json().get("strategy")
        found.append(answer.status_code if strategy is None else strategy["conditions"][0]["percent"])
    return found


def drop(percent: int) -> dict[str, Any]:
    return {"conditions": [{"kind": "price_drop", "percent": percent}]}


def test_undo_goes_down_the_revisions_as_down_a_stack(
    client: TestClient, user: dict[str, str], clock: ManualClock
) -> None:
    bot = create_bot(client, user, "Stack", strategy=drop(1))
    for percent in (2, 3, 4):
        clock.advance(minutes=1)
        change(client, user, bot, strategy=drop(percent))
    assert percents(client, user, bot, 1, 1) == [3, 2]
    assert history(client, user, bot)["total_revisions"] == 6  # each undo is recorded
    change(client, user, bot, strategy=drop(9))  # a new edit starts from there
    assert percents(client, user, bot, 1, 1, 1) == [2, 1, 409]
    refused = client.post(f"/api/bots/{bot['id']}/undo", headers=user).json()
    assert refused == {"detail": "There is nothing more to undo."}


def test_several_changes_are_undone_at_once_or_not_at_all(client: TestClient, user: dict[str, str]) -> None:
    bot = create_bot(client, user, "Steps", strategy=drop(1))
    for percent in (2, 1, 3):
        change(client, user, bot, strategy=drop(percent))
    refused = client.post(f"/api/bots/{bot['id']}/undo", params={"steps": 4}, headers=user)
    assert (refused.status_code, refused.json()["detail"]) == (409, "Only 3 changes can be undone.")
    assert percents(client, user, bot, 3, 1) == [1, 409]
    restored = client.post(f"/api/bots/{bot['id']}/revisions/4/restore", headers=user).json()
    assert restored["strategy"]["conditions"][0]["percent"] == 3
    assert percents(client, user, bot, 1) == [1]  # a restored revision is an edit too


def test_an_undo_is_based_on_the_revision_that_was_read(client: TestClient, user: dict[str, str]) -> None:
    bot = create_bot(client, user, "Stale", strategy=drop(1))
    change(client, user, bot, strategy=drop(2))
    stale = client.post(f"/api/bots/{bot['id']}/undo", headers={**user, "If-Match": '"1"'})
    assert stale.status_code == 412
