"""What is sent to a target: an HTTP request or an e-mail, made of a message."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any, Literal

import httpx2

from strategybot.notifications.addresses import Place
from strategybot.notifications.schemas import TargetMessage

SHOWN_OF_ID = 8  # the last, random digits
LONGEST_CHAT = 2000  # of Discord; the others take more
Security = Literal["tls", "starttls", "none"]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """An HTTP request that delivers a message."""

    url: httpx2.URL
    content: bytes
    headers: dict[str, str] = field(default_factory=dict)
    method: str = "POST"
    is_signed: bool = False

    @property
    def place(self) -> Place:
        return place_of(self.url)


@dataclass(frozen=True, slots=True)
class Mail:
    """A message for a mail server."""

    place: Place
    security: Security
    username: str
    password: str
    message: EmailMessage


def place_of(url: httpx2.URL) -> Place:
    return Place(url.raw_host.decode("ascii"), url.port or (443 if url.scheme == "https" else 80))


def short_text(message: TargetMessage, longest: int = LONGEST_CHAT) -> str:
    """Return the text with the last digits of the id, so that a reader sees that a message came twice."""
    end = f"\n\n(message {message.id[-SHOWN_OF_ID:]})"
    return message.text[: longest - len(end)] + end


def whole_text(message: TargetMessage) -> str:
    return f"{message.title}\n{short_text(message, LONGEST_CHAT - len(message.title) - 1)}"


def json_to(
    url: str, content: Mapping[str, Any], headers: Mapping[str, str] | None = None, method: str = "POST"
) -> Outgoing:
    return Outgoing(httpx2.URL(url), json.dumps(content, ensure_ascii=False).encode(), dict(headers or {}), method)
