"""Notifications: events are listed and delivered to targets, which are secret and belong to one user."""

import asyncio
import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from strategybot.app import Services
from strategybot.kit.identifiers import new_id
from strategybot.notifications.addresses import is_public
from strategybot.notifications.courier import PAUSES
from strategybot.notifications.kinds import NtfyKind, WebhookKind
from strategybot.notifications.schemas import EVENTS
from strategybot.notifications.sealing import Sealer, Unsealable
from strategybot.notifications.service import MOST_TARGETS, Occurrence, tell, unseal
from strategybot.notifications.storage import Delivery, Notification, Target
from strategybot.settings import Settings
from tests.backtests import driving as backtests
from tests.engines import on_sqlite_alone
from tests.notifications.webhook import Webhook
from tests.servers import SECRET
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import ManualClock, create_bot, sign_up, visitor

Headers = dict[str, str]
TARGETS = "/api/notifications/targets"


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    with Webhook() as webhook:
        yield webhook


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    """The app without background work: messages are delivered when a test calls `deliver`."""
    yield TestClient(app)
    app.state.services.database.close()


@pytest.fixture
def private(settings: Settings) -> Settings:
    settings.private_webhooks = True
    return settings


def add(client: TestClient, who: Headers, url: str, **fields: Any) -> dict[str, Any]:
    answer = client.post(TARGETS, json={"name": "Hook", "url": url, **fields}, headers=who)
    assert answer.status_code == 201, answer.text
    target: dict[str, Any] = answer.json()
    return target


def bell(client: TestClient, who: Headers) -> dict[str, Any]:
    answer = client.get("/api/notifications", headers=who)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def owner_of(client: TestClient, who: Headers) -> str:
    owner_id: str = client.get("/api/auth/me", headers=who).json()["id"]
    return owner_id


def happened(services: Services, owner_id: str, count: int = 1, event: Any = "simulation.bought") -> None:
    with services.database.write() as session:
        occurrences = [Occurrence(owner_id, event, f"Dip buyer: bought {i}", "because") for i in range(count)]
        tell(session, services.clock(), *occurrences)


def delivered(services: Services) -> None:
    """Deliver what is due, as the background work does."""

    async def deliver() -> None:
        while due := services.courier.due():  # without the queue, because the clock of the test stands still
            for delivery_id in due:
                await services.courier.deliver(delivery_id)

    asyncio.run(deliver())


def rows(services: Services, table: type[Any]) -> list[Any]:
    with services.database.read() as session:
        return list(session.query(table).all())


def test_a_finished_backtest_is_an_unread_notification_until_it_is_read(app: FastAPI) -> None:
    with TestClient(app) as client:
        user = sign_up(client)
        _finish_and_read(client, user)


def _finish_and_read(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=LIVELY, token=TOKEN)
    run = backtests.finished(client, user, backtests.start(client, user, bot))
    found = bell(client, user)
    (notification,) = found["notifications"]
    assert found["unread_count"] == 1
    assert (notification["event"], notification["title"]) == ("backtest.finished", "Dip buyer: backtest finished")
    assert re.fullmatch(r"Total return [+−][\d.]+ % on SOL, \d+ trades?\.", notification["text"])
    assert (notification["bot_id"], notification["run_id"]) == (bot["id"], run["run_id"])
    assert client.post("/api/notifications/read", headers=user).status_code == 204
    assert bell(client, user) == {"notifications": [{**notification, "read": True}], "unread_count": 0}


def test_reading_up_to_one_leaves_the_newer_ones_unread(client: TestClient, user: Headers, services: Services) -> None:
    happened(services, owner_of(client, user), 3)
    newest, middle, _ = bell(client, user)["notifications"]
    client.post("/api/notifications/read", json={"until": middle["id"]}, headers=user)
    found = bell(client, user)
    assert found["unread_count"] == 1
    assert [each["read"] for each in found["notifications"]] == [False, True, True]
    assert newest["id"] > middle["id"]


def test_the_newest_hundred_are_listed_and_the_retention_job_deletes_the_rest(
    client: TestClient, user: Headers, services: Services
) -> None:
    happened(services, owner_of(client, user), 130)
    found = bell(client, user)
    assert (len(found["notifications"]), found["unread_count"]) == (100, 100)
    services.retention.run()
    assert len(rows(services, Notification)) == 100
    assert bell(client, user) == found


def test_the_notifications_of_a_visitor_move_to_the_new_account(client: TestClient, services: Services) -> None:
    token = services.accounts.welcome_visitor("203.0.113.5")
    happened(services, services.accounts.visitor(token).owner_id)
    assert bell(client, visitor(token))["unread_count"] == 1
    assert client.get(TARGETS, headers=visitor(token)).status_code == 401
    assert bell(client, sign_up(client, **visitor(token)))["unread_count"] == 1


