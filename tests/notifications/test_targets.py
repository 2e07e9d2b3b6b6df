"""Targets with fields: what a request may say, what comes back, and how those of older versions are converted."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from strategybot.app import Services
from strategybot.kit.identifiers import new_id
from strategybot.notifications import storage
from strategybot.notifications.schemas import EVENTS
from strategybot.notifications.sealing import Sealer
from strategybot.notifications.senders import MOST_SENT_AT_ONCE
from strategybot.notifications.service import ADDRESS_LOST, Occurrence, tell
from strategybot.notifications.storage import Target
from tests.engines import on_sqlite_alone
from tests.servers import SECRET
from tests.support import sign_up

Headers = dict[str, str]
TARGETS = "/api/notifications/targets"
BELL = "/api/notifications"


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    """The app without background work."""
    yield TestClient(app)
    app.state.services.database.close()


def owner_of(client: TestClient, who: Headers) -> str:
    owner_id: str = client.get("/api/auth/me", headers=who).json()["id"]
    return owner_id


@on_sqlite_alone
def test_a_target_is_made_of_its_fields_and_secrets_do_not_come_back(client: TestClient, user: Headers) -> None:
    fields = {"token": "123:s3cret", "chat": "42"}
    draft = {"name": "Phone", "kind": "telegram", "fields": fields, "events": ["simulation.sold"], "enabled": False}
    made = client.post(TARGETS, json=draft, headers=user)
    assert made.status_code == 201, made.text
    target = made.json()
    assert {name: target[name] for name in ("name", "kind", "fields", "url", "events", "enabled")} == {
        "name": "Phone",
        "kind": "telegram",
        "fields": {"chat": "42"},
        "url": "tgram://…",
        "events": ["simulation.sold"],
        "enabled": False,
    }
    listed = client.get(TARGETS, headers=user)
    renamed = client.patch(f"{TARGETS}/{target['id']}", json={"name": "Mine"}, headers=user)
    assert listed.json()["targets"][0]["fields"] == renamed.json()["fields"] == {"chat": "42"}
    assert "s3cret" not in made.text + listed.text + renamed.text


@on_sqlite_alone
def test_the_kinds_are_listed_with_their_fields(client: TestClient, user: Headers) -> None:
    kinds = client.get("/api/notifications/kinds", headers=user).json()["kinds"]
    assert [kind["kind"] for kind in kinds][:3] == ["webhook", "email", "telegram"]
    assert kinds[2]["fields"][0] == {
        "name": "token",
        "label": "Token of the bot",
        "hint": "From @BotFather.",
        "example": "123456:ABC-DEF",
        "required": True,
        "secret": True,
        "choices": [],
    }


@on_sqlite_alone
@pytest.mark.parametrize(
    ("address", "field"),
    [
        ({}, "kind"),
        ({"kind": "ntfy"}, "fields"),
        ({"fields": {"topic": "t"}}, "kind"),
        ({"kind": "smoke", "fields": {}}, "kind"),
        ({"kind": "ntfy", "fields": {}}, "fields.topic"),
        ({"kind": "ntfy", "fields": {"topic": "t", "template": "/etc/passwd"}}, "fields.template"),
        ({"kind": "ntfy", "fields": {"topic": 5}}, "fields.topic"),
        ({"kind": "ntfy", "fields": {"topic": "t"}, "url": "ntfy://topic"}, "url"),
        ({"kind": "gotify", "fields": {"server": "http://127.0.0.1:9", "token": "t"}}, "fields.server"),
        ({"kind": "webhook", "fields": {"url": "http://127.0.0.1:9"}}, "fields.url"),
        ({"url": "http://127.0.0.1:9"}, "url"),
    ],
)
def test_a_wrong_address_is_refused_by_the_name_of_its_field(
    client: TestClient, user: Headers, address: dict[str, Any], field: str
) -> None:
    refused = client.post(TARGETS, json={"name": "Hook", **address}, headers=user)
    assert refused.status_code == 422, refused.text
    assert [error["field"] for error in refused.json()["errors"]] == [field]


def add_old(services: Services, owner_id: str, name: str, url: str, secret: str = SECRET) -> str:
    """Add a target as an older version has stored it."""
    target_id = new_id()
    with services.database.write() as session:
        session.add(
            Target(
                id=target_id,
                owner_id=owner_id,
                name=name,
                masked_url="ntfy://…",
                sealed_fields=Sealer(secret).seal(url, target_id),
                events=list(EVENTS),
                enabled=True,
                created_at=services.clock(),
            )
        )
    return target_id


def test_the_urls_of_an_older_version_are_converted_once_at_the_start(
    client: TestClient, user: Headers, services: Services
) -> None:
    owner_id = owner_of(client, user)
    add_old(services, owner_id, "Phone", "tgram://123:TOKEN/42")
    add_old(services, owner_id, "Bullet", "pbul://o.gn5kj6nfhv736I7jC3cj3QLRiyhgl98b")
    add_old(services, owner_id, "Evil", "discord://1/2#?template=/etc/passwd")
    add_old(services, owner_id, "Lost", "ntfy://topic", "another secret")
    for _ in range(2):
        services.notifications.convert_old_targets()
    found = {target["name"]: target for target in client.get(TARGETS, headers=user).json()["targets"]}
    assert {name: (target["kind"], target["enabled"]) for name, target in found.items()} == {
        "Phone": ("telegram", True),
        "Bullet": (None, False),
        "Evil": (None, False),
        "Lost": (None, True),
    }
    assert found["Phone"]["fields"] == {"chat": "42"}
    assert found["Bullet"]["last_error"] == ADDRESS_LOST
    told = client.get(BELL, headers=user).json()["notifications"]
    assert sorted((each["event"], each["title"]) for each in told) == [
        ("target.disabled", "Notifications to Bullet are switched off"),
        ("target.disabled", "Notifications to Evil are switched off"),
    ]
    assert "must have no #" in next(each["text"] for each in told if "Evil" in each["title"])
    assert "passwd" not in str(told)


@on_sqlite_alone
def test_a_target_whose_address_is_lost_says_so(client: TestClient, user: Headers, services: Services) -> None:
    target_id = add_old(services, owner_of(client, user), "Lost", "ntfy://topic", "another secret")
    tested = client.post(f"{TARGETS}/{target_id}/test", headers=user).json()
    assert tested == {"sent": False, "error": ADDRESS_LOST}
    again = client.patch(f"{TARGETS}/{target_id}", json={"url": "ntfy://topic"}, headers=user)
    assert again.json()["kind"] == "ntfy"


def test_the_deliveries_of_one_owner_do_not_hold_up_those_of_another(
    client: TestClient, user: Headers, services: Services
) -> None:
    busy, other = owner_of(client, user), owner_of(client, sign_up(client, "bob@example.com"))
    for owner_id in (busy, other):
        add_old(services, owner_id, "Phone", "ntfy://topic")
    with services.database.write() as session:
        occurrences = [Occurrence(busy, "simulation.bought", "bought", "because") for _ in range(150)]
        tell(session, services.clock(), *occurrences, Occurrence(other, "simulation.bought", "bought", "because"))
    with services.database.read() as session:
        due = storage.due_deliveries(session, services.clock(), 100, MOST_SENT_AT_ONCE)
        owners = [storage.owner_of_delivery(session, delivery_id) for delivery_id in due]
    assert sorted(owners, key=str) == sorted([busy] * MOST_SENT_AT_ONCE + [other])


def test_a_delivery_waits_while_its_owner_has_no_place(client: TestClient, user: Headers, services: Services) -> None:
    add_old(services, owner_of(client, user), "Phone", "ntfy://topic", "another secret")
    owner_id = owner_of(client, user)
    with services.database.write() as session:
        tell(session, services.clock(), Occurrence(owner_id, "simulation.bought", "bought", "because"))
    (delivery_id,) = services.courier.due()
    places = [services.courier.senders.place(owner_id) for _ in range(MOST_SENT_AT_ONCE)]
    for place in places:
        place.__enter__()
    asyncio.run(services.courier.deliver(delivery_id))
    assert services.courier.due() == [delivery_id]
    for place in places:
        place.__exit__(None, None, None)
    asyncio.run(services.courier.deliver(delivery_id))
    assert services.courier.due() == [], "tried, and postponed"
