"""Every kind of target: the request it makes of its fields, what of them is shown, and the URLs it had before."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from strategybot.kit.errors import InvalidInput
from strategybot.notifications.kinds import KINDS, kind_name, kind_views, public_fields, target_of
from strategybot.notifications.old_urls import BadUrl, target_from_url
from strategybot.notifications.outgoing import Mail, Outgoing
from strategybot.notifications.schemas import KindName, TargetMessage

MESSAGE = TargetMessage(
    id="01a1ec19-0217-7274-bc55-4e8a4e7aa1b2",
    event="simulation.bought",
    title="Dip buyer: bought",
    text="Because <!channel> @everyone fell.",
    bot_id=None,
    run_id=None,
    created_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
)
TEXT = "Because <!channel> @everyone fell.\n\n(message 4e7aa1b2)"
WHOLE = f"Dip buyer: bought\n{TEXT}"
FIELDS: dict[KindName, dict[str, str]] = {
    "webhook": {"url": "https://example.com/hook?key=s3cret"},
    "email": {
        "server": "smtp.example.com",
        "username": "me",
        "password": "s3cret",
        "sender": "bot@example.com",
        "recipient": "me@example.com",
    },
    "telegram": {"token": "123:s3cret", "chat": "-1001"},
    "discord": {"webhook": "https://discord.com/api/webhooks/1234/s3cret"},
    "slack": {"webhook": "T00/B00/s3cret"},
    "ntfy": {"topic": "s3cret-topic", "server": "https://ntfy.example.com", "token": "tk_s3cret"},
    "gotify": {"server": "https://push.example.com:8443/gotify/", "token": "s3cret"},
    "pushover": {"user_key": "s3cret-user", "token": "s3cret"},
    "matrix": {"server": "https://matrix.example.com", "token": "syt_s3cret", "room": "!abc/../x:example.com"},
}
REQUESTS: list[tuple[KindName, str, dict[str, Any], dict[str, str]]] = [
    ("webhook", "POST https://example.com/hook?key=s3cret", MESSAGE.model_dump(mode="json"), {"X-Strategybot-Delivery": MESSAGE.id}),
    ("telegram", "POST https://api.telegram.org/bot123:s3cret/sendMessage", {"chat_id": "-1001", "text": WHOLE}, {}),
    ("discord", "POST https://discord.com/api/webhooks/1234/s3cret", {"content": WHOLE, "allowed_mentions": {"parse": []}}, {}),
    ("slack", "POST https://hooks.slack.com/services/T00/B00/s3cret", {"text": WHOLE.replace("<", "&lt;").replace(">", "&gt;")}, {}),
    (
        "ntfy",
        "POST https://ntfy.example.com",
        {"topic": "s3cret-topic", "title": "Dip buyer: bought", "message": TEXT},
        {"Authorization": "Bearer tk_s3cret"},
    ),
    (
        "gotify",
        "POST https://push.example.com:8443/gotify/message",
        {"title": "Dip buyer: bought", "message": TEXT},
        {"X-Gotify-Key": "s3cret"},
    ),
    (
        "pushover",
        "POST https://api.pushover.net/1/messages.json",
        {"token": "s3cret", "user": "s3cret-user", "title": "Dip buyer: bought", "message": TEXT},
        {},
    ),
    (
        "matrix",
        "PUT https://matrix.example.com/_matrix/client/v3/rooms/%21abc%2F..%2Fx%3Aexample.com/send/m.room.message/"
        + MESSAGE.id,
        {"msgtype": "m.text", "body": WHOLE},
        {"Authorization": "Bearer syt_s3cret"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "request_line", "content", "headers"), REQUESTS, ids=[each[0] for each in REQUESTS])
def test_a_kind_makes_one_request_of_its_fields(
    kind: KindName, request_line: str, content: dict[str, Any], headers: dict[str, str]
) -> None:
    outgoing = target_of(kind, FIELDS[kind]).outgoing(MESSAGE)
    assert isinstance(outgoing, Outgoing)
    assert f"{outgoing.method} {outgoing.url}" == request_line
    assert json.loads(outgoing.content) == content
    assert outgoing.headers == headers
    assert outgoing.is_signed == (kind == "webhook")


def test_every_kind_is_in_a_table_of_these_tests() -> None:
    assert set(FIELDS) == set(KINDS) == {"email", *(each[0] for each in REQUESTS)}


@pytest.mark.parametrize("kind", KINDS)
def test_no_secret_is_shown(kind: KindName) -> None:
    target = target_of(kind, FIELDS[kind])
    assert "s3cret" not in json.dumps(public_fields(target)) + target.masked
    assert kind_name(target) == kind


def test_the_form_learns_of_every_field() -> None:
    views = {view.kind: view for view in kind_views()}
    assert set(views) == set(KINDS)
    email = {field.name: field for field in views["email"].fields}
    assert [name for name, field in email.items() if field.required] == ["server", "sender", "recipient"]
    assert [name for name, field in email.items() if field.secret] == ["password"]
    assert email["security"].choices == ["tls", "starttls", "none"]
    assert all(field.label for view in views.values() for field in view.fields)


def test_a_mail_has_the_port_of_its_encryption() -> None:
    for security, port in (("tls", 465), ("starttls", 587), ("none", 25)):
        mail = target_of("email", {**FIELDS["email"], "security": security}).outgoing(MESSAGE)
        assert isinstance(mail, Mail)
        assert mail.place == ("smtp.example.com", port)
    own = target_of("email", {**FIELDS["email"], "server": "[2001:db8::1]:2525"}).outgoing(MESSAGE)
    assert own.place == ("2001:db8::1", 2525)


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("webhook", "url", "ftp://example.com/"),
        ("webhook", "url", "https://user@example.com/"),
        ("webhook", "url", "https://example.com/#x"),
        ("webhook", "url", "https://"),
        ("webhook", "url", "https://example.com:99999/"),
        ("email", "server", "smtp.example.com/x"),
        ("email", "server", "smtp.example.com:99999"),
        ("email", "recipient", "a@example.com\r\nRCPT TO:<b@example.com>"),
        ("email", "sender", "a@example.com> SIZE=1"),
        ("email", "security", "ssl"),
        ("telegram", "token", "123:abc/../x"),
        ("telegram", "chat", "12?parse_mode=HTML"),
        ("discord", "webhook", "https://example.com/api/webhooks/1/2"),
        ("discord", "webhook", "1234/abc?wait=true"),
        ("slack", "webhook", "T00/B00"),
        ("slack", "webhook", "T00/../../x"),
        ("ntfy", "topic", "a/b"),
        ("ntfy", "server", "https://ntfy.example.com?x"),
        ("gotify", "token", "abc&x"),
        ("matrix", "room", "#alias:example.com"),
        ("matrix", "token", "a b"),
    ],
)
def test_a_field_with_anything_else_in_it_is_refused(kind: KindName, field: str, value: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        target_of(kind, {**FIELDS[kind], field: value})
    assert [error.field for error in refused.value.errors] == [f"fields.{field}"]


def test_an_unknown_field_and_a_missing_one_are_refused() -> None:
    with pytest.raises(InvalidInput) as refused:
        target_of("gotify", {"server": "https://push.example.com", "token": "", "template": "x"})
    assert {error.field for error in refused.value.errors} == {"fields.token", "fields.template"}


@pytest.mark.parametrize(
    ("url", "kind", "fields"),
    [
        ("https://example.com/hook", "webhook", {"url": "https://example.com/hook"}),
        ("https://discord.com/api/webhooks/1/ab", "discord", {"webhook": "1/ab"}),
        ("https://hooks.slack.com/services/T/B/x", "slack", {"webhook": "T/B/x"}),
        ("tgram://123:TOKEN/CHAT", "telegram", {"token": "123:TOKEN", "chat": "CHAT"}),
        ("tgram://123:TOKEN/-1001/?silent=yes", "telegram", {"token": "123:TOKEN", "chat": "-1001"}),
        ("discord://bot@1234/abc_d-e", "discord", {"webhook": "1234/abc_d-e"}),
        ("slack://T1/B2/x3", "slack", {"webhook": "T1/B2/x3"}),
        ("ntfy://topic", "ntfy", {"topic": "topic"}),
        ("ntfys://tk_1@topic", "ntfy", {"topic": "topic", "token": "tk_1"}),
        ("ntfy://ntfy.sh/topic", "ntfy", {"topic": "topic"}),
        ("ntfy://push.example.com:8080/topic", "ntfy", {"topic": "topic", "server": "http://push.example.com:8080"}),
        ("ntfys://push.example.com?to=topic", "ntfy", {"topic": "topic", "server": "https://push.example.com"}),
        ("gotifys://push.example.com/tok", "gotify", {"server": "https://push.example.com", "token": "tok"}),
        ("pover://user@token", "pushover", {"user_key": "user", "token": "token"}),
        (
            "matrixs://syt_x@matrix.example.com/!r:example.com",
            "matrix",
            {"server": "https://matrix.example.com", "token": "syt_x", "room": "!r:example.com"},
        ),
        (
            "mailtos://me:p%40ss@example.com:465?smtp=smtp.example.com&to=you@example.com",
            "email",
            {
                "server": "smtp.example.com:465",
                "security": "starttls",
                "username": "me",
                "password": "p@ss",
                "sender": "me@example.com",
                "recipient": "you@example.com",
            },
        ),
        (
            "mailto://me:pw@gmail.com",
            "email",
            {
                "server": "smtp.gmail.com",
                "security": "starttls",
                "username": "me@gmail.com",
                "password": "pw",
                "sender": "me@gmail.com",
                "recipient": "me@gmail.com",
            },
        ),
    ],
)
def test_a_url_is_turned_into_fields(url: str, kind: KindName, fields: dict[str, str]) -> None:
    assert target_from_url(url) == target_of(kind, fields)


@pytest.mark.parametrize(
    "url",
    [
        "pbul://o.gn5kj6nfhv736I7jC3cj3QLRiyhgl98b",
        "gchat://workspace/key/token",
        "slack://xoxb-1234/#general",
        "slack://T1/B2/x3/#general",
        "slack://T1/B2/x3/C1234",
        "tgram://123:TOKEN/CHAT/OTHER",
        "tgram://123:TOKEN",
        "ntfy://user:password@push.example.com/topic",
        "matrixs://user:password@matrix.example.com/!r:example.com",
        "mailtos://me:pw@example.com?to=a@example.com,b@example.com",
        "mailtos://me:pw@example.com?bcc=a@example.com",
        "pover://user@token/device",
        "gotify://push.example.com",
        "ntfy://[::1/topic",
        "tgram://123:TOKEN/CHAT?thread=7",
    ],
)
def test_a_url_that_says_more_than_the_fields_can_is_refused_with_the_reason(url: str) -> None:
    with pytest.raises(BadUrl) as refused:
        target_from_url(url)
    assert refused.value.reason
