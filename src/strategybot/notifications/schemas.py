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
]
EVENTS: tuple[EventName, ...] = get_args(EventName)
LONGEST_URL = 1000
_EXAMPLE: dict[str, JsonValue] = {
    "name": "My phone",
    "url": "ntfy://my-secret-topic",
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
        description="Where to send: a webhook (`https://…`), or an Apprise URL such as `ntfy://…`, `tgram://…`, "
        "`discord://…`, `slack://…` or `mailtos://…`. It is a secret, and never shown again",
    ),
]
Events = Annotated[list[EventName], Field(max_length=len(EVENTS), description="What it is told")]


class TargetDraft(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})

    name: Name
    url: Url
    events: Annotated[Events, Field(default_factory=lambda: list(EVENTS))]
    enabled: bool = True


class TargetPatch(Body):
    """Any subset of the fields; omitted ones are unchanged."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"enabled": False}]})

    name: Annotated[Name, Field(default_factory=str)]
    url: Annotated[Url, Field(default_factory=str)]
    events: Annotated[Events, Field(default_factory=list)]
    enabled: bool = True


class TargetView(BaseModel):
    id: str
    name: str
    url: Annotated[str, Field(description="Masked: the scheme, and the host of a webhook")]
    events: list[EventName]
    enabled: bool
    created_at: datetime
    last_sent_at: datetime | None
    last_error: Annotated[str | None, Field(description="Why the newest message was not delivered")]


class NewTarget(TargetView):
    signing_secret: Annotated[
        str, Field(description="Signs the messages to a webhook: HMAC-SHA256 of the body. Shown only in this answer")
    ]


class TargetList(BaseModel):
    targets: list[TargetView]


class TestView(BaseModel):
    sent: bool
    error: Annotated[str | None, Field(description="Why it could not be sent")]


class NotificationView(BaseModel):
    id: str
    event: EventName
    title: str
    text: str
    bot_id: str | None
    run_id: str | None
    created_at: datetime
    read: bool


class NotificationList(BaseModel):
    notifications: Annotated[list[NotificationView], Field(description="The newest 100, newest first")]
    unread_count: int


class ReadMark(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{}]})

    until: Annotated[
        str | None,
        Field(description="The id of the newest notification that was read; all by default"),
    ] = None


class TargetMessage(BaseModel):
    """What is sent to a target."""

    id: Annotated[str, Field(description="The same each time it is sent again")]
    event: str
    title: str
    text: str
    bot_id: str | None
    run_id: str | None
    created_at: datetime
    summarises: Annotated[int, Field(description="The number of events, more than 1 in a summary")] = 1