def test_deleting_an_account_deletes_its_notifications(client: TestClient, user: Headers, services: Services) -> None:
    happened(services, owner_of(client, user))
    client.request("DELETE", "/api/auth/me", json={"password": "correct horse battery staple"}, headers=user)
    services.retention.run()
    assert rows(services, Notification) == []


@pytest.mark.usefixtures("private")
class TestTargets:
    def test_the_address_is_sealed_and_never_shown(
        self, client: TestClient, user: Headers, services: Services, webhook: Webhook
    ) -> None:
        target = add(client, user, webhook.url)
        assert (target["kind"], target["fields"], target["url"]) == ("webhook", {}, "http://localhost/…")
        listed = client.get(TARGETS, headers=user).json()["targets"]
        assert listed == [{name: value for name, value in target.items() if name != "signing_secret"}]
        (row,) = rows(services, Target)
        assert b"s3cret" not in row.sealed_fields
        assert unseal(Sealer(SECRET), row) == WebhookKind(url=webhook.url)
        for other in (Sealer(SECRET + "x"), Sealer(SECRET)):
            with pytest.raises(Unsealable):
                other.unseal(row.sealed_fields, new_id())

    def test_a_message_is_signed_and_sent_only_to_targets_that_want_it(
        self, client: TestClient, user: Headers, services: Services, webhook: Webhook
    ) -> None:
        target = add(client, user, webhook.url, events=["simulation.sold", "simulation.bought"])
        add(client, user, webhook.url, events=["backtest.finished"])
        add(client, user, webhook.url, enabled=False)
        add(client, sign_up(client, "bob@example.com"), webhook.url)
        happened(services, owner_of(client, user))
        delivered(services)
        ((headers, body),) = webhook.received
        (message,) = webhook.messages()
        expected = hmac.new(target["signing_secret"].encode(), body, hashlib.sha256).hexdigest()
        assert headers["X-Strategybot-Signature"] == f"sha256={expected}"
        assert headers["X-Strategybot-Delivery"] == message["id"]
        assert headers["Host"] == webhook.url.split("/")[2]
        assert (message["event"], message["title"], message["summarises"]) == (
            "simulation.bought",
            "Dip buyer: bought 0",
            1,
        )
        assert rows(services, Delivery) == []

    def test_a_failed_message_is_sent_again_three_times_with_the_same_id(
        self, client: TestClient, user: Headers, services: Services, webhook: Webhook, clock: ManualClock
    ) -> None:
        add(client, user, webhook.url)
        webhook.statuses = [500, 302, 404, 503]
        happened(services, owner_of(client, user))
        delivered(services)
        for tries, pause in enumerate(PAUSES, start=1):
            delivered(services)
            assert len(webhook.received) == tries, "not before its time"
            clock.now += pause
            delivered(services)
        assert len({message["id"] for message in webhook.messages()}) == 1
        assert len(webhook.received) == 4
        assert rows(services, Delivery) == []
        (target,) = client.get(TARGETS, headers=user).json()["targets"]
        assert target["last_error"] == "The webhook answered with HTTP 503."

    def test_a_process_that_dies_while_it_sends_leaves_the_message_to_another(
        self, client: TestClient, user: Headers, services: Services, webhook: Webhook, clock: ManualClock
    ) -> None:
        add(client, user, webhook.url)
        happened(services, owner_of(client, user))
        (delivery,) = rows(services, Delivery)
        assert services.courier.claim(delivery.id) is not None  # what a process does before it dies
        delivered(services)
        assert webhook.received == []
        clock.advance(seconds=61)
        delivered(services)
        assert [message["id"] for message in webhook.messages()] == [delivery.id]

    def test_after_thirty_an_hour_the_rest_is_one_summary(
        self, client: TestClient, user: Headers, services: Services, webhook: Webhook, clock: ManualClock
    ) -> None:
        add(client, user, webhook.url)
        owner_id = owner_of(client, user)
        happened(services, owner_id, 35)
        happened(services, owner_id, 2, "simulation.sold")
        delivered(services)
        assert len(webhook.received) == 30
        clock.advance(minutes=59)
        delivered(services)
        assert len(webhook.received) == 30
        clock.advance(minutes=2)
        delivered(services)
        *_, last = webhook.messages()
        assert len(webhook.received) == 31
        assert (last["event"], last["summarises"]) == ("summary", 7)
        assert "5 × simulation.bought" in last["text"]
        assert "2 × simulation.sold" in last["text"]

    def test_a_test_says_whether_it_arrived_and_counts(
        self, client: TestClient, user: Headers, webhook: Webhook
    ) -> None:
        target = add(client, user, webhook.url)
        webhook.statuses = [204, 500]
        answers = [client.post(f"{TARGETS}/{target['id']}/test", headers=user) for _ in range(31)]
        assert [answer.status_code for answer in answers] == [200] * 30 + [429]
        assert answers[0].json() == {"sent": True, "error": None}
        assert answers[1].json() == {"sent": False, "error": "The webhook answered with HTTP 500."}

    def test_a_message_that_is_sent_again_has_the_same_digits_of_its_id(
        self, client: TestClient, user: Headers, services: Services, webhook: Webhook, clock: ManualClock
    ) -> None:
        add(client, user, f"ntfy://{webhook.url.split('/')[2]}/topic")
        webhook.statuses = [500]
        happened(services, owner_of(client, user))
        delivered(services)
        clock.now += PAUSES[0]
        delivered(services)
        texts = [message["message"] for message in webhook.messages()]
        assert len(texts) == 2
        assert len(set(texts)) == 1
        assert re.fullmatch(r"because\n\n\(message [0-9a-f]{8}\)", texts[0])

    def test_a_target_is_changed_in_part_and_deleted(
        self, client: TestClient, user: Headers, webhook: Webhook, services: Services
    ) -> None:
        target = add(client, user, webhook.url)
        assert target["events"] == list(EVENTS)
        place = f"{TARGETS}/{target['id']}"
        changed = client.patch(place, json={"enabled": False, "events": ["simulation.sold"]}, headers=user).json()
        assert (changed["enabled"], changed["events"], changed["name"]) == (False, ["simulation.sold"], "Hook")
        moved = client.patch(place, json={"kind": "ntfy", "fields": {"topic": "my-topic"}}, headers=user).json()
        assert (moved["kind"], moved["url"]) == ("ntfy", "ntfy://…")
        (row,) = rows(services, Target)
        assert unseal(Sealer(SECRET), row) == NtfyKind(topic="my-topic")
        client.patch(place, json={"fields": {"topic": "another"}}, headers=user)
        assert unseal(Sealer(SECRET), *rows(services, Target)) == NtfyKind(topic="another")
        assert client.delete(place, headers=user).status_code == 204
        assert client.delete(place, headers=user).status_code == 404

    def test_an_account_has_twenty_at_most(self, client: TestClient, user: Headers, webhook: Webhook) -> None:
        for _ in range(MOST_TARGETS):
            add(client, user, webhook.url)
        refused = client.post(TARGETS, json={"name": "One more", "url": webhook.url}, headers=user)
        assert refused.status_code == 409


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://localhost:8000/",
        "https://[::1]/",
        "http://169.254.169.254/latest/meta-data",
        "http://10.1.2.3/",
        "http://[::ffff:10.0.0.1]/",
        "http://[64:ff9b::a00:1]/",
        "http://0/",
        "http://user:pass@93.184.215.14/",
        "ntfy://127.0.0.1/topic",
        "mailtos://me:secret@example.com?smtp=127.0.0.1",
        "file:///etc/passwd",
        "json://93.184.215.14/",
        "syslog://x",
        "discord://1234/5678?template=/etc/passwd",
        "tgram://123456789:abcdefg_hijklmnop/12315544/?redirect=yes",
        "discord://too-little",
        "https://no-such-host.invalid/",
    ],
)
@on_sqlite_alone
def test_a_target_with_a_forbidden_address_is_refused(
    client: TestClient, user: Headers, services: Services, url: str
) -> None:
    answer = client.post(TARGETS, json={"name": "Hook", "url": url}, headers=user)
    assert answer.status_code == 422, answer.text
    assert [error["field"] for error in answer.json()["errors"]] == ["url"]
    assert rows(services, Target) == []


def test_a_host_that_becomes_private_later_is_not_sent_to(
    client: TestClient, user: Headers, services: Services, webhook: Webhook
) -> None:
    """The address is checked again before each message, because a name server may change it."""
    with services.database.write() as session:
        target_id = new_id()
        session.add(
            Target(
                id=target_id,
                owner_id=owner_of(client, user),
                name="Hook",
                kind="webhook",
                masked_url="",
                sealed_fields=Sealer(SECRET).seal(json.dumps({"url": webhook.url}), target_id),
                events=list(EVENTS),
                enabled=True,
                created_at=services.clock(),
            )
        )
    happened(services, owner_of(client, user))
    delivered(services)
    assert webhook.received == []
    (target,) = client.get(TARGETS, headers=user).json()["targets"]
    assert "private address" in target["last_error"]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
        ("100.64.0.1", False),
        ("192.168.1.1", False),
        ("224.0.0.1", False),
        ("0.0.0.0", False),
        ("fd00::1", False),
        ("fe80::1%eth0", False),
        ("2002:a00:1::", False),
        ("::", False),
    ],
)
def test_only_public_addresses_are_public(address: str, expected: bool) -> None:
    assert is_public(address) is expected
