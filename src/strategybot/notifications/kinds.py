"""The kinds of targets: the fields of each, and the request that delivers a message to it.

A host is the vendor's own or a field. It is parsed once, so that the host that is checked is the one that is called.
"""

import html
import json
import re
from abc import abstractmethod
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Annotated, Any, ClassVar, get_args
from urllib.parse import quote

import httpx2
from pydantic import AfterValidator, ConfigDict, Field, JsonValue, ValidationError
from pydantic_core import PydanticCustomError

from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.validation import Body, field_errors
from strategybot.notifications.addresses import Place
from strategybot.notifications.outgoing import Mail, Outgoing, Security, json_to, place_of, short_text, whole_text
from strategybot.notifications.schemas import FieldView, KindName, KindView, TargetMessage

DELIVERY = "X-Strategybot-Delivery"
NTFY = "https://ntfy.sh"
LONGEST_URL = 1000
LARGEST_PORT = 65_535
LONGEST_PUSH = 1024  # of Pushover
MAIL_PORTS: dict[Security, int] = {"tls": 465, "starttls": 587, "none": 25}


def web_address(text: str) -> str:
    """Return the text if it is an `http` or `https` URL without a user and a fragment."""
    try:
        url = httpx2.URL(text)
    except httpx2.InvalidURL:
        raise PydanticCustomError("url", "must be a URL") from None
    if url.scheme not in ("http", "https") or not url.host or (url.port or 0) > LARGEST_PORT:
        raise PydanticCustomError("url", "must begin with https:// or http:// and name a host")
    if url.userinfo or url.fragment or "#" in text:
        raise PydanticCustomError("url", "must have no user and no # part")
    return text


def _server_address(text: str) -> str:
    if httpx2.URL(web_address(text)).query or "?" in text:
        raise PydanticCustomError("url", "must have no ? part")
    return text.rstrip("/")


def _mail_server(text: str) -> str:
    match = re.fullmatch(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::([1-9][0-9]{0,4}))?", text)
    if match is None or int(match[2] or 0) > LARGEST_PORT:
        raise PydanticCustomError("server", "must be a host such as smtp.example.com or smtp.example.com:465")
    return text


def _end_of(prefix: str, end: str) -> AfterValidator:
    """Return a validator of a webhook's address that keeps only what follows the prefix."""
    pattern = re.compile(f"(?:{prefix})?({end})/?")

    def check(text: str) -> str:
        match = pattern.fullmatch(text)
        if match is None:
            raise PydanticCustomError("webhook", "must be the address of the webhook, as the service shows it")
        return match[1]

    return AfterValidator(check)


SECRET: dict[str, JsonValue] = {"writeOnly": True}
ADDRESS = r"^[!-~]+$"  # printable ASCII without blanks
PART = r"^[A-Za-z0-9_-]+$"
EMAIL = r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$"
Server = Annotated[str, Field(max_length=LONGEST_URL, pattern=ADDRESS), AfterValidator(_server_address)]
Token = Annotated[str, Field(max_length=200, pattern=PART, json_schema_extra=SECRET)]
Webhook = Annotated[str, Field(max_length=LONGEST_URL, pattern=ADDRESS, json_schema_extra=SECRET)]
MailAddress = Annotated[str, Field(max_length=254, pattern=EMAIL)]


class TargetKind(Body):
    """The fields of a target, and what is sent to it."""

    model_config = ConfigDict(frozen=True)
    label: ClassVar[str]
    scheme: ClassVar[str]
    host_field: ClassVar[str] = "server"

    @abstractmethod
    def outgoing(self, message: TargetMessage) -> Outgoing | Mail:
        """Return the request that delivers the message."""

    @property
    def named_place(self) -> Place | None:
        """The host that the user has named; None for a host of the vendor."""
        return None

    @property
    def subject(self) -> str:
        """How a sentence about the target begins."""
        return self.label

    @property
    def masked(self) -> str:
        """What may be shown of the address."""
        return f"{self.scheme}://…"


class WebhookKind(TargetKind):
    label, scheme, host_field = "Webhook", "https", "url"

    url: Annotated[
        Webhook,
        AfterValidator(web_address),
        Field(title="Address", description="It is sent JSON with a signature.", examples=["https://example.com/hook"]),
    ]

    def outgoing(self, message: TargetMessage) -> Outgoing:
        content = json.dumps(message.model_dump(mode="json"), ensure_ascii=False).encode()
        return Outgoing(httpx2.URL(self.url), content, {DELIVERY: message.id}, is_signed=True)

    @property
    def named_place(self) -> Place:
        return place_of(httpx2.URL(self.url))

    @property
    def subject(self) -> str:
        return "The webhook"

    @property
    def masked(self) -> str:
        url = httpx2.URL(self.url)
        return f"{url.scheme}://{url.host}/…"


