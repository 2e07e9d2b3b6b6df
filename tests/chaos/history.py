"""The requests of users and their outcomes: acknowledged, refused, or unknown because there was no answer."""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2

Outcome = Literal["acknowledged", "refused", "unknown"]
SECONDS_TO_ANSWER = 12
FINE = {*range(200, 500), 502, 503, 504}
"""The statuses an answer may have while a component fails; a 500 would be a defect of the service."""


@dataclass(frozen=True, slots=True)
class Event:
    what: str
    outcome: Outcome
    sent: float
    received: float
    status: int | None
    answer: Any


client = httpx2.Client(timeout=SECONDS_TO_ANSWER, limits=httpx2.Limits(max_keepalive_connections=0))
"""Shared, because making a client takes longer than a request. It keeps no connection: its process may be killed."""


@dataclass
class History:
    events: list[Event] = field(default_factory=list)
    defects: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, what: str, method: str, url: str, **request: Any) -> Event:
        sent = time.monotonic()
        try:
            reply = client.request(method, url, **request)
        except httpx2.TransportError:
            return self._note(Event(what, "unknown", sent, time.monotonic(), None, None))
        if reply.status_code not in FINE:
            self.defect(f"{method} {url}: {reply.status_code} {reply.text[:200]}")
        answer = reply.json() if reply.content else None
        return self._note(Event(what, _outcome(reply.status_code), sent, time.monotonic(), reply.status_code, answer))

    def _note(self, event: Event) -> Event:
        with self._lock:
            self.events.append(event)
        return event

    def defect(self, sentence: str) -> None:
        with self._lock:
            self.defects.append(sentence)

    def counts(self) -> dict[str, Counter[str]]:
        by_kind: dict[str, Counter[str]] = {}
        for event in self.events:
            by_kind.setdefault(event.what, Counter())[event.outcome] += 1
        return by_kind


def _outcome(status: int) -> Outcome:
    """Return the outcome. After a 5xx it is unknown, because the server may have done the work before it failed."""
    return "acknowledged" if status < 300 else "refused" if status < 500 else "unknown"
