"""Request and response bodies of the notification endpoints, and the message to a target."""

from datetime import datetime
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from strategybot.kit.validation import NAME_PATTERN, Body

EventName = Literal[
    "simulation.bought",
    "simulation.sold",
    "simulation.stopped",
    "simulation.waiting",
    "simulation.drawdown",
    "simulation.pool",
    "backtest.finished",
    "optimisation.finished",
    "watch.signal",
]
EVENTS: tuple[EventName, ...] = get_args(EventName)
BellEvent = EventName | Literal["target.disabled"]
"""What the bell shows; `target.disabled` is sent to no target."""
KindName = Literal["webhook", "email", "telegram", "discord", "slack", "ntfy", "gotify", "pushover", "matrix"]
LONGEST_URL = 1000
MOST_FIELDS = 10
LONGEST_FIELD = 1000
_EXAMPLE: dict[str, JsonValue] = {
    "name": "My phone",
    "kind": "ntfy",
    "fields": {"topic": "my-secret-topic"},
    "events": ["simulation.bought", "simulation.sold"],
    "enabled": True,
}

Name = Annotated[str, Field(min_length=1, max_length=100, pattern=NAME_PATTERN)]
Url = Annotated[
    str,
    Field(
        min_length=8,
        max_length=LONGEST_URL,
        pattern=r"^[a-z]+://[!-~]+$",
        description="Instead of `kind` and `fields`: a webhook (`https://…`), or a URL such as `ntfy://topic`, "
        "`tgram://token/chat` or `mailtos://user:password@host`. It is turned into them",
    ),
]
Fields = Annotated[
    dict[str, Annotated[str, Field(max_length=LONGEST_FIELD)]],
    Field(
        max_length=MOST_FIELDS,
        description="The fields of the kind, as `GET /api/notifications/kinds` lists them. Secrets are not shown again",
    ),
]
Events = Annotated[list[EventName], Field(max_length=len(EVENTS), description="What it is told")]


class TargetDraft(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    name: Annotated[Name, Field(description="What you call it")]
    kind: Annotated[KindName, Field(default_factory=str, description="What is at the other end")]
    fields: Annotated[Fields, Field(default_factory=dict)]
    url: Annotated[Url, Field(default_factory=str)]
    events: Annotated[Events, Field(default_factory=lambda: list(EVENTS))]
    enabled: Annotated[bool, Field(description="Whether messages are sent to it")] = True


class TargetPatch(Body):
    """Any subset; omitted members are unchanged. `fields` replaces all fields, secret ones too."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"enabled": False}]})

    name: Annotated[Name, Field(default_factory=str, description="What you call it")]
    kind: Annotated[KindName, Field(default_factory=str, description="With `fields`; unchanged by default")]
    fields: Annotated[Fields, Field(default_factory=dict)]
    url: Annotated[Url, Field(default_factory=str)]
    events: Annotated[Events, Field(default_factory=list)]
    enabled: Annotated[bool, Field(description="Whether messages are sent to it")] = True


class TargetView(BaseModel):
    id: Annotated[str, Field(description="The target's id")]
    name: Annotated[str, Field(description="What you call it")]
    kind: Annotated[KindName | None, Field(description="Null if the address cannot be read any more: enter it again")]
    fields: Annotated[dict[str, str], Field(description="Those that are no secret")]
    url: Annotated[str, Field(description="Masked: the scheme, and the host of a webhook")]
    events: Annotated[list[EventName], Field(description="What is sent to it")]
    enabled: Annotated[bool, Field(description="Whether messages are sent to it")]
    created_at: Annotated[datetime, Field(description="When it was made")]
    last_sent_at: Annotated[datetime | None, Field(description="When something was sent to it last; null if never")]
    last_error: Annotated[str | None, Field(description="Why the newest message was not delivered")]


class NewTarget(TargetView):
    signing_secret: Annotated[
        str, Field(description="Signs the messages to a webhook: HMAC-SHA256 of the body. Shown only in this answer")
    ]


class TargetList(BaseModel):
    targets: Annotated[list[TargetView], Field(description="Targets, oldest first")]


class TestView(BaseModel):
    sent: Annotated[bool, Field(description="Whether it was delivered")]
    error: Annotated[str | None, Field(description="Why it could not be sent")]


class FieldView(BaseModel):
    name: Annotated[str, Field(description="The name of the field")]
    label: Annotated[str, Field(description="What a form calls it")]
    hint: Annotated[str, Field(description="How to find its value")]
    example: Annotated[str, Field(description="A value as an example")]
    required: Annotated[bool, Field(description="Whether it must be given")]
    secret: Annotated[bool, Field(description="It is stored encrypted and never shown again")]
    choices: Annotated[list[str], Field(description="The allowed values; empty for free text")]


class KindView(BaseModel):
    kind: Annotated[KindName, Field(description="The name of the kind")]
    label: Annotated[str, Field(description="What a form calls it")]
    fields: Annotated[list[FieldView], Field(description="What must be told about a target of it")]


class KindList(BaseModel):
    kinds: Annotated[list[KindView], Field(description="What messages can be sent to")]


class NotificationView(BaseModel):
    id: Annotated[str, Field(description="The notification's id")]
    event: Annotated[BellEvent, Field(description="What kind of event it is")]
    title: Annotated[str, Field(description="What happened, in a few words")]
    text: Annotated[str, Field(description="What happened, in a sentence")]
    bot_id: Annotated[str | None, Field(description="The bot that it is about; null if it is about none")]
    run_id: Annotated[str | None, Field(description="The run that it is about; null if it is about none")]
    created_at: Annotated[datetime, Field(description="When it happened")]
    read: Annotated[bool, Field(description="Whether it was read")]


class NotificationList(BaseModel):
    notifications: Annotated[list[NotificationView], Field(description="The newest 100, newest first")]
    unread_count: Annotated[int, Field(description="How many are not read")]


class ReadMark(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{}]})

    until: Annotated[
        str | None,
        Field(description="The id of the newest notification that was read; all by default"),
    ] = None


class TargetMessage(BaseModel):
    """What is sent to a target."""

    id: Annotated[str, Field(description="The same each time it is sent again")]
    event: Annotated[str, Field(description="What kind of event it is")]
    title: Annotated[str, Field(description="What happened, in a few words")]
    text: Annotated[str, Field(description="What happened, in a sentence")]
    bot_id: Annotated[str | None, Field(description="The bot that it is about; null if it is about none")]
    run_id: Annotated[str | None, Field(description="The run that it is about; null if it is about none")]
    created_at: Annotated[datetime, Field(description="When it happened")]
    summarises: Annotated[int, Field(description="The number of events, more than 1 in a summary")] = 1