class EmailKind(TargetKind):
    label, scheme = "E-mail", "mailto"

    server: Annotated[
        str,
        Field(max_length=300, title="Mail server", examples=["smtp.example.com"]),
        AfterValidator(_mail_server),
    ]
    security: Annotated[
        Security, Field(title="Encryption", description="Its default ports are 465 (tls), 587 (starttls), 25 (none).")
    ] = "tls"
    username: Annotated[str, Field(max_length=254, title="User name")] = ""
    password: Annotated[str, Field(max_length=500, title="Password", json_schema_extra=SECRET)] = ""
    sender: Annotated[MailAddress, Field(title="From", examples=["bot@example.com"])]
    recipient: Annotated[MailAddress, Field(title="To", examples=["you@example.com"])]

    def outgoing(self, message: TargetMessage) -> Mail:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.sender, self.recipient, " ".join(message.title.split())
        mail["Date"] = format_datetime(message.created_at)
        mail["Message-ID"] = f"<{message.id}@{self.sender.rpartition('@')[2]}>"
        mail.set_content(short_text(message))
        return Mail(self.named_place, self.security, self.username, self.password, mail)

    @property
    def named_place(self) -> Place:
        host, _, port = self.server.rpartition(":") if re.search(r":\d+$", self.server) else (self.server, "", "")
        return Place(host.strip("[]"), int(port) if port else MAIL_PORTS[self.security])


class TelegramKind(TargetKind):
    label, scheme = "Telegram", "tgram"

    token: Annotated[
        str,
        Field(
            max_length=200,
            pattern=r"^[0-9]+:[A-Za-z0-9_-]+$",
            title="Token of the bot",
            description="From @BotFather.",
            examples=["123456:ABC-DEF"],
            json_schema_extra=SECRET,
        ),
    ]
    chat: Annotated[
        str,
        Field(
            max_length=64,
            pattern=r"^(-?[0-9]+|@?[A-Za-z][A-Za-z0-9_]*)$",
            title="Chat",
            description="Its number, or the name of a channel.",
            examples=["12345678"],
        ),
    ]

    def outgoing(self, message: TargetMessage) -> Outgoing:
        chat = self.chat if re.match(r"[-@0-9]", self.chat) else f"@{self.chat}"
        url = f"https://api.telegram.org/bot{self.token}/sendMessage"
        return json_to(url, {"chat_id": chat, "text": whole_text(message)})


class DiscordKind(TargetKind):
    label, scheme = "Discord", "discord"

    webhook: Annotated[
        Webhook,
        _end_of(r"https://(?:discord|discordapp)\.com/api/webhooks/", r"[A-Za-z0-9_-]+/[A-Za-z0-9_-]+"),
        Field(title="Address of the webhook", examples=["https://discord.com/api/webhooks/1234/abcd"]),
    ]

    def outgoing(self, message: TargetMessage) -> Outgoing:
        # Names of tokens are written by strangers: they must not notify everybody in the channel.
        content = {"content": whole_text(message), "allowed_mentions": {"parse": []}}
        return json_to(f"https://discord.com/api/webhooks/{self.webhook}", content)


class SlackKind(TargetKind):
    label, scheme = "Slack", "slack"

    webhook: Annotated[
        Webhook,
        _end_of(r"https://hooks\.slack\.com/services/", r"[A-Za-z0-9]+/[A-Za-z0-9]+/[A-Za-z0-9]+"),
        Field(title="Address of the webhook", examples=["https://hooks.slack.com/services/T00/B00/XXXX"]),
    ]

    def outgoing(self, message: TargetMessage) -> Outgoing:
        text = html.escape(whole_text(message), quote=False)  # `<!channel>` would notify everybody in the channel
        return json_to(f"https://hooks.slack.com/services/{self.webhook}", {"text": text})


class NtfyKind(TargetKind):
    label, scheme = "ntfy", "ntfy"

    topic: Annotated[
        str,
        Field(
            max_length=64,
            pattern=PART,
            title="Topic",
            description="Who knows it can read the messages.",
            examples=["my-secret-topic"],
            json_schema_extra=SECRET,
        ),
    ]
    server: Annotated[Server, Field(title="Server")] = NTFY
    token: Annotated[Token, Field(title="Access token")] = ""

    def outgoing(self, message: TargetMessage) -> Outgoing:
        content = {"topic": self.topic, "title": message.title, "message": short_text(message)}
        return json_to(self.server, content, {"Authorization": f"Bearer {self.token}"} if self.token else {})

    @property
    def named_place(self) -> Place | None:
        return None if self.server == NTFY else place_of(httpx2.URL(self.server))


class GotifyKind(TargetKind):
    label, scheme = "Gotify", "gotify"

    server: Annotated[Server, Field(title="Server", examples=["https://gotify.example.com"])]
    token: Annotated[Token, Field(title="Token of the application")]

    def outgoing(self, message: TargetMessage) -> Outgoing:
        content = {"title": message.title, "message": short_text(message)}
        return json_to(f"{self.server}/message", content, {"X-Gotify-Key": self.token})

    @property
    def named_place(self) -> Place:
        return place_of(httpx2.URL(self.server))


class PushoverKind(TargetKind):
    label, scheme = "Pushover", "pover"

    user_key: Annotated[Token, Field(title="User key")]
    token: Annotated[Token, Field(title="Token of the application")]

    def outgoing(self, message: TargetMessage) -> Outgoing:
        texts = {"title": message.title[:250], "message": short_text(message, LONGEST_PUSH)}
        return json_to(
            "https://api.pushover.net/1/messages.json", {"token": self.token, "user": self.user_key, **texts}
        )


class MatrixKind(TargetKind):
    label, scheme = "Matrix", "matrix"

    server: Annotated[Server, Field(title="Home server", examples=["https://matrix.example.com"])]
    token: Annotated[str, Field(max_length=1000, pattern=ADDRESS, title="Access token", json_schema_extra=SECRET)]
    room: Annotated[
        str, Field(max_length=255, pattern=r"^![!-~]+$", title="Room id", examples=["!abc:matrix.example.com"])
    ]

    def outgoing(self, message: TargetMessage) -> Outgoing:
        # The last part makes the server ignore a message that is sent again.
        path = f"_matrix/client/v3/rooms/{quote(self.room, safe='')}/send/m.room.message/{message.id}"
        content = {"msgtype": "m.text", "body": whole_text(message)}
        return json_to(f"{self.server}/{path}", content, {"Authorization": f"Bearer {self.token}"}, "PUT")

    @property
    def named_place(self) -> Place:
        return place_of(httpx2.URL(self.server))


KINDS: dict[KindName, type[TargetKind]] = {
    "webhook": WebhookKind,
    "email": EmailKind,
    "telegram": TelegramKind,
    "discord": DiscordKind,
    "slack": SlackKind,
    "ntfy": NtfyKind,
    "gotify": GotifyKind,
    "pushover": PushoverKind,
    "matrix": MatrixKind,
}


def kind_name(target: TargetKind) -> KindName:
    return next(name for name, kind in KINDS.items() if isinstance(target, kind))


def target_of(kind: KindName, fields: Mapping[str, str]) -> TargetKind:
    """Return the target with these fields; an empty one is the same as none. Raise `InvalidInput` if one is wrong."""
    try:
        return KINDS[kind].model_validate({name: value for name, value in fields.items() if value})
    except ValidationError as error:
        wrong = field_errors(error.errors(), dict(fields))
        raise InvalidInput([FieldError(f"fields.{each.field}", each.message) for each in wrong]) from None


def public_fields(target: TargetKind) -> dict[str, str]:
    """Return the fields that are no secret."""
    shown = {name for name, info in KINDS[kind_name(target)].model_fields.items() if info.json_schema_extra != SECRET}
    return {name: value for name, value in target.model_dump().items() if name in shown and value}


def kind_views() -> list[KindView]:
    """Return what a form needs to ask for the fields of each kind."""
    return [
        KindView(kind=name, label=kind.label, fields=[_field_view(*each) for each in kind.model_fields.items()])
        for name, kind in KINDS.items()
    ]


def _field_view(name: str, info: Any) -> FieldView:
    return FieldView(
        name=name,
        label=info.title,
        hint=info.description or "",
        example=(info.examples or [info.default if not info.is_required() else ""])[0],
        required=info.is_required(),
        secret=info.json_schema_extra == SECRET,
        choices=list(get_args(info.annotation)),
    )
